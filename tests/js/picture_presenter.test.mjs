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

/** A browser that leaves full screen a while after it was asked to: at `leave`. */
const screen = {
  fullscreenElement: null,
  leave: null,
  listeners: [],
  addEventListener: (name, act) => name === "fullscreenchange" && screen.listeners.push(act),
  removeEventListener() {},
  exitFullscreen: () => new Promise((done) => {
    screen.leave = () => {
      screen.fullscreenElement = null;
      for (const act of screen.listeners) act();
      done();
    };
  }),
  documentElement: {
    async requestFullscreen() {
      screen.fullscreenElement = this;
    },
  },
};
const navigator = { userActivation: { isActive: false } };
const settled = () => new Promise((done) => setTimeout(done));

const location = { href: "http://localhost/compare?present=1" };
const { presentPicture, onPictureKey } = functionsOf(
  ["pages/shared/presenter_base.js", "pages/shared/picture_presenter.js"],
  ["presentPicture", "onPictureKey"],
  {
    URL, location, navigator,
    document: screen,
    Element: class {},
    HTMLElement: class {},
    history: { replaceState: (_state, _title, url) => (location.href = `${url}`) },
    make: () => new Root(),
    ResizeObserver: class {
      observe() {}
    },
    window: { dispatchEvent() {} },
    Event,
  },
);
const isPresented = (root) => root.classList.contains("presenting");

test("a picture that is mounted before the old one is taken away takes presenter view over", () => {
  const [before, after] = [new Root(), new Root()];
  presentPicture(before);
  assert.ok(isPresented(before));
  presentPicture(after);
  assert.deepEqual([before, after].map(isPresented), [false, true]);
  assert.match(location.href, /present=1/);
});

test("presenter view opened again while the browser leaves full screen stays, in full screen", async () => {
  const root = new Root();
  const press = (key) => onPictureKey({ key, composedPath: () => [{}], preventDefault() {} });
  navigator.userActivation.isActive = true;
  presentPicture(root);
  await settled();
  press("Escape");
  press("p");
  await settled();
  screen.leave();
  await settled();
  assert.ok(isPresented(root));
  assert.ok(screen.fullscreenElement);
});

test("a choice that has the focus handles arrows and space only", () => {
  class Element {
    matches = (selector) => selector.includes("[role=radio]") || selector.includes("[role=radiogroup]");
  }
  const { isTyping } = functionsOf(["pages/shared/presenter_base.js"], ["isTyping"], { Element, HTMLElement: Element });
  const typing = (key) => isTyping({ key, composedPath: () => [new Element()] });
  assert.deepEqual(["?", "q", "ArrowRight", " "].map(typing), [false, false, true, true]);
});
