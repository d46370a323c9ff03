"""The model's pages where the server is slow, or the person quick: nothing that was done is lost or said too early."""

import json
import re

import pytest
from conftest import expect, slow_down
from test_model import contents, entity, inspector, model, part, save, state, with_template  # noqa: F401


def test_a_click_counts_that_lasts_while_an_answer_comes(studio, slow, model):
    page = slow(studio(model), "#/model/entities/Hero", "model/edit", 150)
    page.get_by_role("button", name="name", exact=True).click()
    modifier = inspector(page).get_by_label("Hash modifier")
    modifier.fill("held")
    box = page.get_by_role("button", name="Add attribute").bounding_box()
    page.mouse.move(box["x"] + 10, box["y"] + 10)
    page.mouse.down()
    page.wait_for_timeout(500)
    page.mouse.up()
    expect(page.get_by_role("button", name="attribute", exact=True)).to_be_visible()
    save(page)
    assert part(contents(model), "Hero", "name").get("versionHashModifier") == "held"


def test_what_was_just_done_is_undone_at_once(studio, slow, model):
    page = slow(studio(model), "#/model/entities/Hero", "api/model/")
    page.get_by_role("button", name="name", exact=True).click()
    transient = inspector(page).get_by_label("Transient")
    transient.check()
    page.keyboard.press("Control+z")
    expect(page.get_by_role("button", name=re.compile("^Redo: Transient"))).to_be_visible()
    expect(transient).not_to_be_checked()
    page.keyboard.press("Control+y")
    page.keyboard.press("Control+s")
    expect(page.get_by_text("Saved.")).to_be_visible()
    assert part(contents(model), "Hero", "name").get("transient") == "YES"


@pytest.mark.long
def test_lists_are_changed_quickly(studio, slow, model):
    page = slow(studio(model), "#/model/entities/Hero", "model/edit")
    panel = inspector(page)
    panel.get_by_role("button", name="Add entry").click()
    panel.get_by_label("Key 1").fill("studio.help")
    page.keyboard.press("Tab")
    page.keyboard.type("Of comics")
    page.keyboard.press("Control+s")
    expect(page.get_by_text("Saved.")).to_be_visible()
    entries = entity(contents(model), "Hero").find("userInfo").findall("entry")
    assert [(one.get("key"), one.get("value")) for one in entries] == [("studio.help", "Of comics")]
    page.get_by_role("button", name="Add configuration").click()
    page.get_by_role("checkbox", name="Hero", exact=True).check()
    page.get_by_role("checkbox", name="Power", exact=True).check()
    page.keyboard.press("Control+s")
    expect(page.get_by_role("button", name="Save")).to_be_disabled()
    assert [one.get("name") for one in contents(model).find("configuration")] == ["Hero", "Power"]


@pytest.mark.long
def test_places_in_the_diagram_are_saved_at_once(studio, slow, model):
    page = slow(studio(model), "#/model/diagram", "model/(place|graph)")
    hero = page.get_by_role("button", name=re.compile("^Entity Hero"))
    power = page.get_by_role("button", name=re.compile("^Entity Power"))
    hero.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Control+s")
    expect(page.get_by_text("Saved.")).to_be_visible()
    places = lambda: {one.get("name"): int(one.get("positionX")) for one in contents(model).find("elements")}
    before = places()
    assert set(before) == {"Hero", "Power"}
    hero.focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    power.focus()
    page.keyboard.press("ArrowRight")
    # The answer to the first comes while the second is moved.
    page.wait_for_timeout(700)
    power.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_timeout(300)
    page.keyboard.press("ArrowRight")
    save(page)
    after = places()
    assert after["Hero"] - before["Hero"] == after["Power"] - before["Power"] > 0


@pytest.mark.long
def test_the_version_gone_to_last_is_shown(studio, slow, model):
    running = studio(model)
    page = slow(running, "#/model/versions", "")
    page.get_by_role("button", name="Add version…").click()
    page.get_by_role("button", name="Add version", exact=True).click()
    expect(page.get_by_role("heading", name="What changed")).to_be_visible()
    page.goto(running.base + "#/model/entities/Hero")
    expect(page.get_by_label("Version", exact=True)).to_have_value("SuperDB")
    slow_down(page, "SuperDB.2")
    page.evaluate("location.hash = '#/model/entities/Hero?v=SuperDB%202'")
    page.wait_for_timeout(100)
    page.evaluate("location.hash = '#/model/entities/Power'")
    page.wait_for_timeout(800)
    expect(page.get_by_label("Version", exact=True)).to_have_value("SuperDB")
    # An edit belongs to the version that it was made in.
    slow_down(page, "model/edit")
    inspector(page).get_by_label("Hash modifier").fill("first")
    page.keyboard.press("Tab")
    page.get_by_label("Version", exact=True).select_option("SuperDB 2")
    expect(page.get_by_label("Version", exact=True)).to_have_value("SuperDB 2")
    page.wait_for_timeout(800)
    expect(page.get_by_label("Version", exact=True)).to_have_value("SuperDB 2")
    save(page)
    assert entity(contents(model), "Power").get("versionHashModifier") == "first"
    assert entity(contents(model, "SuperDB 2"), "Power").get("versionHashModifier") is None


@pytest.mark.long
def test_rows_of_the_builder_are_saved_at_once(studio, slow, model):
    with_template(model)
    page = slow(studio(model), "#/model/requests/strong", "predicate/print")
    page.get_by_role("button", name="Builder").click()
    builder = page.get_by_role("group", name="Predicate builder")
    value = builder.get_by_label("Value", exact=True).first
    expect(value).to_have_value("B")
    value.fill("Su")
    value.press("Tab")
    page.keyboard.press("Control+s")
    expect(page.get_by_text("Saved.")).to_be_visible()
    assert "BEGINSWITH \"Su\"" in contents(model).find("fetchRequest").get("predicateString")


@pytest.mark.long
def test_checks_are_about_what_is_typed(studio, slow, model):
    page = slow(studio(model), "#/model/entities/Hero", "model/try", 1200)
    page.get_by_role("button", name="name", exact=True).click()
    pattern = inspector(page).get_by_label("Regular expression")
    pattern.fill("[a-z")
    page.wait_for_timeout(400)
    slow_down(page, "")
    pattern.fill("[a-z]")
    page.wait_for_timeout(1500)
    expect(inspector(page).get_by_text("can't be read")).to_have_count(0)
    pattern.fill("[a")
    expect(inspector(page).get_by_text("can't be read")).to_be_visible()
    pattern.press("Escape")
    expect(inspector(page).get_by_text("can't be read")).to_have_count(0)


def test_typing_goes_on_while_others_edit(studio, slow, model):
    running = studio(model)
    page = slow(running, "#/model/entities/Hero/sex", "")
    other = page.context.new_page()
    other.goto(running.base + "#/model/entities/Power")
    expect(other.get_by_role("button", name="Add attribute")).to_be_visible()
    page.bring_to_front()
    name = inspector(page).get_by_label("Name", exact=True)
    name.fill("gender")
    keep = inspector(page).get_by_label("Keep “sex” as the renaming ID")
    keep.check()
    keep.focus()
    inspector(page).get_by_label("Default value").evaluate("field => { field.value = 'none'; }")
    other.get_by_role("button", name="Add attribute").click()
    expect(other.get_by_role("button", name="attribute", exact=True)).to_be_visible()
    expect(page.get_by_role("link", name="Power").locator(".count")).to_have_text("4")
    expect(name).to_have_value("gender")
    expect(keep).to_be_checked()
    expect(keep).to_be_focused()
    page.keyboard.press("Control+s")
    expect(page.get_by_text("Saved.")).to_be_visible()
    gender = part(contents(model), "Hero", "gender")
    assert (gender.get("elementID"), gender.get("defaultValueString")) == ("sex", "none")


def test_what_is_refused_is_not_shown_as_done(studio, slow, model):
    page = slow(studio(model), "#/model/entities/Hero", "")
    page.get_by_role("button", name="name", exact=True).click()
    transient = inspector(page).get_by_label("Transient")
    page.route("**/api/model/edit", lambda route: route.fulfill(status=422, content_type="application/json", body=json.dumps({"error": {"message": "Not today.", "details": {}}})))
    transient.click()
    expect(page.get_by_text("Not today.")).to_be_visible()
    expect(transient).not_to_be_checked()
    modifier = inspector(page).get_by_label("Hash modifier")
    modifier.fill("kept")
    modifier.press("Enter")
    expect(page.get_by_text("Not today.")).to_have_count(2)
    expect(modifier).to_have_value("kept")
    page.unroute("**/api/model/edit")
    page.keyboard.press("Control+s")
    expect(page.get_by_text("Saved.")).to_be_visible()
    assert part(contents(model), "Hero", "name").get("versionHashModifier") == "kept"


@pytest.mark.long
def test_removing_twice_removes_once(studio, slow, model):
    page = slow(studio(model), "#/model/entities/Hero", "")
    page.get_by_role("button", name="sex", exact=True).click()
    page.get_by_role("button", name="sex", exact=True).press("Delete")
    expect(page.get_by_role("button", name="sex", exact=True)).to_have_count(0)
    page.keyboard.press("Delete")
    page.wait_for_timeout(300)
    expect(page.get_by_role("link", name="Hero").first).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("^Undo: removal of Hero.sex"))).to_be_visible()


@pytest.mark.long
def test_a_mapping_model_is_edited_quickly(studio, slow, model):
    page = slow(studio(model), "#/model/versions", "model/mappings/")
    page.get_by_role("button", name="Add version…").click()
    page.get_by_role("button", name="Add version", exact=True).click()
    expect(page.get_by_role("heading", name="What changed")).to_be_visible()
    page.get_by_role("link", name="Mappings").click()
    for name in ["One", "Two"]:
        page.get_by_role("button", name="New mapping model…").click()
        page.get_by_label("Name", exact=True).fill(name)
        page.get_by_role("button", name="Make mapping model").click()
        expect(page.get_by_role("heading", name=f"{name}.xcmappingmodel")).to_be_visible()
        if name == "One":
            page.get_by_role("region", name="Model").get_by_role("link", name="Mapping models").click()
    page.get_by_label("Filter", exact=True).fill("name != 'X'")
    page.keyboard.press("Tab")
    # To the other one while the edit is on its way.
    page.evaluate("location.hash = '#/model/mappings/One.xcmappingmodel'")
    expect(page.get_by_role("heading", name="One.xcmappingmodel")).to_be_visible()
    page.wait_for_timeout(1000)
    expect(page.get_by_role("heading", name="One.xcmappingmodel")).to_be_visible()
    expect(page.get_by_label("Filter", exact=True)).to_have_value("")
    page.get_by_role("button", name="Remove the mapping HeroToHero").dblclick()
    expect(page.get_by_role("heading", name="PowerToPower")).to_be_visible()
    page.wait_for_timeout(800)
    expect(page.get_by_role("heading", name="PowerToPower")).to_be_visible()
    page.keyboard.press("Control+z")
    expect(page.get_by_role("button", name=re.compile("^Redo"))).to_be_enabled()
    page.keyboard.press("Control+y")
    page.keyboard.press("Control+s")
    expect(page.get_by_text("Saved.")).to_be_visible()
    assert (model.parent / "One.xcmappingmodel" / "xcmapping.xml").exists()
    page.evaluate("location.hash = '#/model/mappings/Two.xcmappingmodel'")
    expect(page.get_by_label("Filter", exact=True)).to_have_value("name != 'X'")


def test_fields_that_are_filled_one_after_the_other_are_sent_in_that_order(studio, slow, model):
    page = slow(studio(model), "#/model/entities/Hero", "model/edit", 300)
    page.get_by_role("button", name="sex", exact=True).click()
    panel = inspector(page)
    page.get_by_label("Type of sex").select_option("Transformable")
    expect(panel.get_by_label("Custom class")).to_be_visible()
    panel.get_by_label("Value transformer").fill("Plain")
    page.keyboard.press("Tab")
    panel.get_by_label("Custom class").focus()
    page.keyboard.type("Look")
    # The answer comes: the field is drawn anew with what is typed in it.
    page.wait_for_timeout(600)
    panel.get_by_label("Module").focus()
    page.keyboard.type("Kit")
    panel.get_by_label("Transient").focus()
    save(page)
    sex = part(contents(model), "Hero", "sex")
    assert (sex.get("valueTransformerName"), sex.get("customClassName")) == ("Plain", "Kit.Look")


def test_a_server_that_is_gone_is_told_once_and_what_is_typed_stays(studio, slow, model):
    running = studio(model)
    page = slow(running, "#/model/entities/Hero", "")
    page.get_by_role("button", name="name", exact=True).click()
    modifier = inspector(page).get_by_label("Hash modifier")
    modifier.fill("first")
    modifier.press("Tab")
    expect(page.get_by_text("unsaved")).to_be_visible()
    running.process.kill()
    running.process.wait()
    modifier.fill("second")
    page.wait_for_timeout(500)
    modifier.press("Tab")
    expect(page.get_by_text("The server doesn’t answer.")).to_have_count(1)
    transient = inspector(page).get_by_label("Transient")
    transient.click()
    expect(page.get_by_text("The server doesn’t answer.")).to_have_count(2)
    expect(transient).not_to_be_checked()
    expect(modifier).to_have_value("second")
    # The next run has what was answered.
    page = slow(studio(model), "#/model/entities/Hero/name", "")
    expect(inspector(page).get_by_label("Hash modifier")).to_have_value("first")


def test_the_browser_asks_before_what_is_typed_is_lost(studio, slow, model):
    page = slow(studio(model), "#/model/entities/Hero", "")
    asked = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    page.get_by_role("button", name="name", exact=True).click()
    modifier = inspector(page).get_by_label("Hash modifier")
    modifier.fill("sent")
    modifier.press("Tab")
    expect(page.get_by_text("unsaved")).to_be_visible()
    page.reload()
    expect(page.get_by_text("unsaved")).to_be_visible()
    assert asked == []
    page.get_by_role("button", name="name", exact=True).click()
    expect(modifier).to_have_value("sent")
    modifier.fill("typed")
    page.reload()
    expect(page.get_by_text("unsaved")).to_be_visible()
    assert asked == ["beforeunload"]


def test_an_area_that_comes_late_does_not_cover_the_next(studio, slow, superdb):
    page = slow(studio(superdb.model, superdb.path), "#/model/entities/Hero", "")
    expect(page.get_by_role("button", name="Add attribute")).to_be_visible()
    slow_down(page, "data/entities$", 1000)
    page.evaluate("location.hash = '#/data/Hero'")
    page.wait_for_timeout(200)
    page.evaluate("location.hash = '#/model/entities/Power'")
    expect(page.get_by_role("heading", name="Power", exact=True)).to_be_visible()
    page.wait_for_timeout(1500)
    expect(page.get_by_role("heading", name="Power", exact=True)).to_be_visible()
    page.evaluate("location.hash = '#/data/Hero'")
    expect(page.locator("table.grid tbody tr")).to_have_count(3)
    page.evaluate("location.hash = '#/model/entities/%E0%A4%A'")
    expect(page.get_by_text("There is no such element in this version.")).to_be_visible()
