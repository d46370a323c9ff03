"""The studio's frame: getting in, what stays out, what it looks like on narrow and dark screens."""

import http.client
import threading
import urllib.parse
import urllib.request

import pytest
from conftest import hindrances
from playwright.sync_api import expect


def settled(page):
    """Waits until the page has what it shows; a request that waits for news is always open."""
    expect(page.locator("#main")).not_to_contain_text("Loading")
    expect(page.locator(".entities .count, .entity-select, .model-page, .model-svg, #main .sidebar").first).to_be_attached()
    page.wait_for_timeout(300)


def test_the_link_lets_one_browser_in(studio, visit, browser, superdb):
    running = studio(superdb.model, superdb.path)
    page = visit(running)
    expect(page.get_by_role("link", name="Data")).to_be_visible()
    # The page may have gone on to its first entity by now; what counts is that the link's token is gone.
    assert page.url.split("#")[0] == running.base
    other = browser.new_page()
    assert other.goto(running.link).status == 401
    expect(other.get_by_role("heading")).to_have_text("This link lets nobody in")
    other.close()


def test_scripts_cannot_read_the_cookie(studio, visit, superdb):
    page = visit(studio(superdb.path))
    assert page.evaluate("document.cookie") == ""
    cookie = page.context.cookies()[0]
    assert cookie["httpOnly"] and cookie["sameSite"] == "Strict"


def test_another_name_for_the_address_is_refused(studio, superdb):
    place = urllib.parse.urlsplit(studio(superdb.path).base)
    connection = http.client.HTTPConnection(place.hostname, place.port)
    connection.request("GET", "/", headers={"Host": "evil.example"})
    assert connection.getresponse().status == 421


# Long: test_looks.py has each page in two looks.
@pytest.mark.long
@pytest.mark.parametrize("area", ["data", "model"])
@pytest.mark.parametrize("dark", [False, True])
def test_nobody_is_kept_from_using_it(studio, visit, shot, superdb, area, dark):
    page = visit(studio(superdb.model, superdb.path), f"#/{area}", dark=dark)
    settled(page)
    assert hindrances(page) == []
    shot(page, f"{area}-{'dark' if dark else 'light'}")


@pytest.mark.long
@pytest.mark.parametrize("area", ["data", "model"])
def test_narrow_screens_scroll_one_way_only(studio, visit, shot, superdb, area):
    page = visit(studio(superdb.model, superdb.path), f"#/{area}", width=400)
    settled(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 400
    shot(page, f"{area}-narrow")


def test_reading_only_leaves_all_files_as_they_are(studio, visit, bookmarks):
    before = bookmarks.bytes()
    running = studio("--read-only", bookmarks.path)
    page = visit(running, "#/data")
    expect(page.get_by_text("read-only")).to_be_visible()
    settled(page)
    running.stop()
    assert bookmarks.bytes() == before


@pytest.mark.long
def test_ten_thousand_requests_from_fifty_connections(studio, visit, superdb):
    running = studio(superdb.path)
    page = visit(running)
    cookie = page.context.cookies()[0]
    place = urllib.parse.urlsplit(running.base)
    statuses, faults = [], []

    def ask():
        try:
            connection = http.client.HTTPConnection(place.hostname, place.port, timeout=60)
            for _ in range(200):
                connection.request("GET", "/api/data/entities", headers={"Cookie": f"{cookie['name']}={cookie['value']}"})
                answer = connection.getresponse()
                answer.read()
                statuses.append(answer.status)
        except Exception as error:
            faults.append(error)

    def round_of_fifty():
        threads = [threading.Thread(target=ask) for _ in range(50)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def memory():
        with open(f"/proc/{running.process.pid}/status") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))

    for _ in range(200):
        ask_once = http.client.HTTPConnection(place.hostname, place.port, timeout=60)
        ask_once.request("GET", "/api/data/entities", headers={"Cookie": f"{cookie['name']}={cookie['value']}"})
        ask_once.getresponse().read()
        ask_once.close()
    before = memory()
    round_of_fifty()
    assert faults == []
    assert len(statuses) == 10_000 and set(statuses) == {200}
    assert memory() - before < 60_000, "kB more than before"
