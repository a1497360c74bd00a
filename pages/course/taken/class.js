// A class that answers a lesson in a file: a student's first answers as a code. In front of it:
// answers.js.

/**
 * What an answer counts as: the option; where there are none to choose from, right or not.
 * @param {Question} question @param {Attempt} attempt @returns {number}
 */
function choiceOf(question, { given, state }) {
  return question.form === "choice" ? /** @type {number} */ (given) : Number(state !== "right");
}

class Group extends ClassAnswers {
  sureness = 0; // of the open question: not said, not sure, sure

  /** @param {HTMLElement} place @param {(n: number) => void} enter @param {() => void} changed */
  constructor(place, enter, changed) {
    super(document.querySelector("#class"), place, enter, changed);
    this.askSure();
  }

  askSure() {
    const group = surenessNode((sureness) => {
      this.sureness = sureness;
    });
    this.sure?.replaceWith(group);
    this.sure = group;
    this.sureness = 0;
  }

  /**
   * Takes the first answer to the question of the stop `n`.
   * @param {number} n @param {Question} question @param {Attempt} attempt
   */
  handIn(n, question, attempt) {
    this.handing.take(n, choiceOf(question, attempt), this.sureness, attempt.state === "right");
    this.askSure();
  }

  /** Stands around the question of the stop `n`: it was drawn anew, perhaps. */
  paint(/** @type {number} */ n, /** @type {Question | null} */ question, /** @type {Attempt} */ attempt) {
    if (n !== this.at) this.askSure();
    this.sure.hidden = attempt.tries > 0 || attempt.state !== "open" || n in this.handing.held.said;
    const submit = this.under.querySelector(".submit");
    if (this.sure.nextSibling !== submit) submit?.before(this.sure);
    this.paintClass(n, question, attempt.state !== "open");
  }
}
