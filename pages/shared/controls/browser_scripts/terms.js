// @ts-check
// The tooltip of a glossary term: shown on hover, on focus and after a tap; hidden by Escape or a tap
// elsewhere. ../../place_beside.js comes before this script.

const HIDE_DELAY = 150; // milliseconds: long enough to move the mouse from the term to its tooltip

/** The term whose tooltip is shown. @type {HTMLElement | null} */
let shown = null;
/** That tooltip. @type {HTMLElement | null} */
let tooltip = null;
let hiding = 0;

/**
 * The element of an event that matches a selector, inside the player's shadow tree as well.
 * @param {Event} event @param {string} name @returns {HTMLElement | null}
 */
function within(event, name) {
  const [target] = event.composedPath();
  return target instanceof Element ? target.closest(name) : null;
}

/** The tooltip of a term: the next element, or in the player the one shared by all terms. */
function tooltipOf(/** @type {HTMLElement} */ term) {
  const next = term.nextElementSibling;
  const isNext = next?.matches(".pp-definition");
  const root = /** @type {ParentNode} */ (term.getRootNode());
  return /** @type {HTMLElement} */ (isNext ? next : root.querySelector(".pp-definition.shared"));
}

const isFocused = (/** @type {HTMLElement} */ term) =>
  /** @type {DocumentOrShadowRoot} */ (/** @type {unknown} */ (term.getRootNode())).activeElement === term;

/** Put the tooltip under its term, or above if there is no room below. */
function updatePosition() {
  if (!shown?.isConnected || !tooltip) return;
  const lines = shown.getClientRects(); // two, where the term is broken over two lines
  const { left, right, bottom } = lines[lines.length - 1];
  placeBeside(tooltip, { left, right, top: lines[0].top, bottom }, ["below", "above"]);
}

function hide() {
  clearTimeout(hiding);
  if (tooltip?.isConnected) tooltip.hidePopover();
  shown = tooltip = null;
}

/** Hide the tooltip when its term is removed, as at another step of the player. */
function hideWithTerm() {
  if (!shown) return;
  if (shown.isConnected) requestAnimationFrame(hideWithTerm);
  else hide();
}

function show(/** @type {HTMLElement} */ term) {
  clearTimeout(hiding);
  if (shown === term) return;
  hide();
  shown = term;
  tooltip = tooltipOf(term);
  if (tooltip.matches(".shared")) tooltip.textContent = term.getAttribute("aria-description");
  tooltip.showPopover();
  updatePosition();
  hideWithTerm();
}

function onEnter(/** @type {Event} */ event) {
  const term = within(event, ".pp-term");
  if (term) show(term);
  else if (within(event, ".pp-definition")) clearTimeout(hiding);
}

function onLeave(/** @type {Event} */ event) {
  const isOn = within(event, ".pp-term, .pp-definition");
  if (!isOn || (shown && isFocused(shown))) return;
  clearTimeout(hiding);
  hiding = setTimeout(hide, HIDE_DELAY);
}

function onPointerDown(/** @type {Event} */ event) {
  if (shown && !within(event, ".pp-term, .pp-definition")) hide();
}

function onKeyDown(/** @type {KeyboardEvent} */ event) {
  const term = within(event, ".pp-term");
  const isPressed = term && [" ", "Enter"].includes(event.key);
  if (!isPressed && !(shown && event.key === "Escape")) return;
  event.preventDefault();
  event.stopPropagation(); // it only opens or closes the tooltip
  if (isPressed) show(term);
  else hide();
}

export default function () {
  // Adding the same listener again has no effect.
  for (const name of ["pointerover", "focusin", "click"]) document.addEventListener(name, onEnter);
  for (const name of ["pointerout", "focusout"]) document.addEventListener(name, onLeave);
  document.addEventListener("pointerdown", onPointerDown);
  document.addEventListener("keydown", onKeyDown, { capture: true });
  for (const name of ["scroll", "resize"]) window.addEventListener(name, updatePosition, { capture: true });
}
