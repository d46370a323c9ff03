// The data area's state: entities, news, unsaved changes, fields, files to import, the way back.

import assert from "node:assert/strict";
import test from "node:test";
import { entityTree, matching } from "../../Sources/CoreDataStudio/Pages/scripts/data/state/entity-tree.js";
import { Feed } from "../../Sources/CoreDataStudio/Pages/scripts/data/state/feed.js";
import { choicesOf, chosenValue, fitsLine, hintOf, inputMode, labelOf, typedValue } from "../../Sources/CoreDataStudio/Pages/scripts/data/state/field-text.js";
import { formOf, importCommand, targetsOf } from "../../Sources/CoreDataStudio/Pages/scripts/data/state/import-plan.js";
import { hexLines } from "../../Sources/CoreDataStudio/Pages/scripts/data/state/hex.js";
import { RefusedTexts } from "../../Sources/CoreDataStudio/Pages/scripts/data/state/refused.js";
import { trailOf, trailQuery } from "../../Sources/CoreDataStudio/Pages/scripts/data/state/trail.js";
import { Sides, brokenObjects, unsavedCount, unsavedWords } from "../../Sources/CoreDataStudio/Pages/scripts/data/state/unsaved.js";

const status = (version, store = 0, more = {}) => ({ inserted: 0, updated: 0, deleted: 0, undo: null, redo: null, feed: { version, store }, ...more });

test("Entities stand below their parents, and where those may not be seen on their own", () => {
  const entity = (name, parent = null, children = []) => ({ name, parent, children });
  const rows = entityTree([entity("Animal", null, ["Cat", "Hidden"]), entity("Cat", "Animal", ["Lion"]), entity("Lion", "Cat"), entity("Orphan", "Hidden")]);
  assert.deepEqual(rows.map((row) => [row.entity.name, row.depth]), [["Animal", 0], ["Cat", 1], ["Lion", 2], ["Orphan", 0]]);
  assert.deepEqual(matching(rows, " LI ").map((row) => row.entity.name), ["Lion"]);
  assert.equal(matching(rows, " ").length, 4);
});

test("An answer that was overtaken is no news, and one of the same number is", () => {
  const feed = new Feed(status(5, 2));
  assert.equal(feed.take(status(4, 9)), null);
  assert.deepEqual(feed.take(status(5, 2)), { isLater: false, isOtherStore: false });
  assert.deepEqual(feed.take(status(6, 3)), { isLater: true, isOtherStore: true });
  assert.deepEqual(feed.take(status(7, 3)), { isLater: true, isOtherStore: false });
  assert.equal(feed.take(undefined), null);
});

test("A server that was started again counts anew", () => {
  const feed = new Feed(status(50, 20)), restarted = status(1, 1);
  feed.restart(50, restarted);
  assert.deepEqual(feed.take(restarted), { isLater: false, isOtherStore: true });
  feed.restart(1, status(3, 1));
  assert.equal(feed.version, 1, "a later number is no new start");
});

test("The bar names what is done before what is, and counts only what there is", () => {
  const idle = { isSaving: false, underWay: 0, isTyped: false };
  assert.equal(unsavedWords(status(1), idle), "Everything is saved");
  assert.equal(unsavedWords(status(1), { ...idle, isTyped: true }), "Unsaved: what is typed");
  assert.equal(unsavedWords(status(1), { ...idle, underWay: 1, isTyped: true }), "Sending…");
  const changed = status(1, 0, { inserted: 2, deleted: 1 });
  assert.equal(unsavedWords(changed, { ...idle, underWay: 1 }), "Unsaved: 2 new, 1 deleted");
  assert.equal(unsavedWords(changed, { ...idle, isSaving: true }), "Saving…");
  assert.equal(unsavedCount(changed), 3);
});

test("Bytes stand sixteen to a line", () => {
  const bytes = new Uint8Array([...new TextEncoder().encode("Core Data, bytes"), 0, 255]);
  assert.deepEqual(hexLines(bytes), [
    "00000000  43 6f 72 65 20 44 61 74 61 2c 20 62 79 74 65 73  Core Data, bytes",
    "00000010  00 ff                                            ..",
  ]);
  assert.deepEqual(hexLines(new Uint8Array()), []);
});

test("Texts that were refused are kept for their field until it is given up", () => {
  const refused = new RefusedTexts(), idle = { isSaving: false, underWay: 0, isTyped: true };
  let told = 0;
  refused.changed = () => { told += 1; };
  const text = (id, key, text) => refused.keep({ id, key, text, title: "", label: key, message: "no number" });
  text("Work/1", "price", "12,50");
  text("Work/1", "place.lat", "north");
  text("Work/2", "price", "?");
  text("Work/1", "price", "12,5");
  assert.equal(refused.of("Work/1", "price").text, "12,5");
  assert.equal(refused.of("Work/1", "grade"), null);
  assert.equal(unsavedWords(status(1, 0, { updated: 1 }), { ...idle, refused: refused.count }),
    "Unsaved: 1 changed, 3 that can’t be taken");
  refused.drop("Work/1", "price");
  assert.deepEqual(refused.all().map((each) => each.key), ["place.lat", "price"]);
  refused.drop("Work/1");
  assert.deepEqual(refused.all().map((each) => each.id), ["Work/2"]);
  refused.keep({ id: "Work/1", key: "title", text: "New", title: "", label: "", message: "", isUnsent: true });
  assert.deepEqual(refused.unsent().map((each) => each.key), ["title"]);
  assert.equal(unsavedWords(status(1, 0), { ...idle, refused: 2, unsent: 1 }),
    "Unsaved: 1 that can’t be taken, 1 that couldn’t be sent");
  refused.clear();
  assert.equal(refused.count, 0);
  assert.equal(told, 8);
});

test("Conflicts keep ours unless theirs are chosen; what they deleted is deleted", () => {
  const sides = new Sides([{ id: "Hero/1", isDeleted: false }, { id: "Hero/2", isDeleted: true }]);
  sides.choose("Hero/1", "name", true);
  sides.choose("Hero/1", "sex", true);
  sides.choose("Hero/1", "name", false);
  assert.deepEqual(sides.fields(), { "Hero/1": ["sex"], "Hero/2": ["*"] });
  sides.choose("Hero/2", "*", false);
  assert.deepEqual(sides.fields()["Hero/2"], []);
});

test("Objects that can't be saved are named once", () => {
  const object = (id) => ({ id, title: "", entity: "Hero" });
  assert.deepEqual(brokenObjects([{ object: object("a"), message: "" }, { message: "the store" }, { object: object("a"), message: "" }, { object: object("b"), message: "" }]), ["a", "b"]);
});

test("A field tells which values it takes, but not the bounds of its type", () => {
  const field = (more) => ({ key: "x", label: "X", kind: "number", ...more });
  assert.equal(hintOf(field({ min: -32768, max: 32767 })), null);
  assert.equal(hintOf(field({ min: 0, max: 32767 })), "0 to 32767");
  assert.equal(hintOf(field({ min: { $: "date", text: "2024-05-01T00:00:00Z" }, help: "Day" })), "Day · at least 2024-05-01");
  assert.equal(hintOf(field({ minLength: 1, maxLength: 9, pattern: "a+" })), "at most 9 characters · matches a+");
  assert.equal(labelOf({ label: "Name", isOptional: false, lock: null }), "Name *");
  assert.equal(labelOf({ label: "Name", isOptional: false, lock: "derived" }), "Name");
});

test("An emptied text is the empty text, unless it was nil; other kinds become nil", () => {
  assert.equal(typedValue({ kind: "text" }, "Bat", "Bat"), undefined);
  assert.equal(typedValue({ kind: "text" }, "Bat", ""), "");
  assert.equal(typedValue({ kind: "text" }, null, ""), undefined);
  assert.equal(typedValue({ kind: "number" }, 5, ""), null);
  assert.equal(typedValue({ kind: "number" }, 5, "5.0"), "5.0");
});

test("Lists of choices give values of the attribute's own type", () => {
  assert.deepEqual(["", "true", "false"].map((text) => chosenValue({ kind: "boolean" }, text)), [null, true, false]);
  assert.equal(chosenValue({ kind: "choice" }, "2"), "2");
  assert.deepEqual(choicesOf({ kind: "choice", choices: [{ value: "1", label: "Low" }] }), [["1", "Low"]]);
});

test("Texts of several lines, and those that are cut, need more room than a line", () => {
  assert.deepEqual(["one", "a\nb", "a\rb", null, { $: "text", text: "a", length: 900 }, { $: "date", text: "" }].map(fitsLine), [true, false, false, true, false, true]);
  assert.deepEqual([inputMode({ kind: "number", isInteger: true }), inputMode({ kind: "decimal" }), inputMode({ kind: "text" })], ["numeric", "decimal", null]);
});

test("The command for long files quotes what a shell would take apart", () => {
  assert.equal(importCommand("/tmp/a.sqlite", "Hero", "it's.csv"), "coredata import /tmp/a.sqlite Hero 'it'\\''s.csv'");
  assert.equal(importCommand(null, "Hero", "$(x).csv"), "coredata import STORE Hero '$(x).csv'");
  assert.deepEqual([{ name: "a.JSONL", type: "" }, { name: "a", type: "application/json" }, { name: "json.csv", type: "" }].map(formOf), ["json", "json", "csv"]);
  assert.deepEqual(targetsOf(["name"], "nam"), ["nam", "name"]);
  assert.deepEqual(targetsOf(["name"], "name"), ["name"]);
});

test("The way back keeps the last eight steps", () => {
  const steps = Array.from({ length: 10 }, (_, index) => `Hero/${index}`);
  assert.deepEqual(trailOf({ trail: steps.join(",") }), steps.slice(2));
  assert.deepEqual(trailOf({}), []);
  assert.equal(trailQuery([]), "");
  assert.equal(new URLSearchParams(trailQuery(["Hero/1", "Über/2"])).get("trail"), "Hero/1,Über/2");
});
