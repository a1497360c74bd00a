// The buttons in Start's heading: one puts the cursor into the text box, its text selected; each number of
// tokens leads to the figures.

const BOX = ".stMain .st-key-text_box textarea";
const FIGURES = ".st-key-figures_heading";

function onClick(/** @type {Event} */ { target }) {
  if (!(target instanceof Element)) return;
  if (target.closest(".pp-have-text")) {
    /** @type {HTMLTextAreaElement | null} */
    const box = document.querySelector(BOX);
    box?.focus();
    box?.select();
  }
  if (target.closest(".pp-totals button")) document.querySelector(FIGURES)?.scrollIntoView();
}

export default function () {
  document.addEventListener("click", onClick); // adding the same listener again has no effect
}
