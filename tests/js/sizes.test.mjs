import assert from "node:assert/strict";
import { test } from "node:test";
import { functionsOf, plain } from "./scripts.mjs";

const { indexUpTo, Word, decades, steps, memory, countOf } = functionsOf(
  ["pages/sizes/rows.js", "pages/sizes/figures.js"],
  ["indexUpTo", "Word", "decades", "steps", "memory", "countOf"],
);

test("a size is shown at the last one on record that is not larger", () => {
  const sizes = [10, 20, 40];
  const wanted = [1, 10, 19, 20, 39, 40, 1000];
  assert.deepEqual(wanted.map((size) => indexUpTo(sizes, size)), [0, 0, 0, 1, 1, 2, 2]);
});

test("a word is cut the same at a size, whichever way one came there", () => {
  const made = () => new Word([["l", "o", "w"], [1, 2], [[1, [1]], [3, [2]]], false]);
  const word = made();
  const seen = [0, 1, 2, 3].map((at) => {
    word.cutAt(at);
    return plain(word.tokens("##"));
  });
  assert.deepEqual(seen, [["l", "##o", "##w"], ["lo", "##w"], ["lo", "##w"], ["low"]]);
  for (const at of [3, 0, 2, 1, 3, 2]) {
    word.cutAt(at);
    assert.deepEqual(plain(word.tokens("##")), seen[at]);
  }
});

test("cutAt tells whether the word is cut otherwise now", () => {
  const word = new Word([["l", "o"], [1], [[2, [1]]], false]);
  assert.deepEqual([1, 2, 3, 0].map((at) => word.cutAt(at)), [false, true, false, true]);
});

test("the scales have round numbers, and reach to the largest", () => {
  assert.deepEqual(plain(decades(10, 200)), [10, 20, 50, 100, 200]);
  for (const most of [1, 7, 99, 100, 101, 12_345]) {
    const levels = plain(steps(most));
    assert.equal(levels[0], 0);
    assert.ok(levels.at(-1) >= most && levels.length <= 7, `${most}: ${levels}`);
  }
});

test("memory is given in the unit that fits", () => {
  const text = [0, 999, 1000, 98_304, 2.5e9].map(memory);
  assert.deepEqual(text, ["0 bytes", "999 bytes", "1 kB", "98.3 kB", "2.5 GB"]);
});

test("one is no plural", () => {
  assert.deepEqual([1, 0, 1234].map((n) => countOf(n, "piece")), ["1 piece", "0 pieces", "1,234 pieces"]);
});

test("the sentence does not praise what is unknown for being short", () => {
  const { SizeSlider } = functionsOf(
    ["pages/sizes/rows.js", "pages/sizes/figures.js", "pages/sizes/size_slider.js"],
    ["SizeSlider"],
  );
  const row = (name, tokens, hasUnknown) => ({ kind: { name }, size: 60, tokens, hasUnknown });
  const rows = [row("BPE", 9, false), row("WordPiece", 1, true)];
  const text = SizeSlider.prototype.sentence.call({ sizes: [60], at: 0, rows });
  assert.equal(text, "60 pieces: BPE splits the text into 9 tokens, WordPiece into 1 ([UNK] among them).");
});
