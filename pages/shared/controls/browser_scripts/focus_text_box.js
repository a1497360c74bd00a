// Puts the cursor into the page's text box, its text selected, when a button of this class is pressed.

const BUTTON = ".pp-have-text";
const BOX = ".stMain .st-key-text_box textarea";

function onClick(/** @type {Event} */ { target }) {
  if (!(target instanceof Element && target.closest(BUTTON))) return;
  /** @type {HTMLTextAreaElement | null} */
  const box = document.querySelector(BOX);
  box?.focus();
  box?.select();
}

export default function () {
  document.addEventListener("click", onClick); // adding the same listener again has no effect
}
