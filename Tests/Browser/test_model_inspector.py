"""The model's inspector: inverses that lead back, the way from a property to its entity, and what fields take."""

import shutil

import pytest
from conftest import example, expect, serious
from test_model import contents, inspector, part, save


@pytest.fixture(autouse=True)
def state(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@pytest.fixture
def model(tmp_path):
    return shutil.copytree(example("SuperDB"), tmp_path / "SuperDB.xcdatamodeld")


def options(page):
    return inspector(page).get_by_label("Inverse", exact=True).locator("option").all_text_contents()


def test_only_relationships_that_lead_back_are_offered_as_inverse(studio, visit, model):
    page = visit(studio(model), "#/model")
    page.get_by_role("button", name="Add entity").click()
    name = inspector(page).get_by_label("Name", exact=True)
    name.fill("Villain")
    name.press("Enter")
    page.get_by_role("button", name="Add relationship").click()
    name.fill("powers")
    name.press("Enter")
    inspector(page).get_by_label("Destination").select_option("Power")
    expect(inspector(page).get_by_label("Inverse", exact=True).locator("option")).to_have_text(["None", "New inverse…"])
    inspector(page).get_by_label("Inverse", exact=True).select_option("New inverse…")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_label("Name in Power")).to_have_value("villain")
    assert serious(page) == []
    page.keyboard.press("Enter")
    expect(inspector(page).get_by_label("Inverse", exact=True)).to_have_value("villain")
    save(page)
    root = contents(model)
    back = part(root, "Power", "villain")
    assert (back.get("destinationEntity"), back.get("inverseName")) == ("Villain", "powers")
    hero = next(one for one in root.iter("relationship") if one.get("destinationEntity") == "Hero")
    assert hero.get("inverseName") == "powers"


def test_a_choice_says_whose_inverse_it_takes(studio, visit, model):
    page = visit(studio(model), "#/model/entities/Hero")
    page.get_by_role("button", name="Add relationship").click()
    name = inspector(page).get_by_label("Name", exact=True)
    name.fill("favourites")
    name.press("Enter")
    inspector(page).get_by_label("Destination").select_option("Power")
    expect(inspector(page).get_by_label("Inverse", exact=True).locator("option")).to_have_text(
        ["None", "hero, now of Hero.powers", "New inverse…"])


@pytest.mark.parametrize("way", ["side", "heading", "space", "Escape"])
def test_there_is_a_way_from_a_property_to_its_entity(studio, visit, model, way):
    page = visit(studio(model), "#/model/entities/Hero")
    page.get_by_role("button", name="secretIdentity", exact=True).click()
    title = inspector(page).get_by_role("heading", level=2)
    expect(title).to_have_text("Attribute secretIdentity")
    if way == "side":
        page.get_by_role("navigation", name="Elements of the model").get_by_role("link", name="Hero").click()
    elif way == "heading":
        page.get_by_role("heading", name="Hero", exact=True).get_by_role("button").click()
    elif way == "space":
        box = page.get_by_role("region", name="Model", exact=True).bounding_box()
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] - 8)
    else:
        page.keyboard.press("Escape")
    expect(title).to_have_text("Entity Hero")
    if way == "Escape":
        expect(page.get_by_role("button", name="secretIdentity", exact=True)).to_be_focused()
        page.keyboard.press("Escape")
        expect(title).to_have_text("Model")
