// Where a box of the lesson stands: at its place on the page, or in presenter view.
// Presenter view lies over the page, so that nothing of the page can be used while it is on. The
// player offers places for the boxes (presenter.js); here a box moves into its place and back home.

/** By the element that a component was mounted in. @type {WeakMap<ShadowRoot, Box>} */
const boxes = new WeakMap();

const WATCH = 250; // milliseconds

class Box {
  constructor(/** @type {ShadowRoot} */ parent, /** @type {string} */ name) {
    this.name = name;
    this.place = /** @type {HTMLElement} */ (parent.querySelector(".component"));
    this.home = this.place.parentNode;
    this.page = /** @type {ShadowRoot} */ (this.home.getRootNode()); // the shadow that has the styles
    this.frame = document.createElement("div"); // carries the styles into the presenter
    this.frame.attachShadow({ mode: "open" });
    this.frame.className = `staged-${name}`;
    const sees = new ResizeObserver(() => this.settle()); // also when one of them is taken away
    [this.page.host, this.place].forEach((one) => one && sees.observe(one));
    window.addEventListener("presenterslots", () => this.settle());
  }

  settle() {
    const place = window.presenterSlots?.[this.name];
    if (!this.home.isConnected) {
      clearInterval(this.watch);
      return this.frame.remove();
    }
    if (place?.isConnected) this.stand(place);
    else if (this.place.parentNode !== this.home) this.leave();
  }

  stand(/** @type {Element} */ place) {
    if (this.frame.parentNode === place) return;
    const styles = [...this.page.querySelectorAll("style")].map((style) => style.cloneNode(true));
    this.frame.shadowRoot.adoptedStyleSheets = [...(this.page.adoptedStyleSheets ?? [])];
    this.place.classList.add("staged");
    this.frame.shadowRoot.replaceChildren(...styles, this.place);
    place.append(this.frame);
    clearInterval(this.watch);
    this.watch = setInterval(() => this.settle(), WATCH); // for nothing tells of a home taken away
  }

  leave() {
    clearInterval(this.watch);
    this.place.classList.remove("staged");
    this.home.append(this.place);
    this.frame.remove();
  }
}

/** The place of a component's box, wherever it stands. @param {ShadowRoot} parent @param {string} name */
function placeOf(parent, name) {
  if (!boxes.has(parent)) boxes.set(parent, new Box(parent, name));
  const box = boxes.get(parent);
  box.settle();
  return box.place;
}
