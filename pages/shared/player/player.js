// The player: shows a recorded film one position at a time, and reports where it rests.
// It never runs an algorithm: all that it shows was written in Python (pages/shared/recording/frame_types.py).
// In this file: what Python says, and moving. The rest: predicting.js, painting.js, picture/parts.js.

const REST = 150; // milliseconds without a move after which a position counts as rested
const PACE = 1200; // milliseconds between two steps when playing at 1×

// How each player of this tab stood when its page was left, by key.
/** @type {Map<string, Places & { film: string, sent: Player["sent"] }>} */
const left = new Map();

class Player extends Resting {
  constructor(/** @type {ShadowRoot} */ shadow) {
    super();
    this.root = /** @type {HTMLElement} */ (shadow.querySelector(".player"));
    /** @type {Film | undefined} */
    this.film = undefined; // till the first one is there
    /** @type {DrawnPart[]} */
    this.parts = []; // of the picture
    this.at = this.position = 0; // `at` is where the learner stands
    this.rule = 0; // by which of a film's two rules its steps are shown, if it has two
    /** @type {number[]} */
    this.own = []; // the learner's own path through a lattice: numbers of arcs
    /** @type {Partial<Record<keyof Places, number>>} */
    this.sent = {}; // of step, rule and own: the number of the last wish that came from Python
    /** @type {Partial<Record<keyof Places, string>>} */
    this.reported = {}; // and what Python knows of them
    this.question = 0; // the position whose outcome is asked for, or 0
    /** @type {Verdict | null} */
    this.verdict = null; // how the last prediction went
    this.isPredicting = false;
    this.isPainting = false;
    /** @type {Set<string>} */
    this.spots = new Set(); // tokens that a lesson marks
    /** @type {Set<Veiled>} */
    this.veil = new Set(); // what of the picture would answer its question, see VEILED
    this.presenter = new Presenter(this);
    this.jump = new Jump(this);
    this.handing = new Handing((name) => this.find(name));
    this.classroom = new Classroom(this);
    this.sureness = 0; // of the open question: not said, not sure, sure
    /** @type {NodeListOf<HTMLElement>} */
    const boxes = this.root.querySelectorAll(".saying, .column");
    boxes.forEach((box) => holdHeight(box));
    this.listen();
  }

  listen() {
    const on = (/** @type {string} */ name, /** @type {() => void} */ act) => (this.find(name).onclick = () => act());
    on("first", () => this.go(0));
    on("back", () => this.back());
    on("play", () => this.toggle());
    on("forward", () => this.forward());
    on("end", () => this.go(this.last));
    on("predict", () => this.setPredicting(!this.isPredicting));
    on("reveal", () => this.answer(null));
    on("sure", () => this.setSureness(2));
    on("unsure", () => this.setSureness(1));
    on("present", () => this.presenter.set(true));
    this.find("scrubber").oninput = () => this.go(Number(this.find("scrubber").value));
    for (const used of ["pointerdown", "focusin"])
      this.root.addEventListener(used, () => (chosen = this));
  }

  // -- receiving

  async receive(/** @type {PlayerMessage} */ message, /** @type {SetState} */ setState) {
    this.setState = setState;
    this.root.classList.toggle("presenter", message.presenter);
    this.key = message.key;
    this.parameters = message.parameters;
    this.lent = message.lent;
    this.page = message.page;
    this.until = message.until ?? Infinity;
    this.spots = new Set(message.spot);
    this.veil = new Set(message.veil);
    this.root.dataset.veil = message.veil.join(" ");
    this.root.classList.toggle("unposed", !message.posed);
    this.isQuiet = message.quiet;
    this.mayAsk = message.asks; // in a lesson the question is the lesson's
    if (this.film?.key === message.film) return this.obey(message);
    this.stop();
    const loading = (this.loading = message.film);
    const head = await inflate(message.head);
    if (this.loading !== loading) return;
    const want = (/** @type {number} */ index) => (this.tell(), this.setState("want", [message.film, index]));
    this.film = new Film(message.film, head, () => this.soon(), want);
    this.film.receive(message.windows);
    this.begin(message);
  }

  /** A rerun with the same film: take the windows, change only what Python asks for anew. */
  obey(/** @type {PlayerMessage} */ message) {
    this.film.receive(message.windows);
    const isNew = (/** @type {keyof Places} */ name) => message[name][0] !== this.sent[name];
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

  begin(/** @type {PlayerMessage} */ message) {
    const { head } = this.film;
    this.last = head.last;
    this.parts = head.parts.map((part) => PARTS[part.kind](this.film, part, this));
    this.layOut();
    this.drawRules();
    this.find("last").textContent = shown(head.last);
    this.find("position").style.minWidth = `${8 + 2 * shown(head.last).length}ch`;
    this.find("scrubber").max = `${head.last}`;
    this.find("predict").hidden = !this.asks;
    if (!this.asks) this.isPredicting = false;
    this.jump.draw();
    this.drawCode();
    this.find("classroom").hidden = !this.asks;
    this.handing.begin(this.film.key);
    this.classroom.begin(this.film.key);
    const before = left.get(this.key);
    /** @template {keyof Places} Name @param {Name} name @returns {Places[Name]} */
    const start = (name) => {
      const goal = this.take(name, message);
      const resumes = before?.film === message.film && before.sent[name] === message[name][0];
      return resumes ? before[name] : goal;
    };
    [this.rule, this.own] = [start("rule"), []];
    this.setOwn(start("own"));
    this.go(start("step"));
    this.root.hidden = false;
    painted(this.root);
    if (!this.isTakenUp) this.takeUp();
    catchUp(this);
  }

  /** Takes up what the address asks for, when the player is shown first. */
  takeUp() {
    this.isTakenUp = true;
    if (isAskedFor("predict") && this.asks) this.setPredicting(true);
    const isTaken = [...players.values()].some(({ presenter }) => presenter.isOn);
    if (isAskedFor("present") && !isTaken) this.presenter.set(true);
  }

  // -- moving: the position changes at once, painting follows with the next animation frame

  go(/** @type {number} */ position) {
    this.at = this.position = Math.min(Math.max(position, 0), this.limit);
    this.question = 0;
    this.isArriving = false;
    this.isFresh = this.presenter.isOn && this.asks; // presenter view asks before it tells
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
  hear(/** @type {string} */ text) {
    this.find("heard").textContent = text;
  }

  // -- the rule, and the learner's own path

  /** The rule that is shown: a film of one rule leaves what is chosen for the next film. */
  get ruleShown() {
    return this.film.head.rules.length ? this.rule : 0;
  }

  /** The frame at a position, by the rule that is shown; undefined while it is on the way. */
  frame(/** @type {number} */ position) {
    const frame = this.film.at(position);
    return this.ruleShown ? frame?.other : frame;
  }

  setRule(/** @type {number} */ rule) {
    if (!this.film.head.rules.length) return;
    this.rule = rule;
    this.verdict = null;
    if (this.question && !this.frame(this.question)?.ask) this.go(this.at);
    this.changed();
  }

  setOwn(/** @type {number[]} */ path) {
    this.own = path;
    for (const part of this.parts) part.setOwn?.(path);
    this.changed();
  }

  /** What a screen reader says: the place, how the prediction went, the sentence, how a class answered. */
  spoken() {
    const place = this.question ? `A question about step ${this.question}.` : `Step ${this.at}.`;
    const [verdict, say] = ["verdict", "say"].map((name) => this.find(name).textContent);
    return [place, verdict, say, this.classroom.told].join(" ").trimEnd();
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

  toggle() {
    if (this.playing) return this.stop();
    if (this.at === this.last) this.go(0);
    if (this.at === this.limit || this.question) return; // playing waits for an answer
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
}
