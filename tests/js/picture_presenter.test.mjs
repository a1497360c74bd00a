// Which picture is in presenter view, when the page mounts pictures anew.

import assert from "node:assert/strict";
import { test } from "node:test";
import { functionsOf } from "./scripts.mjs";

/** A root element with as much of the browser's own as the overlay uses. */
class Root {
  isConnected = true;
  dataset = {};
  style = { setProperty() {}, removeProperty() {} };
  #classes = new Set();
  classList = {
    add: (name) => this.#classes.add(name),
    remove: (name) => this.#classes.delete(name),
    contains: (name) => this.#classes.has(name),
  };
  addEventListener() {}
  append() {}
  focus() {}
  showPopover() {}
  hidePopover() {}
  querySelector() {}
  remove() {}
  removeAttribute() {}
  setAttribute() {}
}

const location = { href: "http://localhost/compare?present=1" };
const { presentPicture } = functionsOf(
  ["pages/shared/presenter_base.js", "pages/shared/picture_presenter.js"],
  ["presentPicture"],
  {
    URL, location,
    document: { addEventListener() {} },
    history: { replaceState: (_state, _title, url) => (location.href = `${url}`) },
    make: () => new Root(),
    navigator: {},
    ResizeObserver: class {
      observe() {}
    },
    window: {},
  },
);
const isPresented = (root) => root.classList.contains("presenting");

test("a picture that is mounted before the old one is taken away takes presenter view over", () => {
  const [before, after] = [new Root(), new Root()];
  presentPicture(before, () => {});
  assert.ok(isPresented(before));
  presentPicture(after, () => assert.fail("nobody has left presenter view"));
  assert.deepEqual([before, after].map(isPresented), [false, true]);
  assert.match(location.href, /present=1/);
});

test("a choice that has the focus handles arrows and space only", () => {
  class Element {
    matches = (selector) => selector.includes("[role=radio]") || selector.includes("[role=radiogroup]");
  }
  const { isTyping } = functionsOf(["pages/shared/presenter_base.js"], ["isTyping"], { Element, HTMLElement: Element });
  const typing = (key) => isTyping({ key, composedPath: () => [new Element()] });
  assert.deepEqual(["?", "q", "ArrowRight", " "].map(typing), [false, false, true, true]);
});
