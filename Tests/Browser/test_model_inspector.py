"""The model's inspector: inverses that lead back, the way from a property to its entity, and what fields take."""

import re
import shutil

import pytest
from conftest import example, expect, hindrances
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
    expect(inspector(page).get_by_role("heading", level=2)).to_have_text(re.compile("^Relationship"))
    name.fill("powers")
    name.press("Enter")
    inspector(page).get_by_label("Destination").select_option("Power")
    expect(inspector(page).get_by_label("Inverse", exact=True).locator("option")).to_have_text(["None", "New inverse…"])
    inspector(page).get_by_label("Inverse", exact=True).select_option("New inverse…")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_label("Name in Power")).to_have_value("villain")
    assert hindrances(page) == []
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
    expect(inspector(page).get_by_role("heading", level=2)).to_have_text(re.compile("^Relationship"))
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


def test_dates_of_the_model_are_days(studio, visit, model):
    page = visit(studio(model), "#/model/entities/Hero")
    page.get_by_role("button", name="birthDate", exact=True).click()
    minimum = inspector(page).get_by_label("Minimum", exact=True)
    minimum.fill("1900-01-01")
    minimum.press("Tab")
    inspector(page).get_by_label("Pick Default value").fill("1899-05-01T00:00:00")
    inspector(page).get_by_label("Pick Default value").dispatch_event("change")
    expect(inspector(page).get_by_label("Default value", exact=True)).to_have_value("1899-05-01")
    expect(inspector(page).get_by_text("The default value is below the minimum.")).to_be_visible()
    save(page)
    date = part(contents(model), "Hero", "birthDate")
    assert (date.get("minDateTimeInterval"), date.get("defaultDateTimeInterval")) == ("-3187296000", "-3208464000")


def test_a_version_that_was_added_is_the_newer_one(studio, visit, model):
    page = visit(studio(model), "#/model/versions")
    page.get_by_role("button", name="Add version…").click()
    page.keyboard.press("Enter")
    expect(page.get_by_label("From", exact=True)).to_have_value("SuperDB")
    expect(page.get_by_label("To", exact=True)).to_have_value("SuperDB 2")


def test_classes_are_written_to_a_folder_with_a_diff(studio, visit, model, shot):
    page = visit(studio(model), "#/model/preview")
    page.get_by_role("button", name="Write to folder…").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Folder").fill("Sources/App")
    dialog.get_by_role("button", name="Compare").click()
    expect(dialog.get_by_text("new", exact=True).first).to_be_visible()
    dialog.get_by_role("button", name="Write").last.click()
    expect(page.locator(".toast")).to_contain_text("written to Sources/App")
    folder = model.parent / "Sources" / "App"
    power = next(one for one in folder.iterdir() if one.name == "Power+CoreDataProperties.swift")
    text = power.read_text()
    power.write_text(text.replace("String", "Substring", 1))
    page.get_by_role("button", name="Write to folder…").click()
    dialog.get_by_role("button", name="Compare").click()
    expect(dialog.locator(".removed").first).to_contain_text("Substring")
    expect(dialog.locator(".added").first).to_contain_text("String")
    shot(page, "model-classes")
    assert hindrances(page) == []
    dialog.get_by_role("button", name="Write 1 file").click()
    expect(dialog).to_have_count(0)
    assert power.read_text() == text
