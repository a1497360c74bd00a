// Hosts the pictures of an exported file, as Streamlit does in the app: passes each its message, and
// keeps the state of all in the URL's hash. It fetches nothing. The file has before it: the components
// (mounts), mountTerms, mountOverlays and file_shell.js.

export {}; // a module: its names are not global

function find(/** @type {string} */ selector) {
  return /** @type {HTMLElement} */ (document.querySelector(selector));
}

/** Decompress the content of an element. @param {string} selector */
async function inflate(selector) {
  const stream = new Blob([bytesOf(find(selector))]).stream();
  const inflated = stream.pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(inflated).arrayBuffer());
}

/**
 * The value of a word in the URL; for a number between two values, the smaller one.
 * @param {StatePart} part @param {string} word
 */
function valueAt({ values, words }, word) {
  const exact = words.indexOf(word);
  if (exact >= 0) return values[exact];
  if (!/^\d{1,9}$/.test(word) || !words.every((one) => /^\d+$/.test(one))) return undefined;
  if (!values.length) return Number(word);
  return values[Math.max(words.findLastIndex((one) => Number(one) <= Number(word)), 0)];
}

/** The player or another component, with its message and its state. */
class Picture {
  /** @param {PictureConfig} config @param {Bytes} message @param {ShadowRoot} parent */
  constructor(config, message, parent) {
    this.config = config;
    this.isPlayer = config.component === "player";
    this.message = message;
    this.parent = parent;
    this.revision = 0; // of the state that the file has set
    this.hasPayloads = false;
    /** @type {Record<string, StateValue>} */
    this.state = {};
  }

  /** Take the state from the hash of a URL; missing parts have their initial values. @param {string} hash */
  open(hash) {
    const given = new URLSearchParams(hash.slice(1));
    this.revision += 1;
    this.state = Object.fromEntries(
      this.config.parts.map((part) => [part.name, valueAt(part, given.get(part.param) ?? "") ?? part.initial]),
    );
    this.show();
  }

  show() {
    const data = withHeader(this.message, (header) => this.changed(header));
    mounts[this.config.component]({
      data,
      parentElement: this.parent,
      setStateValue: (name, value) => this.accept(name, /** @type {StateReport<StateValue | StateValue[]>} */ (value)),
    });
  }

  /** The header of the app's message for this state. @param {any} header */
  changed({ payloads = {}, ...header }) {
    if (this.isPlayer) return { ...header, step: [this.revision, this.state.step] };
    this.hasPayloads = Object.keys(payloads).length > 0;
    const added = this.config.parts.map(({ name }) => payloads[name]?.[this.state[name]] ?? {});
    const values = this.config.parts.map(({ name }) => this.state[name]);
    const state = [this.revision, values.length > 1 ? values : values[0]];
    return Object.assign(header, ...added, this.config.stateName ? { content: "", state } : {});
  }

  /** Store the state that the component reports. @param {string} name @param {StateReport<StateValue | StateValue[]>} report */
  accept(name, [reported, revision]) {
    if (name !== this.config.stateName || revision !== this.revision) return;
    const values = [reported].flat();
    this.state = Object.fromEntries(this.config.parts.map((part, n) => [part.name, values[n]]));
    const url = new URL(location.href);
    url.hash = new URLSearchParams(pictures.flatMap((one) => one.words())).toString();
    history.replaceState(history.state, "", url);
    markStep();
    if (this.hasPayloads) this.show();
  }

  /** The state as parameters of the hash. */
  words() {
    return this.config.parts.map(({ name, param, values, words }) => {
      const value = this.state[name];
      return [param, words[values.indexOf(value)] ?? `${value}`];
    });
  }
}

/** Mark the player's step in charts and tables; scroll its rows into view in open ones. */
function markStep() {
  const step = Number(pictures.find((one) => one.isPlayer)?.state.step ?? -1);
  for (const row of document.querySelectorAll("tr[aria-current]")) row.removeAttribute("aria-current");
  /** @type {NodeListOf<HTMLElement>} */
  const rows = document.querySelectorAll(`tr[data-step="${step}"]`);
  for (const row of rows) {
    row.setAttribute("aria-current", "step");
    const box = row.closest("div");
    box.scrollTop = row.offsetTop - box.offsetTop - box.clientHeight / 2;
  }
  /** @type {NodeListOf<SVGElement>} */
  const lines = document.querySelectorAll("svg .step");
  for (const { dataset, style } of lines) {
    const [width, last] = [Number(dataset.width), Number(dataset.last)];
    style.transform = `translateX(${(width * Math.min(step, last)) / last}px)`;
  }
}

function show(/** @type {string} */ hash) {
  for (const picture of pictures) picture.open(hash);
  markStep();
}

/** @type {PictureConfig[]} */
const configs = JSON.parse(find("#config").textContent);
const messages = await Promise.all(configs.map((_, n) => inflate(`#message-${n}`)));
const pictures = configs.map(
  (config, n) => new Picture(config, messages[n], find(`#picture-${n}`).shadowRoot),
);
// The event's URL: a picture may have replaced the current one meanwhile.
window.addEventListener("hashchange", ({ newURL }) => show(new URL(newURL).hash));
for (const details of document.querySelectorAll("details")) details.ontoggle = markStep;
ignoreHistoryErrors();
mountTerms();
mountOverlays();
initThemeButton();
reportHeight();
show(location.hash);
