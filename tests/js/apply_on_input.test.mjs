import assert from "node:assert/strict";
import { test } from "node:test";
import { functionsOf } from "./scripts.mjs";

/** A page with a box, into which a key has just been typed. */
function typed() {
  const [pressed, listeners, timers] = [[], {}, new Map()];
  const box = {
    isConnected: true,
    matches: () => true,
    dispatchEvent: ({ key }) => pressed.push(key),
  };
  const window = { addEventListener: (name, listener) => Object.assign(listeners, { [name]: listener }) };
  const location = { pathname: "/real" };
  class KeyboardEvent {
    constructor(_type, { key }) {
      this.key = key;
    }
  }
  const { main } = functionsOf(["pages/shared/controls/browser_scripts/apply_on_input.js"], ["main"], {
    ...{ window, location, KeyboardEvent },
    document: { querySelector: () => ({}) },
    setTimeout: (act, _pause, ...given) => timers.set(timers.size + 1, () => act(...given)).size,
    clearTimeout: (number) => timers.delete(number),
  });
  main();
  listeners.input({ target: box, isComposing: false, inputType: "insertText" });
  return { pressed, location, wait: () => [...timers.values()].forEach((act) => void act()) };
}

test("what is typed is applied after a pause", () => {
  const page = typed();
  page.wait();
  assert.deepEqual(page.pressed, ["Enter"]);
});

test("after Back to another page, nothing is sent for the page that is left: it would be shown again", () => {
  const page = typed();
  page.location.pathname = "/lessons"; // the box is there till the other page is
  page.wait();
  assert.deepEqual(page.pressed, []);
});
