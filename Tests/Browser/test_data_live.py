"""Others' saves appear by themselves, and cost few requests."""

import time

from conftest import run, saved
from playwright.sync_api import expect


def counted(page):
    asked = []
    page.on("request", lambda request: asked.append(request.url) if "/api/" in request.url else None)
    return asked


def test_a_page_at_rest_asks_for_next_to_nothing(studio, visit, superdb):
    page = visit(studio(superdb.model, superdb.path), "#/data/Hero")
    expect(page.get_by_role("table", name="Hero").locator("tbody tr")).to_have_count(3)
    page.wait_for_timeout(800)
    asked = counted(page)
    page.wait_for_timeout(5_000)
    assert len(asked) <= 2, asked


def test_what_another_process_saves_appears_within_a_second_or_so(studio, visit, superdb):
    page = visit(studio(superdb.model, superdb.path), "#/data/Hero")
    expect(page.get_by_role("table", name="Hero")).to_contain_text("Bruce Wayne")
    asked = counted(page)
    run("set", superdb.path, "Hero/1", "secretIdentity=Robin", "--model", superdb.model)
    start = time.monotonic()
    expect(page.get_by_role("table", name="Hero")).to_contain_text("Robin")
    assert time.monotonic() - start < 8
    assert superdb.sql("SELECT ZSECRETIDENTITY FROM ZHERO WHERE Z_PK = 1") == [("Robin",)]
    page.wait_for_timeout(1_000)
    assert len(asked) <= 10, asked


def test_a_page_that_nobody_sees_waits_for_nothing(studio, visit, superdb):
    page = visit(studio(superdb.model, superdb.path), "#/data/Hero")
    expect(page.get_by_role("table", name="Hero")).to_contain_text("Bruce Wayne")
    hide = """(isHidden) => { Object.defineProperty(document, "hidden", { configurable: true, get: () => isHidden }); document.dispatchEvent(new Event("visibilitychange")); }"""
    given_up = []
    page.on("requestfailed", lambda request: given_up.append(request.url))
    page.evaluate(hide, True)
    page.wait_for_timeout(300)
    assert any("/changes?" in url for url in given_up), given_up
    asked = counted(page)
    run("set", superdb.path, "Hero/1", "secretIdentity=Robin", "--model", superdb.model)
    page.wait_for_timeout(2_000)
    assert asked == []
    page.evaluate(hide, False)
    expect(page.get_by_role("table", name="Hero")).to_contain_text("Robin")


def test_two_pages_of_one_browser_show_each_others_changes(studio, visit, superdb):
    running = studio(superdb.model, superdb.path)
    page = visit(running, "#/data/Hero")
    other = page.context.new_page()
    other.goto(running.base + "#/data/Hero/1")
    other.get_by_label("Secret identity", exact=True).fill("Alfred")
    other.keyboard.press("Enter")
    expect(page.get_by_text("Unsaved: 1 changed")).to_be_visible()
    saved(other)
    expect(page.get_by_role("table", name="Hero")).to_contain_text("Alfred")
    expect(page.get_by_text("Everything is saved")).to_be_visible()


def test_a_studio_that_ends_is_said_to_be_gone(studio, visit, superdb):
    running = studio(superdb.model, superdb.path)
    page = visit(running, "#/data/Hero")
    expect(page.get_by_role("table", name="Hero").locator("tbody tr")).to_have_count(3)
    start = time.monotonic()
    running.stop()
    assert time.monotonic() - start < 10, "requests that wait for news must not hold it up"
    page.get_by_role("link", name="Batman").click()
    expect(page.locator("#main")).to_contain_text("The server doesn’t answer")
