// The E step as a picture: the lattices of a few words, and from each arc a flow, as thick as its
// share times the count of its word, into the bar of its piece; beside it the log-likelihood.
// Nothing moves between two steps but the thickness of flows and the length of bars. All lengths
// are in em of the picture, so that presenter view scales it as a whole.

const FLOWS = {
  row: 1.28, // from one row of a word to the next
  under: 0.95, // below the rows of a word: its letters
  between: 0.4, // two words
  head: 1.8, // above all: what the columns are
  letter: 1.6,
  count: 3, // left of the letters
  thickest: 1.1, // a flow where it begins
  stack: 1.5, // the thickest stack of flows into one bar
  hair: 0.05, // the thinnest flow that is drawn
  slot: 2.7, // from one bar to the next at most
  number: 4.6,
  divided: 7, // left of the number: what is divided
  curve: 15,
  aside: 62, // a picture at least so wide has the curve at its right
  wide: 40, // and at least so wide, the products written out
};
const EVEN = 0.004; // em: flows thinner than this are none

/** A flow along its row and on to its bar: the outline of a ribbon, as thick as it says at both. */
function ribbonOf([from, along, to], [y, over], [thick, thin]) {
  const [top, low, below] = [y - thick / 2, y + thick / 2, over + thin];
  const mid = (along + to) / 2;
  const at = (...numbers) => numbers.map((number) => number.toFixed(3)).join(" ");
  return (
    `M${at(from, top)}L${at(along, top)}C${at(mid, top, mid, over, to, over)}` +
    `L${at(to, below)}C${at(mid, below, mid, low, along, low)}L${at(from, low)}Z`
  );
}

/** An arc over its letters whose highest point is `height` above the line. */
function archOf(left, right, line, height) {
  const lean = 0.22 * (right - left);
  const high = line - height / 0.75;
  const [a, b, c, d] = [left, left + lean, right - lean, right].map((x) => x.toFixed(3));
  return `M${a} ${line.toFixed(3)}C${b} ${high.toFixed(3)} ${c} ${high.toFixed(3)} ${d} ${line.toFixed(3)}`;
}

class FlowPart {
  side = "across";
  share = 0.8; // of the window in presenter view
  em = 0;
  width = 0;
  chosen = null; // the piece that the learner asks about

  constructor(film, part, player) {
    Object.assign(this, { film, part, player });
    this.svg = drawn("svg");
    this.svg.setAttribute("aria-hidden", "true");
    this.layers = ["ribbons", "arches", "line"].map((name) => drawn("g", name));
    this.svg.append(...this.layers);
    this.words = part.words.map((word) => this.wordOf(word));
    this.bars = part.pieces.map((number, i) => this.barOf(film.head.tokens[number], i));
    this.heads = [make("span", "head", "count × share"), make("span", "head")];
    this.rest = make("span", "rest");
    this.curve = { title: make("span", "head", part.curveTitle), value: make("span", "likelihood") };
    this.curve.line = drawn("path", "curve");
    this.curve.dots = part.curve.map(() => drawn("circle", "dot"));
    this.layers[2].append(this.curve.line, ...this.curve.dots);
    const inWords = this.words.flatMap(({ label, letters, rows }) => [label, ...letters, ...rows]);
    const ofBars = this.bars.flatMap(({ button, old }) => [button, old]);
    this.picture = make("div", "picture", this.svg, ...inWords, ...ofBars, ...this.heads, this.rest);
    this.picture.append(this.curve.title, this.curve.value);
    this.view = make("div", "view", this.picture);
    this.why = make("p", "why");
    this.more = make("p", "more");
    this.node = named(make("div", "part flow", this.view, this.why, this.more), "group", part.caption);
    this.node.hidden = !part.words.length;
    new ResizeObserver(() => this.place()).observe(this.view);
  }

  wordOf([label, letters, arcs]) {
    const { tokens } = this.film.head;
    const made = arcs.map(([start, end, piece, row]) => {
      const arch = drawn("path", "arch");
      this.layers[1].append(arch);
      if (row === null) return { start, end, row, arch };
      const token = tokens[this.part.pieces[piece]];
      const ribbon = drawn("path", `ribbon t${token[1]}`);
      arch.classList.add(`t${token[1]}`);
      this.layers[0].append(ribbon);
      const text = make("small", "product");
      const line = make("span", "arc-row", tile(token), text);
      return { start, end, piece, row, arch, ribbon, text, line };
    });
    const rows = made.flatMap(({ line }) => line ?? []);
    const spans = letters.map((letter) => make("bdi", "of-word", letter));
    return { label: make("span", "times", label), letters: spans, arcs: made, rows };
  }

  barOf(token, i) {
    const [fill, old] = [make("i", `fill t${token[1]}`), make("i", "old")];
    const [small, number] = [make("small", "divided"), make("b", "number")];
    const button = make("button", "of-piece", tile(token), fill, small, number);
    button.type = "button";
    button.onclick = () => this.choose(i);
    return { button, fill, old, small, number };
  }

  choose(i) {
    this.chosen = this.chosen === i ? null : i;
    this.dress();
    this.player.hear(this.why.textContent);
  }

  // -- laying out: again only when the width or the size of the type changes

  place() {
    if (!this.view.clientWidth) return;
    const em = parseFloat(getComputedStyle(this.picture).fontSize);
    if (em === this.em && this.view.clientWidth === this.width) return;
    [this.em, this.width] = [em, this.view.clientWidth];
    this.lay(this.view.clientWidth / em);
    if (this.shown) this.dress();
  }

  show() {}

  lay(across) {
    const isWide = across >= FLOWS.wide;
    const isAside = across >= FLOWS.aside;
    this.node.classList.toggle("narrow", !isWide);
    const longest = Math.max(...this.words.map(({ letters }) => letters.length));
    const letter = isWide ? FLOWS.letter : Math.min(1.25, 6 / longest);
    const tiles = (nodes) => Math.max(0, ...nodes.map((node) => node.firstChild.offsetWidth)) / this.em;
    const ledger = isWide ? tiles(this.words.flatMap(({ rows }) => rows)) + 7 : 0;
    for (const { button } of this.bars) button.style.removeProperty("--tile"); // as wide as they are
    this.tiles = tiles(this.bars.map(({ button }) => button)) + 0.3;
    const x = { letters: isWide ? FLOWS.count : 2.2 };
    x.rows = x.letters + longest * letter + 0.9;
    x.flow = x.rows + ledger;
    const right = across - (isAside ? FLOWS.curve + 2 : 0);
    const numbers = FLOWS.number + (isWide ? FLOWS.divided : 0);
    const room = right - x.flow - this.tiles - numbers; // for the flows and the bars
    this.longest = Math.max(2.5, Math.min(18, (isWide ? 0.55 : 0.42) * room));
    x.bars = right - numbers - this.longest - this.tiles;
    this.x = x;
    const height = this.placeWords(letter);
    this.placeBars(height, right);
    const low = Math.max(height, this.low) + 0.3;
    const at = isAside ? [across - FLOWS.curve, 0] : [0.5, low];
    this.placeCurve(at, isAside ? [FLOWS.curve, low - 1] : [across - 1, 9.5]);
    this.resize(across, isAside ? low : low + 9.5);
  }

  placeWords(letter) {
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

  placeBars(height, right) {
    const room = height - FLOWS.head - 1.8; // under the bars: all the others
    const slot = Math.min(FLOWS.slot, room / Math.max(this.bars.length, 1));
    const first = FLOWS.head + Math.max(0, (room - slot * this.bars.length) / 2);
    this.bars.forEach((bar, i) => {
      bar.y = first + (i + 0.5) * slot;
      put(bar.button, this.x.bars, bar.y);
      bar.button.style.width = `${right - this.x.bars}em`;
      bar.button.style.setProperty("--tile", `${this.tiles}em`);
      bar.button.style.setProperty("--numbers", `${right - this.x.bars - this.tiles - this.longest}em`);
    });
    this.low = first + slot * this.bars.length + 1.6;
    put(this.heads[0], this.x.rows, 0.8);
    put(this.heads[1], this.node.classList.contains("narrow") ? 0 : this.x.bars, 0.8);
    put(this.rest, this.x.bars, this.low - 0.7);
  }

  placeCurve([left, top], [across, height]) {
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

  resize(width, height) {
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    for (const { style } of [this.svg, this.picture]) {
      Object.assign(style, { width: `${width}em`, height: `${height}em` });
    }
  }

  // -- drawing a position

  draw(value, isVeiled) {
    if (this.shown !== value) this.chosen = null;
    [this.shown, this.isVeiled] = [value, isVeiled];
    if (!this.em) this.place();
    this.dress();
  }

  dress() {
    if (!this.x) return;
    const { shown, part } = this;
    const focus = this.chosen ?? shown.focus;
    const isFlowing = shown.phase === "expectation";
    this.node.dataset.phase = shown.phase;
    this.dressBars(focus);
    const amounts = this.words.flatMap((word, w) =>
      word.arcs.flatMap(({ piece }, n) => (piece === undefined ? [] : [[piece, shown.arcs[w][n][0]]])),
    );
    const used = part.pieces.map((_, i) => {
      const stack = amounts.map(([piece, amount]) => (piece === i ? this.thick(amount)[1] : 0));
      return this.bars[i].y - stack.reduce((sum, one) => sum + one, 0) / 2;
    });
    this.words.forEach((word, w) => {
      word.arcs.forEach((arc, n) => this.dressArc(arc, shown.arcs[w][n], focus, used));
    });
    this.heads[1].textContent = shown.head;
    this.heads[0].textContent = isFlowing && !this.node.classList.contains("narrow") ? "count × share" : "";
    this.rest.textContent = this.isVeiled ? "" : shown.rest;
    this.more.textContent = shown.leftOut;
    this.dressCurve();
    const tiles = focus === null ? [] : [tile(this.film.head.tokens[part.pieces[focus]]), " "];
    const said = focus === null || this.isVeiled ? [] : shown.bars[focus][5];
    this.why.classList.toggle("hint", !said.length);
    const hint = shown.bars.some((bar) => bar[5].length) ? "Choose a bar to see its sum." : "";
    this.why.replaceChildren(...(said.length ? [...tiles, ...nodes(this.film, said)] : [hint]));
  }

  /** How thick a flow is where it begins, and where it comes to its bar. */
  thick(amount) {
    const { strongest, widest } = this.part;
    const thick = (amount / strongest) * FLOWS.thickest;
    if (thick < EVEN) return [0, 0];
    return [thick, (amount / widest) * FLOWS.stack].map((one) => Math.max(one, FLOWS.hair));
  }

  dressArc(arc, [amount, share, text, isThere, isBest], focus, used) {
    const kinds = { gone: !isThere && !this.isVeiled, best: isBest && !this.isVeiled };
    for (const [name, isOn] of Object.entries(kinds)) arc.arch.classList.toggle(name, isOn);
    arc.arch.style.strokeWidth = `${0.06 + 0.2 * share}px`;
    arc.arch.style.opacity = this.shown.known ? Math.min(0.25 + 6 * share, 1) : 0.6;
    if (!arc.line) return;
    const thick = this.thick(amount);
    const isInFocus = arc.piece === focus;
    for (const node of [arc.ribbon, arc.line]) {
      node.classList.toggle("focus", isInFocus);
      node.classList.toggle("gone", kinds.gone);
      node.classList.toggle("dry", this.shown.known > 0 && !thick[0]);
    }
    arc.text.textContent = text;
    const ends = [arc.y, used[arc.piece]];
    arc.ribbon.setAttribute("d", ribbonOf([arc.from, this.x.flow, this.x.bars + 0.2], ends, thick));
    used[arc.piece] += thick[1];
  }

  dressBars(focus) {
    this.bars.forEach((bar, i) => {
      const [length, before, number, small, state] = this.shown.bars[i];
      const isHidden = this.isVeiled;
      const scale = this.longest / this.part.longest;
      const drawn = isHidden ? (before ?? length) : length; // an answer that is asked for
      bar.fill.style.width = `${Math.max(drawn * scale, drawn ? 0.12 : 0)}em`;
      bar.button.className = `of-piece ${isHidden ? "" : state} ${i === focus ? "focus" : ""}`;
      bar.button.setAttribute("aria-pressed", i === this.chosen);
      bar.small.textContent = isHidden ? "" : small;
      bar.number.textContent = isHidden ? "" : number;
      bar.old.hidden = isHidden || before === null || state !== "";
      put(bar.old, this.x.bars + this.tiles + (before ?? 0) * scale, bar.y);
    });
  }

  dressCurve() {
    const { known, value } = this.shown;
    const points = this.points.slice(0, known).map((point) => point.map((n) => n.toFixed(3)).join(" "));
    this.curve.line.setAttribute("d", points.length ? `M${points.join("L")}` : "");
    this.curve.dots.forEach((dot, i) => {
      dot.classList.toggle("later", i >= known);
      dot.classList.toggle("last", i === known - 1);
    });
    this.curve.value.replaceChildren(make("b", "", value));
  }
}

function put(element, x, y) {
  element.style.left = `${x.toFixed(3)}em`;
  element.style.top = `${y.toFixed(3)}em`;
}

function flowPart(film, part, player) {
  return new FlowPart(film, part, player);
}
