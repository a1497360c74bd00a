// What a lesson marks: tokens by their text, arcs of a lattice by their place where one is meant.

import assert from "node:assert/strict";
import { test } from "node:test";
import { functionsOf } from "./scripts.mjs";

const { isMeant } = functionsOf(["pages/shared/player/picture/highlights.js"], ["isMeant"]);

test("a mark with a place means the arc that begins there, and no other", () => {
  const spots = new Set(["el", "l@2"]);
  assert.equal(isMeant(spots, "l", "2"), true);
  assert.equal(isMeant(spots, "l", "3"), false);
  assert.equal(isMeant(spots, "el", "1"), true);
});

test("a mark without a place means every arc of its piece", () => {
  const spots = new Set(["l"]);
  assert.deepEqual(["2", "3"].map((start) => isMeant(spots, "l", start)), [true, true]);
});

test("outside of a lattice, a mark with a place means its token", () => {
  const spots = new Set(["l@2"]);
  assert.equal(isMeant(spots, "l", undefined), true);
  assert.equal(isMeant(spots, "ll", undefined), false);
  assert.equal(isMeant(new Set(["a@b"]), "a@b", undefined), true);
});
