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

const ROUNDS = ["First vote", "Second vote"];

/**
 * The bars of each option, one for each round. @param {Choices[]} rounds @param {number} count of options
 * @param {number[] | null} right
 */
function votesOfOptions(rounds, count, right) {
  const all = rounds.map((choices) => [...choices.values()]);
  return Array.from({ length: count }, (_, option) =>
    rounds.map((choices, round) => votesNode(choices.get(option) ?? NOBODY, all[round], Boolean(right?.includes(option)))),
  );
}

/** The names of the rounds, above their bars; as texts say them, not for screen readers. */
function roundNames() {
  const row = make("li", "round-names", make("span"), ...ROUNDS.map((name) => make("span", "", name)));
  row.ariaHidden = "true";
  return row;
}

/**
 * Fills a list with answers and their bars.
 * @param {HTMLElement} list @param {HTMLElement[]} labels @param {HTMLElement[][]} bars by label and round
 */
function drawVoteList(list, labels, bars) {
  const isTwice = (bars[0]?.length ?? 0) > 1;
  const rows = labels.map((label, i) => make("li", "", label, ...bars[i]));
  list.classList.toggle("twice", isTwice);
  list.replaceChildren(...(isTwice ? [roundNames()] : []), ...rows);
}

/** A summary of all rounds. @param {Choices[]} rounds @param {number[] | null} right */
function sumOfRounds(rounds, right) {
  const sums = rounds.map((choices) => sumOf(choices, right));
  return sums.length > 1 ? sums.map((sum, round) => `${ROUNDS[round]}: ${sum}`).join(" ") : sums.join("");
}

/** A list of answers and votes as text, for screen readers. */
function spokenVotes(/** @type {HTMLElement} */ list) {
  const rows = [...list.querySelectorAll("li:not(.round-names)")].map((row) => {
    const [label, ...votes] = [...row.children].map((one) => one.textContent.trim());
    return `${label}: ${votes.join(", then ")}`;
  });
  return rows.join("; ");
}
