// Values beside a grid, and views of it that have a name.

import assert from "node:assert/strict";
import test from "node:test";
import { datePart, dateTrail, facetColumns, toggled } from "../../Sources/CoreDataStudio/Pages/scripts/data/state/facets.js";
import { GridQuery, knownKeys, readLayout } from "../../Sources/CoreDataStudio/Pages/scripts/data/state/grid-query.js";

const attribute = (key, kind, isSortable = true) => ({ key, label: key, kind, isSortable });
const entity = {
  attributes: [attribute("name", "text"), attribute("bio", "longText"), attribute("born", "date"), attribute("age", "number"),
    attribute("rank", "choice"), attribute("isActive", "boolean"), attribute("nick", "text", false)],
  relationships: [{ key: "team", label: "team", kind: "toOne" }, { key: "notes", label: "notes", kind: "toMany" }],
};

test("Columns of few values come first; numbers, long texts and lists have none to list", () => {
  assert.deepEqual(facetColumns(entity).map(({ key, kind, isShort }) => [key, kind, isShort]), [
    ["isActive", "values", true], ["rank", "values", true], ["team", "values", false], ["born", "dates", false],
    ["name", "values", false],
  ]);
});

test("A date's filter leads through year and month; a day shows the days of its month", () => {
  assert.deepEqual(dateTrail(""), { within: null, trail: [] });
  assert.deepEqual(dateTrail("> 2024"), { within: null, trail: [] });
  assert.equal(dateTrail("2024").within, "2024");
  assert.equal(dateTrail("2024-05").within, "2024-05");
  const day = dateTrail("2024-05-01");
  assert.equal(day.within, "2024-05");
  assert.deepEqual(day.trail.map(({ filter }) => filter), ["2024", "2024-05", "2024-05-01"]);
  assert.deepEqual(["2024", "2024-05", "2024-05-01", "other"].map(datePart), ["2024", "May", "01", "other"]);
});

test("A value that is chosen twice is let go", () => {
  assert.equal(toggled("", "yes"), "yes");
  assert.equal(toggled("yes", "yes"), "");
  assert.equal(toggled("no", "yes"), "yes");
});

test("What is listed beside the rows is remembered, without columns that are gone", () => {
  const known = knownKeys(entity);
  assert.equal(readLayout("{}", known).facets, null);
  assert.deepEqual(readLayout(JSON.stringify({ facets: [] }), known).facets, []);
  const query = new GridQuery("Person", { facets: ["rank"] });
  assert.deepEqual(readLayout(JSON.stringify(query.layout()), known).facets, ["rank"]);
  assert.deepEqual(readLayout(JSON.stringify({ facets: ["gone", "team"] }), known).facets, ["team"]);
});

test("A view brings columns, filters and order, and takes away what was there", () => {
  const query = new GridQuery("Person", { filters: { age: "5" }, predicate: "age > 1", search: "x", offset: 200, facets: ["rank"] });
  const gone = query.takeView({ name: "Old", query: { entity: "Person", columns: ["name", "gone"], sort: "-name,gone", filters: { rank: "=First", lost: "5" } } }, entity);
  assert.deepEqual(gone, ["gone", "lost"]);
  assert.deepEqual([query.columns, query.sort, query.filters, query.offset, query.view], [["name"], "-name", { rank: "=First" }, 0, "Old"]);
  assert.deepEqual([query.predicate, query.search, query.searched, query.facets], ["", "", null, ["rank"]]);
});
