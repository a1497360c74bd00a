// The player: shows a recorded recording one position at a time, and reports where it rests.
// It never runs an algorithm: all that it shows was written in Python (pages/shared/recording/frame_types.py).
// In this file: what Python says, and moving. The rest: predicting.js, painting.js, picture/parts.js.

const DEBOUNCE_MS = 150; // milliseconds without a move after which a position counts as rested
const STEP_MS = 1200; // milliseconds between two steps when playing at 1×

// How each player of this tab stood when its page was left, by key.
/** @type {Map<string, PlayerState & { recording: string, sent: Player["sent"] }>} */
const savedStates = new Map();

class Player extends IdleSync {
  constructor(/** @type {ShadowRoot} */ shadow) {
    super();
    this.root = /** @type {HTMLElement} */ (shadow.querySelector(".player"));
    /** @type {Recording | undefined} */
    this.recording = undefined; // till the first one is there
    /** @type {PartView[]} */
    this.parts = []; // of the picture
    this.at = this.position = 0; // `at` is where the learner stands
    this.rule = 0; // by which of a recording's two rules its steps are shown, if it has two
    /** @type {number[]} */
    this.path = []; // the learner's path path through a lattice: numbers of arcs
    /** @type {Partial<Record<keyof PlayerState, number>>} */
    this.sent = {}; // of step, rule and path: the number of the last wish that came from Python
    /** @type {Partial<Record<keyof PlayerState, string>>} */
    this.reported = {}; // and what Python knows of them
    this.question = 0; // the position whose outcome is asked for, or 0
    /** @type {Verdict | null} */
    this.verdict = null; // how the last prediction went
    this.isPredicting = false;
    this.isPainting = false;
    /** @type {Set<string>} */
    this.highlights = new Set(); // tokens that a lesson marks
    /** @type {Set<Maskable>} */
    this.masked = new Set(); // what of the picture would answer its question, see MASKABLE
    this.presenter = new Presenter(this);
    this.jump = new Jump(this);
    this.answerCode = new AnswerCode((name) => this.find(name));
    this.classroom = new Classroom(this);
    this.sureness = 0; // of the open question: not said, not sure, sure
    /** @type {NodeListOf<HTMLElement>} */
    const boxes = this.root.querySelectorAll(".sentence-box, .column");
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
    this.urlParams = message.urlParams;
    this.implicitParams = message.implicitParams;
    this.page = message.page;
    this.until = message.until ?? Infinity;
    this.highlights = new Set(message.highlights);
    this.masked = new Set(message.masked);
    this.root.dataset.masked = message.masked.join(" ");
    this.root.classList.toggle("no-question", !message.showsQuestion);
    this.isLazy = message.lazy;
    this.mayAsk = message.hasPredictions; // in a lesson the question is the lesson's
    if (this.recording?.key === message.recording) return this.applyUpdate(message);
    this.stop();
    const loading = (this.loading = message.recording);
    const head = await inflate(message.head);
    if (this.loading !== loading) return;
    const want = (/** @type {number} */ index) => (this.sendStep(), this.setState("requested", [message.recording, index]));
    this.recording = new Recording(message.recording, head, () => this.schedulePaint(), want);
    this.recording.receive(message.windows);
    this.begin(message);
  }

  /** A rerun with the same recording: take the windows, change only what Python asks for anew. */
  applyUpdate(/** @type {PlayerMessage} */ message) {
    this.recording.receive(message.windows);
    const isNew = (/** @type {keyof PlayerState} */ name) => message[name][0] !== this.sent[name];
    if (isNew("path")) this.setPath(this.acceptTarget("path", message));
    if (isNew("rule")) this.setRule(this.acceptTarget("rule", message));
    if (isNew("step")) this.go(this.acceptTarget("step", message));
    else if (this.position > this.limit) this.go(this.limit);
    else this.recording.prepare(this.position);
    this.schedulePaint(); // what is marked may be new
  }

  /** The last step that may be shown. */
  get limit() {
    return Math.min(this.last, Math.max(this.until, 0));
  }

  begin(/** @type {PlayerMessage} */ message) {
    const { head } = this.recording;
    this.last = head.last;
    this.parts = head.parts.map((part) => PARTS[part.kind](this.recording, part, this));
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
    this.answerCode.begin(this.recording.key);
    this.classroom.begin(this.recording.key);
    const before = savedStates.get(this.key);
    /** @template {keyof PlayerState} Name @param {Name} name @returns {PlayerState[Name]} */
    const start = (name) => {
      const goal = this.acceptTarget(name, message);
      const resumes = before?.recording === message.recording && before.sent[name] === message[name][0];
      return resumes ? before[name] : goal;
    };
    [this.rule, this.path] = [start("rule"), []];
    this.setPath(start("path"));
    this.go(start("step"));
    this.root.hidden = false;
    markPainted(this.root);
    if (!this.hasAppliedUrl) this.applyUrlSwitches();
    replayEarlyKeys(this);
  }

  /** Takes up what the address asks for, when the player is shown first. */
  applyUrlSwitches() {
    this.hasAppliedUrl = true;
    if (isSwitchedOn("predict") && this.asks) this.setPredicting(true);
    const isPresenting = [...players.values()].some(({ presenter }) => presenter.isOn);
    if (isSwitchedOn("present") && !isPresenting) this.presenter.set(true);
  }

  // -- moving: the position changes at once, painting follows with the next animation frame

  go(/** @type {number} */ position) {
    this.at = this.position = Math.min(Math.max(position, 0), this.limit);
    this.question = 0;
    this.isArriving = false;
    this.isFresh = this.presenter.isOn && this.asks; // presenter view asks before it tells
    this.verdict = null;
    this.afterMove();
  }

  afterMove() {
    if (this.at === this.limit) this.stop();
    this.recording.prepare(this.position);
    this.stateChanged();
  }

  /** What is shown has changed: it is painted soon, and reported when it rests. */
  stateChanged() {
    const { at: step, rule, path } = this;
    savedStates.set(this.key, { recording: this.recording.key, sent: { ...this.sent }, step, rule, path });
    this.schedulePaint();
    clearTimeout(this.syncTimer);
    this.syncTimer = setTimeout(() => this.syncWhenIdle(), DEBOUNCE_MS);
  }

  /** Has a screen reader say it. */
  announce(/** @type {string} */ text) {
    this.find("announcement").textContent = text;
  }

  // -- the rule, and the learner's path path

  /** The rule that is shown: a recording of one rule leaves what is chosen for the next recording. */
  get ruleShown() {
    return this.recording.head.rules.length ? this.rule : 0;
  }

  /** The frame at a position, by the rule that is shown; undefined while it is on the way. */
  frame(/** @type {number} */ position) {
    const frame = this.recording.at(position);
    return this.ruleShown ? frame?.other : frame;
  }

  setRule(/** @type {number} */ rule) {
    if (!this.recording.head.rules.length) return;
    this.rule = rule;
    this.verdict = null;
    if (this.question && !this.frame(this.question)?.question) this.go(this.at);
    this.stateChanged();
  }

  setPath(/** @type {number[]} */ path) {
    this.path = path;
    for (const part of this.parts) part.setPath?.(path);
    this.stateChanged();
  }

  /** What a screen reader says: the place, how the prediction went, the sentence, how a class answered. */
  describeState() {
    const place = this.question ? `A question about step ${this.question}.` : `Step ${this.at}.`;
    const [verdict, say] = ["verdict", "sentence"].map((name) => this.find(name).textContent);
    return [place, verdict, say, this.classroom.spokenTally].join(" ").trimEnd();
  }

  forward() {
    if (this.question) return this.answer(null);
    const next = this.at + 1;
    if (next > this.limit) return;
    const isAsked = this.isPredicting && !this.presenter.isOn && this.frame(next)?.question;
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
      this.playing = setTimeout(tick, STEP_MS / Number(this.find("pace").value));
      if (this.recording.at(this.at) && this.root.isConnected) this.forward();
    };
    this.playing = setTimeout(tick, DEBOUNCE_MS);
  }

  stop() {
    clearTimeout(this.playing);
    this.playing = 0;
    this.find("doing").textContent = "Play";
    this.root.classList.remove("playing");
  }
}
