// What a lesson speaks of, marked in the picture: tokens, and the rows and arcs made of them.

/**
 * Whether a token is meant: by its text, or an arc by text and place, as in "l@2".
 * @param {Set<string>} spots @param {string} text @param {string} [start]
 */
function isHighlighted(spots, text, start) {
  if (spots.has(text)) return true;
  if (start !== undefined) return spots.has(`${text}@${start}`);
  return [...spots].some((spot) => spot.replace(/@\d+$/, "") === text);
}

/** Marks the tiles of these tokens, and the rows and arcs that are made of them. */
function markHighlights(/** @type {HTMLElement} */ root, /** @type {Set<string>} */ spots) {
  if (!spots.size && !root.querySelector(".marked")) return;
  const startOf = (/** @type {Element} */ tile) => /** @type {HTMLElement} */ (tile.closest(".label"))?.dataset.start;
  const has = (/** @type {Element} */ tile) => isHighlighted(spots, tile.textContent, startOf(tile));
  for (const tile of root.querySelectorAll(":is(.across, .stage) .part .tile")) mark(tile, has(tile));
  for (const row of root.querySelectorAll("tbody tr")) {
    const tiles = [...row.querySelectorAll(".tile")];
    const spelled = tiles.map((tile) => tile.textContent).join("");
    mark(row, tiles.length > 0 && (tiles.every(has) || spots.has(spelled)));
  }
  for (const label of root.querySelectorAll(".label")) mark(label, has(label.firstElementChild));
}

function mark(/** @type {Element} */ element, /** @type {boolean} */ isMarked) {
  element.classList.toggle("marked", isMarked);
  if (isMarked) element.setAttribute("aria-description", "marked: the text speaks of this");
  else element.removeAttribute("aria-description");
}
