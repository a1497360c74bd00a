// Predicting: the outcome of a step is asked for before it is shown, and the answer is judged.

/** What the picture says of an answer: the reason of the row that is made of the same tokens. */
function reasonOf({ parts }, tokens) {
  const rows = parts.flatMap((part) => part.lines ?? []);
  return rows.find(([cells]) => Array.isArray(cells) && String(cells[0]) === String(tokens))?.[2] ?? [];
}

class Predicting extends Coding {
  /** Whether the outcomes of steps can be asked for. */
  get asks() {
    return Boolean(this.film.head.asks) && this.mayAsk;
  }

  /** Asks for the outcome of a step before it is shown. */
  ask(position) {
    this.stop();
    this.question = this.position = position;
    this.isFresh = false;
    this.verdict = null;
    this.moved();
  }

  /** In presenter view, and by a link with a prediction: the question before the answer. */
  askFirst(frame) {
    if (this.isFresh && frame.ask) this.ask(this.position);
    const next = this.isArriving && this.frame(this.at + 1);
    if (!next) return;
    this.isArriving = false;
    if (next.ask && this.at < this.limit) this.ask(this.at + 1);
  }

  setPredicting(isOn) {
    this.isPredicting = isOn;
    this.find("predict").setAttribute("aria-pressed", isOn);
    this.keep("predict", isOn);
    this.go(this.at);
    this.isArriving = isOn; // the question of the next step comes at once
  }

  /** Answers the open question with the option at `choice`; null shows the answer, unscored. */
  answer(choice) {
    const frame = this.frame(this.question);
    const { ask } = frame;
    const isRight = ask.right.includes(choice);
    const name = this.ruleShown ? `${this.question} by the other rule` : this.question;
    if (choice !== null && !(name in this.scores)) {
      this.scores[name] = isRight;
      sessionStorage.setItem(`predictions ${this.film.key}`, JSON.stringify(this.scores));
    }
    const position = this.question;
    this.go(position);
    this.isFresh = false;
    if (choice === null && this.presenter.isOn) return; // the sentence says it all
    this.verdict = { ask, choice, isRight, reason: choice === null ? [] : reasonOf(frame, ask.options[choice]) };
    this.isJudged = choice !== null; // until it is painted, and has the focus
  }

  /** Brings what was said to an answer into view, and the focus to it: the options are gone. */
  showVerdict() {
    if (!this.isJudged) return;
    this.isJudged = false;
    const verdict = this.find("verdict");
    verdict.focus({ preventScroll: true });
    this.find("saying").scrollIntoView({ block: "nearest" });
  }
}
