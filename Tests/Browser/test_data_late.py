"""The data's predicates, imports and history where the server is slow, or the person quick."""

from conftest import expect, saved, slow_down
from test_data_records import books, with_history  # noqa: F401


def test_a_file_is_imported_once(studio, slow, superdb, tmp_path):
    (tmp_path / "one.csv").write_text("name,birthDate\nFlash,1940-01-01T00:00:00Z\n")
    (tmp_path / "two.csv").write_text("name,sex,birthDate\nAtom,Male,1940-10-01T00:00:00Z\nVixen,Female,1981-06-01T00:00:00Z\n")
    page = slow(studio(superdb.model, superdb.path), "#/data/Hero/import", "import/Hero/preview", 1000)
    file = page.get_by_label("A CSV file")
    file.set_input_files(tmp_path / "one.csv")
    page.wait_for_timeout(300)
    slow_down(page, "import/Hero[?]", 600)
    file.set_input_files(tmp_path / "two.csv")
    start = page.get_by_role("button", name="Import 2 records")
    expect(start).to_be_visible()
    # The first file's answer comes last.
    page.wait_for_timeout(1200)
    expect(page.get_by_role("columnheader", name="sex").first).to_be_visible()
    start.dblclick()
    expect(page.get_by_text("Unsaved: 2 new")).to_be_visible()
    page.wait_for_timeout(900)
    saved(page)
    assert superdb.sql("SELECT ZNAME FROM ZHERO WHERE Z_PK > 3 ORDER BY ZNAME") == [("Atom",), ("Vixen",)]


def test_what_was_left_out_is_told_and_the_rest_not_made_again(studio, visit, superdb, tmp_path):
    (tmp_path / "heroes.csv").write_text("name,birthDate\nFlash,1940-01-01T00:00:00Z\nAtom,never\n")
    page = visit(studio(superdb.model, superdb.path), "#/data/Hero/import")
    page.get_by_label("A CSV file").set_input_files(tmp_path / "heroes.csv")
    page.get_by_label("Leave out records that are wrong").check()
    page.get_by_role("button", name="Import 2 records").click()
    expect(page.get_by_text("1 object imported; 1 record left out:")).to_be_visible()
    expect(page.get_by_role("button", name="Import 2 records")).to_be_disabled()
    page.get_by_role("link", name="See the objects").click()
    expect(page.get_by_text("Unsaved: 1 new")).to_be_visible()
    expect(page.get_by_role("cell", name="Flash")).to_be_visible()


def test_typing_goes_before_rows_that_are_on_their_way(studio, slow, superdb):
    page = slow(studio(superdb.model, superdb.path), "#/data/Hero", "predicate/print", 800)
    text = page.get_by_role("combobox", name="Predicate", exact=True)
    text.fill("name == 'Batman'")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Builder").click()
    builder = page.get_by_role("group", name="Predicate builder")
    value = builder.get_by_label("Value", exact=True)
    expect(value).to_have_value("Batman")
    value.fill("Superman")
    value.press("Tab")
    page.wait_for_timeout(400)
    text.fill("sex == 'Female'")
    page.wait_for_timeout(1200)
    expect(text).to_have_value("sex == 'Female'")
    expect(value).to_have_value("Female")
    text.press("Enter")
    expect(page.locator("table.grid tbody tr")).to_have_count(1)


def test_the_history_is_of_the_author_chosen_last(studio, slow, books):
    with_history(books, 200)
    page = slow(studio(books.path), "#/data/-/history", "")
    entries = page.locator(".timeline > li")
    expect(entries).to_have_count(50)
    slow_down(page, "author=widget", 1000)
    page.get_by_label("Author").select_option("widget")
    page.wait_for_timeout(200)
    page.get_by_label("Author").select_option("app")
    expect(entries.nth(1)).to_contain_text("app")
    page.wait_for_timeout(1500)
    expect(entries).to_have_count(50)
    expect(entries.filter(has_text="widget")).to_have_count(0)


def test_a_click_counts_that_lasts_while_the_rows_come_anew(studio, visit, superdb):
    page = visit(studio(superdb.model, superdb.path), "#/data/Hero")
    page.locator('td[data-row="0"][data-column="3"]').focus()
    page.keyboard.type("Nobody")
    box = page.get_by_role("link", name="Wonder Woman").first.bounding_box()
    page.mouse.move(box["x"] + 10, box["y"] + 8)
    page.mouse.down()
    page.wait_for_timeout(700)
    page.mouse.up()
    expect(page.get_by_role("heading", level=1)).to_have_text("Wonder Woman")
    expect(page.get_by_text("Unsaved: 1 changed")).to_be_visible()
