// The bubble with a reason: it opens beside the row, tile, arc or bar that was asked about, and closes
// at Escape, at a click or the focus elsewhere, and with its picture. The focus stays where it was.

/** @type {Record<"row" | "tile" | "arc" | "bar", Side[]>} where a bubble opens: the first side with room */
const SIDES = {
  row: ["right", "left", "below", "above"],
  tile: ["below", "above"],
  arc: ["right", "left", "above", "below"],
  bar: ["right", "below", "above"], // at its left are the flows into it
};

class WhyBubble {
  /** What is explained; empty when closed. @type {Element[]} */
  about = [];
  /** The button that says whether it is open. @type {HTMLElement | null} */
  opener = null;
  /** @type {Side[]} */
  sides = [];
  onClose = () => {};

  constructor(/** @type {Player} */ player) {
    this.player = player;
    this.node = player.find("why");
  }

  get isOpen() {
    return this.about.length > 0;
  }

  isAbout(/** @type {Element} */ element) {
    return this.about[0] === element;
  }

  /**
   * Shows a reason beside `about`, of which the first element is the most important; `onClose` is
   * called when it closes.
   * @param {Element[]} about @param {(Node | string)[]} reason @param {Side[]} sides
   * @param {HTMLElement | null} [opener] @param {() => void} [onClose]
   */
  show(about, reason, sides, opener = null, onClose = () => {}) {
    this.close();
    Object.assign(this, { about, sides, opener, onClose });
    for (const element of about) element.toggleAttribute("data-asked", true);
    opener?.setAttribute("aria-expanded", "true");
    opener?.setAttribute("aria-controls", this.node.id);
    this.node.replaceChildren(...reason);
    this.node.showPopover(opener ? { source: opener } : {}); // Tab leads from it into the bubble
    this.listen();
    this.place(); // closes it again if what it explains is out of sight
    if (this.isOpen) this.player.announce(this.node.textContent);
  }

  /** Closes it, and gives the focus back if it was inside. */
  close() {
    if (!this.isOpen) return;
    this.listening.abort();
    const hasFocus = this.node.matches(":focus-within");
    this.node.hidePopover();
    for (const element of this.about) element.removeAttribute("data-asked");
    this.opener?.setAttribute("aria-expanded", "false");
    if (hasFocus) this.opener?.focus({ preventScroll: true });
    [this.about, this.opener] = [[], null];
    this.onClose();
  }

  listen() {
    this.listening = new AbortController();
    const { signal } = this.listening;
    const { root } = this.player;
    const isOutside = (/** @type {Event} */ event) => ![this.node, ...this.about].some((one) => event.composedPath().includes(one));
    const leave = (/** @type {Event} */ event) => isOutside(event) && this.close();
    const follow = (/** @type {Event} */ event) => isOutside(event) && this.place(); // not of its own scrolling
    document.addEventListener("pointerdown", leave, { signal });
    root.addEventListener("focusin", leave, { signal });
    root.addEventListener("scroll", follow, { signal, capture: true }); // a scroll does not leave the shadow tree
    for (const name of ["scroll", "resize"]) window.addEventListener(name, follow, { signal, capture: true });
  }

  /** Puts it beside all that it explains, or beside the first element if that leaves too little room. */
  place() {
    const boxes = this.about.filter((one) => one.checkVisibility()).map((one) => one.getBoundingClientRect());
    const [first] = boxes;
    const covered = document.querySelector(".stAppHeader")?.clientHeight ?? 0; // by the menu, which it must not cover
    const isGone = !first || first.bottom < covered || first.top > window.innerHeight;
    if (isGone) return this.close();
    const all = {
      left: Math.min(...boxes.map((box) => box.left)),
      right: Math.max(...boxes.map((box) => box.right)),
      top: Math.min(...boxes.map((box) => box.top)),
      bottom: Math.max(...boxes.map((box) => box.bottom)),
    };
    if (!placeBeside(this.node, all, this.sides) && boxes.length > 1) placeBeside(this.node, first, this.sides);
  }
}
