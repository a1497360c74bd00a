// The rows of the vocabulary-size slider: the words of the text as one tokenizer splits them at the
// selected size. Loaded before figures.js and size_slider.js: together they are one script.

/**
 * One tokenizer's segmentation of the text at all its sizes, by word (size_message.py). `at` and
 * `firstIndex` are indices of sizes; -1 for an unknown token.
 * @typedef {[symbols: string[], cuts: number[], changes: Change[], isUnknown: boolean]} WordMessage
 * @typedef {[at: number, positions: number[]]} Change
 * @typedef {[text: string, tint: number, firstIndex: number]} Piece
 * @typedef {{
 *   name: string, legend: string, published: boolean, mark: string, shrinks: boolean, extraIds: number,
 *   sizes: number[], tokens: number[], new: [piece: string, count: number][], tints: number[],
 *   occurrences: number[], pieces: [token: string, ...piece: Piece][], words: WordMessage[], text: number[],
 *   more: number,
 * }} Kind
 */

/**
 * The elements of a token, of a word and of a block of words.
 * @typedef {{ token?: string } & Element} Tile
 * @typedef {{
 *   children: HTMLCollectionOf<Tile>, word?: Word, block?: Block, isStale?: boolean,
 * } & Element} WordElement
 * @typedef {{ children: HTMLCollectionOf<WordElement>, row?: Row, isInSight?: boolean } & Element} Block
 */

const BLOCK = [200, 400]; // symbols of a block of words: it ends with a sentence in this range

const shown = (/** @type {number} */ number) => number.toLocaleString("en-US");
/** @param {number} number @param {string} noun */
const countOf = (number, noun) => `${shown(number)} ${noun}${number === 1 ? "" : "s"}`;

/** @param {string} text @param {number} tint @param {boolean} isNew */
function tile(text, tint, isNew) {
  return make("bdi", isNew ? `tile t${tint} new` : `tile t${tint}`, text);
}

/** The index of the last of the rising `sizes` up to `wanted`, or 0. */
/** @param {number[]} sizes @param {number} wanted */
function indexUpTo(sizes, wanted) {
  let low = 0;
  let high = sizes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sizes[middle] <= wanted) low = middle + 1;
    else high = middle;
  }
  return Math.max(low - 1, 0);
}

// ---- one tokenizer: its words with their current cuts, and their tiles ----

class Word {
  constructor(/** @type {WordMessage} */ [symbols, cuts, changes, isUnknown]) {
    this.symbols = symbols;
    this.changes = changes;
    this.isUnknown = isUnknown;
    this.cuts = new Set(cuts);
    this.done = 0;
    this.elements = /** @type {WordElement[]} */ ([]);
  }

  /** Sets the cuts of size number `at`; returns whether they changed. */
  cutAt(/** @type {number} */ at) {
    const before = this.done;
    while (this.done < this.changes.length && this.changes[this.done][0] <= at) {
      this.toggle(this.changes[this.done++][1]);
    }
    while (this.done && this.changes[this.done - 1][0] > at) this.toggle(this.changes[--this.done][1]);
    return this.done !== before;
  }

  toggle(/** @type {number[]} */ positions) {
    for (const position of positions) {
      if (!this.cuts.delete(position)) this.cuts.add(position);
    }
  }

  /** The number of the first size with the current cuts. */
  get since() {
    return this.done ? this.changes[this.done - 1][0] : 0;
  }

  tokens(/** @type {string} */ mark) {
    const ends = [...this.cuts].sort((a, b) => a - b);
    ends.push(this.symbols.length);
    let start = 0;
    return ends.map((end) => {
      const token = (start ? mark : "") + this.symbols.slice(start, end).join("");
      start = end;
      return token;
    });
  }
}

class Row {
  constructor(/** @type {Kind} */ kind, /** @type {number} */ number) {
    this.kind = kind;
    this.at = -1;
    this.marked = /** @type {Tile[]} */ ([]);
    this.pieces = new Map(kind.pieces.map(([token, ...rest]) => [token, rest]));
    this.words = kind.words.map((word) => new Word(word));
    this.hasUnknown = kind.words.some((word) => word[3]) || kind.pieces.some((piece) => piece[3] < 0);
    this.figures = make("span", "figures");
    this.note = make("p", "note");
    this.text = make("div", "text");
    this.text.dir = "auto"; // the direction of the text orders the words
    this.text.tabIndex = 0; // a long text scrolls, also by keyboard
    this.text.setAttribute("role", "group");
    this.text.setAttribute("aria-label", `tokens by ${kind.name}`);
    this.blocks = this.inBlocks(kind.text.map((n) => this.words[n]));
    this.text.append(...this.blocks);
    if (kind.more) this.text.append(make("span", "more", "…"));
    const name = make("h2", "", sample(number), kind.name);
    const head = make("div", "head", name, this.figures);
    this.section = make("section", "row", head, this.note, this.text);
  }

  /** Returns blocks of words. Only visible ones are drawn, the others when scrolled to. */
  inBlocks(/** @type {Word[]} */ words) {
    const blocks = /** @type {Block[]} */ ([]);
    let room = 0;
    let hasEnded = false;
    for (const word of words) {
      if (room <= 0 || (hasEnded && room <= BLOCK[1] - BLOCK[0])) {
        blocks.push(make("div", "block empty"));
        room = BLOCK[1];
      }
      const element = make("span", "word");
      Object.assign(element, { word, block: blocks.at(-1), isStale: true });
      blocks.at(-1).append(element);
      word.elements.push(element);
      room -= word.symbols.length;
      hasEnded = /[.!?。！？।]/.test(word.symbols.join(""));
    }
    return blocks;
  }

  /** Reserves the height of the text at the smallest size, where it has the most tokens. */
  reserve(/** @type {number} */ words) {
    const size = this.wanted ?? this.kind.sizes[0];
    this.text.style.minHeight = "";
    this.show(this.kind.sizes[0], words);
    if (this.blocks.length) this.refresh(this.blocks[0]);
    this.text.style.minHeight = `${this.text.offsetHeight}px`;
    this.show(size, words);
  }

  /** Shows the text as split at the largest recorded size up to `size`. */
  show(/** @type {number} */ size, /** @type {number} */ words) {
    const { kind } = this;
    const at = indexUpTo(kind.sizes, size);
    this.wanted = size;
    this.updateHead(size, at, words);
    if (at === this.at) return;
    this.at = at;
    for (const old of this.marked) old.classList.remove("new");
    this.marked = [];
    for (const word of this.words) {
      const isCutAnew = word.cutAt(at);
      if (!isCutAnew && word.since !== at) continue; // neither changed cuts, nor a piece to outline
      for (const element of word.elements) {
        element.isStale ||= isCutAnew;
        if (element.block.isInSight) this.draw(element);
      }
    }
  }

  /** Draws what has changed in a block since it was visible. */
  refresh(/** @type {Block} */ block) {
    block.classList.remove("empty");
    for (const element of block.children) this.draw(element);
  }

  draw(/** @type {WordElement} */ element) {
    const { word } = element;
    if (element.isStale) {
      element.isStale = false;
      const tokens = word.tokens(this.kind.mark);
      tokens.forEach((token, n) => this.drawToken(element, token, n));
      while (element.children.length > tokens.length) element.lastChild.remove();
    }
    if (this.at && word.since === this.at) this.outline(element);
  }

  drawToken(/** @type {WordElement} */ element, /** @type {string} */ token, /** @type {number} */ n) {
    /** @type {Tile} */
    const here = element.children[n] ?? element.appendChild(make("bdi", "", ""));
    if (here.token === token) return;
    const [text, tint, firstIndex] = this.pieces.get(token) ?? ["…", 6, 0];
    here.token = token;
    here.replaceChildren(...tokenNodes(text));
    here.className = firstIndex < 0 || element.word.isUnknown ? "tile unknown" : `tile t${tint}`;
  }

  /** Outlines the pieces that the size before does not have. */
  outline(/** @type {WordElement} */ element) {
    for (const here of element.children) {
      if (this.pieces.get(here.token)?.[2] !== this.at) continue;
      here.classList.add("new");
      this.marked.push(here);
    }
  }

  updateHead(/** @type {number} */ size, /** @type {number} */ at, /** @type {number} */ words) {
    const { kind } = this;
    const tokens = kind.tokens[at];
    // A published model's merges can be cut off anywhere: between two sizes nothing changes.
    const isAnywhere = kind.published && size > kind.sizes[0];
    this.size = isAnywhere ? Math.min(size, kind.sizes.at(-1)) : kind.sizes[at];
    this.tokens = tokens;
    const each = (tokens / words).toFixed(2);
    this.figures.textContent =
      `${countOf(this.size, "piece")} · ${countOf(tokens, "token")} · ${each} tokens per word`;
    this.note.replaceChildren(...this.noteParts(size, at));
  }

  /** The note on this size: its relation to recorded sizes, and what is new. */
  noteParts(/** @type {number} */ size, /** @type {number} */ at) {
    const { kind } = this;
    const [[piece, count], occurrences] = [kind.new[at], kind.occurrences[at]];
    const parts = [];
    if (size < this.size) parts.push("The smallest size on record. ");
    else if (size > this.size && at === kind.sizes.length - 1) parts.push("The largest size on record. ");
    else if (kind.shrinks) parts.push(`One of ${kind.sizes.length} sizes, all from one run that shrinks. `);
    else if (size > this.size) parts.push("The nearest smaller size on record. ");
    const where = occurrences ? `(in ${countOf(occurrences, "place")}). ` : "(not used in this text). ";
    const since = kind.sizes[at] === this.size ? "" : ` at ${shown(kind.sizes[at])}`;
    if (at && kind.published && !occurrences) parts.push("No more merges change this text. ");
    else if (at && (count === 1 || kind.published)) parts.push(`New${since}: `, tile(piece, kind.tints[at], true), ` ${where}`);
    else if (at && count) parts.push(`${countOf(count, "piece")} more than at the size before ${where}`);
    else parts.push("Only what it starts with. ");
    if (at && kind.published && occurrences && count > 1) parts.push(`${countOf(count - 1, "merge")} before it changed nothing here. `);
    if (kind.legend) parts.push(`${kind.legend}. `);
    if (this.hasUnknown) parts.push("Dashed: unknown, [UNK].");
    return parts;
  }

  /** The new piece, for screen readers; "" unless it is a single one. */
  get announcement() {
    const { kind, at } = this;
    const [[piece, count], occurrences] = [kind.new[at], kind.occurrences[at]];
    if (!at || (count !== 1 && !(kind.published && occurrences))) return "";
    const where = occurrences ? `occurs in ${countOf(occurrences, "place")}` : "is not used in this text";
    return `New in ${kind.name} is ${piece}, which ${where}.`;
  }
}
