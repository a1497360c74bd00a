// What a lesson marks: tokens by their text, arcs of a lattice by their place where one is meant.

import assert from "node:assert/strict";
import { test } from "node:test";
import { functionsOf } from "./scripts.mjs";

const { isHighlighted } = functionsOf(["pages/shared/player/picture/highlights.js"], ["isHighlighted"]);

test("a mark with a place means the arc that begins there, and no other", () => {
  const highlights = new Set(["el", "l@2"]);
  assert.equal(isHighlighted(highlights, "l", "2"), true);
  assert.equal(isHighlighted(highlights, "l", "3"), false);
  assert.equal(isHighlighted(highlights, "el", "1"), true);
});

test("a mark without a place means every arc of its piece", () => {
  const highlights = new Set(["l"]);
  assert.deepEqual(["2", "3"].map((start) => isHighlighted(highlights, "l", start)), [true, true]);
});

test("outside of a lattice, a mark with a place means its token", () => {
  const highlights = new Set(["l@2"]);
  assert.equal(isHighlighted(highlights, "l", undefined), true);
  assert.equal(isHighlighted(highlights, "ll", undefined), false);
  assert.equal(isHighlighted(new Set(["a@b"]), "a@b", undefined), true);
});
