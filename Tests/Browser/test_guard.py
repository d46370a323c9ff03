"""The door: what raw sockets, other sites and wrong words get to see."""

import http.client
import os
import socket
import time
import urllib.parse

import pytest
from conftest import saved
from playwright.sync_api import expect


class Door:
    """A studio's address, with a session's cookie."""

    def __init__(self, running):
        place = urllib.parse.urlsplit(running.link)
        self.process, self.host, self.port = running.process, place.hostname, place.port
        connection = http.client.HTTPConnection(self.host, self.port)
        connection.request("GET", f"/?{place.query}")
        answer = connection.getresponse()
        assert answer.status == 303
        self.cookie_header = answer.getheader("Set-Cookie")
        self.cookie = self.cookie_header.split(";")[0]
        answer.read()

    def head(self, first="GET / HTTP/1.1", *fields, host=None):
        lines = [first, f"Host: {host or f'{self.host}:{self.port}'}", f"Cookie: {self.cookie}", *fields]
        return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n"

    def raw(self, data, wait=5):
        """The status of what comes back; 0 for a connection that was just closed."""
        with socket.create_connection((self.host, self.port)) as connection:
            connection.settimeout(wait)
            try:
                connection.sendall(data)
            except OSError:
                pass
            answer = b""
            while b"\r\n\r\n" not in answer:
                part = connection.recv(65536)
                if not part:
                    break
                answer += part
            return int(answer.split()[1]) if answer else 0

    def memory(self):
        with open(f"/proc/{self.process.pid}/status") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))


@pytest.fixture
def door(studio, superdb):
    return Door(studio(superdb.model, superdb.path))


def test_odd_requests_are_refused_and_harm_nobody(door):
    save = "POST /api/data/save HTTP/1.1"
    cases = {
        door.head("GET /assets/..%2f..%2fetc%2fpasswd HTTP/1.1"): 404,
        door.head("GET /assets/../../etc/passwd HTTP/1.1"): 404,
        door.head("GET /assets/base.css%00.js HTTP/1.1"): 404,
        door.head("GET /assets/\0 HTTP/1.1"): 400,
        door.head("GET /assets/\xff\xfe HTTP/1.1"): 400,
        door.head("GET /api/data/entities/%ff%zz HTTP/1.1"): 404,
        door.head("GET /" + "a" * 100_000 + " HTTP/1.1"): 431,
        door.head("GET /" + "a" * 3_000_000 + " HTTP/1.1"): 431,
        door.head("GET / HTTP/1.1", *[f"X-{number}: y" for number in range(10_000)]): 431,
        door.head("GET / HTTP/1.1", "X: " + "a" * 20_000_000): 431,
        door.head("GET / HTTP/1.1", "Host: evil.example"): 400,
        door.head("GET / HTTP/1.1", host="evil.example"): 421,
        door.head("GET http://evil.example/ HTTP/1.1"): 400,
        door.head(save, "Content-Length: -5"): 400,
        door.head(save, "Content-Length: 99999999999999999999"): 413,
        door.head(save, "Content-Length: 17825792"): 413,
        door.head(save, "Transfer-Encoding: chunked") + b"FFFFFFFFFFFFFFFF\r\n": 411,
        door.head(save, "Content-Length: 2", "Transfer-Encoding: chunked") + b"{}": 411,
        door.head(save, "Content-Length: 2") + b"{}": 403,
        door.head("DELETE / HTTP/1.1"): 405,
        door.head("HEAD / HTTP/1.1"): 405,
        os.urandom(3000).replace(b"\r", b"r") + b"\r\n\r\n": 400,
    }
    before = door.memory()
    for data, status in cases.items():
        assert door.raw(data) == status, data[:80]
    assert door.raw(door.head()) == 200
    assert door.memory() - before < 20_000, "kB more than before"


def test_slow_clients_keep_nobody_out(door):
    slow = []
    for _ in range(400):
        connection = socket.create_connection((door.host, door.port))
        connection.sendall(b"GET / HTTP/1.1\r\nX")
        slow.append(connection)
    start = time.monotonic()
    assert door.raw(door.head()) == 200
    assert time.monotonic() - start < 8
    # Those that made room are closed soon after.
    while len(os.listdir(f"/proc/{door.process.pid}/fd")) >= 250:
        assert time.monotonic() - start < 20
        time.sleep(0.1)
    for connection in slow:
        connection.close()
    assert door.raw(door.head()) == 200


@pytest.mark.long
def test_a_slow_client_is_cut_off(door):
    with socket.create_connection((door.host, door.port)) as connection:
        connection.settimeout(25)
        connection.sendall(b"GET / HTTP/1.1\r\n")
        start = time.monotonic()
        assert connection.recv(10) == b""
        assert 10 < time.monotonic() - start < 60


def test_other_sites_get_nothing(door):
    def ask(method, path, **fields):
        connection = http.client.HTTPConnection(door.host, door.port)
        headers = {"Cookie": door.cookie, **{name.replace("_", "-"): value for name, value in fields.items()}}
        connection.request(method, path, "{}" if method == "POST" else None, headers)
        answer = connection.getresponse()
        return answer.status, answer.read()

    assert door.cookie_header.endswith("; Path=/; HttpOnly; SameSite=Strict")
    status, body = ask("GET", "/api/session")
    proof = body.split(b'"proof":"')[1].split(b'"')[0].decode()
    assert ask("POST", "/api/data/undo", X_Studio_Proof=proof)[0] == 200
    assert ask("POST", "/api/data/undo")[0] == 403
    assert ask("POST", "/api/data/undo", X_Studio_Proof=proof[:-1] + "x")[0] == 403
    assert ask("POST", "/api/data/undo", X_Studio_Proof=proof, Origin="http://evil.example")[0] == 403
    assert ask("POST", "/api/data/undo", X_Studio_Proof=proof, Origin="null")[0] == 403
    assert ask("GET", "/api/data/entities", Sec_Fetch_Site="cross-site")[0] == 403
    assert ask("GET", "/api/data/undo")[0] == 405
    assert ask("GET", "/api/data/entities", Cookie="coredata-studio=" + "0" * 64)[0] == 401
    assert ask("GET", "/?token=" + "0" * 64, Cookie="")[0] == 401


def test_a_page_of_another_site_changes_nothing(studio, visit, superdb, tmp_path):
    running = studio(superdb.model, superdb.path)
    page = visit(running, "#/data/Hero/1")
    page.get_by_label("Secret identity", exact=True).fill("Nobody")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Unsaved: 1 changed")).to_be_visible()
    (tmp_path / "evil.html").write_text(f"""<!doctype html><title>evil</title>
        <form method=post enctype="text/plain" action="{running.base}api/data/save"><input name='{{"a":"' value='"}}'></form>
        <img src="{running.base}api/data/entities"><iframe src="{running.base}"></iframe>""")
    evil = page.context.new_page()
    evil.goto((tmp_path / "evil.html").as_uri())
    answers = evil.evaluate("""async (base) => {
        const ask = (path, options) => fetch(base + path, { credentials: "include", ...options }).then(() => "answered", () => "refused");
        return [await ask("api/session"), await ask("api/data/save", { method: "POST", body: "{}" })];
    }""", running.base)
    assert answers == ["refused", "refused"]
    assert evil.frames[1].evaluate("document.body.innerText") == "" or "chrome-error" in evil.frames[1].url
    with evil.expect_navigation():
        evil.evaluate("document.forms[0].submit()")
    assert superdb.sql("SELECT ZSECRETIDENTITY FROM ZHERO WHERE ZNAME = 'Batman'") == [("Bruce Wayne",)]
    page.bring_to_front()
    expect(page.get_by_text("Unsaved: 1 changed")).to_be_visible()
    saved(page)
    assert superdb.sql("SELECT ZSECRETIDENTITY FROM ZHERO WHERE Z_PK = 1") == [("Nobody",)]


def test_reading_only_leaves_a_store_that_is_in_use_as_it_is(studio, visit, bookmarks):
    """With a -wal and a -shm that another process holds open."""
    import sqlite3
    other = sqlite3.connect(bookmarks.path)
    other.execute("BEGIN")
    other.execute("SELECT COUNT(*) FROM ZBOOKMARKENTITY").fetchone()
    before = bookmarks.bytes()
    assert all(part is not None for part in before)
    running = studio("--read-only", bookmarks.path)
    page = visit(running, "#/data/BookmarkEntity")
    expect(page.get_by_role("table", name="BookmarkEntity").locator("tbody tr").first).to_be_visible()
    page.get_by_role("table", name="BookmarkEntity").get_by_role("link").first.click()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert page.get_by_role("button", name="Save").count() == 0
    assert page.get_by_role("button", name="Delete").count() == 0
    refused = page.evaluate("""async () => {
        const proof = (await (await fetch("api/session")).json()).proof;
        const answer = await fetch("api/data/objects", { method: "POST", headers: { "X-Studio-Proof": proof, "Content-Type": "application/json" }, body: '{"entity": "BookmarkEntity"}' });
        return [answer.status, (await answer.json()).error.message];
    }""")
    assert refused[0] == 403 and "read-only" in refused[1]
    running.stop()
    assert bookmarks.bytes() == before
    other.close()


def test_two_studios_of_one_host_stay_open_side_by_side(studio, visit, superdb, catalogue):
    one, other = studio(superdb.model, superdb.path), studio(catalogue.model, catalogue.path)
    page = visit(one, "#/data/Hero/1")
    page.get_by_label("Secret identity", exact=True).fill("Nobody")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Unsaved: 1 changed")).to_be_visible()
    second = page.context.new_page()
    second.goto(other.link)
    expect(second.get_by_role("link", name="Product")).to_be_visible()
    page.bring_to_front()
    page.reload()
    expect(page.get_by_text("Unsaved: 1 changed")).to_be_visible()
    saved(page)
    assert superdb.sql("SELECT ZSECRETIDENTITY FROM ZHERO WHERE Z_PK = 1") == [("Nobody",)]
