"""What people see of values and of what takes a while: labels, dates, digits, focus, progress, and the ways to stop."""

import re

import pytest
from conftest import expect, hindrances, run, saved
from test_data_refused import typed, works  # noqa: F401 (a fixture)


def cell(page, row, name):
    heads = page.locator("table.grid thead tr").first.locator("th[data-key]")
    expect(heads.first).to_be_visible()
    keys = [one.get_attribute("data-key") for one in heads.all()]
    return page.locator(f'td[data-row="{row}"][data-column="{keys.index(name)}"]')


def test_choices_are_shown_by_their_labels(studio, visit, works):
    works.write("UPDATE ZWORK SET ZSTYLE = 'oil' WHERE Z_PK = 1")
    page = visit(studio(works.model, works.path), "#/data/Work")
    page.get_by_role("button", name="Columns").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("checkbox", name="Style").check()
    dialog.get_by_role("button", name="Show", exact=True).click()
    expect(cell(page, 0, "style")).to_have_text("Oil on canvas")
    page.get_by_role("searchbox", name="Filter Style").fill("oil on canvas")
    expect(page.locator("table.grid tbody tr")).to_have_count(1)
    page.get_by_role("link", name="First").click()
    page.get_by_label("Style", exact=True).select_option("ink")
    expect(page.get_by_text("Unsaved: 1 changed")).to_be_visible()
    page.get_by_role("button", name="Review").click()
    row = page.get_by_role("dialog").get_by_role("row", name="Style")
    expect(row).to_contain_text("Oil on canvas")
    expect(row).to_contain_text("Ink")


def test_archives_and_decimals_say_what_is_kept(studio, visit, works):
    page = visit(studio(works.model, works.path), "#/data/Work/1")
    typed(page, "Price", "12345678901234567890.123456789")
    price = page.locator("[data-key=price]")
    expect(price).to_contain_text("it will keep 12345678901234567000")
    page.locator("[data-key=tags]").get_by_role("button", name="Edit as JSON").click()
    page.get_by_label("Tags as JSON").fill('["oil"]')
    page.locator("[data-key=tags]").get_by_role("button", name="Set", exact=True).click()
    expect(page.locator("[data-key=tags] pre")).to_contain_text("oil")
    page.get_by_role("button", name="Review").click()
    row = page.get_by_role("dialog").get_by_role("row", name="Tags")
    expect(row).to_contain_text('["oil"]')


@pytest.mark.long
def test_dates_show_their_seconds(studio, visit, works):
    works.write("UPDATE ZWORK SET ZMADE = 60 WHERE Z_PK = 1")
    works.write("UPDATE ZWORK SET ZMADE = 61.5 WHERE Z_PK = 2")
    page = visit(studio(works.model, works.path), "#/data/Work")
    expect(cell(page, 0, "made")).to_have_text("2001-01-01 00:01:00")
    expect(cell(page, 1, "made")).to_have_text("2001-01-01 00:01:01")


def test_what_breaks_a_rule_is_marked_in_its_cell(studio, visit, works):
    page = visit(studio(works.model, works.path), "#/data/Work")
    cell(page, 0, "grade").focus()
    page.keyboard.type("500")
    page.keyboard.press("Enter")
    expect(cell(page, 0, "grade")).to_have_class(re.compile("wrong"))
    expect(cell(page, 0, "grade").locator(".message")).to_be_visible()
    assert page.locator(".toast").count() == 0
    cell(page, 0, "grade").focus()
    page.keyboard.type("50")
    page.keyboard.press("Enter")
    expect(cell(page, 0, "grade")).to_have_text("50")
    saved(page)


def test_a_new_object_has_the_focus_and_undoing_it_goes_back(studio, visit, works):
    page = visit(studio(works.model, works.path), "#/data/Work")
    page.get_by_role("button", name="New", exact=True).click()
    expect(page.get_by_label("Title *", exact=True)).to_be_focused()
    # What it lacks is said once there was a chance to fill it in.
    expect(page.locator("[data-key=title] .message")).to_be_hidden()
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("table.grid tbody tr")).to_have_count(2)
    expect(page.get_by_role("heading", level=1)).to_have_text("Work")


def test_save_and_add_another(studio, visit, works):
    page = visit(studio(works.model, works.path), "#/data/Work")
    page.get_by_role("button", name="New", exact=True).click()
    for title in ["Third", "Fourth"]:
        expect(page.get_by_label("Title *", exact=True)).to_be_focused()
        expect(page.get_by_label("Title *", exact=True)).to_have_value("")
        page.keyboard.type(title)
        page.get_by_role("button", name="Save and add another").click()
    expect(page.get_by_label("Title *", exact=True)).to_have_value("")
    assert [title for (title,) in works.sql("SELECT ZTITLE FROM ZWORK ORDER BY Z_PK")] == ["First", "Second", "Third", "Fourth"]
    # One that can't be saved stays.
    page.get_by_role("button", name="Save and add another").click()
    expect(page.get_by_role("dialog")).to_contain_text("can’t be saved")


def test_a_button_above_an_object_keeps_its_click_while_what_was_typed_is_taken(studio, visit, works):
    page = visit(studio(works.model, works.path), "#/data/Work")
    page.get_by_role("button", name="New", exact=True).click()
    page.get_by_label("Title *", exact=True).fill("Third")
    box = page.get_by_role("button", name="Save and add another").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    # The field gave up its focus, and its text has been taken.
    expect(page.get_by_role("heading", level=1)).to_have_text("Third")
    page.mouse.up()
    expect(page.get_by_label("Title *", exact=True)).to_have_value("")
    assert works.sql("SELECT ZTITLE FROM ZWORK WHERE ZTITLE = 'Third'") == [("Third",)]


def test_the_start_is_the_first_entity_or_the_last_one(studio, visit, works):
    running = studio(works.model, works.path)
    page = visit(running)
    expect(page.get_by_role("heading", level=1)).to_have_text("Artist")
    page.get_by_role("link", name="Work").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Work")
    page.goto("about:blank")
    page.goto(running.base)
    expect(page.get_by_role("heading", level=1)).to_have_text("Work")


@pytest.mark.long
def test_rows_stand_close_together_on_request(studio, visit, catalogue, shot):
    many(catalogue, 200)
    page = visit(studio(catalogue.model, catalogue.path), "#/data/LogEntry", height=900)
    page.get_by_role("button", name="Compact").click()
    assert seen(page) >= 25
    shot(page, "data-compact")
    page.reload()
    expect(page.locator("table.grid tbody tr").first).to_be_visible()
    assert seen(page) >= 25
    page.get_by_role("button", name="Compact").click()
    assert seen(page) < 25


def seen(page):
    """How many rows are seen whole."""
    return page.evaluate("""() => {
        const area = document.querySelector(".grid-area").getBoundingClientRect();
        return [...document.querySelectorAll("table.grid tbody tr")].filter((row) => row.getBoundingClientRect().bottom <= area.bottom).length;
    }""")


def many(store, count):
    """Rows that are written by SQL, as many as one likes."""
    (entity,), = store.sql("SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'LogEntry'")
    store.write(f"""INSERT INTO ZLOGENTRY (Z_PK, Z_ENT, Z_OPT, ZTEXT)
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {count})
        SELECT i, {entity}, 1, 'Entry number ' || i || ' of a long list' FROM n""")
    store.write(f"UPDATE Z_PRIMARYKEY SET Z_MAX = {count} WHERE Z_NAME = 'LogEntry'")


def given_up(answer):
    return answer.url.endswith("data/rows") and answer.status == 409


def test_a_filter_that_is_cleared_is_given_up(studio, visit, catalogue):
    many(catalogue, 200_000)
    page = visit(studio(catalogue.model, catalogue.path), "#/data/LogEntry")
    expect(page.locator(".toolbar .badge").first).to_have_text("200,000")
    box = page.get_by_role("combobox", name="Predicate", exact=True)
    slow = 'text MATCHES ".*(n.*)*z"'
    with page.expect_request("**/data/rows"):
        box.fill(slow)
        page.keyboard.press("Enter")
    with page.expect_response(given_up):
        page.get_by_role("button", name="Clear the predicate").click()
    expect(page.locator("table.grid tbody tr")).to_have_count(100)
    expect(page.locator(".toolbar .badge").first).to_have_text("200,000")
    # Leaving the page gives it up, too.
    with page.expect_request("**/data/rows"):
        box.fill(slow)
        page.keyboard.press("Enter")
    with page.expect_response(given_up):
        page.get_by_role("navigation", name="Entities").get_by_role("link").last.click()


def test_an_export_says_how_far_it_is_and_can_be_stopped(studio, visit, catalogue, shot):
    many(catalogue, 45_000)
    page = visit(studio(catalogue.model, catalogue.path), "#/data/LogEntry")
    expect(page.locator(".toolbar .badge").first).to_have_text("45,000")
    # Its second part waits until somebody stops it.
    parts = []

    def hold(route):
        parts.append(route)
        if len(parts) == 1:
            route.continue_()

    page.route(re.compile("data/export"), hold)
    page.get_by_role("button", name="Export").click()
    with page.expect_response(re.compile("data/export")):
        page.get_by_role("menuitem", name="CSV of the rows found").click()
    progress = page.locator(".toast.progress")
    expect(progress).to_contain_text("of 45,000 rows")
    shot(page, "data-export")
    assert hindrances(page) == []
    downloads = []
    page.on("download", lambda download: downloads.append(download))
    progress.get_by_role("button", name="Stop").click()
    expect(progress).to_have_count(0)
    page.wait_for_timeout(1500)
    assert downloads == []
    page.unroute_all()
    page.get_by_role("button", name="Export").click()
    with page.expect_download() as download:
        page.get_by_role("menuitem", name="CSV of the rows found").click()
    assert sum(1 for _ in open(download.value.path())) == 45_001
    expect(progress).to_have_count(0)


def test_the_query_is_copied_as_code_and_as_sql(studio, visit, works):
    page = visit(studio(works.model, works.path), "#/data/Work")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("combobox", name="Predicate", exact=True).fill('title BEGINSWITH "F"')
    page.keyboard.press("Enter")
    expect(page.locator("table.grid tbody tr")).to_have_count(1)

    def copied(name):
        page.get_by_role("button", name="As code…").click()
        with page.expect_response("**/data/query/text"):
            page.get_by_role("menuitem", name=name).click()
        page.wait_for_timeout(200)
        return page.evaluate("navigator.clipboard.readText()")

    assert copied("Swift: NSPredicate") == 'NSPredicate(format: #"title BEGINSWITH "F""#)'
    assert copied("Swift: fetch request").splitlines()[:2] == [
        'let request = NSFetchRequest<NSManagedObject>(entityName: "Work")',
        'request.predicate = NSPredicate(format: #"title BEGINSWITH "F""#)']
    assert copied("SQL").startswith("SELECT")


@pytest.mark.long
def test_toasts_end(studio, visit, works):
    page = visit(studio(works.model, works.path), "#/data/Work/1")
    typed(page, "Title *", "Changed")
    page.keyboard.press("Control+s")
    toast = page.locator(".toast")
    expect(toast).to_have_text("Saved.")
    expect(toast).to_have_count(0, timeout=15_000)


def test_a_date_is_picked(studio, visit, works):
    page = visit(studio(works.model, works.path), "#/data/Work/1")
    # Keys lead there and open it; what is in it is the browser's.
    page.evaluate("HTMLInputElement.prototype.showPicker = function () { window.opened = this.ariaLabel; }")
    page.get_by_label("Made", exact=True).focus()
    picker = page.get_by_label("Pick Made", exact=True)
    for _ in range(3):
        page.keyboard.press("Tab")
        if picker.evaluate("picker => picker === document.activeElement"):
            break
    expect(picker).to_be_focused()
    page.keyboard.press("Enter")
    assert page.evaluate("window.opened") == "Pick Made"
    picker.fill("2024-05-01T10:20:30")
    picker.dispatch_event("change")
    expect(page.get_by_label("Made", exact=True)).to_have_value("2024-05-01T10:20:30Z")
    expect(page.get_by_text("Unsaved: 1 changed")).to_be_visible()
    assert hindrances(page) == []
    saved(page)
    assert works.sql("SELECT ZMADE FROM ZWORK WHERE Z_PK = 1") == [(736251630,)]


@pytest.mark.long
def test_what_turns_the_writing_is_shown_in_the_sql_of_a_save(studio, visit, superdb):
    page = visit(studio(superdb.model, superdb.path), "#/data/Hero/1")
    page.get_by_label("Secret identity", exact=True).fill("B. \u202eWayne")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Review").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Show the SQL").click()
    expect(dialog.locator("pre.sql")).to_contain_text("'B. \\u{202e}Wayne'")


def test_small_windows_show_rows_and_the_diagrams_tools(studio, visit, superdb):
    running = studio(superdb.model, superdb.path)
    page = visit(running, "#/data/Hero", width=640, height=400)
    area = page.locator(".grid-area")
    expect(area).to_contain_text("Batman")
    page.locator("section.content").evaluate("(content) => { content.scrollTop = content.scrollHeight; }")
    box = area.bounding_box()
    assert min(box["y"] + box["height"], 400) - max(box["y"], 0) > 200, "at a zoom of 200 %"
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(running.base + "#/model/diagram")
    tools = page.locator(".model-tools")
    expect(tools.get_by_role("button", name="Export")).to_be_visible()
    for control in tools.locator("button, select").all():
        box = control.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= 390
    assert all(one.bounding_box()["width"] >= 130 for one in tools.locator("select").all()), "their texts aren't cut"


@pytest.mark.long
def test_fixing_a_relationship_leads_to_adding_members(studio, visit, tmp_path):
    version = tmp_path / "Boxes.xcdatamodel"
    version.mkdir()
    (version / "contents").write_text("""<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
    <entity name="Box"><attribute name="name" optional="YES" attributeType="String"/>
        <relationship name="things" minCount="1" toMany="YES" deletionRule="Nullify" destinationEntity="Thing" inverseName="box" inverseEntity="Thing"/></entity>
    <entity name="Thing"><attribute name="name" optional="YES" attributeType="String"/>
        <relationship name="box" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Box" inverseName="things" inverseEntity="Box"/></entity>
</model>""")
    run("create", tmp_path / "Boxes.sqlite", "--model", version)
    page = visit(studio(version, tmp_path / "Boxes.sqlite"), "#/data/Box")
    page.get_by_role("button", name="New", exact=True).first.click()
    page.get_by_label("Name", exact=True).fill("One")
    page.keyboard.press("Control+s")
    page.get_by_role("dialog").get_by_role("button", name="Fix").click()
    expect(page.get_by_role("button", name="Add to Things")).to_be_focused()
