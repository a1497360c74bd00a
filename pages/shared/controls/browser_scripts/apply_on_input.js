// Applies text typed into the box with the text to split: shortly after the last key, immediately after
// a paste. In a box for a short text, Enter applies as well, and Shift+Enter begins a line.

const DEBOUNCE_MS = 200; // after the last key
const PASTED = /^insertFrom/;
const MARK = ".st-key-apply_on_input"; // present on pages that mount this script
const SHORT = ".st-key-say textarea";
const MESSAGE = "[class*='st-key-chat_text_'] textarea";
const BOX = `.stMain .st-key-text_box textarea, ${SHORT}, ${MESSAGE}`; // not one in a popover
let waiting = 0;

/** Press Ctrl+Enter, by which Streamlit's text box sends its text. */
function apply(/** @type {HTMLElement} */ box) {
  clearTimeout(waiting);
  const keys = { key: "Enter", code: "Enter", ctrlKey: true, bubbles: true, cancelable: true };
  if (box.isConnected) box.dispatchEvent(new KeyboardEvent("keydown", keys));
}

function typed(/** @type {Event} */ event) {
  const { target, isComposing, inputType } = /** @type {InputEvent} */ (event);
  const box = /** @type {HTMLElement} */ (target);
  if (!document.querySelector(MARK) || !box.matches?.(BOX)) return;
  clearTimeout(waiting);
  if (isComposing) return; // compositionend follows
  waiting = setTimeout(applyHere, PASTED.test(inputType) ? 0 : DEBOUNCE_MS, box, location.pathname);
}

/** Apply the text unless the visitor has gone back to another page: Streamlit would request the page that
 * is left again, as long as it is shown. commit_before_click.js passes the text on. */
function applyHere(/** @type {HTMLElement} */ box, /** @type {string} */ path) {
  if (location.pathname === path) apply(box);
}

function entered(/** @type {KeyboardEvent} */ event) {
  const box = /** @type {HTMLElement} */ (event.target);
  if (event.key !== "Enter" || event.isComposing || !box.matches?.(SHORT)) return;
  if (event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  apply(box);
}

export default function () {
  window.addEventListener("input", typed); // adding the same listener again has no effect
  window.addEventListener("compositionend", typed);
  window.addEventListener("keydown", entered);
}
