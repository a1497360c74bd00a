// Presenter view of the language mix: its sentence, slider and bars fill the window; of the tiles as
// many as there is room for. The type is chosen once for a window, so that no step moves a row.

const SMALLEST = 0.4; // of the type, in steps of
const FINER = 0.04;
/** @type {Record<string, (mix: Mix) => void>} */
const MIX_KEYS = {
  ArrowRight: (mix) => mix.step(1),
  ArrowLeft: (mix) => mix.step(-1),
  Home: (mix) => mix.step(-Infinity),
  End: (mix) => mix.step(Infinity),
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

/** What can be done by hand, below the picture. */
function podium() {
  const bar = make("div", "podium");
  bar.setAttribute("role", "group");
  bar.setAttribute("aria-label", "Presenter view");
  /** @param {string} key @param {string} sign @param {string} label */
  const offer = (key, sign, label) => {
    const button = make("button", "", make("kbd", "", sign), ` ${label}`);
    button.type = "button";
    button.dataset.key = key;
    return button;
  };
  bar.append(
    offer("ArrowLeft", "←", "back"), offer("ArrowRight", "→", "next mix"),
    offer("ArrowDown", "↓", "next language"), make("span", "counter"),
    offer("t", "T", "light or dark"), offer("p", "P", "leave"),
  );
  return bar;
}

class MixPresenter extends FullscreenOverlay {
  told = (/** @type {boolean} */ _isOn) => {}; // tells Python that it was turned on or off
  longest = () => () => {}; // shows the longest texts; returns what takes them away again

  constructor(/** @type {HTMLElement} */ root) {
    super(root);
    new ResizeObserver(() => this.isOn && this.fit()).observe(root);
  }

  /** @param {string} selector @returns {HTMLElement[]} */
  findAll(selector) {
    return [.../** @type {NodeListOf<HTMLElement>} */ (this.root.querySelectorAll(selector))];
  }

  set(/** @type {boolean} */ isOn) {
    if (isOn === this.isOn) return;
    if (isOn) this.open();
    else this.close();
    if (isSwitchedOn("present") !== isOn) {
      writeUrlParam("present", isOn ? 1 : "");
      this.told(isOn);
    }
    this.fit();
    if (!isOn) this.findAll(".present")[0].focus({ preventScroll: true });
  }

  /** Chooses the largest type in which all bars fit under the longest sentence. */
  fit() {
    const texts = this.findAll(".sentence, .said, h2");
    for (const text of texts) text.style.minHeight = "";
    this.root.style.removeProperty("--scale");
    if (this.isOn) {
      const now = this.longest();
      const columns = this.root.querySelector(".columns");
      for (let scale = 1; scale >= SMALLEST; scale -= FINER) {
        this.root.style.setProperty("--scale", scale);
        if (columns.scrollHeight <= columns.clientHeight) break;
      }
      for (const text of texts) text.style.minHeight = `${text.offsetHeight}px`;
      now();
    }
    this.cut();
  }

  /** Leaves out the tiles that there is no room for, and says so. */
  cut() {
    const tiles = this.findAll(".tiles span");
    for (const tile of tiles) tile.hidden = false;
    const rest = this.root.querySelector(".rest");
    const tell = (/** @type {number} */ count) =>
      (rest.textContent = `, the first ${count.toLocaleString("en")} shown`);
    rest.textContent = "";
    if (!this.isOn) return;
    tell(tiles.length); // it takes its line before the room is measured
    const floor = this.root.querySelector(".tiles").getBoundingClientRect().bottom;
    const first = tiles.findIndex((tile) => tile.getBoundingClientRect().bottom > floor + 1);
    for (const tile of first < 0 ? [] : tiles.slice(first)) tile.hidden = true;
    if (first < 0) rest.textContent = "";
    else tell(first);
  }
}

/** The mix that is shown. @type {Mix | null} */
let mixOnKeys = null;

/** One listener for the document: our keys, unless the focus is on something with its own. */
function pressed(/** @type {KeyboardEvent} */ event) {
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
  document.removeEventListener("keydown", pressed);
  document.addEventListener("keydown", pressed);
}
