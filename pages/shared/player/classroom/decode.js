// What a teacher pastes, read: many codes, perhaps with names and times of a chat around them. Which
// of them count, what is the matter with the others, and how often each option was chosen.
// Nothing here touches the page.

const HYPHENS = /[\u2010-\u2015\u2212\u00ad]/g; // what mail and text programs make of a hyphen
const AROUND = /^[^0-9a-z]+|[^0-9a-z]+$/gi;

const GROUPS = /^[0-9a-z]{4}(-[0-9a-z]{1,4})+$/i;

/** Whether a word is meant as a code, perhaps cut short: in groups or long, digits and letters. */
function looksLikeCode(/** @type {string} */ word) {
  const isLong = /^[0-9a-z]+(-[0-9a-z]*)*$/i.test(word) && word.replaceAll("-", "").length > 8;
  return (isLong || GROUPS.test(word)) && /\d/.test(word) && /[a-z]/i.test(word);
}

/** The codes in a line, read: one that is typed with blanks, or each word that looks like one. */
function codesIn(/** @type {string} */ line) {
  const whole = decodeCode(line.replace(/\s+/g, ""));
  if (!whole.problem) return [{ text: line.trim(), ...whole }];
  const words = line.split(/[\s,;:|"]+/).map((word) => word.replace(AROUND, ""));
  return words.filter(looksLikeCode).map((text) => ({ text, ...decodeCode(text) }));
}

/** Whether two codes with one number can be of one student, whose first answers stay. */
function isSameStudent(/** @type {DecodedCode} */ one, /** @type {DecodedCode} */ other) {
  const before = new Map(one.answers.map(([gate, ...said]) => [gate, String(said)]));
  return other.answers.every(([gate, ...said]) => (before.get(gate) ?? String(said)) === String(said));
}

/** Puts a code among those that count; true if it is a student's who was there already. */
function addCode(/** @type {Map<number, DecodedCode[]>} */ students, /** @type {DecodedCode} */ code) {
  const same = students.get(code.student) ?? [];
  students.set(code.student, same);
  const at = same.findIndex((one) => isSameStudent(one, code));
  if (at < 0) same.push(code);
  else if (code.answers.length > same[at].answers.length) same[at] = code;
  return at >= 0;
}

/** Reads a text with codes of `run`: which `count`, what are `problems`, `again` of whom. */
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

/** How often each option of each gate was chosen, by sureness: not said, not sure, sure. */
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
