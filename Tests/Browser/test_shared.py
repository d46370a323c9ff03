"""A studio that several people use by name: who comes in, what each may do, and whose changes they are."""

import re
import signal
import subprocess
import threading

import pytest
from conftest import ASSETS, COREDATA, expect, hindrances, saved
from test_data_records import books  # noqa: F401 (a fixture)


class Shared:
    """A running `coredata studio` with users."""

    def __init__(self, *arguments):
        self.process = subprocess.Popen(
            [COREDATA, "studio", *ASSETS, *map(str, arguments)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True)
        self.links = {}
        for _ in range(sum(one == "--user" for one in arguments)):
            self.read()
        threading.Thread(target=self.process.stderr.read, daemon=True).start()

    def read(self):
        line = self.process.stdout.readline()
        name, role, link = re.fullmatch(r"(.+), (read|edit|model): (http://\S+#token=[0-9a-f]{64})\n", line).groups()
        self.links[name] = link
        self.base = link.split("#")[0]

    def another(self, name):
        """A new link for the user."""
        self.process.stdin.write(name + "\n")
        self.process.stdin.flush()
        self.read()

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            assert self.process.wait(timeout=20) == 0


@pytest.fixture
def shared(superdb):
    running = Shared("--user", "ann=edit", "--user", "bob=read", "--user", "Zoë=model", superdb.model, superdb.path)
    yield running
    running.stop()


@pytest.fixture
def come_in(browser):
    """Opens a user's link in a browser of its own: come_in(shared, "ann", "#/data/Hero")."""
    contexts = []

    def go(shared, name, place="", width=1280, height=800):
        context = browser.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce")
        contexts.append(context)
        page = context.new_page()
        page.goto(shared.links[name])
        page.get_by_role("button", name="Come in").click()
        page.wait_for_selector("#bar nav")
        if place:
            page.goto(shared.base + place)
        return page

    yield go
    for context in contexts:
        context.close()


def test_a_link_lets_one_browser_in_and_leaves_no_secret(shared, browser, come_in):
    link = shared.links["ann"]
    page = browser.new_page()
    page.goto(link)
    expect(page.get_by_role("button", name="Come in")).to_be_focused()
    assert page.url == shared.base
    assert hindrances(page) == []
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.keyboard.press("Enter")
    expect(page.locator("#bar .user")).to_have_text("ann, may edit objects")
    assert "token" not in page.url and not any("token" in address for address in asked)
    page.goto("about:blank")
    page.goto(link)
    expect(page.locator("#bar .user")).to_have_text("ann, may edit objects")
    assert "token" not in page.url
    page.close()
    other = browser.new_page()
    other.goto(link)
    other.get_by_role("button", name="Come in").click()
    expect(other.get_by_role("alert")).to_contain_text("used before")
    other.goto(shared.base)
    expect(other.get_by_text("people who have a link of their own")).to_be_visible()
    other.close()
    shared.another("ann")
    assert shared.links["ann"] != link
    come_in(shared, "ann")


def test_two_users_work_on_one_store(shared, superdb, come_in):
    bob = come_in(shared, "bob", "#/data/Hero/1")
    expect(bob.locator("#bar .user")).to_have_text("bob, may look")
    expect(bob.locator("output.fixed").first).to_be_visible()
    assert bob.get_by_role("button", name="Save").count() == 0
    assert bob.get_by_role("button", name="Delete").count() == 0
    assert hindrances(bob) == []
    ann = come_in(shared, "ann", "#/data/Hero/1")
    ann.get_by_label("Secret identity", exact=True).fill("Terry McGinnis")
    ann.keyboard.press("Tab")
    expect(ann.get_by_text("Unsaved: 1 changed")).to_be_visible()
    saved(ann)
    # What ann saved appears before bob without a click.
    expect(bob.locator("[data-key=secretIdentity] output")).to_have_text("Terry McGinnis")
    answer = bob.evaluate("""async () => {
        const { proof } = await (await fetch("api/session")).json();
        const send = (path, body) => fetch("api/" + path, { method: "POST", body,
          headers: { "X-Studio-Proof": proof, "Content-Type": "application/json" } });
        const change = await send("data/objects/Hero/1", '{"key": "name", "value": "Robin"}');
        const edit = await send("model/save", "{}");
        return [change.status, edit.status];
    }""")
    assert answer == [403, 403]
    assert superdb.sql("SELECT ZNAME, ZSECRETIDENTITY FROM ZHERO WHERE Z_PK = 1") == [("Batman", "Terry McGinnis")]


@pytest.mark.long
def test_a_change_has_its_user_as_author(books, come_in):  # noqa: F811 (the fixture)
    running = Shared("--user", "ann=edit", "--user", "bob=edit", books.path)
    try:
        for name in ["ann", "bob"]:
            page = come_in(running, name, "#/data/Feedback/2")
            page.get_by_label("Comment", exact=False).first.fill(f"seen by {name}")
            page.keyboard.press("Enter")
            expect(page.get_by_text("Unsaved: 1 changed")).to_be_visible()
            saved(page)
        page.goto(running.base + "#/data/-/history")
        expect(page.locator(".timeline > li").nth(0)).to_contain_text("bob")
        expect(page.locator(".timeline > li").nth(1)).to_contain_text("ann")
        authors = books.sql("""SELECT s.ZNAME FROM ATRANSACTION t JOIN ATRANSACTIONSTRING s ON s.Z_PK = t.ZAUTHORTS
            ORDER BY t.Z_PK DESC LIMIT 2""")
        assert authors == [("bob",), ("ann",)]
    finally:
        running.stop()


def test_the_model_is_for_those_who_may_change_it(shared, come_in):
    ann = come_in(shared, "ann", "#/model/entities/Hero")
    expect(ann.get_by_text("You may look at the model, but not change it.")).to_be_visible()
    assert ann.get_by_role("button", name="Add attribute").count() == 0
    zoe = come_in(shared, "Zoë", "#/model/entities/Hero")
    expect(zoe.locator("#bar .user")).to_have_text("Zoë, may edit objects and model")
    expect(zoe.get_by_role("button", name="Add attribute")).to_be_visible()


@pytest.mark.parametrize("arguments, words", [
    (["--share", "192.0.2.1"], "needs a --user"),
    (["--share", "0.0.0.0", "--user", "ann=edit"], "one address"),
    (["--user", "ann"], "is no user"),
    (["--user", "ann=admin"], "is no user"),
    (["--user", "ann=read", "--user", "ann=edit"], "a name of its own"),
])
def test_users_that_make_no_sense_are_refused(superdb, arguments, words):
    done = subprocess.run(
        [COREDATA, "studio", *arguments, superdb.path], capture_output=True, text=True, timeout=60)
    assert done.returncode != 0 and words in done.stderr


def test_several_users_reach_no_server(come_in, tmp_path):
    running = Shared("--user", "zoe=model", tmp_path / "New.xcdatamodeld")
    try:
        page = come_in(running, "zoe")
        expect(page.get_by_role("button", name="Empty model")).to_be_visible()
        expect(page.get_by_label("Its address")).to_have_count(0)
    finally:
        running.stop()
