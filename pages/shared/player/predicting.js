// Predictions: a question about the outcome of a step before it is shown. The first answers are kept
// in this browser tab; a student can send them to a teacher as a code (classroom/).

/** The reason for an answer: that of the table row with the same tokens. */
function reasonOf(/** @type {Frame} */ { parts }, /** @type {number[]} */ tokens) {
  const rows = parts.flatMap((part) => /** @type {Partial<TableFrame>} */ (part).lines ?? []);
  return rows.find(([cells]) => Array.isArray(cells) && String(cells[0]) === String(tokens))?.[2] ?? [];
}

class Predicting extends Coding {
  /** Whether predictions are available. */
  get asks() {
    const { recording, hasPredictions } = /** @type {Player} */ (/** @type {unknown} */ (this));
    return Boolean(recording.head.hasQuestions) && hasPredictions;
  }

  /** Whether the tables of the start are hidden: they would answer the question about the first step. */
  get hidesStart() {
    const { presenter, asksFirst, isPredicting, position, recording } = /** @type {Player} */ (/** @type {unknown} */ (this));
    const asks = this.asks && (presenter.isOn ? asksFirst : isPredicting);
    return asks && !position && Boolean(recording.at(1)?.question);
  }

  /** Asks about the outcome of a step before showing it. @param {number} position @this {Player} */
  ask(position) {
    this.stop();
    this.question = this.position = position;
    this.isFresh = false;
    this.verdict = null;
    this.sureness = 0;
    this.isPosed = !this.presenter.isOn; // until painted, with its options in view
    this.afterMove();
  }

  /** The number of the question at this position and rule. */
  get gate() {
    const { recording, position, ruleShown } = /** @type {Player} */ (/** @type {unknown} */ (this));
    return position * Math.max(recording.head.rules.length, 1) + ruleShown;
  }

  /**
   * Sets how sure the learner is: 1 not sure, 2 sure; a second call with the same value clears it.
   * @this {Player}
   */
  setSureness(/** @type {number} */ sureness) {
    if (!this.question || this.presenter.isOn) return;
    this.sureness = this.sureness === sureness ? 0 : sureness;
    this.schedulePaint();
    this.announce(["It is open how sure you are.", "You are not sure.", "You are sure."][this.sureness]);
  }

  /** Asks first in presenter view and when opened by a link with predictions on. @this {Player} */
  askFirst(/** @type {Frame} */ frame) {
    if (this.isFresh && frame.question) this.ask(this.position);
    const next = this.isArriving && this.frame(this.at + 1);
    if (!next) return;
    this.isArriving = false;
    if (next.question && this.at < this.limit) this.ask(this.at + 1);
  }

  /**
   * Switches Predict. Nothing is asked about some steps, as the first ones of Unigram: then goes to
   * the next one that is asked about, if it has arrived.
   * @this {Player}
   */
  togglePredicting() {
    this.setPredicting(!this.isPredicting);
    if (!this.isPredicting) return;
    let next = this.at + 1;
    while (next <= this.limit && this.frame(next) && !this.frame(next).question) next += 1;
    if (next === this.at + 1 || next > this.limit || !this.frame(next)) return;
    this.go(next - 1);
    this.isArriving = true;
  }

  /** @this {Player} */
  setPredicting(/** @type {boolean} */ isOn) {
    this.isPredicting = isOn;
    this.find("predict").setAttribute("aria-pressed", isOn);
    this.setSwitch("predict", isOn);
    this.go(this.at);
    this.isArriving = isOn; // ask about the next step at once
  }

  /** Switches whether a step is asked about before it is told: in presenter view, or Predict. @this {Player} */
  toggleAsking() {
    if (!this.asks) return;
    if (!this.presenter.isOn) return this.togglePredicting();
    this.asksFirst = !this.asksFirst;
    this.setSwitch("tell", !this.asksFirst);
    if (this.question) return this.go(this.question); // tells it
    this.schedulePaint();
    this.announce(this.asksFirst ? "Each step is asked about first." : "Each step is told at once.");
  }

  /**
   * Answers the open question with the option at `choice`; null shows the answer, unscored. Goes to
   * the step that shows it; a class watches the steps on the way.
   * @this {Player}
   */
  answer(/** @type {number | null} */ choice) {
    const frame = this.frame(this.question);
    const { question: ask } = frame;
    const isRight = ask.correct.includes(choice);
    if (choice !== null) this.answerCode.record(this.gate, choice, this.sureness, isRight);
    this.step(this.question + (this.presenter.isOn ? 0 : ask.after));
    this.isFresh = false;
    if (choice === null && this.presenter.isOn) return; // the sentence is enough
    this.verdict = { ask, choice, isRight, reason: choice === null ? [] : reasonOf(frame, ask.options[choice]) };
    this.isJudged = choice !== null; // until painted and focused
  }

  /**
   * Scrolls the options into view if the question stays visible; not after opening a link.
   * @this {Player}
   */
  showOptions() {
    if (!this.isPosed) return;
    this.isPosed = false;
    if (this.room.isJoining) return; // the code above them is what everybody looks at
    const options = this.find("options");
    const height = options.getBoundingClientRect().bottom - this.find("sentence-box").getBoundingClientRect().top;
    if (!navigator.userActivation?.hasBeenActive || height > 0.85 * innerHeight) return;
    options.scrollIntoView({ block: "nearest" });
  }

  /**
   * Scrolls the verdict into view and focuses it: the options are gone.
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
