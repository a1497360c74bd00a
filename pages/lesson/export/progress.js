// Progress as one sign per stop, as in lessons/progress.py.

const SIGNS = "-o12xy"; // unseen, read, right at the first or second try, shown, made good
const SETTLED = "12y";
const ANSWERED = `${SETTLED}x`;

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

/** Whether every stop was seen and every question answered. @param {string} marks @param {boolean[]} asks */
function isDone(marks, asks) {
  return asks.every((isAsked, n) => (isAsked ? ANSWERED.includes(marks[n]) : marks[n] !== "-"));
}
