// Decodes a teacher's pasted text: many codes, perhaps with names and times of a chat around them.
// Finds the codes that count, the problems of others, and the number of votes. No DOM here.

const HYPHENS = /[\u2010-\u2015\u2212\u00ad]/g; // replacements for a hyphen by mail and text programs
const AROUND = /^[^0-9a-z]+|[^0-9a-z]+$/gi;

const GROUPS = /^[0-9a-z]{4}(-[0-9a-z]{1,4})+$/i;

/** Whether a word looks like a code, perhaps truncated: in groups or long, digits and letters. */
function looksLikeCode(/** @type {string} */ word) {
  const isLong = /^[0-9a-z]+(-[0-9a-z]*)*$/i.test(word) && word.replaceAll("-", "").length > 8;
  return (isLong || GROUPS.test(word)) && /\d/.test(word) && /[a-z]/i.test(word);
}

/** The decoded codes in a line: one typed with spaces, or every word that looks like one. */
function codesIn(/** @type {string} */ line) {
  const whole = decodeCode(line.replace(/\s+/g, ""));
  if (!whole.problem) return [{ text: line.trim(), ...whole }];
  const words = line.split(/[\s,;:|"]+/).map((word) => word.replace(AROUND, ""));
  return words.filter(looksLikeCode).map((text) => ({ text, ...decodeCode(text) }));
}

/** Whether two codes with the same number can be of one student: first answers never change. */
function isSameStudent(/** @type {DecodedCode} */ one, /** @type {DecodedCode} */ other) {
  const before = new Map(one.answers.map(([gate, ...answer]) => [gate, String(answer)]));
  return other.answers.every(([gate, ...answer]) => (before.get(gate) ?? String(answer)) === String(answer));
}

/** Adds a code to those that count; returns whether its student was there already. */
function addCode(/** @type {Map<number, DecodedCode[]>} */ students, /** @type {DecodedCode} */ code) {
  const same = students.get(code.student) ?? [];
  students.set(code.student, same);
  const at = same.findIndex((one) => isSameStudent(one, code));
  if (at < 0) same.push(code);
  else if (code.answers.length > same[at].answers.length) same[at] = code;
  return at >= 0;
}

/** Decodes a text with codes of `run`: those that `count`, `problems`, and how many came `again`. */
function decodeAll(/** @type {string} */ text, /** @type {number} */ run) {
  /** @type {Map<number, DecodedCode[]>} */
  const students = new Map();
  /** @type {DecodedClass} */
  const read = { count: [], problems: [], again: 0, idle: 0 };
  text.replace(HYPHENS, "-").split(/\r?\n/).forEach((line, index) => {
    if (!line.trim()) return;
    const codes = codesIn(line);
    if (!codes.length) read.idle += 1;
    for (const code of codes) {
      const problem = code.problem ?? (code.run === run ? "" : "run");
      if (problem) read.problems.push({ line: index + 1, text: code.text, problem });
      else if (addCode(students, code)) read.again += 1;
    }
  });
  read.count = [...students.values()].flat();
  return read;
}

/** Votes for each option of each gate, by sureness: not stated, not sure, sure. */
function tally(/** @type {DecodedCode[]} */ codes) {
  /** @type {Map<number, Choices>} */
  const gates = new Map();
  for (const [gate, choice, sureness] of codes.flatMap(({ answers }) => answers)) {
    if (!gates.has(gate)) gates.set(gate, new Map());
    const choices = gates.get(gate);
    if (!choices.has(choice)) choices.set(choice, [0, 0, 0]);
    choices.get(choice)[sureness] += 1;
  }
  return gates;
}
