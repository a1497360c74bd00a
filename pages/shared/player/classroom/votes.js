// The votes for each option of a question, by sureness, as bars and as text.

const SURE_KINDS = ["unstated", "unsure", "sure"]; // by sureness

const everybody = (/** @type {Votes} */ votes) => votes[0] + votes[1] + votes[2];
const surely = (/** @type {Votes} */ votes) => votes[2];
/** @param {Votes[]} some @param {(votes: Votes) => number} of */
const total = (some, of) => some.reduce((sum, votes) => sum + of(votes), 0);
/** @type {Votes} */
const NOBODY = [0, 0, 0];

/** The votes for an option as text; sureness only if some have stated theirs. */
function votesWords(/** @type {Votes} */ votes, /** @type {boolean} */ showsSureness) {
  const [unstated, unsure, sure] = votes.map(grouped);
  const texts = [votes[2] && `${sure} sure`, votes[1] && `${unsure} not sure`, votes[0] && `${unstated} didn’t say`];
  const sureness = showsSureness ? texts.filter(Boolean).join(", ") : "";
  return [grouped(everybody(votes)), sureness && `: ${sureness}`];
}

/**
 * The votes as a stacked bar, with the text below it.
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

/** A summary of all answers to a question; the number of right ones only if `right` is given. */
function sumOf(/** @type {Choices} */ choices, /** @type {number[] | null} */ right) {
  const all = [...choices.values()];
  const [count, sure] = [total(all, everybody), total(all, surely)];
  if (!right) return `${counted(count, "answer")}${sure ? `, ${grouped(sure)} sure` : ""}.`;
  const hits = right.map((choice) => choices.get(choice) ?? NOBODY);
  const ofTheSure = sure ? `; of those who were sure, ${grouped(total(hits, surely))} of ${grouped(sure)}` : "";
  return `Right: ${grouped(total(hits, everybody))} of ${grouped(count)}${ofTheSure}.`;
}
