// The classroom panel in the exported file: a student's first answers as a code. Loaded after
// answers.js.

class LessonClass extends ClassAnswers {
  /**
   * Records the first answer to the question of stop `n`: the option, or in questions without
   * options 0 for right and 1 for wrong.
   * @param {number} n @param {Question} question @param {Attempt} attempt @param {number} sureness
   */
  recordAnswer(n, question, { given, state }, sureness) {
    const isRight = state === "right";
    const choice = question.form === "choice" ? /** @type {number} */ (given) : Number(!isRight);
    this.answerCode.record(n, choice, sureness, isRight);
  }

  /** Updates the parts around the question of stop `n`, which may have been redrawn. */
  paint(/** @type {number} */ n, /** @type {Question | null} */ question, /** @type {Attempt} */ attempt) {
    if (n !== this.at) this.sureness = surenessNode();
    this.sureness.hidden = attempt.tries > 0 || attempt.state !== "open" || n in this.answerCode.stored.said;
    const submit = this.container.querySelector(".submit");
    if (this.sureness.nextSibling !== submit) submit?.before(this.sureness);
    this.paintClass(n, question, attempt.state !== "open");
  }
}
