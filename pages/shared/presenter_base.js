// Base class of the full-screen presenter overlay: one picture in large type over the whole window.
// player/presenter.js and picture_presenter.js fit their pictures into it.

const BUSY = [
  "input, textarea, select, dialog, audio, video, [role=combobox], [role=listbox], [role=slider]",
  "[role=radiogroup], [role=tablist], [role=menu], [role=grid], [role=tree], [role=dialog]",
].join();

/**
 * Whether the focus is on a control that handles keys itself; the player's `slider` does not.
 * @param {KeyboardEvent} event @param {Element} [slider]
 */
function isTyping(event, slider) {
  const path = event.composedPath();
  if (path[0] === slider) return false;
  const focus = /** @type {Partial<Element>} */ (path[0]); // or the document
  const ticks = focus.matches?.("[type=radio], [type=checkbox], [role=radio]"); // these handle arrows and space only
  if (ticks && !event.key.startsWith("Arrow") && event.key !== " ") return false;
  return path.some((node) =>
    (node instanceof Element && node.matches(BUSY)) ||
    (node instanceof HTMLElement && node.isContentEditable),
  );
}

/** Whether a switch, such as presenter view, is on in the URL. @param {string} name */
function isSwitchedOn(name) {
  return new URL(location.href).searchParams.get(name) === "1";
}

/** Whether a picture of this page is in presenter view. */
function isPagePresenting() {
  const root = window.presentedRoot;
  return Boolean(root?.isConnected && root.classList.contains("presenting"));
}

/** Whether the URL is that of the page of this name. @param {string} page */
function isPageOpen(page) {
  return !page || location.pathname.split("/").includes(page);
}

/**
 * Writes a value to the URL without a history entry (Python would create one), along with the
 * `implicit` parameters that are missing (see url_state.py). It stays there whatever Streamlit writes
 * for a run that began before, until the next value (history.js).
 * @param {string} parameter @param {string | number} value @param {Record<string, string>} implicit
 */
function writeUrlParam(parameter, value, implicit = {}) {
  const url = new URL(location.href);
  for (const [name, preset] of Object.entries(implicit)) {
    if (!url.searchParams.has(name)) url.searchParams.set(name, preset);
  }
  if (value) url.searchParams.set(parameter, `${value}`);
  else url.searchParams.delete(parameter);
  window.ownParams?.set(parameter, `${value || ""}`);
  history.replaceState(history.state, "", url);
}

/** Writes a switch to the URL, of which Python makes links (history_events.js). @param {string} name @param {boolean} isOn */
function writeSwitch(name, isOn) {
  if (isSwitchedOn(name) === isOn) return;
  writeUrlParam(name, isOn ? 1 : "");
  window.dispatchEvent(new Event("switched"));
}

/**
 * The elements that Tab visits inside an element and its shadow roots.
 * @param {ParentNode} root @returns {HTMLElement[]}
 */
function tabStops(root) {
  /** @type {NodeListOf<HTMLElement>} */
  const all = root.querySelectorAll("*");
  const inside = [...all].flatMap((node) => (node.shadowRoot ? tabStops(node.shadowRoot) : node));
  return inside.filter(
    (node) =>
      node.matches("button, input, [tabindex='0']") &&
      node.checkVisibility() && node.tabIndex >= 0 && !node.matches(":disabled"),
  );
}

function focusedElement() {
  let node = document.activeElement;
  while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
  return /** @type {HTMLElement} */ (node);
}

/** Settled when the browser has left full screen, as it was asked to. */
let fullScreenLeft = Promise.resolve();

function leaveFullScreen() {
  fullScreenLeft = document.exitFullscreen().catch(() => {});
}

/** The overlay of one picture; a subclass's `set(isOn)` calls `open` and `close`. */
class FullscreenOverlay {
  isOn = false;
  isFull = false; // whether the browser granted full screen

  constructor(/** @type {HTMLElement} */ root) {
    this.root = root;
    const changed = () => {
      if (!root.isConnected) document.removeEventListener("fullscreenchange", changed);
      else if (this.isFull && !document.fullscreenElement) this.set(false); // the browser handled Esc
    };
    document.addEventListener("fullscreenchange", changed);
  }

  set(/** @type {boolean} */ _isOn) {}

  toggle() {
    this.set(!this.isOn);
  }

  /** Opens a popover: it is above the whole page, wherever it is nested. */
  open() {
    this.isOn = true;
    window.presentedRoot = this.root;
    this.root.classList.add("presenting");
    this.root.popover = "manual";
    this.root.tabIndex = -1;
    this.root.showPopover();
    this.root.focus({ preventScroll: true });
    if (navigator.userActivation?.isActive) this.enterFullScreen(); // opened by a link: the window is enough
  }

  async enterFullScreen() {
    await fullScreenLeft; // it would be granted at once, and ended when the browser leaves the one before
    if (!this.isOn) return;
    try {
      await document.documentElement.requestFullscreen();
    } catch {
      return; // full screen is optional
    }
    this.isFull = this.isOn;
    if (!this.isOn) return leaveFullScreen();
    this.root.hidePopover(); // to be on top again: the full-screen element is now above it
    this.root.showPopover();
  }

  close() {
    this.isOn = false;
    if (this.isFull && document.fullscreenElement) leaveFullScreen();
    this.isFull = false;
    this.root.classList.remove("presenting");
    this.root.hidePopover();
    this.root.removeAttribute("popover");
    this.root.removeAttribute("tabindex");
    delete this.root.dataset.light;
  }

  /** Switches light and dark: a room may be darkened after the page was opened. */
  toggleTheme() {
    if (!this.isOn) return;
    const ground = getComputedStyle(this.root).colorScheme;
    this.root.dataset.light = ground.includes("dark") ? "light" : "dark";
  }

  /** Keeps Tab inside: the page behind is hidden. @param {KeyboardEvent} event */
  trapTab(event) {
    const stops = tabStops(this.root);
    const at = stops.indexOf(focusedElement());
    const next = stops[(at + (event.shiftKey ? -1 : 1) + stops.length) % stops.length];
    (next ?? this.root).focus();
  }
}
