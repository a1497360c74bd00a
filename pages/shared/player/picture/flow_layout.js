// The layout of the picture of the E step (flow.js): words with their lattices at the
// left, the bars of pieces at the right, the curve beside them or below. All lengths are in em of
// the picture, so that presenter view scales it as a whole.

const FLOWS = {
  row: globalThis.matchMedia?.("(hover: none)").matches ? 1.75 : 1.2, // from one row of a word to the next, to be tapped
  under: 0.85, // below the rows of a word: its letters
  between: 0.25, // two words
  head: 1.6, // above all: what the columns are
  letter: 1.6,
  count: 3, // left of the letters
  thickest: 1.1, // the thickest flow, at its start
  stack: 1.5, // the thickest stack of flows into one bar
  hair: 0.05, // the thinnest flow
  slot: 2.7, // from one bar to the next at most
  number: 4.6,
  divided: 7, // left of the number: the dividend
  curve: 15,
  aside: 62, // width from which the curve is at the right
  wide: 40, // width from which products are written out
  room: 10, // and the width left for flows and bars
};
const EVEN = 0.004; // em: thinner flows are not drawn

/**
 * The outline of a ribbon: a flow along its row and on to its bar.
 * @param {number[]} across @param {number[]} ends @param {number[]} thickness
 */
function ribbonOf([from, along, to], [y, over], [thick, thin]) {
  const [top, low, below] = [y - thick / 2, y + thick / 2, over + thin];
  const mid = (along + to) / 2;
  const at = (/** @type {number[]} */ ...numbers) => numbers.map((number) => number.toFixed(3)).join(" ");
  return (
    `M${at(from, top)}L${at(along, top)}C${at(mid, top, mid, over, to, over)}` +
    `L${at(to, below)}C${at(mid, below, mid, low, along, low)}L${at(from, low)}Z`
  );
}

/**
 * An arc over its letters whose highest point is `height` above the line.
 * @param {number} left @param {number} right @param {number} line @param {number} height
 */
function archOf(left, right, line, height) {
  const lean = 0.22 * (right - left);
  const high = line - height / 0.75;
  const [a, b, c, d] = [left, left + lean, right - lean, right].map((x) => x.toFixed(3));
  return `M${a} ${line.toFixed(3)}C${b} ${high.toFixed(3)} ${c} ${high.toFixed(3)} ${d} ${line.toFixed(3)}`;
}

/**
 * The layout of the picture, updated only when the width or the font size changes. Its methods belong
 * to a whole FlowPart (flow.js).
 */
class FlowLayout {
  em = 0;
  width = 0;
  height = 0; // pixels, of the whole part on the page

  /** @this {FlowPart} */
  place() {
    if (!this.view.clientWidth) return;
    const em = parseFloat(getComputedStyle(this.picture).fontSize);
    if (em === this.em && this.view.clientWidth === this.width) return;
    [this.em, this.width] = [em, this.view.clientWidth];
    this.lay(this.view.clientWidth / em);
    if (this.shown) this.redraw();
  }

  show() {}

  /** On the page, fits the picture into the window. @this {FlowPart} */
  makeRoom() {
    if (!this.player.presenter.isOn) fitPicture(this, heightBelow(this.node), leastOnPage());
    const height = this.node.offsetHeight || this.height; // 0 while it is hidden
    this.height = height;
    this.player.root.style.setProperty("--flow", `${height}px`);
  }

  /** @this {FlowPart} @returns {void} */
  lay(/** @type {number} */ across, isWide = across >= FLOWS.wide) {
    const isAside = across >= FLOWS.aside;
    this.node.classList.toggle("narrow", !isWide);
    const longest = Math.max(...this.words.map(({ letters }) => letters.length));
    const widthOf = (/** @type {HTMLElement} */ node) => /** @type {HTMLElement} */ (node.firstChild).offsetWidth;
    const tiles = (/** @type {HTMLElement[]} */ nodes) => Math.max(0, ...nodes.map(widthOf)) / this.em;
    const ledger = isWide ? tiles(this.words.flatMap(({ rows }) => rows)) + 7 : 0;
    for (const { button } of this.bars) button.style.removeProperty("--tile"); // natural width
    this.tiles = tiles(this.bars.map(({ button }) => button)) + 0.3;
    const right = across - (isAside ? FLOWS.curve + 2 : 0);
    const numbers = FLOWS.number + (isWide ? FLOWS.divided : 0);
    const x = { letters: isWide ? FLOWS.count : 2.2, rows: 0, flow: 0, bars: 0 };
    const free = right - numbers - this.tiles - x.letters - 6; // for letters beside short flows
    const letter = isWide ? FLOWS.letter : Math.min(1.25, Math.max(6, free) / longest);
    x.rows = x.letters + longest * letter + 0.9;
    x.flow = x.rows + ledger;
    const room = right - x.flow - this.tiles - numbers; // for the flows and the bars
    if (isWide && room < FLOWS.room) return this.lay(across, false);
    this.longest = Math.max(2.5, Math.min(18, (isWide ? 0.55 : 0.42) * room));
    x.bars = right - numbers - this.longest - this.tiles;
    this.x = x;
    const height = this.placeWords(letter);
    this.placeBars(height, right);
    const low = Math.max(height, this.low) + 0.3;
    const at = isAside ? [across - FLOWS.curve, 0] : [0.5, low];
    this.placeCurve(at, isAside ? [FLOWS.curve, low - 1] : [across - 1, 9.5]);
    stretch(this.svg, this.picture, across, isAside ? low : low + 9.5);
  }

  /** @this {FlowPart} */
  placeWords(/** @type {number} */ letter) {
    let top = FLOWS.head;
    for (const word of this.words) {
      const rows = word.rows.length;
      const line = top + Math.max(rows, 1.6) * FLOWS.row + 0.3;
      put(word.label, this.x.letters - 0.5, line);
      word.letters.forEach((one, i) => put(one, this.x.letters + (i + 0.5) * letter, line));
      for (const arc of word.arcs) {
        const [left, right] = [arc.start, arc.end].map((at) => this.x.letters + at * letter);
        const y = top + ((arc.row ?? 0) + 0.5) * FLOWS.row;
        const height = arc.line ? line - y : 0.75 + 0.3 * (arc.end - arc.start);
        arc.arch.setAttribute("d", archOf(left + 0.12, right - 0.12, line - 0.55, height - 0.55));
        [arc.from, arc.y] = [(left + right) / 2, y];
        if (arc.line) put(arc.line, this.x.rows, y);
      }
      top = line + FLOWS.under + FLOWS.between - 0.3;
    }
    return top - FLOWS.between;
  }

  /** @this {FlowPart} */
  placeBars(/** @type {number} */ height, /** @type {number} */ right) {
    const room = height - FLOWS.head - 1.8; // under the bars: all the others
    const slot = Math.min(FLOWS.slot, room / Math.max(this.bars.length, 1));
    const first = FLOWS.head + Math.max(0, (room - slot * this.bars.length) / 2);
    this.bars.forEach((bar, i) => {
      bar.y = first + (i + 0.5) * slot;
      put(bar.button, this.x.bars, bar.y);
      bar.button.style.width = `${right - this.x.bars}em`;
      bar.button.style.setProperty("--tile", `${this.tiles}em`);
    });
    this.low = first + slot * this.bars.length + 1.6;
    put(this.heads[0], this.x.rows, 0.8);
    put(this.heads[1], this.node.classList.contains("narrow") ? 0 : this.x.bars, 0.8);
    put(this.heads[2], right, 0.8);
    put(this.rest, this.x.bars, this.low - 0.7);
  }

  /** @this {FlowPart} */
  placeCurve(/** @type {number[]} */ [left, top], /** @type {number[]} */ [across, height]) {
    put(this.curve.title, left, top + 0.8);
    put(this.curve.value, left, top + 2.4);
    const values = this.part.curve.map(([, value]) => value);
    const [least, most] = [Math.min(...values), Math.max(...values)];
    const steps = this.part.curve.map(([at]) => at);
    const [first, last] = [steps[0] ?? 0, steps.at(-1) ?? 1];
    this.points = this.part.curve.map(([at, value]) => [
      left + 0.5 + ((at - first) / (last - first || 1)) * (across - 1),
      top + 3.6 + ((most - value) / (most - least || 1)) * Math.min(height - 4.6, 12),
    ]);
    this.curve.dots.forEach((dot, i) => {
      dot.setAttribute("cx", this.points[i][0]);
      dot.setAttribute("cy", this.points[i][1]);
    });
  }
}
