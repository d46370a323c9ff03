// Steps in their order, answers of which only the last counts, and actions that wait for quiet.

import assert from "node:assert/strict";
import test from "node:test";
import { Turns, debounce, oneByOne } from "../../Sources/CoreDataStudio/Pages/scripts/state/turns.js";

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

test("Steps are done one after the other, whatever time each takes", async () => {
  const done = [];
  const line = oneByOne();
  const slow = line(async () => { await pause(20); done.push("slow"); return 1; });
  const quick = line(() => { done.push("quick"); return 2; });
  assert.deepEqual(await Promise.all([slow, quick]), [1, 2]);
  assert.deepEqual(done, ["slow", "quick"]);
});

test("A step that fails tells its own caller, and the next one is done all the same", async () => {
  const line = oneByOne();
  const failing = line(async () => { throw new Error("refused"); });
  const next = line(() => "done");
  await assert.rejects(failing, /refused/);
  assert.equal(await next, "done");
});

test("The number of steps under way rises and falls to nothing", async () => {
  const counts = [];
  const line = oneByOne((count) => counts.push(count));
  await Promise.allSettled([line(() => {}), line(async () => { throw new Error("no"); })]);
  await pause(0);
  assert.deepEqual(counts, [1, 2, 1, 0]);
});

test("Of several questions only the last one's answer counts, and none after the end", () => {
  const turns = new Turns();
  const first = turns.next(), second = turns.next();
  assert.equal(first(), false);
  assert.equal(second(), true);
  turns.end();
  assert.equal(second(), false);
  assert.equal(turns.next()(), false);
});

test("What is asked for again and again is done once, with what was said last", async () => {
  const calls = [];
  const action = debounce((text) => calls.push(text), 10);
  action("a");
  action("ab");
  action("abc");
  assert.deepEqual(calls, []);
  await pause(40);
  assert.deepEqual(calls, ["abc"]);
});
