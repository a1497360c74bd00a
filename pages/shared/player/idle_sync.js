// Debounced sync of the player's state to Python. A lazy player sends its step only while
// server-drawn content for the step is visible, and before anything else on the page is used.

/** By parent element. @type {Map<ShadowRoot, Player>} */
const players = new Map();
const MENU = '[data-testid="stPopoverBody"]'; // an open menu: it may need the step too
const STEP_FRAGMENT = ".st-key-step_fragment"; // drawn by Python, see `step_fragment` in __init__.py

/** Exchanges the state of a player with Python and the URL. */
class IdleSync extends Predicting {
  /**
   * Replaces the player's own values in the URL by new ones from Python, before anything is sent: Python
   * would take the old ones for the learner's.
   * @this {Player}
   */
  yieldUrl(/** @type {PlayerMessage} */ message) {
    for (const name of /** @type {const} */ (["rule", "step"])) {
      const isNew = this.synced[name].isNew(message.recording, message[name]);
      if (isNew && window.ownParams?.has(this.urlParams[name])) this.writeUrl(name, message[name][1]);
    }
  }

  /** Writes a value to the URL. @this {Player} */
  writeUrl(/** @type {keyof PlayerState} */ name, /** @type {number} */ value) {
    // Another page that was requested has its own URL.
    if (this.urlParams[name] && isPageOpen(this.page)) writeUrlParam(this.urlParams[name], value, this.implicitParams);
  }

  /** Writes a switch to the URL. @this {Player} */
  setSwitch(/** @type {string} */ name, /** @type {boolean} */ isOn) {
    if (isPageOpen(this.page)) writeSwitch(name, isOn);
  }

  /** @this {Player} */
  syncWhenIdle() {
    if (!isPageOpen(this.page)) return; // another page was requested, with its own URL
    if (this.isPainting) this.paint(); // slow machine: announce what will be visible
    if (!this.why.isOpen) this.announce(this.describeState()); // a reason is being read
    this.writeUrl("rule", this.rule);
    this.writeUrl("step", this.at);
    this.synced.rule.noteInUrl();
    this.synced.step.noteInUrl();
    const { rule, path } = this.synced;
    const isMore = [
      rule.report((report) => this.setState("rule", report)),
      path.report((report) => this.setState("path", report)),
    ];
    if (needsStep(this)) this.sendStep(!isMore.includes(true) && !document.querySelector(MENU));
  }

  /**
   * Sends the step to Python if it has changed. If `isAlone`, only the step's fragments rerun:
   * Streamlit runs one fragment at a time, so no other value may have changed.
   * @this {Player}
   */
  sendStep(isAlone = false) {
    const listener = isAlone && window.stepListeners?.get(this.key); // see step_listener.js
    const send = listener || ((/** @type {number[]} */ report) => this.setState("step", report));
    if (this.recording) this.synced.step.report(send);
  }
}

/** Whether content that Python draws for this player's step is visible. */
function needsStep(/** @type {Player} */ player) {
  if (!player.isLazy) return true;
  if (player.presenter.isOn) return false;
  return [...document.querySelectorAll(STEP_FRAGMENT)].some((shown) => {
    const { top, bottom } = shown.getBoundingClientRect();
    return bottom > 0 && top < innerHeight;
  });
}

// Sends the step of each connected player that `isIncluded`.
/** @param {(player: Player) => boolean} isIncluded @param {boolean} isAlone */
function sendSteps(isIncluded, isAlone) {
  for (const player of players.values()) {
    if (player.root.isConnected && isIncluded(player)) player.sendStep(isAlone);
  }
}

const onScroll = () => sendSteps(needsStep, !document.querySelector(MENU));

function onUse(/** @type {Event} */ event) {
  const path = event.composedPath();
  const isOfStep = path.some((node) => node instanceof Element && node.matches(STEP_FRAGMENT));
  sendSteps((player) => !path.includes(player.root), isOfStep);
}

function onKey(/** @type {KeyboardEvent} */ event) {
  if (event.key === "Enter" || event.key === " ") onUse(event);
  if (event.key === "Control" || event.key === "Meta") sendSteps(() => true, true); // perhaps to print
}

/**
 * Makes an address that is handed on open the question on the screen, not its answer.
 * @param {CustomEventInit<URLSearchParams>} event
 */
function onAddressAsked({ detail: params }) {
  const player = activePlayer();
  if (!player?.question || !player.urlParams.step) return;
  const before = player.question - 1; // from there, predict asks about the next step
  if (before) params.set(player.urlParams.step, `${before}`);
  else params.delete(player.urlParams.step);
  params.set("predict", "1");
}

/** Sends steps as soon as Python may need them; idempotent. */
function listenForOthers() {
  document.addEventListener("scroll", onScroll, true);
  window.addEventListener("resize", onScroll);
  window.addEventListener("blur", onUse); // for another window, or the browser's own menu
  document.addEventListener("pointerdown", onUse, true);
  document.addEventListener("focusin", onUse, true);
  document.addEventListener("keydown", onKey, true);
  window.addEventListener("addressasked", onAddressAsked);
}
