// The reference code beside the picture: the lines that a step executed, each with its result.
// A step shows all of them and highlights the last; "next line" goes through them one at a time. The
// results come from Python (pages/shared/recording/code.py).

const WORDS = /\b(def|for|in|while|if|else|not|yield|return|lambda|True)\b|(#.*$)|("[^"]*")/g;
const SHORT = 16; // more lines leave no room for a result on each in presenter view
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
  let [index, isMasked, isStarting] = [0, false, false];

  function paint() {
    const shown = isMasked ? executed.slice(0, 1) : executed.slice(0, index + 1);
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
  /** Highlights the next line; false at the last line of the step. */
  function advance() {
    if (isMasked || index + 1 >= executed.length) return false;
    index += 1;
    paint();
    player.announce(rows[executed[index][0]].row.textContent);
    return true;
  }
  /** Lets the next step begin at its first line. */
  function start() {
    isStarting = true;
  }
  function draw(/** @type {CodeFrame} */ value, /** @type {boolean} */ masked) {
    isMasked = masked;
    if (value.executed !== executed || masked) index = isStarting ? 0 : value.executed.length - 1;
    if (!masked) isStarting = false;
    executed = value.executed;
    paint();
  }
  return { node, draw, advance, start, side: "code" };
}

class Coding extends Painting {
  /** The part that shows the code; none in a lesson, whose question it would answer. */
  get listing() {
    const { hasPredictions, parts } = /** @type {Player} */ (/** @type {unknown} */ (this));
    return hasPredictions ? parts.find((part) => part.advance) : undefined;
  }

  /**
   * Sets up the controls for the code of a new recording, shown if it was before or by the URL.
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

  /** Goes to the next line, and from the last line to the next step. @this {Player} */
  nextLine() {
    this.stop();
    if (!this.isCoded || this.listing.advance()) return;
    if (this.at < this.limit && !this.question) this.listing.start();
    this.forward();
  }
}
