// Keys of shortcuts.

import assert from "node:assert/strict";
import test from "node:test";
import { letterOf } from "../../Sources/CoreDataStudio/Pages/scripts/state/keys.js";

test("A key of another script is the Latin letter in its place, for shortcuts name Latin letters", () => {
  assert.equal(letterOf({ key: "ы", code: "KeyS" }), "s");
  assert.equal(letterOf({ key: "Я", code: "KeyZ" }), "z");
  assert.equal(letterOf({ key: "ש", code: "KeyA" }), "a");
});

test("A Latin letter is itself, wherever the layout has it", () => {
  assert.equal(letterOf({ key: "Z", code: "KeyY" }), "z");
  assert.equal(letterOf({ key: "a", code: "KeyQ" }), "a");
  assert.equal(letterOf({ key: "é", code: "Digit2" }), "é");
  assert.equal(letterOf({ key: "Escape", code: "Escape" }), "escape");
  assert.equal(letterOf({ key: "s" }), "s", "a made event may have no code");
});
