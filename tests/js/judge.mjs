// Grades answers, and goes through lessons, as the browser does. Reads one request a line from the standard
// input: ["ask", question] puts a question, ["grade", answer] is about the question that was put last,
// ["engine", window, lesson, method, ...arguments] is about the engine of a lesson in a window, and
// [name, ...arguments] calls a function. Writes a line with the result of every request but "ask". For
// tests/judge.py.

import { createInterface } from "node:readline";
import { functionsOf } from "./scripts.mjs";

const FILES = ["grading.js", "lesson_engine.js", "end.js"].map((name) => `pages/lesson/browser/${name}`);
const NAMES = ["GRADERS", "attemptAfter", "afterAnswer", "isDone", "isPassed", "beginAgain", "engineOf", "scoreOf"];
const known = functionsOf(FILES, NAMES, { TextEncoder });
let question;

const requests = {
  grade: (given) => known.GRADERS[question.form](question, given),
  engine: (window, lesson, method, ...given) => {
    const engine = known.engineOf(`${window} ${lesson}`);
    engine[method](...given);
    const { stop } = engine;
    return { report: engine.report(), attempt: engine.attempt(stop), isFirst: engine.isFirst(stop), score: known.scoreOf(engine) };
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const [name, ...given] = JSON.parse(line);
  if (name === "ask") question = given[0];
  else console.log(JSON.stringify((requests[name] ?? known[name])(...given)));
}
