"""Values and names that are meant to do harm, or that browsers like to change: shown, edited, saved to the byte."""

import base64
import zlib
import struct

import pytest
from conftest import hindrances, hostile_model, saved
from playwright.sync_api import expect

HOSTILE = {
    "script": "<script>document.title='owned'</script><img src=x onerror=document.title='owned'>",
    "nul": "before\0after\0",
    "rtl": "\u202eabc\u202c \u05d0\u05d1\u05d2 \u200f",
    "lines": "one\ntwo\n\nthree\n",
    "windows": "one\r\ntwo\r\n",
    "quotes": "'; DROP TABLE ZHERO; --\"\\",
    "wide": "\U0001f469\u200d\U0001f52c e\u0301 \ufeffx",
}


def identity(store, key=1):
    return store.sql("SELECT CAST(ZSECRETIDENTITY AS BLOB) FROM ZHERO WHERE Z_PK = ?", key)[0][0].decode()


def png(width, height):
    """A picture, made of nothing but the format's rules."""
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    rows = b"".join(b"\0" + b"\xff\0\x80" * width for _ in range(height))
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_value_is_shown_edited_and_saved_to_the_byte(studio, visit, superdb, name):
    text = HOSTILE[name]
    superdb.write("UPDATE ZHERO SET ZNAME = ?, ZSECRETIDENTITY = ? WHERE Z_PK = 1", "A" + text[:60], text)
    page = visit(studio(superdb.model, superdb.path), "#/data/Hero")
    expect(page.get_by_role("table", name="Hero").locator("tbody tr")).to_have_count(3)
    page.goto(page.url.split("#")[0] + "#/data/Hero/1")
    field = page.get_by_label("Secret identity", exact=True)
    # Looking at it and pressing Return changes nothing.
    field.focus()
    page.keyboard.press("Enter")
    page.get_by_label("Sex", exact=True).select_option("Female")
    expect(page.get_by_text("Unsaved: 1 changed")).to_be_visible()
    saved(page)
    assert identity(superdb) == text
    field.focus()
    page.keyboard.press("Control+End")
    page.keyboard.type("!")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Unsaved: 1 changed")).to_be_visible()
    saved(page)
    assert identity(superdb) == text + "!"
    assert "owned" not in page.title()
    assert page.locator("#main script, #main img").count() == 0


@pytest.mark.long
def test_a_text_of_a_million_characters_is_edited(studio, visit, superdb):
    text = "x" * 999_990 + "\0y"
    superdb.write("UPDATE ZHERO SET ZSECRETIDENTITY = ? WHERE Z_PK = 1", text)
    page = visit(studio(superdb.model, superdb.path), "#/data/Hero/1")
    field = page.get_by_label("Secret identity", exact=True)
    expect(field).to_be_visible()
    expect(page.get_by_text("Holds 1 character that can’t be seen: U+0000")).to_be_visible()
    field.focus()
    page.keyboard.press("Control+Home")
    page.keyboard.type("A")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Unsaved: 1 changed")).to_be_visible()
    saved(page)
    assert identity(superdb) == "A" + text


def test_hostile_names_are_shown_and_their_values_saved(studio, visit, shot, tmp_path):
    store = hostile_model(tmp_path)
    page = visit(studio(store.model, store.path), "#/data/ZEntity")
    page.get_by_role("button", name="New").first.click()
    for label, value in [("Z_PK", "7"), ("Z_ENT", "<b>bold</b>"), ("<script>document.title=\"owned\"</script>", "from"), ("Naïve שם", "\u05d0")]:
        page.locator("[data-key]").filter(has_text=label.replace("_", " ") if label.startswith("Z") else label).locator("input, textarea").first.fill(value)
        page.keyboard.press("Enter")
    expect(page.get_by_text("Unsaved: 1 new")).to_be_visible()
    page.get_by_role("button", name="Choose Group").click()
    picker = page.get_by_role("dialog")
    picker.get_by_role("searchbox").fill("<i>all</i>")
    picker.get_by_role("button", name="New Order").click()
    expect(page.get_by_role("group", name="Group")).to_contain_text("<i>all</i>")
    shot(page, "data-hostile")
    saved(page)
    columns = [row[1] for row in store.sql("PRAGMA table_info(ZZENTITY)")]
    stored = dict(zip(columns, store.sql("SELECT * FROM ZZENTITY")[0]))
    assert {7, "<b>bold</b>", "from", "\u05d0"} <= set(stored.values())
    assert store.sql("SELECT ZNAME FROM ZORDER") == [("<i>all</i>",)]
    page.goto(page.url.split("#")[0] + "#/data/ZEntity")
    expect(page.get_by_role("columnheader", name="<script>")).to_be_visible()
    page.get_by_role("searchbox", name="Filter Z ENT").fill("<b>")
    expect(page.get_by_role("table", name="ZEntity").locator("tbody tr")).to_have_count(1)
    assert "owned" not in page.title() and page.locator("#main b, #main i, #main script").count() == 0
    assert hindrances(page) == []


def test_a_text_is_nil_or_empty_as_the_person_says(studio, visit, superdb):
    page = visit(studio(superdb.model, superdb.path), "#/data/Hero/1")
    page.get_by_role("button", name="Set Secret identity to nil").click()
    expect(page.get_by_role("button", name="Set Secret identity to the empty text")).to_be_visible()
    saved(page)
    assert superdb.sql("SELECT ZSECRETIDENTITY FROM ZHERO WHERE Z_PK = 1") == [(None,)]
    page.get_by_role("button", name="Set Secret identity to the empty text").click()
    expect(page.get_by_text("Unsaved: 1 changed")).to_be_visible()
    saved(page)
    assert superdb.sql("SELECT ZSECRETIDENTITY FROM ZHERO WHERE Z_PK = 1") == [("",)]


def upload(page, tmp_path, name, body):
    file = tmp_path / name
    file.write_bytes(body)
    page.locator("[data-key=picture] input[type=file]").set_input_files(file)


def test_an_image_is_decoded_and_shown(studio, visit, shot, tmp_path):
    store = hostile_model(tmp_path)
    page = visit(studio(store.model, store.path), "#/data/ZEntity")
    page.get_by_role("button", name="New").first.click()
    picture = png(40, 30)
    upload(page, tmp_path, "picture.png", picture)
    image = page.locator("[data-key=picture] img")
    expect(image).to_be_visible()
    expect(image).to_have_js_property("naturalWidth", 40)
    expect(image).to_have_attribute("alt", f"Picture: image/png, {len(picture)} bytes")
    shot(page, "data-image")
    saved(page)
    assert store.sql("SELECT ZPICTURE FROM ZZENTITY") == [(picture,)]
    assert hindrances(page) == []


def test_bytes_are_shown_in_hexadecimal(studio, visit, shot, tmp_path):
    store = hostile_model(tmp_path)
    page = visit(studio(store.model, store.path), "#/data/ZEntity")
    page.get_by_role("button", name="New").first.click()
    upload(page, tmp_path, "some.bin", b"Core Data, bytes\x00\xff" + bytes(20_000))
    page.get_by_role("button", name="Picture in hexadecimal").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("00000000  43 6f 72 65 20 44 61 74 61 2c 20 62 79 74 65 73  Core Data, bytes")
    expect(dialog).to_contain_text("00000010  00 ff")
    expect(dialog).to_contain_text("The first 16")
    shot(page, "data-hex")
    assert hindrances(page) == []
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


SVG = b"<svg xmlns='http://www.w3.org/2000/svg' onload='document.title=1'><script>top.document.title='owned'</script></svg>"
HTML = b"<!doctype html><script>top.document.title='owned'</script>"


@pytest.mark.parametrize("body", [SVG, HTML, b"GIF89a<script>alert(1)</script>"], ids=["svg", "html", "gif"])
def test_active_content_is_only_ever_a_download(studio, visit, tmp_path, body):
    store = hostile_model(tmp_path)
    page = visit(studio(store.model, store.path), "#/data/ZEntity")
    page.get_by_role("button", name="New").first.click()
    upload(page, tmp_path, "picture", body)
    expect(page.locator("[data-key=picture]")).to_contain_text(f"{len(body)} bytes")
    saved(page)
    assert store.sql("SELECT ZPICTURE FROM ZZENTITY") == [(body,)]
    answers = page.evaluate("""async () => {
        const ask = async (path) => { const answer = await fetch(path); return [answer.headers.get("content-type"), answer.headers.get("content-disposition"), answer.headers.get("x-content-type-options"), answer.headers.get("content-security-policy")]; };
        return [await ask("api/data/objects/ZEntity/1/bytes/picture"), await ask("api/data/objects/ZEntity/1/bytes/picture?show=1")];
    }""")
    for kind, disposition, sniffing, policy in answers:
        assert sniffing == "nosniff" and "script-src 'self'" in policy
        assert kind in ["application/octet-stream", "image/gif"]
        assert kind == "image/gif" or disposition.startswith("attachment")
    if body[:3] == b"GIF":
        return
    # Even gone to by itself it runs nothing.
    with page.expect_download():
        page.evaluate("location.href = 'api/data/objects/ZEntity/1/bytes/picture?show=1'")
    assert "owned" not in page.title()
