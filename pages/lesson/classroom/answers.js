// Shows the first answers of a class below a question, on request. Used in the app and in the
// exported file, after shared/player/classroom.

/** The node for a part of an option's text. */
function partNode(/** @type {TextPart} */ [kind, text, tint]) {
  const node = make(kind === "strong" ? "b" : "bdi", kind === "token" ? "tile" : "", text);
  if (kind === "token") node.style.background = `var(--tint-${tint})`;
  return node;
}

class ClassAnswers extends PastedCodes {
  problems = { ...PROBLEMS, run: "is of another lesson, or of an older version of this one. Send the student the link of this page, or this file, to answer again." };
  asks = /** @type {boolean[]} */ ([]); // for each stop, whether it has a question

  /**
   * `home` is the panel with the codes, `container` holds the answers to a question; `enter` goes to
   * a stop, `changed` repaints.
   * @param {HTMLElement} home @param {HTMLElement} container
   * @param {(n: number) => void} enter @param {() => void} changed
   */
  constructor(home, container, enter, changed) {
    super((name) => home.querySelector(`.${name}`), changed);
    this.home = home;
    this.container = container;
    this.enter = enter;
    this.answerCode = new AnswerCode(this.find);
    this.button = make("button", "show-class");
    this.button.type = "button";
    this.button.onclick = () => this.reveal();
    this.rows = make("ol", "votes");
    this.rows.ariaLabel = "The class’s answers";
    this.sum = make("p", "sum");
    this.sum.role = "status";
    this.tally = make("div", "tally", this.button, this.rows, this.sum);
    document.addEventListener("keydown", (event) => this.press(event));
  }

  start(/** @type {string} */ key, /** @type {boolean[]} */ asks) {
    this.asks = asks;
    this.home.hidden = !asks.some(Boolean);
    this.answerCode.begin(key);
    this.begin(key);
  }

  press(/** @type {KeyboardEvent} */ event) {
    const isTyping = /** @type {Element} */ (event.composedPath()[0]).matches?.(
      "input:not([type=radio], [type=checkbox]), textarea, select",
    );
    if (event.key !== "a" || isTyping || event.ctrlKey || event.altKey || event.metaKey) return;
    this.reveal();
  }

  read(/** @type {string} */ text) {
    super.read(text);
    const stops = [...this.gates.keys()].filter((n) => this.asks[n]);
    const buttons = stops.sort((one, other) => one - other).map((n) => {
      const button = make("button", "", `stop ${n + 1}`);
      button.type = "button";
      button.onclick = () => {
        this.enter(n);
        /** @type {ShadowRoot} */ (this.container.getRootNode()).host.scrollIntoView({ block: "nearest" });
      };
      return button;
    });
    this.find("gates").replaceChildren(...(buttons.length ? ["Questions: ", ...buttons] : []));
  }

  reveal() {
    if (!this.gates.has(this.at) || !this.tally.isConnected) return;
    this.shownGate = this.shownGate === this.at ? null : this.at;
    this.changed();
    if (this.shownGate !== null) this.tally.scrollIntoView({ block: "nearest" });
  }

  /**
   * Updates the code of the student's first answers, and the class's answers to the question of stop `n`.
   * @param {LessonEngine} engine @param {number} n @param {CountedQuestion | null} question
   */
  paintLesson(engine, n, question) {
    for (const [stop, first] of Object.entries(engine.firstAnswers)) this.answerCode.record(Number(stop), ...first);
    this.paintClass(n, question, !engine.isOpen(n));
  }

  /**
   * Shows the answers to the question of stop `n`; `isSettled` allows to mark the right one.
   * @param {number} n @param {CountedQuestion | null} question @param {boolean} isSettled
   */
  paintClass(n, question, isSettled) {
    this.at = n;
    const choices = question ? this.gates.get(n) : undefined;
    const isShown = Boolean(choices) && this.shownGate === n;
    if (!isShown && this.shownGate !== n) this.shownGate = null;
    this.tally.hidden = !choices;
    if (this.tally.parentNode !== this.container) this.container.append(this.tally);
    this.rows.replaceChildren();
    this.sum.textContent = "";
    if (!choices) return;
    const all = [...choices.values()];
    this.button.replaceChildren(`The class’s ${counted(total(all, everybody), "first answer")} `, make("kbd", "", "A"));
    this.button.setAttribute("aria-pressed", isShown);
    if (isShown) this.show(question, choices, isSettled);
  }

  /** @param {CountedQuestion} question @param {Choices} choices @param {boolean} isSettled */
  show(question, choices, isSettled) {
    const all = [...choices.values()];
    const isChoice = question.form === "choice";
    const right = isChoice ? question.right.flatMap((isRight, i) => (isRight ? [i] : [])) : [0];
    const options = isChoice
      ? question.options.map((parts) => parts.map(partNode))
      : [["right at the first try"], ["not right at the first try"]];
    this.rows.replaceChildren(...options.map((parts, i) => {
      const bar = votesNode(choices.get(i) ?? NOBODY, all, isSettled && isChoice && right.includes(i));
      return make("li", "", make("span", "voted", make("span", "", ...parts)), bar);
    }));
    this.sum.textContent = sumOf(choices, isSettled ? right : null);
  }
}
