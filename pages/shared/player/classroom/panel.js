// The answers of a class: a teacher pastes codes, and at every question sees how often each option
// was chosen, once that is asked for. All of it stays in this tab.

const PROBLEMS = {
  damaged: "is damaged: a character is missing, added or wrong. Ask for it again, copied with the button.",
  version: "comes from another version of this program. Have the student reload the page, or take the same file, and answer again.",
  run: "is of another run: other words, other settings, or an older page. Send the student this page’s link, or this file, to answer again.",
};
const NAMED = 20; // problems in the list
const OFFERED = 12; // questions to go to
const SURE_KINDS = ["unsaid", "unsure", "sure"]; // by sureness

const everybody = (votes) => votes[0] + votes[1] + votes[2];
const surely = (votes) => votes[2];
const total = (some, of) => some.reduce((sum, votes) => sum + of(votes), 0);
const NOBODY = [0, 0, 0];

/** How many chose an option, in words; how sure they were only where some at this question say so. */
function votesWords(votes, isSaid) {
  const [unsaid, unsure, sure] = votes.map(shown);
  const said = [votes[2] && `${sure} sure`, votes[1] && `${unsure} not sure`, votes[0] && `${unsaid} didn’t say`];
  const told = isSaid ? said.filter(Boolean).join(", ") : "";
  return [shown(everybody(votes)), told && `: ${told}`];
}

/** The same as a bar, part by part, with the words below it. */
function votesNode(votes, all, isRight) {
  const parts = votes.map((number, sureness) => {
    const part = make("i", SURE_KINDS[sureness]);
    part.style.setProperty("--share", number / total(all, everybody));
    return part;
  });
  const bar = make("span", "vote-bar", ...parts.reverse());
  bar.ariaHidden = "true";
  const [count, told] = votesWords(votes, all.some(([, unsure, sure]) => unsure || sure));
  const words = make("span", "vote-words", make("b", "", count), told);
  if (isRight) words.append(make("span", "vote-right", " ✓ right"));
  return make("span", "vote", bar, words);
}

/** What is said of all answers at a question; how many are right only where `right` is told. */
function sumOf(choices, right) {
  const all = [...choices.values()];
  const [count, sure] = [total(all, everybody), total(all, surely)];
  if (!right) return `${counted(count, "answer")}${sure ? `, ${shown(sure)} sure` : ""}.`;
  const hits = right.map((choice) => choices.get(choice) ?? NOBODY);
  const ofSure = sure ? `; of those who were sure, ${shown(total(hits, surely))} of ${shown(sure)}` : "";
  return `Right: ${shown(total(hits, everybody))} of ${shown(count)}${ofSure}.`;
}

class Classroom {
  told = ""; // the histogram that is shown, as a screen reader says it

  constructor(player) {
    this.player = player;
    this.find = (name) => player.find(name);
    this.find("codes-in").oninput = () => this.take(this.find("codes-in").value);
    this.find("show-class").onclick = () => this.reveal();
    this.find("class-too").onclick = () => this.reveal();
    this.find("forget").onclick = () => this.forget();
  }

  /** Takes up the codes that were pasted for this film before. */
  begin() {
    const text = sessionStorage.getItem(this.place) ?? "";
    this.find("codes-in").value = text;
    this.read(text);
  }

  get place() {
    return `class ${this.player.film.key}`;
  }

  take(text) {
    keepInTab(this.place, text);
    this.read(text);
    this.player.soon();
  }

  forget() {
    this.find("codes-in").value = "";
    this.take("");
    this.find("codes-in").focus();
  }

  read(text) {
    const read = readClass(text, runOf(this.player.film.key));
    this.gates = tallied(read.count);
    this.shownGate = null; // whose answers are shown
    const { problems, again, idle } = read;
    const [good, bad] = [read.count.length, problems.length];
    const told = [
      good || bad ? `${counted(good, "code")} ${good === 1 ? "counts" : "count"}.` : "",
      again ? `${counted(again, "code")} came from students who sent another: the longer one counts.` : "",
      idle ? `${counted(idle, "line")} without a code left out.` : "",
      bad ? `${counted(bad, "code")} ${bad === 1 ? "doesn’t" : "don’t"} count:` : "",
    ];
    this.find("codes-read").textContent = told.filter(Boolean).join(" ");
    this.find("forget").hidden = !text;
    this.drawProblems(problems);
    this.drawGates();
  }

  drawProblems(problems) {
    const rows = problems.slice(0, NAMED).map(({ line, text, problem }) =>
      make("li", "", `Line ${line}: `, make("code", "", text.slice(0, 60)), ` ${PROBLEMS[problem]}`),
    );
    const rest = problems.length - rows.length;
    if (rest) rows.push(make("li", "", `And ${counted(rest, "more code")}.`));
    this.find("codes-wrong").replaceChildren(...rows);
    this.find("codes-wrong").hidden = !rows.length;
  }

  /** The questions that were answered: a button for each leads there, before the answer. */
  drawGates() {
    const rules = Math.max(this.player.film.head.rules.length, 1);
    const gates = [...this.gates.keys()].sort((one, other) => one - other);
    const inFilm = gates.filter((gate) => gate >= rules && gate < (this.player.last + 1) * rules);
    const buttons = inFilm.slice(0, OFFERED).map((gate) => {
      const [step, rule] = [Math.floor(gate / rules), gate % rules];
      const more = rules > 1 ? ` (${this.player.film.head.rules[rule]})` : "";
      const button = make("button", "", `step ${shown(step)}${more}`);
      button.type = "button";
      button.onclick = () => this.open(step, rule);
      return button;
    });
    const rest = inFilm.length - buttons.length;
    const told = rest > 0 ? [`and ${counted(rest, "more question")}`] : [];
    this.find("gates").replaceChildren(...(buttons.length ? ["Questions: ", ...buttons, ...told] : []));
  }

  open(step, rule) {
    const { player } = this;
    if (rule !== player.rule) player.setRule(rule);
    player.go(step - 1);
    if (step <= player.limit) player.ask(step);
    player.find("saying").scrollIntoView({ block: "start" });
  }

  /** Shows the class's answers to the question that is here, or hides them. */
  reveal() {
    const { gate, asks } = this.player;
    if (!asks || !this.gates.has(gate)) return;
    this.shownGate = this.shownGate === gate ? null : gate;
    this.player.soon();
    this.isHeard = this.shownGate === gate; // once it is painted
  }

  /** Paints the answers: beside the options (`items`) of an open question, else in a list. */
  paint(ask, items) {
    const choices = ask && this.player.asks ? this.gates.get(this.player.gate) : undefined;
    this.find("tally").hidden = this.find("class-too").hidden = !choices;
    const isShown = Boolean(choices) && this.shownGate === this.player.gate;
    if (!isShown && this.shownGate !== this.player.gate) this.shownGate = null; // asked anew next time
    this.find("options").classList.toggle("voting", isShown);
    this.find("votes").replaceChildren();
    this.find("sum").textContent = this.told = "";
    for (const name of ["show-class", "class-too"]) this.find(name).setAttribute("aria-pressed", isShown);
    if (!choices) return;
    const count = total([...choices.values()], everybody);
    this.find("show-class").replaceChildren(`The class’s ${counted(count, "answer")} `, make("kbd", "", "A"));
    if (isShown) this.show(ask, choices, items);
  }

  show(ask, choices, items) {
    const { film, question } = this.player;
    const all = [...choices.values()];
    const votes = ask.options.map((_, i) => choices.get(i) ?? NOBODY);
    const bars = votes.map((one, i) => votesNode(one, all, !question && ask.right.includes(i)));
    const tiles = ask.options.map((tokens) => tokens.map((number) => tile(film.head.tokens[number])));
    if (question) items.forEach((item, i) => item.append(bars[i]));
    else {
      const rows = bars.map((bar, i) => make("li", "", make("span", "voted", ...tiles[i]), bar));
      this.find("votes").replaceChildren(...rows);
    }
    this.find("sum").textContent = sumOf(choices, question ? null : ask.right);
    const said = bars.map((bar, i) => `${tiles[i].map((one) => one.textContent).join(" ")}: ${bar.textContent}`);
    this.told = `${said.join("; ")}. ${this.find("sum").textContent}`;
    if (this.isHeard) this.player.hear(this.told);
    this.isHeard = false;
  }
}
