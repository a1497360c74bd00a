// What fits into the window: the rows of a table, and the scale of a picture. Both are computed once
// per window size, so that nothing moves while stepping.

const SCALES = [1, 0.9, 0.8, 0.7, 0.6, 0.5]; // font scales of a picture; the largest that fits is used
const LINE = 2.06; // em: a row, as player.css has it
const UNDER = 3; // em below the rows, for what is left out

/**
 * The number of rows from the top of `body` to the bottom of the window, `least` to `most`, if
 * there are words with so many `lines` below the table.
 * @param {HTMLElement} body @param {number} least @param {number} most @param {number} lines
 */
function roomBelow(body, least, most, lines) {
  const size = parseFloat(getComputedStyle(body).fontSize);
  const rows = Math.floor((heightBelow(body) / size - UNDER) / LINE) - lines - Number(lines > 0); // and their caption
  return Math.min(most, Math.max(least, rows));
}

/** The smallest scale of a picture on a page: on a phone, it keeps its size. */
function leastOnPage() {
  return matchMedia("(min-width: 46rem) and (min-height: 30.1rem)").matches ? 0.9 : 1;
}

/** The pixels from the top of an element to the bottom of the window, before any scrolling. */
function heightBelow(/** @type {HTMLElement} */ element) {
  const scroller = /** @type {ShadowRoot} */ (element.getRootNode()).host?.closest(".stMain");
  const scrolled = scroller ? scroller.scrollTop : window.scrollY;
  return window.innerHeight - element.getBoundingClientRect().top - scrolled;
}

/**
 * Scales a picture to at most `height` pixels, and to the width if it then fits; a long one scrolls.
 * It becomes no smaller than `least` of its size: on a page, letters have to stay readable.
 * @param {FittedPart} part @param {number} height
 */
function fitPicture(part, height, least = 0) {
  const scales = SCALES.filter((scale) => scale >= least);
  const fits = (/** @type {number} */ scale) => {
    part.view.style.setProperty("--fit", `${scale}`);
    part.place();
    return part.node.offsetHeight <= height;
  };
  const low = scales.filter(fits);
  const narrow = low.find((scale) => fits(scale) && part.view.scrollWidth <= part.view.clientWidth);
  fits(narrow ?? low[0] ?? scales.at(-1));
  part.show();
}

/**
 * Describes the rows that are not shown, including those that the recording leaves out; a row is a `noun`.
 * @param {Partial<TableFrame>} table @param {number} room @param {string} noun @param {boolean} isCounted
 */
function moreOf({ lines, more }, room, noun, isCounted) {
  if (lines.length <= room) return more;
  const left = Number(/^[\d,]+/.exec(more)?.[0].replaceAll(",", "") ?? 0);
  const hidden = lines.length - room + left;
  return moreText(hidden, noun, isCounted ? shown(/** @type {number} */ (lines[room][0][1])) : "");
}

/** Names the hidden rows, each a `noun`; `most` is the highest count of them, if they are counted. */
function moreText(/** @type {number} */ hidden, /** @type {string} */ noun, /** @type {string} */ most, tail = "") {
  const counted = most ? `, count ${most}${most === "1" ? "" : " or less"}` : "";
  return `${shown(hidden)} more ${noun}${hidden === 1 ? "" : "s"}${tail}${counted}`;
}
