// When the server hears at which step a learner rests: while something that it draws for the step is
// in sight, and before anything else on the page is used. Whoever only steps asks it nothing.

/** By the element that it was mounted in. @type {Map<ShadowRoot, Player>} */
const players = new Map();
const SWITCHES = ["lines", "predict", "present"]; // what of the address is the player's own
const MENU = '[data-testid="stPopoverBody"]'; // one that is open: it may need the step, too
const STEP_FRAGMENT = ".st-key-step_fragment"; // what Python draws for the step, see `step_fragment` in __init__.py

/** What a player tells Python, and what Python asks of it. */
class IdleSync extends Predicting {
  /**
   * What Python asks for: it knows of that already, so that it is not reported.
   * @template {keyof PlayerState} Name @param {Name} name @param {TargetState} message @returns {PlayerState[Name]}
   * @this {Player}
   */
  acceptTarget(name, message) {
    const [sent, goal] = message[name];
    this.sent[name] = sent;
    this.reported[name] = String(goal);
    return goal;
  }

  /** Says in the address what the learner has changed. @this {Player} */
  writeUrl(/** @type {keyof PlayerState} */ name, /** @type {number} */ value) {
    if (this.urlParams[name]) writeUrlParam(this.urlParams[name], value, this.implicitParams);
  }

  /**
   * Says it to Python, if that is news; returns whether it is.
   * @template {keyof PlayerState} Name @param {Name} name @param {PlayerState[Name]} value
   * @param {(said: [value: PlayerState[Name], sent: number]) => void} say
   * @this {Player}
   */
  report(name, value, say = (said) => this.setState(name, said)) {
    if (String(value) === this.reported[name]) return false;
    this.reported[name] = String(value);
    say([value, this.sent[name]]);
    return true;
  }

  /**
   * Keeps a switch in the address, and tells Python, which would take it out again.
   * @param {string} name @param {boolean} isOn
   * @this {Player}
   */
  setSwitch(name, isOn) {
    if (!isPageOpen(this.page) || isSwitchedOn(name) === isOn) return;
    writeUrlParam(name, isOn ? 1 : "");
    this.setState("switches", SWITCHES.filter(isSwitchedOn));
  }

  /** @this {Player} */
  syncWhenIdle() {
    if (!isPageOpen(this.page)) return; // another page was asked for, with its own address
    if (this.isPainting) this.paint(); // a slow machine: what is heard is what will be seen
    this.announce(this.describeState());
    this.writeUrl("rule", this.rule);
    this.writeUrl("step", this.at);
    const { key } = this.recording;
    const isMore = [
      this.report("rule", this.rule),
      this.report("path", this.path, ([path, sent]) => this.setState("path", [key, sent, path])),
    ];
    if (needsStep(this)) this.sendStep(!isMore.includes(true) && !document.querySelector(MENU));
  }

  /**
   * Says to Python at which step the learner is, if it does not know. When it `isAlone`, only what
   * is drawn for the step is run again. Streamlit runs one part of a page at a time: nothing else
   * may have changed in another part at that moment.
   * @this {Player}
   */
  sendStep(isAlone = false) {
    const ear = isAlone && window.stepListeners?.get(this.key); // see step_listener.js
    const say = ear || ((/** @type {number[]} */ said) => this.setState("step", said));
    const now = Math.round(performance.now()); // tells which of both was told last
    if (this.recording) this.report("step", this.at, (said) => say([...said, now]));
  }
}

/** Whether somebody sees what Python draws for the step at which the player rests. */
function needsStep(/** @type {Player} */ player) {
  if (!player.isLazy) return true;
  if (player.presenter.isOn) return false;
  return [...document.querySelectorAll(STEP_FRAGMENT)].some((shown) => {
    const { top, bottom } = shown.getBoundingClientRect();
    return bottom > 0 && top < innerHeight;
  });
}

// Tells Python where each player rests that `isIncluded`.
/** @param {(player: Player) => boolean} isIncluded @param {boolean} isAlone */
function sendSteps(isIncluded, isAlone) {
  for (const player of players.values()) {
    if (player.root.isConnected && isIncluded(player)) player.sendStep(isAlone);
  }
}

const seen = () => sendSteps(needsStep, !document.querySelector(MENU));

function used(/** @type {Event} */ event) {
  const path = event.composedPath();
  const isOfStep = path.some((node) => node instanceof Element && node.matches(STEP_FRAGMENT));
  sendSteps((player) => !path.includes(player.root), isOfStep);
}

function pressed(/** @type {KeyboardEvent} */ event) {
  if (event.key === "Enter" || event.key === " ") used(event);
  if (event.key === "Control" || event.key === "Meta") sendSteps(() => true, true); // perhaps to print
}

/** Has Python told the step as soon as it may be asked for; once, however often it is called. */
function listenForOthers() {
  document.addEventListener("scroll", seen, true);
  window.addEventListener("resize", seen);
  window.addEventListener("blur", used); // for another window, or the browser's own menu
  document.addEventListener("pointerdown", used, true);
  document.addEventListener("focusin", used, true);
  document.addEventListener("keydown", pressed, true);
}
