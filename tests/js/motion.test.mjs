// Which old tiles a new one comes from, when a single step moves.

import assert from "node:assert/strict";
import { test } from "node:test";
import { functionsOf, plain } from "./scripts.mjs";

const { originsOf } = functionsOf(["pages/shared/player/picture/motion.js"], ["originsOf"]);
const origins = (before, after) => plain(originsOf(before.split(" "), after.split(" ")));

test("a merged tile comes from its parts, and the others from themselves", () => {
  assert.deepEqual(origins("n e w est </w>", "n e w est</w>"), [[0], [1], [2], [3, 4]]);
  assert.deepEqual(origins("a a a a", "aa aa"), [[0, 1], [2, 3]]);
  assert.deepEqual(origins("su ##n ##n ##y", "su ##n ##ny"), [[0], [1], [2, 3]]);
});

test("the parts of a tile that was split come from it, and one may straddle two", () => {
  assert.deepEqual(origins("low er", "l ow er"), [[0], [0], [1]]);
  assert.deepEqual(origins("th at", "t hat"), [[0], [0, 1]]);
});

test("strips that spell something else do not move", () => {
  assert.equal(originsOf(["a", "b"], ["a", "[UNK]"]), null);
  assert.equal(originsOf(["a", "b"], ["a"]), null);
  assert.deepEqual(plain(originsOf([], [])), []);
});
