"""Every page, light and dark, at three sizes: nothing that axe calls moderate or worse, one h1, nothing beside the page."""

import re
import shutil

import pytest
from conftest import expect, hindrances, shared
from test_data_records import books  # noqa: F401 (a fixture)
from test_shared import Shared


@pytest.fixture(autouse=True)
def state(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


# What is there once a page has drawn what it shows.
DRAWN = {"#/data/Hero": "table.grid tbody tr", "#/data/Hero/chart": ".chart-table tbody tr", "#/data/Hero/1": ".object-fields .field",
    "#/data/Power": ".grid-note .empty", "#/data/-/sql": "textarea", "#/data/Hero/import": "#import-file",
    "#/model": "table[aria-label=Entities]", "#/model/entities/Hero": "table[aria-label=Attributes]",
    "#/model/diagram": "svg .entity", "#/model/versions": "table[aria-label=Versions]", "#/model/mappings": ".model-page .empty, .empty",
    "#/model/preview": "pre.model-code", "#/model/preview/objc": "pre.model-code", "#/model/preview/sql": "pre.model-code",
    "#/model/preview/hashes": "table[aria-label='Version hashes']", "#/model/issues": ".model-issues, .empty"}
PAGES = list(DRAWN)


def drawn(page, place):
    """Waits until the page of an address is there whole."""
    expect(page.locator(DRAWN[place]).first).to_be_visible()
    expect(page.locator("h1")).to_have_count(1)
    expect(page.locator("[aria-busy=true]")).to_have_count(0)


LOOKS = [(width, height, dark) for width, height in [(1280, 800), (800, 1100), (400, 800)] for dark in [False, True]]
# The widest and the narrowest, one in each colour scheme; the others are long.
SHORT = [(1280, 800, False), (400, 800, True)]


def in_looks(short):
    """All looks in the long run, and else a few."""
    return pytest.mark.parametrize("width, height, dark",
        [pytest.param(*look, id=f"{look[0]}-{look[1]}-{'dark' if look[2] else 'light'}", marks=[] if look in short else pytest.mark.long)
         for look in LOOKS])


EVERY_LOOK = in_looks(SHORT)

MEASURES = """() => {
  const shown = (one) => one.checkVisibility() && one.getClientRects().length > 0;
  const all = (selector) => [...document.querySelectorAll(selector)].filter(shown);
  const box = (one) => one.getBoundingClientRect();
  const name = (one) => one.outerHTML.slice(0, 120);
  const found = [];
  // Headings: one of the first level, none that skips a level.
  const levels = all("h1, h2, h3, h4").map((one) => Number(one.tagName[1]));
  if (levels.filter((level) => level === 1).length !== 1) found.push(`first headings: ${levels}`);
  levels.reduce((before, level) => {
    if (level > before + 1) found.push(`a heading skips a level: ${levels}`);
    return level;
  }, 1);
  // Controls that a finger finds.
  for (const one of all("button, select, input:not([type=checkbox], [type=range], [type=color])")) {
    if (box(one).height < 23.5) found.push(`${box(one).height} px high: ${name(one)}`);
  }
  // A placeholder is no text that somebody wrote.
  for (const one of all("[placeholder]")) {
    const style = getComputedStyle(one, "::placeholder");
    if (style.fontStyle !== "italic" || style.color === getComputedStyle(one).color) found.push(`placeholder: ${name(one)}`);
  }
  for (const one of all("input[type=file]")) {
    const style = getComputedStyle(one), back = getComputedStyle(one, "::file-selector-button");
    if (style.borderStyle !== "dashed" || style.backgroundColor !== "rgba(0, 0, 0, 0)" || back.borderRadius === "0px") found.push(`file input: ${name(one)}`);
  }
  // Tables of one page begin their columns at the same places.
  const edges = all("table.aligned").map((table) => [...table.tHead.rows[0].cells].map((cell) => Math.round(box(cell).left)));
  const longest = [...edges].sort((left, right) => right.length - left.length)[0] ?? [];
  for (const places of edges) if (!places.every((place) => longest.some((other) => Math.abs(other - place) <= 1))) found.push(`columns: ${JSON.stringify(edges)}`);
  // What is empty needs no scrollbar.
  for (const one of all(".grid-area, .table-area, .model-scroll")) {
    const rows = one.querySelectorAll("tbody tr").length;
    if (!rows && (one.scrollHeight > one.clientHeight + 1 || one.offsetHeight - one.clientHeight > 3)) found.push(`scrolls: ${name(one)}`);
  }
  // Forms: below each field the next one, or the end.
  for (const form of all(".object-fields")) {
    const fields = [...form.children].map(box);
    for (const one of fields) {
      const below = fields.filter((other) => other.top >= one.bottom && other.left < one.right - 1 && one.left < other.right - 1);
      const gap = Math.min(...below.map((other) => other.top)) - one.bottom;
      if (below.length && gap > 40) found.push(`a gap of ${gap} px in a form`);
    }
  }
  // Nothing sticks out of its panel.
  for (const panel of all(".panel, .inspector")) {
    const right = box(panel).right;
    for (const one of panel.querySelectorAll("button, input, select, textarea")) if (shown(one) && box(one).right > right) found.push(`sticks out: ${name(one)}`);
  }
  return found;
}"""


def problems(page, width):
    """What axe and the measures find on a page."""
    expect(page.locator("h1")).to_have_count(1)
    found = hindrances(page, in_both=False) + page.evaluate(MEASURES)
    if page.evaluate("document.documentElement.scrollWidth") > width:
        found.append("it is wider than the window")
    return found


@EVERY_LOOK
def test_every_page_is_for_everybody(studio, visit, shot, superdb, width, height, dark):
    running = studio(superdb.model, superdb.path)
    page = visit(running, "#/data/Hero", width=width, height=height, dark=dark)
    found = {}
    for place in PAGES:
        page.goto(running.base + place)
        drawn(page, place)
        if its := problems(page, width):
            found[place] = its
        shot(page, f"looks-{place[2:].replace('/', '-')}-{width}{'-dark' if dark else ''}")
    assert found == {}


@in_looks(SHORT[:1])
def test_pages_before_and_beside_are_for_everybody(studio, visit, shot, browser, superdb, books, tmp_path, width, height, dark):
    """The start page of a model, elements that few models have, histories, a mapping model, the entrance of several users."""
    found = {}

    def check(page, name):
        if its := problems(page, width):
            found[name] = its
        shot(page, f"looks-{name}-{width}{'-dark' if dark else ''}")

    page = visit(studio(tmp_path / "New.xcdatamodeld"), width=width, height=height, dark=dark)
    expect(page.get_by_role("button", name="Empty model")).to_be_visible()
    check(page, "start")
    page.get_by_role("button", name="Shop sample").click()
    expect(page.get_by_role("table", name="Entities")).to_be_visible()
    base = page.url.split("#")[0]
    for place in ["composites/Address", "configurations", "requests", "entities/Order/items"]:
        page.goto(base + "#/model/" + place)
        expect(page.locator(".content").first).to_be_visible()
        check(page, "model-" + place.replace("/", "-"))
    page = visit(studio(superdb.model, superdb.path), "#/model/entities/Hero/olderHeroes", width=width, height=height, dark=dark)
    expect(page.locator(".model-wide textarea")).to_be_visible()
    check(page, "model-fetched-property")
    running = studio(books.path)
    page = visit(running, "#/data/-/history", width=width, height=height, dark=dark)
    expect(page.locator(".timeline > li").first).to_be_visible()
    check(page, "history")
    page.goto(running.base + "#/data/Feedback/2")
    page.get_by_role("link", name="History").last.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("History")
    expect(page.locator(".timeline > li").first).to_be_visible()
    check(page, "history-of-an-object")
    model = shutil.copytree(shared("models/CareKit/CareKitStore.xcdatamodeld"), tmp_path / "CareKitStore.xcdatamodeld")
    shutil.copytree(shared("mappingmodels/CareKit/2.0_2.1_Mapping.xcmappingmodel"), tmp_path / "Mapping.xcmappingmodel")
    page = visit(studio(model), "#/model/mappings", width=width, height=height, dark=dark)
    page.get_by_role("link", name="Mapping.xcmappingmodel").click()
    expect(page.get_by_role("table", name="Property mappings")).to_be_visible()
    check(page, "mapping")
    running = Shared("--user", "ann=edit", superdb.model, superdb.path)
    try:
        page = browser.new_page(viewport={"width": width, "height": height}, color_scheme="dark" if dark else "light")
        page.goto(running.links["ann"])
        expect(page.get_by_role("button", name="Come in")).to_be_visible()
        check(page, "entrance")
        page.goto(running.base)
        check(page, "closed")
        page.close()
    finally:
        running.stop()
    assert found == {}


def test_an_empty_table_says_so_below_its_head(studio, visit, superdb):
    page = visit(studio(superdb.model, superdb.path), "#/data/Power")
    words = page.get_by_text("There are no objects of Power yet.")
    expect(words).to_be_visible()
    head = page.locator("table.grid thead").bounding_box()
    assert words.bounding_box()["y"] < head["y"] + head["height"] + 120


def test_the_model_s_list_is_folded_on_a_phone(studio, visit, superdb):
    page = visit(studio(superdb.model, superdb.path), "#/model/entities/Hero", width=400, height=800)
    fold = page.get_by_role("button", name="Hero", exact=True).and_(page.locator("[aria-expanded]"))
    expect(fold).to_have_attribute("aria-expanded", "false")
    assert page.locator(".tabs").bounding_box()["y"] < 160
    fold.click()
    page.get_by_role("navigation", name="Elements of the model").get_by_role("link", name="Power").click()
    expect(page.get_by_role("heading", level=2, name="Power").first).to_be_visible()
    expect(page.locator(".model-fold")).to_have_attribute("aria-expanded", "false")


def test_the_first_row_is_near_the_top_of_a_phone(studio, visit, superdb):
    page = visit(studio(superdb.model, superdb.path), "#/data/Hero", width=400, height=800)
    row = page.locator("table.grid tbody tr").first
    expect(row).to_be_visible()
    assert row.bounding_box()["y"] <= 160
    page.get_by_role("button", name="Filter", exact=True).click()
    expect(page.get_by_role("searchbox", name="Filter Name")).to_be_visible()
    expect(page.get_by_role("combobox", name="Predicate", exact=True)).to_be_visible()


def test_a_model_s_first_row_is_near_the_top_of_a_phone(studio, visit, shot, superdb):
    running = studio(superdb.model, superdb.path)
    page = visit(running, "#/model", width=400, height=800)
    tops = {}
    for place in ["#/model", "#/model/entities/Hero", "#/model/versions", "#/model/preview/hashes"]:
        page.goto(running.base + place)
        drawn(page, place)
        tops[place] = page.locator(".content tbody tr").first.bounding_box()["y"]
    assert {place: top for place, top in tops.items() if top > 160} == {}
    # All that shares the lines can be reached: nothing lies over something else.
    page.goto(running.base + "#/model/entities/Hero")
    page.get_by_role("button", name="Add…").click()
    page.get_by_role("menuitem", name="Index", exact=True).click()
    expect(page.get_by_role("button", name="Save")).to_be_enabled()
    expect(page.get_by_role("heading", level=2, name="Hero").first).to_be_visible()
    page.get_by_role("button", name="Add attribute").click()
    page.get_by_role("button", name=re.compile("^Undo")).click()
    page.get_by_role("button", name=re.compile("^Undo")).click()
    expect(page.get_by_role("button", name="Save")).to_be_disabled()
    page.get_by_role("button", name="Hero", exact=True).and_(page.locator("[aria-expanded]")).click()
    shot(page, "model-phone")
    page.get_by_role("navigation", name="Elements of the model").get_by_role("link", name="Power").click()
    expect(page.get_by_role("table", name="Attributes")).to_be_visible()


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
