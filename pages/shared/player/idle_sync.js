// When the server hears at which step a learner rests: while something that it draws for the step is
// in sight, and before anything else on the page is used. Whoever only steps asks it nothing.

/** By the element that it was mounted in. @type {Map<ShadowRoot, Player>} */
const players = new Map();
const SWITCHES = ["lines", "predict", "present"]; // what of the address is the player's own
const MENU = '[data-testid="stPopoverBody"]'; // one that is open: it may need the step, too
const OF_STEP = ".st-key-of_step"; // what Python draws for the step, see `of_step` in __init__.py

/** What a player tells Python, and what Python asks of it. */
class Resting extends Predicting {
  /**
   * What Python asks for: it knows of that already, so that it is not reported.
   * @template {keyof Places} Name @param {Name} name @param {Wishes} message @returns {Places[Name]}
   * @this {Player}
   */
  take(name, message) {
    const [sent, goal] = message[name];
    this.sent[name] = sent;
    this.reported[name] = String(goal);
    return goal;
  }

  /** Says in the address what the learner has changed. @this {Player} */
  note(/** @type {keyof Places} */ name, /** @type {number} */ value) {
    if (this.parameters[name]) noteInAddress(this.parameters[name], value, this.lent);
  }

  /**
   * Says it to Python, if that is news; returns whether it is.
   * @template {keyof Places} Name @param {Name} name @param {Places[Name]} value
   * @param {(said: [value: Places[Name], sent: number]) => void} say
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
  keep(name, isOn) {
    if (!hasAddress(this.page) || isAskedFor(name) === isOn) return;
    noteInAddress(name, isOn ? 1 : "");
    this.setState("switches", SWITCHES.filter(isAskedFor));
  }

  /** @this {Player} */
  rest() {
    if (!hasAddress(this.page)) return; // another page was asked for, with its own address
    if (this.isPainting) this.paint(); // a slow machine: what is heard is what will be seen
    this.hear(this.spoken());
    this.note("rule", this.rule);
    this.note("step", this.at);
    const { key } = this.film;
    const isMore = [
      this.report("rule", this.rule),
      this.report("own", this.own, ([own, sent]) => this.setState("own", [key, sent, own])),
    ];
    if (isFollowed(this)) this.tell(!isMore.includes(true) && !document.querySelector(MENU));
  }

  /**
   * Says to Python at which step the learner is, if it does not know. When it `isAlone`, only what
   * is drawn for the step is run again. Streamlit runs one part of a page at a time: nothing else
   * may have changed in another part at that moment.
   * @this {Player}
   */
  tell(isAlone = false) {
    const ear = isAlone && window.ears?.get(this.key); // see step_listener.js
    const say = ear || ((/** @type {number[]} */ said) => this.setState("step", said));
    const now = Math.round(performance.now()); // tells which of both was told last
    if (this.film) this.report("step", this.at, (said) => say([...said, now]));
  }
}

/** Whether somebody sees what Python draws for the step at which the player rests. */
function isFollowed(/** @type {Player} */ player) {
  if (!player.isQuiet) return true;
  if (player.presenter.isOn) return false;
  return [...document.querySelectorAll(OF_STEP)].some((shown) => {
    const { top, bottom } = shown.getBoundingClientRect();
    return bottom > 0 && top < innerHeight;
  });
}

// Tells Python where each player rests that `isMeant`.
/** @param {(player: Player) => boolean} isMeant @param {boolean} isAlone */
function tellOf(isMeant, isAlone) {
  for (const player of players.values()) {
    if (player.root.isConnected && isMeant(player)) player.tell(isAlone);
  }
}

const seen = () => tellOf(isFollowed, !document.querySelector(MENU));

function used(/** @type {Event} */ event) {
  const path = event.composedPath();
  const isOfStep = path.some((node) => node instanceof Element && node.matches(OF_STEP));
  tellOf((player) => !path.includes(player.root), isOfStep);
}

function pressed(/** @type {KeyboardEvent} */ event) {
  if (event.key === "Enter" || event.key === " ") used(event);
  if (event.key === "Control" || event.key === "Meta") tellOf(() => true, true); // perhaps to print
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
