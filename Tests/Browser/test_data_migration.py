"""A store of an older version, migrated from the page; and templates of the model run against the store."""

import shutil

from conftest import expect, hindrances, run, saved


def older(superdb):
    """Adds a version to the model that the store isn't of."""
    model = superdb.model
    first = model / "SuperDB.xcdatamodel" / "contents"
    second = model / "SuperDB 2.xcdatamodel" / "contents"
    second.parent.mkdir()
    text = first.read_text()
    place = text.index("</entity>")
    second.write_text(text[:place] + '<attribute name="motto" optional="YES" attributeType="String"/>' + text[place:])
    (model / ".xccurrentversion").write_text("""<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0"><dict><key>_XCCurrentVersionName</key><string>SuperDB 2.xcdatamodel</string></dict></plist>""")


def test_a_store_of_an_older_version_is_migrated(studio, visit, shot, superdb):
    older(superdb)
    page = visit(studio(superdb.model, superdb.path), "#/data/Hero")
    banner = page.get_by_text("This store is of version SuperDB; the model is at SuperDB 2.")
    expect(banner).to_be_visible()
    expect(page.locator("table.grid tbody tr")).to_have_count(3)
    # Unsaved changes are in the way.
    page.get_by_role("link", name="Batman").click()
    page.get_by_label("Secret identity", exact=True).fill("Nobody")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Migrate…").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("listitem").first).to_contain_text("ZMOTTO")
    shot(page, "data-migration")
    assert hindrances(page) == []
    dialog.get_by_role("button", name="Migrate", exact=True).click()
    expect(dialog.get_by_role("alert")).to_contain_text("unsaved changes")
    dialog.get_by_role("button", name="Close").last.click()
    saved(page)
    page.get_by_role("button", name="Migrate…").click()
    dialog.get_by_role("button", name="Migrate", exact=True).click()
    expect(dialog).to_contain_text("The store is of the model’s version now.")
    expect(dialog).to_contain_text("SuperDB.sqlite.backup")
    dialog.get_by_role("button", name="Go on").click()
    expect(banner).to_have_count(0)
    page.get_by_label("Motto", exact=True).fill("Never")
    page.keyboard.press("Enter")
    saved(page)
    assert superdb.sql("SELECT ZSECRETIDENTITY, ZMOTTO FROM ZHERO WHERE ZNAME = 'Batman'") == [("Nobody", "Never")]
    assert superdb.path.with_name("SuperDB.sqlite.backup").exists()


def test_a_store_of_another_model_is_shown_with_its_own(studio, visit, superdb):
    older(superdb)
    shutil.rmtree(superdb.model / "SuperDB.xcdatamodel")
    page = visit(studio(superdb.model, superdb.path), "#/data/Hero")
    expect(page.get_by_text("This store was made with another model than SuperDB 2.")).to_be_visible()
    expect(page.locator("table.grid tbody tr")).to_have_count(3)


def test_templates_run_against_the_store(studio, visit, shot, superdb):
    file = superdb.model / "SuperDB.xcdatamodel" / "contents"
    text = file.read_text()
    end = text.rindex("</entity>") + len("</entity>")
    file.write_text(text[:end] + '<fetchRequest name="strong" entity="Hero" predicateString="name BEGINSWITH $START"/>' + text[end:])
    running = studio(superdb.model, superdb.path)
    page = visit(running, "#/model/requests/strong")
    page.get_by_role("link", name="Run against this store").click()
    value = page.get_by_label("Value of $START")
    value.fill('"B"')
    value.press("Enter")
    expect(page.locator("table.grid tbody tr")).to_have_count(1)
    page.goto(running.base + "#/data/Hero")
    page.get_by_role("button", name="Clear the predicate").click()
    expect(page.locator("table.grid tbody tr")).to_have_count(3)
    page.get_by_role("button", name="Templates").click()
    page.get_by_role("menuitem", name="strong").click()
    expect(value).to_be_focused()
    value.fill('"S"')
    value.press("Enter")
    expect(page.locator("table.grid tbody tr")).to_have_count(1)
    printed = run("query", superdb.path, "Hero", "--model", superdb.model, "--template", "strong", "--variable", 'START="W"', "--select", "name")
    assert "Wonder Woman" in printed and "Batman" not in printed
