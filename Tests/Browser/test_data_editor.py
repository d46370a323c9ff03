"""The object editor: an editor for each kind of property, by keyboard alone; what is set is read back from the file."""

import json
import re
import uuid

import pytest
from conftest import Store, hindrances, run, saved
from playwright.sync_api import expect

MODEL = """<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="22522" minimumToolsVersion="Automatic" sourceLanguage="Swift" userDefinedModelVersionIdentifier="">
    <entity name="Work" representedClassName="NSManagedObject" syncable="YES">
        <attribute name="title" attributeType="String" minValueString="2" maxValueString="60"><userInfo><entry key="studio.order" value="1"/></userInfo></attribute>
        <attribute name="notes" optional="YES" attributeType="String"><userInfo><entry key="studio.kind" value="longText"/><entry key="studio.section" value="About"/></userInfo></attribute>
        <attribute name="grade" optional="YES" attributeType="Integer 16" minValueString="0" maxValueString="100" usesScalarValueType="YES"/>
        <attribute name="price" optional="YES" attributeType="Decimal"/>
        <attribute name="made" optional="YES" attributeType="Date" usesScalarValueType="NO"/>
        <attribute name="isSold" optional="YES" attributeType="Boolean" usesScalarValueType="YES"/>
        <attribute name="style" optional="YES" attributeType="String"><userInfo><entry key="studio.choices" value="oil=Oil on canvas, ink=Ink"/></userInfo></attribute>
        <attribute name="tint" optional="YES" attributeType="String"><userInfo><entry key="studio.kind" value="color"/></userInfo></attribute>
        <attribute name="code" optional="YES" attributeType="UUID" usesScalarValueType="NO"/>
        <attribute name="site" optional="YES" attributeType="URI"/>
        <attribute name="tags" optional="YES" attributeType="Transformable" valueTransformerName="NSSecureUnarchiveFromData"/>
        <attribute name="place" optional="YES" attributeType="Composite" composite="Point"/>
        <attribute name="shout" optional="YES" attributeType="String" derived="YES" derivationExpression="uppercase:(title)"/>
        <attribute name="fleeting" optional="YES" transient="YES" attributeType="String"/>
        <attribute name="seal" optional="YES" attributeType="String" defaultValueString="kept"><userInfo><entry key="studio.readOnly" value="yes"/></userInfo></attribute>
        <relationship name="maker" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Artist" inverseName="works" inverseEntity="Artist"/>
        <relationship name="parts" optional="YES" toMany="YES" deletionRule="Cascade" ordered="YES" destinationEntity="Part" inverseName="work" inverseEntity="Part"/>
        <fetchedProperty name="dearer" optional="YES"><fetchRequest name="fetchedPropertyFetchRequest" entity="Work" predicateString="price &gt; $FETCH_SOURCE.price"/></fetchedProperty>
    </entity>
    <entity name="Artist" representedClassName="NSManagedObject" syncable="YES">
        <attribute name="name" optional="YES" attributeType="String"/>
        <relationship name="works" optional="YES" toMany="YES" deletionRule="Deny" destinationEntity="Work" inverseName="maker" inverseEntity="Work"><userInfo><entry key="studio.sort" value="-title"/></userInfo></relationship>
    </entity>
    <entity name="Part" representedClassName="NSManagedObject" syncable="YES">
        <attribute name="name" optional="YES" attributeType="String"/>
        <relationship name="work" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Work" inverseName="parts" inverseEntity="Work"/>
    </entity>
    <composite name="Point">
        <attribute name="lat" optional="YES" attributeType="Double" usesScalarValueType="YES"/>
        <attribute name="label" optional="YES" attributeType="String"/>
    </composite>
</model>"""


@pytest.fixture
def gallery(tmp_path):
    version = tmp_path / "Gallery.xcdatamodeld" / "Gallery.xcdatamodel"
    version.mkdir(parents=True)
    (version / "contents").write_text(MODEL)
    store = Store(tmp_path / "Gallery.sqlite", version.parent)
    run("create", store.path, "--model", version.parent)
    for entity, records in {
        "Artist": [{"name": "Ada"}, {"name": "Bo"}], "Work": [{"title": "First", "price": 10}, {"title": "Second", "price": 20}],
    }.items():
        file = tmp_path / f"{entity}.json"
        file.write_text(json.dumps(records))
        run("import", store.path, entity, file)
    return store


def field(page, key):
    return page.locator(f"[data-key={key}]")


def test_every_kind_of_value_is_set_by_keyboard(studio, visit, shot, gallery):
    page = visit(studio(gallery.model, gallery.path), "#/data/Work")
    cell = page.locator('td[data-row="0"][data-column="0"]')
    expect(cell).to_contain_text("First")
    cell.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("First")

    def typed(label, text):
        control = page.get_by_label(label, exact=True)
        control.focus()
        page.keyboard.press("Control+a")
        page.keyboard.type(text)
        page.keyboard.press("Tab")

    typed("Title *", "The First")
    typed("Notes", "One line\nand another")
    typed("Grade", "40")
    page.get_by_role("slider", name="Grade, slider").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_label("Grade", exact=True)).to_have_value("41")
    typed("Price", "1234567890.12345678")
    typed("Made", "1999-12-31T23:59:59Z")
    page.get_by_label("Is sold", exact=True).focus()
    page.keyboard.type("yes")
    page.get_by_label("Style", exact=True).focus()
    page.keyboard.type("Ink")
    page.keyboard.press("Tab")
    page.get_by_role("button", name="New UUID for Code").press("Enter")
    typed("Site", "https://example.org/a?b=c")
    tint = page.get_by_role("group", name="Tint")
    for part, presses in [("red", 3), ("blue", 1)]:
        tint.get_by_role("slider", name=f"Tint, {part}").focus()
        for _ in range(presses):
            page.keyboard.press("ArrowRight")
    expect(tint.get_by_role("img", name="Colour #030001FF")).to_be_visible()
    field(page, "tags").get_by_role("button", name="Edit as JSON").press("Enter")
    page.get_by_label("Tags as JSON").fill('["oil", {"size": 3}]')
    field(page, "tags").get_by_role("button", name="Set", exact=True).press("Enter")
    expect(field(page, "tags").locator("pre")).to_contain_text('"size": 3')
    place = page.get_by_role("group", name="Place")
    place.get_by_label("Lat", exact=True).focus()
    page.keyboard.type("52.5")
    page.keyboard.press("Tab")
    place.get_by_label("Label", exact=True).focus()
    page.keyboard.type("Berlin")
    page.keyboard.press("Tab")
    page.get_by_role("button", name="Choose Maker").press("Enter")
    picker = page.get_by_role("dialog")
    page.keyboard.type("bo")
    expect(picker.get_by_role("option")).to_have_count(1)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_role("group", name="Maker")).to_contain_text("Bo")
    expect(page.get_by_role("button", name="Choose Maker")).to_be_focused()
    shot(page, "data-gallery")
    assert hindrances(page) == []
    saved(page)
    columns = "ZTITLE, ZNOTES, ZGRADE, ZPRICE, ZMADE, ZISSOLD, ZSTYLE, ZTINT, ZCODE, ZSITE, ZSHOUT, ZSEAL, (SELECT ZNAME FROM ZARTIST a WHERE a.Z_PK = ZMAKER)"
    row = gallery.sql(f"SELECT {columns} FROM ZWORK WHERE Z_PK = 1")[0]
    assert row[:3] == ("The First", "One line\nand another", 41)
    assert float(row[3]) == pytest.approx(1234567890.12345678)
    assert row[4:8] == (-31622401 + 0, 1, "ink", "#030001FF")
    assert str(uuid.UUID(bytes=row[8])).upper() == page.get_by_label("Code", exact=True).input_value().upper()
    assert row[9:] == ("https://example.org/a?b=c", "THE FIRST", "kept", "Bo")
    names = [one[1] for one in gallery.sql("PRAGMA table_info(ZWORK)")]
    stored = dict(zip(names, gallery.sql("SELECT * FROM ZWORK WHERE Z_PK = 1")[0]))
    assert 52.5 in stored.values() and "Berlin" in stored.values()
    expect(page.get_by_label("Shout", exact=True)).to_have_text("THE FIRST")


def test_what_is_calculated_or_locked_is_shown_and_not_edited(studio, visit, gallery):
    page = visit(studio(gallery.model, gallery.path), "#/data/Work/1")
    for key, reason in [("shout", "the store computes it"), ("fleeting", "no store keeps it"), ("seal", "isn't edited here")]:
        expect(field(page, key)).to_contain_text(reason)
        assert field(page, key).locator("input, textarea, select, button").count() == 0
    refused = page.evaluate("""async () => {
        const proof = (await (await fetch("api/session")).json()).proof;
        const answer = await fetch("api/data/objects/Work/1", { method: "POST", headers: { "X-Studio-Proof": proof }, body: '{"key": "seal", "value": "broken"}' });
        return answer.status;
    }""")
    assert refused == 422
    assert gallery.sql("SELECT ZSEAL FROM ZWORK WHERE Z_PK = 1") == [("kept",)]


def test_drilling_down_and_back_and_putting_parts_in_order_by_keyboard(studio, visit, shot, gallery):
    page = visit(studio(gallery.model, gallery.path), "#/data/Work/1")
    parts = page.get_by_role("region", name="Parts")
    for name in ["One", "Two", "Three"]:
        parts.get_by_role("button", name="New in Parts").press("Enter")
        expect(page.get_by_role("navigation", name="Way back")).to_contain_text("First")
        page.get_by_label("Name", exact=True).fill(name)
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", level=1)).to_have_text(name)
        page.get_by_role("button", name="Back").press("Enter")
        expect(page.get_by_role("heading", level=1)).to_have_text("First")
        expect(parts).to_contain_text(name)
    expect(parts.locator("li")).to_have_count(3)
    parts.get_by_role("button", name="Move Three with the arrow keys").focus()
    page.keyboard.press("ArrowUp")
    expect(parts.locator("li").nth(1)).to_contain_text("Three")
    expect(parts.get_by_role("button", name="Move Three with the arrow keys")).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(parts.locator("li").nth(0)).to_contain_text("Three")
    saved(page)
    order = "SELECT ZNAME FROM ZPART ORDER BY Z_FOK_WORK"
    assert [name for (name,) in gallery.sql(order)] == ["Three", "One", "Two"]
    parts.get_by_role("button", name="Remove One").press("Enter")
    expect(parts.locator("li")).to_have_count(2)
    saved(page)
    assert gallery.sql("SELECT ZNAME FROM ZPART WHERE ZWORK IS NULL") == [("One",)]


def test_a_denied_deletion_says_what_stands_in_the_way(studio, visit, shot, gallery):
    gallery.write("UPDATE ZWORK SET ZMAKER = 1")
    page = visit(studio(gallery.model, gallery.path), "#/data/Artist/1")
    works = page.get_by_role("region", name="Works")
    # In the order that the model names.
    expect(works.locator("li").first).to_contain_text("Second")
    page.get_by_role("button", name="Delete").press("Enter")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Can’t be deleted")
    shot(page, "data-denied")
    assert hindrances(page) == []
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Delete")).to_be_focused()
    assert gallery.sql("SELECT COUNT(*) FROM ZARTIST") == [(2,)]


def test_changes_that_cannot_be_saved_are_fixed_or_discarded_by_keyboard(studio, visit, gallery):
    page = visit(studio(gallery.model, gallery.path), "#/data/Work/1")
    page.get_by_label("Title *", exact=True).fill("x")
    page.keyboard.press("Enter")
    expect(field(page, "title").locator(".message")).to_be_visible()
    page.get_by_label("Grade", exact=True).fill("500")
    page.keyboard.press("Tab")
    expect(field(page, "grade").locator(".message")).to_be_visible()
    page.keyboard.press("Control+s")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("listitem")).to_have_count(2)
    expect(dialog.get_by_role("button", name="Fix")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_label(re.compile("Title|Grade")).and_(page.locator(":focus"))).to_have_count(1)
    page.keyboard.press("Control+s")
    expect(dialog).to_be_visible()
    page.keyboard.press("Tab")
    expect(dialog.get_by_role("button", name="Discard changes")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Everything is saved")).to_be_visible()
    expect(page.get_by_label("Title *", exact=True)).to_have_value("First")
    assert gallery.sql("SELECT ZTITLE, ZGRADE FROM ZWORK WHERE Z_PK = 1")[0][0] == "First"


@pytest.mark.long
@pytest.mark.parametrize("width, dark", [(1280, True), (400, False)])
def test_the_gallery_is_for_everybody(studio, visit, shot, gallery, width, dark):
    page = visit(studio(gallery.model, gallery.path), "#/data/Work/1", width=width, dark=dark)
    expect(field(page, "title")).to_be_visible()
    assert hindrances(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    nameless = page.evaluate("""() => [...document.querySelectorAll("#main button, #main input, #main select, #main textarea, #main a")]
        .filter((one) => !one.hidden && one.type !== "file" && !(one.ariaLabel || one.labels?.length || one.textContent.trim() || one.title)).map((one) => one.outerHTML)""")
    assert nameless == []
    shot(page, f"data-gallery-{width}")


def test_an_app_s_action_is_asked_for_and_done(studio, visit, superdb):
    """The command has no actions of an app's: here the answers are those of one. What an app's server does is tried without a browser."""
    page = visit(studio(superdb.model, superdb.path))
    asked = []

    def entity(route):
        answer = route.fetch()
        route.fulfill(response=answer, json={**answer.json(), "actions": [{"name": "Retire", "question": "Retire them?"}]})

    def action(route):
        asked.append(route.request.post_data_json)
        route.fulfill(json={"message": "2 retired.", "status": {}})

    page.route("**/api/data/entities/Hero", entity)
    page.route("**/api/data/actions", action)
    page.goto(page.url.split("#")[0] + "#/data/Power")
    expect(page.get_by_role("heading", level=1)).to_have_text("Power")
    page.goto(page.url.split("#")[0] + "#/data/Hero")
    rows = page.get_by_role("table", name="Hero").locator("tbody tr")
    rows.nth(0).get_by_role("checkbox").check()
    rows.nth(1).get_by_role("checkbox").check()
    page.get_by_role("button", name="Actions").click()
    page.get_by_role("menuitem", name="Retire").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Retire them?")
    assert hindrances(page) == []
    dialog.get_by_role("button", name="Cancel").click()
    expect(dialog).to_have_count(0)
    page.get_by_role("button", name="Actions").click()
    page.get_by_role("menuitem", name="Retire").click()
    dialog.get_by_role("button", name="Retire").click()
    expect(page.get_by_text("2 retired.")).to_be_visible()
    assert [(one["entity"], one["action"], len(one["ids"])) for one in asked] == [("Hero", "Retire", 2)]
