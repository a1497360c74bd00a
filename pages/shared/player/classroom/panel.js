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
    const { room, gate, asks } = this.player;
    const isLive = room.isVoting;
    const choices = ask && asks && !isLive ? this.gates.get(gate) : undefined;
    const isShown = isLive ? room.isShown : Boolean(choices) && this.shownGate === gate;
    if (this.shownGate !== gate) this.shownGate = null; // hidden again next time
    this.find("tally").hidden = isLive ? !isShown : !choices;
    this.find("show-class").hidden = isLive;
    this.find("class-too").hidden = !choices;
    this.find("options").classList.toggle("voting", isShown);
    this.find("options").classList.remove("twice");
    for (const old of this.find("options").querySelectorAll(".vote, .round-names")) old.remove();
    this.find("votes").replaceChildren();
    this.find("sum").textContent = this.spokenTally = "";
    for (const name of ["show-class", "class-too"]) this.find(name).setAttribute("aria-pressed", isShown);
    if (choices) {
      const count = total([...choices.values()], everybody);
      this.find("show-class").replaceChildren(`The class’s ${counted(count, "answer")} `, make("kbd", "", "A"));
    }
    if (isShown && isLive) this.show(this.player.asked.ask, room.room.rounds, items);
    else if (isShown) this.show(ask, [choices], items);
  }

  /** @param {StepQuestion} ask @param {Choices[]} rounds @param {HTMLElement[]} items */
  show(ask, rounds, items) {
    const { recording, question } = this.player;
    const right = question ? null : ask.correct;
    const bars = votesOfOptions(rounds, ask.options.length, right);
    const labels = ask.options.map((tokens) =>
      make("span", "voted", ...tokens.map((number) => tile(recording.head.tokens[number]))),
    );
    if (question) {
      items.forEach((item, i) => item.append(...bars[i]));
      this.find("options").classList.toggle("twice", rounds.length > 1);
      if (rounds.length > 1) this.find("options").append(roundNames());
    } else drawVoteList(this.find("votes"), labels, bars);
    this.find("sum").textContent = sumOfRounds(rounds, right);
    const texts = bars.map((votes, i) => {
      const tokens = [...labels[i].children].map((one) => one.textContent).join(" ");
      return `${tokens}: ${votes.map((one) => one.textContent).join(", then ")}`;
    });
    this.spokenTally = `${texts.join("; ")}. ${this.find("sum").textContent}`;
    if (this.announcesTally || this.player.room.isTallyNew) this.player.announce(this.spokenTally);
    this.announcesTally = this.player.room.isTallyNew = false;
  }
}
