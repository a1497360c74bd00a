// How often each option of a question was chosen, and how sure those were who chose it: as bars, and
// in words.

const SURE_KINDS = ["unstated", "unsure", "sure"]; // by sureness

const everybody = (/** @type {Votes} */ votes) => votes[0] + votes[1] + votes[2];
const surely = (/** @type {Votes} */ votes) => votes[2];
/** @param {Votes[]} some @param {(votes: Votes) => number} of */
const total = (some, of) => some.reduce((sum, votes) => sum + of(votes), 0);
/** @type {Votes} */
const NOBODY = [0, 0, 0];

/** How many chose an option, in words; how sure they were only where some here say so. */
function votesWords(/** @type {Votes} */ votes, /** @type {boolean} */ showsSureness) {
  const [unstated, unsure, sure] = votes.map(grouped);
  const texts = [votes[2] && `${sure} sure`, votes[1] && `${unsure} not sure`, votes[0] && `${unstated} didn’t say`];
  const sureness = showsSureness ? texts.filter(Boolean).join(", ") : "";
  return [grouped(everybody(votes)), sureness && `: ${sureness}`];
}

/**
 * The same as a bar, part by part, with the words below it.
 * @param {Votes} votes @param {Votes[]} all @param {boolean} isRight
 */
function votesNode(votes, all, isRight) {
  const parts = votes.map((number, sureness) => {
    const part = make("i", SURE_KINDS[sureness]);
    part.style.setProperty("--share", number / total(all, everybody));
    return part;
  });
  const bar = make("span", "vote-bar", ...parts.reverse());
  bar.ariaHidden = "true";
  const [count, sureness] = votesWords(votes, all.some(([, unsure, sure]) => unsure || sure));
  const words = make("span", "vote-words", make("b", "", count), sureness);
  if (isRight) words.append(make("span", "vote-right", " ✓ right"));
  return make("span", "vote", bar, words);
}

/** What is texts of all answers at a question; how many are right only where `right` is sureness. */
function sumOf(/** @type {Choices} */ choices, /** @type {number[] | null} */ right) {
  const all = [...choices.values()];
  const [count, sure] = [total(all, everybody), total(all, surely)];
  if (!right) return `${counted(count, "answer")}${sure ? `, ${grouped(sure)} sure` : ""}.`;
  const hits = right.map((choice) => choices.get(choice) ?? NOBODY);
  const ofTheSure = sure ? `; of those who were sure, ${grouped(total(hits, surely))} of ${grouped(sure)}` : "";
  return `Right: ${grouped(total(hits, everybody))} of ${grouped(count)}${ofTheSure}.`;
}
