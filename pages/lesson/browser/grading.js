// Grades answers, in the app as in the exported file, with replies precomputed in Python
// (question_json.py). Only replies to typed pieces, which cannot be enumerated, are composed here.

/** @typedef {TextPart[]} Reply */
// If `isNone`, nothing was answered, and `reply` says what is missing.
/** @typedef {{isRight?: boolean, reply: Reply, isNone?: boolean}} Verdict */

/** @param {string} text @returns {TextPart} */
const words = (text) => ["text", text];

/** The tint of a token, the same as in display_text.py. @param {string} token */
function tintOf(token) {
  let sum = 0xffffffff;
  for (const byte of new TextEncoder().encode(token)) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return (~sum >>> 0) % 14229 % 8;
}

/** A typed text with its invisible characters escaped, as in display_text.py. @param {string} text */
function visible(text) {
  const shown = text.replace(/[\p{C}\p{DI}]/gu, (char) => {
    return `⟨U+${char.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`;
  });
  return shown.replace(/^(?=\p{M})/u, "◌") || "⟨empty⟩";
}

/** @param {string} token @returns {TextPart} */
const tile = (token) => ["token", visible(token), tintOf(token)];

/** @param {Reply} reply @returns {Verdict} */
const wrong = (reply) => ({ isRight: false, reply });

/** Parses a typed number, in which "18%" is 0.18 unless a percentage is asked for; NaN if it is none. @param {string} written @param {boolean} isPercentage */
function readNumber(written, isPercentage) {
  const whole = written.trim().replaceAll("−", "-").replaceAll(" ", "");
  const bare = whole.replace(/%$/, "");
  const isGrouped = /^[+-]?\d{1,3}(,\d{3})+(\.\d+)?$/.test(bare);
  const [above, ...below] = bare.replaceAll(",", isGrouped ? "" : ".").split("/");
  const value = plainNumber(above) / plainNumber(below.join("/") || "1");
  return bare !== whole && !isPercentage ? value / 100 : value;
}

/** @param {string} text */
function plainNumber(text) {
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
}

/** Whether two numbers are equal up to rounding. @param {number} a @param {number} b */
function isClose(a, b) {
  return Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b));
}

/** @param {any} question @param {string} written @returns {Verdict} */
function gradeNumber(question, written) {
  const value = readNumber(written, question.isPercentage);
  if (!Number.isFinite(value)) return { isNone: true, reply: question.nothing };
  if (Math.abs(value - question.value) <= question.tolerance) return { isRight: true, reply: question.why };
  for (const [mistake, reply] of question.mistakes) {
    if (Math.abs(value - mistake) <= question.tolerance) return wrong(reply);
  }
  if (isClose(value, -question.value)) return wrong(question.sign);
  return wrong(value > question.value ? question.high : question.low);
}

/** The letters, without word-position marks such as ## and </w>. @param {string[]} tokens */
function bareOf(tokens) {
  return tokens.map((token) => token.replace(/^##|(?<=.)<\/w>$|^<\/w>$|^[▁_]/g, "")).join("");
}

/** Which mark is missing or extra. @param {string[]} given @param {string[]} right */
function markMistake(given, right) {
  if ([...right, ...given].some((token) => token.startsWith("##"))) {
    if (given[0].startsWith("##")) {
      return [tile(given[0]), words(" can only stand inside a word; the word begins here.")];
    }
    const bare = given.slice(1).find((token) => !token.startsWith("##"));
    if (bare) {
      const reply = [tile(bare), words(" can only begin a word. Inside a word, write ")];
      return [...reply, tile(`##${bare}`), words(".")];
    }
  }
  const isBare = given.join("") === bareOf(right) && bareOf(right) !== right.join("");
  return isBare ? [words("The letters are right, but a mark is missing.")] : null;
}

/** The first merge that the given pieces contradict. @param {any} question @param {string[]} given */
function missedMerge(question, given) {
  if (given.join("") !== question.splits[0].join("")) return null;
  let length = 0; // in code points, as Python counts
  const ends = given.map((token) => (length += [...token].length));
  const missed = question.merges.find((/** @type {number[]} */ [start, end]) =>
    ends.some((cut) => start < cut && cut < end),
  );
  return missed ? missed[2] : null;
}

/** @param {string[]} given @param {string[]} right @returns {Reply} */
function whereTheyPart(given, right) {
  const length = Math.min(given.length, right.length);
  const same = given.findIndex((token, n) => n < length && token !== right[n]);
  if (same < 0) {
    return [words("The pieces are right as far as they go, but that is not the whole split.")];
  }
  if (!same) return [tile(given[0]), words(" is not the first piece.")];
  const before = right.slice(0, same).flatMap((token, n) => (n ? [words(" "), tile(token)] : [tile(token)]));
  const after = [words(". After that, "), tile(given[same]), words(" is not the piece that comes next.")];
  return [words("Right up to "), ...before, ...after];
}

/** @param {any} question @param {string} written @returns {Verdict} */
function gradeTokens(question, written) {
  const given = written.split(/[\s|]+/).filter(Boolean);
  const right = question.splits[0];
  if (!given.length) return { isNone: true, reply: question.nothing };
  const typed = (/** @type {string[]} */ tokens) => tokens.join(" ").replaceAll("▁", "_");
  if (question.splits.some((/** @type {string[]} */ split) => typed(split) === typed(given))) {
    return { isRight: true, reply: question.why };
  }
  const expected = question.mistakes.find((/** @type {any[]} */ [tokens]) => tokens === given.join(" "));
  if (expected) return wrong(expected[1]);
  const spells = bareOf(given) === bareOf(right);
  const mistake = spells ? markMistake(given, right) : null;
  if (mistake) return wrong(mistake);
  const strange = question.pieces.length && given.find((one) => !question.pieces.includes(one));
  if (strange) return wrong([tile(strange), words(" is not in the vocabulary.")]);
  if (!spells && !right.includes("[UNK]")) {
    /** @type {Reply} */
    const reply = [words("Those pieces spell "), ["word", visible(bareOf(given))], words(", not ")];
    return wrong([...reply, ["word", visible(bareOf(right))], words(".")]);
  }
  return wrong(missedMerge(question, given) ?? whereTheyPart(given, right));
}

/** @param {any} question @param {number[]} chosen @returns {Verdict} */
function gradeSeveral(question, chosen) {
  if (!chosen.length) return { isNone: true, reply: question.nothing };
  const first = chosen.find((n) => !question.right[n]);
  if (first !== undefined) return wrong(question.replies[first]);
  const missing = question.right.filter(Boolean).length - chosen.length;
  return missing ? wrong(question.missing[missing - 1]) : { isRight: true, reply: question.why };
}

/** @param {any} question @param {number[]} chosen @returns {Verdict} */
function gradeOrder(question, chosen) {
  for (const [first, second, reply] of question.before) {
    if (chosen.indexOf(first) > chosen.indexOf(second)) return wrong(reply);
  }
  return { isRight: true, reply: question.why };
}

/** @param {any} question @param {number | null} chosen @returns {Verdict} */
function gradeChoice(question, chosen) {
  if (chosen === null) return { isNone: true, reply: question.nothing };
  return { isRight: question.right[chosen], reply: question.replies[chosen] };
}

/** @type {Record<string, (question: any, given: any) => Verdict>} */
const GRADERS = { choice: gradeChoice, several: gradeSeveral, order: gradeOrder, number: gradeNumber, text: gradeTokens };

/**
 * The attempt after an answer: the tries, the state and the reply.
 * @param {any} question @param {Pick<Attempt, "tries" | "state">} before @param {any} given
 * @returns {Attempt}
 */
function attemptAfter(question, before, given) {
  const { isRight, isNone, reply } = GRADERS[question.form](question, given);
  if (isNone) return { ...before, reply, given };
  const tries = before.tries + 1;
  if (isRight) return { tries, state: "right", reply: reply.length ? reply : question.why, given };
  if (tries < question.tries) return { tries, state: "open", reply: [...reply, ...question.again], given };
  const hasReply = reply.length && JSON.stringify(reply) !== JSON.stringify(question.why);
  const lead = hasReply ? [...reply, words(" ")] : [];
  return { tries, state: "shown", reply: [...lead, ...question.answer], given };
}
