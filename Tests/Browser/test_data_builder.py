"""The predicate builder, in step with the text; what it finds is compared with what SQLite finds."""

import re
import urllib.parse

import pytest
from conftest import hindrances, saved
from playwright.sync_api import expect


@pytest.fixture
def powers(superdb):
    for name, source, hero in [("Flight", "Sun", "Superman"), ("Heat", "Sun", "Superman"), ("Lasso", "Gods", "Wonder Woman")]:
        superdb.write("INSERT INTO ZPOWER (Z_ENT, Z_OPT, ZNAME, ZSOURCE, ZHERO) SELECT (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Power'), 1, ?, ?, Z_PK FROM ZHERO WHERE ZNAME = ?", name, source, hero)
    superdb.write("UPDATE Z_PRIMARYKEY SET Z_MAX = 3 WHERE Z_NAME = 'Power'")
    return superdb


def rows(page):
    return page.locator("table.grid tbody tr")


def opened(visit, running, entity="Hero", text=""):
    page = visit(running, f"#/data/{entity}")
    expect(rows(page).first).to_be_visible()
    box = page.get_by_role("combobox", name="Predicate", exact=True)
    if text:
        box.fill(text)
        page.keyboard.press("Enter")
    page.get_by_role("button", name="Builder").click()
    builder = page.get_by_role("group", name="Predicate builder")
    expect(builder.get_by_role("combobox", name="Kind of group").first).to_be_visible()
    return page, box, builder


TEXTS = [
    ('name == "Batman"', 1), ('name !=[cd] "BATMAN"', 2), ('name BEGINSWITH[c] "b" AND sex == "Male"', 1), ('name LIKE "*man"', 3), ('name MATCHES ".*man"', 3),
    ('name IN {"Batman", "Superman"}', 2), ('birthDate BETWEEN {CAST(-1985000000.000000, "NSDate"), CAST(-1800000000.000000, "NSDate")}', 2), ('sex == nil', 0),
    ('ANY powers.source == "Sun"', 1), ('NOT ANY powers.source == "Sun"', 2), ('ALL powers.source == "Sun"', 2), ('powers.@count > 1', 1),
    ('SUBQUERY(powers, $p, $p.source == "Sun").@count == 2', 1), ('NOT (sex == "Male" OR name == "Wonder Woman")', 0), ('secretIdentity == name OR name CONTAINS "W"', 1),
    ('(name == "Batman" AND sex == "Male") OR sex == "Female"', 2), ('TRUEPREDICATE', 3),
]


def test_builder_and_text_say_the_same(studio, visit, powers):
    running = studio(powers.model, powers.path)
    page = visit(running)
    for text, count in TEXTS:
        # Each text has a page of its own; the studio and the browser are the same.
        page.goto(running.base + "#/data/Power")
        expect(page.get_by_role("heading", level=1)).to_have_text("Power")
        page.goto(f"{running.base}#/data/Hero?predicate={urllib.parse.quote(text)}")
        expect(page.get_by_role("heading", level=1)).to_have_text("Hero")
        goes_into_rows_and_back(page, text, count)


def goes_into_rows_and_back(page, text, count):
    """A predicate survives its way into rows and back: adding a row and taking it away leaves it as it was."""
    box, builder = page.get_by_role("combobox", name="Predicate", exact=True), page.get_by_role("group", name="Predicate builder")
    page.get_by_role("button", name="Builder").click()
    expect(builder.get_by_role("combobox", name="Kind of group").first).to_be_visible()
    expect(rows(page)).to_have_count(count)
    builder.get_by_role("button", name="Add a row").first.click()
    expect(builder.locator(".rule")).not_to_have_count(0)
    # A row that says nothing yet leaves out nothing.
    page.wait_for_timeout(600)
    expect(rows(page)).to_have_count(count)
    group = builder.locator("fieldset.group").first
    added = group.locator(":scope > .rule").last
    added.get_by_label("Value", exact=True).fill("Nobody")
    page.keyboard.press("Tab")
    expect(box).to_have_value(re.compile("Nobody"))
    added.get_by_role("button", name="Remove the row").click()
    # But for the parentheses that a printer sets.
    page.wait_for_function("(text) => { const plain = (one) => one.replace(/[() ]/g, ''); return plain(document.querySelector('input.predicate').value) === plain(text); }", arg=text)
    expect(rows(page)).to_have_count(count)


@pytest.mark.long
def test_a_row_fits_its_key(studio, visit, shot, powers):
    page, box, builder = opened(visit, studio(powers.model, powers.path))
    builder.get_by_role("button", name="Add a row").click()
    operators = builder.get_by_role("combobox", name="Operator")
    key = builder.get_by_role("combobox", name="Key").or_(builder.get_by_role("textbox", name="Key")).first
    key.fill("birthDate")
    page.keyboard.press("Tab")
    expect(operators.locator("option", has_text="CONTAINS")).to_have_count(0)
    operators.select_option("BETWEEN")
    builder.get_by_label("From").fill("1938-01-01")
    builder.get_by_label("To", exact=True).fill("1942-01-01")
    page.keyboard.press("Tab")
    expect(rows(page)).to_have_count(2)
    key.fill("powers.source")
    page.keyboard.press("Tab")
    expect(builder.get_by_role("combobox", name="Modifier")).to_have_value("ANY")
    operators.select_option("IN")
    builder.get_by_label("Value 1", exact=True).fill("Sun")
    builder.get_by_role("button", name="Add a value").click()
    builder.get_by_label("Value 2", exact=True).fill("Gods")
    page.keyboard.press("Tab")
    expect(box).to_have_value('ANY powers.source IN {"Sun", "Gods"}')
    expect(rows(page)).to_have_count(2)
    builder.get_by_role("combobox", name="Modifier").select_option("NONE")
    expect(rows(page)).to_have_count(1)
    expect(rows(page)).to_contain_text("Batman")
    shot(page, "data-builder-lists")
    assert hindrances(page) == []
    key.fill("powers.@count")
    page.keyboard.press("Tab")
    operators.select_option(">=")
    builder.get_by_label("Value", exact=True).fill("2")
    page.keyboard.press("Tab")
    expect(box).to_have_value("powers.@count >= 2")
    expect(rows(page)).to_have_count(1)


def test_an_object_is_chosen_for_a_relationship(studio, visit, shot, powers):
    page, box, builder = opened(visit, studio(powers.model, powers.path), entity="Power")
    builder.get_by_role("button", name="Add a row").click()
    key = builder.get_by_role("combobox", name="Key").or_(builder.get_by_role("textbox", name="Key")).first
    key.fill("hero")
    page.keyboard.press("Tab")
    expect(box).to_have_value("hero == nil")
    builder.get_by_role("combobox", name="Right side").select_option("object")
    picker = page.get_by_role("dialog")
    picker.get_by_role("option", name="Superman").click()
    expect(box).to_have_value("hero == $hero")
    expect(page.get_by_role("group", name="$hero")).to_contain_text("Superman")
    expect(rows(page)).to_have_count(2)
    shot(page, "data-builder-object")
    page.get_by_role("button", name="Choose $hero").click()
    page.get_by_role("dialog").get_by_role("option", name="Wonder Woman").click()
    expect(rows(page)).to_have_count(1)
    expect(rows(page)).to_contain_text("Lasso")
    assert hindrances(page) == []


def test_variables_ask_for_their_values(studio, visit, powers):
    page, box, builder = opened(visit, studio(powers.model, powers.path), text="sex == $sex AND name CONTAINS $part")
    page.get_by_label("Value of $sex").fill('"Male"')
    page.get_by_label("Value of $part").fill('"Bat"')
    page.keyboard.press("Enter")
    expect(rows(page)).to_have_count(1)
    page.get_by_label("Value of $part").fill("Bat")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("write texts in quotes")


def test_what_the_builder_has_no_row_for_is_kept_as_text(studio, visit, powers):
    page, box, builder = opened(visit, studio(powers.model, powers.path), text='name == "Batman" OR FALSEPREDICATE')
    expect(builder.get_by_text("it is kept as text")).to_be_visible()
    expect(builder.get_by_label("Condition")).to_have_value("FALSEPREDICATE")
    builder.get_by_role("button", name="Ignore case").click()
    expect(box).to_have_value('name ==[c] "Batman" OR FALSEPREDICATE')


def test_suggestions_stay_out_of_the_way(studio, visit, powers):
    page = visit(studio(powers.model, powers.path), "#/data/Hero", width=400)
    expect(rows(page)).to_have_count(3)
    page.get_by_role("button", name="Filter", exact=True).click()
    box = page.get_by_role("combobox", name="Predicate")
    box.fill('name == "Batman"')
    page.keyboard.press("Enter")
    expect(rows(page)).to_have_count(1)
    page.wait_for_timeout(600)
    expect(page.get_by_role("listbox", name="Suggestions")).to_be_hidden()
    page.get_by_role("button", name="Builder").click()
    expect(page.get_by_role("group", name="Predicate builder")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 400
    box.focus()
    page.keyboard.press("End")
    page.keyboard.press("Space")
    suggestions = page.get_by_role("listbox", name="Suggestions")
    expect(suggestions.get_by_role("option", name="AND word")).to_be_visible()
    page.keyboard.press("Escape")
    expect(suggestions).to_be_hidden()
    page.keyboard.press("Control+Space")
    expect(suggestions.get_by_role("option", name="OR word")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("listbox", name="Suggestions")).to_be_hidden()
    assert hindrances(page) == []


def test_a_mistake_is_shown_spoken_and_gone_to(studio, visit, powers):
    page = visit(studio(powers.model, powers.path), "#/data/Hero")
    box = page.get_by_role("combobox", name="Predicate")
    box.fill('name == "x" AND nmae == 5')
    page.keyboard.press("Enter")
    expect(box).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#predicate-mistake")).to_contain_text("no property “nmae”. (at character 17)")
    expect(box).to_have_attribute("aria-describedby", "predicate-mistake")
    page.wait_for_function("document.activeElement.selectionStart === 16 && document.activeElement.selectionEnd === 20")
    assert hindrances(page) == []
