// Predicting: the outcome of a step is asked for before it is shown, and the answer is judged. What
// was answered first stays in this browser tab; a student hands it in as a code (classroom/).

/** What the picture says of an answer: the reason of the row that is made of the same tokens. */
function reasonOf(/** @type {Frame} */ { parts }, /** @type {number[]} */ tokens) {
  const rows = parts.flatMap((part) => /** @type {Partial<TableFrame>} */ (part).lines ?? []);
  return rows.find(([cells]) => Array.isArray(cells) && String(cells[0]) === String(tokens))?.[2] ?? [];
}

class Predicting extends Coding {
  /** Whether the outcomes of steps can be asked for. */
  get asks() {
    const { recording, mayAsk } = /** @type {Player} */ (/** @type {unknown} */ (this));
    return Boolean(recording.head.hasQuestions) && mayAsk;
  }

  /** Asks for the outcome of a step before it is shown. @param {number} position @this {Player} */
  ask(position) {
    this.stop();
    this.question = this.position = position;
    this.isFresh = false;
    this.verdict = null;
    this.sureness = 0;
    this.isPosed = !this.presenter.isOn; // until it is painted, and its options are in view
    this.afterMove();
  }

  /** The number of the question that is asked here, or that was: by each rule there is another. */
  get gate() {
    const { recording, position, ruleShown } = /** @type {Player} */ (/** @type {unknown} */ (this));
    return position * Math.max(recording.head.rules.length, 1) + ruleShown;
  }

  /**
   * Notes how sure somebody is before answering: 1 not sure, 2 sure; once more takes it back.
   * @this {Player}
   */
  setSureness(/** @type {number} */ sureness) {
    if (!this.question || this.presenter.isOn) return;
    this.sureness = this.sureness === sureness ? 0 : sureness;
    this.schedulePaint();
    this.announce(["It is open how sure you are.", "You are not sure.", "You are sure."][this.sureness]);
  }

  /** In presenter view, and by a link with a prediction: the question before the answer. @this {Player} */
  askFirst(/** @type {Frame} */ frame) {
    if (this.isFresh && frame.question) this.ask(this.position);
    const next = this.isArriving && this.frame(this.at + 1);
    if (!next) return;
    this.isArriving = false;
    if (next.question && this.at < this.limit) this.ask(this.at + 1);
  }

  /** @this {Player} */
  setPredicting(/** @type {boolean} */ isOn) {
    this.isPredicting = isOn;
    this.find("predict").setAttribute("aria-pressed", isOn);
    this.setSwitch("predict", isOn);
    this.go(this.at);
    this.isArriving = isOn; // the question of the next step comes at once
  }

  /**
   * Answers the open question with the option at `choice`; null shows the answer, unscored.
   * @this {Player}
   */
  answer(/** @type {number | null} */ choice) {
    const frame = this.frame(this.question);
    const { question: ask } = frame;
    const isRight = ask.correct.includes(choice);
    if (choice !== null) this.answerCode.record(this.gate, choice, this.sureness, isRight);
    const position = this.question;
    this.go(position);
    this.isFresh = false;
    if (choice === null && this.presenter.isOn) return; // the sentence says it all
    this.verdict = { ask, choice, isRight, reason: choice === null ? [] : reasonOf(frame, ask.options[choice]) };
    this.isJudged = choice !== null; // until it is painted, and has the focus
  }

  /** Brings the options into view where a picture stands before them, and the question stays in view
   * too. A link leaves a page at its top. */
  /** @this {Player} */
  showOptions() {
    if (!this.isPosed) return;
    this.isPosed = false;
    const options = this.find("options");
    const height = options.getBoundingClientRect().bottom - this.find("sentence-box").getBoundingClientRect().top;
    if (!navigator.userActivation?.hasBeenActive || height > 0.85 * innerHeight) return;
    options.scrollIntoView({ block: "nearest" });
  }

  /**
   * Brings what was said to an answer into view, and the focus to it: the options are gone.
   * @this {Player}
   */
  showVerdict() {
    if (!this.isJudged) return;
    this.isJudged = false;
    const verdict = this.find("verdict");
    verdict.focus({ preventScroll: true });
    this.find("sentence-box").scrollIntoView({ block: "nearest" });
  }
}
