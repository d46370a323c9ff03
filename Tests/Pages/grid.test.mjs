// A grid's state: order, filters, columns, pages, selection, and where keys go.

import assert from "node:assert/strict";
import test from "node:test";
import { ColumnChoice } from "../../Sources/CoreDataStudio/Pages/scripts/data/state/column-choice.js";
import { GridQuery, knownKeys, readLayout } from "../../Sources/CoreDataStudio/Pages/scripts/data/state/grid-query.js";
import { GridRows } from "../../Sources/CoreDataStudio/Pages/scripts/data/state/grid-rows.js";

const entity = {
  attributes: [
    { key: "name", label: "Name", kind: "text" },
    { key: "address", label: "Address", kind: "composite", elements: [{ key: "city", label: "City", kind: "text" }] },
  ],
  relationships: [
    { key: "boss", label: "Boss", kind: "toOne", destination: "Hero" }, { key: "powers", label: "Powers", kind: "toMany", destination: "Power" },
  ],
};
const row = (id, cells = [id], state = "saved") => ({ id, entity: "Hero", state, changed: [], cells });
const rowsOf = (...ids) => {
  const rows = new GridRows();
  rows.take({ rows: ids.map((id) => row(id)), columns: [{ column: "name" }, { column: "boss" }], isLast: true }, false);
  return rows;
};

test("A column is sorted up, then down, then not at all", () => {
  const query = new GridQuery("Hero", { offset: 300 });
  const seen = [];
  for (let click = 0; click < 3; click += 1) {
    query.sortBy("name", false);
    seen.push(query.sort);
  }
  assert.deepEqual(seen, ["name", "-name", null]);
  assert.equal(query.offset, 0);
});

test("With Shift a column is sorted after the others and keeps its place when it turns", () => {
  const query = new GridQuery("Hero");
  query.sortBy("name", false);
  query.sortBy("born", true);
  query.sortBy("name", true);
  assert.equal(query.sort, "-name,born");
  assert.deepEqual(query.sorting("born"), { direction: "ascending", place: 1, count: 2 });
  query.sortBy("name", true);
  assert.equal(query.sort, "born");
  assert.equal(query.sorting("name").direction, null);
  query.sortBy("sex", false);
  assert.equal(query.sort, "sex", "without Shift the others go");
});

test("A filter that says the same asks for nothing; an empty one goes", () => {
  const query = new GridQuery("Hero", { offset: 100 });
  assert.equal(query.setFilter("name", "bat"), true);
  assert.deepEqual([query.offset, query.filters], [0, { name: "bat" }]);
  assert.equal(query.setFilter("name", "bat"), false);
  assert.equal(query.setFilter("name", "  "), true);
  assert.deepEqual([query.filters, query.isFiltered], [{}, false]);
});

test("Columns are moved between the others, not beyond them", () => {
  const query = new GridQuery("Hero");
  assert.equal(query.moveColumn(["a", "b", "c"], "b", 1), true);
  assert.deepEqual(query.columns, ["a", "c", "b"]);
  assert.equal(query.moveColumn(query.columns, "b", 1), false);
  assert.equal(query.moveColumn(query.columns, "a", -1), false);
  assert.equal(query.moveColumn(query.columns, "unknown", 1), false);
  assert.deepEqual(query.columns, ["a", "c", "b"]);
});

test("Columns that a person leaves out take their filters along", () => {
  const query = new GridQuery("Hero", { filters: { name: "a", sex: "F" }, widths: { name: 80 } });
  query.chooseColumns(["name"]);
  assert.deepEqual([query.columns, query.filters, query.widths], [["name"], { name: "a" }, { name: 80 }]);
  query.chooseColumns("standard");
  assert.deepEqual([query.columns, query.widths], [null, {}]);
});

test("Words that are searched are a filter, and a choice of columns that is the standard is none", () => {
  const searchable = [{ key: "name", label: "Name", isStandard: true }, { key: "boss", label: "Boss", isStandard: false }];
  const query = new GridQuery("Hero", { offset: 100 });
  assert.equal(query.setSearch(" bat "), true);
  assert.equal(query.setSearch("bat"), false);
  assert.deepEqual([query.offset, query.isFiltered, query.fields().search], [0, true, "bat"]);
  query.chooseSearched(["boss"], searchable);
  assert.deepEqual([query.searched, query.searchedOf(searchable).map(({ key }) => key)], [["boss"], ["boss"]]);
  assert.deepEqual(readLayout(JSON.stringify(query.layout()), knownKeys(entity)).searched, ["boss"]);
  for (const chosen of [["name"], []]) {
    query.chooseSearched(chosen, searchable);
    assert.equal(query.searched, null);
  }
  assert.deepEqual(query.searchedOf(searchable).map(({ key }) => key), ["name"]);
  query.showAll();
  assert.equal(query.fields().search, null);
});

test("A row's page begins at a hundred", () => {
  const query = new GridQuery("Hero");
  const offset = (number) => { query.goToRow(number); return query.offset; };
  assert.deepEqual([1, 100, 101, 1234, 0, -5].map(offset), [0, 0, 100, 1200, 0, 0]);
});

test("A grid that was left doesn't share its filters with the next one", () => {
  const first = new GridQuery("Hero", { filters: { name: "a" } }), second = new GridQuery("Hero", { ...first });
  second.setFilter("name", "b");
  assert.equal(first.filters.name, "a");
});

test("A layout that was kept loses what the model no longer has, and rubbish is none", () => {
  const known = knownKeys(entity);
  assert.deepEqual([...known], ["name", "address", "address.city", "boss", "powers"]);
  const kept = readLayout(JSON.stringify({ columns: ["gone", "address.city"], widths: { name: 99 }, sort: "-name,gone" }), known);
  assert.deepEqual(kept, { columns: ["address.city"], widths: { name: 99 }, sort: "-name", searched: null, facets: null });
  for (const text of [null, "", "no JSON", "null", "[]", JSON.stringify({ columns: ["gone"], sort: "gone" }), JSON.stringify({ columns: [5] })]) {
    assert.deepEqual(readLayout(text, known), { columns: null, widths: {}, sort: null, searched: null, facets: null });
  }
});

test("Columns to choose from are those that are shown, in their order, then the others", () => {
  const choice = new ColumnChoice(entity, ["boss", "name", "gone"]);
  assert.deepEqual(choice.items.map((item) => [item.label, item.isShown]), [["Boss", true], ["Name", true], ["Address", false], ["Address: City", false]]);
  choice.move(1, -1);
  choice.items[3].isShown = true;
  assert.deepEqual(choice.keys(), ["name", "boss", "address.city"]);
  for (const item of choice.items) item.isShown = false;
  assert.equal(choice.keys(), "standard");
});

test("Shift selects from the row that was clicked before, both ways", () => {
  const rows = rowsOf("a", "b", "c", "d");
  assert.deepEqual(rows.click(2, true, true), [2], "nothing was clicked before");
  assert.deepEqual(rows.click(0, true, true), [0, 1, 2]);
  assert.deepEqual([...rows.selected].sort(), ["a", "b", "c"]);
  assert.deepEqual(rows.click(1, false, true), [0, 1]);
  assert.deepEqual([...rows.selected], ["c"]);
});

test("A selection beyond the rows is cut, and all of none isn't all", () => {
  const rows = rowsOf("a", "b");
  assert.deepEqual(rows.mark(-3, 9, true), [0, 1]);
  assert.equal(rows.isAllSelected, true);
  assert.equal(rows.selectionText, "2 rows selected");
  const none = rowsOf();
  none.markAll(true);
  assert.equal(none.isAllSelected, false);
  assert.equal(none.selectionText, "");
});

test("Rows that are read again keep their selection and tell what changed", () => {
  const rows = rowsOf("a", "b");
  rows.markAll(true);
  rows.take({ rows: [row("b", ["new"]), row("c")], columns: rows.columns, isLast: true }, true);
  assert.deepEqual([...rows.selected], ["b"]);
  assert.deepEqual(rows.rows.map((each) => rows.isFresh(each)), [true, false]);
  rows.take({ rows: [row("b", ["newer"])], columns: rows.columns, isLast: true }, false);
  assert.equal(rows.isFresh(rows.rows[0]), false, "another page is no change");
});

test("Who stands on a row stands on the same object when the order is another one", () => {
  const rows = rowsOf("a", "b", "c");
  rows.take({ rows: [row("c"), row("a"), row("b")], columns: rows.columns, isLast: true }, true);
  assert.equal(rows.placeOf("b", 1), 2);
  assert.equal(rows.placeOf("gone", 1), 1, "where the object is gone, on the one in its place");
  assert.equal(rows.placeOf("gone", 7), 2, "or on the last one");
  assert.equal(rowsOf().placeOf("gone", 0), null);
});

test("With Shift the rows count from the object that was clicked before, wherever it is now", () => {
  const rows = rowsOf("a", "b", "c", "d");
  rows.click(0, true, false);
  rows.take({ rows: [row("b"), row("c"), row("a"), row("d")], columns: rows.columns, isLast: true }, true);
  rows.click(3, true, true);
  assert.deepEqual([...rows.selected].sort(), ["a", "d"]);
  rows.take({ rows: [row("b"), row("c")], columns: rows.columns, isLast: true }, true);
  assert.deepEqual(rows.click(1, true, true), [1], "or from itself, where that one is gone");
});

test("Keys go from cell to cell, with Control to the corners", () => {
  const rows = rowsOf("a", "b", "c");
  const after = (key, ctrlKey = false) => rows.cellAfter({ key, ctrlKey }, 1, 0);
  assert.deepEqual(after("ArrowUp"), [0, 0]);
  assert.deepEqual(after("ArrowRight"), [1, 1]);
  assert.deepEqual(after("End"), [1, 1]);
  assert.deepEqual(after("End", true), [2, 1]);
  assert.deepEqual(after("Home", true), [0, 0]);
  assert.equal(after("x"), null);
  assert.deepEqual(rows.cellAfter({ key: "ArrowUp" }, 0, 1), [-1, 1], "above the first row are the filters");
});

test("The pager knows where the page stands, with and without a count", () => {
  const rows = new GridRows();
  rows.take({ rows: [row("n", [], "new"), ...Array.from({ length: 50 }, (_, index) => row(String(index)))], columns: [], isLast: true }, false);
  assert.equal(rows.position(1200).text, "1,201–1,250");
  assert.deepEqual([rows.position(0).isFirst, rows.position(0).last], [true, null]);
  rows.total = 1250;
  const at = rows.position(1200);
  assert.deepEqual([at.text, at.hasNext, at.hasLast, at.last, at.hasSeveral], ["1,201–1,250 of 1,250", false, false, 1200, true]);
  assert.equal(rows.pageAfter(1200, 1), null);
  assert.equal(rows.pageAfter(1200, -1), 1100);
  rows.isLast = false;
  assert.equal(rows.pageAfter(1200, 1), 1300);
  assert.equal(rows.pageAfter(0, -1), null);
  rows.total = 0;
  assert.equal(rows.position(0).last, 0);
});
