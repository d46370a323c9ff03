"""Whole ways with mistakes on them: wrong input, a second window, another program, a server that is gone meanwhile."""

import json
import re
import shutil

import pytest
from conftest import example, expect, hindrances, run, saved
from test_data_migration import older
from test_data_refused import works  # noqa: F401 (a fixture)
from test_data_shown import many


@pytest.fixture(autouse=True)
def state(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def rows(page):
    return page.locator("table.grid tbody tr")


def select_all(page):
    page.get_by_label("Select all rows of the page").check()


def test_a_value_for_several_stays_until_it_is_taken(studio, visit, works):
    page = visit(studio(works.model, works.path), "#/data/Work")
    expect(rows(page)).to_have_count(2)
    select_all(page)
    page.get_by_role("button", name="Set…").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Property").select_option("grade")
    value = dialog.get_by_label("Value")
    value.fill("12,50")
    value.press("Enter")
    expect(dialog.get_by_role("alert")).to_contain_text("12,50")
    expect(value).to_be_focused()
    expect(value).to_have_value("12,50")
    assert hindrances(page) == []
    value.fill("12")
    value.press("Enter")
    expect(dialog).to_have_count(0)
    expect(page.get_by_text("Unsaved: 2 changed")).to_be_visible()
    # One step to undo, and done again.
    page.keyboard.press("Control+z")
    expect(page.get_by_text("Everything is saved")).to_be_visible()
    page.keyboard.press("Control+y")
    saved(page)
    assert works.sql("SELECT DISTINCT ZGRADE FROM ZWORK") == [(12,)]


def save_view(page, name):
    page.get_by_role("button", name="Views").click()
    page.get_by_role("menuitem", name="Save this view…").click()
    page.get_by_role("dialog").get_by_label("Name").fill(name)
    page.keyboard.press("Enter")


def test_another_view_is_replaced_on_request_only(studio, visit, superdb):
    running = studio(superdb.model, superdb.path)
    page = visit(running, "#/data/Hero")
    page.get_by_role("searchbox", name="Filter Name").fill("super")
    expect(rows(page)).to_have_count(1)
    save_view(page, "Mine")
    expect(page.locator(".toast")).to_contain_text("Saved in")
    # Another window has filters of its own, and takes the same name.
    other = page.context.new_page()
    other.goto(running.base + "#/data/Hero")
    expect(rows(other).first).to_be_visible()
    other.get_by_role("searchbox", name="Filter Name").fill("bat")
    expect(rows(other)).to_have_count(1)
    save_view(other, "Mine")
    dialog = other.get_by_role("dialog", name="Replace “Mine”?")
    dialog.get_by_role("button", name="Cancel").click()
    file = superdb.model.with_suffix(".studio-views.json")
    assert json.loads(file.read_text())["views"][0]["query"]["filters"] == {"name": "super"}
    save_view(other, "Mine")
    dialog.get_by_role("button", name="Replace").click()
    expect(other.locator(".toast")).to_contain_text("Saved in")
    assert [view["query"]["filters"] for view in json.loads(file.read_text())["views"]] == [{"name": "bat"}]
    # A file that somebody broke is left alone, and that is said.
    file.write_text("{ broken")
    save = other.get_by_role("button", name="Views")
    save.click()
    expect(other.locator(".toast.error")).to_contain_text("studio-views.json")
    assert file.read_text() == "{ broken"


@pytest.mark.long
def test_a_view_of_columns_that_are_gone_is_shown_as_far_as_it_goes(studio, visit, superdb):
    running = studio(superdb.model, superdb.path)
    page = visit(running, "#/data/Hero")
    page.get_by_role("searchbox", name="Filter Name").fill("super")
    expect(rows(page)).to_have_count(1)
    save_view(page, "Old")
    expect(page.locator(".toast")).to_contain_text("Saved in")
    file = superdb.model.with_suffix(".studio-views.json")
    kept = json.loads(file.read_text())
    query = kept["views"][0]["query"]
    query["columns"] = ["name", "cape"]
    query["filters"]["cape"] = "red"
    file.write_text(json.dumps(kept))
    page.get_by_role("searchbox", name="Filter Name").fill("")
    expect(rows(page)).to_have_count(3)
    page.get_by_role("button", name="Views").click()
    page.get_by_role("menuitem", name="Old").click()
    expect(page.locator(".toast").last).to_contain_text("cape: in the view, but no longer in the model")
    expect(rows(page)).to_have_count(1)
    expect(page.get_by_role("searchbox", name="Filter Name")).to_have_value("super")


@pytest.mark.long
def test_an_export_whose_server_is_gone_says_so(studio, visit, catalogue):
    many(catalogue, 45_000)
    running = studio(catalogue.model, catalogue.path)
    page = visit(running, "#/data/LogEntry")
    expect(page.locator(".toolbar .badge").first).to_have_text("45,000")
    page.get_by_role("button", name="Export").click()
    with page.expect_response(re.compile("data/export")):
        page.get_by_role("menuitem", name="CSV of the rows found").click()
    running.stop()
    expect(page.locator(".toast.error").first).to_contain_text("The server doesn’t answer")
    expect(page.locator(".toast.progress")).to_have_count(0)


@pytest.mark.long
def test_a_migration_whose_dialog_was_closed_is_told_of(studio, visit, superdb):
    older(superdb)
    running = studio(superdb.model, superdb.path)
    page = visit(running)
    page.context.add_init_script("""
        const real = window.fetch;
        window.fetch = async (address, options) => {
            const answer = await real(address, options);
            if (String(address).endsWith("data/migration") && options?.method) await new Promise((done) => setTimeout(done, 1000));
            return answer;
        };""")
    page.reload()
    page.get_by_role("button", name="Migrate…").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Migrate", exact=True).click()
    expect(dialog).to_contain_text("Migrating…")
    expect(dialog.get_by_role("progressbar", name="Migrating")).to_be_visible()
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_have_count(0)
    expect(dialog).to_contain_text("The store is of the model’s version now.")
    expect(dialog.get_by_role("button", name="Go on")).to_be_focused()
    assert hindrances(page) == []
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Migrate…")).to_have_count(0)
    expect(rows(page)).to_have_count(3)


def test_a_migration_that_cannot_be_leaves_the_store(studio, visit, superdb):
    older(superdb)
    second = superdb.model / "SuperDB 2.xcdatamodel" / "contents"
    second.write_text(second.read_text().replace('name="motto" optional="YES"', 'name="motto"'))
    before = superdb.bytes()[0]
    page = visit(studio(superdb.model, superdb.path), "#/data/Hero")
    page.get_by_role("button", name="Migrate…").click()
    dialog = page.get_by_role("dialog")
    problem = page.locator(".toast.error").or_(dialog.get_by_role("alert"))
    migrate = dialog.get_by_role("button", name="Migrate", exact=True)
    expect(problem.or_(migrate).first).to_be_visible()
    if migrate.count():
        migrate.click()
    expect(problem.first).to_contain_text("motto")
    assert superdb.bytes()[0] == before
    if dialog.count():
        dialog.get_by_role("button", name="Close").last.click()
    expect(rows(page)).to_have_count(3)


def test_a_template_s_value_that_is_none_is_said_beside_it(studio, visit, superdb):
    page = visit(studio(superdb.model, superdb.path), "#/data/Hero?predicate=" + "birthDate%20%3E%20%24DAY")
    value = page.get_by_label("Value of $DAY")
    value.fill('"yesterday')
    value.press("Enter")
    expect(page.locator(".message:visible, [role=alert]:visible").first).to_be_visible()
    expect(value).to_have_value('"yesterday')
    value.fill("1940-01-01")
    value.press("Enter")
    expect(rows(page)).to_have_count(2)


def test_an_object_that_another_program_deletes_is_said_to_be_gone(studio, visit, superdb):
    running = studio(superdb.model, superdb.path)
    page = visit(running, "#/data/Hero/1")
    expect(page.get_by_role("heading", level=1)).to_have_text("Batman")
    run("delete", superdb.path, "Hero/1", "--yes", "--model", superdb.model)
    expect(page.get_by_text("The object is gone")).to_be_visible()
    page.get_by_role("link", name="Back to Hero").click()
    expect(rows(page)).to_have_count(2)


def test_what_is_typed_is_there_still_when_the_server_is_gone(studio, visit, superdb):
    running = studio(superdb.model, superdb.path)
    page = visit(running, "#/data/Hero/1")
    field = page.get_by_label("Secret identity", exact=True)
    field.fill("Nobody")
    running.stop()
    field.press("Tab")
    expect(page.locator("[data-key=secretIdentity] .message")).to_contain_text("The server doesn’t answer")
    expect(field).to_have_value("Nobody")
    page.keyboard.press("Control+s")
    expect(page.get_by_role("dialog")).to_contain_text("Nobody")
    expect(page.get_by_role("dialog")).to_contain_text("The server doesn’t answer")


def test_a_wrong_value_among_related_rows_stays_in_its_cell(studio, visit, works):
    works.write("""INSERT INTO ZARTIST (Z_PK, Z_ENT, Z_OPT, ZNAME)
        SELECT 1, Z_ENT, 1, 'Ann' FROM Z_PRIMARYKEY WHERE Z_NAME = 'Artist'""")
    works.write("UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Artist'")
    works.write("UPDATE ZWORK SET ZMAKER = 1")
    page = visit(studio(works.model, works.path), "#/data/Artist/1")
    page.get_by_role("button", name="Works as a table").click()
    table = page.get_by_role("table", name="Works")
    expect(table.locator("tbody tr")).to_have_count(2)
    heads = table.locator("thead th").all_text_contents()
    cell = table.locator(f'td[data-row="0"][data-column="{heads.index("Grade") - 1}"]')
    before = cell.inner_text()
    cell.focus()
    page.keyboard.type("12,50")
    page.keyboard.press("Enter")
    expect(cell).to_contain_text("12,50")
    page.keyboard.press("Control+s")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("listitem")).to_contain_text("Grade: 12,50")
    dialog.get_by_role("button", name="Drop the text").click()
    expect(cell).to_have_text(before)
    expect(page.get_by_text("Everything is saved")).to_be_visible()
    assert works.sql("SELECT ZGRADE FROM ZWORK ORDER BY Z_PK") == [(10,), (20,)]


def test_classes_that_changed_since_they_were_compared_are_looked_at_again(studio, visit, tmp_path):
    model = shutil.copytree(example("SuperDB"), tmp_path / "SuperDB.xcdatamodeld")
    page = visit(studio(model), "#/model/preview")
    page.get_by_role("button", name="Write to folder…").click()
    dialog = page.get_by_role("dialog")
    folder = dialog.get_by_label("Folder")
    folder.fill("../elsewhere")
    dialog.get_by_role("button", name="Compare").click()
    expect(page.locator(".toast.error")).to_contain_text("Name a folder below")
    folder.fill("App")
    dialog.get_by_role("button", name="Compare").click()
    expect(dialog.get_by_text("new", exact=True).first).to_be_visible()
    mine = tmp_path / "App" / "Power+CoreDataProperties.swift"
    mine.parent.mkdir()
    mine.write_text("// mine\n")
    dialog.get_by_role("button", name=re.compile("^Write ")).click()
    expect(page.locator(".toast.error").last).to_contain_text("changed since they were compared")
    expect(dialog.locator(".removed")).to_contain_text("// mine")
    assert mine.read_text() == "// mine\n"
    dialog.get_by_role("button", name=re.compile("^Write ")).click()
    expect(dialog).to_have_count(0)
    assert mine.read_text() != "// mine\n"


def test_undo_in_one_window_is_seen_in_the_other(studio, visit, superdb):
    running = studio(superdb.model, superdb.path)
    page = visit(running, "#/data/Hero/1")
    page.get_by_label("Secret identity", exact=True).fill("Nobody")
    page.keyboard.press("Tab")
    expect(page.get_by_text("Unsaved: 1 changed")).to_be_visible()
    other = page.context.new_page()
    other.goto(running.base + "#/data/Hero/1")
    expect(other.get_by_label("Secret identity", exact=True)).to_have_value("Nobody")
    other.get_by_role("button", name="Undo").click()
    expect(page.get_by_label("Secret identity", exact=True)).to_have_value("Bruce Wayne")
    expect(page.get_by_text("Everything is saved")).to_be_visible()


def test_a_chart_of_a_server_that_is_gone_says_so(studio, visit, superdb):
    running = studio(superdb.model, superdb.path)
    page = visit(running, "#/data/Hero/chart")
    expect(page.locator(".chart-table tbody tr").first).to_be_visible()
    running.stop()
    page.get_by_label("Each", exact=True).select_option("year")
    expect(page.get_by_role("alert").first).to_contain_text("The server doesn’t answer")


def test_rows_of_a_chart_are_shown_again_after_another_program_saved(studio, visit, superdb):
    page = visit(studio(superdb.model, superdb.path), "#/data/Hero/chart")
    page.get_by_label("By", exact=True).select_option("sex")
    expect(page.locator(".chart-table")).to_contain_text("Male")
    run("set", superdb.path, "Hero/1", "sex=Female", "--model", superdb.model)
    expect(page.get_by_role("row", name="Female")).to_contain_text("2")


def test_a_row_that_says_nothing_yet_leaves_the_rows(studio, visit, superdb):
    page = visit(studio(superdb.model, superdb.path), "#/data/Hero")
    expect(rows(page)).to_have_count(3)
    page.get_by_role("button", name="Builder").click()
    builder = page.get_by_role("group", name="Predicate builder")
    builder.get_by_role("button", name="Add a row").first.click()
    page.wait_for_timeout(700)
    expect(rows(page)).to_have_count(3)


def test_remarks_of_xcode_stand_at_their_fields_and_among_the_issues(studio, visit, superdb):
    page = visit(studio(superdb.model, superdb.path), "#/model/entities/Power")
    page.get_by_role("button", name="hero", exact=True).click()
    inspector = page.get_by_role("complementary", name="Inspector")
    inspector.get_by_label("Inverse", exact=True).select_option("None")
    expect(inspector).to_contain_text("no inverse, which is an advanced setting: who deletes a Hero leaves this relationship as it is")
    name = inspector.get_by_label("Name", exact=True)
    name.fill("Hero")
    expect(inspector).to_contain_text("Xcode wants names of properties to begin with a lower-case letter.")
    name.press("Escape")
    page.get_by_role("link", name=re.compile("^Issues")).click()
    issues = page.locator(".model-issues")
    expect(issues).to_contain_text("Power.hero")
    expect(issues).to_contain_text("Without an inverse Nullify has nothing to empty.")
    # Undone, they are gone.
    page.keyboard.press("Control+z")
    expect(page.get_by_text("advanced setting")).to_have_count(0)


@pytest.mark.long
def test_a_filter_that_can_t_be_read_says_so_above_the_rows(studio, visit, catalogue):
    many(catalogue, 300)
    running = studio(catalogue.model, catalogue.path)
    page = visit(running, "#/data/LogEntry")
    expect(rows(page)).to_have_count(100)
    page.get_by_label("Predicate", exact=True).fill("words == 1")
    page.get_by_role("button", name="Apply").click()
    problem = page.get_by_role("alert")
    expect(problem).to_contain_text("rows below were found before")
    expect(problem).to_be_in_viewport()
    assert hindrances(page) == []
    page.get_by_role("button", name="Clear the predicate").click()
    expect(problem).to_have_count(0)
    # A server that is gone is told of in the same place.
    running.stop()
    page.get_by_label("Search LogEntry").fill("300")
    expect(problem).to_contain_text("The server doesn’t answer")
    expect(problem).to_be_in_viewport()


@pytest.mark.long
def test_a_value_that_isn_t_text_goes_back_where_it_isn_t_taken(studio, visit, works):
    running = studio(works.model, works.path)
    page = visit(running, "#/data/Work")
    expect(rows(page)).to_have_count(2)
    number = page.locator("tr", has_text="First").locator("td", has_text="10")
    running.stop()
    # A text stays in its cell until it is corrected; nil, or a choice of yes and no, has nothing to correct.
    number.dblclick()
    page.locator("input.cell-editor").fill("")
    page.keyboard.press("Enter")
    expect(page.locator(".toast.error").first).to_contain_text("The server doesn’t answer")
    expect(number).to_have_text("10")
    expect(page.get_by_text("Everything is saved")).to_be_visible()
