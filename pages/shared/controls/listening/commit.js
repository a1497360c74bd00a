// @ts-check
// Has Python take what was typed before a link asks for another page. Streamlit sends what is in a box
// a moment after the box was left, in the name of the page that is still shown: after the request for
// the other page, this would ask for the old one again; and a request breaks off what the one before
// it has begun. So a number goes along with the text, and a click on a link waits until Python has
// said it back. After Back the address is another page's already: that page is told the text. Draws
// nothing.

const BOX = ".stTextArea textarea, .stTextInput input, .stNumberInput input";
const ALL_PAGES = ".stMain .st-key-text_box textarea, .st-key-say textarea"; // the text of all pages
const OWN_TEXT = ["text", "kept", "say"]; // an address with one of these brings a text along
const APP = "[data-testid=stApp]";
const LONGEST = 2000; // milliseconds; a click is not held back for longer

/** The page that is shown, by its name in the address. */
let page = "";
/** The box that was typed into since a text was sent. @type {HTMLTextAreaElement | null} */
let box = null;
/** The box whose text Python has not heard of yet, typed or sent. @type {HTMLTextAreaElement | null} */
let unheard = null;
/** What is done as soon as Python has it. @type {(() => void) | null} */
let act = null;
/** What Back has left behind. @type {{ text: string, isShort: boolean } | null} */
let left = null;
/** The number that was sent last. */
let sent = 0;
let send = (/** @type {unknown[]} */ ..._told) => {};

function typed(/** @type {Event} */ event) {
  const target = /** @type {HTMLTextAreaElement} */ (event.target);
  if (target.matches?.(BOX)) box = unheard = target;
}

/** Streamlit sends what is in the box now: let the number go along. */
function number() {
  box = null;
  sent = Date.now();
  send(sent);
}

function leftBox(/** @type {Event} */ event) {
  if (box && event.target === box) number();
}

function entered(/** @type {KeyboardEvent} */ event) {
  const sends = event.ctrlKey || event.metaKey || event.target instanceof HTMLInputElement;
  if (!box || event.target !== box || event.isComposing) return;
  if (event.key === "Enter" && sends) number();
  if (event.key === "Escape") press(box); // it closes a menu, with the box and what is in it
}

/** Press Ctrl+Enter, which is how Streamlit's text box hands over what it holds. */
function press(/** @type {HTMLElement} */ box) {
  const keys = { key: "Enter", code: "Enter", ctrlKey: true, bubbles: true, cancelable: true };
  box.dispatchEvent(new KeyboardEvent("keydown", keys));
}

/** Stop a click, and let it happen as soon as Python has the text. */
function hold(/** @type {Event} */ event, /** @type {() => void} */ again) {
  event.preventDefault();
  event.stopImmediatePropagation();
  if (!act) setTimeout(release, LONGEST, sent);
  act = again;
}

/** Let go of what waits until Python has heard this number. */
function release(/** @type {number} */ heard) {
  if (heard !== sent) return;
  if (!box) unheard = null;
  const done = act;
  act = null;
  done?.();
}

/** Follow a link; one that takes the text along is drawn anew with it. */
function follow(/** @type {HTMLAnchorElement} */ link, end = Date.now() + LONGEST) {
  const isRunning = document.querySelector(APP)?.getAttribute("data-test-script-state") === "running";
  if (link.search && isRunning && Date.now() < end) setTimeout(follow, 20, link, end);
  else link.click();
}

function clicked(/** @type {MouseEvent} */ event) {
  const [target] = event.composedPath();
  const link = target instanceof Element && target.closest("a[href]");
  if (!unheard || !(link instanceof HTMLAnchorElement) || link.download || link.target === "_blank") return;
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  unheard.blur(); // if it has not been left: a script may click
  hold(event, () => follow(link));
}

function went(/** @type {PopStateEvent} */ event) {
  if (!event.isTrusted || !unheard || location.pathname.split("/").pop() === page) return;
  const isReplaced = OWN_TEXT.some((name) => new URLSearchParams(location.search).has(name));
  const { value: text } = unheard;
  if (unheard.matches(ALL_PAGES) && !isReplaced) left = { text, isShort: !unheard.closest(".st-key-text_box") };
  box = unheard = null;
  // What is applied while it is typed may be on its way, in the name of the page that is left: first it.
  event.stopImmediatePropagation();
  const again = new PopStateEvent("popstate", { state: event.state });
  setTimeout(() => window.dispatchEvent(again), 30);
}

/**
 * @param {{
 *   data: { page: string, heard: number },
 *   setStateValue: (name: string, value: unknown[]) => void,
 * }} component
 */
export default function ({ data, setStateValue }) {
  const isNew = data.page !== page;
  page = data.page;
  send = (...told) => setStateValue("told", told);
  release(data.heard);
  if (isNew && left) {
    sent = Date.now();
    send(sent, left.text, left.isShort);
    left = null;
  }
  window.addEventListener("input", typed, { capture: true }); // the same ones again do nothing
  window.addEventListener("focusout", leftBox, { capture: true });
  window.addEventListener("keydown", entered, { capture: true });
  window.addEventListener("click", clicked, { capture: true });
  window.addEventListener("popstate", went, { capture: true });
}
