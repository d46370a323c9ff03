"""Models that don't exist yet: the start page, and what it makes."""

import re

import pytest
from conftest import Studio, example, expect, hindrances, run
from test_model import contents


@pytest.fixture(autouse=True)
def state(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def test_a_model_is_begun_empty(studio, visit, tmp_path, shot):
    page = visit(studio(tmp_path / "New.xcdatamodeld"))
    expect(page.get_by_role("heading", level=1)).to_have_text("New model")
    shot(page, "model-start")
    assert hindrances(page) == []
    page.get_by_role("button", name="Empty model").click()
    page.get_by_role("button", name="Add entity").first.click()
    page.get_by_role("complementary", name="Inspector").get_by_label("Name", exact=True).fill("Song")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("button", name="Save")).to_be_disabled()
    assert [one.get("name") for one in contents(tmp_path / "New.xcdatamodeld").findall("entity")] == ["Song"]


def test_a_model_is_begun_from_a_store_s_file(studio, visit, tmp_path, superdb):
    page = visit(studio(tmp_path / "New.xcdatamodeld"))
    page.get_by_label("From a store’s file").set_input_files(superdb.path)
    expect(page.get_by_role("link", name="Hero").first).to_be_visible()
    assert [one.get("name") for one in contents(tmp_path / "New.xcdatamodeld").findall("entity")] == ["Hero", "Power"]


def test_a_model_is_begun_from_the_open_store(studio, visit, tmp_path, superdb):
    page = visit(studio(tmp_path / "New.xcdatamodeld", superdb.path), "#/model")
    page.get_by_role("button", name="From the open store").click()
    expect(page.get_by_role("link", name="Hero").first).to_be_visible()


@pytest.mark.long
def test_a_model_is_begun_from_a_store_on_a_server(studio, visit, tmp_path, database):
    address = database("open_store")
    run("create", address, "--model", example("SuperDB"))
    page = visit(studio(tmp_path / "New.xcdatamodeld", address), "#/model")
    page.get_by_role("button", name="From the open store").click()
    expect(page.get_by_role("link", name="Hero").first).to_be_visible()
    assert [one.get("name") for one in contents(tmp_path / "New.xcdatamodeld").findall("entity")] == ["Hero", "Power"]
    page.get_by_role("link", name="Data", exact=True).click()
    expect(page.get_by_text("There are no objects of Hero yet.")).to_be_visible()


def test_a_model_is_begun_from_an_address(studio, visit, tmp_path, database):
    address = database("by_address")
    run("create", address, "--model", example("SuperDB"))
    page = visit(studio(tmp_path / "New.xcdatamodeld"))
    field = page.get_by_label("Its address")
    message = page.get_by_role("alert")
    for text, words in [("mysql://host/database", "postgresql://HOST/DATABASE"), ("postgresql://tester@/postgres?host=/nowhere", "nowhere")]:
        field.fill(text)
        field.press("Enter")
        expect(message.last).to_contain_text(words)
    assert not (tmp_path / "New.xcdatamodeld").exists()
    field.fill(address)
    page.get_by_role("button", name="From this database").click()
    expect(page.get_by_role("link", name="Hero").first).to_be_visible()
    assert [one.get("name") for one in contents(tmp_path / "New.xcdatamodeld").findall("entity")] == ["Hero", "Power"]


def test_a_model_is_begun_from_tables_of_other_programs(studio, visit, tmp_path, database):
    database.sql("""CREATE SCHEMA shop; CREATE TABLE shop.customer (id bigint PRIMARY KEY, name text NOT NULL);
        CREATE TABLE shop.purchase (id bigint PRIMARY KEY, customer bigint REFERENCES shop.customer, placed timestamptz)""")
    page = visit(studio(tmp_path / "New.xcdatamodeld"))
    page.get_by_label("Its address").fill(database("shop"))
    page.get_by_role("button", name="From this database").click()
    go_on = page.get_by_role("button", name="Go on")
    entity = page.get_by_role("link", name="Customer").first
    expect(go_on.or_(entity).first).to_be_visible()
    if go_on.count():
        go_on.click()
    expect(entity).to_be_visible()
    assert [one.get("name") for one in contents(tmp_path / "New.xcdatamodeld").findall("entity")] == ["Customer", "Purchase"]
    assert database.sql("SELECT count(*) FROM shop.customer") == "0\n"
    # The command makes the same.
    run("model", "--new", tmp_path / "Same.xcdatamodeld", "--from", database("shop"))
    assert [one.get("name") for one in contents(tmp_path / "Same.xcdatamodeld").findall("entity")] == ["Customer", "Purchase"]


@pytest.mark.parametrize("name, entity", [
    ("Library", "Author"), pytest.param("Shop", "Order", marks=pytest.mark.long), pytest.param("Journal", "Task", marks=pytest.mark.long)])
def test_a_model_is_begun_from_a_sample(studio, visit, tmp_path, name, entity):
    page = visit(studio(tmp_path / "New.xcdatamodeld"))
    expect(page.get_by_role("button", name=re.compile("sample$"))).to_have_count(3)
    page.get_by_role("button", name=f"{name} sample").click()
    expect(page.get_by_role("link", name=entity).first).to_be_visible()
    # A model that the command takes, with a store of it.
    run("create", tmp_path / "New.sqlite", "--model", tmp_path / "New.xcdatamodeld")


def test_without_files_the_folder_s_model_is_opened(visit, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    running = Studio()
    try:
        page = visit(running)
        page.get_by_role("button", name="Library sample").click()
        expect(page.get_by_role("link", name="Author").first).to_be_visible()
    finally:
        running.stop()
    assert (tmp_path / "Model.xcdatamodeld").exists()
    again = Studio()
    try:
        expect(visit(again).get_by_role("link", name="Author").first).to_be_visible()
    finally:
        again.stop()
