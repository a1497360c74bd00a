// Paints the state of a player: the bar, the sentence, the parts in their columns. It never changes
// the state. Player (player.js) inherits from classes in four files, whose methods belong to a whole
// Player, as `@this` tells the type checker.

// The parts that a lesson can hide while it asks, and their names.
/** @type {Record<Maskable, string>} */
const MASKABLE = { sentence: "the sentence of the step", tables: "the table", notes: "the line below" };

const WAIT_MS = 300; // a step that comes sooner replaces the one before it, without a note between

// Each takes a part of its kind.
/** @type {Record<PartHead["kind"], (recording: Recording, part: any, player: Player) => PartView>} */
const PARTS = {
  table: tablePart,
  strips: stripsPart,
  note: notePart,
  lattice: (recording, part, player) => new LatticePart(recording, part, player),
  flow: (recording, part, player) => new FlowPart(recording, part, player),
  curves: curvesPart,
  code: codePart,
};

/** Keeps a box as tall as its tallest content so far at this width, so that nothing below jumps. */
function holdHeight(/** @type {HTMLElement} */ outer) {
  const inner = /** @type {HTMLElement} */ (outer.firstElementChild);
  let width = 0;
  new ResizeObserver(() => {
    if (inner.clientWidth !== width) outer.style.minHeight = "";
    width = inner.clientWidth;
    if (inner.offsetHeight > (parseFloat(outer.style.minHeight) || 0)) {
      outer.style.minHeight = `${inner.offsetHeight}px`;
    }
  }).observe(inner);
}

class Painting {
  sentenceKey = ""; // of the recording and sentence shown
  waiting = 0; // the timer of the note that a frame is being fetched
  /** The frame that the parts show. @type {Frame | null} */
  drawn = null;
  isDrawnMasked = false;
  /** Move the parts from where they were before they were drawn. @type {((() => void) | undefined)[]} */
  moves = [];

  /**
   * The element of this class.
   * @this {Player} @template {string} Name @param {Name} name @returns {Found<Name>}
   */
  find(name) {
    return this.root.querySelector(`.${name}`);
  }

  /** Puts the parts into their columns and reserves space for the longest sentence. @this {Player} */
  layOut() {
    this.drawn = null;
    const sides = ["across", "left", "right", "code"].map((name) => ({ name, side: this.find(name) }));
    for (const { name, side } of sides) {
      side.style.minHeight = "";
      side.querySelectorAll(".part").forEach((part) => part.remove());
      const nodes = this.parts.filter((part) => part.side === name).map(({ node }) => node);
      side.firstElementChild.append(...nodes);
    }
    this.find("sentence-box").style.minHeight = "";
    const sentence = this.find("sentence");
    const across = sentence.clientWidth / parseFloat(getComputedStyle(sentence).fontSize);
    const lines = Math.ceil((this.recording.head.longest * 0.46) / across); // a letter is about 0.46 em
    sentence.style.minHeight = `${1.47 * Math.min(lines, this.presenter.isOn ? 2 : 3)}em`;
    const taken = ["left", "right"].filter((name) => this.parts.some(({ side }) => side === name));
    const widths = this.parts.map(({ width }) => width ?? 0);
    this.find("stage").style.setProperty("--table", Math.max(25, ...widths));
    const aside = this.parts.map(({ side, width }) => (side === "right" && width) || 0);
    this.find("stage").style.setProperty("--aside", Math.max(15, ...aside));
    this.find("stage").dataset.sides = taken.length > 1 ? "both" : taken[0] ?? "";
    for (const part of this.parts) part.makeRoom?.();
  }

  /** @this {Player} */
  drawRules() {
    const { rules } = this.recording.head;
    this.find("rules").hidden = !rules.length;
    this.find("rules").replaceChildren(
      ...rules.map((name, rule) => {
        const button = make("button", "", name);
        button.type = "button";
        button.title = `${name} (M changes it)`;
        button.onclick = () => this.setRule(rule);
        return button;
      }),
    );
  }

  /** @this {Player} */
  schedulePaint() {
    if (this.isPainting) return;
    this.isPainting = true;
    requestAnimationFrame(() => {
      this.isPainting = false;
      this.paint();
    });
  }

  /** @this {Player} */
  paint() {
    this.paintBar();
    let frame = this.frame(this.position);
    if (!frame) return this.awaitFrame();
    if (this.waiting) this.stateChanged(); // so that it is announced too
    clearTimeout(this.waiting);
    this.waiting = 0;
    this.root.classList.remove("waiting");
    this.askFirst(frame);
    frame = this.frame(this.position); // of the step that is asked about
    const ask = this.question ? frame.question : null;
    this.paintSentence(ask ? ask.prompt : frame.sentence);
    this.find("verdict").hidden = !this.verdict;
    this.find("verdict").className = `verdict ${this.verdict?.isRight ? "right" : "wrong"}`;
    this.find("verdict").replaceChildren(...(this.verdict ? verdictNodes(this.recording, this.verdict) : []));
    this.find("question").hidden = !ask;
    const answers = ask ? optionsOf(this.recording, ask, (choice) => this.answer(choice)) : [];
    this.find("options").replaceChildren(...answers);
    this.find("sure").setAttribute("aria-pressed", this.sureness === 2);
    this.find("unsure").setAttribute("aria-pressed", this.sureness === 1);
    if (ask) this.asked = { recording: this.recording.key, rule: this.ruleShown, position: this.position, gate: this.gate, ask };
    if (this.room.isHere) this.room.tell(roomStep(this));
    this.classroom.paint(frame.question, answers);
    this.root.classList.toggle("masked", Boolean(ask));
    this.root.dataset.masked = [...this.masked, ...(this.hidesStart ? ["tables"] : [])].join(" ");
    this.drawParts(frame, Boolean(ask));
    markHighlights(this.root, this.highlights);
    this.presenter.fit();
    for (const move of this.moves.splice(0)) move?.();
    this.showOptions();
    this.showVerdict();
    this.root.dataset.step = `${this.at}`;
    this.root.dataset.rule = `${this.ruleShown}`;
  }

  /** Says that the frame is being fetched, unless it comes soon or nothing is shown yet. @this {Player} */
  awaitFrame() {
    const say = () => {
      this.root.classList.add("waiting");
      this.sentenceKey = "";
      this.find("sentence").replaceChildren(`Fetching step ${this.position} …`);
    };
    if (this.root.classList.contains("waiting")) say(); // of the step that is wanted now
    else this.waiting ||= setTimeout(say, this.root.dataset.step ? WAIT_MS : 0);
  }

  /**
   * Draws the parts of a new frame; what is shown already keeps its focus and its bubble.
   * @this {Player} @param {Frame} frame @param {boolean} isMasked
   */
  drawParts(frame, isMasked) {
    if (this.drawn === frame && this.isDrawnMasked === isMasked) return;
    const isMoving = this.isStep && this.drawn !== null && !matchMedia("(prefers-reduced-motion: reduce)").matches;
    [this.drawn, this.isDrawnMasked, this.isStep] = [frame, isMasked, false];
    this.why.close();
    this.root.classList.toggle("moving", isMoving);
    this.moves = isMoving ? this.parts.map((part) => part.track?.()) : [];
    this.parts.forEach((part, i) => part.draw(frame.parts[i], isMasked));
  }

  /** The sentence, or a note that a lesson hides it. @this {Player} */
  paintSentence(/** @type {RichText} */ sentence) {
    const hidden = [...this.masked].map((name) => MASKABLE[name]).join(" and ");
    const note = hidden ? `Hidden until you have answered: ${hidden}.` : "";
    const isSentenceMasked = this.masked.has("sentence") && !this.question; // the note replaces the sentence
    const key = JSON.stringify([this.recording.key, isSentenceMasked ? note : sentence]);
    if (this.sentenceKey !== key) { // do not replace an equal one: a term in it may have the focus
      this.find("sentence").replaceChildren(...(isSentenceMasked ? [note] : nodes(this.recording, sentence)));
      this.sentenceKey = key;
    }
    this.find("mask-note").textContent = isSentenceMasked ? "" : note;
  }

  /** @this {Player} */
  paintBar() {
    const scrubber = this.find("scrubber");
    this.find("at").textContent = shown(this.at);
    scrubber.value = `${this.at}`;
    scrubber.setAttribute("aria-valuetext", `step ${this.at} of ${this.last}`);
    scrubber.style.setProperty("--done", this.at / Math.max(this.last, 1));
    const isBlocked = this.at === this.limit && this.limit < this.last;
    this.find("blocked").hidden = !isBlocked;
    for (const name of ["forward", "end"]) this.find(name).setAttribute("aria-disabled", isBlocked);
    this.presenter.paintBar();
    this.jump.updateControls(false);
    [...this.find("rules").children].forEach((button, rule) =>
      button.setAttribute("aria-pressed", rule === this.rule),
    );
    this.find("score").textContent = this.isPredicting ? this.answerCode.score : "";
  }
}
