// Keys and swipes: one listener for the document; keys go to the player used last.

/** @type {Player | null} */
let lastUsed = null;

/** The player that gets keys: the one used last if it is visible, else the first visible one. */
function activePlayer() {
  for (const [parent, player] of players) {
    if (!player.root.isConnected) players.delete(parent);
  }
  const shown = [...players.values()].filter((player) => player.recording && player.root.checkVisibility());
  return shown.includes(lastUsed) ? lastUsed : shown[0];
}

/** @type {Record<keyof (typeof STEP_KEYS & typeof QUESTION_KEYS & typeof VIEW_KEYS), (player: Player) => void>} */
const KEYS = {
  ArrowRight: (player) => (player.stop(), player.forward()),
  ArrowLeft: (player) => player.back(),
  Home: (player) => player.go(0),
  End: (player) => player.go(player.last),
  " ": (player) => player.toggle(),
  m: (player) => player.setRule(1 - player.rule),
  t: (player) => player.presenter.toggleTheme(),
  p: (player) => player.presenter.toggle(),
  d: (player) => player.setCode(!player.isCoded),
  l: (player) => player.nextLine(),
  f: (player) => player.toggleAsking(),
  s: (player) => player.setSureness(2),
  n: (player) => player.setSureness(1),
  a: (player) => (player.room.isVoting ? player.room.toggleShown() : player.classroom.reveal()),
  o: (player) => player.room.toggleJoining(),
  v: (player) => player.room.voteAgain(),
  Escape: (player) => (player.presenter.isOn ? player.presenter.set(false) : player.setPath([])),
};
/** In presenter view. @type {Record<keyof typeof CLICKER_KEYS, (player: Player) => void>} */
const CLICKS = { PageDown: KEYS.ArrowRight, PageUp: KEYS.ArrowLeft };

function actionFor(/** @type {string} */ key, /** @type {Player} */ player) {
  /** @type {Record<string, (player: Player) => void>} */
  const acts = player.presenter.isOn ? { ...KEYS, ...CLICKS } : KEYS;
  return acts[key];
}

/** Keys pressed before the first recording had arrived. @type {string[]} */
const earlyKeys = [];

/** Applies keys pressed before the player was ready. @param {Player} player */
function replayEarlyKeys(player) {
  for (const key of earlyKeys.splice(0)) actionFor(key, player)?.(player);
}

const SCROLLS = new Set([" ", "Home", "End"]); // off screen, these scroll the page as usual

function isInSight(/** @type {Player} */ { root }) {
  const { top, bottom } = root.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}

function press(/** @type {KeyboardEvent} */ event) {
  const player = activePlayer();
  const isLoading = [...players.values()].some((one) => !one.recording);
  if (!player && isLoading && !isTyping(event) && /^(Arrow(Left|Right)|Home|End)$/.test(event.key)) {
    earlyKeys.push(event.key);
    return event.preventDefault();
  }
  if (player?.presenter.isOn && event.key === "Tab") {
    event.preventDefault();
    return player.presenter.trapTab(event);
  }
  if (player && !player.presenter.isOn && isPagePresenting()) return; // another picture is presented
  if (!player || event.defaultPrevented || isTyping(event, player.find("scrubber"))) return;
  if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
  const target = /** @type {Partial<Element>} */ (event.composedPath()[0]); // or the document
  if (event.key === " " && target.matches?.("button, a, summary")) return;
  if (SCROLLS.has(event.key) && !isInSight(player)) return;
  if (event.key === "Escape" && player.why.isOpen) {
    event.preventDefault();
    return player.why.close();
  }
  if (event.key === "Escape" && !player.path.length && !player.presenter.isOn) return;
  const option = player.question && player.find("options").querySelectorAll("button")[Number(event.key) - 1];
  const act = option ? () => option.click() : actionFor(event.key, player);
  if (!act) return;
  event.preventDefault();
  // A key held down stops at a question.
  if (event.repeat && (player.question || player.verdict)) return;
  act(player);
  if (event.repeat) player.isStep = false; // nothing moves while a key is held down
}

const SWIPE = 60; // pixels at least, and mostly horizontal

/** Steps on horizontal swipes, except over content that scrolls sideways. */
function listenForSwipes(/** @type {Player} */ player) {
  const { root: stage } = player;
  /** @type {Touch | null} */
  let start = null;
  stage.addEventListener("touchstart", ({ touches, target }) => {
    const touched = /** @type {Element} */ (target);
    const wide = touched.closest(".view, .part.table");
    const isFree = !touched.closest("input, select") && !(wide?.scrollWidth > wide?.clientWidth + 1);
    start = touches.length === 1 && isFree ? touches[0] : null;
  }, { passive: true });
  stage.addEventListener("touchend", ({ changedTouches: [end] }) => {
    if (!start) return;
    const [x, y] = [end.clientX - start.clientX, end.clientY - start.clientY];
    if (Math.abs(x) < SWIPE || Math.abs(x) < 2 * Math.abs(y)) return;
    player.stop();
    if (x < 0) player.forward();
    else player.back();
  }, { passive: true });
}
