"""What a model says besides entities, edited in the wide part of the page and run against the store."""

import re

import pytest
from conftest import expect, hindrances, run, slow_down
from test_model import contents, entity, inspector, part, save


@pytest.fixture(autouse=True)
def state(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def wide(page):
    return page.get_by_role("region", name="Model", exact=True)


def rows(page):
    return page.locator("table.grid tbody tr")


def test_a_fetched_property_is_run_for_an_object_that_is_asked_for(studio, visit, shot, superdb):
    page = visit(studio(superdb.model, superdb.path), "#/model/entities/Hero")
    page.get_by_role("button", name="olderHeroes", exact=True).click()
    predicate = wide(page).get_by_label("Predicate", exact=True)
    expect(predicate).to_have_value("birthDate < $FETCH_SOURCE.birthDate")
    # Once on the page: the inspector has the other fields.
    expect(inspector(page).get_by_label("Predicate", exact=True)).to_have_count(0)
    predicate.fill("birthDate < $FETCH_SOURCE.birthDate AND SELF != $FETCH_SOURCE")
    predicate.press("Tab")
    expect(page.get_by_text("unsaved", exact=True)).to_be_visible()
    shot(page, "model-fetched-property")
    assert hindrances(page) == []
    save(page)
    request = part(contents(superdb.model), "Hero", "olderHeroes").find("fetchRequest")
    assert request.get("predicateString") == "birthDate < $FETCH_SOURCE.birthDate AND SELF != $FETCH_SOURCE"
    page.get_by_role("link", name="Run against this store").click()
    page.get_by_role("button", name="Choose $FETCH_SOURCE").click()
    page.get_by_role("dialog").get_by_role("option", name="Wonder Woman").click()
    expect(rows(page)).to_have_count(1)
    expect(page.get_by_role("link", name="Superman")).to_be_visible()
    expect(page.get_by_role("group", name="$FETCH_SOURCE")).to_contain_text("Wonder Woman")
    assert hindrances(page) == []


def test_the_predicate_of_an_index_is_run(studio, visit, superdb):
    file = superdb.model / "SuperDB.xcdatamodel" / "contents"
    text = file.read_text()
    place = text.index("</entity>")
    file.write_text(text[:place] + """<fetchIndex name="men" partialIndexPredicate="sex == 'Male'">
        <fetchIndexElement property="name" type="Binary" order="ascending"/></fetchIndex>""" + text[place:])
    page = visit(studio(superdb.model, superdb.path), "#/model/entities/Hero")
    page.get_by_role("button", name="men", exact=True).click()
    expect(inspector(page).get_by_role("heading", level=2)).to_have_text(re.compile("men$"))
    wide(page).get_by_role("link", name="Run against this store").click()
    expect(rows(page)).to_have_count(2)


def test_an_issue_leads_to_a_wide_predicate(studio, visit, superdb):
    page = visit(studio(superdb.model), "#/model/entities/Hero")
    page.get_by_role("button", name="olderHeroes", exact=True).click()
    predicate = wide(page).get_by_label("Predicate", exact=True)
    predicate.fill("birthDate <")
    predicate.press("Tab")
    page.get_by_role("link", name=re.compile("^Issues")).click()
    page.locator(".model-issues button").filter(has_text="olderHeroes").first.click()
    expect(predicate).to_be_focused()
    expect(predicate).to_have_value("birthDate <")


def test_a_configuration_is_made_ticked_and_held_against_the_store(studio, visit, shot, superdb):
    page = visit(studio(superdb.model, superdb.path), "#/model")
    page.get_by_role("button", name="Add configuration").click()
    name = inspector(page).get_by_label("Name", exact=True)
    expect(name).to_be_focused()
    name.fill("Cloud")
    name.press("Enter")
    expect(page.get_by_role("heading", name="Cloud", exact=True).first).to_be_visible()
    wide(page).get_by_role("checkbox", name="Power").check()
    expect(page.get_by_role("button", name=re.compile("^Undo"))).to_be_enabled()
    page.get_by_role("button", name="Run against this store").click()
    dialog = page.get_by_role("dialog", name="Cloud and this store")
    expect(dialog).to_contain_text("objects of entities that the configuration leaves out")
    expect(dialog.get_by_role("row", name="Hero 3 left out")).to_be_visible()
    expect(dialog.get_by_role("row", name="Power 0 in it")).to_be_visible()
    shot(page, "model-configuration")
    assert hindrances(page) == []
    dialog.get_by_role("button", name="Close").last.click()
    wide(page).get_by_role("checkbox", name="Hero").check()
    page.get_by_role("button", name="Run against this store").click()
    expect(dialog).to_contain_text("All objects of the store are of the configuration’s entities.")
    dialog.get_by_role("link", name="Hero").click()
    expect(rows(page)).to_have_count(3)
    page.go_back()
    save(page)
    configuration = contents(superdb.model).find("configuration")
    assert configuration.get("name") == "Cloud"
    assert {one.get("name") for one in configuration} == {"Hero", "Power"}
    run("model", superdb.model)


@pytest.mark.long
def test_a_configuration_is_run_as_it_was_ticked_last(studio, slow, superdb):
    page = slow(studio(superdb.model, superdb.path), "#/model", "")
    page.get_by_role("button", name="Add configuration").click()
    expect(inspector(page).get_by_label("Name", exact=True)).to_be_focused()
    slow_down(page, "model/edit", 1000)
    wide(page).get_by_role("checkbox", name="Power").check()
    page.get_by_role("button", name="Run against this store").click()
    expect(page.get_by_role("dialog").get_by_role("row", name="Power 0 in it")).to_be_visible()


def test_new_attributes_stand_where_their_names_belong(studio, visit, superdb):
    page = visit(studio(superdb.model), "#/model/entities/Hero")
    for attribute in ["zeal", "age"]:
        page.get_by_role("button", name="Add attribute").click()
        name = inspector(page).get_by_label("Name", exact=True)
        expect(name).to_be_focused()
        name.fill(attribute)
        name.press("Enter")
        expect(page.get_by_role("button", name=attribute, exact=True)).to_be_visible()
    picks = page.get_by_role("table", name="Attributes").locator(".model-pick")
    expected = ["age", "birthDate", "favouriteColour", "name", "secretIdentity", "sex", "zeal"]
    expect(picks).to_have_text(expected)
    save(page)
    assert [one.get("name") for one in entity(contents(superdb.model), "Hero").findall("attribute")] == expected


def test_a_model_that_held_only_a_line_break_is_edited_without_traces(studio, visit, tmp_path):
    file = tmp_path / "Empty.xcdatamodel"
    file.mkdir()
    (file / "contents").write_text('<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
        '<model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">\n</model>')
    page = visit(studio(file), "#/model")
    page.get_by_role("button", name="Add entity").first.click()
    name = inspector(page).get_by_label("Name", exact=True)
    expect(name).to_be_focused()
    name.fill("Song")
    name.press("Enter")
    save(page)
    text = (file / "contents").read_text()
    assert "&#10;" not in text and "&#xA;" not in text
    assert [one.get("name") for one in contents(file).findall("entity")] == ["Song"]
