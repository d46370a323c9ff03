"""The data area: grid, object pages, predicates, saving; effects are read back with plain SQLite."""

import json
import shutil
import sqlite3

import pytest
from conftest import Store, hindrances, run, shared
from playwright.sync_api import expect


def hero(page, name):
    page.get_by_role("link", name=name).first.click()
    expect(page.get_by_role("heading", name=name, level=1)).to_be_visible()


def save(page):
    page.get_by_role("button", name="Save", exact=True).first.click()


def grid(page):
    return page.get_by_role("table", name="Hero")


def test_the_grid_sorts_filters_and_counts(studio, visit, shot, superdb):
    page = visit(studio(superdb.model, superdb.path), "#/data/Hero")
    expect(page.get_by_role("link", name="Hero 3")).to_be_visible()
    expect(grid(page).locator("tbody tr")).to_have_count(3)
    grid(page).get_by_role("button", name="Birth date").click()
    expect(grid(page).locator("tbody tr").first).to_contain_text("Superman")
    expect(grid(page).locator("th[aria-sort=ascending]")).to_contain_text("Birth date")
    grid(page).get_by_role("searchbox", name="Filter Name").fill("man")
    expect(grid(page).locator("tbody tr")).to_have_count(3)
    grid(page).get_by_role("searchbox", name="Filter Birth date").fill("1941")
    expect(grid(page).locator("tbody tr")).to_have_count(1)
    expect(grid(page).locator("tbody tr")).to_contain_text("Wonder Woman")
    shot(page, "data-grid")
    assert hindrances(page) == []


def test_a_cell_is_edited_in_place_and_saved(studio, visit, superdb):
    page = visit(studio(superdb.model, superdb.path), "#/data/Hero")
    row = grid(page).locator("tbody tr", has_text="Batman")
    row.locator("td", has_text="Bruce Wayne").dblclick()
    page.locator("input.cell-editor").fill("B. Wayne")
    page.keyboard.press("Enter")
    expect(row.locator("td.changed")).to_have_text("B. Wayne")
    expect(page.get_by_text("Unsaved: 1 changed")).to_be_visible()
    page.keyboard.press("Control+s")
    expect(page.get_by_text("Everything is saved")).to_be_visible()
    assert superdb.sql("SELECT ZSECRETIDENTITY FROM ZHERO WHERE ZNAME = 'Batman'") == [("B. Wayne",)]


def test_an_object_is_made_refused_fixed_and_saved(studio, visit, shot, superdb):
    page = visit(studio(superdb.model, superdb.path), "#/data/Hero")
    page.get_by_role("button", name="New", exact=True).click()
    expect(page.get_by_text("Unsaved: 1 new")).to_be_visible()
    save(page)
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("can’t be saved")
    shot(page, "data-refused")
    dialog.get_by_role("button", name="Fix").click()
    # The page is made anew, and leads to the first field to fix.
    expect(page.locator("[data-key] :focus")).to_be_visible()
    page.get_by_label("Name *", exact=True).fill("Aquaman")
    page.get_by_label("Birth date *", exact=True).fill("1941-11-25")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Aquaman", level=1)).to_be_visible()
    save(page)
    expect(page.get_by_text("Everything is saved")).to_be_visible()
    assert superdb.sql("SELECT COUNT(*) FROM ZHERO WHERE ZNAME = 'Aquaman'") == [(1,)]


def test_unsaved_changes_survive_a_reload_and_are_undone(studio, visit, superdb):
    page = visit(studio(superdb.model, superdb.path), "#/data/Hero")
    hero(page, "Batman")
    page.get_by_label("Secret identity", exact=True).fill("Nobody")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Unsaved: 1 changed")).to_be_visible()
    page.reload()
    expect(page.get_by_label("Secret identity", exact=True)).to_have_value("Nobody")
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_label("Secret identity", exact=True)).to_have_value("Bruce Wayne")
    page.get_by_role("button", name="Redo").click()
    expect(page.get_by_label("Secret identity", exact=True)).to_have_value("Nobody")
    page.get_by_role("button", name="Review").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Bruce Wayne")
    dialog.get_by_role("button", name="Show the SQL").click()
    expect(dialog.locator("pre.sql")).to_contain_text("UPDATE")
    assert superdb.sql("SELECT ZSECRETIDENTITY FROM ZHERO WHERE ZNAME = 'Batman'") == [("Bruce Wayne",)]
    dialog.get_by_role("button", name="Discard all").click()
    expect(page.get_by_text("Everything is saved")).to_be_visible()


def test_powers_are_added_found_by_picker_and_go_with_their_hero(studio, visit, shot, superdb):
    page = visit(studio(superdb.model, superdb.path), "#/data/Hero")
    hero(page, "Superman")
    powers = page.get_by_role("region", name="Powers")
    expect(powers).to_contain_text("None.")
    powers.get_by_role("button", name="New in Powers").click()
    expect(page.get_by_role("navigation", name="Way back")).to_contain_text("Superman")
    page.get_by_label("Name *", exact=True).fill("Flight")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Flight", level=1)).to_be_visible()
    page.get_by_role("button", name="Choose Hero").click()
    picker = page.get_by_role("dialog")
    expect(picker.get_by_role("option", selected=True)).to_contain_text("Superman")
    picker.get_by_role("searchbox").fill("wonder")
    expect(picker.get_by_role("option")).to_have_count(1)
    shot(page, "data-picker")
    picker.get_by_role("option").click()
    expect(page.get_by_role("group", name="Hero")).to_contain_text("Wonder Woman")
    save(page)
    expect(page.get_by_text("Everything is saved")).to_be_visible()
    sql = "SELECT h.ZNAME FROM ZPOWER p JOIN ZHERO h ON h.Z_PK = p.ZHERO"
    assert superdb.sql(sql) == [("Wonder Woman",)]
    page.get_by_role("group", name="Hero").get_by_role("link").click()
    expect(page.get_by_role("heading", name="Wonder Woman", level=1)).to_be_visible()
    page.get_by_role("button", name="Delete").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("deleted with them")
    expect(dialog).to_contain_text("Flight")
    shot(page, "data-delete")
    dialog.get_by_role("button", name="Delete").click()
    expect(page.get_by_text("Unsaved: 2 deleted")).to_be_visible()
    save(page)
    expect(page.get_by_text("Everything is saved")).to_be_visible()
    assert superdb.sql("SELECT COUNT(*) FROM ZPOWER") == [(0,)]


@pytest.mark.long
def test_a_colour_is_mixed_with_sliders(studio, visit, shot, superdb):
    page = visit(studio(superdb.model, superdb.path), "#/data/Hero")
    hero(page, "Superman")
    colour = page.get_by_role("group", name="Favourite colour")
    for part, value in [("red", "255"), ("green", "0"), ("blue", "51"), ("alpha", "204")]:
        colour.get_by_role("spinbutton", name=part).fill(value)
        page.keyboard.press("Tab")
    expect(colour.get_by_role("img", name="Colour #FF0033CC")).to_be_visible()
    colour.get_by_role("slider", name="green").focus()
    page.keyboard.press("ArrowRight")
    expect(colour.get_by_role("img", name="Colour #FF0133CC")).to_be_visible()
    shot(page, "data-colour")
    save(page)
    expect(page.get_by_text("Everything is saved")).to_be_visible()
    stored = json.loads(superdb.sql("SELECT ZFAVOURITECOLOUR FROM ZHERO WHERE ZNAME = 'Superman'")[0][0])
    assert [round(part * 255) for part in stored] == [255, 1, 51, 204]
    assert hindrances(page) == []


def test_a_predicate_becomes_a_fetch_request_template(studio, visit, superdb):
    page = visit(studio(superdb.model, superdb.path), "#/data/Hero")
    page.get_by_role("combobox", name="Predicate").fill("sex == $sex")
    page.get_by_role("button", name="Save as template…").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("heroesOfSex")
    dialog.get_by_role("button", name="OK").click()
    expect(page.get_by_text("Saved in the model as heroesOfSex")).to_be_visible()
    source = next(superdb.model.glob("*.xcdatamodel/contents")).read_text()
    assert '<fetchRequest name="heroesOfSex" entity="Hero" predicateString="sex == $sex"/>' in source


def test_a_report_leads_to_what_it_finds(studio, visit, superdb):
    page = visit(studio(superdb.model, superdb.path), "#/data/Hero")
    hero(page, "Batman")
    page.get_by_role("button", name="Fetch Older heroes").click()
    report = page.get_by_role("region", name="Older heroes")
    report.get_by_role("link", name="Superman").click()
    expect(page.get_by_role("heading", name="Superman", level=1)).to_be_visible()


def test_the_predicate_is_written_completed_and_built(studio, visit, shot, superdb):
    page = visit(studio(superdb.model, superdb.path), "#/data/Hero")
    box = page.get_by_role("combobox", name="Predicate")
    # At once: behind a slow first letter the list would still be that letter's.
    box.fill("na")
    expect(page.get_by_role("option", name="name")).to_be_visible()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(box).to_have_value("name ")
    box.fill("nmae == \"Batman\"")
    expect(page.locator(".predicate-message")).to_contain_text("no property “nmae”")
    shot(page, "data-mistake")
    box.fill("name == \"Batman\"")
    page.keyboard.press("Enter")
    expect(grid(page).locator("tbody tr")).to_have_count(1)
    page.get_by_role("button", name="Builder").click()
    builder = page.get_by_role("group", name="Predicate builder")
    builder.get_by_role("combobox", name="Operator").select_option("!=")
    expect(box).to_have_value("name != \"Batman\"")
    expect(grid(page).locator("tbody tr")).to_have_count(2)
    builder.get_by_role("button", name="Add a row").click()
    builder.get_by_role("textbox", name="Value").last.fill("Superman")
    page.keyboard.press("Enter")
    builder.get_by_role("combobox", name="Kind of group").select_option("or")
    expect(box).to_have_value("name != \"Batman\" OR name == \"Superman\"")
    shot(page, "data-builder")
    assert hindrances(page) == []


def test_a_save_by_another_process_appears(studio, visit, superdb):
    page = visit(studio(superdb.model, superdb.path), "#/data/Hero")
    expect(grid(page)).to_contain_text("Bruce Wayne")
    run("set", superdb.path, "Hero/1", "secretIdentity=Robin", "--model", superdb.model)
    expect(grid(page)).to_contain_text("Robin")


def test_a_conflict_shows_both_values(studio, visit, shot, superdb):
    name = superdb.sql("SELECT ZNAME FROM ZHERO WHERE Z_PK = 1")[0][0]
    page = visit(studio(superdb.model, superdb.path), "#/data/Hero/1")
    expect(page.get_by_role("heading", name=name, level=1)).to_be_visible()
    page.get_by_label("Secret identity", exact=True).fill("Mine")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Unsaved: 1 changed")).to_be_visible()
    run("set", superdb.path, "Hero/1", "secretIdentity=Theirs", "--model", superdb.model)
    save(page)
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Mine")
    expect(dialog).to_contain_text("Theirs")
    shot(page, "data-conflict")
    dialog.get_by_role("radio", name="Theirs").check()
    dialog.get_by_role("button", name="Save with these values").click()
    expect(page.get_by_text("Everything is saved")).to_be_visible()
    expect(page.get_by_label("Secret identity", exact=True)).to_have_value("Theirs")
    assert superdb.sql("SELECT ZSECRETIDENTITY FROM ZHERO WHERE Z_PK = 1") == [("Theirs",)]


@pytest.mark.long
def test_statements_have_times_and_plans(studio, visit, shot, superdb):
    page = visit(studio(superdb.model, superdb.path), "#/data/Hero")
    expect(grid(page).locator("tbody tr")).to_have_count(3)
    page.get_by_role("link", name="SQL").click()
    page.get_by_role("button", name="Query plan").first.click()
    expect(page.locator(".plan").first).to_contain_text("SCAN")
    shot(page, "data-sql")
    assert hindrances(page) == []


def test_a_csv_file_is_looked_at_mapped_and_imported(studio, visit, shot, superdb, tmp_path):
    file = tmp_path / "heroes.csv"
    file.write_text("name,born\nFlash,1940-01-01\nAtom,never\n")
    page = visit(studio(superdb.model, superdb.path), "#/data/Hero/import")
    page.get_by_label("A CSV file").set_input_files(file)
    page.get_by_role("combobox", name="Property for the column born").select_option("birthDate")
    page.get_by_role("button", name="Import 2 records").click()
    expect(page.get_by_role("alert")).to_contain_text("Nothing was imported")
    expect(page.locator("#main")).to_contain_text("never")
    shot(page, "data-import")
    page.get_by_label("Leave out records that are wrong").check()
    page.get_by_role("button", name="Import 2 records").click()
    expect(page.get_by_text("Unsaved: 1 new")).to_be_visible()
    save(page)
    expect(page.get_by_text("Everything is saved")).to_be_visible()
    assert superdb.sql("SELECT COUNT(*) FROM ZHERO WHERE ZNAME = 'Flash'") == [(1,)]


def test_rows_are_downloaded(studio, visit, superdb):
    page = visit(studio(superdb.model, superdb.path), "#/data/Hero")
    page.get_by_role("button", name="Export").click()
    with page.expect_download() as download:
        page.get_by_role("menuitem", name="JSON").click()
    rows = json.loads(download.value.path().read_text())
    assert sorted(row["name"] for row in rows) == ["Batman", "Superman", "Wonder Woman"]


@pytest.mark.long
def test_hostile_names_do_no_harm(studio, visit, superdb):
    connection = sqlite3.connect(superdb.path)
    hostile = "<script>document.title='owned'</script><img src=x onerror=document.title='owned'>\u202e\u05d0"
    connection.execute("UPDATE ZHERO SET ZNAME = ?, ZSECRETIDENTITY = ? WHERE Z_PK = 1", (hostile, "x" * 1_000_000 + "\0y"))
    connection.commit()
    connection.close()
    page = visit(studio(superdb.model, superdb.path), "#/data/Hero")
    expect(grid(page)).to_contain_text("<script>")
    page.goto(page.url.split("#")[0] + "#/data/Hero/1")
    expect(page.get_by_role("heading", level=1)).to_contain_text("<script>")
    assert "owned" not in page.title()
    assert page.locator("#main script, #main img").count() == 0


# Long: test_looks.py has each page in two looks.
@pytest.mark.long
@pytest.mark.parametrize("place", ["#/data/Hero", "#/data/Hero/1"])
@pytest.mark.parametrize("dark", [False, True])
def test_pages_are_for_everybody(studio, visit, shot, superdb, place, dark):
    page = visit(studio(superdb.model, superdb.path), place, dark=dark)
    expect(page.locator(".grid tbody tr, .object-body .field").first).to_be_visible()
    assert hindrances(page) == []
    shot(page, f"{'data-rows' if place.endswith('Hero') else 'data-object'}-{'dark' if dark else 'light'}")


@pytest.mark.long
@pytest.mark.parametrize("place", ["#/data/Hero", "#/data/Hero/1"])
def test_pages_fit_narrow_screens(studio, visit, shot, superdb, place):
    page = visit(studio(superdb.model, superdb.path), place, width=400)
    expect(page.locator(".grid tbody tr, .object-body .field").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 400
    shot(page, f"{'data-rows' if place.endswith('Hero') else 'data-object'}-narrow")


@pytest.mark.long
def test_an_ordered_relationship_of_a_real_store_is_put_in_order(studio, visit, shot, bookmarks):
    sql = "SELECT ZTITLE FROM ZBOOKMARKENTITY WHERE ZPARENT = 6 ORDER BY Z_FOK_PARENT"
    assert [row[0] for row in bookmarks.sql(sql)] == ["31", "32", "33"]
    page = visit(studio(bookmarks.path), "#/data/BookmarkEntity/6")
    children = page.get_by_role("region", name="Children")
    expect(children.locator("li")).to_have_count(3)
    children.get_by_role("button", name="Move 31 with the arrow keys").focus()
    page.keyboard.press("ArrowDown")
    expect(children.locator("li").first).to_contain_text("32")
    expect(page.get_by_text("Unsaved: ")).to_be_visible()
    children.locator("li", has_text="33").drag_to(children.locator("li").first)
    expect(children.locator("li").first).to_contain_text("33")
    shot(page, "data-ordered")
    save(page)
    expect(page.get_by_text("Everything is saved")).to_be_visible()
    assert [row[0] for row in bookmarks.sql(sql)] == ["33", "32", "31"]
    assert bookmarks.sql("PRAGMA integrity_check") == [("ok",)]
    assert hindrances(page) == []


@pytest.mark.long
def test_rules_of_the_model_are_said_beside_the_fields(studio, visit, shot, catalogue):
    page = visit(studio(catalogue.model, catalogue.path), "#/data/Product")
    expect(page.get_by_text("There are no objects of Product yet.")).to_be_visible()
    page.get_by_role("button", name="New").first.click()
    page.get_by_role("menuitem", name="Hammer").click()
    page.get_by_label("Item number *", exact=True).fill("hammer")
    page.keyboard.press("Enter")
    expect(page.locator("[data-key=itemNumber] .message")).to_contain_text("pattern")
    page.get_by_label("Item number *", exact=True).fill("HA-0001")
    page.get_by_label("Name *", exact=True).fill("Claw")
    page.get_by_label("Added on *", exact=True).fill("2024-05-01")
    page.keyboard.press("Enter")
    expect(page.locator("[data-key=itemNumber] .message")).to_be_hidden()
    countries = page.get_by_role("region", name="Countries")
    countries.get_by_role("button", name="Add to Countries").click()
    picker = page.get_by_role("dialog")
    picker.get_by_role("searchbox").fill("Sweden")
    picker.get_by_role("button", name="New Country").click()
    expect(countries.get_by_role("link", name="Sweden")).to_be_visible()
    shot(page, "data-product")
    save(page)
    expect(page.get_by_text("Everything is saved")).to_be_visible()
    sql = "SELECT p.ZNAME, p.ZPRICE, p.ZWEIGHT FROM ZPRODUCT p"
    assert catalogue.sql(sql) == [("Claw", 1, 0.5)]
    assert catalogue.sql("SELECT ZNAME FROM ZCOUNTRY") == [("Sweden",)]
    assert hindrances(page) == []


def test_the_history_of_a_real_store_goes_on(studio, visit, shot, tmp_path):
    original = shared("stores/CoreDataPlus/SampleModel2_V2.sqlite")
    for part in original.parent.glob(original.name + "*"):
        shutil.copy(part, tmp_path / part.name)
        (tmp_path / part.name).chmod(0o644)
    store = Store(tmp_path / original.name)
    page = visit(studio(store.path), "#/data/Feedback/2")
    page.get_by_label("Comment", exact=False).first.fill("greater book")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Unsaved: 1 changed")).to_be_visible()
    save(page)
    expect(page.get_by_text("Everything is saved")).to_be_visible()
    page.get_by_role("link", name="History").last.click()
    latest = page.locator(".timeline > li").first
    expect(latest).to_contain_text("studio")
    expect(latest).to_contain_text("Comment")
    shot(page, "data-history")
    assert hindrances(page) == []
    assert store.sql("SELECT ZCOMMENT FROM ZFEEDBACK WHERE Z_PK = 2") == [("greater book",)]
    assert store.sql("SELECT COUNT(*) FROM ATRANSACTION") == [(2,)]
