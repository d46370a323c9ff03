// A diagram's geometry: curves between boxes, texts that fit, the part that is seen, places that are to be written.

import assert from "node:assert/strict";
import test from "node:test";
import { DiagramState, partOf } from "../../Sources/CoreDataStudio/Pages/scripts/model/state/diagram.js";
import { boxAt, curve, fitting, inDiagram, lineCurve, measure, short, zoomed } from "../../Sources/CoreDataStudio/Pages/scripts/model/state/geometry.js";

const box = (name, x, y, rows = []) => ({ name, x, y, width: 220, height: 36 + rows.length * 18, isAbstract: false, rows: rows.map((each) => ({ name: each })) });
const numbers = (path) => path.match(/-?\d+(\.\d+)?/g).map(Number);
const graph = (boxes, more = {}) => ({ boxes, lines: [], isAutomatic: false, detail: "all", change: 1, ...more });

test("Boxes side by side are joined at their sides, at the rows of the relationship and its inverse", () => {
  const left = box("A", 0, 0, ["name", "b"]), right = box("B", 500, 0, ["a"]);
  const there = numbers(lineCurve({ name: "b", inverse: "a" }, left, right));
  assert.deepEqual([there.slice(0, 2), there.slice(-2)], [[220, 54], [500, 36]]);
  const back = numbers(lineCurve({ name: "a", inverse: "b" }, right, left));
  assert.deepEqual([back.slice(0, 2), back.slice(-2)], [[500, 36], [220, 54]]);
});

test("Boxes above each other are joined below and above", () => {
  const top = box("A", 0, 0), bottom = box("B", 50, 300);
  const path = numbers(curve(top, -1, bottom, -1));
  assert.deepEqual([path.slice(0, 2), path.slice(-2)], [[110, 36], [160, 300]]);
  const up = numbers(curve(bottom, -1, top, -1));
  assert.deepEqual([up.slice(0, 2), up.slice(-2)], [[160, 300], [110, 36]]);
});

test("A relationship to the own entity goes out and comes back at the right side, never on itself", () => {
  const own = box("A", 0, 0, ["boss", "team"]);
  const [x1, y1] = numbers(lineCurve({ name: "boss", inverse: "team" }, own, own));
  assert.deepEqual([x1, y1], [220, 36]);
  const same = numbers(lineCurve({ name: "boss", inverse: "boss" }, own, own));
  assert.notEqual(same[1], same.at(-1));
});

test("Texts are cut where they don't fit, wide letters sooner", () => {
  assert.equal(short("name", 100), "name");
  const cut = short("aVeryLongNameOfAProperty", 80);
  assert.ok(cut.endsWith("…") && measure(cut.slice(0, -1)) <= 80);
  assert.ok(short("MMMMMMMMMMMM", 80).length < short("iiiiiiiiiiiiiiiiiiiiiiii", 80).length);
  assert.ok(measure("mm") > measure("ii"));
});

test("A small diagram is shown whole, in the middle, and never larger than it is", () => {
  const view = fitting([box("A", 100, 100)], { width: 1000, height: 800 }, undefined, false);
  assert.equal(view.scale, 1);
  assert.equal(view.x + (100 + 110) * view.scale, 500);
});

test("A large one is shown at a size that can be read, around what is chosen, or whole on request", () => {
  const boxes = Array.from({ length: 40 }, (_, index) => box(String(index), 300 * index, 0)), size = { width: 900, height: 600 };
  const begin = fitting(boxes, size, undefined, false), chosen = fitting(boxes, size, boxes[20], false), whole = fitting(boxes, size, undefined, true);
  assert.deepEqual([begin.scale, begin.x], [0.65, 24]);
  assert.equal((boxes[20].x + 110) * chosen.scale + chosen.x, 450);
  assert.ok(whole.scale < 0.1 && whole.scale >= 0.08);
});

test("Zooming keeps the point under the pointer, and has bounds", () => {
  const before = { scale: 1, x: 30, y: 40 }, after = zoomed(before, 2, 200, 100);
  assert.equal(after.scale, 2);
  assert.deepEqual(inDiagram(after, 200, 100), inDiagram(before, 200, 100));
  assert.deepEqual([zoomed(before, 100, 0, 0).scale, zoomed(before, 0.0001, 0, 0).scale], [3, 0.05]);
});

test("The box at a point is the one that has it", () => {
  const boxes = [box("A", 0, 0), box("B", 300, 0)];
  assert.equal(boxAt(boxes, [520, 36])?.name, "B");
  assert.equal(boxAt(boxes, [250, 10]), undefined);
});

test("Boxes that were moved stay where they are when the same part is read again", () => {
  const state = new DiagramState();
  state.take(graph([box("A", 0, 0), box("B", 300, 0)]), "key", "");
  state.view = { scale: 1, x: 0, y: 0 };
  state.boxes[0].x = 70;
  state.noteMoved(state.boxes[0]);
  state.take(graph([box("A", 0, 0), box("B", 300, 0)]), "key", "");
  assert.deepEqual([state.boxNamed("A")?.x, state.view?.scale], [70, 1]);
  assert.deepEqual(state.places(), [{ name: "A", x: 70, y: 0 }]);
  state.take(graph([box("A", 0, 0)]), "other", "A");
  assert.deepEqual([state.boxNamed("A")?.x, state.view], [0, null]);
});

test("All places are written where the file had none, and those that moved again wait on", () => {
  const state = new DiagramState();
  state.take(graph([box("A", 0, 0), box("B", 300, 0)], { isAutomatic: true }), "key", "");
  state.noteMoved(state.boxes[0]);
  state.noteMoved(state.boxes[1]);
  assert.equal(state.places().length, 2);
  const sent = new Map(state.moved);
  state.boxes[1].x = 400;
  state.noteMoved(state.boxes[1]);
  state.forget(sent);
  assert.deepEqual([...state.moved.keys()], ["B"]);
});

test("A part and a reduced diagram aren't for the file", () => {
  const state = new DiagramState();
  assert.deepEqual(partOf({}), { around: "", steps: "1", detail: "" });
  state.take(graph([], {}), "key", "");
  assert.equal(state.isPart, false);
  state.take(graph([], { detail: "names" }), "key", "");
  assert.deepEqual([state.isReduced, state.isPart], [true, true]);
  state.take(graph([]), "key", "Hero");
  assert.equal(state.isPart, true);
});
