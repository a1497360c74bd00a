// Presenter view: a picture alone, in large type, over the whole window, for the back row. Here is
// what its pictures share: the window and the screen, light and dark, the address, the keys. Left
// out: how a picture fits into it (player/presenter.js, ../languages/presenter.js).

const BUSY = [
  "input, textarea, select, dialog, audio, video, [role=combobox], [role=listbox], [role=slider]",
  "[role=radiogroup], [role=tablist], [role=menu], [role=grid], [role=tree], [role=dialog]",
].join();

/**
 * Whether the focus is on something with keys of its own; our `own` slider leaves them to us.
 * @param {KeyboardEvent} event @param {Element} [own]
 */
function isTyping(event, own) {
  const path = event.composedPath();
  if (path[0] === own) return false;
  const focus = /** @type {Partial<Element>} */ (path[0]); // or the document
  const ticks = focus.matches?.("[type=radio], [type=checkbox]"); // they have a few keys only
  if (ticks && !event.key.startsWith("Arrow") && event.key !== " ") return false;
  return path.some((node) =>
    (node instanceof Element && node.matches(BUSY)) ||
    (node instanceof HTMLElement && node.isContentEditable),
  );
}

/** Whether the address asks for presenter view, or for another switch. @param {string} name */
function isSwitchedOn(name) {
  return new URL(location.href).searchParams.get(name) === "1";
}

/** Whether the address is still, or already, that of the page of this name. @param {string} page */
function isPageOpen(page) {
  return !page || location.pathname.split("/").includes(page);
}

/**
 * Puts a value in the address, where Python would make a new entry in the history of it; with it,
 * what is `lent` (see url_state.py).
 * @param {string} parameter @param {string | number} value @param {Record<string, string>} lent
 */
function writeUrlParam(parameter, value, lent = {}) {
  const url = new URL(location.href);
  for (const [name, put] of Object.entries(lent)) {
    if (!url.searchParams.has(name)) url.searchParams.set(name, put);
  }
  if (value) url.searchParams.set(parameter, `${value}`);
  else url.searchParams.delete(parameter);
  history.replaceState(history.state, "", url);
}

/**
 * What Tab goes through inside an element, and inside the boxes that stand in it.
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

/** One picture in presenter view; `set(isOn)` is its own, and calls `open` and `close`. */
class FullscreenOverlay {
  isOn = false;
  isFull = false; // whether the browser has given the whole screen

  constructor(/** @type {HTMLElement} */ root) {
    this.root = root;
    document.addEventListener("fullscreenchange", () => {
      if (this.isFull && !document.fullscreenElement) this.set(false); // Esc went to the browser
    });
  }

  set(/** @type {boolean} */ _isOn) {}

  toggle() {
    this.set(!this.isOn);
  }

  /** A popover is above all of the page, whatever it is inside of. */
  open() {
    this.isOn = true;
    this.root.classList.add("presenting");
    this.root.popover = "manual";
    this.root.tabIndex = -1;
    this.root.showPopover();
    this.root.focus({ preventScroll: true });
    if (!navigator.userActivation?.isActive) return; // by a link: the window is enough
    const whole = document.documentElement.requestFullscreen?.();
    whole?.then(() => this.returnToTop(), () => {}); // it is not always allowed, and not needed
  }

  /** What fills the screen now lies above the popover: lift that to the top again. */
  returnToTop() {
    this.isFull = this.isOn;
    if (!this.isOn) return document.exitFullscreen();
    this.root.hidePopover();
    this.root.showPopover();
  }

  close() {
    this.isOn = false;
    if (this.isFull && document.fullscreenElement) document.exitFullscreen();
    this.isFull = false;
    this.root.classList.remove("presenting");
    this.root.hidePopover();
    this.root.removeAttribute("popover");
    this.root.removeAttribute("tabindex");
    delete this.root.dataset.light;
  }

  /** Light or dark: a hall is darkened after the page was opened. */
  toggleTheme() {
    if (!this.isOn) return;
    const ground = getComputedStyle(this.root).colorScheme;
    this.root.dataset.light = ground.includes("dark") ? "light" : "dark";
  }

  /** Keeps Tab inside: what lies behind cannot be seen. @param {KeyboardEvent} event */
  trapTab(event) {
    const stops = tabStops(this.root);
    const at = stops.indexOf(focusedElement());
    const next = stops[(at + (event.shiftKey ? -1 : 1) + stops.length) % stops.length];
    (next ?? this.root).focus();
  }
}
