import assert from "node:assert/strict";
import { test } from "node:test";
import { functionsOf, plain, Shelf } from "./scripts.mjs";

const FILE = "pages/shared/controls/user_text.js";
const clock = { now: () => clock.time++, time: 1_000 };

function memory() {
  return functionsOf([FILE], ["store", "find", "storedKeys"], { Date: clock });
}

test("a text comes back whole, with its line ends", () => {
  const { store, find } = memory();
  const shelf = new Shelf();
  assert.equal(store(shelf, { hash: "a", text: "one\ntwo\n" }), true);
  assert.equal(find(shelf, "a"), "one\ntwo\n");
  assert.equal(find(shelf, "b"), null);
});

test("the four newest texts are stored", () => {
  const { store, storedKeys } = memory();
  const shelf = new Shelf();
  for (const hash of "abcdef") store(shelf, { hash, text: hash });
  const names = plain(storedKeys(shelf)).map((name) => name.at(-1));
  assert.deepEqual(names, ["c", "d", "e", "f"]);
});

test("a text stored again counts as new, and is there once", () => {
  const { store, storedKeys } = memory();
  const shelf = new Shelf();
  for (const hash of "abcda") store(shelf, { hash, text: hash });
  assert.deepEqual(plain(storedKeys(shelf)).map((name) => name.at(-1)), ["b", "c", "d", "a"]);
});

test("old texts make room for a long one; one that never fits is not stored", () => {
  const { store, find, storedKeys } = memory();
  const shelf = new Shelf(60);
  for (const hash of "abc") store(shelf, { hash, text: "x".repeat(10) });
  assert.equal(store(shelf, { hash: "d", text: "y".repeat(30) }), true);
  assert.equal(find(shelf, "a"), null);
  assert.equal(find(shelf, "d"), "y".repeat(30));
  assert.equal(store(shelf, { hash: "e", text: "z".repeat(100) }), false);
  assert.deepEqual(plain(storedKeys(shelf)), []);
});
