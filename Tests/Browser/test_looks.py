"""Every page, light and dark, at three sizes: nothing that axe calls moderate or worse, one h1, nothing beside the page."""

import shutil

import pytest
from axe_playwright_python.sync_playwright import Axe
from conftest import expect

PAGES = ["#/data/Hero", "#/data/Hero/chart", "#/data/Hero/1", "#/data/Power", "#/data/-/sql", "#/data/Hero/import", "#/model", "#/model/entities/Hero",
    "#/model/diagram", "#/model/versions", "#/model/mappings", "#/model/preview", "#/model/issues"]


@pytest.fixture(autouse=True)
def state(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def moderate(page):
    found = Axe().run(page).response["violations"]
    return [f"{one['id']}: {one['help']}: {one['nodes'][0]['html']}" for one in found if one["impact"] in ("moderate", "serious", "critical")]


LOOKS = [(width, height, dark) for width, height in [(1280, 800), (800, 1100), (400, 800)] for dark in [False, True]]
# The widest and the narrowest, one in each colour scheme; the others are long.
SHORT = [(1280, 800, False), (400, 800, True)]


@pytest.mark.parametrize("width, height, dark",
    [pytest.param(*look, id=f"{look[0]}-{look[1]}-{'dark' if look[2] else 'light'}", marks=[] if look in SHORT else pytest.mark.long)
     for look in LOOKS])
def test_every_page_is_for_everybody(studio, visit, shot, superdb, width, height, dark):
    running = studio(superdb.model, superdb.path)
    page = visit(running, "#/data/Hero", width=width, height=height, dark=dark)
    found = {}
    for place in PAGES:
        page.goto(running.base + place)
        expect(page.locator("h1")).to_have_count(1)
        page.wait_for_timeout(300)
        problems = moderate(page)
        if page.evaluate("document.documentElement.scrollWidth") > width:
            problems.append("it is wider than the window")
        if problems:
            found[place] = problems
        shot(page, f"looks-{place[2:].replace('/', '-')}-{width}{'-dark' if dark else ''}")
    assert found == {}


def test_the_first_row_is_near_the_top_of_a_phone(studio, visit, superdb):
    page = visit(studio(superdb.model, superdb.path), "#/data/Hero", width=400, height=800)
    row = page.locator("table.grid tbody tr").first
    expect(row).to_be_visible()
    assert row.bounding_box()["y"] <= 160
    page.get_by_role("button", name="Filter", exact=True).click()
    expect(page.get_by_role("searchbox", name="Filter Name")).to_be_visible()
    expect(page.get_by_role("combobox", name="Predicate", exact=True)).to_be_visible()


def test_the_diagram_stands_in_the_middle(studio, visit, superdb):
    page = visit(studio(superdb.model, superdb.path), "#/model/diagram")
    boxes = page.locator("svg .entity")
    expect(boxes).to_have_count(2)
    left, right, middle = page.evaluate("""() => {
        const all = [...document.querySelectorAll("svg .entity")].map((one) => one.getBoundingClientRect());
        const frame = document.querySelector("svg .entity").closest("svg").getBoundingClientRect();
        return [Math.min(...all.map((one) => one.left)), Math.max(...all.map((one) => one.right)), (frame.left + frame.right) / 2];
    }""")
    assert abs((left + right) / 2 - middle) < 40
