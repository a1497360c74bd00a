// A lattice: the positions of a string on one line, the pieces as arcs above it.
// Nothing moves between two steps: only styles that changed are updated. All lengths are in em of the
// picture, so that presenter view and zoom scale it as a whole. This file has the part and the
// selection of arcs; see also lattice_layout.js and lattice_arcs.js.

const ROOM = { least: 4, most: 12 }; // between two positions
const BELOW = 2.4; // below the line, for the values
const NEAR = 0.4; // largest distance of a click from its arc

/** The part; it passes the learner's path to `player`. */
class LatticePart {
  side = "across";
  em = 0; // pixels
  spacing = 0; // from one position to the next, once the width is known
  widths = /** @type {number[]} */ (null); // of the labels, measured once
  levels = /** @type {number[]} */ ([]);
  line = 0; // from the top of the picture down to the positions
  near = [0, 0]; // pixels: the range of a long picture that is visible
  shown = /** @type {LatticeFrame} */ (null); // the current frame, without the answer to an open question
  rule = -1; // of the legend
  path = /** @type {number[]} */ ([]); // the learner's path

  constructor(/** @type {Recording} */ recording, /** @type {LatticeHead} */ part, /** @type {Player} */ player) {
    this.part = part;
    this.player = player;
    this.arcs = part.arcs.map((arc) => new ArcNode(recording, arc));
    this.letters = part.letters.map((letter) => make("span", "letter", make("bdi", "", letter)));
    this.nodeViews = [...part.letters, ""].map((_, i) =>
      make("span", "node", make("b", "", `${i}`), make("span", "value")),
    );
    this.svg = drawn("svg");
    this.svg.setAttribute("aria-hidden", "true");
    this.groups = { back: drawn("g"), front: drawn("g"), path: drawn("g") };
    this.svg.append(...Object.values(this.groups));
    const labels = this.arcs.map(({ label }) => label);
    this.picture = make("div", "picture", this.svg, ...labels, ...this.letters, ...this.nodeViews);
    this.view = named(make("div", "view", this.picture), "group", part.caption || "Lattice");
    this.view.tabIndex = 0;
    this.legend = make("ul", "legend");
    const above = make("div", "above", make("p", "caption", part.caption), zoomsOf(this.view));
    this.node = make("div", "part lattice", above, this.view, this.legend);
    this.listen();
  }

  listen() {
    this.arcs.forEach(({ label }, i) => {
      label.onclick = () => this.choose(i);
      label.onfocus = () => this.explain(i);
      label.onkeydown = (event) => this.walk(event, i);
    });
    this.view.onclick = (event) => /** @type {Element} */ (event.target).closest(".label") || this.chooseAt(event);
    this.view.ondblclick = () => this.player.setPath([]);
    this.view.onscroll = () => this.showNear();
    const watch = new ResizeObserver(() => this.place());
    watch.observe(this.view); // for its width
    watch.observe(this.picture); // for the size of the type
  }

  // -- layout: again only when the width or the font size changes

  measure() {
    this.widths = this.arcs.map(({ label }) => label.offsetWidth / this.em);
    if (document.fonts.status !== "loading") return;
    document.fonts.ready.then(() => {
      this.widths = null;
      this.place();
    });
  }

  /** The distance between positions: as large as the width allows, within limits. */
  room() {
    const letter = Math.max(0, ...this.letters.map((one) => one.offsetWidth / this.em));
    const least = Math.max(ROOM.least, letter + 2.2, 0.5 * this.part.label + 0.8);
    const across = this.view.clientWidth / this.em - 2 * EDGE;
    shrinkOnPaper(this.view, (2 * EDGE + this.letters.length * least) * this.em);
    return Math.max(least, Math.min(ROOM.most, across / Math.max(this.letters.length, 1)));
  }

  /** On the page, fits the picture into the window; presenter view fits it itself. */
  makeRoom() {
    if (!this.player.presenter.isOn) fitPicture(this, heightBelow(this.node), leastOnPage());
  }

  place() {
    if (!this.view.clientWidth) return;
    this.em = parseFloat(getComputedStyle(this.picture).fontSize);
    const room = this.room();
    if (this.widths && Math.abs(room - this.spacing) < 0.001) return;
    this.spacing = room;
    if (!this.widths) this.measure();
    this.levels = levelsOf(this.arcs, this.widths, room);
    this.line = LOWEST + LEVEL * Math.max(0, ...this.levels) + 1;
    stretch(this.svg, this.picture, 2 * EDGE + this.letters.length * room, this.line, BELOW);
    this.arcs.forEach((arc, i) => {
      arc.line.setAttribute("d", pathOf(this.curve(i), this.line));
      this.put(arc.label, (arc.start + arc.end) / 2, LOWEST + this.levels[i] * LEVEL);
    });
    this.letters.forEach((letter, i) => this.put(letter, i + 0.5, 0));
    this.nodeViews.forEach((nodeView, i) => this.put(nodeView, i, 0));
    this.drawPath();
    this.near = [0, 0];
    this.follow(true);
    this.showNear();
  }

  curve(/** @type {number} */ i, inset = 0) {
    return curveOf(this.arcs[i], this.levels[i], this.spacing, inset);
  }

  put(/** @type {HTMLElement} */ element, /** @type {number} */ position, /** @type {number} */ height) {
    put(element, EDGE + position * this.spacing, this.line - height);
  }

  // -- drawing a frame: only differences from the previous one

  draw(/** @type {LatticeFrame} */ value, /** @type {boolean} */ isMasked) {
    const before = this.shown;
    this.shown = isMasked ? masked(value, this.arcs) : value;
    if (this.rule !== this.player.ruleShown) {
      this.rule = this.player.ruleShown;
      const hasUnknown = this.arcs.some(({ isKnown }) => !isKnown);
      this.legend.replaceChildren(...legend(this.part.states[this.rule], hasUnknown));
    }
    if (before?.here !== this.shown.here) this.follow(!before);
    this.applyStyles();
    this.view.classList.toggle("asks", this.arcs.some((_, i) => this.reason(i).length));
    this.nodeViews.forEach((nodeView, i) => this.drawNode(nodeView, i, before));
  }

  applyStyles() {
    const { arcs, weights } = this.shown;
    this.arcs.forEach((arc, i) => arc.setStyle(arcs[i], weights[i], this.path.includes(i), this.groups));
  }

  drawNode(/** @type {HTMLElement} */ nodeView, /** @type {number} */ i, /** @type {LatticeFrame} */ before) {
    const [node, isHere] = [this.shown.nodes[i], this.shown.here === i];
    if (before && node === before.nodes[i] && isHere === (before.here === i)) return;
    nodeView.lastChild.textContent = node;
    nodeView.className = `node${node ? "" : " open"}${isHere ? " here" : ""}`;
  }

  // -- reasons of arcs, as recorded

  /** Shows why an arc was or wasn't chosen, beside it. */
  explain(/** @type {number} */ i) {
    const { player, arcs } = this;
    const { label, line } = arcs[i];
    const reason = this.reason(i);
    if (!reason.length || player.why.isAbout(label)) return;
    const token = tile(player.recording.head.tokens[this.part.arcs[i][2]]);
    player.why.show([label, line], [token, " ", ...nodes(player.recording, reason)], SIDES.arc, label);
  }

  /**
   * The reason of an arc at this position.
   * @param {number} i @returns {RichText}
   */
  reason(i) {
    if (this.player.question || this.shown.arcs[i] === " ") return [];
    return this.player.recording.reason(this.player.position, this.shown.reasons[i]);
  }

  /** Moves the focus with ↑ and ↓, also to arcs of other steps. */
  walk(/** @type {KeyboardEvent} */ event, /** @type {number} */ i) {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!by) return;
    event.preventDefault();
    let next = i + by;
    while (this.arcs[next] && this.shown.arcs[next] === " ") next += by;
    this.arcs[next]?.hide(false);
    this.arcs[next]?.label.focus();
  }

  /** Scrolls the position of the step into view, with some context. */
  follow(/** @type {boolean} */ atOnce) {
    if (this.shown?.here == null || !this.spacing) return;
    const [from, across] = [this.view.scrollLeft, this.view.clientWidth];
    const x = (EDGE + this.shown.here * this.spacing) * this.em;
    const margin = Math.min(across / 4, 2 * this.spacing * this.em);
    if (x >= from + margin && x <= from + across - margin) return;
    const isCalm = atOnce || matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.view.scrollTo({ left: x - across / 2, behavior: isCalm ? "instant" : "smooth" });
    if (isCalm) this.showNear();
  }

  /** Scrolls the position of the step into view after resizing. */
  show() {
    this.view.scrollLeft = 0;
    this.near = [0, 0];
    this.follow(true);
    this.showNear();
  }

  /** Hides arcs far outside the view; in a long text, most of them. */
  showNear() {
    const [from, across] = [this.view.scrollLeft, this.view.clientWidth];
    if (!this.spacing || (from >= this.near[0] && from + across <= this.near[1])) return;
    this.near = [from - across, from + 2 * across];
    const [first, last] = this.near.map((x) => (x / this.em - EDGE) / this.spacing);
    for (const arc of this.arcs) arc.hide(arc.end < first || arc.start > last);
  }

  // -- the learner's path

  drawPath() {
    this.groups.path.replaceChildren(
      ...this.path.map((i) => {
        const path = drawn("path", "arc user-path");
        path.setAttribute("d", pathOf(this.curve(i, 0.3), this.line));
        return path;
      }),
    );
  }

  setPath(/** @type {number[]} */ path) {
    this.path = path.filter((i) => i in this.arcs);
    if (this.spacing) this.drawPath();
    if (this.shown) this.applyStyles();
  }

  /** Adds an arc to the path and removes arcs that overlap it; removes an arc of the path. */
  choose(/** @type {number} */ i) {
    this.explain(i);
    const { arcs, path: before } = this;
    const isApart = (/** @type {number} */ j) => arcs[j].end <= arcs[i].start || arcs[j].start >= arcs[i].end;
    const path = before.includes(i) ? before.filter((j) => j !== i) : [...before.filter(isApart), i];
    this.player.setPath(path.sort((a, b) => arcs[a].start - arcs[b].start));
  }

  /** Chooses the arc nearest to a click, if it is near enough. */
  chooseAt(/** @type {MouseEvent} */ { clientX, clientY }) {
    if (!this.spacing || !this.shown) return;
    const { left, top } = this.picture.getBoundingClientRect();
    const [x, height] = [(clientX - left) / this.em, this.line - (clientY - top) / this.em];
    const isThere = (/** @type {number} */ i) => this.shown.arcs[i] !== " ";
    const far = this.arcs.map((_, i) => (isThere(i) ? distance(this.curve(i), x, height) : Infinity));
    const nearest = far.indexOf(Math.min(...far));
    if (far[nearest] < NEAR) this.choose(nearest);
  }
}
