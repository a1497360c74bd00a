import assert from "node:assert/strict";
import { test } from "node:test";
import { functionsOf, plain } from "./scripts.mjs";

/** An element of a page, as far as a chunk needs one. */
class FakeElement {
  className = "";
  content = [];
  dataset = {};
  style = {};

  get firstChild() {
    return this.content[0];
  }

  setAttribute(name, value) {
    this[name] = value;
  }

  append(...content) {
    this.content.push(...content);
  }
}

const NAMES = ["marksOf", "cutsOf", "insideOf", "labelOf", "runsOf", "positionsOf", "tokensOf", "describe", "sharing", "chunk"];
const SCRIPTS = ["pages/shared/dom.js", "pages/shared/drawing/display_text.js", "pages/shared/aligned/mark_bubble.js", "pages/shared/aligned/aligned_view.js"];
const view = functionsOf(SCRIPTS, NAMES, { document: { createElement: () => new FakeElement() } });
const none = new Set();

test("a line ends where there is no more room, whatever the number of columns", () => {
  const narrow = Array(12).fill(10);
  const breaks = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
  assert.deepEqual(plain(view.cutsOf(narrow, breaks, none, 120)), []);
  assert.deepEqual(plain(view.cutsOf(narrow, breaks, none, 50)), [5, 10]);
  assert.deepEqual(plain(view.cutsOf([90, 10, 10, 90], [1, 2, 3], none, 100)), [2]);
});

test("it rather ends where no token is cut, and within a character only if there is no other way", () => {
  const widths = Array(10).fill(10);
  const breaks = [2, 4, 6, 8];
  assert.deepEqual(plain(view.cutsOf(widths, breaks, new Set([6, 7, 8]), 80)), [4]);
  assert.deepEqual(plain(view.cutsOf(widths, breaks, new Set([3, 4, 5, 6, 7, 8]), 80)), [8]);
  assert.deepEqual(plain(view.cutsOf([30, 30, 30], [], none, 50)), [1, 2]);
  assert.deepEqual(plain(view.cutsOf([10, 60, 60], [1], none, 100)), [2], "not the space alone");
  assert.deepEqual(plain(view.cutsOf([300, 300], [1], none, 50)), [1], "each line has something");
  assert.deepEqual(plain([...view.insideOf([[[0, 3, []]], [[1, 2, []], [2, 4, []]]])]), [1, 2, 3]);
});

test("of a token that goes on in the next line, each line shows what it holds", () => {
  assert.equal(view.labelOf("lowest", "low", false, true), "low…");
  assert.equal(view.labelOf("lowest", "est", true, false), "…est");
  assert.equal(view.labelOf("##st", "st", false, false), "##st");
  assert.equal(view.labelOf("lowest", "…", true, true), "…");
});

const raw = (...texts) => texts.map((text, n) => [n, n + 1, text, text === "·"]);

test("a bracket runs as what it holds, and a space goes with the word behind it", () => {
  const hebrew = raw("·(", "\u05e9", "\u05dc", ")");
  assert.deepEqual(plain(view.runsOf(hebrew, 4, "ltr")), ["ltr", "rtl", "rtl", "ltr"]);
  assert.deepEqual(plain(view.runsOf(hebrew, 4, "rtl")), ["rtl", "rtl", "rtl", "rtl"]);
  const held = raw("\u05e9", ")(", "\u05dc");
  assert.deepEqual(plain(view.runsOf(held, 3, "ltr")), ["rtl", "rtl", "rtl"]);
  assert.deepEqual(plain(view.runsOf(raw("·", "\u05e9"), 2, "ltr")), ["rtl", "rtl"]);
  assert.deepEqual(plain(view.runsOf(raw("3", ".", "1"), 3, "rtl")), ["ltr", "ltr", "ltr"]);
});

test("one control turns no word round, and a run against the text is turned as a whole", () => {
  const name = raw("user", "⟨U+200F⟩", "name");
  const runs = view.runsOf(name, 3, "ltr");
  assert.deepEqual(plain(view.positionsOf(runs, "ltr", [])), [0, 1, 2]);
  const places = (runs, base, rows = []) => plain(view.positionsOf(runs, base, rows));
  assert.deepEqual(places(["ltr", "rtl", "rtl", "ltr"], "ltr"), [0, 2, 1, 3]);
  assert.deepEqual(places(["rtl", "ltr", "ltr"], "rtl"), [0, 2, 1]);
  assert.deepEqual(places(["ltr", "rtl", "rtl"], "ltr", [[[0, 2, []]]]), [0, 1, 2], "no token is torn");
});

// "def" as one token and as three letters, behind what the first model puts in front.
const tile = (text, token) => [text, 0, 7, false, false, token];
const chunk = [
  [[1, 2, "d", false], [2, 3, "e", false], [3, 4, "f", false]],
  [
    [[0, 1, [tile("[CLS]", 0)]], [1, 4, [tile("def", 1)]]],
    [[1, 2, [tile("d", 0)]], [2, 3, [tile("e", 1)]], [3, 4, [tile("f", 2)]]],
  ],
  2,
  false,
];
const data = { names: [["BERT", ""], ["Letters", ""]], chunks: [chunk], tooltips: [] };

test("a word that is split in two ways or more is marked, with their number over its first line", () => {
  const shown = (ways, from = 0) => {
    const { made } = view.chunk({ ...data, chunks: [chunk.with(2, ways)] }, 0, "ltr", from);
    return [made.className, made.content.filter((one) => one.className === "ways").map((one) => one.content[0])];
  };
  assert.deepEqual(shown(1), ["chunk", []]);
  assert.deepEqual(shown(2), ["chunk differs", ["2 ways"]]);
  assert.deepEqual(shown(3), ["chunk differs", ["3 ways"]]);
  assert.deepEqual(shown(2, 2), ["chunk differs", []]);
});

test("what stands for no character is in nobody's place", () => {
  const { all, times } = view.tokensOf(data);
  const sentences = all.map((one) => view.describe(data, times, one));
  const [cls, def, d] = sentences;
  assert.match(cls, /It is added to the text\.$/);
  assert.match(def, /In its place: Letters d \+ e \+ f\.$/);
  assert.match(d, /In its place: BERT def\.$/);
});

test("of many tokens in its place, the first are listed", () => {
  const letters = [..."abcdefghijklmnopqrstuvwxyz"].map((one, n) => [n, n + 1, [tile(one, n)]]);
  const long = [raw(..."abcdefghijklmnopqrstuvwxyz"), [[[0, 26, [tile("abc", 0)]]], letters], 2, false];
  const { all, times } = view.tokensOf({ ...data, chunks: [long] });
  assert.match(view.describe({ ...data, chunks: [long] }, times, all[0]), /Letters a \+ .* \+ 17 more\.$/);
});

test("a mark of a token is explained, but a sign that the text has itself is no mark", () => {
  const marks = [["##", "no space here"], ["·", "a space"]];
  const chunks = [[[[0, 1, "·", true], [1, 2, "##", false], [2, 3, "a", false]], [], 2, false]];
  const explained = (text, first, last, unknown, only) =>
    plain(view.marksOf({ chunks, names: [["BERT", ""]], marks }, [0, 0, first, last, [text, 0, 7, unknown, only, 0]]));
  assert.deepEqual(explained("##a", 2, 3, false, false), ["##  no space here"]);
  assert.deepEqual(explained("·##", 0, 2, false, true), ["Underlined: in this row only.", "·  a space"]);
  assert.deepEqual(explained("a", 2, 3, true, false), ["Dashed: unknown to BERT."]);
  assert.deepEqual(explained("a", 2, 3, false, false), []);
});
