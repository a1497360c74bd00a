import assert from "node:assert/strict";
import { test } from "node:test";
import { functionsOf } from "./scripts.mjs";

/** A browser with one entry, `/real`, and the script at work in it. */
function opened() {
  const events = [];
  const tasks = []; // that a timer starts
  const entries = ["http://app/real"];
  const listeners = {};
  const view = {
    events,
    get paths() {
      return entries.map((entry) => entry.slice("http://app".length));
    },
    act: (name) => listeners[name](),
    back() {
      entries.pop();
      const event = new PopStateEvent("popstate");
      event.isTrusted = true;
      window.dispatchEvent(event);
      while (tasks.length) tasks.shift()();
    },
  };
  const location = {
    get href() {
      return entries.at(-1);
    },
    get pathname() {
      return new URL(entries.at(-1)).pathname;
    },
  };
  const whole = (url) => new URL(url, location.href).href;
  view.history = {
    state: null,
    pushState: (_state, _unused, url) => entries.push(whole(url)),
    replaceState: (_state, _unused, url) => entries.splice(-1, 1, whole(url)),
  };
  const window = {
    addEventListener: (name, listener) => Object.assign(listeners, { [name]: listener }),
    dispatchEvent(event) {
      listeners[event.type]?.(event);
      if (event.isStopped) return;
      events.push(event.type);
      // Streamlit sends what a component reports in a task of its own.
      if (event.type === "wentwithinpage") tasks.push(() => events.push("reported"));
    },
  };
  class PopStateEvent {
    isTrusted = false;
    constructor(type) {
      this.type = type;
    }
    stopImmediatePropagation() {
      this.isStopped = true;
    }
  }
  const setTimeout = (task) => tasks.push(task);
  const given = { window, location, history: view.history, URL, Event, PopStateEvent, setTimeout };
  const { writeUrlParam: write } = functionsOf(
    ["pages/shared/history.js", "pages/shared/presenter_base.js"], ["writeUrlParam"], given,
  );
  view.says = (url) => view.history.pushState({}, "", url);
  view.replaces = (url) => view.history.replaceState({}, "", url);
  view.write = write;
  return view;
}

test("what a page brings back on arrival makes no entry of its own, nor does it after Back", () => {
  const view = opened();
  view.act("click");
  view.says("/train");
  view.says("/train?word=hug");
  assert.deepEqual(view.paths, ["/real", "/train?word=hug"]);
  view.back();
  view.says("/real?say=a");
  assert.deepEqual(view.paths, ["/real?say=a"]);
});

test("each thing that a visitor does makes one entry", () => {
  const view = opened();
  for (const name of ["pointerdown", "keydown", "input", "drop"]) {
    view.act(name);
    view.says(`/real?a=${name}`);
    view.says(`/real?a=${name}&more`);
  }
  const made = ["pointerdown", "keydown", "input", "drop"].map((name) => `/real?a=${name}&more`);
  assert.deepEqual(view.paths, ["/real", ...made]);
});

test("a change after a link was pressed isn't written into the page that is left", () => {
  const view = opened();
  view.act("pointerdown");
  view.says("/real?word=2");
  view.act("click");
  view.says("/real?word=4");
  view.says("/train?word=4");
  assert.deepEqual(view.paths, ["/real", "/real?word=2", "/train?word=4"]);
});

test("a page that leads to another by itself keeps its own address", () => {
  const view = opened();
  view.says("/real?word=4");
  view.says("/train?word=4");
  assert.deepEqual(view.paths, ["/real", "/train?word=4"]);
});

test("going back within a page is reported before Streamlit is told, to another page is not", () => {
  const view = opened();
  view.says("/train");
  view.act("click");
  view.says("/train?step=3");
  view.back();
  const within = ["wentwithinpage", "reported", "popstate"];
  assert.deepEqual(view.events, within);
  view.back();
  assert.deepEqual(view.events, [...within, "popstate"]);
});

test("a page that was asked for before Back, and answers after it, leads nowhere", () => {
  const view = opened();
  view.act("click");
  view.says("/lessons");
  view.act("click");
  view.says("/train");
  view.back();
  view.says("/train");
  assert.deepEqual(view.paths, ["/real", "/lessons"]);
  view.act("click");
  view.says("/train");
  assert.deepEqual(view.paths, ["/real", "/lessons", "/train"]);
});

test("what a script of the page wrote stays when a run that began before writes the address", () => {
  const view = opened();
  view.act("keydown");
  view.write("step", 5);
  view.write("present", 1);
  view.says("/real?step=4&panel=words");
  assert.deepEqual(view.paths, ["/real?step=5&present=1", "/real?step=5&panel=words&present=1"]);
  view.write("present", "");
  view.says("/real?step=5&panel=words&present=1");
  view.replaces("/real?step=3&present=1"); // as Streamlit does after Back
  assert.equal(view.paths.at(-1), "/real?step=5");
});

test("an address that is as the script of the page has it makes no entry", () => {
  const view = opened();
  view.write("a", 1);
  view.write("b", "x y");
  view.act("keydown");
  view.says("/real?b=x+y");
  assert.deepEqual(view.paths, ["/real?a=1&b=x+y"]);
});

test("another page has nothing of what a script wrote, and the page left keeps it", () => {
  const view = opened();
  view.says("/real?word=4");
  view.write("step", 5);
  view.says("/train?word=4");
  view.says("/train?panel=words");
  assert.deepEqual(view.paths, ["/real?step=5", "/train?panel=words"]);
});

test("Back brings back the step of the address, and leaves a switch as it is on the screen", () => {
  const view = opened();
  view.write("step", 3);
  view.write("present", 1);
  view.act("click");
  view.says("/real?step=3&present=1&word=2");
  view.write("step", 5);
  view.write("present", "");
  view.back();
  assert.deepEqual(view.paths, ["/real?step=3"]);
  view.replaces("/real?step=2");
  assert.deepEqual(view.paths, ["/real?step=2"]);
});
