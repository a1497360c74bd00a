import assert from "node:assert/strict";
import { test } from "node:test";
import { functionsOf, plain, Shelf } from "./scripts.mjs";

const FILE = "pages/shared/controls/user_text.js";
const clock = { now: () => clock.time++, time: 1_000 };

function memory() {
  return functionsOf([FILE], ["keep", "find", "kept"], { Date: clock });
}

test("a text comes back whole, with its line ends", () => {
  const { keep, find } = memory();
  const shelf = new Shelf();
  assert.equal(keep(shelf, { hash: "a", text: "one\ntwo\n" }), true);
  assert.equal(find(shelf, "a"), "one\ntwo\n");
  assert.equal(find(shelf, "b"), null);
});

test("the four newest texts are kept", () => {
  const { keep, kept } = memory();
  const shelf = new Shelf();
  for (const hash of "abcdef") keep(shelf, { hash, text: hash });
  const names = plain(kept(shelf)).map((name) => name.at(-1));
  assert.deepEqual(names, ["c", "d", "e", "f"]);
});

test("a text that is kept again counts as new, and is there once", () => {
  const { keep, kept } = memory();
  const shelf = new Shelf();
  for (const hash of "abcda") keep(shelf, { hash, text: hash });
  assert.deepEqual(plain(kept(shelf)).map((name) => name.at(-1)), ["b", "c", "d", "a"]);
});

test("old texts make room for a long one; what never fits is refused", () => {
  const { keep, find, kept } = memory();
  const shelf = new Shelf(60);
  for (const hash of "abc") keep(shelf, { hash, text: "x".repeat(10) });
  assert.equal(keep(shelf, { hash: "d", text: "y".repeat(30) }), true);
  assert.equal(find(shelf, "a"), null);
  assert.equal(find(shelf, "d"), "y".repeat(30));
  assert.equal(keep(shelf, { hash: "e", text: "z".repeat(100) }), false);
  assert.deepEqual(plain(kept(shelf)), []);
});
