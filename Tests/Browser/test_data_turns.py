"""Changes are made in the order in which a quick hand asks for them, however slow the server is."""

import pytest
from conftest import run, saved
from playwright.sync_api import expect
from test_data_editor import gallery  # noqa: F401 (a fixture)

# The first change waits longest, so that answers would come in the wrong order.
SLOW = """(() => {
  const ask = window.fetch;
  let delay = 600;
  window.fetch = async (...request) => {
    if (request[1]?.method === "POST" && !/rows|count|predicate/.test(request[0])) {
      delay = Math.max(0, delay - 200);
      await new Promise((resolve) => setTimeout(resolve, delay + 200));
    }
    return ask(...request);
  };
})()"""


def cell(page, row, column):
    return page.locator(f'td[data-row="{row}"][data-column="{column}"]')


def state(page):
    return page.locator(".unsaved")


@pytest.fixture
def heroes(studio, visit, superdb):
    page = visit(studio(superdb.model, superdb.path), "#/data/Hero")
    expect(page.locator("table.grid tbody tr")).to_have_count(3)
    page.evaluate(SLOW)
    return page


# What the state says is for a moment only, so that the page itself keeps it.
NOTED = """() => {
  window.noted = [];
  new MutationObserver(() => {
    const text = document.querySelector(".unsaved")?.textContent;
    if (text && text !== window.noted.at(-1)) window.noted.push(text);
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
}"""


def test_what_is_under_way_is_not_called_saved(heroes, superdb):
    heroes.evaluate(NOTED)
    cell(heroes, 0, 3).focus()
    heroes.keyboard.type("Nobody")
    expect(state(heroes)).to_have_text("Unsaved: what is typed")
    heroes.keyboard.press("Enter")
    expect(state(heroes)).to_have_text("Unsaved: 1 changed")
    assert heroes.evaluate("noted.slice(-3)") == ["Unsaved: what is typed", "Sending…", "Unsaved: 1 changed"]
    heroes.get_by_role("button", name="Undo").click()
    expect(state(heroes)).to_have_text("Everything is saved")
    heroes.get_by_role("button", name="Redo").click()
    expect(state(heroes)).to_have_text("Unsaved: 1 changed")
    assert heroes.evaluate("noted.slice(-3)") == ["Everything is saved", "Sending…", "Unsaved: 1 changed"]
    saved(heroes)
    assert superdb.sql("SELECT COUNT(*) FROM ZHERO WHERE ZSECRETIDENTITY = 'Nobody'") == [(1,)]


def test_cells_that_are_typed_one_after_the_other_are_sent_in_that_order(heroes, superdb):
    cell(heroes, 0, 3).focus()
    for text in ["first", "second", "third"]:
        heroes.keyboard.type(text)
        heroes.keyboard.press("Enter")
        heroes.keyboard.press("ArrowUp")
    saved(heroes)
    assert superdb.sql("SELECT COUNT(*) FROM ZHERO WHERE ZSECRETIDENTITY = 'third'") == [(1,)]


def test_saving_takes_what_is_typed_in_a_cell_along(heroes, superdb):
    cell(heroes, 0, 3).focus()
    heroes.keyboard.type("Typed")
    saved(heroes)
    assert superdb.sql("SELECT COUNT(*) FROM ZHERO WHERE ZSECRETIDENTITY = 'Typed'") == [(1,)]
    expect(cell(heroes, 0, 3)).to_be_focused()
    expect(cell(heroes, 0, 3)).to_have_text("Typed")


@pytest.mark.parametrize("way", ["keys", "button"])
def test_saving_takes_what_is_typed_in_a_field_along(heroes, superdb, way):
    heroes.get_by_role("link", name="Batman").first.click()
    field = heroes.get_by_label("Secret identity", exact=True)
    field.fill("Typed")
    expect(state(heroes)).to_have_text("Unsaved: what is typed")
    if way == "keys":
        saved(heroes)
    else:
        heroes.get_by_role("button", name="Save", exact=True).click()
        expect(state(heroes)).to_have_text("Everything is saved")
    assert superdb.sql("SELECT ZSECRETIDENTITY FROM ZHERO WHERE ZNAME = 'Batman'") == [("Typed",)]


def test_undo_in_a_text_that_is_not_sent_is_the_text_s_own(heroes, superdb):
    heroes.get_by_role("link", name="Batman").first.click()
    field = heroes.get_by_label("Secret identity", exact=True)
    field.press("End")
    field.press_sequentially(" Junior")
    field.press("Enter")
    expect(state(heroes)).to_have_text("Unsaved: 1 changed")
    field.press_sequentially("!")
    field.press("Control+z")
    expect(field).to_have_value("Bruce Wayne Junior")
    expect(state(heroes)).to_have_text("Unsaved: 1 changed")
    # Nothing is left to undo in the text: the next is the change.
    field.press("Control+z")
    expect(field).to_have_value("Bruce Wayne")
    expect(state(heroes)).to_have_text("Everything is saved")
    assert superdb.sql("SELECT ZSECRETIDENTITY FROM ZHERO WHERE ZNAME = 'Batman'") == [("Bruce Wayne",)]


def test_undo_in_a_predicate_leaves_the_objects_alone(heroes):
    cell(heroes, 0, 3).focus()
    heroes.keyboard.type("Nobody")
    heroes.keyboard.press("Enter")
    expect(state(heroes)).to_have_text("Unsaved: 1 changed")
    search = heroes.get_by_role("searchbox", name="Filter Name")
    search.press_sequentially("B")
    search.press("Control+z")
    expect(search).to_have_value("")
    expect(state(heroes)).to_have_text("Unsaved: 1 changed")


def test_the_browser_asks_before_what_is_typed_is_lost(heroes):
    asked = []
    heroes.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    heroes.get_by_role("link", name="Batman").first.click()
    field = heroes.get_by_label("Secret identity", exact=True)
    field.fill("sent")
    field.press("Tab")
    expect(state(heroes)).to_have_text("Unsaved: 1 changed")
    heroes.reload()
    expect(field).to_have_value("sent")
    assert asked == []
    field.fill("typed")
    heroes.reload()
    expect(field).to_have_value("sent")
    assert asked == ["beforeunload"]


def test_an_area_that_was_left_before_it_came_asks_for_nothing_more(studio, slow, superdb):
    page = slow(studio(superdb.model, superdb.path), "#/model/entities/Hero", "data/entities$", 800)
    asked, ended = [], []
    page.on("request", lambda request: asked.append(request) if "data/changes" in request.url else None)
    page.on("requestfailed", lambda request: ended.append(request) if "data/changes" in request.url else None)
    page.evaluate("location.hash = '#/data/Hero'")
    page.wait_for_timeout(200)
    page.evaluate("location.hash = '#/model/entities/Power'")
    expect(page.get_by_role("heading", name="Power", exact=True)).to_be_visible()
    page.wait_for_timeout(1500)
    # It waits for no news of the objects.
    assert asked == ended


@pytest.mark.long
def test_a_cell_keeps_its_object_when_saving_puts_the_rows_in_another_order(studio, visit, superdb):
    page = visit(studio(superdb.model, superdb.path), "#/data/Hero")
    page.get_by_role("button", name="Secret identity", exact=True).click()
    expect(cell(page, 0, 0)).to_contain_text("Batman")
    cell(page, 0, 3).focus()
    page.keyboard.type("Zorro")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Unsaved: 1 changed")).to_be_visible()
    expect(page.locator('tr:has-text("Superman") td:focus')).to_have_count(1)
    saved(page)
    expect(cell(page, 2, 0)).to_contain_text("Batman")
    page.keyboard.type("Kal-El")
    page.keyboard.press("Enter")
    saved(page)
    assert superdb.sql("SELECT ZSECRETIDENTITY FROM ZHERO WHERE ZNAME = 'Superman'") == [("Kal-El",)]
    assert superdb.sql("SELECT ZSECRETIDENTITY FROM ZHERO WHERE ZNAME = 'Wonder Woman'") == [("Diana Prince",)]


@pytest.mark.long
def test_members_are_moved_as_often_as_an_arrow_is_pressed(studio, visit, gallery):
    for name in ["One", "Two", "Three", "Four"]:
        run("insert", gallery.path, "Part", f"name={name}", "work=Work/1")
    page = visit(studio(gallery.model, gallery.path), "#/data/Work/1")
    parts = page.get_by_role("region", name="Parts")
    expect(parts.locator("li")).to_have_count(4)
    page.evaluate(SLOW)
    grip = parts.get_by_role("button", name="Move One with the arrow keys")
    grip.focus()
    for _ in range(3):
        page.keyboard.press("ArrowDown")
    expect(parts.locator("li").nth(3)).to_contain_text("One")
    saved(page)
    expect(grip).to_be_focused()
    assert [name for (name,) in gallery.sql("SELECT ZNAME FROM ZPART ORDER BY Z_FOK_WORK")] == ["Two", "Three", "Four", "One"]
    # Once it is at the end, the key does nothing.
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    saved(page)
    assert [name for (name,) in gallery.sql("SELECT ZNAME FROM ZPART ORDER BY Z_FOK_WORK")] == ["Two", "Three", "One", "Four"]


@pytest.mark.long
def test_rows_in_another_order_wait_for_who_is_typing(studio, slow, superdb):
    page = slow(studio(superdb.model, superdb.path), "#/data/Hero", "data/rows", 1000)
    expect(page.locator("table.grid tbody tr")).to_have_count(3)
    cell(page, 0, 3).focus()
    page.get_by_role("button", name="Name", exact=True).dispatch_event("click")
    page.keyboard.type("Bruce")
    expect(page.locator(".grid-area[aria-busy]")).to_have_count(0)
    page.keyboard.type(" W.")
    page.keyboard.press("Enter")
    saved(page)
    assert [name for (name,) in superdb.sql("SELECT ZSECRETIDENTITY FROM ZHERO ORDER BY Z_PK")] == ["Bruce W.", "Diana Prince", "Clark Kent"]
    # Then they come in the order that was asked for.
    expect(cell(page, 1, 0)).to_contain_text("Superman")


@pytest.mark.long
def test_shortcuts_work_in_layouts_of_other_scripts(heroes, superdb):
    cell(heroes, 0, 3).focus()
    heroes.keyboard.type("Typed")
    heroes.locator(".cell-editor").dispatch_event("keydown", {"key": "ы", "code": "KeyS", "ctrlKey": True, "bubbles": True, "cancelable": True})
    expect(state(heroes)).to_have_text("Everything is saved")
    assert superdb.sql("SELECT COUNT(*) FROM ZHERO WHERE ZSECRETIDENTITY = 'Typed'") == [(1,)]
    cell(heroes, 0, 3).dispatch_event("keydown", {"key": "я", "code": "KeyZ", "ctrlKey": True, "bubbles": True, "cancelable": True})
    expect(state(heroes)).to_have_text("Unsaved: 1 changed")
