"""The grid: by keyboard, columns, order, many rows at once, a million rows, nothing that jumps."""

import csv
import io
import json
import time

import pytest
from conftest import hindrances, run, saved
from playwright.sync_api import expect


def rows(page):
    return page.locator("table.grid tbody tr")


def cell(page, row, column):
    return page.locator(f'td[data-row="{row}"][data-column="{column}"]')


def names(page):
    return [text.split("Hero ")[0] for text in rows(page).locator("td:nth-child(2)").all_inner_texts()]


def test_cells_are_gone_to_and_edited_by_keyboard(studio, visit, superdb):
    page = visit(studio(superdb.model, superdb.path), "#/data/Hero")
    expect(rows(page)).to_have_count(3)
    cell(page, 0, 0).focus()
    for key, place in [("ArrowRight", (0, 1)), ("ArrowDown", (1, 1)), ("End", (1, 4)), ("ArrowLeft", (1, 3)), ("Control+Home", (0, 0)), ("Control+End", (2, 4)), ("Home", (2, 0))]:
        page.keyboard.press(key)
        expect(cell(page, *place)).to_be_focused()
    # Typing begins anew, Return goes down, Tab to the right, Escape gives up.
    cell(page, 0, 3).focus()
    page.keyboard.type("Matches")
    page.keyboard.press("Enter")
    expect(cell(page, 1, 3)).to_be_focused()
    page.keyboard.press("F2")
    page.keyboard.press("End")
    page.keyboard.type("!")
    page.keyboard.press("Tab")
    expect(cell(page, 1, 4)).to_be_focused()
    page.keyboard.type("nonsense")
    page.keyboard.press("Escape")
    expect(cell(page, 1, 4)).to_be_focused()
    expect(page.get_by_text("Unsaved: 2 changed")).to_be_visible()
    saved(page)
    assert superdb.sql("SELECT ZSECRETIDENTITY, ZSEX FROM ZHERO ORDER BY Z_PK LIMIT 2") == [("Matches", "Male"), ("Diana Prince!", "Female")]
    cell(page, 0, 0).focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Batman")


def test_rows_are_in_the_order_of_several_columns(studio, visit, superdb):
    page = visit(studio(superdb.model, superdb.path), "#/data/Hero")
    expect(rows(page)).to_have_count(3)
    page.get_by_role("button", name="Sex", exact=True).click()
    expect(page.locator("th[aria-sort=ascending]")).to_contain_text("Sex")
    page.get_by_role("button", name="Birth date").click(modifiers=["Shift"])
    expect(page.locator("th[data-key=birthDate] .arrow")).to_have_text("▲2")
    assert [name.strip() for name in names(page)] == ["Wonder Woman", "Superman", "Batman"]
    page.get_by_role("button", name="Birth date").click(modifiers=["Shift"])
    expect(page.locator("th[data-key=birthDate] .arrow")).to_have_text("▼2")
    expect(rows(page).nth(1)).to_contain_text("Batman")
    page.reload()
    expect(page.locator("th[data-key=birthDate] .arrow")).to_have_text("▼2")


def test_columns_are_chosen_moved_made_wider_and_remembered(studio, visit, shot, superdb):
    page = visit(studio(superdb.model, superdb.path), "#/data/Hero")
    expect(rows(page)).to_have_count(3)
    heads = page.locator("th[data-key]")
    page.get_by_role("button", name="Columns").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Favourite colour", exact=True).uncheck()
    up = dialog.get_by_role("button", name="Move Sex up")
    up.focus()
    for _ in range(4):
        page.keyboard.press("Enter")
    shot(page, "data-columns")
    assert hindrances(page) == []
    dialog.get_by_role("button", name="Show").click()
    expect(heads).to_have_count(4)
    assert heads.evaluate_all("all => all.map((th) => th.dataset.key)") == ["sex", "name", "birthDate", "secretIdentity"]
    page.get_by_role("button", name="Secret identity", exact=True).focus()
    page.keyboard.press("Alt+ArrowLeft")
    expect(heads.nth(2)).to_have_attribute("data-key", "secretIdentity")
    grip = page.get_by_role("separator", name="Width of Name")
    before = heads.nth(1).bounding_box()["width"]
    grip.focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    assert abs(heads.nth(1).bounding_box()["width"] - before - 48) < 5
    box = page.get_by_role("separator", name="Width of Sex").bounding_box()
    page.mouse.move(box["x"] + 4, box["y"] + 5)
    page.mouse.down()
    page.mouse.move(box["x"] - 56, box["y"] + 5)
    page.mouse.up()
    width = heads.nth(0).bounding_box()["width"]
    page.reload()
    expect(heads).to_have_count(4)
    assert heads.evaluate_all("all => all.map((th) => th.dataset.key)") == ["sex", "name", "secretIdentity", "birthDate"]
    assert abs(heads.nth(0).bounding_box()["width"] - width) < 2
    assert hindrances(page) == []


def test_several_rows_get_one_value_and_are_deleted(studio, visit, shot, superdb):
    page = visit(studio(superdb.model, superdb.path), "#/data/Hero")
    expect(rows(page)).to_have_count(3)
    rows(page).nth(0).get_by_role("checkbox").check()
    rows(page).nth(2).get_by_role("checkbox").click(modifiers=["Shift"])
    expect(page.get_by_text("3 rows selected")).to_be_visible()
    page.get_by_role("button", name="Set…").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Property").select_option("secretIdentity")
    dialog.get_by_label("Value").fill("Nobody")
    shot(page, "data-set")
    assert hindrances(page) == []
    dialog.get_by_role("button", name="Set", exact=True).click()
    expect(page.get_by_text("Unsaved: 3 changed")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("Everything is saved")).to_be_visible()
    page.get_by_role("button", name="Redo").click()
    saved(page)
    assert superdb.sql("SELECT DISTINCT ZSECRETIDENTITY FROM ZHERO") == [("Nobody",)]
    page.get_by_label("Select all rows of the page").uncheck()
    rows(page).nth(0).get_by_role("checkbox").check()
    rows(page).nth(1).get_by_role("checkbox").check()
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page.get_by_text("Unsaved: 2 deleted")).to_be_visible()
    saved(page)
    assert superdb.sql("SELECT COUNT(*) FROM ZHERO") == [(1,)]


def clipboard(page, fits):
    """The clipboard's text once it is the expected one; the last text if it never is."""
    end = time.monotonic() + 20
    while not fits(text := page.evaluate("navigator.clipboard.readText()")) and time.monotonic() < end:
        page.wait_for_timeout(50)
    return text


def test_rows_are_copied(studio, visit, superdb):
    running = studio(superdb.model, superdb.path)
    page = visit(running, "#/data/Hero")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    expect(rows(page)).to_have_count(3)
    cell(page, 1, 0).focus()
    page.keyboard.press("Control+c")
    clipboard(page, lambda text: text == "Wonder Woman")
    page.keyboard.press("Control+a")
    expect(page.get_by_text("3 rows selected")).to_be_visible()
    page.get_by_role("button", name="Copy").click()
    page.get_by_role("menuitem", name="Copy as CSV").click()
    expect(page.get_by_text("3 rows copied.")).to_be_visible()
    copied = list(csv.DictReader(io.StringIO(clipboard(page, lambda text: text.startswith("id,")))))
    assert [row["name"] for row in copied] == ["Batman", "Wonder Woman", "Superman"]
    page.get_by_role("button", name="Copy").click()
    page.get_by_role("menuitem", name="Copy as JSON").click()
    assert [row["sex"] for row in json.loads(clipboard(page, lambda text: text.startswith("[")))] == ["Male", "Female", "Male"]


def test_to_one_columns_are_shown_sorted_and_filtered_by_what_names_the_objects(studio, visit, superdb):
    for name, hero in [("Flight", "Superman"), ("Lasso", "Wonder Woman"), ("Wealth", "Batman")]:
        superdb.write("INSERT INTO ZPOWER (Z_ENT, Z_OPT, ZNAME, ZHERO) SELECT (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Power'), 1, ?, Z_PK FROM ZHERO WHERE ZNAME = ?", name, hero)
    page = visit(studio(superdb.model, superdb.path), "#/data/Power")
    expect(rows(page)).to_have_count(3)
    page.get_by_role("button", name="Hero", exact=True).click()
    expect(rows(page).first).to_contain_text("Batman")
    page.get_by_role("searchbox", name="Filter Hero").fill("man")
    page.get_by_role("searchbox", name="Filter Hero").fill("wom")
    expect(rows(page)).to_have_count(1)
    expect(rows(page)).to_contain_text("Lasso")


@pytest.mark.parametrize("place", ["#/data/Hero", pytest.param("#/data/Hero/1", marks=pytest.mark.long)])
def test_nothing_jumps(studio, visit, superdb, place):
    running = studio(superdb.model, superdb.path)
    page = visit(running)
    page.add_init_script("""window.shifts = []; new PerformanceObserver((list) => { for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifts.push(entry.value); }).observe({ type: "layout-shift", buffered: true });""")
    page.goto(running.base + place)
    page.reload()
    expect(page.locator("table.grid tbody tr, .object-body .field").first).to_be_visible()
    page.wait_for_timeout(800)
    if place.endswith("Hero"):
        page.get_by_role("button", name="Sex", exact=True).click()
        expect(page.locator("th[aria-sort]")).to_have_count(1)
        page.get_by_role("searchbox", name="Filter Name").fill("man")
        page.wait_for_timeout(600)
    else:
        page.get_by_label("Sex", exact=True).select_option("Female")
        expect(page.get_by_text("Unsaved: 1 changed")).to_be_visible()
        page.wait_for_timeout(600)
    assert sum(page.evaluate("shifts")) < 0.05


@pytest.mark.long
def test_a_million_rows_are_as_quick_as_a_hundred(studio, visit, shot, superdb):
    def first_page(running):
        """The page, and the shortest of some times: other programs only ever make it longer."""
        times = []
        page = visit(running, "#/data/-/sql")
        for _ in range(5):
            page.goto(running.base + "#/data/-/sql")
            expect(page.locator("table")).to_have_count(0)
            start = time.monotonic()
            page.goto(running.base + "#/data/Hero")
            expect(rows(page)).to_have_count(100)
            times.append(time.monotonic() - start)
        return page, min(times)

    fill = """INSERT INTO ZHERO (Z_ENT, Z_OPT, ZNAME, ZSEX, ZBIRTHDATE)
        WITH RECURSIVE n(i) AS (SELECT ? UNION ALL SELECT i + 1 FROM n WHERE i < ?)
        SELECT (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Hero'), 1, 'Hero ' || i, CASE i % 2 WHEN 0 THEN 'Male' ELSE 'Female' END, i FROM n"""
    superdb.write("DELETE FROM ZHERO")
    superdb.write(fill, 1, 100)
    running = studio(superdb.path)
    _, small = first_page(running)
    running.stop()
    superdb.write(fill, 101, 1_000_000)
    superdb.write("UPDATE Z_PRIMARYKEY SET Z_MAX = 1000000 WHERE Z_NAME = 'Hero'")
    running = studio(superdb.path)
    page, large = first_page(running)
    assert large < small + 0.5, (small, large)
    expect(page.locator("h1 + .badge")).to_have_text("1,000,000")
    page.get_by_role("spinbutton", name="Go to row").fill("900001")
    page.keyboard.press("Enter")
    expect(rows(page).first).to_contain_text("Hero 900001")
    shot(page, "data-million")
    assert superdb.sql("SELECT COUNT(*) FROM ZHERO") == [(1_000_000,)]


@pytest.mark.long
def test_a_menu_is_left_by_tab_and_walked_to_its_ends(studio, visit, superdb):
    page = visit(studio(superdb.model, superdb.path), "#/data/Hero")
    export = page.get_by_role("button", name="Export")
    export.press("Enter")
    items = page.get_by_role("menuitem")
    expect(items.first).to_be_focused()
    page.keyboard.press("End")
    expect(items.last).to_be_focused()
    page.keyboard.press("Home")
    expect(items.first).to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(page.get_by_role("menu")).to_have_count(0)
    export.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_role("menu")).to_have_count(0)
    # On to what comes after the menu's button.
    expect(page.get_by_role("link", name="Import")).to_be_focused()
