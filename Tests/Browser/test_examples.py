"""The examples' models, whose user info says how their objects are shown."""

import pytest
from conftest import Store, example, expect, run


@pytest.fixture
def store(tmp_path):
    """A new store of an example's model: store("Homepwner")."""
    def make(name):
        path = tmp_path / f"{name}.sqlite"
        run("create", path, "--model", example(name))
        return Store(path, example(name))
    return make


def new(page):
    page.get_by_role("button", name="New", exact=True).first.click()
    expect(page.locator(".object-fields .field").first).to_be_visible()


def test_heroes_have_sections_a_choice_and_a_colour(studio, visit, store):
    heroes = store("SuperDB")
    page = visit(studio(heroes.model, heroes.path), "#/data/Hero")
    new(page)
    for section in ["General", "Appearance"]:
        expect(page.get_by_role("heading", name=section, exact=True)).to_be_visible()
    expect(page.get_by_label("Sex", exact=True).locator("option")).to_have_text(["–", "Male", "Female"])
    expect(page.get_by_role("group", name="Favourite colour")).to_be_visible()


def test_items_have_labels_help_and_a_date_that_is_only_shown(studio, visit, store):
    items = store("Homepwner")
    page = visit(studio(items.model, items.path), "#/data/Item")
    new(page)
    expect(page.get_by_role("heading", name="In the list", exact=True)).to_be_visible()
    expect(page.get_by_label("Value in $", exact=False).first).to_be_visible()
    expect(page.locator("[data-key=orderingValue]")).to_contain_text("Items are listed from the lowest to the highest.")
    expect(page.locator("[data-key=dateCreated] input")).to_have_count(0)
    keys = [one.get_attribute("data-key") for one in page.locator(".object-fields .field[data-key]").all()]
    assert keys == ["name", "serialNumber", "valueInDollars", "assetType", "dateCreated", "orderingValue"]


def test_makers_are_rated_in_words_and_products_have_their_stock_together(studio, visit, store):
    catalogue = store("Catalogue")
    running = studio(catalogue.model, catalogue.path)
    page = visit(running, "#/data/Manufacturer")
    new(page)
    rating = page.get_by_label("Rating", exact=False).first
    expect(rating.locator("option:checked")).to_have_text("Good")
    page.get_by_label("Name", exact=False).first.fill("Acme")
    page.keyboard.press("Tab")
    rating.select_option(label="Excellent")
    page.keyboard.press("Control+s")
    expect(page.get_by_text("Everything is saved")).to_be_visible()
    assert catalogue.sql("SELECT ZNAME, ZRATING FROM ZMANUFACTURER") == [("Acme", 5)]
    page.goto(running.base + "#/data/Product")
    expect(page.get_by_text("There are no objects of Product yet.")).to_be_visible()
    page.get_by_role("button", name="New", exact=True).first.click()
    page.get_by_role("menuitem", name="Product", exact=True).click()
    expect(page.get_by_role("heading", name="Stock", exact=True)).to_be_visible()
    expect(page.locator("[data-key=itemNumber]")).to_contain_text("Two capitals, a dash and four digits.")
