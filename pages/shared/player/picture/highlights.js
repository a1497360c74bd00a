// Marks a lesson's highlights in the picture: tokens, and the rows and arcs made of them.

/**
 * Whether a token is highlighted: by its text, or an arc by text and start, as in "l@2".
 * @param {Set<string>} highlights @param {string} text @param {string} [start]
 */
function isHighlighted(highlights, text, start) {
  if (highlights.has(text)) return true;
  if (start !== undefined) return highlights.has(`${text}@${start}`);
  return [...highlights].some((one) => one.replace(/@\d+$/, "") === text);
}

/** Marks the tiles of these tokens, and the rows and arcs made of them. */
function markHighlights(/** @type {HTMLElement} */ root, /** @type {Set<string>} */ highlights) {
  if (!highlights.size && !root.querySelector(".marked")) return;
  const startOf = (/** @type {Element} */ tile) => /** @type {HTMLElement} */ (tile.closest(".label"))?.dataset.start;
  const has = (/** @type {Element} */ tile) => isHighlighted(highlights, tile.textContent, startOf(tile));
  for (const tile of root.querySelectorAll(":is(.across, .stage) .part .tile")) mark(tile, has(tile));
  for (const row of root.querySelectorAll("tbody tr")) {
    const tiles = [...row.querySelectorAll(".tile")];
    const spelled = tiles.map((tile) => tile.textContent).join("");
    mark(row, tiles.length > 0 && (tiles.every(has) || highlights.has(spelled)));
  }
  for (const label of root.querySelectorAll(".label")) mark(label, has(label.firstElementChild));
}

function mark(/** @type {Element} */ element, /** @type {boolean} */ isMarked) {
  element.classList.toggle("marked", isMarked);
  if (isMarked) element.setAttribute("aria-description", "marked: the text speaks of this");
  else element.removeAttribute("aria-description");
}
