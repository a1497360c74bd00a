// The answers of a class beside the picture: at every question a teacher can show how often each option
// was chosen.

const MAX_GATES = 12; // buttons for questions

class Classroom extends PastedCodes {
  spokenTally = ""; // the shown histogram, as text for screen readers

  constructor(/** @type {Player} */ player) {
    super((name) => player.find(name), () => player.schedulePaint());
    this.player = player;
    this.find("show-class").onclick = () => this.reveal();
    this.find("class-too").onclick = () => this.reveal();
    this.find("to-class").onclick = () => this.openPanel();
  }

  /** Unfolds the box for the students' codes, which is below the picture. */
  openPanel() {
    const panel = this.find("of-class");
    panel.open = true;
    panel.scrollIntoView({ block: "center" });
    this.find("codes-in").focus({ preventScroll: true });
  }

  read(/** @type {string} */ text) {
    super.read(text);
    this.drawGates();
  }

  /** Draws a button for each answered question, which leads to it. */
  drawGates() {
    const rules = Math.max(this.player.recording.head.rules.length, 1);
    const gates = [...this.gates.keys()].sort((one, other) => one - other);
    const inRecording = gates.filter((gate) => gate >= rules && gate < (this.player.last + 1) * rules);
    const buttons = inRecording.slice(0, MAX_GATES).map((gate) => {
      const [step, rule] = [Math.floor(gate / rules), gate % rules];
      const more = rules > 1 ? ` (${this.player.recording.head.rules[rule]})` : "";
      const button = make("button", "", `step ${shown(step)}${more}`);
      button.type = "button";
      button.onclick = () => this.open(step, rule);
      return button;
    });
    const rest = inRecording.length - buttons.length;
    const more = rest > 0 ? [`and ${counted(rest, "more question")}`] : [];
    this.find("gates").replaceChildren(...(buttons.length ? ["Questions: ", ...buttons, ...more] : []));
  }

  open(/** @type {number} */ step, /** @type {number} */ rule) {
    const { player } = this;
    if (rule !== player.rule) player.setRule(rule);
    player.go(step - 1);
    if (step <= player.limit) player.ask(step);
    player.find("sentence-box").scrollIntoView({ block: "start" });
  }

  /** Shows or hides the class's answers to the current question. */
  reveal() {
    const { gate, asks } = this.player;
    if (!asks || !this.gates.has(gate)) return;
    this.shownGate = this.shownGate === gate ? null : gate;
    this.player.schedulePaint();
    this.announcesTally = this.shownGate === gate; // once painted
  }

  /** Paints the answers, next to the options (`items`) of an open question or in a list. */
  paint(/** @type {StepQuestion | undefined} */ ask, /** @type {HTMLElement[]} */ items) {
    const choices = ask && this.player.asks ? this.gates.get(this.player.gate) : undefined;
    this.find("tally").hidden = this.find("class-too").hidden = !choices;
    const isShown = Boolean(choices) && this.shownGate === this.player.gate;
    if (!isShown && this.shownGate !== this.player.gate) this.shownGate = null; // hidden again next time
    this.find("options").classList.toggle("voting", isShown);
    this.find("votes").replaceChildren();
    this.find("sum").textContent = this.spokenTally = "";
    for (const name of ["show-class", "class-too"]) this.find(name).setAttribute("aria-pressed", isShown);
    if (!choices) return;
    const count = total([...choices.values()], everybody);
    this.find("show-class").replaceChildren(`The class’s ${counted(count, "answer")} `, make("kbd", "", "A"));
    if (isShown) this.show(ask, choices, items);
  }

  /** @param {StepQuestion} ask @param {Choices} choices @param {HTMLElement[]} items */
  show(ask, choices, items) {
    const { recording, question } = this.player;
    const all = [...choices.values()];
    const votes = ask.options.map((_, i) => choices.get(i) ?? NOBODY);
    const bars = votes.map((one, i) => votesNode(one, all, !question && ask.correct.includes(i)));
    const tiles = ask.options.map((tokens) => tokens.map((number) => tile(recording.head.tokens[number])));
    if (question) items.forEach((item, i) => item.append(bars[i]));
    else {
      const rows = bars.map((bar, i) => make("li", "", make("span", "voted", ...tiles[i]), bar));
      this.find("votes").replaceChildren(...rows);
    }
    this.find("sum").textContent = sumOf(choices, question ? null : ask.correct);
    const texts = bars.map((bar, i) => `${tiles[i].map((one) => one.textContent).join(" ")}: ${bar.textContent}`);
    this.spokenTally = `${texts.join("; ")}. ${this.find("sum").textContent}`;
    if (this.announcesTally) this.player.announce(this.spokenTally);
    this.announcesTally = false;
  }
}
