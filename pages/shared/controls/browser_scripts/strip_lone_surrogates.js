// @ts-check
// Replaces lone surrogates in text boxes by U+FFFD, with a message: sending one would close the
// connection.

const LONE_SURROGATE = /\p{Surrogate}/gu; // with the flag u, a pair is one character
const SECONDS = 8;

/**
 * Set the value of a box by the native setter, so that React notices the change.
 * @param {HTMLInputElement | HTMLTextAreaElement} box @param {string} value
 */
function setValue(box, value) {
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(box), "value")?.set?.call(box, value);
}

function showMessage(/** @type {string} */ message) {
  document.querySelector("#pp-half")?.remove();
  const note = document.createElement("div");
  Object.assign(note, { id: "pp-half", textContent: message });
  note.setAttribute("role", "alert");
  note.style.cssText =
    "position:fixed;z-index:1000000;right:1rem;bottom:1rem;max-width:22rem;padding:.7rem 1rem;" +
    "border-radius:.375rem;background:#161513;color:#f7f5f0;font:1rem/1.4 sans-serif";
  document.body.append(note);
  setTimeout(() => note.remove(), SECONDS * 1000);
}

/** Replace lone surrogates before any other listener sees them. */
function replaceSurrogates(/** @type {Event} */ event) {
  const box = event.composedPath()[0];
  const holdsText = box instanceof HTMLTextAreaElement || box instanceof HTMLInputElement;
  if (!holdsText || (event instanceof InputEvent && event.isComposing) || box.value.search(LONE_SURROGATE) < 0) return;
  const { selectionStart: start, selectionEnd: end } = box;
  setValue(box, box.value.replace(LONE_SURROGATE, "\uFFFD"));
  if (start !== null) box.setSelectionRange(start, end);
  showMessage("The text contained half a character, which cannot be used. It was replaced with \uFFFD.");
}

export default function () {
  window.addEventListener("input", replaceSurrogates, { capture: true }); // adding it again has no effect
}
