"""A store on a PostgreSQL server, and a server that goes away while pages are open."""

import json
import plistlib
import shutil

import pytest
from conftest import run
from playwright.sync_api import expect
from test_data_editor import MODEL


@pytest.fixture
def works(tmp_path, database):
    """The model and the address of a store with two works; a schema of its own for each test."""
    version = tmp_path / "Gallery.xcdatamodeld" / "Gallery.xcdatamodel"
    version.mkdir(parents=True)
    (version / "contents").write_text(MODEL)
    schema = f"works_{abs(hash(tmp_path)) % 10**9}"
    address = database(schema)
    run("create", address, "--model", version.parent)
    file = tmp_path / "Work.json"
    file.write_text(json.dumps([{"title": "First", "grade": 10}, {"title": "Second", "place": {"label": "there"}}]))
    run("import", address, "Work", file)
    return version.parent, address, schema


def test_a_lost_server_is_no_missing_object_and_texts_are_sent_later(studio, visit, shot, works, database):
    model, address, schema = works
    running = studio(model, address)
    page = visit(running, "#/data/Work/1")
    title = page.get_by_label("Title *", exact=True)
    expect(title).to_have_value("First")
    with database.unreachable():
        title.fill("Changed")
        title.press("Tab")
        expect(page.get_by_text("Unsaved: 1 that couldn’t be sent")).to_be_visible()
        expect(title).to_have_value("Changed")
        page.keyboard.press("Control+s")
        dialog = page.get_by_role("dialog")
        expect(dialog).to_contain_text("1 text couldn’t be sent")
        expect(dialog.get_by_role("listitem")).to_contain_text("can't be reached")
        shot(page, "data-server-lost")
        page.keyboard.press("Escape")
        page.goto(running.base + "#/data/Work/2")
        expect(page.locator("main").get_by_text("server can't be reached").first).to_be_visible()
        expect(page.get_by_text("There is no object")).to_have_count(0)
    page.goto(running.base + "#/data/Work/1")
    expect(title).to_have_value("Changed")
    page.keyboard.press("Control+s")
    expect(page.get_by_text("Everything is saved")).to_be_visible()
    assert database.sql(f"SELECT title FROM {schema}.work ORDER BY object_id") == "Changed\nSecond\n"


@pytest.mark.long
def test_a_store_of_an_older_version_on_a_server_is_told_of(studio, visit, works):
    model, address, _ = works
    shutil.copytree(model / "Gallery.xcdatamodel", model / "Gallery 2.xcdatamodel")
    file = model / "Gallery 2.xcdatamodel" / "contents"
    file.write_text(file.read_text().replace('name="tint"', 'name="shade"'))
    (model / ".xccurrentversion").write_bytes(plistlib.dumps({"_XCCurrentVersionName": "Gallery 2.xcdatamodel"}))
    page = visit(studio(model, address), "#/data/Work")
    expect(page.get_by_text("This store is of version Gallery; the model is at Gallery 2.")).to_be_visible()
    expect(page.get_by_text("coredata migrate brings it there.")).to_be_visible()
    expect(page.get_by_role("button", name="Migrate…")).to_have_count(0)


def test_what_a_command_saves_on_a_server_is_followed(studio, visit, works, database):
    model, address, schema = works
    running = studio(model, address)
    page = visit(running, "#/data/Work")
    expect(page.locator("tbody")).to_contain_text("First")
    run("set", address, "Work/1", "title=Elsewhere")
    expect(page.locator("tbody")).to_contain_text("Elsewhere", timeout=5000)
    # Only what both sides changed is in conflict, composite values too.
    page.goto(running.base + "#/data/Work/2")
    for label, text in [("Title *", "Mine"), ("Label", "here")]:
        field = page.get_by_label(label, exact=True)
        field.fill(text)
        field.press("Tab")
        expect(field).to_have_value(text)
    expect(page.get_by_text("Unsaved: 1 changed")).to_be_visible()
    run("set", address, "Work/2", "title=Theirs")
    page.keyboard.press("Control+s")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Theirs")
    expect(dialog).not_to_contain_text("Place")
    dialog.get_by_role("button", name="Save with these values").click()
    expect(page.get_by_text("Everything is saved")).to_be_visible()
    assert database.sql(f"SELECT title, place_label FROM {schema}.work WHERE object_id = 2") == "Mine|here\n"
