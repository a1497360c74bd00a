import assert from "node:assert/strict";
import { test } from "node:test";
import { functionsOf, plain } from "./scripts.mjs";

const FILES = ["pages/lesson/browser/grading.js", "pages/lesson/browser/lesson_engine.js", "pages/lesson/browser/end.js"];
const { LessonEngine, engineOf, scoreOf } = functionsOf(FILES, ["LessonEngine", "engineOf", "scoreOf"], { TextEncoder });

const ASKS = [false, true, true, true];
const text = (words) => [["text", words]];
const QUESTION = {
  form: "choice", tries: 2, right: [true, false], replies: [[], text("No.")], nothing: text("Nothing."),
  why: text("So."), again: text("Again."), answer: text("It is a."),
};

/** An engine at a stop, with marks. */
function engineAt(stop = 0, marks = "----") {
  const engine = new LessonEngine();
  engine.begin(1, ASKS, marks, stop);
  return engine;
}

/** Answers the question of the current stop. */
function answer(engine, given, sureness = 0) {
  engine.answer(engine.keyOf(engine.stop), engine.stop, QUESTION, given, sureness);
  return engine.attempt(engine.stop);
}

test("A stop is read when it is entered, and no stop is beyond the end", () => {
  const engine = engineAt();
  assert.equal(engine.marks, "o---");
  engine.navigate("back");
  assert.equal(engine.stop, 0);
  engine.navigate(99);
  assert.deepEqual([engine.stop, engine.marks], [4, "o---"]);
  engine.navigate("on");
  assert.equal(engine.stop, 4);
  engine.navigate("back");
  assert.deepEqual([engine.stop, engine.marks], [3, "o--o"]);
});

test("An answer is right, open with a hint, or shown, and its stop has the mark", () => {
  const engine = engineAt(1);
  assert.deepEqual(plain(answer(engine, null)), { tries: 0, state: "open", reply: text("Nothing."), given: null });
  assert.equal(engine.marks, "-o--");
  assert.deepEqual(plain(answer(engine, 1)).reply, [...text("No."), ...text("Again.")]);
  assert.equal(engine.isOpen(1), true);
  assert.equal(answer(engine, 0).state, "right");
  assert.equal(engine.marks, "-2--");
  assert.equal(answer(engine, 1).state, "right"); // settled
  engine.navigate("on");
  answer(engine, 1);
  assert.equal(answer(engine, 1).state, "shown");
  assert.deepEqual(plain(engine.report().slice(1, 5)), ["-2x-", 0, [0, 0, 0, 0], [1, 2]]);
});

test("The first answer is known with how sure one was; nothing chosen is none, a second try is not the first", () => {
  const engine = engineAt(1);
  answer(engine, null, 2);
  assert.equal(engine.isFirst(1), true);
  answer(engine, 1, 1);
  assert.equal(engine.isFirst(1), false);
  answer(engine, 0, 2);
  assert.deepEqual(plain(engine.report()[5]), [[1, 1, 1, false]]);
});

test("A review asks what is open, in another form if it was answered", () => {
  const engine = engineAt(1);
  answer(engine, 1);
  answer(engine, 1);
  engine.navigate(2);
  answer(engine, 0);
  engine.navigate(3);
  answer(engine, null); // no answer
  engine.navigate("on");
  assert.deepEqual(plain(scoreOf(engine)), { right: "1 of 3 questions", more: "" });
  engine.review();
  assert.deepEqual([engine.stop, ...engine.rounds], [1, 0, 1, 0, 0]);
  assert.equal(answer(engine, 0).state, "right");
  assert.deepEqual([engine.marks, engine.report()[5].length], ["-y1o", 2]); // the first answers stay
  engine.navigate(1); // where it is: the review goes on
  engine.navigate("on");
  assert.deepEqual([engine.stop, ...engine.rounds], [3, 0, 1, 0, 0]);
  engine.navigate("on");
  assert.deepEqual([engine.stop, engine.isReview], [4, false]);
  engine.navigate("back");
  assert.equal(engine.stop, 3);
  answer(engine, 0);
  assert.match(scoreOf(engine).more, /^You got 1 more right when it was asked again/);
});

test("To go anywhere else ends the review", () => {
  const engine = engineAt(0, "oox1");
  engine.review();
  assert.equal(engine.stop, 1);
  engine.navigate(0);
  engine.navigate("on");
  engine.navigate("on");
  engine.navigate("on");
  assert.equal(engine.stop, 3);
});

test("Begun again, only what was shown is asked in another form", () => {
  const engine = engineAt(1);
  answer(engine, 1);
  answer(engine, 1);
  engine.navigate("on");
  answer(engine, 0);
  engine.restart();
  assert.deepEqual([engine.stop, engine.marks, ...engine.rounds], [0, "ox--", 0, 1, 0, 0]);
  engine.navigate(2);
  assert.equal(engine.attempt(2).state, "open");
  assert.equal(answer(engine, 0).state, "right");
  engine.restart();
  assert.equal(engine.rounds[1], 2);
});

test("What was shown in another visit is asked in another form", () => {
  assert.deepEqual([...engineAt(0, "-xy1").rounds], [0, 1, 1, 0]);
});

test("A link moves the engine once, and what was answered in this visit stays", () => {
  const engine = engineAt(1);
  answer(engine, 0);
  assert.equal(engine.begin(2, ASKS, "---x", 3), true);
  assert.deepEqual([engine.stop, engine.marks, ...engine.rounds], [3, "-1-x", 0, 0, 0, 1]);
  engine.navigate("back");
  assert.equal(engine.begin(2, ASKS, "---x", 3), false);
  assert.equal(engine.stop, 2);
});

test("An answer to a question that is drawn no more is not counted", () => {
  const engine = engineAt(1, "-x--");
  engine.answer("1:0.0", 1, QUESTION, 0, 0);
  assert.equal(engine.marks, "-x--");
});

test("A listener that replaces another is called in its place", () => {
  const engine = engineAt();
  const called = [];
  engine.listeners.page = () => {
    engine.listeners.question = () => called.push("new");
  };
  engine.listeners.question = () => called.push("old");
  engine.changed();
  assert.deepEqual(called, ["new"]);
});

test("A window has one engine for a lesson", () => {
  assert.equal(engineOf("a"), engineOf("a"));
  assert.notEqual(engineOf("a"), engineOf("b"));
});

test("An answer to another form, after the first was shown in another visit, is not the first answer", () => {
  const engine = engineAt(1, "-xy1");
  assert.deepEqual([engine.rounds[1], engine.isFirst(1)], [1, false]);
  assert.equal(answer(engine, 0).state, "right");
  assert.deepEqual([engine.marks, engine.report()[5].length], ["-yy1", 0]);
});
