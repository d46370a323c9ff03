"""Five tours through the studio, from beginning to end; Docs/Studio.md shows their pictures.

Scripts/studio-tours takes the pictures anew.
"""

import os
import subprocess

import pytest
from conftest import ROOT, expect, run, saved
from test_data_shown import many
from test_shared import Shared, come_in  # noqa: F401 (a fixture)

pytestmark = pytest.mark.long
SIZE = {"width": 1280, "height": 760}
# Milliseconds for a question about a million rows, on a machine that does much else: only what hangs takes so long.
LONG = 1_200_000


@pytest.fixture(autouse=True)
def state(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def still(page):
    """Waits until no message covers the page, so that pictures differ by what changed only."""
    expect(page.locator(".toast")).to_have_count(0, timeout=20_000)


def test_from_nothing_to_classes_and_rows(studio, visit, tmp_path, shot):
    model, store = tmp_path / "Music.xcdatamodeld", tmp_path / "Music.sqlite"
    first = studio(model)
    page = visit(first, **SIZE)
    expect(page.get_by_role("heading", level=1)).to_have_text("New model")
    shot(page, "tour-new-1-start")
    page.get_by_role("button", name="Empty model").click()
    name = page.get_by_role("complementary", name="Inspector").get_by_label("Name", exact=True)
    page.get_by_role("button", name="Add entity").first.click()
    expect(name).to_be_focused()
    name.fill("Song")
    name.press("Enter")
    page.get_by_role("link", name="Song").first.click()
    for attribute, kind in [("title", "String"), ("seconds", "Integer 32"), ("released", "Date")]:
        page.get_by_role("button", name="Add attribute").click()
        expect(name).to_be_focused()
        name.fill(attribute)
        name.press("Enter")
        page.get_by_label(f"Type of {attribute}").select_option(kind)
    expect(page.get_by_role("complementary", name="Inspector").get_by_label("Type", exact=True)).to_have_value("Date")
    shot(page, "tour-new-2-model")
    page.keyboard.press("Control+s")
    expect(page.get_by_role("button", name="Save")).to_be_disabled()
    still(page)
    page.goto(first.base + "#/model/preview")
    page.get_by_role("button", name="Write to folder…").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Folder").fill("Sources/Music")
    dialog.get_by_role("button", name="Compare").click()
    expect(dialog.get_by_text("new", exact=True).first).to_be_visible()
    shot(page, "tour-new-3-classes")
    dialog.get_by_role("button", name="Write").last.click()
    expect(dialog).to_have_count(0)
    assert list((tmp_path / "Sources" / "Music").glob("Song*.swift"))
    run("create", store, "--model", model)
    page = visit(studio(model, store), "#/data/Song", **SIZE)
    for title, seconds in [("Blue in Green", "337"), ("So What", "562")]:
        page.get_by_role("link", name="Song").first.click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Song")
        page.get_by_role("button", name="New", exact=True).first.click()
        page.get_by_label("Title", exact=True).fill(title)
        page.get_by_label("Seconds", exact=True).fill(seconds)
        page.keyboard.press("Tab")
        expect(page.get_by_role("heading", level=1)).to_have_text(title)
    saved(page)
    page.get_by_role("link", name="Song").first.click()
    expect(page.locator("table.grid tbody tr")).to_have_count(2)
    still(page)
    shot(page, "tour-new-4-rows")


def test_a_million_rows(studio, visit, catalogue, shot):
    many(catalogue, 1_000_000)
    catalogue.write("UPDATE ZLOGENTRY SET ZDATE = 700000000 + Z_PK * 60")
    page = visit(studio(catalogue.model, catalogue.path), "#/data/LogEntry", **SIZE)
    count = page.locator(".toolbar .badge").first
    expect(count).to_have_text("1,000,000")
    page.get_by_role("searchbox", name="Search LogEntry").fill("99999")
    page.keyboard.press("Enter")
    expect(count).to_have_text("19", timeout=LONG)
    page.get_by_role("searchbox", name="Filter Date").fill("2025-01")
    expect(count).to_have_text("10", timeout=LONG)
    shot(page, "tour-million-1-found")
    page.get_by_role("searchbox", name="Search LogEntry").fill("")
    page.keyboard.press("Enter")
    page.get_by_role("searchbox", name="Filter Date").fill("")
    expect(count).to_have_text("1,000,000", timeout=LONG)
    page.get_by_role("link", name="Chart").click()
    expect(page.get_by_role("table", name="Number of rows by Date").get_by_role("row", name="2024-01 ")).to_be_visible(timeout=LONG)
    shot(page, "tour-million-2-chart")
    page.get_by_role("link", name="Rows").click()
    expect(count).to_have_text("1,000,000", timeout=LONG)
    page.get_by_role("button", name="Export").click()
    page.get_by_role("menuitem", name="CSV of the rows found").click()
    progress = page.locator(".toast.progress")
    expect(progress).to_contain_text("of 1,000,000 rows")
    shot(page, "tour-million-3-export")
    progress.get_by_role("button", name="Stop").click()
    expect(progress).to_have_count(0)


def add_version(model, number, attribute):
    """Adds a version with one more attribute of the hero, and makes it the current one."""
    before = model / f"SuperDB{'' if number == 2 else f' {number - 1}'}.xcdatamodel" / "contents"
    after = model / f"SuperDB {number}.xcdatamodel" / "contents"
    after.parent.mkdir()
    text = before.read_text()
    place = text.index("<relationship")
    after.write_text(text[:place] + f'<attribute name="{attribute}" optional="YES" attributeType="String"/>\n        ' + text[place:])
    (model / ".xccurrentversion").write_text(f"""<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0"><dict><key>_XCCurrentVersionName</key><string>SuperDB {number}.xcdatamodel</string></dict></plist>""")


def test_a_store_two_versions_behind(studio, visit, superdb, shot):
    add_version(superdb.model, 2, "motto")
    add_version(superdb.model, 3, "home")
    page = visit(studio(superdb.model, superdb.path), "#/data/Hero", **SIZE)
    expect(page.get_by_text("This store is of version SuperDB; the model is at SuperDB 3.")).to_be_visible()
    page.get_by_role("button", name="Migrate…").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("ZMOTTO")
    expect(dialog).to_contain_text("ZHOME")
    shot(page, "tour-migration-1-plan")
    dialog.get_by_role("button", name="Migrate", exact=True).click()
    expect(dialog).to_contain_text("The store is of the model’s version now.")
    shot(page, "tour-migration-2-done")
    dialog.get_by_role("button", name="Go on").click()
    page.get_by_role("link", name="Batman").click()
    expect(page.get_by_label("Motto", exact=True)).to_be_visible()
    assert superdb.sql("SELECT COUNT(ZMOTTO), COUNT(ZHOME), COUNT(*) FROM ZHERO") == [(0, 0, 3)]


def test_a_conflict_with_another_program(studio, visit, superdb, shot):
    page = visit(studio(superdb.model, superdb.path), "#/data/Hero/1", **SIZE)
    page.get_by_label("Secret identity", exact=True).fill("Terry McGinnis")
    page.keyboard.press("Tab")
    expect(page.get_by_text("Unsaved: 1 changed")).to_be_visible()
    run("set", superdb.path, "Hero/1", "secretIdentity=Dick Grayson", "--model", superdb.model)
    page.keyboard.press("Control+s")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Dick Grayson")
    shot(page, "tour-conflict-1-both")
    dialog.get_by_role("radio", name="Dick Grayson").check()
    dialog.get_by_role("button", name="Save with these values").click()
    expect(page.get_by_label("Secret identity", exact=True)).to_have_value("Dick Grayson")
    still(page)
    shot(page, "tour-conflict-2-saved")


def test_two_users(superdb, come_in, shot):  # noqa: F811 (the fixture)
    running = Shared("--user", "ann=edit", "--user", "bob=read", superdb.model, superdb.path)
    try:
        ann, bob = come_in(running, "ann", "#/data/Hero/1", **SIZE), come_in(running, "bob", "#/data/Hero/1", **SIZE)
        ann.get_by_label("Secret identity", exact=True).fill("Terry McGinnis")
        ann.keyboard.press("Tab")
        expect(ann.get_by_text("Unsaved: 1 changed")).to_be_visible()
        shot(ann, "tour-shared-1-editor")
        saved(ann)
        expect(bob.locator("[data-key=secretIdentity] output")).to_have_text("Terry McGinnis")
        shot(bob, "tour-shared-2-reader")
    finally:
        running.stop()


def test_the_pages_of_a_program(visit, tmp_path, shot):
    """The example's own studio, where its class says how old a hero is. Scripts/studio-tours builds it."""
    program = os.environ.get("STUDIO_EXAMPLE")
    if not program:
        pytest.skip("STUDIO_EXAMPLE names no program")
    process = subprocess.Popen([program, "--studio", tmp_path / "SuperDB.sqlite"], stdout=subprocess.PIPE, text=True)
    try:
        link = next(line.split()[1] for line in process.stdout if line.startswith("Open "))
        running = type("Program", (), {"link": link, "base": link.split("?")[0]})
        page = visit(running, "#/data/Hero/1", **SIZE)
        expect(page.locator("[data-key=age] output")).to_be_visible()
        expect(page.get_by_label("Sex", exact=True)).to_be_visible()
        shot(page, "configuration-object")
        page.goto(running.base + "#/data/Hero")
        page.locator("table.grid tbody input[type=checkbox]").first.check()
        page.get_by_role("button", name="Actions").click()
        expect(page.get_by_role("menuitem", name="Reveal the identity")).to_be_visible()
        shot(page, "configuration-actions")
    finally:
        process.kill()
        process.wait()


def test_pictures_of_the_documents_are_small():
    pictures = list((ROOT / "Docs" / "Images").glob("*.png"))
    assert pictures and all(one.stat().st_size < 150_000 for one in pictures)
