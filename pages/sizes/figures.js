// The curves of the vocabulary-size slider, and the costs of the selected size.

const SVG = "http://www.w3.org/2000/svg";
const PLOT = { left: 62, right: 16, top: 30, bottom: 46, height: 290 };
const TYPE = 16; // px, the type around a figure in which the lengths of PLOT are pixels
const MARKS = ["circle", "square", "triangle", "diamond"];
/** @type {Record<string, string>} */
const SHAPES = {
  circle: "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z",
  square: "M-4.5 -4.5h9v9h-9z",
  triangle: "M0 -6l5.8 10h-11.6z",
  diamond: "M0 -6.5l6.5 6.5l-6.5 6.5l-6.5 -6.5z",
};

/**
 * @param {keyof SVGElementTagNameMap} kind @param {Record<string, string | number>} attributes
 * @param {(Node | string)[]} content
 */
function drawing(kind, attributes = {}, ...content) {
  const made = document.createElementNS(SVG, kind);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...content);
  return made;
}

/** A short piece of the curve with its mark, for the heading of its tokenizer. */
function sample(/** @type {number} */ number) {
  const svg = drawing("svg", { class: "sample", viewBox: "0 0 34 14", "aria-hidden": "true" });
  svg.append(
    drawing("path", { class: `curve c${number}`, d: "M0 7H34" }),
    drawing("path", { class: `spot c${number}`, d: SHAPES[MARKS[number]], transform: "translate(17 7)" }),
  );
  return svg;
}

// ---- the curves ----

/** Round numbers from `low` to `high`: 1, 2, 5, 10 … @param {number} low @param {number} high */
function decades(low, high) {
  const found = [];
  for (let ten = 1; ten <= high; ten *= 10) found.push(ten, 2 * ten, 5 * ten);
  return found.filter((number) => number >= low && number <= high);
}

/** Four or five round steps from 0 to `most` or just beyond. @param {number} most */
function steps(most) {
  const ten = 10 ** Math.floor(Math.log10(Math.max(most, 1)));
  const by = [0.2, 0.5, 1, 2].map((n) => n * ten).find((n) => most / n <= 5) ?? ten;
  const whole = Math.max(by, 1);
  return Array.from({ length: Math.ceil(most / whole) + 1 }, (_, n) => n * whole);
}

/** Maps a size to its share of the logarithmic scale from the smallest to the largest. */
/** @typedef {((size: number) => number) & { low: number, high: number }} Scale */

class Curves {
  /** @param {Row[]} rows @param {Scale} scale @param {string} title @param {(share: number) => void} choose */
  constructor(rows, scale, title, choose) {
    this.rows = rows;
    this.scale = scale;
    this.figure = make("figure", "curves", make("figcaption", "", title));
    this.svg = drawing("svg", { role: "img", "aria-label": title });
    this.figure.append(this.svg);
    const drag = (/** @type {PointerEvent} */ event) => {
      if (event.buttons & 1) choose((event.offsetX / this.unit - PLOT.left) / this.width);
    };
    this.svg.onpointerdown = (event) => {
      this.svg.setPointerCapture(event.pointerId);
      drag(event);
    };
    this.svg.onpointermove = drag;
    new ResizeObserver(() => this.fit()).observe(this.figure);
  }

  /** Draws the curves for the figure's width and type: with the type, all of the drawing grows. */
  fit() {
    const whole = this.figure.clientWidth;
    const unit = parseFloat(getComputedStyle(this.figure).fontSize) / TYPE;
    if (!whole || (whole === this.whole && unit === this.unit)) return;
    /** @type {number} */
    this.whole = whole;
    /** @type {number} */
    this.unit = unit;
    this.width = whole / unit - PLOT.left - PLOT.right;
    this.svg.setAttribute("width", whole);
    this.svg.setAttribute("height", PLOT.height * unit);
    this.svg.setAttribute("viewBox", `0 0 ${whole / unit} ${PLOT.height}`);
    this.draw();
    if (this.size) this.show(this.size);
  }

  x(/** @type {number} */ size) {
    return PLOT.left + this.scale(size) * this.width;
  }

  y(/** @type {number} */ tokens) {
    const tall = PLOT.height - PLOT.top - PLOT.bottom;
    return PLOT.top + tall * (1 - tokens / this.most);
  }

  draw() {
    const levels = steps(Math.max(...this.rows.map(({ kind }) => Math.max(...kind.tokens))));
    this.most = levels.at(-1);
    const bottom = PLOT.height - PLOT.bottom;
    const parts = levels.flatMap((level) => [
      drawing("path", { class: "grid", d: `M${PLOT.left} ${this.y(level)}h${this.width}` }),
      drawing("text", { x: PLOT.left - 8, y: this.y(level), class: "level" }, shown(level)),
    ]);
    let last = -Infinity;
    for (const size of decades(this.scale.low, this.scale.high)) {
      const x = this.x(size);
      parts.push(drawing("path", { class: "grid", d: `M${x} ${bottom}v5` }));
      if (x - last < 44) continue;
      last = x;
      parts.push(drawing("text", { x, y: bottom + 20, class: "below" }, shown(size)));
    }
    const middle = PLOT.left + this.width / 2;
    const name = "pieces in the vocabulary, V (logarithmic)";
    parts.push(drawing("text", { x: 0, y: 14 }, "tokens, T"));
    parts.push(drawing("text", { x: middle, y: PLOT.height - 6, class: "below" }, name));
    this.rows.forEach(({ kind }, n) => {
      parts.push(drawing("path", { class: `curve c${n}`, d: this.path(kind) }));
    });
    this.rule = drawing("path", { class: "rule", d: `M0 ${PLOT.top}V${bottom}` });
    this.spots = this.rows.map((_, n) =>
      drawing("path", { class: `spot c${n}`, d: SHAPES[MARKS[n]] }),
    );
    this.svg.replaceChildren(...parts, this.rule, ...this.spots);
  }

  /** A step line: level from one size to the next. */
  path(/** @type {Kind} */ { sizes, tokens }) {
    let d = "";
    let before = -1;
    sizes.forEach((size, n) => {
      if (tokens[n] === before && n < sizes.length - 1) return;
      const [x, y] = [this.x(size).toFixed(1), this.y(tokens[n]).toFixed(1)];
      d += n ? `H${x}V${y}` : `M${x} ${y}`;
      before = tokens[n];
    });
    return d;
  }

  show(/** @type {number} */ size) {
    this.size = size;
    if (!this.rule) return;
    this.rule.setAttribute("transform", `translate(${this.x(size)} 0)`);
    this.rows.forEach((row, n) => {
      const transform = `translate(${this.x(row.size)} ${this.y(row.tokens)})`;
      this.spots[n].setAttribute("transform", transform);
    });
  }
}

// ---- costs ----

/** @type {[number, string][]} */
const UNITS = [[1e9, "GB"], [1e6, "MB"], [1e3, "kB"], [1, "bytes"]];

function memory(/** @type {number} */ bytes) {
  const [unit, name] = UNITS.find(([size]) => bytes >= size) ?? UNITS.at(-1);
  return `${(bytes / unit).toLocaleString("en-US", { maximumSignificantDigits: 3 })} ${name}`;
}

/**
 * What size_message.py sends for all tokenizers.
 * @typedef {{ width: number, precision: string, bytes: number, words: number }} Header
 */

class Costs {
  constructor(/** @type {Row[]} */ rows) {
    this.rows = rows;
    const names = ["tokenizer", "parameters, ids · d", "memory", "pairs, T²"];
    const heads = names.map((name) => headCell("col", "", name));
    this.memory = heads[2];
    this.cells = rows.map(() => [0, 1, 2].map(() => make("td")));
    const lines = rows.map(({ kind }, n) => make("tr", "", headCell("row", "", kind.name), ...this.cells[n]));
    const caption = "What this size costs: an embedding, and attention";
    this.table = makeTable("costs", [caption], heads, make("tbody", "", ...lines));
  }

  show(/** @type {Header} */ { width, precision, bytes }) {
    this.memory.textContent = `in ${precision}`;
    this.rows.forEach(({ size, tokens, kind }, n) => {
      const ids = size + kind.extraIds;
      const parameters = ids * width;
      const texts = [
        `${shown(ids)} · ${shown(width)} = ${shown(parameters)}`,
        memory(parameters * bytes),
        `${shown(tokens)}² = ${shown(tokens * tokens)}`,
      ];
      this.cells[n].forEach((cell, i) => (cell.textContent = texts[i]));
    });
  }
}
