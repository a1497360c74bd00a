// The player: shows a recording one position at a time, and reports its step when idle.
// It runs no algorithm: all contents come from Python (pages/shared/recording/frame_types.py). This
// file receives messages and moves; the base classes are in predicting.js, painting.js and others.

const DEBOUNCE_MS = 150; // after the last move, before the state is reported
const STEP_MS = 1200; // milliseconds between two steps when playing at 1×

class Player extends IdleSync {
  constructor(/** @type {ShadowRoot} */ shadow) {
    super();
    this.root = /** @type {HTMLElement} */ (shadow.querySelector(".player"));
    /** @type {Recording | undefined} */
    this.recording = undefined; // until the first has arrived
    /** @type {PartView[]} */
    this.parts = []; // of the picture
    this.at = this.position = 0; // `at` is the learner's step
    this.steppedAt = -Infinity; // the time of the last step
    this.rule = 0; // index of the rule that describes the steps
    /** @type {number[]} */
    this.path = []; // the learner's path through a lattice: arc numbers
    /** @type {{ [Name in keyof PlayerState]?: SyncedState<PlayerState[Name]> }} */
    this.synced = {}; // step, rule and path, in step with Python
    this.question = 0; // the position of the open question, or 0
    /** @type {Verdict | null} */
    this.verdict = null; // of the last prediction
    this.isPredicting = false;
    this.asksFirst = true; // in presenter view
    this.isPainting = false;
    /** @type {Set<string>} */
    this.highlights = new Set(); // tokens marked by a lesson
    /** @type {Set<Maskable>} */
    this.masked = new Set(); // hidden parts, see MASKABLE
    this.why = new WhyBubble(this);
    this.presenter = new Presenter(this);
    this.jump = new Jump(this);
    this.answerCode = new AnswerCode((name) => this.find(name));
    this.classroom = new Classroom(this);
    /** The question that was asked last. @type {AskedQuestion | null} */
    this.asked = null;
    this.room = new RoomPanel((name) => this.find(name), roomHostOf(this));
    this.sureness = 0; // of the open question: 0 not stated, 1 not sure, 2 sure
    /** @type {NodeListOf<HTMLElement>} */
    const boxes = this.root.querySelectorAll(".sentence-box, .column");
    boxes.forEach((box) => holdHeight(box));
    let size = "";
    new ResizeObserver(() => {
      const { clientWidth } = this.root; // 0 after it has left the page
      const now = `${clientWidth} ${window.innerHeight}`;
      if (!clientWidth || now === size || this.presenter.isOn) return;
      size = now;
      for (const part of this.parts) part.makeRoom?.();
      this.drawn = null;
      if (this.recording) this.schedulePaint();
    }).observe(this.root);
    this.listen();
  }

  listen() {
    const on = (/** @type {string} */ name, /** @type {() => void} */ act) => (this.find(name).onclick = () => act());
    on("first", () => this.go(0));
    on("back", () => this.back());
    on("play", () => this.toggle());
    on("forward", () => this.forward());
    on("end", () => this.go(this.last));
    on("predict", () => this.togglePredicting());
    on("reveal", () => this.answer(null));
    on("sure", () => this.setSureness(2));
    on("unsure", () => this.setSureness(1));
    on("present", () => this.presenter.set(true));
    this.find("scrubber").oninput = () => this.go(Number(this.find("scrubber").value));
    for (const used of ["pointerdown", "focusin"])
      this.root.addEventListener(used, () => (lastUsed = this));
  }

  // -- receiving

  async receive(/** @type {PlayerMessage} */ message, /** @type {SetState} */ setState) {
    this.setState = setState;
    this.key = message.key;
    const of = (/** @type {string} */ name) => syncedState(`${name} of ${message.key}`);
    this.synced = { step: of("step"), rule: of("rule"), path: of("path") };
    this.urlParams = message.urlParams;
    this.implicitParams = message.implicitParams;
    this.page = message.page;
    this.until = message.until ?? Infinity;
    this.highlights = new Set(message.highlights);
    this.masked = new Set(message.masked);
    this.root.classList.toggle("guided", !message.hasPredictions); // by a lesson
    this.root.classList.toggle("no-question", !message.showsQuestion);
    this.isLazy = message.lazy;
    this.hasPredictions = message.hasPredictions; // false in a lesson, which has its own question
    this.hasRoom = message.hasRoom;
    this.yieldUrl(message);
    if (this.recording?.key === message.recording) return this.applyUpdate(message);
    this.stop();
    const loading = (this.loading = message.recording);
    const head = await inflate(message.head);
    if (this.loading !== loading) return;
    const request = (/** @type {number} */ index) => (this.sendStep(), this.setState("requested", [message.recording, index]));
    this.recording = new Recording(message.recording, head, () => this.schedulePaint(), request);
    this.recording.receive(message.windows);
    this.begin(message);
  }

  /** Handles a rerun with the same recording: adopts only values with a new revision. */
  applyUpdate(/** @type {PlayerMessage} */ message) {
    this.recording.receive(message.windows);
    const { step, rule, path } = this.synced;
    const content = message.recording;
    if (path.adopt(content, message.path)) this.setPath(path.value);
    if (rule.adopt(content, message.rule)) this.setRule(rule.value);
    if (step.adopt(content, message.step)) this.go(step.value);
    else if (this.position > this.limit) this.go(this.limit);
    else this.recording.prepare(this.position);
    this.schedulePaint(); // highlights may have changed
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
    this.find("predict").hidden = this.find("to-class").hidden = !this.asks;
    if (!this.asks) this.isPredicting = false;
    this.jump.draw();
    this.drawCode();
    this.find("classroom").hidden = !this.asks;
    this.answerCode.begin(this.recording.key);
    this.classroom.begin(this.recording.key);
    this.find("to-room").hidden = !this.hasRoom;
    if (this.hasRoom) this.room.begin(this.key);
    const { step, rule, path } = this.synced; // of a page that is opened again: as it was left
    step.adopt(message.recording, message.step);
    rule.adopt(message.recording, message.rule);
    path.adopt(message.recording, message.path);
    const begun = step.value;
    [this.rule, this.at] = [rule.value, begun];
    this.setPath(path.value);
    this.go(begun);
    this.root.hidden = false;
    markPainted(this.root);
    if (!this.hasAppliedUrl) this.applyUrlSwitches();
    replayEarlyKeys(this);
  }

  /** Applies the switches of the URL, once. */
  applyUrlSwitches() {
    this.hasAppliedUrl = true;
    this.asksFirst = !isSwitchedOn("tell");
    if (isSwitchedOn("predict") && this.asks) this.setPredicting(true);
    if (isSwitchedOn("present") && !isPagePresenting()) this.presenter.set(true);
  }

  // -- moving: the position changes at once, painting follows with the next animation frame

  go(/** @type {number} */ position) {
    this.at = this.position = Math.min(Math.max(position, 0), this.limit);
    this.question = 0;
    this.isStep = false; // one step of the learner, which moves
    this.isArriving = false;
    this.isFresh = this.presenter.isOn && this.asks && this.asksFirst; // to be asked about before it is shown
    this.verdict = null;
    this.afterMove();
  }

  /** Goes one step, which moves unless another is still moving. */
  step(/** @type {number} */ position) {
    const isSoon = performance.now() - this.steppedAt < MOTION_MS;
    this.steppedAt = performance.now();
    this.go(position);
    this.isStep = !isSoon;
  }

  afterMove() {
    if (this.at === this.limit) this.stop();
    this.recording.prepare(this.position);
    this.stateChanged();
  }

  /** Repaints soon, and reports the state when idle. */
  stateChanged() {
    const { step, rule, path } = this.synced;
    [step.value, rule.value, path.value] = [this.at, this.rule, this.path];
    this.schedulePaint();
    clearTimeout(this.syncTimer);
    this.syncTimer = setTimeout(() => this.syncWhenIdle(), DEBOUNCE_MS);
  }

  /** Makes a screen reader read the text. */
  announce(/** @type {string} */ text) {
    this.find("announcement").textContent = text;
  }

  // -- the rule, and the learner's path

  /** The rule in use; a recording with one rule keeps the choice for the next recording. */
  get ruleShown() {
    return this.recording.head.rules.length ? this.rule : 0;
  }

  /** The frame at a position by the rule in use; undefined until it has arrived. */
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

  /** The text for screen readers: step, verdict, sentence, the class's answers. */
  describeState() {
    const position = this.question ? `A question about step ${this.question}.` : `Step ${this.at}.`;
    const [verdict, sentence] = ["verdict", "sentence"].map((name) => this.find(name).textContent);
    return [position, verdict, sentence, this.classroom.spokenTally].join(" ").trimEnd();
  }

  forward() {
    if (this.question) return this.answer(null);
    const next = this.at + 1;
    if (next > this.limit) return;
    const mayAsk = this.isPredicting && !this.presenter.isOn;
    if (mayAsk && !this.frame(next)) return; // a moment later it is known whether there is a question
    if (mayAsk && this.frame(next).question) this.ask(next);
    else this.step(next);
  }

  back() {
    this.stop();
    this.step(this.question ? this.question - 1 : this.at - 1); // from a question: to the step before
    this.isFresh = false;
  }

  toggle() {
    if (this.playing) return this.stop();
    if (this.at === this.last) this.go(0);
    if (this.at === this.limit || this.question) return; // play stops at a question
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
