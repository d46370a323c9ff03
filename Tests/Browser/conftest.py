"""What the browser tests stand on: stores and models to work on, a studio that serves them, a browser that is in.

Effects are read back with plain SQLite or from the model's file, not from the page alone.
"""

import json
import os
import pathlib
import re
import shutil
import signal
import sqlite3
import subprocess
import threading

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect, sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[2]
COREDATA = os.environ["COREDATA"]
SHOTS = pathlib.Path(os.environ.get("STUDIO_SHOTS", ROOT / ".build/browser/shots"))
expect.set_options(timeout=8_000)


def run(*arguments, **options):
    """Runs the coredata command and gives what it printed."""
    done = subprocess.run([COREDATA, *map(str, arguments)], capture_output=True, text=True, timeout=120, **options)
    assert done.returncode == 0, done.stderr
    return done.stdout


def shared(path):
    """A file of the real models and stores beside the checkout."""
    for folder in [ROOT, *ROOT.parents]:
        found = folder / "shared" / "data" / path
        if found.exists():
            return found
    pytest.skip(f"there is no ../shared/data/{path}")


class Store:
    """A store's file, asked with plain SQLite."""

    def __init__(self, path, model=None):
        self.path, self.model = pathlib.Path(path), model

    def sql(self, statement, *values):
        connection = sqlite3.connect(f"file:{self.path}?mode=ro", uri=True)
        try:
            return connection.execute(statement, values).fetchall()
        finally:
            connection.close()

    def bytes(self):
        """The file, its -wal and its -shm."""
        names = [self.path, pathlib.Path(f"{self.path}-wal"), pathlib.Path(f"{self.path}-shm")]
        return [name.read_bytes() if name.exists() else None for name in names]


class Studio:
    """A running `coredata studio`."""

    def __init__(self, *arguments):
        self.process = subprocess.Popen(
            [COREDATA, "studio", *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        found = re.match(r"Open (http://\S+)", line)
        assert found, line + self.process.stderr.read()
        self.link = found[1]
        self.base = self.link.split("?")[0]
        threading.Thread(target=self.process.stderr.read, daemon=True).start()

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            assert self.process.wait(timeout=20) == 0


@pytest.fixture
def studio():
    """Starts studios: studio(MODEL, STORE, "--read-only", …)."""
    started = []

    def start(*arguments):
        started.append(Studio(*arguments))
        return started[-1]

    yield start
    for one in started:
        one.stop()


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def visit(browser):
    """Opens a studio's link in a browser of its own: visit(studio, "#/data/Hero", width=400)."""
    contexts, faults = [], []

    def go(studio, place="", width=1280, height=800, dark=False):
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme="dark" if dark else "light",
            reduced_motion="reduce", accept_downloads=True)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(f"{error}"))
        page.on("console", lambda message: faults.append(message.text) if "Content Security Policy" in message.text else None)
        page.goto(studio.link)
        page.wait_for_selector("#bar nav")
        if place:
            page.goto(studio.base + place)
        return page

    yield go
    for context in contexts:
        context.close()
    assert not faults, faults


@pytest.fixture
def shot():
    """Takes a picture of a page, for people to look at."""
    def take(page, name):
        SHOTS.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=SHOTS / f"{name}.png")
    return take


def serious(page):
    """What axe finds that keeps somebody from using the page."""
    found = Axe().run(page).response["violations"]
    return [f"{one['id']}: {one['help']}: {one['nodes'][0]['html']}" for one in found if one["impact"] in ("serious", "critical")]


def example(name):
    return ROOT / "Examples" / name / "Sources" / name / f"{name}.xcdatamodeld"


@pytest.fixture
def superdb(tmp_path):
    """The heroes of the example, in a new store, with a copy of their model."""
    model = shutil.copytree(example("SuperDB"), tmp_path / "SuperDB.xcdatamodeld")
    store = tmp_path / "SuperDB.sqlite"
    run("create", store, "--model", model)
    heroes = tmp_path / "heroes.json"
    heroes.write_text(json.dumps([
        {"name": "Batman", "secretIdentity": "Bruce Wayne", "sex": "Male", "birthDate": "1963-02-19T00:00:00Z"},
        {"name": "Wonder Woman", "secretIdentity": "Diana Prince", "sex": "Female", "birthDate": "1941-12-01T00:00:00Z"},
        {"name": "Superman", "secretIdentity": "Clark Kent", "sex": "Male", "birthDate": "1938-06-18T00:00:00Z"},
    ]))
    run("import", store, "Hero", heroes)
    return Store(store, model)


@pytest.fixture
def catalogue(tmp_path):
    """The empty store of the example and a copy of its model."""
    model = shutil.copytree(example("Catalogue"), tmp_path / "Catalogue.xcdatamodeld")
    store = tmp_path / "Catalogue.sqlite"
    run("create", store, "--model", model)
    return Store(store, model)


@pytest.fixture
def bookmarks(tmp_path):
    """A copy of a store that Apple's framework made."""
    original = shared("stores/DuckDuckGo/Bookmarks_V3.sqlite")
    for part in original.parent.glob(original.name + "*"):
        shutil.copy(part, tmp_path / part.name)
    return Store(tmp_path / original.name)
