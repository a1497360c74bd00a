// Presenter view of a component's picture: it fills the window, in the largest type at which it fits.
// A component calls `presentPicture` whenever it is mounted, and shows a `presentButton`.

const TYPE_SCALES = [0.5, 1.7]; // the smallest and the largest, of the type of presenter view
const TYPE_TRIALS = 7; // each halves the range

/** The button that opens presenter view, like the player's. */
function presentButton() {
  const button = make("button", "present", "Present", make("kbd", "", "P"));
  Object.assign(button, { type: "button", title: "Presenter view: the picture in large type (P)" });
  button.dataset.key = "p";
  button.setAttribute("aria-label", "Presenter view");
  button.setAttribute("aria-keyshortcuts", "p");
  return button;
}

/** Opens an overlay of the app; its key is handled by the overlay itself (export/overlays.js). */
/** @type {Record<string, () => void>} */
const OVERLAY_BUTTONS = {
  q: () => window.dispatchEvent(new Event("showaddress")),
  "?": () => window.dispatchEvent(new Event("showkeys")),
};

/**
 * The bar of buttons below the picture; a button acts like its key.
 * @param {[key: string, sign: string, label: string][]} buttons @param {Node[]} beside
 */
function podiumBar(buttons, ...beside) {
  const [moves, others] = [buttons.filter(([key]) => key.length > 1), buttons.filter(([key]) => key.length === 1)];
  const made = (/** @type {typeof buttons[0]} */ [key, sign, label]) => {
    const button = make("button", "", make("kbd", "", sign), ` ${label}`);
    Object.assign(button, { type: "button" });
    button.dataset.key = key;
    return button;
  };
  const bar = make("div", "podium", ...moves.map(made), ...beside, ...others.map(made));
  bar.setAttribute("role", "group");
  bar.setAttribute("aria-label", "Presenter view");
  return bar;
}

class PicturePresenter extends FullscreenOverlay {
  /** Lays the picture out again, at another type size. */
  arrange = () => {};

  constructor(/** @type {HTMLElement} */ root) {
    super(root);
    new ResizeObserver(() => this.isOn && this.fit()).observe(root);
    const refit = () => {
      if (root.isConnected) this.fit(); // on the page, it is only arranged again
      else document.fonts.removeEventListener("loadingdone", refit);
    };
    document.fonts?.addEventListener("loadingdone", refit); // letter widths change
  }

  set(/** @type {boolean} */ isOn) {
    if (isOn === this.isOn) return;
    if (isOn) this.open();
    else this.close();
    writeSwitch("present", isOn);
    this.fit();
    if (!isOn) /** @type {HTMLElement} */ (this.root.querySelector(".present"))?.focus({ preventScroll: true });
  }

  open() {
    super.open();
    this.showPodium();
  }

  close() {
    super.close();
    this.podium.remove();
  }

  podium = podiumBar([
    ["q", "Q", "QR code"], ["t", "T", "light or dark"], ["?", "?", "keys"], ["p", "P", "leave"],
  ]);

  /** Adds the bar again after the picture was drawn anew. */
  showPodium() {
    if (this.isOn && !this.podium.isConnected) this.root.append(this.podium);
  }

  /** Chooses the largest type at which nothing is cut off; a longer picture scrolls. */
  fit() {
    const { root } = this;
    root.style.removeProperty("--scale");
    this.arrange();
    if (!this.isOn) return;
    this.showPodium();
    let [fits, cut] = TYPE_SCALES;
    for (let trial = 0; trial < TYPE_TRIALS; trial++) {
      const scale = (fits + cut) / 2;
      if (this.isWholeAt(scale)) fits = scale;
      else cut = scale;
    }
    this.isWholeAt(fits);
  }

  /** Lays the picture out in type of this scale; whether all of it is in the window. */
  isWholeAt(/** @type {number} */ scale) {
    const { root } = this;
    root.style.setProperty("--scale", scale);
    this.arrange();
    return root.scrollHeight <= root.clientHeight && root.scrollWidth <= root.clientWidth;
  }
}

/** By root element. @type {WeakMap<HTMLElement, PicturePresenter>} */
const picturePresenters = new WeakMap();
/** The picture that was mounted last. @type {PicturePresenter | null} */
let presented = null;

/** @type {Record<string, (presenter: PicturePresenter) => void>} */
const PICTURE_KEYS = {
  p: (presenter) => presenter.toggle(),
  t: (presenter) => presenter.toggleTheme(),
  ...OVERLAY_BUTTONS,
  Escape: (presenter) => presenter.set(false),
};

function onPictureKey(/** @type {KeyboardEvent} */ event) {
  if (!presented?.root.isConnected || (!presented.isOn && isPagePresenting())) return;
  if (presented.isOn && event.key === "Tab") {
    event.preventDefault();
    return presented.trapTab(event);
  }
  const isOurs = event.key === "p" || (presented.isOn && !(event.key in OVERLAY_BUTTONS));
  if (!isOurs || event.defaultPrevented || event.repeat || isTyping(event)) return;
  if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
  const act = PICTURE_KEYS[event.key];
  if (!act) return;
  event.preventDefault();
  act(presented);
}

function onPictureClick(/** @type {Event} */ event) {
  const button = /** @type {Element} */ (event.target).closest(".present, .podium button");
  if (!button || !presented) return;
  event.stopPropagation(); // the picture's own buttons act otherwise
  PICTURE_KEYS[/** @type {HTMLElement} */ (button).dataset.key](presented);
}

/**
 * Lets the picture in `root` be presented; `arrange` lays it out again.
 * @param {HTMLElement} root @param {() => void} arrange
 */
function presentPicture(root, arrange = () => {}) {
  const isFirst = !picturePresenters.has(root);
  if (isFirst) {
    picturePresenters.set(root, new PicturePresenter(root));
    root.addEventListener("click", onPictureClick, { capture: true });
  }
  presented = picturePresenters.get(root);
  presented.arrange = arrange;
  document.addEventListener("keydown", onPictureKey); // adding it again has no effect
  if (isFirst && isSwitchedOn("present")) {
    // A picture that is mounted anew may come before the old one is taken away.
    const before = picturePresenters.get(window.presentedRoot);
    if (before?.isOn) before.close();
    if (!isPagePresenting()) presented.set(true);
  } else if (presented.isOn) presented.fit();
}
