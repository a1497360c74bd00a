// The plain code beside the picture: the lines that a step has run, each with what it has made.
// A step shows them all, the last one lit; "next line" goes through them one at a time. What they
// have made was written in Python (pages/shared/recording/code.py).

const WORDS = /\b(def|for|in|while|if|else|not|yield|return|lambda|True)\b|(#.*$)|("[^"]*")/g;
const SHORT = 16; // lines that a hall can read with room kept for what each of them makes
const CLASSES = ["", "keyword", "comment", "string"]; // of the groups above

/** A line of Python as nodes: only textContent, never markup. @param {string} line */
function pythonOf(line) {
  const found = [];
  let end = 0;
  for (const match of line.matchAll(WORDS)) {
    const kind = CLASSES[match.findLastIndex((group) => group !== undefined)];
    found.push(line.slice(end, match.index), make("span", kind, match[0]));
    end = match.index + match[0].length;
  }
  return [...found, line.slice(end)];
}

/** @param {Recording} recording @param {CodeHead} part @param {Player} player @returns {PartView} */
function codePart(recording, part, player) {
  const caption = make("p", "caption", part.caption);
  const next = make("button", "next-line", "next line ", make("kbd", "", "L"));
  next.type = "button";
  next.onclick = () => player.nextLine();
  const rows = part.code.map(([line, isValued]) => {
    const value = make("span", isValued ? "made valued" : "made");
    const row = make("li", "", make("code", "", ...pythonOf(line)), value);
    row.style.setProperty("--indent", line.search(/\S|$/));
    return { row, value };
  });
  const node = make("div", "part listing", make("div", "head", caption, next));
  const list = make("ol", rows.length > SHORT ? "lines many" : "lines", ...rows.map(({ row }) => row));
  node.append(list);
  let executed = /** @type {CodeFrame["executed"]} */ ([]);
  let [place, isMasked, isStarting] = [0, false, false];

  function paint() {
    const shown = isMasked ? executed.slice(0, 1) : executed.slice(0, place + 1);
    const lit = shown.at(-1)?.[0];
    rows.forEach(({ row, value }, number) => {
      const isLit = number === lit;
      row.classList.toggle("lit", isLit);
      if (isLit) row.setAttribute("aria-current", "step");
      else row.removeAttribute("aria-current");
      const made = isMasked ? undefined : shown.findLast(([line]) => line === number)?.[1];
      row.classList.toggle("ran", made !== undefined);
      value.replaceChildren(...(made?.length ? ["→ ", ...nodes(recording, made, null)] : []));
    });
  }
  /** Goes on by a line; false at the last one of the step. */
  function advance() {
    if (isMasked || place + 1 >= executed.length) return false;
    place += 1;
    paint();
    player.announce(rows[executed[place][0]].row.textContent);
    return true;
  }
  /** Begins the step that is drawn next at its first line. */
  function start() {
    isStarting = true;
  }
  function draw(/** @type {CodeFrame} */ value, /** @type {boolean} */ masked) {
    isMasked = masked;
    if (value.executed !== executed || masked) place = isStarting ? 0 : value.executed.length - 1;
    if (!masked) isStarting = false;
    executed = value.executed;
    paint();
  }
  return { node, draw, advance, start, side: "code" };
}

class Coding extends Painting {
  /** The part that shows the code; a lesson has none, for the lines would answer its question. */
  get listing() {
    const { mayAsk, parts } = /** @type {Player} */ (/** @type {unknown} */ (this));
    return mayAsk ? parts.find((part) => part.advance) : undefined;
  }

  /**
   * Offers the code of a new recording, and shows it where it is wanted: here, or by the address.
   * @this {Player}
   */
  drawCode() {
    this.find("codes").hidden = !this.listing;
    this.find("codes").onclick = () => this.setCode(!this.isCoded);
    this.find("code-too").onclick = () => this.setCode(!this.isCoded);
    this.find("code-too").hidden = !this.listing;
    this.find("line").onclick = () => this.nextLine();
    this.wantsCode ??= isSwitchedOn("lines");
    this.markCode();
  }

  get isCoded() {
    return Boolean(this.wantsCode && this.listing);
  }

  /** @this {Player} */
  markCode() {
    this.find("codes").setAttribute("aria-pressed", this.isCoded);
    this.root.classList.toggle("coded", this.isCoded);
  }

  /** @this {Player} */
  setCode(/** @type {boolean} */ isOn) {
    this.wantsCode = isOn && Boolean(this.listing);
    this.setSwitch("lines", this.isCoded);
    this.markCode();
    this.layOut();
    this.schedulePaint();
  }

  /** Goes on by a line of the code, and from the last one to the next step. @this {Player} */
  nextLine() {
    this.stop();
    if (!this.isCoded || this.listing.advance()) return;
    if (this.at < this.limit && !this.question) this.listing.start();
    this.forward();
  }
}
