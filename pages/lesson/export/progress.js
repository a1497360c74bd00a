// Progress as one sign per stop, as in lessons/progress.py.

const SIGNS = "-o12xy"; // unseen, read, right at the first or second try, shown, made good
const RIGHT = "12";
const SETTLED = `${RIGHT}y`;
const PASS_SHARE = 0.8;

/** The stored marks, one per stop. @param {unknown} stored @param {number} stops */
function readMarks(stored, stops) {
  const known = typeof stored === "string" ? [...stored.slice(0, stops)] : [];
  return known.map((sign) => (SIGNS.includes(sign) ? sign : "-")).join("").padEnd(stops, "-");
}

/**
 * The mark of a stop after its `tries`-th answer, of `most`.
 * @param {string} before @param {number} tries @param {boolean} isRight @param {number} most
 */
function afterAnswer(before, tries, isRight, most) {
  if (SETTLED.includes(before)) return before;
  if (isRight) return before === "x" ? "y" : `${Math.min(tries, 2)}`;
  return tries >= most ? "x" : before;
}

/** The stops whose question was not answered right yet. @param {string} marks @param {boolean[]} asks */
function openStops(marks, asks) {
  return asks.flatMap((isAsked, n) => (isAsked && !SETTLED.includes(marks[n]) ? [n] : []));
}

/** Whether every stop was seen and every question is right by now. @param {string} marks @param {boolean[]} asks */
function isDone(marks, asks) {
  return !marks.includes("-") && !openStops(marks, asks).length;
}

/** The share of the questions that were right at the first or second try. @param {string} marks @param {boolean[]} asks */
function rightShare(marks, asks) {
  const all = asks.filter(Boolean).length;
  return all ? asks.filter((isAsked, n) => isAsked && RIGHT.includes(marks[n])).length / all : 1;
}

/** Whether it is done, and enough was right without the answer being shown. @param {string} marks @param {boolean[]} asks */
function isPassed(marks, asks) {
  return isDone(marks, asks) && rightShare(marks, asks) >= PASS_SHARE;
}

/** Whether the answer of a stop was shown, so that it could be copied. @param {string} sign */
function wasShown(sign) {
  return sign === "x" || sign === "y";
}

/** The marks for a new start: an answer that was shown stays shown. @param {string} marks */
function beginAgain(marks) {
  return [...marks].map((sign) => (wasShown(sign) ? "x" : "-")).join("");
}
