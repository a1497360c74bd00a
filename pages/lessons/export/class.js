// A class that answers a lesson in a file: a student's first answers as a code. In front of it:
// answers.js.

class LessonClass extends ClassAnswers {
  /**
   * Takes the first answer to the question of the stop `n`: the option; where there are none to
   * choose from, right or not.
   * @param {number} n @param {Question} question @param {Attempt} attempt @param {number} sureness
   */
  recordAnswer(n, question, { given, state }, sureness) {
    const isRight = state === "right";
    const choice = question.form === "choice" ? /** @type {number} */ (given) : Number(!isRight);
    this.answerCode.record(n, choice, sureness, isRight);
  }

  /** Stands around the question of the stop `n`: it was drawn anew, perhaps. */
  paint(/** @type {number} */ n, /** @type {Question | null} */ question, /** @type {Attempt} */ attempt) {
    if (n !== this.at) this.sureness = surenessNode();
    this.sureness.hidden = attempt.tries > 0 || attempt.state !== "open" || n in this.answerCode.stored.said;
    const submit = this.container.querySelector(".submit");
    if (this.sureness.nextSibling !== submit) submit?.before(this.sureness);
    this.paintClass(n, question, attempt.state !== "open");
  }
}
