// The vocabulary-size slider: one text, split at the selected size by several tokenizers.
// Python sends every distinct word once, with its changes between sizes (size_message.py). A move
// applies the changes in between, forwards or backwards, and updates only the words that differ.
// The slider and the curves have the same logarithmic scale: equal distances are equal factors.

/** `packed` has a Kind for each tokenizer. @typedef {Header & { content: string, state: [revision: number, size: number], packed: Bytes[] }} Message */
/** @typedef {(name: string, value: unknown) => void} SetState */
/** @typedef {{ target: Block, isIntersecting: boolean }} Seen */

const DEBOUNCE_MS = 250; // without a move, before the size is sent to Python and read out
const FINE = 10_000; // positions of the slider; each shows the nearest smaller size
const PAGE = 0.1; // of the scale, for PageUp and PageDown

// ---- the component ----

class SizeSlider {
  constructor(/** @type {ShadowRoot} */ parent) {
    this.root = /** @type {HTMLElement} */ (parent.querySelector(".sizes"));
    /** @param {string} name @returns {HTMLElement} */
    this.find = (name) => this.root.querySelector(`.${name}`);
    this.slider = /** @type {HTMLInputElement} */ (this.find("slider"));
    this.slider.max = `${FINE}`;
    this.slider.oninput = () => this.onSlide();
    this.slider.onkeydown = (event) => this.press(event);
    this.find("less").onclick = () => this.go(this.at - 1);
    this.find("larger").onclick = () => this.go(this.at + 1);
    this.find("bar").append(presentButton());
    /** @type {SyncedState<number>} */
    this.size = syncedState("sizes");
    /** @type {Message | undefined} */
    this.opening = undefined; // the message whose content is shown
  }

  async receive(/** @type {Message} */ message, /** @type {SetState} */ setState) {
    const { content, state, packed, ...header } = message;
    this.header = header;
    this.setState = setState;
    const isSet = this.size.adopt(content, state);
    if (isSet || !this.opening) {
      const opening = (this.opening = message);
      const opened = await Promise.all(packed.map(inflate));
      if (opening !== this.opening) return; // a newer message has arrived
      clearTimeout(this.timer);
      this.open(opened);
      /** @type {number} */
      this.at = indexUpTo(this.sizes, this.size.value);
    }
    if (this.rows) this.paint();
  }

  open(/** @type {Kind[]} */ kinds) {
    const sizes = [...new Set(kinds.flatMap((kind) => kind.sizes))].sort((a, b) => a - b);
    this.sizes = sizes;
    const [low, high] = [sizes[0], sizes.at(-1)];
    /** @param {number} size */
    const scale = (size) => (low < high ? Math.log(size / low) / Math.log(high / low) : 0);
    this.scale = Object.assign(scale, { low, high });
    this.rows = kinds.map((kind, n) => new Row(kind, n));
    const title = this.finding(kinds[0]);
    this.curves = new Curves(this.rows, this.scale, title, (share) => this.go(this.indexAt(share)));
    this.costs = new Costs(this.rows);
    /** @type {number} */
    this.wide = 0;
    this.find("rows").replaceChildren(...this.rows.map(({ section }) => section));
    this.find("side").replaceChildren(this.curves.figure, this.costs.table);
    this.find("low").textContent = shown(low);
    this.find("high").textContent = shown(high);
    this.root.hidden = false;
    markPainted(this.root);
    const arrange = () => {
      this.reserve(true);
      this.curves.fit();
    };
    presentPicture(this.root, arrange);
    this.curves.fit();
    this.sight?.disconnect();
    this.sight = new IntersectionObserver((seen) => this.updateSight(seen));
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

  /** Draws the blocks that have become visible. */
  updateSight(/** @type {Seen[]} */ seen) {
    for (const { target, isIntersecting } of seen) {
      target.isInSight = isIntersecting;
      if (isIntersecting) target.row.refresh(target);
    }
  }

  /** Reserves the largest height of every row, so that nothing jumps while the slider moves. */
  reserve(isAnew = false) {
    const wide = this.find("rows").clientWidth;
    if ((wide === this.wide && !isAnew) || !wide) return;
    this.wide = wide;
    for (const row of this.rows) row.reserve(this.header.words);
  }

  /** The finding of the first curve, as the title of all. */
  finding(/** @type {Kind} */ { name, sizes, tokens }) {
    const [few, lots] = [shown(sizes[0]), shown(sizes.at(-1))];
    const last = shown(tokens.at(-1));
    return `${name}: ${countOf(tokens[0], "token")} with ${few} pieces, ${last} with ${lots}`;
  }

  // -- moving

  onSlide() {
    const wanted = this.indexAt(Number(this.slider.value) / FINE);
    // Where sizes are far apart, a screen reader's single step still changes the size.
    const nudge = Number(this.slider.value) - this.painted;
    this.go(wanted === this.at && Math.abs(nudge) <= 1 ? this.at + Math.sign(nudge) : wanted);
  }

  /** The index of the size at a share of the scale, clamped to its ends. */
  indexAt(/** @type {number} */ share) {
    const { low, high } = this.scale;
    return indexUpTo(this.sizes, low * (high / low) ** share + 0.5);
  }

  press(/** @type {KeyboardEvent} */ event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const share = this.scale(this.sizes[this.at]);
    /** @type {Record<string, () => number>} */
    const targets = {
      ArrowLeft: () => this.at - 1,
      ArrowDown: () => this.at - 1,
      ArrowRight: () => this.at + 1,
      ArrowUp: () => this.at + 1,
      PageDown: () => Math.min(this.indexAt(share - PAGE), this.at - 1),
      PageUp: () => Math.max(this.indexAt(share + PAGE), this.at + 1),
      Home: () => 0,
      End: () => this.sizes.length - 1,
    };
    const target = targets[event.key];
    if (!target) return; // not false, which would keep Tab from leaving the slider
    event.preventDefault();
    this.go(target());
  }

  go(/** @type {number} */ at) {
    const next = Math.min(Math.max(at, 0), this.sizes.length - 1);
    if (next === this.at) return this.schedulePaint();
    this.at = next;
    this.size.value = this.sizes[next];
    this.schedulePaint();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.report(), DEBOUNCE_MS);
  }

  report() {
    const announcements = this.rows.map((row) => row.announcement);
    this.find("announcement").textContent = [this.sentence(), ...announcements].join(" ");
    this.size.report((report) => this.setState("size", report));
  }

  /** The number of tokens of every tokenizer at this size. */
  sentence() {
    const size = this.sizes[this.at];
    const parts = this.rows.map((row, n) => {
      const by = row.size === size ? "" : ` (${countOf(row.size, "piece")})`;
      const into = n ? `into ${shown(row.tokens)}` : `splits the text into ${countOf(row.tokens, "token")}`;
      // A split with unknown tokens is short without being good, so name them.
      return `${row.kind.name}${by} ${into}${row.hasUnknown ? " ([UNK] among them)" : ""}`;
    });
    return `${countOf(size, "piece")}: ${parts.join(", ")}.`;
  }

  // -- painting

  schedulePaint() {
    if (this.isPainting) return;
    this.isPainting = true;
    requestAnimationFrame(() => {
      this.isPainting = false;
      this.paint();
    });
  }

  paint() {
    const size = this.sizes[this.at];
    const scale = this.scale(size);
    this.painted = Math.round(FINE * scale);
    this.slider.value = `${this.painted}`;
    this.slider.style.setProperty("--done", scale);
    this.slider.setAttribute("aria-valuetext", countOf(size, "piece"));
    this.find("size").textContent = shown(size);
    for (const row of this.rows) row.show(size, this.header.words);
    this.find("sentence").textContent = this.sentence();
    this.curves.show(size);
    this.costs.show(this.header);
    this.root.dataset.size = `${size}`;
  }
}

// ---- the keyboard: keys pressed outside any focused element move the slider ----

/** By mounting element. @type {Map<ShadowRoot, SizeSlider>} */
const sliders = new Map();

/** @param {KeyboardEvent} event @returns {void} */
function press(event) {
  const isFree = event.composedPath()[0] === document.body;
  if (!isFree || event.defaultPrevented || !/^Arrow(Left|Right)$|^Home$|^End$/.test(event.key)) return;
  for (const [parent, slider] of sliders) {
    if (!slider.root.isConnected) sliders.delete(parent);
    else if (slider.rows) return slider.press(event);
  }
}

/** @param {{ data: Bytes | Message, parentElement: ShadowRoot, setStateValue: SetState }} given */
export default function ({ data, parentElement, setStateValue }) {
  if (!sliders.has(parentElement)) sliders.set(parentElement, new SizeSlider(parentElement));
  document.removeEventListener("keydown", press);
  document.addEventListener("keydown", press);
  sliders.get(parentElement).receive(readMessage(data), setStateValue);
}
