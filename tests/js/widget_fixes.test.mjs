// When the sidebar closes by itself, which has a page's settings and, on a phone, the menu.

import assert from "node:assert/strict";
import { test } from "node:test";
import { functionsOf } from "./scripts.mjs";

const OPEN = '[data-testid="stExpandSidebarButton"]';
const SIDEBAR = '[data-testid="stSidebar"]';
const CHOICE = '[data-testid="stSidebarNavLink"]';

class Element {
  /** @param {string[]} around */
  constructor(...around) {
    this.around = around;
  }
  matches() {
    return false;
  }
  closest(selector) {
    return this.around.includes(selector) ? this : null;
  }
  querySelector() {
    return null;
  }
  querySelectorAll() {
    return [];
  }
}

const BUTTON = new Element(OPEN);
const LINK = new Element("a");
const MENU_LINK = new Element("a", CHOICE, SIDEBAR);
const MENU_SECTION = new Element(SIDEBAR);

/** A page whose sidebar is closed. */
function shown() {
  const [view, listeners] = [{ isOpen: false }, {}];
  const close = { click: () => Object.assign(view, { isOpen: false }) };
  const { main } = functionsOf(["pages/shared/controls/browser_scripts/widget_fixes.js"], ["main"], {
    Element,
    window: { addEventListener: (name, listener) => Object.assign(listeners, { [name]: listener }) },
    document: { body: new Element(), querySelector: () => (view.isOpen ? close : null) },
    MutationObserver: class {
      observe() {}
    },
  });
  view.arrive = (page) => main({ data: { page } });
  view.back = () => listeners.popstate();
  view.click = (target) => {
    if (target === BUTTON) view.isOpen = true;
    listeners.click({ target });
  };
  view.arrive("start");
  return view;
}

test("settings close with their page, and the menu with a choice, even of the page that is shown", () => {
  for (const leave of [(view) => view.click(LINK), (view) => view.back()]) {
    const view = shown();
    view.click(BUTTON);
    leave(view);
    assert.ok(view.isOpen);
    view.arrive("pipeline");
    assert.ok(!view.isOpen);
  }
  const view = shown();
  view.click(BUTTON);
  view.click(MENU_LINK);
  assert.ok(!view.isOpen);
});

test("a page that comes late leaves the menu that was opened in the meantime", () => {
  const view = shown();
  view.click(BUTTON);
  view.click(MENU_LINK);
  view.click(BUTTON);
  view.click(MENU_SECTION);
  view.arrive("pipeline");
  assert.ok(view.isOpen);
  view.click(MENU_LINK);
  assert.ok(!view.isOpen);
  view.click(BUTTON);
  view.click(LINK);
  view.arrive("lessons");
  assert.ok(!view.isOpen);
});
