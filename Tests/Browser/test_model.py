"""The model editor in a browser; what it does is read back from the saved model file."""

import re
import shutil
import xml.etree.ElementTree as xml

import pytest
from conftest import expect, run, serious, shared


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
    inspector(page).get_by_label("Renaming sets the renaming ID").check()
    name = inspector(page).get_by_label("Name", exact=True)
    name.fill("Skill")
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
    assert page.get_by_text("unsaved").count() == 0
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
    assert serious(page) == []
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
    assert serious(page) == []
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
    assert serious(page) == []


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


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [1280, 400])
def test_accessible_and_narrow(studio, visit, model, shot, dark, width):
    page = visit(studio(model), "#/model/entities/Hero", width=width, dark=dark)
    expect(page.get_by_role("button", name="name", exact=True)).to_be_visible()
    page.get_by_role("button", name="name", exact=True).click()
    shot(page, f"model-{width}-{'dark' if dark else 'light'}")
    assert serious(page) == []
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
