// What is typed into the text box of a page applies by itself: soon after the last key, at once
// after a paste. Draws nothing.

const REST = 400; // milliseconds after the last key
const PASTED = /^insertFrom/;
const MARK = ".st-key-live"; // there as long as the page is that wants this
const BOX = ".st-key-text_box textarea";
let waiting = 0;

/** Press Ctrl+Enter, which is how Streamlit's text box hands over what it holds. */
function apply(box) {
  const keys = { key: "Enter", code: "Enter", ctrlKey: true, bubbles: true, cancelable: true };
  if (box.isConnected) box.dispatchEvent(new KeyboardEvent("keydown", keys));
}

function typed(event) {
  const box = event.target;
  if (!document.querySelector(MARK) || !box.matches?.(BOX)) return;
  clearTimeout(waiting);
  if (event.isComposing) return; // half a syllable; the end of it is another event
  waiting = setTimeout(apply, PASTED.test(event.inputType) ? 0 : REST, box);
}

export default function () {
  window.addEventListener("input", typed); // the same one again does nothing
  window.addEventListener("compositionend", typed);
}
