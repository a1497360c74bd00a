import assert from "node:assert/strict";
import { test } from "node:test";
import { functionsOf, plain } from "./scripts.mjs";

/** As much of an element as these functions touch. */
class Made {
  constructor(name) {
    Object.assign(this, { name, children: [], dataset: {}, style: {} });
  }
  set textContent(text) {
    this.children = text ? [text] : [];
  }
  append(...more) {
    this.children.push(...more);
  }
  replaceChildren(...more) {
    this.children = more;
  }
}
const drawn = (one) => (one instanceof Made ? [one.name, ...one.children.map(drawn)] : one);
const world = () => ({ document: { createElement: (name) => new Made(name) } });
const DOM = "pages/shared/dom.js";
const WRITTEN = "pages/shared/drawing/display_text.js";

test("a row runs as its first letter does", () => {
  const { direction } = functionsOf([WRITTEN], ["direction"], world());
  const rows = [["12 ", "\u05d0"], ["low", "\u05d0"], ["\u0645</w>"], ["##\u0645", "a"], [], ["1"]];
  assert.deepEqual(plain(rows.map(direction)), ["rtl", "ltr", "rtl", "rtl", "ltr", "ltr"]);
});

test("the end mark of an Arabic token is kept apart, side by side too", () => {
  const { tile } = functionsOf([DOM, WRITTEN, "pages/shared/aligned/aligned_view.js"], ["tile"], world());
  const made = tile(["\u0645</w>", 1, "7", false, false], 0, 0, 1);
  assert.deepEqual(drawn(made), [
    "button",
    ["bdi", "\u0645", ["bdi", "</w>"]],
    ["small", "7"],
  ]);
});

test("and where the size of a vocabulary changes", () => {
  const files = [DOM, WRITTEN, "pages/sizes/rows.js", "pages/sizes/figures.js"];
  const { Row } = functionsOf(files, ["Row"], world());
  const place = new Made("span");
  place.appendChild = (one) => (place.children.push(one), one);
  place.word = { isUnknown: false };
  const row = { pieces: new Map([["t", ["\u0645</w>", 1, 0]]]) };
  Row.prototype.drawToken.call(row, place, "t", 0);
  assert.deepEqual(drawn(place.children[0]), ["bdi", "\u0645", ["bdi", "</w>"]]);
});
