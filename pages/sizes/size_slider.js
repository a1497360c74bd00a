// The vocabulary-size scrubber: one text, cut up at the size under the thumb by several tokenizers.
// Python sends every distinct word once, with its changes from size to size (size_message.py). A move
// goes through the changes in between, forwards or backwards, and touches only the words that differ.
// The slider and the curves have the same logarithmic scale: equal distances are equal factors.

/** Each film is a packed Kind. @typedef {Header & { key: string, at: number, films: Bytes[] }} Message */
/** @typedef {(name: string, value: unknown) => void} Tell */
/** @typedef {{ target: Block, isIntersecting: boolean }} Seen */

const REST = 250; // milliseconds without a move after which the size is told to Python, and read out
const FINE = 10_000; // positions of the slider: a size is the nearest smaller one
const PAGE = 0.1; // of the way, for PageUp and PageDown

// ---- all of it ----

class Scrubber {
  constructor(/** @type {ShadowRoot} */ parent) {
    this.root = /** @type {HTMLElement} */ (parent.querySelector(".sizes"));
    /** @param {string} name @returns {HTMLElement} */
    this.find = (name) => this.root.querySelector(`.${name}`);
    this.slider = /** @type {HTMLInputElement} */ (this.find("slider"));
    this.slider.max = `${FINE}`;
    this.slider.oninput = () => this.slid();
    this.slider.onkeydown = (event) => this.press(event);
    this.find("less").onclick = () => this.go(this.at - 1);
    this.find("larger").onclick = () => this.go(this.at + 1);
  }

  async receive(/** @type {Message} */ message, /** @type {Tell} */ tell) {
    const { key, at, films, ...header } = message;
    this.header = header;
    this.tell = tell;
    this.root.classList.toggle("large", header.large);
    if (key !== this.key) {
      /** @type {string} */
      this.key = key;
      const opened = await Promise.all(films.map(inflate));
      if (key !== this.key) return; // another one has come meanwhile
      clearTimeout(this.timer);
      this.open(opened);
      /** @type {number} */
      this.at = placeOf(this.sizes, at);
    }
    if (this.rows) this.paint();
  }

  open(/** @type {Kind[]} */ kinds) {
    const sizes = [...new Set(kinds.flatMap((kind) => kind.sizes))].sort((a, b) => a - b);
    this.sizes = sizes;
    const [low, high] = [sizes[0], sizes.at(-1)];
    /** @param {number} size */
    const way = (size) => (low < high ? Math.log(size / low) / Math.log(high / low) : 0);
    this.way = Object.assign(way, { low, high });
    this.rows = kinds.map((kind, n) => new Row(kind, n));
    const title = this.finding(kinds[0]);
    this.curves = new Curves(this.rows, this.way, title, (share) => this.go(this.placeAt(share)));
    this.costs = new Costs(this.rows);
    /** @type {number} */
    this.wide = 0;
    this.find("rows").replaceChildren(...this.rows.map(({ section }) => section));
    this.find("beside").replaceChildren(this.curves.figure, this.costs.table);
    this.find("low").textContent = shown(low);
    this.find("high").textContent = shown(high);
    this.root.hidden = false;
    markPainted(this.root);
    this.curves.fit();
    this.sight?.disconnect();
    this.sight = new IntersectionObserver((seen) => this.see(seen));
    for (const row of this.rows) {
      for (const block of row.blocks) {
        block.row = row;
        this.sight.observe(block);
      }
    }
    this.room?.disconnect();
    this.room = new ResizeObserver(() => this.reserve());
    this.room.observe(this.find("rows"));
  }

  /** Draws the blocks that have come into sight. */
  see(/** @type {Seen[]} */ seen) {
    for (const { target, isIntersecting } of seen) {
      target.isInSight = isIntersecting;
      if (isIntersecting) target.row.refresh(target);
    }
  }

  /** Nothing jumps while the slider moves: every row has the room that it ever needs. */
  reserve() {
    const wide = this.find("rows").clientWidth;
    if (wide === this.wide || !wide) return;
    this.wide = wide;
    for (const row of this.rows) row.reserve(this.header.words);
  }

  /** What the first curve shows, as the title of them all. */
  finding(/** @type {Kind} */ { name, sizes, tokens }) {
    const [few, lots] = [shown(sizes[0]), shown(sizes.at(-1))];
    const last = shown(tokens.at(-1));
    return `${name}: ${many(tokens[0], "token")} with ${few} pieces, ${last} with ${lots}`;
  }

  // -- moving

  slid() {
    const wanted = this.placeAt(Number(this.slider.value) / FINE);
    // Where sizes are far apart, one step of a screen reader's is still a step.
    const nudge = Number(this.slider.value) - this.painted;
    this.go(wanted === this.at && Math.abs(nudge) <= 1 ? this.at + Math.sign(nudge) : wanted);
  }

  /** The place of the size at a share of the way; beyond its ends, that of the last one there. */
  placeAt(/** @type {number} */ share) {
    const { low, high } = this.way;
    return placeOf(this.sizes, low * (high / low) ** share + 0.5);
  }

  press(/** @type {KeyboardEvent} */ event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const share = this.way(this.sizes[this.at]);
    /** @type {Record<string, () => number>} */
    const targets = {
      ArrowLeft: () => this.at - 1,
      ArrowDown: () => this.at - 1,
      ArrowRight: () => this.at + 1,
      ArrowUp: () => this.at + 1,
      PageDown: () => Math.min(this.placeAt(share - PAGE), this.at - 1),
      PageUp: () => Math.max(this.placeAt(share + PAGE), this.at + 1),
      Home: () => 0,
      End: () => this.sizes.length - 1,
    };
    const target = targets[event.key];
    if (!target) return; // nothing: false would keep Tab from leaving the slider
    event.preventDefault();
    this.go(target());
  }

  go(/** @type {number} */ at) {
    const next = Math.min(Math.max(at, 0), this.sizes.length - 1);
    if (next === this.at) return this.soon();
    this.at = next;
    this.soon();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.rest(), REST);
  }

  rest() {
    const news = this.rows.map((row) => row.inWords);
    this.find("announcement").textContent = [this.sentence(), ...news].join(" ");
    this.tell("size", [this.sizes[this.at], this.key]);
  }

  /** What every tokenizer makes of the text at this size. */
  sentence() {
    const size = this.sizes[this.at];
    const parts = this.rows.map((row, n) => {
      const by = row.size === size ? "" : ` (${many(row.size, "piece")})`;
      const into = n ? `into ${shown(row.tokens)}` : `splits the text into ${many(row.tokens, "token")}`;
      // One token for what is unknown is cheap, but no economy.
      return `${row.kind.name}${by} ${into}${row.hasUnknown ? " ([UNK] among them)" : ""}`;
    });
    return `${many(size, "piece")}: ${parts.join(", ")}.`;
  }

  // -- painting

  soon() {
    if (this.isPainting) return;
    this.isPainting = true;
    requestAnimationFrame(() => {
      this.isPainting = false;
      this.paint();
    });
  }

  paint() {
    const size = this.sizes[this.at];
    const way = this.way(size);
    this.painted = Math.round(FINE * way);
    this.slider.value = `${this.painted}`;
    this.slider.style.setProperty("--done", way);
    this.slider.setAttribute("aria-valuetext", many(size, "piece"));
    this.find("size").textContent = shown(size);
    for (const row of this.rows) row.show(size, this.header.words);
    this.find("sentence").textContent = this.sentence();
    this.curves.show(size);
    this.costs.show(this.header);
    this.root.dataset.size = `${size}`;
  }
}

// ---- the keyboard: keys that nothing else has the focus for move the slider ----

/** By the element that it was mounted in. @type {Map<ShadowRoot, Scrubber>} */
const scrubbers = new Map();

/** @param {KeyboardEvent} event @returns {void} */
function press(event) {
  const isFree = event.composedPath()[0] === document.body;
  if (!isFree || event.defaultPrevented || !/^Arrow(Left|Right)$|^Home$|^End$/.test(event.key)) return;
  for (const [parent, scrubber] of scrubbers) {
    if (!scrubber.root.isConnected) scrubbers.delete(parent);
    else if (scrubber.rows) return scrubber.press(event);
  }
}

/** @param {{ data: Bytes, parentElement: ShadowRoot, setStateValue: Tell }} given */
export default function ({ data, parentElement, setStateValue }) {
  if (!scrubbers.has(parentElement)) scrubbers.set(parentElement, new Scrubber(parentElement));
  document.removeEventListener("keydown", press);
  document.addEventListener("keydown", press);
  const [header, films] = splitMessage(data); // a film for every tokenizer
  scrubbers.get(parentElement).receive({ ...header, films }, setStateValue);
}
