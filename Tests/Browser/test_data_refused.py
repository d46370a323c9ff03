"""Text that can't be taken is kept with the reason, wherever it was typed, until somebody corrects or drops it."""

import json

import pytest
from conftest import Store, hindrances, run, saved
from playwright.sync_api import expect
from test_data_editor import MODEL


@pytest.fixture
def works(tmp_path):
    version = tmp_path / "Gallery.xcdatamodeld" / "Gallery.xcdatamodel"
    version.mkdir(parents=True)
    (version / "contents").write_text(MODEL)
    store = Store(tmp_path / "Gallery.sqlite", version.parent)
    run("create", store.path, "--model", version.parent)
    file = tmp_path / "Work.json"
    file.write_text(json.dumps([{"title": "First", "grade": 10}, {"title": "Second", "grade": 20}]))
    run("import", store.path, "Work", file)
    return store


def control(page, label):
    return page.get_by_label(label, exact=True)


def typed(page, label, text):
    control(page, label).fill(text)
    control(page, label).press("Tab")


def message(page, key):
    return page.locator(f"[data-key={key}] > .message")


def grades(store):
    return store.sql("SELECT ZTITLE, ZGRADE FROM ZWORK ORDER BY Z_PK")


def test_saving_lists_what_cannot_be_taken_and_stays(studio, visit, shot, works):
    page = visit(studio(works.model, works.path), "#/data/Work/1")
    typed(page, "Grade", "12,50")
    expect(message(page, "grade")).to_be_visible()
    typed(page, "Title *", "Changed")
    expect(page.get_by_text("Unsaved: 1 changed, 1 that can’t be taken")).to_be_visible()
    # The answer to another field leaves the text alone.
    expect(control(page, "Grade")).to_have_value("12,50")
    expect(message(page, "grade")).to_be_visible()
    page.keyboard.press("Control+s")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("listitem")).to_contain_text("Grade: 12,50")
    shot(page, "data-refused")
    assert hindrances(page) == []
    assert grades(works) == [("First", 10), ("Second", 20)]
    page.keyboard.press("Enter")
    expect(control(page, "Grade")).to_be_focused()
    expect(control(page, "Grade")).to_have_value("12,50")
    typed(page, "Grade", "12")
    expect(message(page, "grade")).to_be_hidden()
    saved(page)
    assert grades(works) == [("Changed", 12), ("Second", 20)]


def test_what_cannot_be_taken_outlives_its_page_and_is_asked_for(studio, visit, works):
    page = visit(studio(works.model, works.path), "#/data/Work/1")
    asked = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    typed(page, "Grade", "12,50")
    place = page.get_by_role("group", name="Place")
    place.get_by_label("Lat", exact=True).fill("north")
    place.get_by_label("Lat", exact=True).press("Tab")
    expect(page.get_by_text("Unsaved: 2 that can’t be taken")).to_be_visible()
    page.get_by_role("link", name="Artist").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Artist")
    page.keyboard.press("Control+s")
    page.get_by_role("dialog").get_by_role("button", name="Fix").press("Enter")
    expect(control(page, "Grade")).to_be_focused()
    expect(control(page, "Grade")).to_have_value("12,50")
    expect(place.get_by_label("Lat", exact=True)).to_have_value("north")
    # Escape goes back to the value.
    page.keyboard.press("Escape")
    expect(control(page, "Grade")).to_have_value("10")
    expect(message(page, "grade")).to_be_hidden()
    expect(page.get_by_text("Unsaved: 1 that can’t be taken")).to_be_visible()
    page.reload()
    expect(place.get_by_label("Lat", exact=True)).to_have_value("")
    assert asked == ["beforeunload"]


def test_texts_are_dropped_on_request_only(studio, visit, works):
    page = visit(studio(works.model, works.path), "#/data/Work/1")
    typed(page, "Grade", "much")
    control(page, "Grade").focus()
    page.keyboard.press("Control+s")
    page.get_by_role("dialog").get_by_role("button", name="Drop the text").click()
    expect(control(page, "Grade")).to_have_value("10")
    expect(page.get_by_text("Everything is saved")).to_be_visible()
    assert grades(works) == [("First", 10), ("Second", 20)]


def test_a_cell_keeps_what_cannot_be_taken(studio, visit, shot, works):
    page = visit(studio(works.model, works.path), "#/data/Work")
    columns = page.locator("table.grid thead tr").first.locator("th[data-key]")
    expect(columns.first).to_be_visible()
    column = [one.get_attribute("data-key") for one in columns.all()].index("grade")
    cell = page.locator(f'td[data-row="0"][data-column="{column}"]')
    expect(cell).to_have_text("10")
    cell.focus()
    page.keyboard.type("12,50")
    page.keyboard.press("Enter")
    expect(cell).to_contain_text("12,50")
    expect(cell.locator(".message")).to_be_visible()
    shot(page, "data-refused-cell")
    assert hindrances(page) == []
    page.keyboard.press("Control+s")
    expect(page.get_by_role("dialog")).to_contain_text("12,50")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    # In one: rows may come anew, which leaves the focus where it is only once it is there.
    cell.press("F2")
    expect(cell.locator("input")).to_have_value("12,50")
    page.keyboard.press("Escape")
    expect(cell).to_have_text("10")
    expect(page.get_by_text("Everything is saved")).to_be_visible()
    cell.focus()
    page.keyboard.type("12,50")
    page.keyboard.press("Enter")
    expect(cell).to_contain_text("12,50")
    cell.focus()
    page.keyboard.type("13")
    page.keyboard.press("Enter")
    expect(cell).to_have_text("13")
    saved(page)
    assert grades(works) == [("First", 13), ("Second", 20)]
