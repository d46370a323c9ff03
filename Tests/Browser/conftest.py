"""The base of the browser tests: stores and models to work on, a studio that serves them, a browser that is in.

Effects are read back with plain SQLite or from the model's file, not from the page alone.
"""

import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import threading
import time

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect, sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[2]
COREDATA = os.environ["COREDATA"]
# Pages to serve in place of those in the command, for who works on them.
ASSETS = ["--assets", os.environ["STUDIO_ASSETS"]] if "STUDIO_ASSETS" in os.environ else []
SHOTS = pathlib.Path(os.environ.get("STUDIO_SHOTS", ROOT / ".build/browser/shots"))
# Milliseconds by which requests and answers are late at most, each by its own chance, so that they overtake each
# other: what a page or a test doesn't wait for shows itself.
LATE = int(os.environ.get("STUDIO_LATE", 0))
expect.set_options(timeout=20_000 + 20 * LATE)
# The long run has axe look in light and in dark wherever it is asked; else only test_looks.py has each page in both, one at each width.
LONG = "STUDIO_LONG" in os.environ


DELAY = """
const real = window.fetch, wait = () => new Promise((done) => setTimeout(done, Math.random() ** 2 * %d));
window.fetch = async (address, options) => {
  await wait();
  const answer = await real(address, options);
  await wait();
  return answer;
};"""


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

    def write(self, statement, *values):
        """Changes rows behind everybody's back."""
        connection = sqlite3.connect(self.path)
        with connection:
            connection.execute(statement, values)
        connection.close()

    def bytes(self):
        """The file, its -wal and its -shm."""
        names = [self.path, pathlib.Path(f"{self.path}-wal"), pathlib.Path(f"{self.path}-shm")]
        return [name.read_bytes() if name.exists() else None for name in names]


class Studio:
    """A running `coredata studio`."""

    def __init__(self, *arguments):
        self.process = subprocess.Popen(
            [COREDATA, "studio", *ASSETS, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
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


def pytest_configure(config):
    config.addinivalue_line("markers", "long: runs only with Scripts/browser-tests --long")


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
        # The shell without windows does what the pages see in two thirds of the processor time.
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium-headless-shell", args=["--no-sandbox"])
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
        if LATE:
            context.add_init_script(DELAY % LATE)
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


SLOW = """
const real = window.fetch;
window.fetch = async (address, options) => {
  const answer = await real(address, options);
  if (window.slow?.(String(address))) await new Promise((done) => setTimeout(done, window.delay));
  return answer;
};"""


@pytest.fixture
def slow(visit):
    """A page to which answers come late from addresses that a pattern finds: slow(studio, "#/model", "api/model/")."""
    def go(studio, place, pattern, delay=400):
        page = visit(studio)
        page.context.add_init_script(SLOW)
        page.goto("about:blank")
        page.goto(studio.base + place)
        page.wait_for_selector("#bar nav")
        slow_down(page, pattern, delay)
        return page
    return go


def slow_down(page, pattern, delay=400):
    """From here on other answers come late; with an empty pattern none."""
    page.evaluate(
        "([text, delay]) => { window.delay = delay; window.slow = (address) => text && new RegExp(text).test(address); }",
        [pattern, delay])


@pytest.fixture
def shot():
    """Takes a picture of a page, for people to look at."""
    def take(page, name):
        SHOTS.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=SHOTS / f"{name}.png")
    return take


def hindrances(page, in_both=LONG):
    """The findings of axe that hinder somebody, moderate ones and worse; as it is, and in the long run in light and in dark."""
    own = "dark" if page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches") else "light"
    found = []
    for scheme in [*([{"dark": "light", "light": "dark"}[own]] if in_both else []), own]:
        if in_both:
            page.emulate_media(color_scheme=scheme)
        found += [f"{one['id']}: {one['help']}: {one['nodes'][0]['html']} ({scheme})"
            for one in Axe().run(page).response["violations"] if one["impact"] in ("moderate", "serious", "critical")]
    return found


def saved(page):
    """Saves by the keyboard and waits until it is done."""
    page.keyboard.press("Control+s")
    expect(page.get_by_text("Everything is saved")).to_be_visible()


def hostile_model(folder):
    """A model whose names are SQL's, a script's, and beyond ASCII, with a store of it."""
    version = folder / "Hostile.xcdatamodeld" / "Hostile.xcdatamodel"
    version.mkdir(parents=True)
    (version / "contents").write_text("""<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="22522" minimumToolsVersion="Automatic" sourceLanguage="Swift" userDefinedModelVersionIdentifier="">
    <entity name="ZEntity" representedClassName="NSManagedObject" syncable="YES">
        <attribute name="Z_PK" optional="YES" attributeType="Integer 64" usesScalarValueType="YES"/>
        <attribute name="Z_ENT" optional="YES" attributeType="String"/>
        <attribute name="select" optional="YES" attributeType="String">
            <userInfo>
                <entry key="studio.label" value="&lt;script&gt;document.title=&quot;owned&quot;&lt;/script&gt;"/>
                <entry key="studio.help" value="&lt;img src=x onerror=document.title=&quot;owned&quot;&gt;"/>
            </userInfo>
        </attribute>
        <attribute name="naïve_שם" optional="YES" attributeType="String"/>
        <attribute name="picture" optional="YES" attributeType="Binary"/>
        <relationship name="group" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Order" inverseName="where" inverseEntity="Order"/>
    </entity>
    <entity name="Order" representedClassName="NSManagedObject" syncable="YES">
        <attribute name="name" optional="YES" attributeType="String"/>
        <relationship name="where" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="ZEntity" inverseName="group" inverseEntity="ZEntity"/>
    </entity>
</model>""")
    store = folder / "Hostile.sqlite"
    run("create", store, "--model", version.parent)
    return Store(store, version.parent)


def example(name):
    return ROOT / "Examples" / name / "Sources" / name / f"{name}.xcdatamodeld"


@pytest.fixture(scope="session")
def templates(tmp_path_factory):
    """The stores that tests begin with, made once: a test gets copies."""
    folder = tmp_path_factory.mktemp("stores")
    for name in ["SuperDB", "Catalogue"]:
        run("create", folder / f"{name}.sqlite", "--model", example(name))
    heroes = folder / "heroes.json"
    heroes.write_text(json.dumps([
        {"name": "Batman", "secretIdentity": "Bruce Wayne", "sex": "Male", "birthDate": "1963-02-19T00:00:00Z"},
        {"name": "Wonder Woman", "secretIdentity": "Diana Prince", "sex": "Female", "birthDate": "1941-12-01T00:00:00Z"},
        {"name": "Superman", "secretIdentity": "Clark Kent", "sex": "Male", "birthDate": "1938-06-18T00:00:00Z"},
    ]))
    run("import", folder / "SuperDB.sqlite", "Hero", heroes)
    return folder


def copied(templates, name, folder):
    model = shutil.copytree(example(name), folder / f"{name}.xcdatamodeld")
    for part in templates.glob(f"{name}.sqlite*"):
        shutil.copy(part, folder / part.name)
    return Store(folder / f"{name}.sqlite", model)


@pytest.fixture
def superdb(templates, tmp_path):
    """The heroes of the example, in a new store, with a copy of their model."""
    return copied(templates, "SuperDB", tmp_path)


@pytest.fixture
def catalogue(templates, tmp_path):
    """The empty store of the example and a copy of its model."""
    return copied(templates, "Catalogue", tmp_path)


class Database:
    """A running PostgreSQL server."""

    def __init__(self, folder, programs):
        self.folder, self.programs = folder, programs

    def __call__(self, schema):
        """The address of a schema."""
        return f"postgresql://tester@/postgres?host={self.folder}&schema={schema}"

    def sql(self, statement):
        done = subprocess.run([self.programs / "psql", "-h", self.folder, "-U", "tester", "-d", "postgres", "-v", "ON_ERROR_STOP=1",
            "-qAtc", statement], capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr
        return done.stdout

    @contextlib.contextmanager
    def unreachable(self):
        """A while in which nobody gets a connection, and those that there are end."""
        self.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'")
        socket = self.folder / ".s.PGSQL.5432"
        away = socket.rename(self.folder / "away")
        try:
            yield
        finally:
            away.rename(socket)


@pytest.fixture(scope="session")
def database():
    """A PostgreSQL server on a socket of its own: database("library") is the address of a schema."""
    programs = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    as_user = ["/usr/bin/setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--"] if os.geteuid() == 0 else []
    if not programs or as_user and not shutil.which("setpriv"):
        pytest.skip("needs a PostgreSQL server's programs")
    # A socket's path has little room.
    folder = pathlib.Path(tempfile.mkdtemp(prefix="studio-pg-", dir="/tmp"))
    if as_user:
        shutil.chown(folder, "postgres", "postgres")
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "stdin": subprocess.DEVNULL, "cwd": folder}
    programs = programs[-1].parent
    subprocess.run([*as_user, programs / "initdb", "-D", folder / "data", "-U", "tester", "-A", "trust", "--encoding=UTF8",
        "--locale=C", "--no-sync"], check=True, **quiet)
    server = subprocess.Popen([*as_user, programs / "postgres", "-D", folder / "data", "-k", folder, "-c", "listen_addresses=",
        "-c", "fsync=off"], **quiet)
    try:
        while subprocess.run([programs / "pg_isready", "-q", "-h", folder], **quiet).returncode:
            assert server.poll() is None, "the server didn't start"
            time.sleep(0.05)
        yield Database(folder, programs)
    finally:
        # The process that is waited for may be setpriv's successor: the server itself.
        server.send_signal(signal.SIGQUIT)
        server.wait(timeout=60)
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def bookmarks(tmp_path):
    """A copy of a store that Apple's framework made."""
    original = shared("stores/DuckDuckGo/Bookmarks_V3.sqlite")
    for part in original.parent.glob(original.name + "*"):
        shutil.copy(part, tmp_path / part.name)
    return Store(tmp_path / original.name)
