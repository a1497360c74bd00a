// Places a bubble (a popover with a fixed position) beside what it explains: the tooltip of a term and
// the reason of a row or an arc.

/** @typedef {"right" | "left" | "below" | "above"} Side */
/** @typedef {Pick<DOMRect, "left" | "top" | "right" | "bottom">} Edges in pixels of the window */

const BUBBLE_GAP = 6; // pixels between a bubble and what it explains, and to the edge of the window

/**
 * The position of a bubble of this size: on the first side of the box where it fits into the window,
 * otherwise where it has the most room, cut to `height`. It never covers the box.
 * @param {Edges} box @param {{ width: number, height: number }} size
 * @param {{ width: number, height: number }} view the window
 * @param {Side[]} sides
 */
function positionBeside(box, size, view, sides) {
  const room = {
    right: view.width - box.right - 2 * BUBBLE_GAP,
    left: box.left - 2 * BUBBLE_GAP,
    below: view.height - box.bottom - 2 * BUBBLE_GAP,
    above: box.top - 2 * BUBBLE_GAP,
  };
  const isUpright = (/** @type {Side} */ side) => side === "below" || side === "above";
  const fits = (/** @type {Side} */ side) => room[side] >= (isUpright(side) ? size.height : size.width);
  const roomiest = room.below >= room.above ? "below" : "above";
  const side = sides.find(fits) ?? roomiest;
  const most = isUpright(side) ? room[side] : view.height - 2 * BUBBLE_GAP;
  const height = Math.min(size.height, Math.max(most, 0));
  const within = (/** @type {number} */ at, /** @type {number} */ length, /** @type {number} */ end) =>
    Math.max(BUBBLE_GAP, Math.min(at, end - length - BUBBLE_GAP));
  const left = { right: box.right + BUBBLE_GAP, left: box.left - BUBBLE_GAP - size.width, below: box.left, above: box.left };
  const beside = within(box.top, height, view.height);
  const top = { right: beside, left: beside, below: box.bottom + BUBBLE_GAP, above: box.top - BUBBLE_GAP - height };
  return { side, height, left: within(left[side], size.width, view.width), top: top[side] };
}

/**
 * Puts an open bubble beside a box; returns whether all of it fits.
 * @param {HTMLElement} bubble @param {Edges} box @param {Side[]} sides
 */
function placeBeside(bubble, box, sides) {
  Object.assign(bubble.style, { left: "0", top: "0", maxHeight: "" }); // its own size
  const { clientWidth: width, clientHeight: height } = document.documentElement;
  const size = bubble.getBoundingClientRect();
  const place = positionBeside(box, size, { width, height }, sides);
  const isWhole = place.height >= size.height;
  if (!isWhole) bubble.style.maxHeight = `${place.height}px`;
  bubble.style.left = `${place.left}px`;
  bubble.style.top = `${place.top}px`;
  return isWhole;
}
