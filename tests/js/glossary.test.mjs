// The glossary's terms in a sentence of the player, found as lessons/glossary.py finds them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { functionsOf, plain } from "./scripts.mjs";

const GLOSSARY = [
  [["merge", "merges"], "A rule."],
  [["token", "tokens"], "A piece."],
  [["special token", "special tokens"], "Stands for no text."],
  [["pre-token", "pre-tokens"], "A word, roughly."],
  [["EM"], "Two steps."],
  [["E step", "E steps"], "Counts."],
];
const { splitTerms } = functionsOf(["pages/shared/player/glossary.js"], ["splitTerms"], { GLOSSARY });
const found = (text, met = new Set()) =>
  plain(splitTerms(text, met)).filter(([, says]) => says).map(([words]) => words);

test("terms are found as whole words, the longest first", () => {
  assert.deepEqual(found("Merges and merging"), ["Merges"]);
  assert.deepEqual(found("a special token"), ["special token"]);
  assert.deepEqual(found("pre-tokens are no tokens"), ["pre-tokens", "tokens"]);
  assert.deepEqual(found("re-merge it, e step, EMU, em, tokenés"), []);
  assert.deepEqual(found("E step 2 of EM"), ["E step", "EM"]);
});

test("a term is marked the first time, whatever its form, and nothing of the text is lost", () => {
  const met = new Set();
  assert.deepEqual(found("Two merges, one merge", met), ["merges"]);
  assert.deepEqual(found("this merge, that token", met), ["token"]);
  const text = "One merge <b>& two tokens</b>.";
  assert.equal(plain(splitTerms(text, new Set())).map(([words]) => words).join(""), text);
});
