// The player: shows a recorded film one position at a time, and reports where it rests.
// It never runs an algorithm: all that it shows was written in Python (pages/shared/film/film.py).
// In this file: moving, predicting, painting. What is drawn: parts.js and lattice.js.

const REST = 150; // milliseconds without a move after which a position counts as rested
const PACE = 1200; // milliseconds between two steps when playing at 1×

// What a lesson can have hidden while it asks, and how it is called.
const VEILED = { sentence: "the sentence of the step", tables: "the table", notes: "the line below" };

const PARTS = { table: tablePart, strips: stripsPart, note: notePart, lattice: latticePart };

/** Keeps `outer` as tall as the tallest `inner` seen at this width: nothing below it jumps. */
function holdHeight(outer, inner) {
  let width = 0;
  new ResizeObserver(() => {
    if (inner.clientWidth !== width) outer.style.minHeight = "";
    width = inner.clientWidth;
    if (inner.offsetHeight > (parseFloat(outer.style.minHeight) || 0)) {
      outer.style.minHeight = `${inner.offsetHeight}px`;
    }
  }).observe(inner);
}

// ---- the player ----

/** Puts a value in the address, where Python would make a new entry in the history of it. */
function noteInAddress(parameter, value) {
  const url = new URL(location);
  if (value) url.searchParams.set(parameter, value);
  else url.searchParams.delete(parameter);
  history.replaceState(history.state, "", url);
}

const left = new Map(); // how each player of this tab stood when its page was left, by key

class Player {
  constructor(shadow) {
    this.root = shadow.querySelector(".player");
    this.at = this.position = 0; // `at` is where the learner stands
    this.rule = 0; // by which of a film's two rules its steps are shown, if it has two
    this.own = []; // the learner's own path through a lattice: numbers of arcs
    this.sent = {}; // of step, rule and own: the number of the last wish that came from Python
    this.reported = {}; // and what Python knows of them
    this.question = 0; // the position whose outcome is asked for, or 0
    this.verdict = null; // nodes that say how the last prediction went
    this.isPredicting = false;
    this.isPainting = false;
    this.spots = new Set(); // tokens that a lesson marks
    this.veil = new Set(); // what of the picture would answer its question, see VEILED
    this.presenter = new Presenter(this);
    this.jump = new Jump(this);
    holdHeight(this.find("saying"), this.find("saying").firstElementChild);
    for (const side of this.root.querySelectorAll(".column")) {
      holdHeight(side, side.firstElementChild);
    }
    this.listen();
  }

  find(name) {
    return this.root.querySelector(`.${name}`);
  }

  listen() {
    const on = (name, act) => (this.find(name).onclick = () => act());
    on("first", () => this.go(0));
    on("back", () => this.back());
    on("play", () => this.toggle());
    on("forward", () => this.forward());
    on("end", () => this.go(this.last));
    on("predict", () => this.setPredicting(!this.isPredicting));
    on("reveal", () => this.answer(null));
    on("present", () => this.presenter.set(true));
    this.find("scrubber").oninput = (event) => this.go(Number(event.target.value));
    this.root.onpointerdown = () => (chosen = this);
    this.root.onfocusin = () => (chosen = this);
  }

  // -- receiving

  async receive(message, setState) {
    this.setState = setState;
    this.root.classList.toggle("presenter", message.presenter);
    this.key = message.key;
    this.parameters = message.parameters;
    this.until = message.until ?? Infinity;
    this.spots = new Set(message.spot);
    this.veil = new Set(message.veil);
    this.root.dataset.veil = message.veil.join(" ");
    this.find("posed").textContent = message.question;
    if (this.film?.key === message.film) return this.obey(message);
    this.stop();
    const loading = (this.loading = message.film);
    const head = await inflate(message.head);
    if (this.loading !== loading) return;
    const want = (index) => this.setState("want", [message.film, index]);
    this.film = new Film(message.film, head, () => this.soon(), want);
    this.film.receive(message.windows);
    this.begin(message);
  }

  /** A rerun with the same film: take the windows, change only what Python asks for anew. */
  obey(message) {
    this.film.receive(message.windows);
    const isNew = (name) => message[name][0] !== this.sent[name];
    if (isNew("own")) this.setOwn(this.take("own", message));
    if (isNew("rule")) this.setRule(this.take("rule", message));
    if (isNew("step")) this.go(this.take("step", message));
    else if (this.position > this.limit) this.go(this.limit);
    else this.film.prepare(this.position);
    this.soon(); // what is marked may be new
  }

  /** The last step that may be shown. */
  get limit() {
    return Math.min(this.last, Math.max(this.until, 0));
  }

  /** What Python asks for: it knows of that already, so that it is not reported. */
  take(name, message) {
    const [sent, goal] = message[name];
    this.sent[name] = sent;
    this.reported[name] = String(goal);
    return goal;
  }

  /** Says to Python, and in the address, what the learner has changed. */
  report(name, value, ...film) {
    if (String(value) === this.reported[name]) return;
    this.reported[name] = String(value);
    if (this.parameters[name]) noteInAddress(this.parameters[name], value);
    const said = [value, this.sent[name]];
    this.setState(name, film.length ? [...film, ...said.reverse()] : said);
  }

  begin(message) {
    const { head } = this.film;
    this.last = head.last;
    this.parts = head.parts.map((part) => PARTS[part.kind](this.film, part, this));
    this.layOut();
    this.drawRules();
    this.find("last").textContent = shown(head.last);
    this.find("position").style.minWidth = `${8 + 2 * shown(head.last).length}ch`;
    this.find("scrubber").max = head.last;
    this.find("predict").hidden = !head.asks;
    if (!head.asks) this.isPredicting = false;
    this.jump.draw();
    this.scores = JSON.parse(sessionStorage.getItem(`predictions ${this.film.key}`) ?? "{}");
    const before = left.get(this.key);
    const start = (name) => {
      const goal = this.take(name, message);
      const resumes = before?.film === message.film && before.sent[name] === message[name][0];
      return resumes ? before[name] : goal;
    };
    [this.rule, this.own] = [start("rule"), []];
    this.setOwn(start("own"));
    this.go(start("step"));
    this.root.hidden = false;
    if (!this.isTakenUp) this.takeUp();
  }

  /** Takes up what the address asks for, when the player is shown first. */
  takeUp() {
    this.isTakenUp = true;
    if (isAskedFor("predict") && this.film.head.asks) {
      this.setPredicting(true);
      this.isArriving = true; // the question comes as soon as its frame is there
    }
    const isTaken = [...players.values()].some(({ presenter }) => presenter.isOn);
    if (isAskedFor("present") && !isTaken) this.presenter.set(true);
  }

  /** Puts the parts into their columns, with room for the longest sentence. */
  layOut() {
    const sides = ["across", "left", "right"].map((side) => [side, this.find(side)]);
    for (const [name, side] of sides) {
      side.style.minHeight = "";
      side.querySelectorAll(".part").forEach((part) => part.remove());
      const nodes = this.parts.filter((part) => part.side === name).map(({ node }) => node);
      side.firstElementChild.append(...nodes);
    }
    this.find("saying").style.minHeight = "";
    const say = this.find("say");
    const across = say.clientWidth / parseFloat(getComputedStyle(say).fontSize);
    const lines = Math.ceil((this.film.head.longest * 0.48) / across); // a letter is about 0.48 em
    say.style.minHeight = `${1.45 * Math.min(lines, this.presenter.isOn ? 2 : 3)}em`;
    const kinds = new Set(this.parts.map(({ side }) => side));
    kinds.delete("across");
    const widths = this.parts.map(({ width }) => width ?? 0);
    this.find("stage").style.setProperty("--table", Math.max(25, ...widths));
    const aside = this.parts.map(({ side, width }) => (side === "right" && width) || 0);
    this.find("stage").style.setProperty("--aside", Math.max(15, ...aside));
    this.find("stage").dataset.sides = kinds.size > 1 ? "both" : [...kinds][0] ?? "";
  }

  // -- moving: the position changes at once, painting follows with the next animation frame

  go(position) {
    this.at = this.position = Math.min(Math.max(position, 0), this.limit);
    this.question = 0;
    this.isArriving = false;
    this.isFresh = this.presenter.isOn; // presenter view asks before it tells
    this.verdict = null;
    this.moved();
  }

  moved() {
    if (this.at === this.limit) this.stop();
    this.film.prepare(this.position);
    this.changed();
  }

  /** What is shown has changed: it is painted soon, and reported when it rests. */
  changed() {
    const { at: step, rule, own } = this;
    left.set(this.key, { film: this.film.key, sent: { ...this.sent }, step, rule, own });
    this.soon();
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.rest(), REST);
  }

  /** Has a screen reader say it. */
  hear(text) {
    this.find("heard").textContent = text;
  }

  rest() {
    this.hear(this.spoken());
    this.report("rule", this.rule);
    this.report("own", this.own, this.film.key);
    this.report("step", this.at);
  }

  // -- the rule, and the learner's own path

  /** The rule that is shown: a film of one rule leaves what is chosen for the next film. */
  get ruleShown() {
    return this.film.head.rules.length ? this.rule : 0;
  }

  /** The frame at a position, by the rule that is shown; undefined while it is on the way. */
  frame(position) {
    const frame = this.film.at(position);
    return this.ruleShown ? frame?.other : frame;
  }

  drawRules() {
    const { rules } = this.film.head;
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

  setRule(rule) {
    if (!this.film.head.rules.length) return;
    this.rule = rule;
    this.verdict = null;
    if (this.question && !this.frame(this.question)?.ask) this.go(this.at);
    this.changed();
  }

  setOwn(path) {
    this.own = path;
    for (const part of this.parts) part.setOwn?.(path);
    this.changed();
  }

  /** What a screen reader says: the place, how the prediction went, the sentence. */
  spoken() {
    const place = this.question ? `A question about step ${this.question}.` : `Step ${this.at}.`;
    return [place, this.find("verdict").textContent, this.find("say").textContent].join(" ");
  }

  forward() {
    if (this.question) return this.answer(null);
    const next = this.at + 1;
    if (next > this.limit) return;
    const isAsked = this.isPredicting && !this.presenter.isOn && this.frame(next)?.ask;
    if (isAsked) this.ask(next);
    else this.go(next);
  }

  back() {
    this.stop();
    this.go(this.question ? this.question - 1 : this.at - 1); // from a question: to before it
    this.isFresh = false;
  }

  /** Asks for the outcome of a step before it is shown. */
  ask(position) {
    this.stop();
    this.question = this.position = position;
    this.isFresh = false;
    this.verdict = null;
    this.moved();
  }

  toggle() {
    if (this.playing) return this.stop();
    if (this.at === this.last) this.go(0);
    if (this.at === this.limit && !this.question) return;
    this.find("doing").textContent = "Pause";
    this.root.classList.add("playing");
    const tick = () => {
      this.playing = setTimeout(tick, PACE / Number(this.find("pace").value));
      if (this.film.at(this.at) && this.root.isConnected) this.forward();
    };
    this.playing = setTimeout(tick, REST);
  }

  stop() {
    clearTimeout(this.playing);
    this.playing = 0;
    this.find("doing").textContent = "Play";
    this.root.classList.remove("playing");
  }

  // -- predicting

  setPredicting(isOn) {
    this.isPredicting = isOn;
    this.find("predict").setAttribute("aria-pressed", isOn);
    noteInAddress("predict", isOn ? 1 : "");
    this.go(this.at);
  }

  /** Answers the open question with the option at `choice`; null shows the answer, unscored. */
  answer(choice) {
    const { ask } = this.frame(this.question);
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
    this.verdict = { ask, choice, isRight };
  }

  // -- painting

  soon() {
    if (this.isPainting) return;
    this.isPainting = true;
    requestAnimationFrame(() => {
      this.isPainting = false;
      this.paint();
    });
  }

  paint() {
    this.paintBar();
    const frame = this.frame(this.position);
    this.root.classList.toggle("waiting", !frame);
    if (!frame) return this.find("say").replaceChildren(`Fetching step ${this.position} …`);
    this.askFirst(frame);
    const ask = this.question ? frame.ask : null;
    this.paintSaying(ask ? ask.prompt : frame.say);
    this.find("verdict").hidden = !this.verdict;
    this.find("verdict").className = `verdict ${this.verdict?.isRight ? "right" : "wrong"}`;
    this.find("verdict").replaceChildren(...(this.verdict ? judged(this.film, this.verdict) : []));
    this.find("question").hidden = !ask;
    const answers = ask ? optionsOf(this.film, ask, (choice) => this.answer(choice)) : [];
    this.find("options").replaceChildren(...answers);
    this.root.classList.toggle("veiled", Boolean(ask));
    this.parts.forEach((part, i) => part.draw(frame.parts[i], Boolean(ask)));
    markSpots(this.root, this.spots);
    this.presenter.fit();
    this.root.dataset.step = this.at;
    this.root.dataset.rule = this.ruleShown;
  }

  /** The sentence; while a lesson asks for what it tells, that it is hidden. */
  paintSaying(say) {
    const hidden = [...this.veil].map((name) => VEILED[name]).join(" and ");
    const told = hidden ? `Answer first to see ${hidden}.` : "";
    const isTold = this.veil.has("sentence") && !this.question; // in place of the sentence
    this.find("say").replaceChildren(...(isTold ? [told] : nodes(this.film, say)));
    this.find("veil").textContent = isTold ? "" : told;
  }

  /** In presenter view, and by a link with a prediction: the question before the answer. */
  askFirst(frame) {
    if (this.isFresh && frame.ask) this.ask(this.position);
    const next = this.isArriving && this.frame(this.at + 1);
    if (next?.ask && this.at < this.limit) this.ask(this.at + 1);
    else if (next) this.isArriving = false;
  }

  paintBar() {
    const scrubber = this.find("scrubber");
    this.find("at").textContent = shown(this.at);
    scrubber.value = this.at;
    scrubber.setAttribute("aria-valuetext", `step ${this.at} of ${this.last}`);
    scrubber.style.setProperty("--done", this.at / Math.max(this.last, 1));
    const isHeld = this.at === this.limit && this.limit < this.last;
    this.find("held").hidden = !isHeld;
    for (const name of ["forward", "end"]) this.find(name).setAttribute("aria-disabled", isHeld);
    this.presenter.paintBar();
    this.jump.offer(false);
    [...this.find("rules").children].forEach((button, rule) =>
      button.setAttribute("aria-pressed", rule === this.rule),
    );
    const answers = Object.values(this.scores);
    const right = answers.filter(Boolean).length;
    const score = this.isPredicting && answers.length ? `${right} of ${answers.length} right` : "";
    this.find("score").textContent = score;
  }
}
