// Moves a component of the lesson into presenter view and back.
// Presenter view covers the page, whose components cannot be used meanwhile. The player has slots
// for them (presenter.js).

/** By the element in which a component is mounted. @type {WeakMap<ShadowRoot, Box>} */
const boxes = new WeakMap();

const WATCH = 250; // milliseconds

class Box {
  constructor(/** @type {ShadowRoot} */ parent, /** @type {string} */ name) {
    this.name = name;
    this.content = /** @type {HTMLElement} */ (parent.querySelector(".component"));
    this.home = this.content.parentNode;
    this.page = /** @type {ShadowRoot} */ (this.home.getRootNode()); // the shadow root with the styles
    this.frame = document.createElement("div"); // takes the styles into the presenter
    this.frame.attachShadow({ mode: "open" });
    this.frame.className = `presented-${name}`;
    const observer = new ResizeObserver(() => this.update()); // also fires on removal
    [this.page.host, this.content].forEach((one) => one && observer.observe(one));
    window.addEventListener("presenterslots", () => this.update());
  }

  update() {
    const slot = window.presenterSlots?.[this.name];
    if (!this.home.isConnected) {
      clearInterval(this.watch);
      return this.frame.remove();
    }
    if (slot?.isConnected) this.moveTo(slot);
    else if (this.content.parentNode !== this.home) this.moveBack();
  }

  moveTo(/** @type {Element} */ slot) {
    if (this.frame.parentNode === slot) return;
    const styles = [...this.page.querySelectorAll("style")].map((style) => style.cloneNode(true));
    this.frame.shadowRoot.adoptedStyleSheets = [...(this.page.adoptedStyleSheets ?? [])];
    this.content.classList.add("presented");
    this.frame.shadowRoot.replaceChildren(...styles, this.content);
    slot.append(this.frame);
    clearInterval(this.watch);
    this.watch = setInterval(() => this.update(), WATCH); // no event reports the removal of the home
  }

  moveBack() {
    clearInterval(this.watch);
    this.content.classList.remove("presented");
    this.home.append(this.content);
    this.frame.remove();
  }
}

/** The content of a component, on the page or in the presenter. @param {ShadowRoot} parent @param {string} name */
function contentOf(parent, name) {
  if (!boxes.has(parent)) boxes.set(parent, new Box(parent, name));
  const box = boxes.get(parent);
  box.update();
  return box.content;
}
