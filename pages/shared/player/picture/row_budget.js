// The number of rows of a table that fit. A table of pairs shows more on a tall screen; the number is
// computed once per window size, so that nothing moves while stepping.

const LINE = 2.06; // em: a row, as player.css has it
const UNDER = 6; // em below the rows, for what is left out and for a reason

/**
 * The number of rows from the top of `body` to the bottom of the window, `least` to `most`, if
 * there are words with so many `lines` below the table.
 * @param {HTMLElement} body @param {number} least @param {number} most @param {number} lines
 */
function roomBelow(body, least, most, lines) {
  const size = parseFloat(getComputedStyle(body).fontSize);
  let top = body.getBoundingClientRect().top;
  const scroller = /** @type {ShadowRoot} */ (body.getRootNode()).host?.closest(".stMain");
  if (scroller) top += scroller.scrollTop; // position before scrolling
  else top += window.scrollY;
  const rows = Math.floor(((window.innerHeight - top) / size - UNDER) / LINE) - lines;
  return Math.min(most, Math.max(least, rows));
}

/**
 * Describes the rows that are not shown, including those that the recording leaves out; a row is a `noun`.
 * @param {Partial<TableFrame>} table @param {number} room @param {string} noun @param {boolean} isCounted
 */
function moreOf({ lines, more }, room, noun, isCounted) {
  if (lines.length <= room) return more;
  const left = Number(/^[\d,]+/.exec(more)?.[0].replaceAll(",", "") ?? 0);
  const hidden = lines.length - room + left;
  const most = /** @type {number} */ (lines[room][0][1]);
  const counted = isCounted ? `, count ${shown(most)}${most > 1 ? " or less" : ""}` : "";
  return `${shown(hidden)} more ${noun}${hidden === 1 ? "" : "s"}${counted}`;
}
