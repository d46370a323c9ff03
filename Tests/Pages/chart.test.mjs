// The geometry of charts.

import assert from "node:assert/strict";
import test from "node:test";
import { layout, linePath, pointsOf, ticks, withGaps } from "../../Sources/CoreDataStudio/Pages/scripts/data/state/chart.js";

const date = (label, value = 1) => ({ label, filter: label, count: value, value, isDate: true });

test("A group without the measure has no value, and nil is no date", () => {
  const rows = [{ label: "2024-01", filter: "2024-01", count: 3, number: null }, { label: null, filter: "nil", count: 2, number: 5 }];
  assert.deepEqual(pointsOf(rows, "sum", String).map(({ label, value, isDate }) => [label, value, isDate]), [["2024-01", null, true], ["nil", 5, false]]);
  assert.deepEqual(pointsOf(rows, "count", String).map(({ value }) => value), [3, 2]);
});

test("Dates between others are filled in, over ends of months and years", () => {
  const labels = (...dates) => withGaps(dates.map((each) => date(each)), true).map(({ label }) => label);
  assert.deepEqual(labels("2023-11", "2024-02"), ["2023-11", "2023-12", "2024-01", "2024-02"]);
  assert.deepEqual(labels("2024-02-28", "2024-03-01"), ["2024-02-28", "2024-02-29", "2024-03-01"]);
  assert.deepEqual(labels("0098", "0100"), ["0098", "0099", "0100"]);
  assert.deepEqual(labels("0001-01", "2024-01"), ["0001-01", "2024-01"], "too many to fill in");
  const [, gap, last, nil] = withGaps([date("2001"), date("2003"), { ...date("nil"), isDate: false }], false);
  assert.deepEqual([gap.value, gap.count, last.label, nil.label], [null, 0, "2003", "nil"]);
});

test("Ticks are round, hold all values and 0", () => {
  assert.deepEqual(ticks([3, 7]), [0, 2, 4, 6, 8]);
  assert.deepEqual(ticks([-3, 7]), [-5, 0, 5, 10]);
  assert.deepEqual(ticks([0.1, 0.3]), [0, 0.1, 0.2, 0.3]);
  assert.deepEqual(ticks([]), [0, 1]);
  assert.deepEqual(ticks([1, 2]), [0, 1, 2], "no halves of rows");
  assert.equal(ticks([0]).includes(0), true);
});

test("Bars rise from 0, and fall below it", () => {
  const { bars, zero } = layout([{ ...date("a", 4), isDate: false }, { ...date("b", -2), isDate: false }, { ...date("c"), value: null }]);
  assert.equal(bars[0].y + bars[0].height, zero);
  assert.equal(bars[1].y, zero);
  assert.equal(Math.round(bars[0].height / bars[1].height), 2);
  assert.deepEqual([bars[2].height, bars[2].isThere], [0, false]);
});

test("As many names stand below as there is room for", () => {
  const many = Array.from({ length: 100 }, (_, index) => date(String(1900 + index)));
  assert.equal(layout(many).names.length <= 18, true);
  assert.equal(layout(many.slice(0, 5)).names.length, 5);
});

test("A line over dates doesn't lead on to nil, which is at no time", () => {
  const { bars } = layout([date("2001"), date("2002"), { ...date("nil"), isDate: false }]);
  assert.match(linePath(bars), /^M[\d. ]+L[\d. ]+M[\d. ]+$/);
  const values = layout(["a", "b"].map((label) => ({ ...date(label), isDate: false }))).bars;
  assert.match(linePath(values), /^M[\d. ]+L[\d. ]+$/);
});

test("A line has a gap where there is no value", () => {
  const { bars } = layout([date("2001"), { ...date("2002"), value: null }, date("2003"), date("2004")]);
  assert.match(linePath(bars), /^M[\d. ]+M[\d. ]+L[\d. ]+$/);
});
