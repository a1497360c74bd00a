// The movement of a single step: in the strips, tiles slide together, apart or along (FLIP: measure,
// draw, measure, and animate the difference); what is pruned falls. Only transforms and opacity
// change, so the layout is the new one from the start.

const MOTION_MS = 250;
/** @type {KeyframeAnimationOptions} */
const SLIDE = { duration: MOTION_MS, easing: "ease-out" };

/** @typedef {{ texts: string[], tiles: HTMLElement[] }} Row the tiles of a strip, and their texts */
/** @typedef {Pick<DOMRect, "left" | "top" | "width" | "height">} Rect */

/**
 * For each new text, the numbers of the old ones with the same characters; null unless both spell the
 * same. WordPiece's mark of a continuation counts as nothing.
 * @param {string[]} before @param {string[]} after
 */
function originsOf(before, after) {
  const spelled = [before, after].map((texts) => texts.map((text) => text.replace(/^##(?=.)/, "")));
  if (spelled[0].join("") !== spelled[1].join("")) return null;
  const [old, now] = spelled.map((texts) => {
    let end = 0;
    return texts.map((text) => ({ start: end, end: (end += text.length) }));
  });
  return now.map(({ start, end }) => [...old.keys()].filter((i) => old[i].start < end && start < old[i].end));
}

/** @param {Element} node @returns {Rect} */
const rectOf = (node) => node.getBoundingClientRect();

/** Slides an element from `from` to its place. @param {Element} node @param {Rect} from */
function slideFrom(node, from, to = rectOf(node)) {
  const [x, y] = [from.left - to.left, from.top - to.top];
  if (Math.abs(x) + Math.abs(y) > 0.5) node.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }], SLIDE);
}

/**
 * Shows an old tile over the strips until it has reached `to`.
 * @param {HTMLElement} body @param {HTMLElement} tile @param {Rect} from @param {Rect} to
 */
function slideAway(body, tile, from, to) {
  const origin = rectOf(body);
  tile.classList.add("ghost");
  tile.classList.remove("new");
  tile.setAttribute("aria-hidden", "true");
  Object.assign(tile.style, { left: `${from.left - origin.left}px`, top: `${from.top - origin.top}px`, width: `${from.width}px` });
  body.append(tile);
  const moved = `translate(${to.left - from.left}px, ${to.top - from.top}px)`;
  tile.animate([{ transform: "none" }, { transform: moved }], SLIDE).onfinish = () => tile.remove();
}

/**
 * Moves the tiles of one strip from the places that they had. Of tiles that were merged, the old ones
 * slide onto the new one, which then appears; the parts of a tile that was split leave it.
 * @param {HTMLElement} body @param {Row} before @param {Rect[]} places of the old tiles @param {Row} after
 */
function moveTiles(body, before, places, after) {
  const origins = String(before.texts) === String(after.texts) ? null : originsOf(before.texts, after.texts);
  if (!origins || !before.tiles.every((_, i) => places[i].width) || !body.checkVisibility()) return;
  const targets = after.tiles.map(rectOf);
  after.tiles.forEach((tile, j) => {
    const [target, from] = [targets[j], origins[j]];
    if (from.length > 1) {
      tile.animate([{ opacity: 0 }, { opacity: 0, offset: 0.8 }, { opacity: 1 }], { duration: MOTION_MS });
      from.forEach((i, n) => {
        const left = target.left + (n / (from.length - 1)) * (target.width - places[i].width);
        slideAway(body, before.tiles[i], places[i], { ...places[i], left, top: target.top });
      });
    } else if (from.length) {
      const parts = origins.filter(([i]) => i === from[0]).length;
      const first = origins.findIndex(([i]) => i === from[0]);
      const { left, top, width } = places[from[0]];
      const within = parts > 1 ? ((j - first) / (parts - 1)) * (width - target.width) : 0;
      slideFrom(tile, { left: left + within, top, width, height: 0 }, target);
    }
  });
}

/** Lets a copy of these elements fall out of their parent. */
function fall(/** @type {HTMLElement[]} */ ...elements) {
  const ghost = make("span", "ghost falling", ...elements.map((one) => one.cloneNode(true)));
  ghost.setAttribute("aria-hidden", "true");
  elements[0].parentElement.append(ghost);
  const fallen = { transform: "translateY(2em)", opacity: 0 };
  const motion = ghost.animate([{ transform: "none", opacity: 1 }, fallen], { duration: MOTION_MS, easing: "ease-in" });
  motion.onfinish = () => ghost.remove();
}
