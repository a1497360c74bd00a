// What the components share: making elements, opening a message, and telling where somebody rests.
// Put in front of a component's own scripts by component.py.

/**
 * Makes an element with a class and some content.
 * @template {keyof HTMLElementTagNameMap} Kind
 * @param {Kind} kind @param {string} name @param {(Node | string)[]} content
 * @returns {HTMLElementTagNameMap[Kind]}
 */
function make(kind, name = "", ...content) {
  const made = document.createElement(kind);
  if (name) made.className = name;
  made.append(...content);
  return made;
}

/** Tells the page that a picture is painted: till then it holds room for it (page.css). */
function markPainted(/** @type {Element} */ root) {
  const { host } = /** @type {ShadowRoot} */ (root.getRootNode());
  host?.closest(".stElementContainer")?.setAttribute("data-painted", "");
}

// ---- messages of bytes: the length of the header, the header as JSON, then the blobs ----

/**
 * Takes a message apart: the header, and the blobs, each as long as its `sizes` say.
 * @param {Bytes} message @returns {[header: any, blobs: Bytes[]]}
 */
function splitMessage(message) {
  const size = new DataView(message.buffer, message.byteOffset).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(message.subarray(4, 4 + size)));
  let start = 4 + size;
  return [header, header.sizes.map((/** @type {number} */ length) => message.slice(start, (start += length)))];
}

async function inflate(/** @type {Bytes} */ bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).json();
}

// ---- places: the browser moves at once, and Python is told when it rests ----

/** By the element that a component was mounted in. @type {WeakMap<object, any>} */
const visits = new WeakMap();

/**
 * Where somebody is: what Python says when `key` is new, afterwards wherever they went.
 * @template {object} Place @param {object} parent @param {string} key @param {Place} start
 * @returns {Place & { key: string, timer?: number }}
 */
function localState(parent, key, start) {
  const before = visits.get(parent);
  const here = before?.key === key ? before : { key, ...start };
  visits.set(parent, here);
  return here;
}

/**
 * Calls `tell` once nobody has moved for so many milliseconds.
 * @param {{ timer?: number }} here @param {number} milliseconds @param {() => void} tell
 */
function debounce(here, milliseconds, tell) {
  clearTimeout(here.timer);
  here.timer = setTimeout(tell, milliseconds);
}
