// An arc of a lattice with its label, its style in each state, the legend and the zoom; and helpers for
// pictures laid out in em.

/** @type {Record<string, [kind: string, words: string]>} */
const STATES = {
  ".": ["ahead", "not looked at yet"],
  o: ["lost", "passed over"],
  k: ["kept", "kept"],
  c: ["arrives", "in this step"],
  n: ["wins", "wins here"],
  b: ["best", "on the path shown"],
  " ": ["absent", "not there"],
};
/** @type {typeof STATES[string]} */
const BOTH = ["wins", "wins here, or is on the path shown"];
const PATH_HINT = "your own path: choose its pieces in the picture";
const ESCAPE_HINT = "; Esc takes it away";
const IN_FRONT = "cnb";
const ZOOMS = [0.5, 0.65, 0.8, 1, 1.25, 1.6, 2];

/** @param {string} name @param {string} [kind] @returns {SVGElement} */
function drawn(name, kind) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  if (kind) element.setAttribute("class", kind);
  return element;
}

/** Positions an element of a picture, in em. @param {HTMLElement} element */
function put(element, /** @type {number} */ x, /** @type {number} */ y) {
  element.style.left = `${x.toFixed(3)}em`;
  element.style.top = `${y.toFixed(3)}em`;
}

/**
 * Sets the size of a drawing in em, and of the picture around it, which is `below` em taller.
 * @param {SVGElement} svg @param {HTMLElement} picture @param {number} width @param {number} height
 */
function stretch(svg, picture, width, height, below = 0) {
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  Object.assign(svg.style, { width: `${width}em`, height: `${height}em` });
  Object.assign(picture.style, { width: `${width}em`, height: `${height + below}em` });
}

/** An arc's line and label; their style is updated only when it changes. */
class ArcNode {
  /** @param {Recording} recording @param {LatticeHead["arcs"][number]} arc */
  constructor(recording, [start, end, token, note, isKnown]) {
    this.start = start;
    this.end = end;
    this.note = note;
    this.isKnown = isKnown;
    this.style = "";
    this.isFar = false;
    this.name = recording.head.tokens[token][0];
    this.line = drawn("path");
    this.label = make("button", "label", tile(recording.head.tokens[token]), make("small", "", note));
    this.label.type = "button";
    this.label.dataset.start = `${start}`;
  }

  hide(/** @type {boolean} */ isFar) {
    if (isFar === this.isFar) return;
    this.isFar = isFar;
    for (const node of [this.line, this.label]) node.toggleAttribute("hidden", isFar);
  }

  /**
   * @param {string} state @param {string} weight @param {boolean} isInPath
   * @param {Record<"back" | "front", SVGElement>} groups
   */
  setStyle(state, weight, isInPath, groups) {
    const style = state + weight + isInPath;
    if (style === this.style) return;
    this.style = style;
    const [kind, words] = STATES[state];
    const unknown = this.isKnown ? "" : " unknown";
    this.line.setAttribute("class", `arc ${kind}${unknown}`);
    this.line.style.setProperty("--weight", weight);
    const group = IN_FRONT.includes(state) ? groups.front : groups.back;
    if (this.line.parentNode !== group) group.append(this.line);
    this.label.className = `label ${kind}${unknown}${isInPath ? " user-path" : ""}`;
    this.label.tabIndex = "cn".includes(state) ? 0 : -1; // Tab visits those of this step
    this.label.setAttribute("aria-pressed", isInPath);
    const where = `from ${this.start} to ${this.end}`;
    const what = this.isKnown ? [] : ["an unknown character"];
    this.label.setAttribute("aria-label", [this.name, ...what, where, this.note, words].join(", "));
  }
}

function legend(/** @type {string} */ states, /** @type {boolean} */ hasUnknown) {
  const item = (/** @type {string} */ kind, /** @type {string} */ words) => {
    const sample = drawn("svg", "sample");
    sample.setAttribute("viewBox", "0 0 2 1");
    const line = drawn("path", `arc ${kind}`);
    line.setAttribute("d", "M0.1 0.5H1.9");
    line.style.setProperty("--weight", 3);
    sample.append(line);
    return make("li", "", sample, words);
  };
  const both = states.includes("n") && states.includes("b"); // these look the same
  const items = Object.keys(STATES)
    .filter((state) => states.includes(state) && state !== " " && !(both && state === "b"))
    .map((state) => item(...(both && state === "n" ? BOTH : STATES[state])));
  const unknown = hasUnknown ? [item("kept unknown", "a character that is no piece")] : [];
  return [...items, ...unknown, item("user-path", PATH_HINT + (matchMedia("(hover: none)").matches ? "" : ESCAPE_HINT))];
}

/** @template {Element} Named @param {Named} element @param {string} role @param {string} name */
function named(element, role, name) {
  if (role) element.setAttribute("role", role);
  element.setAttribute("aria-label", name);
  return element;
}

/** Buttons that make the picture in `view` smaller and larger. @param {HTMLElement} view */
function zoomsOf(view) {
  const [smaller, larger] = ["−", "+"].map((sign) => make("button", "", sign));
  let zoom = ZOOMS.indexOf(1);
  const change = (/** @type {number} */ by) => {
    zoom = Math.min(Math.max(zoom + by, 0), ZOOMS.length - 1);
    view.style.setProperty("--zoom", `${ZOOMS[zoom]}`);
    smaller.disabled = zoom === 0;
    larger.disabled = zoom === ZOOMS.length - 1;
  };
  named(smaller, "", "Smaller").onclick = () => change(-1);
  named(larger, "", "Larger").onclick = () => change(1);
  return named(make("div", "zooms", smaller, larger), "group", "Zoom");
}
