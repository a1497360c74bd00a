import assert from "node:assert/strict";
import { test } from "node:test";
import { functionsOf, plain } from "./scripts.mjs";

const timers = [];
const given = {
  TextDecoder,
  setTimeout: (act) => timers.push(act) - 1,
  clearTimeout: (number) => delete timers[number],
};
const { splitMessage, localState, debounce } = functionsOf(
  ["pages/shared/dom.js"],
  ["splitMessage", "localState", "debounce"],
  given,
);

test("a message is its header, and each blob as long as it says", () => {
  const header = new TextEncoder().encode(JSON.stringify({ key: "é", sizes: [2, 0, 1] }));
  const message = new Uint8Array([header.length, 0, 0, 0, ...header, 7, 8, 9]);
  const [{ key }, blobs] = splitMessage(message);
  assert.equal(key, "é");
  assert.deepEqual(plain(blobs.map((blob) => [...blob])), [[7, 8], [], [9]]);
});

test("somebody stays where they went until Python begins another visit", () => {
  const parent = {};
  localState(parent, "a:1", { at: 3 }).at = 5;
  assert.equal(localState(parent, "a:1", { at: 3 }).at, 5);
  assert.deepEqual(plain(localState(parent, "a:2", { at: 1 })), { key: "a:2", at: 1 });
  assert.equal(localState({}, "a:2", { at: 4 }).at, 4);
});

test("only the last of quick calls is reported", () => {
  const [here, reports] = [{}, []];
  for (const at of [1, 2, 3]) debounce(here, 200, () => reports.push(at));
  for (const act of timers) act?.();
  assert.deepEqual(reports, [3]);
});
