// The browser's side of a value that Python changes, too.

import assert from "node:assert/strict";
import { test } from "node:test";
import { functionsOf, plain } from "./scripts.mjs";

const timers = [];

/** A tab that has just been opened. */
function opened() {
  const given = {
    setTimeout: (act) => timers.push(act) - 1,
    clearTimeout: (number) => delete timers[number],
  };
  return functionsOf(["pages/shared/synced_state.js"], ["syncedState"], given).syncedState;
}

/** What a state reports. */
function reportOf(state) {
  const reports = [];
  state.report((report) => reports.push(report));
  return plain(reports);
}

test("a value is Python's until the browser changes it, and again with a new revision", () => {
  const state = opened()("sizes");
  assert.equal(state.adopt("a text", [1, 3]), true);
  state.value = 5;
  assert.equal(state.adopt("a text", [1, 3]), false, "Python's value is older");
  assert.equal(state.value, 5);
  assert.equal(state.adopt("a text", [2, 1]), true);
  assert.equal(state.value, 1);
  assert.equal(state.adopt("another text", [2, 4]), true);
  assert.equal(state.value, 4);
});

test("a report has the revision that the browser knows, and is sent once", () => {
  const state = opened()("sizes");
  state.adopt("a text", [1, [3, "en"]]);
  assert.deepEqual(reportOf(state), [], "Python knows its own value");
  state.value = [4, "en"];
  assert.deepEqual(reportOf(state), [[[4, "en"], 1, 1]]);
  assert.deepEqual(reportOf(state), []);
  state.value = [3, "en"];
  assert.deepEqual(reportOf(state), [[[3, "en"], 1, 2]]);
  state.value = [9, "ta"];
  state.adopt("a text", [2, [0, "de"]]);
  assert.deepEqual(reportOf(state), [], "Python's value came after it");
});

test("a page that is opened again goes on where it was left", () => {
  const syncedState = opened();
  syncedState("step of train").adopt("a run", [1, 0]);
  syncedState("step of train").value = 7;
  const again = syncedState("step of train");
  again.adopt("a run", [1, 0]);
  assert.equal(again.value, 7);
  assert.equal(syncedState("rule of train").value, undefined);
});

test("only the last of quick changes is reported", () => {
  const [state, reports] = [opened()("sizes"), []];
  state.adopt("", [1, 0]);
  for (const value of [1, 2, 3]) {
    state.value = value;
    state.reportWhenIdle(200, (report) => reports.push(report));
  }
  for (const act of timers) act?.();
  assert.deepEqual(plain(reports), [[3, 1, 1]]);
});

test("a value that went back is reported, if Python may have read another one in the URL", () => {
  const state = opened()("step of train");
  state.adopt("a run", [1, 0]);
  state.value = 1;
  state.noteInUrl();
  state.value = 0;
  state.noteInUrl();
  assert.deepEqual(reportOf(state), [[0, 1, 1]]);
});
