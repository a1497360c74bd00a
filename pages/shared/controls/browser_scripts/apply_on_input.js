// What is typed into the box with the text to split applies by itself: soon after the last key, at
// once after a paste. In the box of a page that takes only a short text, Enter applies as well, and
// Shift+Enter begins a line. Draws nothing.

const REST = 400; // milliseconds after the last key
const PASTED = /^insertFrom/;
const MARK = ".st-key-apply_on_input"; // there as long as the page is that wants this
const SHORT = ".st-key-say textarea";
const BOX = `.stMain .st-key-text_box textarea, ${SHORT}`; // not one in a popover, to learn from
let waiting = 0;

/** Press Ctrl+Enter, which is how Streamlit's text box hands over what it holds. */
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
  if (isComposing) return; // half a syllable; the end of it is another event
  waiting = setTimeout(apply, PASTED.test(inputType) ? 0 : REST, box);
}

function entered(/** @type {KeyboardEvent} */ event) {
  const box = /** @type {HTMLElement} */ (event.target);
  if (event.key !== "Enter" || event.isComposing || !box.matches?.(SHORT)) return;
  if (event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  apply(box);
}

export default function () {
  window.addEventListener("input", typed); // the same one again does nothing
  window.addEventListener("compositionend", typed);
  window.addEventListener("keydown", entered);
}
