// Hosts a component in an exported file, as Streamlit does in the app: passes the message on, stores
// the state in the URL's hash. It fetches nothing. The file has before it: the component (mount),
// mountOverlays and file_shell.js.

export {}; // a module: its names are not global

const parentElement = find("#component").shadowRoot;
/** @type {ComponentConfig} */
const { form, stateName, parts } = JSON.parse(find("#config").textContent);
const message = await inflate("#message");
/** By part and value: additional data of the message. @type {Record<string, Record<StateValue, object>>} */
const payloads = parse(await inflate("#payloads"));
let revision = 1; // of the state that the file has set
let state = parseHash(location.hash);

function find(/** @type {string} */ selector) {
  return /** @type {HTMLElement} */ (document.querySelector(selector));
}

function parse(/** @type {Uint8Array} */ bytes) {
  return JSON.parse(new TextDecoder().decode(bytes));
}

/** Decompress the content of an element. @param {string} selector */
async function inflate(selector) {
  const stream = new Blob([bytesOf(find(selector))]).stream();
  const inflated = stream.pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(inflated).arrayBuffer());
}

// ---- the message: that of the app with another state ----

/** @type {Record<ComponentConfig["form"], (change: object) => object>} */
const FORMS = {
  object: (change) => ({ ...parse(message), ...change }),
  json: (change) => new TextEncoder().encode(JSON.stringify({ ...parse(message), ...change })),
  headed: (change) => withHeader(message, (header) => ({ ...header, ...change })),
};

function show() {
  const added = parts.map(({ name }) => payloads[name]?.[state[name]] ?? {});
  const values = parts.map(({ name }) => state[name]);
  const synced = stateName ? { content: "", state: [revision, parts.length > 1 ? values : values[0]] } : {};
  const data = FORMS[form](Object.assign({}, ...added, synced));
  mount({ data, parentElement, setStateValue: acceptState });
}

// ---- the state ----

/**
 * The value of a word in the URL; for a number between two values, the smaller one.
 * @param {StatePart} part @param {string} word
 */
function valueAt({ values, words }, word) {
  const exact = words.indexOf(word);
  if (exact >= 0) return values[exact];
  if (!/^\d{1,9}$/.test(word) || !words.every((one) => /^\d+$/.test(one))) return undefined;
  return values[Math.max(words.findLastIndex((one) => Number(one) <= Number(word)), 0)];
}

/** The state in the hash of a URL; missing parts have their initial values. */
function parseHash(/** @type {string} */ hash) {
  const given = new URLSearchParams(hash.slice(1));
  return Object.fromEntries(
    parts.map((part) => [part.name, valueAt(part, given.get(part.param) ?? "") ?? part.initial]),
  );
}

/** Store the state that the component reports. @param {string} name @param {[value: StateValue | StateValue[], revision: number]} report */
function acceptState(name, [reported, number]) {
  if (name !== stateName || number !== revision) return;
  const values = [reported].flat();
  state = Object.fromEntries(parts.map((part, n) => [part.name, values[n]]));
  const words = parts.map((part) => [part.param, part.words[part.values.indexOf(state[part.name])]]);
  const url = new URL(location.href);
  url.hash = new URLSearchParams(words).toString();
  history.replaceState(history.state, "", url);
  if (parts.some((part) => part.name in payloads)) show();
}

// The event's URL: the component may have replaced the current one meanwhile.
window.addEventListener("hashchange", ({ newURL }) => {
  revision += 1;
  state = parseHash(new URL(newURL).hash);
  show();
});

ignoreHistoryErrors();
initThemeButton();
reportHeight();
mountOverlays();
show();
