// @ts-check
// Half a character (a lone surrogate) cannot be sent: the connection would break. Whoever puts one
// into a box of the page, or into one of ours, gets the sign for it instead, and is told. Draws
// nothing but that.

const HALF = /\p{Surrogate}/gu; // with the flag u, a pair is one character and no half
const SECONDS = 8;

/**
 * Put a value into a box so that whoever listens to it hears of a change (React as well).
 * @param {HTMLInputElement | HTMLTextAreaElement} box @param {string} value
 */
function put(box, value) {
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(box), "value")?.set?.call(box, value);
}

function tell(/** @type {string} */ said) {
  document.querySelector("#pp-half")?.remove();
  const note = document.createElement("div");
  Object.assign(note, { id: "pp-half", textContent: said });
  note.setAttribute("role", "alert");
  note.style.cssText =
    "position:fixed;z-index:1000000;right:1rem;bottom:1rem;max-width:22rem;padding:.7rem 1rem;" +
    "border-radius:.375rem;background:#161513;color:#f7f5f0;font:1rem/1.4 sans-serif";
  document.body.append(note);
  setTimeout(() => note.remove(), SECONDS * 1000);
}

/** Mend what a box holds, before anybody else hears of it. */
function mend(/** @type {Event} */ event) {
  const box = event.composedPath()[0];
  const holdsText = box instanceof HTMLTextAreaElement || box instanceof HTMLInputElement;
  if (!holdsText || (event instanceof InputEvent && event.isComposing) || box.value.search(HALF) < 0) return;
  const { selectionStart: start, selectionEnd: end } = box;
  put(box, box.value.replace(HALF, "\uFFFD"));
  if (start !== null) box.setSelectionRange(start, end);
  tell("The text contained half a character, which cannot be used. It was replaced with \uFFFD.");
}

export default function () {
  window.addEventListener("input", mend, { capture: true }); // the same one again does nothing
}
