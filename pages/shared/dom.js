// Helpers of all components: elements, tables, binary messages and local state.
// component.py prepends this file to a component's scripts.

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

/**
 * Makes a cell that names a column, a row or a group of rows.
 * @param {"col" | "row" | "rowgroup"} scope @param {string} name @param {(Node | string)[]} content
 */
function headCell(scope, name, ...content) {
  return Object.assign(make("th", name, ...content), { scope });
}

/**
 * Makes a table of a class from its caption, the cells at the top, if any, and its bodies.
 * @param {string} name @param {(Node | string)[]} caption
 * @param {HTMLTableCellElement[]} heads @param {(Node | string)[]} bodies
 */
function makeTable(name, caption, heads, ...bodies) {
  const table = make("table", name);
  if (caption.length) table.append(make("caption", "", ...caption), " ");
  if (heads.length) table.append(make("thead", "", make("tr", "", ...heads)));
  table.append(...bodies);
  return table;
}

/** Marks a component as painted: until then the page reserves space for it (page.css). */
function markPainted(/** @type {Element} */ root) {
  const { host } = /** @type {ShadowRoot} */ (root.getRootNode());
  host?.closest(".stElementContainer")?.setAttribute("data-painted", "");
}

// ---- messages of bytes: the length of the header, the header as JSON, then the blobs ----

/**
 * Splits a message into its header and its blobs, whose lengths are the header's `sizes`.
 * @param {Bytes} message @returns {[header: any, blobs: Bytes[]]}
 */
function splitMessage(message) {
  const size = new DataView(message.buffer, message.byteOffset).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(message.subarray(4, 4 + size)));
  let start = 4 + size;
  return [header, header.sizes.map((/** @type {number} */ length) => message.slice(start, (start += length)))];
}

/**
 * The message as one object, its blobs under `packed`. A page that holds many messages has them as
 * objects already.
 * @template {object} Message @param {Bytes | Message} message @returns {Message & { packed?: Bytes[] }}
 */
function readMessage(message) {
  if (!(message instanceof Uint8Array)) return message;
  const [header, packed] = splitMessage(message);
  return { ...header, packed };
}

const FETCH_MS = 8000; // after which the server is asked in another way

/** Fetches bytes from the app's server; null if it has none. @returns {Promise<Bytes | null>} */
async function fetchBytes(/** @type {string} */ url) {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(FETCH_MS) });
    const isBinary = answer.headers.get("content-type") === "application/octet-stream"; // not a page
    return isBinary ? new Uint8Array(await answer.arrayBuffer()) : null;
  } catch { // offline, or too slow
    return null;
  }
}

async function inflate(/** @type {Bytes} */ bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).json();
}

// ---- state in the browser ----

/** By the parent element of a component. @type {WeakMap<object, any>} */
const states = new WeakMap();

/**
 * Returns what a component keeps in the browser, which is `start` at first.
 * @template {object} State @param {object} parent @param {State} start
 * @returns {State}
 */
function localState(parent, start) {
  const here = states.get(parent) ?? start;
  states.set(parent, here);
  return here;
}
