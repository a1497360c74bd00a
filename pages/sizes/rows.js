// The rows of the vocabulary-size scrubber: the words of the text, as one tokenizer cuts them at the
// size that is shown. Before figures.js and size_slider.js: together they are one script.

/**
 * What one tokenizer makes of the text at all its sizes, and each word of it (size_message.py). `at` and
 * `born` are the number of a size; -1 of what is unknown.
 * @typedef {[symbols: string[], cuts: number[], changes: Change[], isUnknown: boolean]} SentWord
 * @typedef {[at: number, positions: number[]]} Change
 * @typedef {[text: string, tint: number, born: number]} Piece
 * @typedef {{
 *   name: string, legend: string, published: boolean, mark: string, shrinks: boolean, beyond: number,
 *   sizes: number[], tokens: number[], new: [piece: string, count: number][], tints: number[],
 *   places: number[], pieces: [token: string, ...piece: Piece][], words: SentWord[], text: number[],
 *   more: number,
 * }} Kind
 */

/**
 * The elements of a token, of a word and of a block of words.
 * @typedef {{ token?: string } & Element} Tile
 * @typedef {{
 *   children: HTMLCollectionOf<Tile>, word?: Word, block?: Block, isStale?: boolean,
 * } & Element} Place
 * @typedef {{ children: HTMLCollectionOf<Place>, row?: Row, isInSight?: boolean } & Element} Block
 */

const BLOCK = [200, 400]; // symbols of a block of words: from the first on it may end with a sentence

const shown = (/** @type {number} */ number) => number.toLocaleString("en-US");
/** @param {number} number @param {string} noun */
const many = (number, noun) => `${shown(number)} ${noun}${number === 1 ? "" : "s"}`;

/** @param {string} text @param {number} tint @param {boolean} isNew */
function tile(text, tint, isNew) {
  return make("bdi", isNew ? `tile t${tint} new` : `tile t${tint}`, text);
}

/** The place of the last of the rising `sizes` up to `wanted`, or 0. */
/** @param {number[]} sizes @param {number} wanted */
function placeOf(sizes, wanted) {
  let low = 0;
  let high = sizes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sizes[middle] <= wanted) low = middle + 1;
    else high = middle;
  }
  return Math.max(low - 1, 0);
}

// ---- one tokenizer: its words, as they are cut now, and their tiles ----

class Word {
  constructor(/** @type {SentWord} */ [symbols, cuts, changes, isUnknown]) {
    this.symbols = symbols;
    this.changes = changes;
    this.isUnknown = isUnknown;
    this.cuts = new Set(cuts);
    this.done = 0;
    this.places = /** @type {Place[]} */ ([]);
  }

  /** Cuts the word as it is at size number `at`; tells whether that is another cut. */
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

  /** The size number from which on the word is cut as it is now. */
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
    this.text.dir = "auto"; // the words follow each other as the text is written
    this.text.tabIndex = 0; // a long text scrolls, by keys too
    this.text.setAttribute("role", "group");
    this.text.setAttribute("aria-label", `tokens by ${kind.name}`);
    this.blocks = this.inBlocks(kind.text.map((n) => this.words[n]));
    this.text.append(...this.blocks);
    if (kind.more) this.text.append(make("span", "more", "…"));
    const name = make("h2", "", sample(number), kind.name);
    const head = make("div", "head", name, this.figures);
    this.section = make("section", "row", head, this.note, this.text);
  }

  /** Blocks of words. Only those in sight are drawn: the rest follows when it is scrolled to. */
  inBlocks(/** @type {Word[]} */ words) {
    const blocks = /** @type {Block[]} */ ([]);
    let room = 0;
    let hasEnded = false;
    for (const word of words) {
      if (room <= 0 || (hasEnded && room <= BLOCK[1] - BLOCK[0])) {
        blocks.push(make("div", "block empty"));
        room = BLOCK[1];
      }
      const place = make("span", "word");
      Object.assign(place, { word, block: blocks.at(-1), isStale: true });
      blocks.at(-1).append(place);
      word.places.push(place);
      room -= word.symbols.length;
      hasEnded = /[.!?。！？।]/.test(word.symbols.join(""));
    }
    return blocks;
  }

  /** Keeps the room that the text takes at the smallest size, where it has the most tokens. */
  reserve(/** @type {number} */ words) {
    const size = this.wanted ?? this.kind.sizes[0];
    this.text.style.minHeight = "";
    this.show(this.kind.sizes[0], words);
    if (this.blocks.length) this.refresh(this.blocks[0]);
    this.text.style.minHeight = `${this.text.offsetHeight}px`;
    this.show(size, words);
  }

  /** Shows the text as it is cut at the largest size on record up to `size`. */
  show(/** @type {number} */ size, /** @type {number} */ words) {
    const { kind } = this;
    const at = placeOf(kind.sizes, size);
    this.wanted = size;
    this.say(size, at, words);
    if (at === this.at) return;
    this.at = at;
    for (const old of this.marked) old.classList.remove("new");
    this.marked = [];
    for (const word of this.words) {
      const isCutAnew = word.cutAt(at);
      if (!isCutAnew && word.since !== at) continue; // neither another cut, nor a piece to outline
      for (const place of word.places) {
        place.isStale ||= isCutAnew;
        if (place.block.isInSight) this.draw(place);
      }
    }
  }

  /** Draws what has changed in a block since it was in sight. */
  refresh(/** @type {Block} */ block) {
    block.classList.remove("empty");
    for (const place of block.children) this.draw(place);
  }

  draw(/** @type {Place} */ place) {
    const { word } = place;
    if (place.isStale) {
      place.isStale = false;
      const tokens = word.tokens(this.kind.mark);
      tokens.forEach((token, n) => this.drawToken(place, token, n));
      while (place.children.length > tokens.length) place.lastChild.remove();
    }
    if (this.at && word.since === this.at) this.outline(place);
  }

  drawToken(/** @type {Place} */ place, /** @type {string} */ token, /** @type {number} */ n) {
    /** @type {Tile} */
    const here = place.children[n] ?? place.appendChild(make("bdi", "", ""));
    if (here.token === token) return;
    const [text, tint, born] = this.pieces.get(token) ?? ["…", 6, 0];
    here.token = token;
    here.replaceChildren(...tokenNodes(text));
    here.className = born < 0 || place.word.isUnknown ? "tile unknown" : `tile t${tint}`;
  }

  /** Outlines the pieces that the size before has not. */
  outline(/** @type {Place} */ place) {
    for (const here of place.children) {
      if (this.pieces.get(here.token)?.[2] !== this.at) continue;
      here.classList.add("new");
      this.marked.push(here);
    }
  }

  say(/** @type {number} */ size, /** @type {number} */ at, /** @type {number} */ words) {
    const { kind } = this;
    const tokens = kind.tokens[at];
    // The merges of a published model can be cut off anywhere: between two sizes nothing changes.
    const isAnywhere = kind.published && size > kind.sizes[0];
    this.size = isAnywhere ? Math.min(size, kind.sizes.at(-1)) : kind.sizes[at];
    this.tokens = tokens;
    const each = (tokens / words).toFixed(2);
    this.figures.textContent =
      `${many(this.size, "piece")} · ${many(tokens, "token")} · ${each} tokens per word`;
    this.note.replaceChildren(...this.news(size, at));
  }

  /** What is to be said of this size: where it stands on record, and what is new. */
  news(/** @type {number} */ size, /** @type {number} */ at) {
    const { kind } = this;
    const [[piece, count], places] = [kind.new[at], kind.places[at]];
    const said = [];
    if (size < this.size) said.push("The smallest size on record. ");
    else if (size > this.size && at === kind.sizes.length - 1) said.push("The largest size on record. ");
    else if (kind.shrinks) said.push(`One of ${kind.sizes.length} sizes, all from one run that shrinks. `);
    else if (size > this.size) said.push("The nearest smaller size on record. ");
    const where = places ? `(in ${many(places, "place")}). ` : "(not used in this text). ";
    const since = kind.sizes[at] === this.size ? "" : ` at ${shown(kind.sizes[at])}`;
    if (at && kind.published && !places) said.push("No more merges change this text. ");
    else if (at && (count === 1 || kind.published)) said.push(`New${since}: `, tile(piece, kind.tints[at], true), ` ${where}`);
    else if (at && count) said.push(`${many(count, "piece")} more than at the size before ${where}`);
    else said.push("Only what it starts with. ");
    if (at && kind.published && places && count > 1) said.push(`${many(count - 1, "merge")} before it changed nothing here. `);
    if (kind.legend) said.push(`${kind.legend}. `);
    if (this.hasUnknown) said.push("Dashed: unknown, [UNK].");
    return said;
  }

  /** What is new, for those who hear it; nothing where it is not one piece. */
  get inWords() {
    const { kind, at } = this;
    const [[piece, count], places] = [kind.new[at], kind.places[at]];
    if (!at || (count !== 1 && !(kind.published && places))) return "";
    const where = places ? `occurs in ${many(places, "place")}` : "is not used in this text";
    return `New in ${kind.name} is ${piece}, which ${where}.`;
  }
}
