// The E step as a picture: the lattices of a few words, and from each arc a flow, as thick as its
// share times the count of its word, into the bar of its piece; beside it the log-likelihood.
// Between two steps only the thickness of flows and the length of bars change.
// flow_layout.js has the layout.

/** With spaces between them, for those who hear it. @param {(Node | string)[]} parts */
const spaced = (parts) => parts.flatMap((part) => [part, " "]);

/**
 * The segmentations of a word, those through its arc `n` lit, and the arc's share of them.
 * @param {Recording} recording @param {string} word
 * @param {FlowWays} ways @param {FlowArcFrame} arc @param {number} n
 */
function waysNodes(recording, word, [ways, unit, total, rest], [amount, , product, , , quotient], n) {
  const row = (/** @type {Node | string} */ way, /** @type {string} */ probability, mark = "") =>
    make("tr", mark && "lit", make("td", "", mark, " "), make("td", "", way, " "), make("td", "kind-number", probability, " "));
  const rows = ways.map(([arcs, pieces, probability]) =>
    row(make("div", "tokens", ...spaced(nodes(recording, pieces, null))), probability, arcs.includes(n) ? "✓" : ""),
  );
  if (rest.length) rows.push(row(...rest));
  const caption = ["Ways to split ", make("i", "", make("bdi", "", word)), `, with their probabilities${unit && ` (${unit})`}`];
  return [
    makeTable("ways", caption, [], make("tbody", "", ...rows, row("all ways", total))),
    make("p", "", "Share = ✓ / all = ", make("b", "", quotient), ". "),
    make("p", "", `Expected from this word: ${product} = ${shown(amount)}`),
  ];
}

class FlowPart extends FlowLayout {
  side = "across";
  share = 0.8; // of the window's height in presenter view
  /** The piece selected by the learner. @type {number | null} */
  chosen = null;
  shown = /** @type {FlowFrame | undefined} */ (undefined); // the current frame
  isMasked = false;

  /** @param {Recording} recording @param {FlowHead} part @param {Player} player */
  constructor(recording, part, player) {
    super();
    this.recording = recording;
    this.part = part;
    this.player = player;
    this.svg = drawn("svg");
    this.svg.setAttribute("aria-hidden", "true");
    this.layers = ["ribbons", "arches", "line"].map((name) => drawn("g", name));
    this.svg.append(...this.layers);
    this.words = part.words.map((word, w) => this.wordOf(word, w));
    this.bars = part.pieces.map((number, i) => this.barOf(recording.head.tokens[number], i));
    this.heads = [make("span", "head", "count × share"), make("span", "head"), make("span", "head of-numbers")];
    this.rest = make("span", "rest");
    this.curve = {
      title: make("span", "head", part.curveTitle),
      value: make("span", "likelihood"),
      line: drawn("path", "curve"),
      dots: part.curve.map(() => drawn("circle", "dot")),
    };
    this.layers[2].append(this.curve.line, ...this.curve.dots);
    const inWords = this.words.flatMap(({ label, letters, rows }) => [label, ...letters, ...rows]);
    const ofBars = this.bars.flatMap(({ button, old }) => [button, old]);
    this.picture = make("div", "picture", this.svg, ...inWords, ...ofBars, ...this.heads, this.rest);
    this.picture.append(this.curve.title, this.curve.value);
    this.view = make("div", "view", this.picture);
    this.ofFocus = make("p", "of-focus");
    this.more = make("p", "more");
    this.node = named(make("div", "part flow", this.view, this.ofFocus, this.more), "group", part.caption);
    this.node.hidden = !part.words.length;
    new ResizeObserver(() => this.place()).observe(this.view);
  }

  /** @param {FlowHead["words"][number]} word @param {number} w its number */
  wordOf([label, letters, arcs], w) {
    const { tokens } = this.recording.head;
    /** @type {FlowArcView[]} */
    const made = arcs.map(([start, end, piece, row], n) => {
      const arch = drawn("path", "arch");
      this.layers[1].append(arch);
      if (row === null) return { start, end, row, arch };
      const token = tokens[this.part.pieces[piece]];
      const ribbon = drawn("path", `ribbon t${token[1]}`);
      arch.classList.add(`t${token[1]}`);
      this.layers[0].append(ribbon);
      const text = make("small", "product");
      const line = make("button", "arc-row", tile(token), text);
      line.type = "button";
      line.setAttribute("aria-expanded", false);
      line.onclick = () => this.explainShare(w, n, line);
      arch.onclick = () => this.explainShare(w, n, line.checkVisibility() ? line : arch);
      return { start, end, piece, row, arch, ribbon, text, line };
    });
    const rows = made.flatMap(({ line }) => line ?? /** @type {HTMLElement[]} */ ([]));
    const spans = letters.map((letter) => make("bdi", "of-word", letter));
    return { label: make("span", "times", label), letters: spans, arcs: made, rows };
  }

  /** @param {Token} token @param {number} i @returns {FlowBarView} */
  barOf(token, i) {
    const [fill, old] = [make("i", `fill t${token[1]}`), make("i", "old")];
    const [small, number] = [make("small", "divided"), make("b", "number")];
    const button = make("button", "of-piece", tile(token), fill, small, number);
    button.type = "button";
    button.setAttribute("aria-expanded", false);
    button.onclick = () => this.choose(i);
    return { button, fill, old, small, number };
  }

  /** Shows the flows into a bar, and beside it the sum that they make; a second time, hides them. */
  choose(/** @type {number} */ i) {
    const { why } = this.player;
    const { button } = this.bars[i];
    const reason = this.reasonOf(i);
    const isChosen = this.chosen === i;
    if (isChosen || !reason.length) why.close();
    else why.show([button], reason, SIDES.bar, button, () => this.highlight(null));
    this.highlight(isChosen ? null : i);
  }

  /**
   * Shows the segmentations behind the share of arc `n` of word `w`, beside the row or arc `asked`.
   * @param {number} w @param {number} n @param {Element} asked
   */
  explainShare(w, n, asked) {
    const { why } = this.player;
    const ways = this.isMasked ? null : this.shown.ways[w];
    if (why.isAbout(asked)) return why.close();
    if (!ways || !this.shown.arcs[w][n][5]) return;
    const word = this.part.words[w][1].join("");
    const opener = asked instanceof HTMLElement ? asked : null;
    why.show([asked], waysNodes(this.recording, word, ways, this.shown.arcs[w][n], n), SIDES.bar, opener);
  }

  highlight(/** @type {number | null} */ i) {
    this.chosen = i;
    this.redraw();
  }

  /** The reason of a bar, after its piece. @param {number} i @returns {(Node | string)[]} */
  reasonOf(i) {
    const reason = this.isMasked ? [] : this.shown.bars[i][5];
    if (!reason.length) return [];
    return [tile(this.recording.head.tokens[this.part.pieces[i]]), " ", ...nodes(this.recording, reason)];
  }

  // -- drawing a position

  draw(/** @type {FlowFrame} */ value, /** @type {boolean} */ isMasked) {
    if (this.shown !== value) this.chosen = null;
    [this.shown, this.isMasked] = [value, isMasked];
    if (!this.em) this.place();
    this.redraw();
  }

  /** What is pruned falls. */
  track() {
    const { shown: before } = this;
    return () => {
      this.bars.forEach(({ button, fill }, i) => {
        const isPruned = !before.bars[i][4] && this.shown.bars[i][4] === "removed";
        if (isPruned && !this.isMasked) fall(/** @type {HTMLElement} */ (button.firstElementChild), fill);
      });
      this.words.forEach(({ arcs }, w) => {
        arcs.forEach(({ line }, n) => {
          const isPruned = line && before.arcs[w][n][3] && !this.shown.arcs[w][n][3];
          if (isPruned && !this.isMasked) fall(/** @type {HTMLElement} */ (line.firstElementChild));
        });
      });
    };
  }

  redraw() {
    if (!this.x) return;
    const { shown, part } = this;
    const focus = this.isMasked ? null : (this.chosen ?? shown.focus); // the focus would be the answer
    const isFlowing = shown.phase === "expectation";
    this.node.dataset.phase = shown.phase;
    this.drawBars(focus);
    const amounts = this.words.flatMap((word, w) =>
      word.arcs.flatMap(({ piece }, n) => (piece === undefined ? [] : [[piece, shown.arcs[w][n][0]]])),
    );
    const used = part.pieces.map((_, i) => {
      const stack = amounts.map(([piece, amount]) => (piece === i ? this.thick(amount)[1] : 0));
      return this.bars[i].y - stack.reduce((sum, one) => sum + one, 0) / 2;
    });
    this.words.forEach((word, w) => {
      word.arcs.forEach((arc, n) => this.drawArc(arc, shown.arcs[w][n], focus, used));
    });
    this.heads[1].textContent = shown.head;
    this.heads[2].textContent = this.node.classList.contains("narrow") ? "" : shown.numberHead;
    this.heads[0].textContent = isFlowing && !this.node.classList.contains("narrow") ? "count × share" : "";
    this.rest.textContent = this.isMasked ? "" : shown.rest;
    this.more.textContent = shown.leftOut;
    this.drawCurve();
    this.ofFocus.replaceChildren(...(shown.focus === null ? [] : this.reasonOf(shown.focus)));
  }

  /** The thickness of a flow at its start and at its bar. @param {number} amount */
  thick(amount) {
    const { strongest, widest } = this.part;
    const thick = (amount / strongest) * FLOWS.thickest;
    if (thick < EVEN) return [0, 0];
    return [thick, (amount / widest) * FLOWS.stack].map((one) => Math.max(one, FLOWS.hair));
  }

  /**
   * @param {FlowArcView} arc @param {FlowArcFrame} at
   * @param {number | null} focus @param {number[]} used the part of each bar occupied by flows, from above
   */
  drawArc(arc, [amount, share, text, isThere, isBest, quotient], focus, used) {
    const kinds = { gone: !isThere && !this.isMasked, best: isBest && !this.isMasked };
    for (const [name, isOn] of Object.entries(kinds)) arc.arch.classList.toggle(name, isOn);
    arc.arch.style.strokeWidth = `${0.06 + 0.2 * share}px`;
    arc.arch.style.opacity = `${this.shown.known ? Math.min(0.25 + 6 * share, 1) : 0.6}`;
    if (!arc.line) return;
    for (const node of [arc.arch, arc.line]) node.classList.toggle("asks", !this.isMasked && quotient !== "");
    arc.line.disabled = this.isMasked || !quotient;
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

  drawBars(/** @type {number | null} */ focus) {
    this.bars.forEach((bar, i) => {
      const [length, before, number, small, state, reason] = this.shown.bars[i];
      const isHidden = this.isMasked;
      const scale = this.longest / this.part.longest;
      const drawn = isHidden ? (before ?? length) : length; // the answer to an open question
      bar.fill.style.width = `${Math.max(drawn * scale, drawn ? 0.12 : 0)}em`;
      bar.button.className = `of-piece ${isHidden ? "" : state} ${i === focus ? "focus" : ""}`;
      bar.button.classList.toggle("asks", reason.length > 0);
      bar.small.textContent = isHidden ? "" : small;
      bar.number.textContent = isHidden ? "" : number;
      bar.old.hidden = isHidden || before === null || state !== "";
      put(bar.old, this.x.bars + this.tiles + (before ?? 0) * scale, bar.y);
    });
  }

  drawCurve() {
    const { known, value } = this.shown;
    const points = this.points.slice(0, known).map((point) => point.map((n) => n.toFixed(3)).join(" "));
    this.curve.line.setAttribute("d", points.length ? `M${points.join("L")}` : "");
    this.curve.dots.forEach((dot, i) => {
      dot.classList.toggle("later", i >= known);
      dot.classList.toggle("last", i === known - 1);
    });
    this.curve.title.hidden = !known;
    this.curve.value.replaceChildren(make("b", "", value));
  }
}
