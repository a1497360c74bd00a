// What a teacher pastes: codes among names and times, damaged ones, others' ones, the same again.

import assert from "node:assert/strict";
import { test } from "node:test";
import { functionsOf, plain } from "./scripts.mjs";

const FILES = ["codes", "decode"].map((name) => `pages/shared/player/classroom/${name}.js`);
const { decodeAll, runOf, tally, encodeCode } = functionsOf(
  FILES, ["decodeAll", "runOf", "tally", "encodeCode"],
);
const RUN = runOf("0123456789abcdef");
const codeOf = (student, answers, run = RUN) => encodeCode({ run, student, answers });
const ANNE = codeOf(1, [[1, 0, 2], [2, 3, 1]]);
const BEN = codeOf(2, [[1, 0, 1], [4, 5, 0]]);
const CARA = codeOf(3, [[1, 2, 2]]);
const studentsIn = (text) => plain(decodeAll(text, RUN).count.map(({ student }) => student));

/** A code with one character changed. */
function damaged(code, at = 12) {
  return code.slice(0, at) + (code[at] === "Z" ? "Y" : "Z") + code.slice(at + 1);
}

test("the run of a key is its first five digits", () => {
  assert.equal(RUN, 0x01234);
});

test("codes are found line by line, in a row, and in a chat", () => {
  assert.deepEqual(studentsIn([ANNE, "", BEN, CARA].join("\r\n")), [1, 2, 3]);
  assert.deepEqual(studentsIn(`${ANNE}, ${BEN};${CARA}`), [1, 2, 3]);
  assert.deepEqual(studentsIn(`Anne-Marie 10:32 AM: ${ANNE}.\nBenjamin:${BEN}\n"${CARA}"`), [1, 2, 3]);
});

test("a code is read as it was typed", () => {
  assert.deepEqual(studentsIn(ANNE.toLowerCase().replaceAll("-", " ").replaceAll("0", "o")), [1]);
  assert.deepEqual(studentsIn(BEN.replaceAll("-", "")), [2]);
  assert.deepEqual(studentsIn(CARA.replaceAll("-", "\u2013").replaceAll("1", "l")), [3]);
});

test("what cannot be counted is named by its line, and the others count", () => {
  const others = codeOf(4, [[1, 0, 0]], RUN + 1);
  const read = decodeAll(`${ANNE}\nhello everybody\n${damaged(BEN)} ${CARA}\n${others}`, RUN);
  assert.deepEqual(plain(read.problems), [
    { line: 3, text: damaged(BEN), problem: "damaged" },
    { line: 4, text: others, problem: "run" },
  ]);
  assert.equal(read.idle, 1);
  assert.deepEqual(plain(read.count.map(({ student }) => student)), [1, 3]);
});

test("a code cut short is named; names, numbers, dates and times are not", () => {
  const read = decodeAll(`${ANNE.slice(0, 9)}\n2026-11-23 10:32 Anna-Maria, class 7b\n0171 5551234567`, RUN);
  assert.deepEqual(plain(read.problems), [{ line: 1, text: ANNE.slice(0, 9), problem: "damaged" }]);
  assert.equal(read.idle, 2);
});

test("a student who hands in again counts once, with the longer code", () => {
  const more = codeOf(1, [[1, 0, 2], [2, 3, 1], [3, 1, 2]]);
  for (const text of [`${ANNE}\n${more}`, `${more}\n${ANNE}`, `${ANNE}\n${ANNE}\n${more}`]) {
    const read = decodeAll(text, RUN);
    assert.deepEqual(plain(read.count.map(({ answers }) => answers.length)), [3], text);
    assert.equal(read.again, text.split("\n").length - 1);
  }
});

test("two students who drew the same number are distinguished by their answers", () => {
  const other = codeOf(1, [[1, 4, 2], [2, 3, 1]]);
  assert.equal(decodeAll(`${ANNE}\n${other}`, RUN).count.length, 2);
});

test("the answers are counted by gate, option and sureness", () => {
  const { count } = decodeAll([ANNE, BEN, CARA].join("\n"), RUN);
  const gates = [...tally(count)].map(([gate, choices]) => [gate, [...choices]]);
  assert.deepEqual(plain(gates), [
    [1, [[0, [0, 1, 1]], [2, [0, 0, 1]]]],
    [2, [[3, [0, 1, 0]]]],
    [4, [[5, [1, 0, 0]]]],
  ]);
});
