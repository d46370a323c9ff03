// The look of values as text, and the parts of a text that can't be seen.

import assert from "node:assert/strict";
import test from "node:test";
import {
  colorText, dateText, duration, lineEnds, objectPath, objectPlace, pickedDate, pickerDate, plain, plural, size, unseen, visible,
} from "../../Sources/CoreDataStudio/Pages/scripts/state/text.js";

test("Counts agree with their words", () => {
  assert.equal(plural(1, "row"), "1 row");
  assert.equal(plural(0, "row"), "0 rows");
  assert.equal(plural(1234567, "entity", "entities"), "1,234,567 entities");
});

test("Sizes and times have a unit that fits them", () => {
  assert.deepEqual([size(1), size(999), size(1500), size(16 << 20)], ["1 byte", "999 bytes", "1.5 kB", "16.8 MB"]);
  assert.deepEqual([duration(0.25), duration(12.345)], ["250 µs", "12.3 ms"]);
});

test("Dates drop what is zero at their end", () => {
  assert.equal(dateText("1963-02-19T00:00:00Z"), "1963-02-19");
  assert.equal(dateText("1963-02-19T08:30:00Z"), "1963-02-19 08:30:00");
  assert.equal(dateText("1963-02-19T08:30:09.5Z"), "1963-02-19 08:30:09");
  assert.equal(dateText("1963-02-19T00:00:01Z"), "1963-02-19 00:00:01");
  assert.equal(dateText("yesterday"), "yesterday");
  assert.equal(pickerDate("1963-02-19T08:30:09.5Z"), "1963-02-19T08:30:09");
  assert.equal(pickerDate("1963-02-19"), "1963-02-19T00:00:00");
  assert.equal(pickerDate("yesterday"), "");
  assert.equal(pickedDate("1963-02-19T00:00"), "1963-02-19");
  assert.equal(pickedDate("1963-02-19T08:30:09"), "1963-02-19T08:30:09Z");
});

test("Each kind of value has the text that an input shows for it", () => {
  assert.equal(plain(null), "");
  assert.equal(plain(false), "false");
  assert.equal(plain({ $: "decimal", text: "1.10" }), "1.10");
  assert.equal(plain({ $: "object", id: "Hero/3", title: "", entity: "Hero" }), "Hero/3");
  assert.equal(plain({ $: "color", red: 1, green: 0.5, blue: 0, alpha: 1 }), "#FF8000FF");
  const street = { key: "street", value: "High" }, city = { key: "city", value: { $: "text", text: "Go", length: 999 } };
  assert.equal(plain({ $: "composite", isNull: false, fields: [street, city] }), "street: High, city: Go");
  assert.equal(plain({ $: "composite", isNull: true, fields: [street] }), "");
  assert.equal(plain({ $: "members", count: 2 }), "2 objects");
});

test("Colours have two digits for each part", () => {
  assert.equal(colorText({ red: 0, green: 1 / 255, blue: 0.999, alpha: 0 }), "#0001FF00");
});

test("Characters that hide or turn text are written out, others stay", () => {
  assert.equal(visible("a\u202eb\u0000"), "a\\u{202e}b\\u{0}");
  assert.equal(visible("tab\tend\r\nשלום"), "tab\tend\r\nשלום");
});

test("What can't be seen is counted and named, at most five kinds of it", () => {
  assert.equal(unseen("plain"), null);
  assert.equal(unseen(5), null);
  assert.equal(unseen("a\u200bb\u200b"), "Holds 2 characters that can’t be seen: U+200B");
  assert.match(unseen("\u0001\u0002\u0003\u0004\u0005\u0006"), /^Holds 6 .*: U\+0001, U\+0002, U\+0003, U\+0004, U\+0005$/);
});

test("Joiners within emoji and within words of scripts that need them can be seen", () => {
  assert.equal(unseen("Ann 👩\u200d👩\u200d👧 and 🏳\ufe0f\u200d🌈"), null);
  assert.equal(unseen("می\u200cخواهم क्\u200dष"), null);
  assert.equal(unseen("a\u200db 👩\u200d"), "Holds 2 characters that can’t be seen: U+200D");
});

test("A text's own line ends are found, and mixed ones are left as newlines", () => {
  assert.equal(lineEnds("one line"), "\n");
  assert.equal(lineEnds("a\nb"), "\n");
  assert.equal(lineEnds("a\r\nb\r\n"), "\r\n");
  assert.equal(lineEnds("a\rb"), "\r");
  assert.equal(lineEnds("a\r\nb\nc"), "\n");
  assert.equal(lineEnds("\n\r\n"), "\n");
});

test("Names in addresses are escaped, the slash between them isn't", () => {
  assert.equal(objectPlace("Über/3", "?trail=a"), "#/data/%C3%9Cber/3?trail=a");
  assert.equal(objectPath("Hero/p1", "bytes", "a b"), "data/objects/Hero/p1/bytes/a%20b");
});
