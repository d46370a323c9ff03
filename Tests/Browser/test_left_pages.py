"""What a page asked for does nothing once the page is left: neither to the address nor to the page that came after it."""

import pytest
from conftest import expect, slow_down

# Holds one answer back until the event of a new address, so that it comes between the two: the listener is older than the
# page's own, and what the answer sets off runs before that one is called.
HELD = """
const real = window.fetch;
let came;
const coming = new Promise((done) => { came = done; });
window.fetch = async (address, options) => {
  const answer = await real(address, options);
  if (!window.held) return answer;
  if (options?.method) {
    // The new object comes once the answer is there that is held back.
    if (/data.objects$/.test(address)) await coming;
    return answer;
  }
  if (!new RegExp(window.held).test(address) || window.release) return answer;
  const text = await answer.text();
  came();
  await new Promise((done) => { window.release = done; });
  window.held = "";
  return { ok: answer.ok, status: answer.status, json: async () => JSON.parse(text) };
};
addEventListener("hashchange", () => window.release?.());"""


@pytest.fixture(autouse=True)
def state(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@pytest.fixture
def holding(visit):
    """A page that can hold one answer back."""
    def go(studio, place):
        page = visit(studio)
        page.context.add_init_script(HELD)
        page.goto("about:blank")
        page.goto(studio.base + place)
        page.wait_for_selector("#bar nav")
        return page
    return go


def new_hero(page, name):
    page.get_by_role("button", name="New", exact=True).click()
    page.get_by_label("Name *", exact=True).fill(name)
    page.get_by_label("Birth date *", exact=True).fill("1990-01-01T00:00:00Z")
    page.keyboard.press("Tab")
    expect(page.get_by_role("heading", level=1)).to_have_text(name)


@pytest.mark.long
def test_an_answer_before_the_event_does_not_take_the_address_back(studio, holding, superdb):
    page = holding(studio(superdb.model, superdb.path), "#/data/Hero")
    new_hero(page, "Vixen")
    expect(page.get_by_text("Unsaved: 1 new")).to_be_visible()
    # The saved object's page is read again, and has another name since then.
    page.evaluate("window.held = 'data/objects/Hero/'")
    page.get_by_role("button", name="Save and add another").click()
    expect(page.get_by_text("Unsaved: 1 new")).to_be_visible()
    expect(page.get_by_label("Name *", exact=True)).to_have_value("")
    assert page.evaluate("window.held") == ""
    assert superdb.sql("SELECT COUNT(*) FROM ZHERO WHERE ZNAME = 'Vixen'") == [(1,)]


def test_a_change_of_an_object_that_was_left_leaves_the_address(studio, slow, superdb):
    page = slow(studio(superdb.model, superdb.path), "#/data/Hero", "")
    new_hero(page, "Vixen")
    expect(page.get_by_text("Unsaved: 1 new")).to_be_visible()
    slow_down(page, "data/(save|objects/Hero)", 700)
    page.keyboard.press("Control+s")
    # Asked of the object that is saved meanwhile: the answer has its new name.
    page.get_by_label("Secret identity", exact=True).fill("Mari")
    page.keyboard.press("Tab")
    page.get_by_role("link", name="Power").click()
    expect(page.get_by_text("There are no objects of Power yet.")).to_be_visible()
    expect(page.get_by_text("Unsaved: 1 changed")).to_be_visible()
    page.wait_for_timeout(1500)
    assert page.url.endswith("#/data/Power")


def test_rows_that_were_left_are_not_asked_for_again(studio, slow, superdb):
    page = slow(studio(superdb.model, superdb.path), "#/data/Hero", "")
    cell = page.locator('td[data-row="0"][data-column="3"]')
    expect(cell).to_be_visible()
    slow_down(page, "data/objects/Hero/1$", 900)
    cell.focus()
    page.keyboard.type("Nobody")
    page.keyboard.press("Enter")
    page.get_by_role("link", name="Power").click()
    expect(page.get_by_text("There are no objects of Power yet.")).to_be_visible()
    asked = []
    page.on("request", lambda request: asked.append(request.post_data_json["query"]["entity"]) if "data/rows" in request.url else None)
    expect(page.get_by_text("Unsaved: 1 changed")).to_be_visible()
    # The status came by itself; the answer to the change is late.
    page.wait_for_timeout(1500)
    # A question of theirs would end that of the page that is shown.
    assert "Hero" not in asked
    expect(page.get_by_text("There are no objects of Power yet.")).to_be_visible()


@pytest.mark.parametrize("place, button, late", [
    ("#/data/Hero", "New", "data/objects$"), ("#/model/entities/Hero", "Add entity", "model/edit"),
    pytest.param("#/data/Hero/1", "New in Powers", "data/objects$", marks=pytest.mark.long),
    pytest.param("#/model/entities/Hero", "Add attribute", "model/edit", marks=pytest.mark.long)])
def test_who_went_elsewhere_stays_there(studio, slow, superdb, place, button, late):
    page = slow(studio(superdb.model, superdb.path), place, "")
    action = page.get_by_role("button", name=button, exact=True).first
    expect(action).to_be_visible()
    slow_down(page, late, 700)
    with page.expect_response(lambda response: response.request.method == "POST" and late.strip("$") in response.url):
        action.click()
        page.evaluate("location.hash = '#/data/Power'")
    page.wait_for_timeout(1500)
    assert page.url.endswith("#/data/Power")
    expect(page.get_by_role("heading", level=1)).to_have_text("Power")


def test_who_left_an_import_stays_elsewhere(studio, slow, superdb, tmp_path):
    (tmp_path / "heroes.csv").write_text("name,birthDate\nFlash,1940-01-01T00:00:00Z\n")
    page = slow(studio(superdb.model, superdb.path), "#/data/Hero/import", "")
    page.get_by_label("A CSV file").set_input_files(tmp_path / "heroes.csv")
    slow_down(page, "import/Hero[?]", 700)
    page.get_by_role("button", name="Import 1 record").click()
    page.get_by_role("link", name="Power").click()
    expect(page.get_by_text("1 object imported, unsaved.")).to_be_visible()
    assert page.url.endswith("#/data/Power")
