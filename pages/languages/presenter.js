// Presenter view of the language mix: its sentence, slider and bars fill the window, with as many tiles
// as fit. The font size is chosen once per window size, to keep the rows in place.

const MIN_SCALE = 0.4; // of the font size
const SCALE_STEP = 0.04;
/** @type {Record<string, (mix: Mix) => void>} */
const MIX_KEYS = {
  ArrowRight: (mix) => mix.step(1),
  ArrowLeft: (mix) => mix.step(-1),
  Home: (mix) => mix.step(-Infinity),
  End: (mix) => mix.step(Infinity),
  ",": (mix) => mix.stepMerge(-1),
  ".": (mix) => mix.stepMerge(1),
  p: ({ presenter }) => presenter.toggle(),
  t: ({ presenter }) => presenter.toggleTheme(),
};
/** @type {typeof MIX_KEYS} */
const IN_PRESENTER_VIEW = {
  PageDown: MIX_KEYS.ArrowRight, // a clicker's
  PageUp: MIX_KEYS.ArrowLeft,
  ArrowDown: (mix) => mix.turn(1),
  ArrowUp: (mix) => mix.turn(-1),
  Escape: ({ presenter }) => presenter.set(false),
};

class MixPresenter extends PicturePresenter {
  longest = () => () => {}; // shows the longest texts; returns a function that restores the others
  podium = podiumBar(
    [
      ["ArrowLeft", "←", "back"], ["ArrowRight", "→", "next mix"], ["ArrowDown", "↓", "next language"],
      ["q", "Q", "QR code"], ["t", "T", "light or dark"], ["?", "?", "keys"], ["p", "P", "leave"],
    ],
    make("span", "counter"),
  );

  /** @param {string} selector @returns {HTMLElement[]} */
  findAll(selector) {
    return [.../** @type {NodeListOf<HTMLElement>} */ (this.root.querySelectorAll(selector))];
  }

  /** Chooses the largest font size at which all bars fit under the longest sentence. */
  fit() {
    const texts = this.findAll(".sentence, .summary, h2");
    for (const text of texts) text.style.minHeight = "";
    this.root.style.removeProperty("--scale");
    if (this.isOn) {
      this.showPodium();
      const restore = this.longest();
      const columns = this.root.querySelector(".columns");
      for (let scale = 1; scale >= MIN_SCALE; scale -= SCALE_STEP) {
        this.root.style.setProperty("--scale", scale);
        if (columns.scrollHeight <= columns.clientHeight) break;
      }
      for (const text of texts) text.style.minHeight = `${text.offsetHeight}px`;
      restore();
    }
    this.cut();
  }

  /** Hides the tiles that do not fit, and notes how many are shown. */
  cut() {
    const tiles = this.findAll(".tiles span");
    for (const tile of tiles) tile.hidden = false;
    const note = this.root.querySelector(".more");
    const noteShown = (/** @type {number} */ count) =>
      (note.textContent = `, the first ${count.toLocaleString("en")} shown`);
    note.textContent = "";
    if (!this.isOn) return;
    noteShown(tiles.length); // before measuring, as the note takes a line
    const floor = this.root.querySelector(".tiles").getBoundingClientRect().bottom;
    const first = tiles.findIndex((tile) => tile.getBoundingClientRect().bottom > floor + 1);
    for (const tile of first < 0 ? [] : tiles.slice(first)) tile.hidden = true;
    if (first < 0) note.textContent = "";
    else noteShown(first);
  }
}

/** The mounted mix. @type {Mix | null} */
let mixOnKeys = null;

/** One listener for the document: our keys, unless the focus is on something with its own. */
function onKey(/** @type {KeyboardEvent} */ event) {
  const mix = mixOnKeys;
  if (!mix?.root.isConnected) return;
  const { isOn } = mix.presenter;
  if (isOn && event.key === "Tab") {
    event.preventDefault();
    return mix.presenter.trapTab(event);
  }
  if (event.defaultPrevented || isTyping(event, mix.root.querySelector("input"))) return;
  if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
  const act = MIX_KEYS[event.key] ?? (isOn ? IN_PRESENTER_VIEW[event.key] : undefined);
  if (!act) return;
  event.preventDefault();
  act(mix);
}

function giveKeysTo(/** @type {Mix} */ mix) {
  mixOnKeys = mix;
  document.removeEventListener("keydown", onKey);
  document.addEventListener("keydown", onKey);
}
