// Grades answers as an exported file does: reads [name, ...arguments] from the standard input, line by line,
// and writes what each call returns. For tests/pages/lesson/test_lesson_exports.py.

import { createInterface } from "node:readline";
import { functionsOf } from "./scripts.mjs";

const FILES = ["grading.js", "progress.js"].map((name) => `pages/lesson/export/${name}`);
const known = functionsOf(FILES, ["attemptAfter", "afterAnswer", "isDone", "isPassed", "beginAgain"], { TextEncoder });

for await (const line of createInterface({ input: process.stdin })) {
  const [name, ...given] = JSON.parse(line);
  console.log(JSON.stringify(known[name](...given)));
}
