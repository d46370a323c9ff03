"""Properties that go from one entity to another: dragged, by the clipboard's keys, by a dialog."""

import shutil

import pytest
from conftest import expect, hindrances


@pytest.fixture(autouse=True)
def state(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def contents(model):
    return next(model.glob("*.xcdatamodel/contents")).read_text()


def test_properties_are_pasted_dragged_and_moved(studio, visit, superdb, shot):
    page = visit(studio(superdb.model), "#/model/entities/Hero")
    attributes = page.get_by_role("table", name="Attributes")
    attributes.get_by_role("button", name="birthDate").click()
    attributes.get_by_role("button", name="sex").click(modifiers=["Control"])
    page.keyboard.press("Control+c")
    page.get_by_role("navigation", name="Elements of the model").get_by_role("link", name="Power").click()
    expect(attributes.get_by_role("button", name="birthDate")).to_have_count(0)
    page.get_by_role("heading", name="Power", exact=True).click()
    page.keyboard.press("Control+v")
    expect(attributes.get_by_role("button", name="birthDate")).to_be_visible()
    expect(attributes.get_by_role("button", name="sex")).to_be_visible()
    # Both are selected, so that both are dragged; Hero has them already.
    link = page.get_by_role("navigation", name="Elements of the model").get_by_role("link", name="Hero")
    attributes.get_by_role("button", name="sex").drag_to(link)
    expect(page.get_by_text("There is \"birthDate\" already.")).to_be_visible()
    # Messages stand over the inspector.
    for _ in range(page.locator(".toast").count()):
        page.locator(".toast").first.get_by_role("button", name="Dismiss").click()
    # One that Hero lacks moves.
    attributes.get_by_role("button", name="source").drag_to(link)
    expect(attributes.get_by_role("button", name="secretIdentity")).to_be_visible()
    expect(attributes.get_by_role("button", name="source")).to_be_visible()
    page.get_by_role("navigation", name="Elements of the model").get_by_role("link", name="Power").click()
    attributes.get_by_role("button", name="birthDate").click()
    page.get_by_role("button", name="Move…").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Entity").select_option("Hero")
    shot(page, "model-move")
    assert hindrances(page) == []
    dialog.get_by_role("button", name="Copy", exact=True).click()
    expect(page.get_by_role("heading", name="Hero", exact=True)).to_be_visible()
    expect(attributes.get_by_role("button", name="birthDate2")).to_be_visible()
    page.keyboard.press("Control+s")
    expect(page.get_by_text("unsaved", exact=True)).to_have_count(0)
    assert contents(superdb.model).count('name="birthDate"') == 2
    assert contents(superdb.model).count('name="birthDate2"') == 1


@pytest.mark.long
def test_properties_of_another_version_are_not_pasted_in_silence(studio, visit, superdb):
    shutil.copytree(superdb.model / "SuperDB.xcdatamodel", superdb.model / "Other.xcdatamodel")
    page = visit(studio(superdb.model), "#/model/entities/Hero")
    page.get_by_role("button", name="secretIdentity", exact=True).click()
    page.keyboard.press("Control+c")
    expect(page.locator(".toast")).to_contain_text("1 property copied")
    page.get_by_label("Version", exact=True).select_option("Other")
    page.get_by_role("link", name="Power").first.click()
    expect(page.get_by_role("heading", name="Power", level=2, exact=True)).to_be_visible()
    page.locator("body").press("Control+v")
    expect(page.locator(".toast").last).to_contain_text("copied aren’t in this version")
