"""Changes of the past, and data that comes and goes as files: history, SQL, exports and imports too long for one answer."""

import csv
import io
import json
import re
import shlex
import shutil
import sqlite3
import time

import pytest
from conftest import Store, hindrances, run, saved, shared
from playwright.sync_api import expect


def with_history(store, count):
    """Makes a store keep its history, and gives it one of that length: transactions of its own, copied."""
    columns = [row[1] for row in store.sql("PRAGMA table_info(ATRANSACTION)")]
    assert columns, "the store keeps a history"
    connection = sqlite3.connect(store.path)
    with connection:
        strings = dict(connection.execute("SELECT ZNAME, Z_PK FROM ATRANSACTIONSTRING").fetchall())
        top = connection.execute("SELECT MAX(Z_PK) FROM ATRANSACTIONSTRING").fetchone()[0] or 0
        entity = connection.execute("SELECT Z_ENT FROM ATRANSACTIONSTRING LIMIT 1").fetchone()
        for number, author in enumerate(["app", "widget", "rare"]):
            connection.execute("INSERT INTO ATRANSACTIONSTRING (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (?, ?, 1, ?)", (top + number + 1, entity[0] if entity else 16003, author))
        own = {name: "t." + name for name in columns}
        own["Z_PK"] = "i"
        own["ZAUTHORTS"] = f"CASE WHEN i % 50000 = 7 THEN {top + 3} WHEN i % 2 THEN {top + 1} ELSE {top + 2} END"
        own["ZTIMESTAMP"] = "700000000 + i"
        last = connection.execute("SELECT MAX(Z_PK) FROM ATRANSACTION").fetchone()[0]
        numbers = f"WITH RECURSIVE n(i) AS (SELECT {last + 1} UNION ALL SELECT i + 1 FROM n WHERE i < {count})"
        connection.execute(f"INSERT INTO ATRANSACTION ({', '.join(columns)}) {numbers} SELECT {', '.join(own[name] for name in columns)} FROM n, ATRANSACTION t WHERE t.Z_PK = {last}")
        changes = [row[1] for row in connection.execute("PRAGMA table_info(ACHANGE)")]
        own = {name: "c." + name for name in changes}
        own["Z_PK"] = "i + (SELECT MAX(Z_PK) FROM ACHANGE)"
        own["ZTRANSACTIONID"] = "i"
        one = connection.execute("SELECT MIN(Z_PK) FROM ACHANGE").fetchone()[0]
        connection.execute(f"INSERT INTO ACHANGE ({', '.join(changes)}) {numbers} SELECT {', '.join(own[name] for name in changes)} FROM n, ACHANGE c WHERE c.Z_PK = {one}")
        connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = (SELECT MAX(Z_PK) FROM ATRANSACTION) WHERE Z_NAME = 'TRANSACTION'")
        connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = (SELECT MAX(Z_PK) FROM ACHANGE) WHERE Z_NAME = 'CHANGE'")
        connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = (SELECT MAX(Z_PK) FROM ATRANSACTIONSTRING) WHERE Z_NAME = 'TRANSACTIONSTRING'")
    connection.close()


@pytest.fixture
def books(tmp_path):
    """A copy of a real store that keeps its history."""
    original = shared("stores/CoreDataPlus/SampleModel2_V2.sqlite")
    shutil.copy(original, tmp_path / original.name)
    (tmp_path / original.name).chmod(0o644)
    return Store(tmp_path / original.name)


def test_a_long_history_is_paged_filtered_and_purged(studio, visit, shot, books):
    with_history(books, 100_000)
    running = studio(books.path)
    page = visit(running)
    start = time.monotonic()
    page.goto(running.base + "#/data/-/history")
    entries = page.locator(".timeline > li")
    expect(entries).to_have_count(50)
    assert time.monotonic() - start < 10, "however long the history is"
    expect(entries.first).to_contain_text("#100000")
    page.get_by_role("button", name="Show older").click()
    expect(entries).to_have_count(100)
    expect(entries.last).to_contain_text("#99901")
    page.get_by_label("Author").select_option("widget")
    expect(entries.nth(1)).to_contain_text("#99998")
    expect(entries.first).to_contain_text("widget")
    shot(page, "data-history-long")
    assert hindrances(page) == []
    page.get_by_role("button", name="Purge…").click()
    dialog = page.get_by_role("dialog")
    # The 50,000th transaction was on that day.
    dialog.get_by_label("Before").fill("2023-03-09")
    assert hindrances(page) == []
    dialog.get_by_role("button", name="Purge", exact=True).click()
    expect(page.get_by_text("transactions deleted.")).to_be_visible()
    assert books.sql("SELECT MIN(ZTIMESTAMP) >= 700012800 - 86400 AND COUNT(*) < 100000 AND MAX(Z_PK) = 100000 FROM ATRANSACTION") == [(1,)]
    expect(entries.first).to_contain_text("#100000")
    page.goto(running.base + "#/data/Feedback/2")
    expect(page.get_by_role("heading", level=1)).to_be_visible()


def test_an_objects_history_leads_there_and_back(studio, visit, books):
    page = visit(studio(books.path), "#/data/Feedback/2")
    page.get_by_label("Comment", exact=False).first.fill("changed")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Unsaved: 1 changed")).to_be_visible()
    saved(page)
    page.get_by_role("link", name="History").last.click()
    expect(page.locator(".timeline > li").first).to_contain_text("Comment")
    page.locator(".timeline > li").first.get_by_role("link").first.click()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert books.sql("SELECT COUNT(*) FROM ACHANGE WHERE ZENTITYPK = 2 AND ZCHANGETYPE = 1 AND ZTRANSACTIONID = (SELECT MAX(Z_PK) FROM ATRANSACTION)") == [(1,)]


@pytest.mark.long
def test_many_rows_are_downloaded_whole(studio, visit, superdb):
    superdb.write("""INSERT INTO ZHERO (Z_ENT, Z_OPT, ZNAME, ZBIRTHDATE) WITH RECURSIVE n(i) AS (SELECT 4 UNION ALL SELECT i + 1 FROM n WHERE i < 12345)
        SELECT (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Hero'), 1, 'Hero "' || i || '", a', i FROM n""")
    page = visit(studio(superdb.model, superdb.path), "#/data/Hero")
    expect(page.locator("h1 + .badge")).to_have_text("12,345")
    for form in ["CSV", "JSON"]:
        page.get_by_role("button", name="Export").click()
        with page.expect_download(timeout=60_000) as download:
            page.get_by_role("menuitem", name=form).click()
        text = download.value.path().read_text()
        found = json.loads(text) if form == "JSON" else list(csv.DictReader(io.StringIO(text, newline="")))
        stored = superdb.sql("SELECT ZNAME FROM ZHERO")
        assert sorted(row["name"] for row in found) == sorted(name for (name,) in stored)


def test_many_records_are_imported_saved_and_undone(studio, visit, superdb, tmp_path):
    file = tmp_path / "many.csv"
    file.write_text("name,birthDate\n" + "".join(f"Hero {number},1990-01-01\n" for number in range(2000)))
    page = visit(studio(superdb.model, superdb.path), "#/data/Hero/import")
    page.get_by_label("A CSV file").set_input_files(file)
    page.get_by_role("button", name="Import 2,000 records").click()
    expect(page.get_by_text("Unsaved: 2000 new")).to_be_visible(timeout=40_000)
    page.keyboard.press("Control+s")
    expect(page.get_by_text("Everything is saved")).to_be_visible(timeout=40_000)
    assert superdb.sql("SELECT COUNT(*) FROM ZHERO") == [(2003,)]


@pytest.mark.parametrize("kind", ["records", pytest.param("bytes", marks=pytest.mark.long)])
def test_files_that_are_too_long_get_a_command(studio, visit, superdb, tmp_path, kind):
    file = tmp_path / "many heroes.csv"
    if kind == "records":
        file.write_text("name,birthDate\n" + "".join(f"H{number},1990-01-01\n" for number in range(20_001)))
    else:
        file.write_text("name,birthDate\n" + "x" * (17 << 20))
    page = visit(studio(superdb.model, superdb.path), "#/data/Hero/import")
    page.get_by_label("A CSV file").set_input_files(file)
    command = page.get_by_label("Command")
    expect(command).to_have_text(f"coredata import {superdb.path} Hero 'many heroes.csv'", timeout=30_000)
    assert hindrances(page) == []
    if kind == "records":
        # The command does what it says.
        file.write_text("name,birthDate\nFlash,1990-01-01\n")
        run(*shlex.split(command.text_content())[1:], cwd=tmp_path)
        assert superdb.sql("SELECT COUNT(*) FROM ZHERO WHERE ZNAME = 'Flash'") == [(1,)]


def test_a_chosen_file_stays_when_the_address_is_told_of_again(studio, visit, superdb, tmp_path):
    file = tmp_path / "some.csv"
    file.write_text("name,birthDate\nFlash,1990-01-01\n")
    running = studio(superdb.model, superdb.path)
    page = visit(running, "#/data/Hero/import")
    page.get_by_label("A CSV file").set_input_files(file)
    expect(page.get_by_role("button", name="Import 1 record")).to_be_visible()
    # As it comes from two changes of the address close together.
    page.evaluate("dispatchEvent(new HashChangeEvent('hashchange'))")
    page.evaluate("new Promise((done) => setTimeout(done))")
    expect(page.get_by_role("button", name="Import 1 record")).to_be_visible()
    # Back and forth, the page is drawn each time.
    page.goto(running.base + "#/data/Hero")
    expect(page.get_by_role("heading", level=1)).to_have_text("Hero")
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text("Import into Hero")


def test_the_last_action_is_shown_with_times_and_plans(studio, visit, superdb):
    page = visit(studio(superdb.model, superdb.path), "#/data/Hero/1")
    page.get_by_label("Secret identity", exact=True).fill("Timed")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Unsaved: 1 changed")).to_be_visible()
    saved(page)
    page.get_by_role("link", name="SQL").click()
    action = page.locator(".action", has=page.get_by_text("Save", exact=True)).first
    action.evaluate("(details) => { details.open = true; }")
    update = action.locator("li", has_text='UPDATE "ZHERO"').first
    expect(update).to_contain_text("Timed")
    expect(update.locator(".badge")).to_have_text(re.compile(r"\d+(\.\d+)? (µs|ms)"))
    update.get_by_role("button", name="Query plan").click()
    expect(update.locator(".plan")).to_contain_text("SEARCH ZHERO")
    assert superdb.sql("SELECT ZSECRETIDENTITY FROM ZHERO WHERE Z_PK = 1") == [("Timed",)]
