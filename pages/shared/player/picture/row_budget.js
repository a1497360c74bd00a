// How many rows of a table there is room for. A table of pairs shows more of them on a tall screen;
// how many is told once for a window, so that stepping moves nothing.

const LINE = 2.06; // em: a row, as player.css has it
const UNDER = 6; // em that stay below the rows: what is left out, and why a row was or wasn't chosen

/**
 * The rows from the top of `body` to the lower edge of the window; of `least` to `most` of them.
 * @param {HTMLElement} body @param {number} least @param {number} most
 */
function roomBelow(body, least, most) {
  const size = parseFloat(getComputedStyle(body).fontSize);
  let top = body.getBoundingClientRect().top;
  const scroller = /** @type {ShadowRoot} */ (body.getRootNode()).host?.closest(".stMain");
  if (scroller) top += scroller.scrollTop; // as it is before anybody scrolls
  else top += window.scrollY;
  const rows = Math.floor(((window.innerHeight - top) / size - UNDER) / LINE);
  return Math.min(most, Math.max(least, rows));
}

/**
 * What is said of the pairs that are not shown: those of the recording, and those that it leaves out.
 * @param {Partial<TableFrame>} table @param {number} room @param {boolean} isCounted
 */
function moreOf({ lines, more }, room, isCounted) {
  if (lines.length <= room) return more;
  const left = Number(/^[\d,]+/.exec(more)?.[0].replaceAll(",", "") ?? 0);
  const hidden = lines.length - room + left;
  const most = /** @type {number} */ (lines[room][0][1]);
  const counted = isCounted ? `, count ${shown(most)}${most > 1 ? " or less" : ""}` : "";
  return `${shown(hidden)} more ${hidden === 1 ? "pair" : "pairs"}${counted}`;
}
