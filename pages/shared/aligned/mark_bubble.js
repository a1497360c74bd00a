// The bubble that explains the marks of a token, of a space or of "5 ways": it opens where the pointer
// or the focus rests, and closes when they have gone elsewhere, at Escape and with its picture.

const REST_MS = 400; // whoever walks or points along the rows sees no bubble; one may move into it

/** The text under some columns of a chunk that is not white space. */
function plainTextUnder(/** @type {AlignedText[]} */ raw, /** @type {number} */ first, /** @type {number} */ last) {
  return raw.filter(([start, end, , space]) => !space && start < last && first < end).map(([, , text]) => text).join("");
}

/**
 * The marks of a token, explained in a line each. A sign that the text itself has here is no mark.
 * @param {Pick<AlignedMessage, "chunks" | "names" | "marks">} data @param {TokenPosition} place
 */
function marksOf({ chunks, names, marks }, [chunk, row, first, last, [text, , , unknown, only]]) {
  const under = plainTextUnder(chunks[chunk][0], first, last);
  const signs = marks.filter(([sign]) => text.includes(sign) && !under.includes(sign));
  return [
    ...(unknown ? [`Dashed: unknown to ${names[row][0]}.`] : []),
    ...(only ? ["Underlined: in this row only."] : []),
    ...signs.map(([sign, says]) => `${sign}  ${says}`),
  ];
}

class MarkBubble {
  /** What the pointer or the focus is on. @type {Element | null} */
  aimed = null;
  /** What is explained. @type {Element | null} */
  about = null;
  timer = 0;

  /** @param {HTMLElement} view @param {(element: HTMLElement) => string[]} explain */
  constructor(view, explain) {
    this.explain = explain;
    this.node = make("div", "pp-bubble marks");
    Object.assign(this.node, { id: "marks", popover: "manual", onclick: () => this.close() });
    this.node.setAttribute("role", "tooltip");
    view.append(this.node);
    const aim = (/** @type {Event} */ { target }) => this.aim(/** @type {Element} */ (target));
    for (const name of ["pointerover", "focusin"]) view.addEventListener(name, aim);
    for (const name of ["pointerleave", "focusout"]) view.addEventListener(name, () => this.aim(null));
  }

  aim(/** @type {Element | null} */ target) {
    if (target && this.node.contains(target)) return clearTimeout(this.timer);
    const aimed = /** @type {HTMLElement | null} */ (target?.closest(".cell button, .ways[tabindex], .space") ?? null);
    if (aimed === this.aimed) return;
    this.aimed = aimed;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.show(aimed), REST_MS);
  }

  show(/** @type {HTMLElement | null} */ about) {
    this.close();
    const lines = about?.isConnected ? this.explain(about) : [];
    if (!lines.length) return;
    this.about = about;
    about.setAttribute("aria-describedby", this.node.id);
    this.node.textContent = lines.join("\n");
    this.node.showPopover();
    const sides = /** @type {Side[]} */ (about.matches(".ways") ? ["above", "below"] : ["below", "above"]); // not over its text
    placeBeside(this.node, about.getBoundingClientRect(), sides);
    this.listening = new AbortController();
    const options = { signal: this.listening.signal, capture: true };
    const close = () => this.close();
    document.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.preventDefault(); // presenter view stays
      event.stopPropagation();
      close();
    }, options);
    for (const name of ["scroll", "resize"]) window.addEventListener(name, close, options);
  }

  close() {
    if (!this.about) return;
    this.listening.abort();
    this.about.removeAttribute("aria-describedby");
    this.about = null;
    if (this.node.isConnected) this.node.hidePopover();
  }
}
