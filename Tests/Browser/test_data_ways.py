"""Ways to the rows that people look for: search, values with counts, views with a name, charts, SQL, rows of a relationship."""

import json

from conftest import expect, hindrances, saved
from test_data_refused import works  # noqa: F401 (a fixture)


def rows(page):
    return page.locator("table.grid tbody tr")


def test_one_box_searches_all_texts(studio, visit, superdb, shot):
    page = visit(studio(superdb.model, superdb.path), "#/data/Hero")
    expect(rows(page)).to_have_count(3)
    # The shortcut leads there.
    page.locator("h1").click()
    page.keyboard.press("/")
    box = page.get_by_role("searchbox", name="Search Hero")
    expect(box).to_be_focused()
    box.fill("man prince")
    expect(rows(page)).to_have_count(1)
    expect(page.get_by_role("link", name="Wonder Woman")).to_be_visible()
    shot(page, "data-search")
    box.fill("")
    expect(rows(page)).to_have_count(3)
    page.get_by_role("button", name="Where to search").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("checkbox", name="Name", exact=True).uncheck()
    dialog.get_by_role("button", name="Search these").click()
    box.fill("man")
    expect(page.get_by_text("No object matches.")).to_be_visible()
    page.get_by_role("button", name="Show all").click()
    expect(rows(page)).to_have_count(3)
    expect(box).to_have_value("")


def test_values_with_counts_filter_rows(studio, visit, superdb, shot):
    page = visit(studio(superdb.model, superdb.path), "#/data/Hero")
    expect(rows(page)).to_have_count(3)
    page.get_by_role("button", name="Values", exact=True).click()
    panel = page.get_by_role("complementary", name="Values")
    sex = panel.get_by_role("group", name="Sex", exact=True)
    if not sex.is_visible():
        panel.get_by_text("Sex", exact=True).click()
    expect(sex.get_by_role("button", name="Male 2", exact=True)).to_be_visible()
    sex.get_by_role("button", name="Male 2", exact=True).click()
    expect(rows(page)).to_have_count(2)
    panel.get_by_text("Birth date", exact=True).click()
    dates = panel.get_by_role("group", name="Birth date", exact=True)
    dates.get_by_role("button", name="1963 1").click()
    expect(rows(page)).to_have_count(1)
    dates.get_by_role("button", name="February 1").click()
    dates.get_by_role("button", name="19 1").click()
    expect(page.get_by_role("searchbox", name="Filter Birth date")).to_have_value("1963-02-19")
    expect(page.get_by_role("button", name="Values (2)")).to_be_visible()
    shot(page, "data-values")
    assert hindrances(page) == []
    dates.get_by_role("button", name="All dates").click()
    expect(rows(page)).to_have_count(2)


def save_view(page, name):
    page.get_by_role("button", name="Views").click()
    page.get_by_role("menuitem", name="Save this view…").click()
    page.get_by_role("dialog").get_by_label("Name").fill(name)
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_a_view_is_saved_beside_the_model_and_shown_again(studio, visit, superdb, shot):
    running = studio(superdb.model, superdb.path)
    page = visit(running, "#/data/Hero")
    page.get_by_role("searchbox", name="Filter Name").fill("man")
    expect(rows(page)).to_have_count(3)
    page.get_by_role("button", name="Columns").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("checkbox", name="Sex", exact=True).uncheck()
    dialog.get_by_role("button", name="Show", exact=True).click()
    expect(page.get_by_role("searchbox", name="Filter Sex")).to_have_count(0)
    page.get_by_role("button", name="Name", exact=True).click()
    page.get_by_role("button", name="Name", exact=True).click()
    expect(rows(page).first).to_contain_text("Wonder Woman")
    save_view(page, "Super ones")
    file = superdb.model.with_suffix(".studio-views.json")
    expect(page.locator(".toast")).to_contain_text(str(file))
    kept = json.loads(file.read_text())["views"][0]["query"]
    assert kept["filters"] == {"name": "man"} and kept["sort"] == "-name" and "sex" not in kept["columns"]
    # Another browser, another day.
    page = visit(studio(superdb.model, superdb.path, "--read-only"), "#/data/Hero")
    expect(rows(page)).to_have_count(3)
    page.get_by_role("button", name="Views").click()
    shot(page, "data-views")
    expect(page.get_by_role("menuitem", name="Save this view…")).to_have_count(0)
    page.get_by_role("menuitem", name="Super ones").click()
    expect(page.get_by_role("searchbox", name="Filter Sex")).to_have_count(0)
    expect(rows(page).first).to_contain_text("Wonder Woman")
    expect(page.get_by_role("searchbox", name="Filter Name")).to_have_value("man")
    # Without the model's file the store has them beside it.
    page = visit(studio(superdb.path), "#/data/Hero")
    expect(rows(page)).to_have_count(3)
    save_view(page, "Everybody")
    expect(page.locator(".toast")).to_contain_text(f"{superdb.path}.studio-views.json")


def test_a_query_in_sql_is_only_read(studio, visit, superdb, shot):
    page = visit(studio(superdb.model, superdb.path), "#/data/-/sql")
    box = page.get_by_label("Query in SQL")
    box.fill("SELECT ZNAME, ZSEX FROM ZHERO ORDER BY ZNAME")
    page.keyboard.press("Control+Enter")
    table = page.get_by_role("table", name="Rows of the query")
    expect(table.locator("tbody tr")).to_have_count(3)
    expect(table.locator("tbody tr").first).to_contain_text("Batman")
    page.get_by_text("Query plan", exact=True).first.click()
    expect(page.locator(".plan-lines")).to_contain_text("SCAN ZHERO")
    shot(page, "data-sql-pane")
    assert hindrances(page) == []
    before = superdb.sql("SELECT COUNT(*) FROM ZHERO")
    box.fill("DELETE FROM ZHERO")
    page.get_by_role("button", name="Run").click()
    expect(page.get_by_role("alert")).to_be_visible()
    assert superdb.sql("SELECT COUNT(*) FROM ZHERO") == before


def test_rows_are_charted_with_a_table_beside(studio, visit, superdb, shot):
    page = visit(studio(superdb.model, superdb.path), "#/data/Hero")
    expect(rows(page)).to_have_count(3)
    page.get_by_role("link", name="Chart").click()
    figures = page.get_by_role("table", name="Number of rows by Birth date")
    page.get_by_label("Each").select_option("year")
    expect(figures.get_by_role("row", name="1963 1", exact=True)).to_be_visible()
    expect(figures.get_by_role("row", name="1950 0", exact=True)).to_be_visible()
    expect(page.locator(".chart-svg path.line")).to_have_count(1)
    shot(page, "data-chart-line")
    page.get_by_label("By", exact=True).select_option("sex")
    page.get_by_label("As", exact=True).select_option("bars")
    figures = page.get_by_role("table", name="Number of rows by Sex")
    expect(figures.get_by_role("row", name="Female")).to_contain_text("1")
    expect(page.locator(".chart-svg rect.bar")).to_have_count(2)
    shot(page, "data-chart-bars")
    assert hindrances(page) == []
    figures.get_by_role("button", name="Female").click()
    expect(rows(page)).to_have_count(1)
    expect(page.get_by_role("link", name="Wonder Woman")).to_be_visible()


def test_related_rows_are_edited_inline(studio, visit, works, shot):
    works.write("""INSERT INTO ZARTIST (Z_PK, Z_ENT, Z_OPT, ZNAME)
        SELECT 1, Z_ENT, 1, 'Ann' FROM Z_PRIMARYKEY WHERE Z_NAME = 'Artist'""")
    works.write("UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Artist'")
    works.write("UPDATE ZWORK SET ZMAKER = 1")
    page = visit(studio(works.model, works.path), "#/data/Artist/1")
    page.get_by_role("button", name="Works as a table").click()
    table = page.get_by_role("table", name="Works")
    expect(table.locator("tbody tr")).to_have_count(2)
    cell = table.locator('td[data-row="1"][data-column="0"]')
    cell.focus()
    page.keyboard.press("F2")
    page.keyboard.press("Control+a")
    page.keyboard.type("Renamed")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Unsaved: 1 changed")).to_be_visible()
    expect(table).to_contain_text("Renamed")
    shot(page, "data-related-table")
    assert hindrances(page) == []
    saved(page)
    assert works.sql("SELECT COUNT(*) FROM ZWORK WHERE ZTITLE = 'Renamed'") == [(1,)]


def test_members_are_counted_at_once(studio, visit, works):
    works.write("""INSERT INTO ZARTIST (Z_PK, Z_ENT, Z_OPT, ZNAME)
        SELECT 1, Z_ENT, 1, 'Ann' FROM Z_PRIMARYKEY WHERE Z_NAME = 'Artist'""")
    works.write("""INSERT INTO ZWORK (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZMAKER)
        WITH RECURSIVE n(i) AS (SELECT 3 UNION ALL SELECT i + 1 FROM n WHERE i < 62)
        SELECT i, Z_ENT, 1, 'Work ' || i, 1 FROM n, Z_PRIMARYKEY WHERE Z_NAME = 'Work'""")
    page = visit(studio(works.model, works.path), "#/data/Artist/1")
    members = page.get_by_role("region", name="Works", exact=True)
    expect(members.locator(".badge").first).to_have_text("60")
    members.get_by_role("button", name="Show Works").click()
    expect(members.get_by_role("listitem")).to_have_count(51)
    expect(members.get_by_role("button", name="Show more (10)")).to_be_visible()
    # A word of the framework's, which means nothing to who looks at data.
    assert "fault" not in page.locator("body").inner_text().lower().replace("default", "")
