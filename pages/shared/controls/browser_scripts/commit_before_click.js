// @ts-check
// Delays a click on a link until Python has received the text typed before it. Streamlit sends the text
// of a box shortly after it loses focus, on behalf of the current page: after the link's request, it
// would request the old page again; and each request interrupts the run of the one before. So a number
// is sent with the text, and the click waits until Python has acknowledged it. After Back, the URL is
// already another page's: the text is sent from that page.

const BOX = ".stTextArea textarea, .stTextInput input, .stNumberInput input";
// The text of all pages; beside the examples of a training text, the box is for that.
const ALL_PAGES =
  ".stMain .st-key-text_box:not(.st-key-controls_row:has(.st-key-corpus_example) *) textarea, .st-key-say textarea";
const TEXT_PARAMS = ["text", "kept", "say"]; // URL parameters for a text
const APP = "[data-testid=stApp]";
const LONGEST = 2000; // milliseconds; a click is not held back for longer

/** The name of the current page. */
let page = "";
/** The box with text not sent yet. @type {HTMLTextAreaElement | null} */
let box = null;
/** The box with text not acknowledged yet. @type {HTMLTextAreaElement | null} */
let pending = null;
/** The delayed click. @type {(() => void) | null} */
let act = null;
/** A text in a box left by Back. @type {{ text: string, isShort: boolean } | null} */
let left = null;
/** The number that was sent last. */
let sent = 0;
let send = (/** @type {unknown[]} */ ..._message) => {};

function typed(/** @type {Event} */ event) {
  const target = /** @type {HTMLTextAreaElement} */ (event.target);
  if (target.matches?.(BOX)) box = pending = target;
}

/** Send a new number; Streamlit sends the text of the box at the same time. */
function sendNumber() {
  box = null;
  sent = Date.now();
  send(sent);
}

function leftBox(/** @type {Event} */ event) {
  if (box && event.target === box) sendNumber();
}

function entered(/** @type {KeyboardEvent} */ event) {
  const sends = event.ctrlKey || event.metaKey || event.target instanceof HTMLInputElement;
  if (!box || event.target !== box || event.isComposing) return;
  if (event.key === "Enter" && sends) sendNumber();
  if (event.key === "Escape") press(box); // Escape closes a popover together with the box
}

/** Press Ctrl+Enter, by which Streamlit's text box sends its text. */
function press(/** @type {HTMLElement} */ box) {
  const keys = { key: "Enter", code: "Enter", ctrlKey: true, bubbles: true, cancelable: true };
  box.dispatchEvent(new KeyboardEvent("keydown", keys));
}

/** Delay a click until Python has the text. */
function hold(/** @type {Event} */ event, /** @type {() => void} */ again) {
  event.preventDefault();
  event.stopImmediatePropagation();
  if (!act) setTimeout(release, LONGEST, sent);
  act = again;
}

/** Perform the delayed click if this is the last number sent. */
function release(/** @type {number} */ acknowledged) {
  if (acknowledged !== sent) return;
  if (!box) pending = null;
  const done = act;
  act = null;
  done?.();
}

/** Follow a link; one with parameters is rendered again with the text: wait for that. */
function follow(/** @type {HTMLAnchorElement} */ link, end = Date.now() + LONGEST) {
  const isRunning = document.querySelector(APP)?.getAttribute("data-test-script-state") === "running";
  if (link.search && isRunning && Date.now() < end) setTimeout(follow, 20, link, end);
  else link.click();
}

function clicked(/** @type {MouseEvent} */ event) {
  const [target] = event.composedPath();
  const link = target instanceof Element && target.closest("a[href]");
  if (!pending || !(link instanceof HTMLAnchorElement) || link.download || link.target === "_blank") return;
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  pending.blur(); // it still has the focus if a script clicks
  hold(event, () => follow(link));
}

function went(/** @type {PopStateEvent} */ event) {
  if (!event.isTrusted || !pending || location.pathname.split("/").pop() === page) return;
  const isReplaced = TEXT_PARAMS.some((name) => new URLSearchParams(location.search).has(name));
  const { value: text } = pending;
  if (pending.matches(ALL_PAGES) && !isReplaced) left = { text, isShort: !pending.closest(".st-key-text_box") };
  box = pending = null;
  // A text that is applied while it is typed may be on its way, for the old page: let it go first.
  event.stopImmediatePropagation();
  const again = new PopStateEvent("popstate", { state: event.state });
  setTimeout(() => window.dispatchEvent(again), 30);
}

/**
 * @param {{
 *   data: { page: string, acknowledged: number },
 *   setStateValue: (name: string, value: unknown[]) => void,
 * }} component
 */
export default function ({ data, setStateValue }) {
  const isNew = data.page !== page;
  page = data.page;
  send = (...message) => setStateValue("typed", message);
  release(data.acknowledged);
  if (isNew && left) {
    sent = Date.now();
    send(sent, left.text, left.isShort);
    left = null;
  }
  window.addEventListener("input", typed, { capture: true }); // adding the same listener again has no effect
  window.addEventListener("focusout", leftBox, { capture: true });
  window.addEventListener("keydown", entered, { capture: true });
  window.addEventListener("click", clicked, { capture: true });
  window.addEventListener("popstate", went, { capture: true });
}
