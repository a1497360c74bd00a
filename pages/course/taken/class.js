// A class that answers a lesson in a file: a student's first answers as a code, and below a question
// what the class answered, once that is asked for. In front of it: shared/player/classroom.

/** A part of what is said, as it stands in an option. */
function saidNode([kind, text, tint]) {
  const node = make(kind === "strong" ? "b" : "bdi", kind === "token" ? "tile" : "", text);
  if (kind === "token") node.style.background = `var(--tint-${tint})`;
  return node;
}

/** What an answer counts as: the option; where there are none to choose from, right or not. */
function choiceOf(question, { given, state }) {
  return question.form === "choice" ? given : Number(state !== "right");
}

function optionsToCount(question) {
  if (question.form === "choice") return question.options.map((said) => said.map(saidNode));
  return [["right at the first try"], ["not right at the first try"]];
}

class Group extends Pasted {
  problems = { ...PROBLEMS, run: "is of another lesson, or of an older file of this one. Send the student this file, to answer again." };
  sureness = 0; // of the open question: not said, not sure, sure

  /** `place` is where the questions stand, `enter` goes to a stop, `changed` paints anew. */
  constructor(place, lesson, enter, changed) {
    super((name) => document.querySelector(`#class .${name}`), changed);
    this.handing = new Handing(this.find);
    this.under = place;
    this.enter = enter;
    this.lesson = lesson;
    this.button = make("button", "show-class");
    this.button.type = "button";
    this.button.onclick = () => this.reveal();
    this.rows = make("ol", "votes");
    this.rows.ariaLabel = "The class’s answers";
    this.sum = make("p", "sum");
    this.sum.role = "status";
    this.tally = make("div", "tally", this.button, this.rows, this.sum);
    this.sure = this.sureButtons();
    document.addEventListener("keydown", (event) => this.press(event));
  }

  sureButtons() {
    const group = make("div", "sureness", make("span", "", "How sure are you?"));
    group.role = "group";
    group.ariaLabel = "How sure are you?";
    for (const [sureness, name] of [[2, "sure"], [1, "not sure"]]) {
      const button = make("button", sureness === 2 ? "sure" : "unsure", name);
      button.type = "button";
      button.onclick = () => {
        this.sureness = this.sureness === sureness ? 0 : sureness;
        this.paintSure();
      };
      group.append(button);
    }
    return group;
  }

  paintSure() {
    [...this.sure.querySelectorAll("button")].forEach((button, i) =>
      button.setAttribute("aria-pressed", this.sureness === 2 - i),
    );
  }

  start(key) {
    document.querySelector("#class").hidden = !this.lesson.stops.some(({ question }) => question);
    this.handing.begin(key);
    this.begin(key);
  }

  press(event) {
    const isTyping = event.composedPath()[0].matches?.("input:not([type=radio], [type=checkbox]), textarea, select");
    if (event.key !== "a" || isTyping || event.ctrlKey || event.altKey || event.metaKey) return;
    this.reveal();
  }

  /** Takes the first answer to the question of the stop `n`. */
  handIn(n, question, attempt) {
    this.handing.take(n, choiceOf(question, attempt), this.sureness, attempt.state === "right");
    this.sureness = 0;
  }

  read(text) {
    super.read(text);
    const stops = [...this.gates.keys()].filter((n) => this.lesson.stops[n]?.question);
    const buttons = stops.sort((one, other) => one - other).map((n) => {
      const button = make("button", "", `stop ${n + 1}`);
      button.type = "button";
      button.onclick = () => {
        this.enter(n);
        this.under.getRootNode().host.scrollIntoView({ block: "nearest" });
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

  /** Stands around the question of the stop `n`: it was drawn anew, perhaps. */
  paint(n, question, attempt) {
    if (n !== this.at) this.sureness = 0;
    this.at = n;
    const choices = this.gates.get(n);
    const isShown = Boolean(choices) && this.shownGate === n;
    if (!isShown && this.shownGate !== n) this.shownGate = null;
    this.sure.hidden = attempt.tries > 0 || attempt.state !== "open" || n in this.handing.held.said;
    this.paintSure();
    this.tally.hidden = !choices;
    const submit = this.under.querySelector(".submit");
    if (this.sure.nextSibling !== submit) submit?.before(this.sure);
    if (this.tally.parentNode !== this.under) this.under.append(this.tally);
    this.rows.replaceChildren();
    this.sum.textContent = "";
    if (!choices) return;
    const all = [...choices.values()];
    this.button.replaceChildren(`The class’s ${counted(total(all, everybody), "first answer")} `, make("kbd", "", "A"));
    this.button.setAttribute("aria-pressed", isShown);
    if (isShown) this.show(question, choices, attempt.state !== "open");
  }

  show(question, choices, isTold) {
    const all = [...choices.values()];
    const isChoice = question.form === "choice";
    const right = isChoice ? question.right.flatMap((isRight, i) => (isRight ? [i] : [])) : [0];
    this.rows.replaceChildren(...optionsToCount(question).map((said, i) => {
      const bar = votesNode(choices.get(i) ?? NOBODY, all, isTold && isChoice && right.includes(i));
      return make("li", "", make("span", "voted", make("span", "", ...said)), bar);
    }));
    this.sum.textContent = sumOf(choices, isTold ? right : null);
  }
}
