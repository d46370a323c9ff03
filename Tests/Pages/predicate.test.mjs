// The predicate builder's rows and groups, and completion of a predicate's text.

import assert from "node:assert/strict";
import test from "node:test";
import { Completion, characterCount, fieldRange, mistakeParts } from "../../Sources/CoreDataStudio/Pages/scripts/data/state/completion.js";
import { PredicateKeys } from "../../Sources/CoreDataStudio/Pages/scripts/data/state/predicate-keys.js";
import {
  addGroup, addRow, asGroup, chooseGroupKind, chooseKey, chooseOperand, chooseOperator, chooseType, finished, groupKind, hasTextOptions, innerGroup, isYes,
  newRow, operatorsOf, toggleOption,
} from "../../Sources/CoreDataStudio/Pages/scripts/data/state/predicate-rows.js";
import { builderEntity } from "../../Sources/CoreDataStudio/Pages/scripts/model/state/builder-entity.js";

const attribute = (key, kind, more = {}) => ({ key, label: key, kind, ...more });
const hero = {
  name: "Hero", titleKey: "name",
  attributes: [attribute("name", "text"), attribute("age", "number"), attribute("isFree", "boolean"),
    attribute("address", "composite", { elements: [attribute("city", "text")] })],
  relationships: [{ key: "team", label: "team", kind: "toOne", destination: "Team", creates: [] }, { key: "powers", label: "powers", kind: "toMany", destination: "Power", creates: [] }],
};
const keysOf = () => {
  const keys = new PredicateKeys(hero);
  keys.others.set("Power", { name: "Power", attributes: [attribute("level", "number")], relationships: [] });
  return keys;
};

test("Paths lead through composite values and related entities, and counts are numbers", () => {
  const keys = keysOf();
  assert.deepEqual(keys.missing(), ["Team"]);
  assert.equal(keys.property("age")?.kind, "number");
  assert.equal(keys.property("address.city")?.kind, "text");
  assert.equal(keys.property("powers.level")?.kind, "number");
  assert.equal(keys.property("powers.@count")?.kind, "number");
  assert.equal(keys.property("team.name"), undefined, "Team isn't read yet");
  assert.equal(keys.property("nothing"), undefined);
  assert.deepEqual(keys.paths(), ["name", "age", "isFree", "address", "address.city", "team", "powers", "powers.@count", "powers.level", "SELF"]);
  assert.deepEqual(["powers", "powers.level", "powers.@count", "team", "age"].map((path) => keys.isMany(path)), [true, true, false, false, false]);
});

test("Rows that say nothing yet are left out, until their value is given", () => {
  const keys = keysOf(), form = asGroup({ type: "text", text: "age > 3" });
  addRow(innerGroup(form), keys);
  addGroup(innerGroup(form), keys);
  assert.deepEqual(finished(form), { type: "and", parts: [{ type: "text", text: "age > 3" }] });
  const [, row] = form.parts;
  row.right.text = "Bat";
  assert.deepEqual(finished(form).parts.length, 2);
  // An emptied value is one.
  row.right.text = "";
  assert.deepEqual(finished(form).parts.length, 2);
  const empty = { type: "and", parts: [] };
  assert.deepEqual(finished(empty), empty);
  addRow(empty, keys);
  assert.equal(finished(empty), null);
  chooseKey(keys, empty.parts[0], empty.parts[0].left, "isFree");
  assert.equal(finished(empty).parts.length, 1, "yes is a value");
});

test("A group keeps its rows whatever it becomes", () => {
  const keys = keysOf();
  const tree = asGroup(newRow(keys));
  assert.equal(tree.type, "and");
  addRow(innerGroup(tree), keys);
  for (const kind of ["or", "nor", "nand", "and"]) {
    chooseGroupKind(tree, kind);
    assert.equal(groupKind(tree), kind);
    assert.equal(innerGroup(tree).parts.length, 2);
  }
  addGroup(innerGroup(tree), keys);
  assert.equal(innerGroup(tree).parts[2].type, "or", "a group within all is of any");
});

test("A negation of one row gets a group to stand in", () => {
  const row = newRow(keysOf()), negation = { type: "not", parts: [row] };
  assert.equal(asGroup(negation).type, "and", "it has no group of its own");
  assert.deepEqual(innerGroup(negation), { type: "and", parts: [row] });
  assert.deepEqual(negation.parts, [{ type: "and", parts: [row] }]);
  assert.equal(asGroup(negation), negation);
});

test("Another operator makes the right side a list, a range or a single value", () => {
  const keys = keysOf(), row = newRow(keys);
  chooseKey(keys, row, row.left, "age");
  row.right.text = "5";
  chooseOperator(keys, row, "IN");
  assert.deepEqual(row.right, { kind: "list", type: "number", items: ["5"] });
  row.right.items.push("7", "9");
  chooseOperator(keys, row, "BETWEEN");
  assert.deepEqual(row.right.items, ["5", "7"]);
  row.right.items[1] = "";
  chooseOperator(keys, row, "IN");
  assert.deepEqual(row.right.items, ["5"], "a list has no empty values");
  chooseOperator(keys, row, "<");
  assert.deepEqual(row.right, { kind: "constant", type: "number", text: "5" });
});

test("Another key gives the row an operator, a modifier and a value that fit it", () => {
  const keys = keysOf(), row = newRow(keys);
  chooseOperator(keys, row, "BEGINSWITH");
  row.right.text = "Bat";
  chooseKey(keys, row, row.left, " isFree ");
  assert.deepEqual([row.left.text, row.op, row.right], ["isFree", "==", { kind: "constant", type: "boolean", text: "YES" }]);
  chooseKey(keys, row, row.left, "powers.level");
  assert.deepEqual([row.modifier, row.right.type], ["ANY", "number"]);
  row.modifier = "ALL";
  chooseKey(keys, row, row.left, "powers.level");
  assert.equal(row.modifier, "ALL", "what was chosen stays");
  chooseKey(keys, row, row.left, "team");
  assert.deepEqual([row.modifier, row.right], ["", { kind: "constant", type: "nil", text: "" }]);
  row.right = { kind: "key", text: "name" };
  chooseKey(keys, row, row.right, "age");
  assert.equal(row.left.text, "team", "a key on the right changes nothing else");
});

test("A list of another type begins anew, and is a value where the operator takes one", () => {
  const keys = keysOf(), row = newRow(keys);
  chooseOperator(keys, row, "IN");
  row.right.items = ["a", "b"];
  chooseKey(keys, row, row.left, "age");
  assert.deepEqual(row.right, { kind: "list", type: "number", items: [""] });
  chooseKey(keys, row, row.left, "isFree");
  assert.deepEqual([row.op, row.right.kind, row.right.type], ["==", "constant", "boolean"]);
});

test("Operators are those that fit, and the one that stands there", () => {
  const keys = keysOf(), row = newRow(keys);
  assert.ok(operatorsOf(keys, row).includes("MATCHES"));
  chooseKey(keys, row, row.left, "isFree");
  assert.deepEqual(operatorsOf(keys, row), ["==", "!="]);
  row.op = "MATCHES";
  assert.deepEqual(operatorsOf(keys, row), ["MATCHES", "==", "!="]);
});

test("Case and accents are ignored where texts are compared", () => {
  const keys = keysOf(), row = newRow(keys);
  assert.equal(hasTextOptions(keys, row), true);
  toggleOption(row, "d");
  toggleOption(row, "c");
  toggleOption(row, "d");
  assert.equal(row.options, "c");
  row.op = "BETWEEN";
  assert.equal(hasTextOptions(keys, row), false);
  chooseKey(keys, row, row.left, "age");
  row.op = "==";
  assert.equal(hasTextOptions(keys, row), false);
});

test("A side becomes another kind, named after the key for variables", () => {
  const keys = keysOf(), row = newRow(keys);
  row.left.text = "powers.@count";
  assert.equal(chooseOperand(keys, row, "right", "variable"), null);
  assert.deepEqual(row.right, { kind: "variable", text: "count" });
  row.left.text = "team";
  assert.equal(chooseOperand(keys, row, "right", "object"), "team");
  assert.deepEqual(row.right, { kind: "variable", text: "team" });
  chooseOperand(keys, row, "left", "key");
  assert.equal(row.left.text, "name");
  const value = { kind: "constant", type: "text", text: "x" };
  chooseType(value, "boolean");
  assert.equal(value.text, "YES");
  assert.deepEqual(["YES", "true", "no", "FALSE", "0"].map(isYes), [true, true, false, false, false]);
});

test("The model's entities are described for the builder by their types", () => {
  const property = (kind, values) => ({ id: 1, kind, values, children: [] });
  const described = builderEntity("Hero", [
    property("attribute", { name: "age", attributeType: "Integer 16" }), property("attribute", { name: "title", attributeType: "String" }),
    property("relationship", { name: "powers", destinationEntity: "Power", toMany: true, ordered: true }), property("fetchedProperty", { name: "rivals" }),
  ]);
  assert.equal(described.titleKey, "title");
  assert.deepEqual(described.attributes.map((each) => [each.key, each.kind]), [["age", "number"], ["title", "text"]]);
  assert.deepEqual(described.relationships.map((each) => [each.key, each.kind, each.destination]), [["powers", "ordered", "Power"]]);
});

test("Composite attributes of the model have their elements, as far as their types go", () => {
  const element = (kind, values, children = []) => ({ id: 1, kind, values, children });
  const spot = element("composite", { name: "Spot" }, [element("attribute", { name: "lat", attributeType: "Double" }),
    element("attribute", { name: "again", attributeType: "Composite", composite: "Spot" })]);
  const described = builderEntity("Thing", [element("attribute", { name: "place", attributeType: "Composite", composite: "Spot" }),
    element("attribute", { name: "odd", attributeType: "Composite", composite: "Nothing" })], [spot]);
  const keys = new PredicateKeys(described);
  assert.deepEqual(keys.paths(), ["place", "place.lat", "place.again", "odd", "SELF"]);
  assert.equal(keys.property("place.lat").kind, "number");
  assert.equal(keys.property("place.lat.deeper"), undefined);
});

test("A proposal takes the place of what is there, counted in whole characters", () => {
  const completion = new Completion();
  const text = "🦇 na == 1";
  completion.take({ items: [{ text: "name", kind: "key" }, { text: "uppercase(", kind: "function" }], start: 2, length: 2, text });
  assert.deepEqual(completion.apply(text, 0), { text: "🦇 name == 1", cursor: 7 });
  assert.equal(completion.apply(text, 1).text, "🦇 uppercase( == 1");
  completion.take({ items: [{ text: "name", kind: "key" }], start: 0, length: 2, text: "na" });
  assert.deepEqual(completion.apply("na", 0), { text: "name ", cursor: 5 });
});

test("Proposals are gone through round and round, and only for the text that they are for", () => {
  const completion = new Completion();
  completion.take({ items: [{ text: "a", kind: "key" }, { text: "b", kind: "key" }], start: 0, length: 0, text: "x" });
  assert.deepEqual([completion.countFor("x"), completion.countFor("xy")], [2, 0]);
  const seen = [1, 1, 1, -1].map((step) => { completion.move(step); return completion.chosen; });
  assert.deepEqual(seen, [0, 1, 0, 1]);
  completion.take(null);
  assert.deepEqual([completion.chosen, completion.items], [-1, []]);
});

test("Mistakes are shown with what stands around them, also beyond the end", () => {
  const long = "x".repeat(50) + "🦇" + "y".repeat(50);
  const { before, wrong, after } = mistakeParts(long, { message: "", position: 50, length: 1 });
  assert.deepEqual([before.length, wrong, after.length], [40, "🦇", 40]);
  assert.equal(mistakeParts("name ==", { message: "", position: 99, length: 0 }).wrong, "\u00a0");
  assert.deepEqual(fieldRange(long, 50, 1), [50, 52]);
  assert.equal(characterCount("🦇a", 2), 1);
  assert.equal(characterCount("🦇a", null), 2);
});
