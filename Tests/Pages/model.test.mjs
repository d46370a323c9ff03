// The model area's state: the tree and its addresses, fields, selection, names, mapping models, versions.

import assert from "node:assert/strict";
import test from "node:test";
import { applies, findings, hintOf, sections, sharedValue } from "../../Sources/CoreDataStudio/Pages/scripts/model/state/fields.js";
import { entityChoices, moves, placeNow, withValue, worstOf } from "../../Sources/CoreDataStudio/Pages/scripts/model/state/mappings.js";
import { freeName, mappingName, nameBefore, plural, relationNames, split } from "../../Sources/CoreDataStudio/Pages/scripts/model/state/names.js";
import { Clicks, picked } from "../../Sources/CoreDataStudio/Pages/scripts/model/state/picking.js";
import {
  addressParts, find, kindOfArea, modelPlace, ownerEntity, parentOf, propertiesOf, severityOf, versionSuffix,
} from "../../Sources/CoreDataStudio/Pages/scripts/model/state/tree.js";
import { rowsOf } from "../../Sources/CoreDataStudio/Pages/scripts/model/state/configuration-rows.js";
import { lineDiff, nearChanges } from "../../Sources/CoreDataStudio/Pages/scripts/model/state/line-diff.js";
import { comparedVersions, isOfVersion, storedState } from "../../Sources/CoreDataStudio/Pages/scripts/model/state/versions.js";

const element = (id, kind, values = {}, children = []) => ({ id, kind, values, children });
const name = element(3, "attribute", { name: "name" }), part = element(6, "fetchIndexElement", { property: "name" });
const byName = element(5, "fetchIndex", { name: "byName" }, [part]);
const hero = element(2, "entity", { name: "Hero", parentEntity: "Person" }, [name, byName]);
const person = element(7, "entity", { name: "Person", parentEntity: "Hero" }, [element(8, "relationship", { name: "boss" })]);
const root = element(1, "model", {}, [hero, person, element(9, "fetchRequest", { name: "all" }), element(10, "composite", { name: "Address" }, [element(11, "attribute", { name: "city" })])]);

test("Elements are found in the tree with what they are in", () => {
  assert.equal(find(root, 6), part);
  assert.equal(find(hero, 8), null);
  assert.equal(find(null, 1), null);
  assert.equal(parentOf(root, 6), byName);
  assert.equal(parentOf(root, 1), null);
  assert.equal(ownerEntity(root, 6), hero);
  assert.equal(ownerEntity(root, 11), null, "a composite type is no entity");
});

test("An entity inherits properties, also where parents go in a circle", () => {
  assert.deepEqual(propertiesOf(root, "Hero").map((each) => each.values.name), ["name", "boss"]);
  assert.deepEqual(propertiesOf(root, "Person").map((each) => each.values.name), ["boss", "name"]);
  assert.deepEqual(propertiesOf(root, "Nobody"), []);
});

test("The worst finding is that of the element or of what is in it; notes are none", () => {
  const check = (id, severity) => ({ id, severity, message: "" });
  assert.equal(severityOf(hero, [check(6, "warning"), check(8, "error")]), "warning");
  assert.equal(severityOf(hero, [check(6, "warning"), check(2, "error")]), "error");
  assert.equal(severityOf(hero, [check(3, "note")]), undefined);
});

test("Addresses name an element, or its owner and itself", () => {
  assert.deepEqual(addressParts(root, hero), ["entities", "Hero"]);
  assert.deepEqual(addressParts(root, name), ["entities", "Hero", "name"]);
  assert.deepEqual(addressParts(root, part), ["entities", "Hero", "byName"], "what has no name is shown with what has one");
  assert.deepEqual(addressParts(root, find(root, 11)), ["composites", "Address", "city"]);
  assert.deepEqual(addressParts(root, null), ["entities"]);
  assert.deepEqual([kindOfArea("requests"), kindOfArea("diagram")], ["fetchRequest", undefined]);
  assert.equal(modelPlace(["entities", "A/B"], "?v=2"), "#/model/entities/A%2FB?v=2");
});

test("Addresses have a version only where it isn't the current one", () => {
  const versions = [{ name: "Hero", isCurrent: false, isUnsaved: false }, { name: "Hero 2", isCurrent: true, isUnsaved: false }];
  assert.deepEqual([versionSuffix(versions, "Hero 2"), versionSuffix(versions, "Hero"), versionSuffix(versions, null)], ["", "?v=Hero", ""]);
});

test("Fields apply by type, and some by other values", () => {
  const field = (key, types = []) => ({ key, types });
  assert.equal(applies(field("regex", ["String"]), element(1, "attribute", { attributeType: "String" })), true);
  assert.equal(applies(field("regex", ["String"]), element(1, "attribute", {})), false);
  assert.equal(applies(field("usesScalar", ["Undefined"]), element(1, "attribute", {})), true);
  assert.equal(applies(field("derivationExpression", ["String"]), element(1, "attribute", { derived: true })), true);
  assert.equal(applies(field("maxCount"), element(1, "relationship", {})), false);
  assert.equal(applies(field("maxCount"), element(1, "relationship", { toMany: true })), true);
});

test("Several elements have the fields that can be shared, each with those that have it", () => {
  const field = (key, section, more = {}) => ({ key, section, kind: "text", types: [], isShared: true, ...more });
  const text = element(1, "attribute", { attributeType: "String" }), date = element(2, "attribute", { attributeType: "Date" });
  const descriptions = [field("name", "", { isShared: false }), field("optional", ""), field("regex", "Bounds", { types: ["String"] })];
  assert.deepEqual(sections(descriptions, [text, date]).map((each) => [each.name, each.fields.map((own) => [own.description.key, own.elements.length])]),
    [["", [["optional", 2]]], ["Bounds", [["regex", 1]]]]);
  assert.deepEqual(sections(descriptions, [date]).map((each) => each.name), [""]);
});

test("A value that not all share is mixed", () => {
  const of = (...values) => values.map((value) => element(1, "attribute", value === undefined ? {} : { optional: value }));
  const flag = { key: "optional", kind: "flag" };
  assert.deepEqual(sharedValue(flag, of(true, true)), { isMixed: false, value: true });
  assert.deepEqual(sharedValue(flag, of(undefined, undefined)), { isMixed: false, value: false });
  assert.deepEqual(sharedValue(flag, of(true, undefined)), { isMixed: true, value: "" });
});

test("Findings stand at the field that they are about, with the character", () => {
  const check = (severity, field, more = {}) => ({ id: 1, severity, field, message: `${severity} ${field}`, ...more });
  const all = [check("error", "name"), check("note", undefined), check("error", "predicate", { position: 4 }), check("warning", "entity")];
  assert.deepEqual(findings(all, "name"), { errors: "error name", others: "note undefined" });
  assert.equal(findings(all, "predicate").errors, "error predicate (character 5)");
  assert.equal(findings(all, "destinationEntity").others, "warning entity");
  assert.equal(hintOf({ key: "minimum", help: "Least" }, element(1, "attribute", { attributeType: "Date" })), "As 2024-05-01 or 2024-05-01T10:20:30Z");
  assert.equal(hintOf({ key: "minimum", help: "Least" }, element(1, "attribute", { attributeType: "Float" })), undefined);
  assert.equal(hintOf({ key: "other", help: "Help" }, element(1, "attribute")), "Help");
});

test("Shift selects from the row that was chosen first, Control more and fewer", () => {
  const ids = [1, 2, 3, 4];
  assert.deepEqual(picked(ids, [3, 99], 1, { shiftKey: true }), [3, 1, 2]);
  assert.deepEqual(picked(ids, [3, 1, 2], 4, { shiftKey: true }), [3, 4], "the first one stays where it is");
  assert.deepEqual(picked(ids, [99], 2, { shiftKey: true }), [2], "nothing of this table was chosen");
  assert.deepEqual(picked(ids, [1, 2], 2, { ctrlKey: true }), [1]);
  assert.deepEqual(picked(ids, [1], 2, { metaKey: true }), [1, 2]);
  assert.deepEqual(picked(ids, [1, 2], 3, {}), [3]);
});

test("Two clicks on the same soon after each other are a double click", () => {
  const clicks = new Clicks();
  assert.deepEqual([clicks.isAgain("a", 0), clicks.isAgain("a", 399), clicks.isAgain("b", 500), clicks.isAgain("b", 900)], [false, true, false, false]);
});

test("Proposed names are free and fit their entities", () => {
  assert.equal(freeName("key", ["key1", "key3"]), "key2");
  assert.equal(freeName("Hero ", ["Hero", "Hero 2"], 3), "Hero 3");
  assert.deepEqual(relationNames("Hero", "Ability"), { name: "abilities", inverse: "hero" });
  assert.deepEqual(relationNames("Boss", "Boss"), { name: "bosses", inverse: "inverse" });
  assert.equal(mappingName("Hero 1", "Hero 2"), "Hero1ToHero2");
  assert.deepEqual(split(" a, b ,,c"), ["a", "b", "c"]);
  assert.deepEqual(["fetched property", "index", "entity", "attribute"].map(plural), ["fetched properties", "indexes", "entities", "attributes"]);
  assert.deepEqual([nameBefore(["a", "b"], "b"), nameBefore(["a", "b"], "a"), nameBefore(["a"], "a")], ["a", "b", undefined]);
});

test("A mapping is found again by its name, and by its place once it is renamed", () => {
  const mappings = (...names) => names.map((each) => ({ name: each }));
  const before = mappings("A", "B", "C");
  assert.equal(placeNow(before, 1, before), 1);
  assert.equal(placeNow(before, 1, mappings("B", "C")), 0, "one before it went");
  assert.equal(placeNow(before, 1, mappings("A", "B2", "C")), 1, "it was renamed");
  assert.equal(placeNow(before, 1, mappings("A", "C")), -1, "it went itself");
});

test("Mappings move only where there is a place", () => {
  assert.deepEqual(moves(0, 0), []);
  assert.deepEqual(moves(0, 2), [["One down", 1], ["Last", 2]]);
  assert.deepEqual(moves(1, 2).map(([, to]) => to), [0, 0, 2, 2]);
  assert.deepEqual(moves(2, 2), [["First", 0], ["One up", 1]]);
});

test("Choices of entities have none and what is no longer there", () => {
  const choices = entityChoices({ entities: [{ name: "Hero", keys: [] }] });
  assert.deepEqual(choices, [["", "None"], ["Hero", "Hero"]]);
  assert.equal(withValue(choices, "Hero"), choices);
  assert.equal(withValue(choices, undefined), choices);
  assert.deepEqual(withValue(choices, "Gone")[0], ["Gone", "Gone"]);
  const check = (mapping, severity) => ({ mapping, severity, message: "" });
  assert.equal(worstOf([check(0, "warning"), check(0, "error"), check(1, "warning")], 0), "error");
  assert.equal(worstOf([check(1, "warning")], 0), undefined);
});

test("Versions are compared from the one before, unless others are chosen that are there", () => {
  const versions = ["One", "Two", "Three"].map((each) => ({ name: each, isCurrent: each === "Two", isUnsaved: false }));
  assert.deepEqual(comparedVersions(versions, { from: null, to: null }), { from: "One", to: "Two" });
  assert.deepEqual(comparedVersions(versions, { from: null, to: "Three" }), { from: "Two", to: "Three" });
  // A version that was just added is shown and not current yet: it is the newer one.
  assert.deepEqual(comparedVersions(versions, { from: null, to: null }, "Three"), { from: "Two", to: "Three" });
  assert.deepEqual(comparedVersions(versions, { from: null, to: null }, "One"), { from: "One", to: "Two" });
  const added = [{ name: "A", isCurrent: true }, { name: "A 2" }];
  assert.deepEqual(comparedVersions(added, { from: null, to: null }, "A"), { from: "A", to: "A 2" });
  assert.deepEqual(comparedVersions(versions, { from: "Three", to: "One" }), { from: "Three", to: "One" });
  assert.deepEqual(comparedVersions(versions, { from: "Gone", to: "Gone" }), { from: "One", to: "Two" });
});

test("A store is of a version whose hashes are all its own, and that it has no more than", () => {
  const entity = (stored) => ({ name: "Hero", hash: "h", stored, properties: [] });
  const answer = { checksum: "", store: "a.sqlite", missing: [], entities: [entity("h")] };
  assert.equal(isOfVersion(answer), true);
  assert.equal(isOfVersion({ ...answer, missing: ["Villain"] }), false);
  assert.equal(isOfVersion({ ...answer, entities: [entity(undefined)] }), false);
  assert.equal(isOfVersion({ ...answer, store: undefined }), false);
  assert.deepEqual([undefined, "h", "x"].map((stored) => storedState(entity(stored))[1]), ["not in the store", "same", "differs"]);
});

test("Texts are compared line by line", () => {
  const lines = lineDiff("a\nb\nc\nd\ne\nf\ng", "a\nb\nc\nd\ne\nF\ng\nh");
  assert.deepEqual(lines.map((line) => line.kind[0] + line.text).join(" "), "sa sb sc sd se rf aF sg ah");
  assert.deepEqual(nearChanges(lines).map((line) => line?.text ?? "…"), ["…", "d", "e", "f", "F", "g", "h"]);
  assert.deepEqual(nearChanges(lineDiff("same", "same")), [null]);
  const long = "x\n".repeat(4000);
  assert.equal(lineDiff(long, "y").length, 4002);
});

test("Rows are told by their own entity, in a configuration or not", () => {
  const tool = element(1, "entity", { name: "Tool" }), saw = element(2, "entity", { name: "Saw", parentEntity: "Tool" });
  const secret = element(3, "entity", { name: "Secret" });
  assert.deepEqual(rowsOf([tool, saw, secret], ["Saw"], { Tool: 5, Saw: 3 }), [
    { name: "Tool", count: 2, isIn: false }, { name: "Saw", count: 3, isIn: true }, { name: "Secret", count: null, isIn: false },
  ]);
});
