// @ts-check
// A term of the glossary shows its sentence while the mouse is on it, while it has the focus, and
// after a tap; Escape, or a tap elsewhere, hides it. Draws nothing but that.

const REST = 150; // milliseconds: long enough to move the mouse from the term to its sentence
const GAP = 6; // pixels between the term and its sentence, and to the edge of the window

/** The term whose sentence is shown. @type {HTMLElement | null} */
let shown = null;
/** That sentence. @type {HTMLElement | null} */
let says = null;
let leaving = 0;

/**
 * What an event is about, in the player's own tree as well.
 * @param {Event} event @param {string} name @returns {HTMLElement | null}
 */
function within(event, name) {
  const [target] = event.composedPath();
  return target instanceof Element ? target.closest(name) : null;
}

/** Where the sentence of a term is: beside it; in the player, in one place for all terms. */
function sentenceOf(/** @type {HTMLElement} */ term) {
  const says = term.nextElementSibling;
  const isBeside = says?.matches(".pp-definition");
  const root = /** @type {ParentNode} */ (term.getRootNode());
  return /** @type {HTMLElement} */ (isBeside ? says : root.querySelector(".pp-definition.shared"));
}

const isFocused = (/** @type {HTMLElement} */ term) =>
  /** @type {DocumentOrShadowRoot} */ (/** @type {unknown} */ (term.getRootNode())).activeElement === term;

/** Put the sentence under its term, or above where there is no room below. */
function place() {
  if (!shown?.isConnected || !says) return;
  const lines = shown.getClientRects(); // two, where the term is broken over two lines
  const [box, { width, height }] = [lines[lines.length - 1], says.getBoundingClientRect()];
  const { clientWidth, clientHeight } = document.documentElement;
  const below = box.bottom + GAP;
  says.style.left = `${Math.max(GAP, Math.min(box.left, clientWidth - width - GAP))}px`;
  says.style.top = `${below + height <= clientHeight ? below : Math.max(GAP, lines[0].top - GAP - height)}px`;
}

function hide() {
  clearTimeout(leaving);
  if (says?.isConnected) says.hidePopover();
  shown = says = null;
}

/** The player's sentence is another one at another step, and its terms are gone. */
function goWithTheTerm() {
  if (!shown) return;
  if (shown.isConnected) requestAnimationFrame(goWithTheTerm);
  else hide();
}

function show(/** @type {HTMLElement} */ term) {
  clearTimeout(leaving);
  if (shown === term) return;
  hide();
  shown = term;
  says = sentenceOf(term);
  if (says.matches(".shared")) says.textContent = term.getAttribute("aria-description");
  says.showPopover();
  place();
  goWithTheTerm();
}

function reached(/** @type {Event} */ event) {
  const term = within(event, ".pp-term");
  if (term) show(term);
  else if (within(event, ".pp-definition")) clearTimeout(leaving);
}

function left(/** @type {Event} */ event) {
  const isOn = within(event, ".pp-term, .pp-definition");
  if (!isOn || (shown && isFocused(shown))) return;
  clearTimeout(leaving);
  leaving = setTimeout(hide, REST);
}

function pressed(/** @type {Event} */ event) {
  if (shown && !within(event, ".pp-term, .pp-definition")) hide();
}

function typed(/** @type {KeyboardEvent} */ event) {
  const term = within(event, ".pp-term");
  const isPressed = term && [" ", "Enter"].includes(event.key);
  if (!isPressed && !(shown && event.key === "Escape")) return;
  event.preventDefault();
  event.stopPropagation(); // it opens or closes the sentence, and nothing else
  if (isPressed) show(term);
  else hide();
}

export default function () {
  // The same ones again do nothing.
  for (const reaching of ["pointerover", "focusin", "click"]) document.addEventListener(reaching, reached);
  for (const leave of ["pointerout", "focusout"]) document.addEventListener(leave, left);
  document.addEventListener("pointerdown", pressed);
  document.addEventListener("keydown", typed, { capture: true });
  for (const move of ["scroll", "resize"]) window.addEventListener(move, place, { capture: true });
}
