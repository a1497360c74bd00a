// @ts-check
// Stores long texts in the browser under their content hash, and returns them.
// `data` is {store: {hash, text}} or {find: hash}; `answer` is {stored}, {failed} or {found, text}.
// The script has storage.js before it.

const PREFIX = "piece-by-piece:text:";
const NEWEST = 4;
// That a text is stored is told by a run of the page: after what the text makes has been painted.
const TOLD_AFTER = 1_000; // milliseconds

const keyOf = (/** @type {string} */ hash) => PREFIX + hash;

/**
 * The time of an entry in milliseconds.
 * @param {Storage} storage @param {string} name
 */
const timeOf = (storage, name) => parseInt(storage.getItem(name) ?? "0", 10);

/** The keys of stored texts, oldest first. An entry is its time, a newline, the text. */
function storedKeys(/** @type {Storage} */ storage) {
  return Object.keys(storage)
    .filter((name) => name.startsWith(PREFIX))
    .sort((a, b) => timeOf(storage, a) - timeOf(storage, b));
}

/**
 * Store the text, removing old ones to make room; false if it does not fit even then.
 * @param {Storage} storage @param {{hash: string, text: string}} entry
 */
function store(storage, { hash, text }) {
  storage.removeItem(keyOf(hash));
  const old = storedKeys(storage);
  for (const name of old.splice(0, old.length - NEWEST + 1)) storage.removeItem(name);
  for (;;) {
    try {
      storage.setItem(keyOf(hash), `${Date.now()}\n${text}`);
      return true;
    } catch {
      const oldest = old.shift();
      if (oldest === undefined) return false;
      storage.removeItem(oldest);
    }
  }
}

function find(/** @type {Storage} */ storage, /** @type {string} */ hash) {
  const entry = storage.getItem(keyOf(hash));
  return entry === null ? null : entry.slice(entry.indexOf("\n") + 1);
}

/**
 * Returns what Streamlit calls when the component is drawn again, or its page is left.
 * @param {{
 *   data: {store?: {hash: string, text: string}, find: string},
 *   setStateValue: (name: string, value: object) => void,
 * }} component
 */
export default function ({ data, setStateValue }) {
  const storage = storageOf("localStorage");
  if (data.store) {
    const { hash } = data.store;
    const done = storage !== null && store(storage, data.store);
    const answer = done ? { stored: hash } : { failed: hash };
    const telling = setTimeout(() => setStateValue("answer", answer), TOLD_AFTER);
    return () => clearTimeout(telling);
  }
  const text = storage && find(storage, data.find);
  setStateValue("answer", { found: data.find, text });
}
