"""The model editor in a browser; what it does is read back from the saved model file."""

import base64
import plistlib
import re
import shutil
import xml.etree.ElementTree as xml

import pytest
from conftest import expect, hindrances, run, shared


def contents(model, version=None):
    """The XML of a saved version."""
    folder = model / f"{version or model.stem}.xcdatamodel" if model.suffix == ".xcdatamodeld" else model
    return xml.parse(folder / "contents").getroot()


def entity(root, name):
    return next(one for one in root.findall("entity") if one.get("name") == name)


def part(root, owner, name):
    return next(one for one in entity(root, owner) if one.get("name") == name)


def save(page):
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("button", name="Save")).to_be_disabled()


@pytest.fixture(autouse=True)
def state(tmp_path, monkeypatch):
    """The folder in which unsaved edits are kept: not among those of the person who runs the tests."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state"


@pytest.fixture
def model(tmp_path):
    """A copy of the heroes' model."""
    from conftest import example
    return shutil.copytree(example("SuperDB"), tmp_path / "SuperDB.xcdatamodeld")


def inspector(page):
    return page.get_by_role("complementary", name="Inspector")


def test_fields_are_edited_and_only_they_change(studio, visit, model, shot):
    file = model / "SuperDB.xcdatamodel" / "contents"
    before = file.read_text().splitlines()
    page = visit(studio(model), "#/model/entities/Hero")
    page.get_by_role("button", name="secretIdentity", exact=True).click()
    inspector(page).get_by_label("Default value").fill("Clark <Kent>")
    inspector(page).get_by_label("Default value").press("Tab")
    expect(page.get_by_text("unsaved")).to_be_visible()
    shot(page, "model-entity")
    page.reload()
    expect(page.get_by_text("unsaved")).to_be_visible()
    assert file.read_text().splitlines() == before
    page.keyboard.press("Control+s")
    expect(page.get_by_text("Saved.")).to_be_visible()
    after = file.read_text().splitlines()
    assert len(before) == len(after)
    assert sum(one != two for one, two in zip(before, after)) == 1
    assert part(contents(model), "Hero", "secretIdentity").get("defaultValueString") == "Clark <Kent>"


def test_entities_attributes_and_undo(studio, visit, model):
    page = visit(studio(model), "#/model")
    page.get_by_role("button", name="Add entity").click()
    name = inspector(page).get_by_label("Name", exact=True)
    expect(name).to_be_focused()
    name.fill("Villain")
    name.press("Enter")
    expect(page.get_by_role("link", name="Villain").first).to_be_visible()
    page.get_by_role("link", name="Villain").first.click()
    page.get_by_role("button", name="Add attribute").click()
    expect(name).to_be_focused()
    name.fill("plan")
    name.press("Enter")
    page.get_by_label("Type of plan").select_option("Integer 32")
    inspector(page).get_by_label("Default value").fill("seven")
    expect(inspector(page).get_by_text("is no whole number")).to_be_visible()
    inspector(page).get_by_label("Default value").fill("7")
    inspector(page).get_by_label("Default value").press("Tab")
    save(page)
    plan = part(contents(model), "Villain", "plan")
    assert (plan.get("attributeType"), plan.get("defaultValueString")) == ("Integer 32", "7")
    while page.get_by_role("button", name=re.compile("^Undo")).count():
        page.get_by_role("button", name=re.compile("^Undo")).click()
        page.wait_for_timeout(150)
    save(page)
    assert [one.get("name") for one in contents(model).findall("entity")] == ["Hero", "Power"]


def test_renaming_carries_references_along(studio, visit, model):
    page = visit(studio(model), "#/model/entities/Power")
    name = inspector(page).get_by_label("Name", exact=True)
    name.fill("Skill")
    inspector(page).get_by_label("Keep “Power” as the renaming ID").check()
    expect(name).to_be_focused()
    name.press("Enter")
    expect(page.get_by_role("link", name="Skill").first).to_be_visible()
    save(page)
    root = contents(model)
    assert entity(root, "Skill").get("elementID") == "Power"
    assert all(one.get("destinationEntity") != "Power" for one in root.iter("relationship"))
    run("model", model)


def test_several_are_edited_at_once(studio, visit, model):
    page = visit(studio(model), "#/model/entities/Hero")
    page.get_by_role("button", name="name", exact=True).click()
    page.get_by_role("button", name="sex", exact=True).click(modifiers=["Control"])
    expect(inspector(page).get_by_role("heading", name="2 attributes")).to_be_visible()
    inspector(page).get_by_label("Hash modifier").fill("two")
    inspector(page).get_by_label("Hash modifier").press("Tab")
    expect(page.get_by_text("unsaved")).to_be_visible()
    save(page)
    root = contents(model)
    assert [part(root, "Hero", name).get("versionHashModifier") for name in ("name", "sex", "birthDate")] == ["two", "two", None]


def test_saving_takes_along_what_is_typed(studio, visit, model):
    page = visit(studio(model), "#/model/entities/Hero")
    page.get_by_role("button", name="name", exact=True).click()
    modifier = inspector(page).get_by_label("Hash modifier")
    modifier.click()
    page.keyboard.type("typed")
    page.keyboard.press("Control+s")
    expect(page.get_by_text("Saved.")).to_be_visible()
    assert part(contents(model), "Hero", "name").get("versionHashModifier") == "typed"
    expect(modifier).to_be_focused()
    page.keyboard.type(" more")
    page.keyboard.press("Control+z")
    page.wait_for_timeout(300)
    assert modifier.input_value() != "typed more"
    expect(page.get_by_role("button", name="Nothing to redo")).to_be_visible()


def test_entities_are_chosen_and_opened(studio, visit, model):
    page = visit(studio(model), "#/model")
    names = page.locator("table[aria-label=Entities] .model-pick")
    names.nth(0).click()
    names.nth(1).click(modifiers=["Shift"])
    expect(inspector(page).get_by_role("heading", name="2 entities")).to_be_visible()
    inspector(page).get_by_label("Codegen").select_option("Class Definition")
    expect(page.get_by_text("unsaved")).to_be_visible()
    save(page)
    assert {one.get("codeGenerationType") for one in contents(model).findall("entity")} == {"class"}
    names.nth(1).dblclick()
    expect(page.get_by_role("heading", name="Power", exact=True)).to_be_visible()


def test_names_that_clash_are_told_while_typing(studio, visit, model):
    page = visit(studio(model), "#/model/entities/Hero")
    inspector(page).get_by_label("Name", exact=True).fill("Power")
    expect(inspector(page).get_by_text("There is \"Power\" already.")).to_be_visible()
    assert entity(contents(model), "Hero") is not None


def test_neighbourhood(studio, visit, tmp_path, shot):
    original = shared("models/CareKit/CareKitStore.xcdatamodeld")
    model = shutil.copytree(original, tmp_path / original.name)
    page = visit(studio(model), "#/model/diagram")
    page.get_by_label("Around").select_option("OCKCDOutcomeValue")
    expect(page.locator(".entity[data-box=OCKCDContact]")).to_have_count(0)
    expect(page.locator(".entity[data-box=OCKCDOutcome]")).to_be_visible()
    shot(page, "model-neighbourhood")
    page.locator(".entity[data-box=OCKCDOutcome]").focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_timeout(800)
    expect(page.get_by_text("unsaved")).to_have_count(0)
    page.get_by_role("navigation", name="Views of the model").get_by_role("link", name="Table").click()
    expect(page.get_by_role("table", name="Entities")).to_be_visible()


def test_issues_lead_to_their_place(studio, visit, model):
    page = visit(studio(model), "#/model/entities/Hero")
    page.get_by_role("button", name="name", exact=True).click()
    pattern = inspector(page).get_by_label("Regular expression")
    pattern.fill("[a-z")
    expect(inspector(page).get_by_text("The regular expression can't be read.")).to_be_visible()
    pattern.press("Tab")
    page.get_by_role("link", name=re.compile("^Issues")).click()
    page.get_by_role("button", name=re.compile("Hero.name The regular expression")).click()
    expect(inspector(page).get_by_label("Regular expression")).to_be_focused()


def test_diagram(studio, visit, model, shot):
    page = visit(studio(model), "#/model/diagram")
    hero = page.get_by_role("button", name=re.compile("^Entity Hero"))
    power = page.get_by_role("button", name=re.compile("^Entity Power"))
    expect(hero).to_be_visible()
    shot(page, "model-diagram")
    assert hindrances(page) == []
    # Drag to place.
    box = hero.bounding_box()
    page.mouse.move(box["x"] + 60, box["y"] + 14)
    page.mouse.down()
    page.mouse.move(box["x"] + 160, box["y"] + 74, steps=5)
    page.mouse.up()
    expect(page.get_by_text("unsaved")).to_be_visible()
    page.wait_for_timeout(500)
    # A relationship drawn from entity to entity.
    start, end = hero.bounding_box(), power.bounding_box()
    page.mouse.move(*centre(hero.locator(".handle")))
    page.mouse.down()
    page.mouse.move(end["x"] + end["width"] / 2, end["y"] + end["height"] / 2, steps=5)
    page.mouse.up()
    page.get_by_label("Name in Hero").fill("weaknesses")
    page.get_by_label("Inverse in Power").fill("weakens")
    page.get_by_role("button", name="Add relationship").click()
    expect(page.get_by_role("button", name=re.compile("Hero.weaknesses, to many Power"))).to_be_attached()
    save(page)
    root = contents(model)
    assert part(root, "Hero", "weaknesses").get("inverseName") == "weakens"
    assert part(root, "Power", "weakens").get("destinationEntity") == "Hero"
    assert {one.get("name") for one in root.find("elements")} == {"Hero", "Power"}
    # With keys.
    hero.focus()
    before = next(one for one in root.find("elements") if one.get("name") == "Hero").get("positionX")
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    expect(page.get_by_text("unsaved")).to_be_visible()
    save(page)
    after = next(one for one in contents(model).find("elements") if one.get("name") == "Hero").get("positionX")
    assert int(after) > int(before)
    for label, beginning in [("SVG", "<svg"), ("Mermaid", "classDiagram"), ("PlantUML", "@startuml")]:
        page.get_by_role("button", name="Export").click()
        with page.expect_download() as download:
            page.get_by_role("menuitem", name=label).click()
        with open(download.value.path()) as file:
            assert file.read().startswith(beginning)


def centre(locator):
    box = locator.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_versions(studio, visit, model, shot):
    page = visit(studio(model), "#/model/versions")
    page.get_by_role("button", name="Add version…").click()
    page.get_by_label("Name", exact=True).fill("SuperDB 2")
    page.get_by_role("button", name="Add version", exact=True).click()
    expect(page.get_by_role("heading", name="What changed")).to_be_visible()
    page.goto(page.url.split("#")[0] + "#/model/entities/Hero?v=SuperDB%202")
    page.get_by_role("button", name="Add attribute").click()
    name = inspector(page).get_by_label("Name", exact=True)
    expect(name).to_be_focused()
    name.fill("rank")
    name.press("Enter")
    expect(page.get_by_role("button", name="rank", exact=True)).to_be_visible()
    page.get_by_role("link", name="Versions").click()
    page.get_by_role("button", name="Make SuperDB 2 the current version").click()
    page.get_by_label("From").select_option("SuperDB")
    expect(page.get_by_text("new attribute, String, optional")).to_be_visible()
    expect(page.get_by_text("lightweight", exact=True)).to_be_visible()
    shot(page, "model-versions")
    assert hindrances(page) == []
    save(page)
    assert "SuperDB 2.xcdatamodel" in (model / ".xccurrentversion").read_text()
    part(contents(model, "SuperDB 2"), "Hero", "rank")
    assert all(one.get("name") != "rank" for one in entity(contents(model), "Hero"))
    assert "rank" in run("model", model)


def test_previews(studio, visit, model, shot):
    page = visit(studio(model), "#/model/preview/sql")
    expect(page.get_by_text("CREATE TABLE ZHERO")).to_be_visible()
    shot(page, "model-sql")
    page.get_by_role("link", name="Swift", exact=True).click()
    expect(page.get_by_text("class Hero").first).to_be_visible()
    page.get_by_role("link", name="Objective-C", exact=True).click()
    expect(page.get_by_text("@interface Hero").first).to_be_visible()
    expect(page.get_by_text("- (void)addPowersObject:(Power *)value;").first).to_be_visible()
    assert hindrances(page) == []


def test_changes_by_another_program_are_noticed(studio, visit, model):
    page = visit(studio(model), "#/model/entities/Hero")
    page.get_by_role("button", name="name", exact=True).click()
    inspector(page).get_by_label("Hash modifier").fill("mine")
    inspector(page).get_by_label("Hash modifier").press("Tab")
    expect(page.get_by_text("unsaved")).to_be_visible()
    file = model / "SuperDB.xcdatamodel" / "contents"
    theirs = file.read_text().replace('name="sex"', 'name="gender"')
    file.write_text(theirs)
    page.get_by_role("button", name="Save").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Another program")
    assert file.read_text() == theirs
    dialog.get_by_role("button", name="Load theirs and drop my edits").click()
    expect(page.get_by_role("button", name="gender", exact=True)).to_be_visible()


def test_the_list_works_by_keys(studio, visit, model):
    page = visit(studio(model), "#/model/entities/Hero")
    names = page.locator("table[aria-label=Attributes] .model-pick")
    names.first.focus()
    page.keyboard.press("ArrowDown")
    expect(names.nth(1)).to_be_focused()
    expect(names.nth(1)).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("F2")
    expect(inspector(page).get_by_label("Name", exact=True)).to_be_focused()


# Long: test_looks.py has each page in two looks.
@pytest.mark.long
@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [1280, 400])
def test_accessible_and_narrow(studio, visit, model, shot, dark, width):
    page = visit(studio(model), "#/model/entities/Hero", width=width, dark=dark)
    expect(page.get_by_role("button", name="name", exact=True)).to_be_visible()
    page.get_by_role("button", name="name", exact=True).click()
    shot(page, f"model-{width}-{'dark' if dark else 'light'}")
    assert hindrances(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_store_alone_shows_its_model(studio, visit, bookmarks):
    page = visit(studio(bookmarks.path), "#/model/entities/BookmarkEntity")
    expect(page.get_by_text("This is the model that the store is open with.")).to_be_visible()
    page.get_by_role("button", name="title", exact=True).click()
    expect(inspector(page).get_by_label("Name", exact=True)).to_have_attribute("readonly", "")
    assert page.get_by_role("button", name="Add attribute").count() == 0
    page.get_by_role("link", name="Diagram").click()
    expect(page.get_by_role("button", name=re.compile("^Entity BookmarkEntity"))).to_be_visible()


def test_real_model_is_drawn(studio, visit, tmp_path, shot):
    original = shared("models/CareKit/CareKitStore.xcdatamodeld")
    model = shutil.copytree(original, tmp_path / original.name)
    page = visit(studio(model), "#/model/diagram")
    expect(page.locator(".entity").first).to_be_visible()
    shot(page, "model-carekit")


def test_hostile_names_are_text(studio, visit, model):
    file = model / "SuperDB.xcdatamodel" / "contents"
    file.write_text(file.read_text().replace('name="sex"', 'name="&lt;img src=x onerror=alert(1)&gt;"'))
    page = visit(studio(model), "#/model/entities/Hero")
    expect(page.get_by_role("button", name="<img src=x onerror=alert(1)>")).to_be_visible()
    page.goto(page.url.split("#")[0] + "#/model/diagram")
    expect(page.get_by_role("button", name=re.compile("^Entity Hero"))).to_be_visible()
    page.goto(page.url.split("#")[0] + "#/model/issues")
    expect(page.get_by_text("is no name for a property")).to_be_visible()


# Replacements in a file of the heroes' model, for a predicate of each kind.
TEMPLATE = '<fetchRequest name="strong" entity="Hero" predicateString="name BEGINSWITH \'B\' AND powers.@count &gt; 2"/>'


def with_template(model):
    file = model / "SuperDB.xcdatamodel" / "contents"
    text = file.read_text()
    end = text.rindex("</entity>") + len("</entity>")
    file.write_text(text[:end] + "\n    " + TEMPLATE + text[end:])


def test_renaming_shows_what_it_takes_along(studio, visit, model, shot):
    with_template(model)
    page = visit(studio(model), "#/model/entities/Hero/name")
    name = inspector(page).get_by_label("Name", exact=True)
    name.fill("alias")
    places = inspector(page).get_by_text(re.compile("^Changes [0-9]+ other places? along"))
    places.click()
    expect(inspector(page).locator(".model-touched")).to_contain_text("alias BEGINSWITH 'B' AND powers.@count > 2")
    shot(page, "model-renaming")
    assert hindrances(page) == []
    name.press("Enter")
    expect(page.get_by_text("went along")).to_be_visible()
    save(page)
    root = contents(model)
    assert root.find("fetchRequest").get("predicateString") == "alias BEGINSWITH 'B' AND powers.@count > 2"
    assert part(root, "Hero", "alias").get("elementID") is None
    page.get_by_role("button", name=re.compile("^Undo: renaming")).click()
    save(page)
    assert contents(model).find("fetchRequest").get("predicateString").startswith("name BEGINSWITH")


def test_renaming_offers_the_identifier_where_a_version_is_older(studio, visit, model):
    page = visit(studio(model), "#/model/versions")
    page.get_by_role("button", name="Add version…").click()
    page.get_by_role("button", name="Add version", exact=True).click()
    expect(page.get_by_role("heading", name="What changed")).to_be_visible()
    page.goto(page.url.split("#")[0] + "#/model/entities/Hero/sex?v=SuperDB%202")
    name = inspector(page).get_by_label("Name", exact=True)
    name.fill("gender")
    keep = inspector(page).get_by_label("Keep “sex” as the renaming ID")
    expect(keep).to_be_checked()
    expect(inspector(page).get_by_text("Version SuperDB has it by that name")).to_be_visible()
    name.press("Tab")
    expect(keep).to_be_focused()
    expect(page.get_by_role("button", name="sex", exact=True)).to_be_visible()
    page.keyboard.press("Tab")
    inspector(page).get_by_label("Hash modifier").focus()
    expect(page.get_by_role("button", name="gender", exact=True)).to_be_visible()
    save(page)
    assert part(contents(model, "SuperDB 2"), "Hero", "gender").get("elementID") == "sex"


def test_predicate_builder_of_a_template(studio, visit, model, shot):
    with_template(model)
    page = visit(studio(model), "#/model/requests/strong")
    pane = page.get_by_role("region", name="Model", exact=True)
    text = pane.get_by_label("Predicate", exact=True)
    pane.get_by_role("button", name="Builder").click()
    builder = page.get_by_role("group", name="Predicate builder")
    expect(builder.get_by_label("Value", exact=True).first).to_have_value("B")
    builder.get_by_label("Value", exact=True).first.fill("Su")
    builder.get_by_label("Value", exact=True).first.press("Tab")
    expect(text).to_have_value(re.compile("BEGINSWITH .Su. AND"))
    expect(builder).to_be_visible()
    shot(page, "model-builder")
    assert hindrances(page) == []
    # The rows follow the text.
    text.fill("name == 'Robin'")
    expect(builder.get_by_label("Value", exact=True).first).to_have_value("Robin")
    text.press("Tab")
    save(page)
    assert contents(model).find("fetchRequest").get("predicateString") == "name == 'Robin'"
    page.get_by_role("button", name=re.compile("^Undo")).click()
    expect(builder.get_by_label("Value", exact=True).first).to_have_value("Su")


@pytest.mark.long
def test_keys_of_the_builder_are_those_of_the_model_as_it_is_edited(studio, visit, model):
    with_template(model)
    page = visit(studio(model), "#/model/entities/Power")
    page.get_by_role("button", name="Add attribute").click()
    expect(inspector(page).get_by_label("Name", exact=True)).to_be_focused()
    page.keyboard.type("since")
    page.keyboard.press("Enter")
    inspector(page).get_by_label("Type", exact=True).select_option("Date")
    page.get_by_role("link", name="strong", exact=True).click()
    page.get_by_role("button", name="Builder").click()
    keys = page.locator("datalist").first
    expect(keys.locator('option[value="powers.since"]')).to_have_count(1)
    expect(keys.locator('option[value="powers.name"]')).to_have_count(1)
    builder = page.get_by_role("group", name="Predicate builder")
    builder.get_by_label("Key", exact=True).first.fill("powers.since")
    builder.get_by_label("Key", exact=True).first.press("Tab")
    expect(builder.get_by_label("Type of value").first).to_have_value("date")
    # A builder that is open knows what was added meanwhile.
    page.get_by_role("link", name="Hero", exact=False).first.click()
    page.get_by_role("button", name="Add attribute").click()
    expect(inspector(page).get_by_label("Name", exact=True)).to_be_focused()
    page.keyboard.type("height")
    page.keyboard.press("Enter")
    page.get_by_role("link", name="strong", exact=True).click()
    page.get_by_role("button", name="Add a row").first.click()
    expect(page.locator("datalist").last.locator('option[value="height"]')).to_have_count(1)


def test_every_field_of_a_template(studio, visit, model):
    with_template(model)
    page = visit(studio(model), "#/model/requests/strong")
    panel = inspector(page)
    panel.get_by_label("Result type").select_option(label="Count")
    for label, text in [("Fetch limit", "10"), ("Batch size", "5")]:
        panel.get_by_label(label).fill(text)
        panel.get_by_label(label).press("Tab")
    for label in ["Include subentities", "Include property values", "Include pending changes", "Return objects as faults"]:
        panel.get_by_label(label).uncheck()
    panel.get_by_label("Distinct results").check()
    expect(page.get_by_role("button", name="Undo: Distinct results of strong")).to_be_visible()
    save(page)
    request = contents(model).find("fetchRequest")
    assert [request.get(name) for name in ["fetchLimit", "fetchBatchSize", "includeSubentities", "includePropertyValues", "includePendingChanges", "returnObjectsAsFaults", "returnDistinctResults"]] \
        == ["10", "5", "NO", "NO", "NO", "NO", "YES"]
    assert request.get("resultType") is not None
    run("model", model)


def test_fields_of_the_model_and_of_transformables(studio, visit, model):
    page = visit(studio(model), "#/model")
    panel = inspector(page)
    for label, text in [("Identifier", "v7"), ("Minimum tools version", "Xcode 15.0")]:
        panel.get_by_label(label).fill(text)
        panel.get_by_label(label).press("Tab")
    panel.get_by_label("Language of generated code").select_option("Objective-C")
    panel.get_by_label("Used with CloudKit").check()
    expect(page.get_by_role("button", name=re.compile("^Undo: Used with CloudKit"))).to_be_visible()
    page.goto(page.url.split("#")[0] + "#/model/entities/Hero")
    panel.get_by_label("Spotlight display name").fill("name")
    panel.get_by_label("Spotlight display name").press("Tab")
    page.get_by_role("button", name="Add attribute").click()
    expect(panel.get_by_label("Name", exact=True)).to_be_focused()
    panel.get_by_label("Name", exact=True).fill("look")
    panel.get_by_label("Name", exact=True).press("Enter")
    page.get_by_label("Type of look").select_option("Transformable")
    panel.get_by_label("Value transformer").fill("NSSecureUnarchiveFromData")
    panel.get_by_label("Value transformer").press("Tab")
    panel.get_by_label("Custom class").fill("Look")
    panel.get_by_label("Custom class").press("Tab")
    panel.get_by_label("Module").fill("Kit")
    panel.get_by_label("Module").press("Tab")
    for label in ["Allows external storage", "Allows cloud encryption", "Preserve after deletion", "Index in Spotlight", "Store in external record"]:
        panel.get_by_label(label).check()
    expect(page.get_by_role("button", name=re.compile("^Undo: Store in external record"))).to_be_visible()
    save(page)
    root = contents(model)
    assert [root.get(name) for name in ["userDefinedModelVersionIdentifier", "minimumToolsVersion", "sourceLanguage", "usedWithCloudKit"]] == ["v7", "Xcode 15.0", "Objective-C", "true"]
    assert entity(root, "Hero").get("coreSpotlightDisplayNameExpression") == "name"
    look = part(root, "Hero", "look")
    assert (look.get("customClassName"), look.get("valueTransformerName")) == ("Kit.Look", "NSSecureUnarchiveFromData")
    assert all(look.get(name) == "YES" for name in ["allowsExternalBinaryDataStorage", "allowsCloudEncryption", "preserveAfterDeletion", "spotlightIndexingEnabled", "storedInTruthFile"])
    run("model", model)


def test_version_hashes(studio, visit, superdb, shot):
    page = visit(studio(superdb.model, superdb.path), "#/model/preview/hashes")
    expect(page.get_by_text("is of this version.")).to_be_visible()
    shot(page, "model-hashes")
    assert hindrances(page) == []
    metadata = plistlib.loads(superdb.sql("SELECT Z_PLIST FROM Z_METADATA")[0][0])
    hash = base64.b64encode(metadata["NSStoreModelVersionHashes"]["Hero"]).decode()
    expect(page.get_by_text(hash)).to_be_visible()
    page.get_by_role("button", name="Copy the hash of Hero", exact=True).click()
    page.goto(page.url.split("#")[0] + "#/model/entities/Hero")
    inspector(page).get_by_label("Hash modifier").fill("two")
    inspector(page).get_by_label("Hash modifier").press("Tab")
    expect(page.get_by_text("unsaved")).to_be_visible()
    page.goto(page.url.split("#")[0] + "#/model/preview/hashes")
    expect(page.get_by_text("is of another version.")).to_be_visible()
    expect(page.get_by_text("differs", exact=True)).to_have_count(1)


def test_a_mapping_model_made_here_migrates_a_store(studio, visit, superdb, shot):
    page = visit(studio(superdb.model), "#/model/mappings")
    expect(page.get_by_text("add a version first")).to_be_visible()
    page.goto(page.url.split("#")[0] + "#/model/versions")
    page.get_by_role("button", name="Add version…").click()
    page.get_by_role("button", name="Add version", exact=True).click()
    expect(page.get_by_role("heading", name="What changed")).to_be_visible()
    page.goto(page.url.split("#")[0] + "#/model/entities/Hero?v=SuperDB%202")
    page.get_by_role("button", name="Add attribute").click()
    name = inspector(page).get_by_label("Name", exact=True)
    expect(name).to_be_focused()
    name.fill("shout")
    name.press("Enter")
    inspector(page).get_by_label("Optional", exact=True).uncheck()
    expect(page.get_by_role("button", name=re.compile("^Undo: Optional"))).to_be_visible()
    page.get_by_role("link", name="Versions").click()
    page.get_by_role("button", name="Make SuperDB 2 the current version").click()
    save(page)
    page.get_by_role("link", name="Mappings").click()
    page.get_by_role("button", name="New mapping model…").click()
    page.get_by_label("Name", exact=True).fill("Shouting")
    page.get_by_role("button", name="Make mapping model").click()
    expect(page.get_by_role("heading", name="HeroToHero")).to_be_visible()
    expect(page.get_by_label("Value of name", exact=True)).to_have_value("$source.name")
    value = page.get_by_label("Value of shout")
    expect(page.get_by_text("A value is required, and nothing gives one.")).to_be_visible()
    value.fill("uppercase:($source.nam)")
    value.press("Tab")
    expect(page.get_by_text("Hero has no property \"nam\".")).to_be_visible()
    value.fill("uppercase:($source.")
    expect(page.get_by_text("(character")).to_be_visible()
    value.fill("uppercase:($source.name)")
    value.press("Enter")
    expect(page.get_by_role("button", name="Undo: HeroToHero.shout")).to_be_visible()
    page.get_by_label("Filter", exact=True).fill("name != 'Superman'")
    page.get_by_label("Filter", exact=True).press("Tab")
    expect(page.get_by_role("button", name="Undo: filter of HeroToHero")).to_be_visible()
    shot(page, "model-mapping")
    assert hindrances(page) == []
    page.reload()
    expect(page.get_by_label("Value of shout")).to_have_value("uppercase:($source.name)")
    save(page)
    file = superdb.path.parent / "Shouting.xcmappingmodel"
    run("migrate", superdb.path, "--to", superdb.model, "--mapping", file, "--yes")
    assert sorted(superdb.sql("SELECT ZSHOUT FROM ZHERO")) == [("BATMAN",), ("WONDER WOMAN",)]


@pytest.mark.long
def test_real_mapping_models_are_shown(studio, visit, tmp_path, shot):
    model = shutil.copytree(shared("models/CareKit/CareKitStore.xcdatamodeld"), tmp_path / "CareKitStore.xcdatamodeld")
    shutil.copytree(shared("mappingmodels/CareKit/2.0_2.1_Mapping.xcmappingmodel"), tmp_path / "2.0_2.1_Mapping.xcmappingmodel")
    (tmp_path / "Broken.xcmappingmodel").mkdir()
    page = visit(studio(model), "#/model/mappings")
    expect(page.get_by_role("table", name="Mapping models")).to_contain_text("Broken.xcmappingmodel")
    page.get_by_role("link", name="2.0_2.1_Mapping.xcmappingmodel").click()
    expect(page.get_by_role("table", name="Property mappings")).to_be_visible()
    shot(page, "model-mapping-carekit")
    assert hindrances(page) == []


def test_unsaved_edits_outlive_the_studio(studio, visit, model, state, shot):
    first = studio(model)
    page = visit(first, "#/model")
    page.get_by_role("button", name="Add entity").click()
    name = inspector(page).get_by_label("Name", exact=True)
    expect(name).to_be_focused()
    name.fill("Villain")
    name.press("Enter")
    expect(page.get_by_role("link", name="Villain").first).to_be_visible()
    page.context.close()
    first.process.kill()
    first.process.wait()
    kept = list((state / "coredata" / "drafts").iterdir())
    assert [file.stat().st_mode & 0o777 for file in [kept[0].parent, *kept]] == [0o700, 0o600]
    assert "Villain" not in (model / "SuperDB.xcdatamodel" / "contents").read_text()
    second = studio(model)
    page = visit(second, "#/model")
    expect(page.get_by_role("link", name="Villain").first).to_be_visible()
    expect(page.get_by_role("status").filter(has_text="Unsaved changes from")).to_be_visible()
    shot(page, "model-restored")
    assert hindrances(page) == []
    page.get_by_role("button", name="Keep", exact=True).click()
    expect(page.get_by_text("Unsaved changes from")).to_have_count(0)
    save(page)
    assert entity(contents(model), "Villain") is not None
    page.get_by_role("link", name="Villain").first.click()
    page.get_by_role("button", name="Add attribute").click()
    expect(page.get_by_text("unsaved")).to_be_visible()
    page.context.close()
    second.process.kill()
    second.process.wait()
    file = model / "SuperDB.xcdatamodel" / "contents"
    theirs = file.read_text().replace('name="sex"', 'name="gender"')
    file.write_text(theirs)
    page = visit(studio(model), "#/model/entities/Hero")
    expect(page.get_by_text("but the model’s files changed since")).to_be_visible()
    expect(page.get_by_role("button", name="gender", exact=True)).to_be_visible()
    page.get_by_role("button", name="Drop my changes").click()
    expect(page.get_by_text("files changed since")).to_have_count(0)
    assert file.read_text() == theirs


def test_edits_of_another_page_appear(studio, visit, model):
    one = studio(model)
    page = visit(one, "#/model/entities/Hero")
    token = page.context.cookies()
    other = page.context.new_page()
    assert token
    other.goto(one.base + "#/model/entities/Hero")
    other.get_by_role("button", name="Add attribute").click()
    expect(other.get_by_role("button", name="attribute", exact=True)).to_be_visible()
    page.bring_to_front()
    expect(page.get_by_role("button", name="attribute", exact=True)).to_be_visible(timeout=3_000)


def test_diagram_of_a_large_model_is_legible(studio, visit, tmp_path, shot):
    file = tmp_path / "Large.xcdatamodel"
    file.mkdir()
    entities = "".join(
        f'<entity name="Entity{n}" syncable="YES"><attribute name="title" optional="YES" attributeType="String"/>'
        f'<relationship name="next" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Entity{(n * 7 + 1) % 60}"/></entity>'
        for n in range(60))
    (file / "contents").write_text(f'<model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">{entities}</model>')
    page = visit(studio(file), "#/model/diagram")
    expect(page.locator(".entity")).to_have_count(60)
    shot(page, "model-large")
    size = page.locator(".entity text.name").first.evaluate("text => text.getBoundingClientRect().height")
    assert size >= 9, size
    page.get_by_label("Around").select_option("Entity9")
    expect(page.locator(".entity[data-box=Entity9]")).to_be_visible()
    assert page.locator(".entity").count() < 10
    shot(page, "model-large-part")
