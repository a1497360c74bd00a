// The layout of a lattice's arcs and labels, and the masking of an answer: pure functions of the arcs,
// the widths of the labels and the spacing. Lengths are in em of the picture.

/** @typedef {{ start: number, end: number }} Span the positions of an arc */
/** @typedef {[number, number, number, number, number]} Curve */

const SHEET = 690; // width of paper, in pixels
const EDGE = 2.2; // left of the first position and right of the last
const LOWEST = 3; // from the line of positions up to the lowest labels
const LEVEL = 2.5; // from one level of labels to the next
const APART = 0.35; // between two labels
const EQUAL = "4"; // the weight of all arcs while their winner is asked for

/**
 * The level of each label: the lowest free one above all arcs that its arc encloses.
 * @param {Span[]} arcs @param {number[]} widths @param {number} spacing
 */
function levelsOf(arcs, widths, spacing) {
  const levels = arcs.map(() => 0);
  const occupied = /** @type {[left: number, right: number][][]} */ ([]); // by level
  const order = [...arcs.keys()].sort((i, j) => {
    const [a, b] = [arcs[i], arcs[j]];
    return a.end - a.start - (b.end - b.start) || a.start - b.start;
  });
  for (const [rank, i] of order.entries()) {
    const { start, end } = arcs[i];
    const middle = ((start + end) / 2) * spacing;
    const [left, right] = [middle - widths[i] / 2 - APART, middle + widths[i] / 2];
    let level = 0;
    for (let earlier = 0; earlier < rank; earlier += 1) {
      const j = order[earlier];
      if (arcs[j].start >= start && arcs[j].end <= end) level = Math.max(level, levels[j] + 1);
    }
    while (occupied[level]?.some(([from, to]) => from < right && left < to)) level += 1;
    (occupied[level] ??= []).push([left, right]);
    levels[i] = level;
  }
  return levels;
}

/**
 * The curve of an arc as four points; `inset` moves it inside the arc.
 * @param {Span} arc @param {number} level @param {number} spacing
 * @returns {Curve} the x of the points, and the height
 */
function curveOf({ start, end }, level, spacing, inset = 0) {
  const [left, right] = [EDGE + start * spacing + inset, EDGE + end * spacing - inset];
  const height = (LOWEST + level * LEVEL - inset) / 0.75; // a curve reaches 3/4 of its handles
  const lean = Math.min(0.3 * (right - left), 0.8 * height ** 0.7); // the higher, the steeper
  return [left, left + lean, right - lean, right, height];
}

/** @param {Curve} curve @param {number} line */
function pathOf([a, b, c, d, height], line) {
  const [low, high] = [line, line - height].map((y) => y.toFixed(3));
  const [x1, x2, x3, x4] = [a, b, c, d].map((x) => x.toFixed(3));
  return `M${x1} ${low}C${x2} ${high} ${x3} ${high} ${x4} ${low}`;
}

/**
 * The distance of a point (x, height above the line) from a curve, approximated by segments.
 * @param {Curve} curve @param {number} x @param {number} y
 */
function distance([a, b, c, d, height], x, y) {
  let least = Infinity;
  let [fromX, fromY] = [a, 0];
  for (let i = 1; i <= 32; i += 1) {
    const [t, s] = [i / 32, 1 - i / 32];
    const toX = s * s * s * a + 3 * s * s * t * b + 3 * s * t * t * c + t * t * t * d;
    const toY = 3 * s * t * height;
    const [runX, runY] = [toX - fromX, toY - fromY];
    const along = ((x - fromX) * runX + (y - fromY) * runY) / (runX * runX + runY * runY);
    const share = Math.min(Math.max(along, 0), 1);
    least = Math.min(least, Math.hypot(fromX + share * runX - x, fromY + share * runY - y));
    [fromX, fromY] = [toX, toY];
  }
  return least;
}

/**
 * The frame without its answer: no arc of this step stands out, the value here is hidden.
 * @param {LatticeFrame} frame @param {Span[]} all @returns {LatticeFrame}
 */
function masked({ arcs, weights, nodes, here, reasons }, all) {
  const isHere = (/** @type {number} */ i) => all[i].start === here || all[i].end === here;
  /** @type {Record<string, (i: number) => string>} */
  const hide = { n: () => "c", b: (i) => (isHere(i) ? "c" : "k") };
  const shown = [...arcs].map((state, i) => hide[state]?.(i) ?? state);
  return {
    arcs: shown.join(""),
    weights: [...weights].map((weight, i) => (shown[i] === "c" ? EQUAL : weight)).join(""),
    nodes: nodes.map((node, position) => (position === here ? "?" : node)),
    here,
    reasons,
  };
}

/** Sets how much a picture must shrink on paper. */
function shrinkOnPaper(/** @type {HTMLElement} */ view, /** @type {number} */ width) {
  view.style.setProperty("--on-paper", Math.min(0.6, SHEET / width));
}
