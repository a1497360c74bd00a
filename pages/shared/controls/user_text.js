// @ts-check
// Keeps long texts in the browser under their content hash and gives them back; draws nothing.
// `data` is {keep: {hash, text}} or {ask: hash}; the answer is {kept}, {refused} or {found, text}.
// In front of it: storage.js.

const PREFIX = "piece-by-piece:text:";
const NEWEST = 4;

const place = (/** @type {string} */ hash) => PREFIX + hash;

/**
 * When an entry was made, in milliseconds.
 * @param {Storage} storage @param {string} name
 */
const timeOf = (storage, name) => parseInt(storage.getItem(name) ?? "0", 10);

/** The hashes that are kept, oldest first. An entry is its time, a newline, the text. */
function kept(/** @type {Storage} */ storage) {
  return Object.keys(storage)
    .filter((name) => name.startsWith(PREFIX))
    .sort((a, b) => timeOf(storage, a) - timeOf(storage, b));
}

/**
 * Store the text, giving up the oldest ones for it; false if it does not fit even then.
 * @param {Storage} storage @param {{hash: string, text: string}} entry
 */
function keep(storage, { hash, text }) {
  storage.removeItem(place(hash));
  const old = kept(storage);
  for (const name of old.splice(0, old.length - NEWEST + 1)) storage.removeItem(name);
  for (;;) {
    try {
      storage.setItem(place(hash), `${Date.now()}\n${text}`);
      return true;
    } catch {
      const oldest = old.shift();
      if (oldest === undefined) return false;
      storage.removeItem(oldest);
    }
  }
}

function find(/** @type {Storage} */ storage, /** @type {string} */ hash) {
  const entry = storage.getItem(place(hash));
  return entry === null ? null : entry.slice(entry.indexOf("\n") + 1);
}

/**
 * @param {{
 *   data: {keep?: {hash: string, text: string}, ask: string},
 *   setStateValue: (name: string, value: object) => void,
 * }} component
 */
export default function ({ data, setStateValue }) {
  const storage = storageOf("localStorage");
  if (data.keep) {
    const done = storage !== null && keep(storage, data.keep);
    setStateValue("answer", done ? { kept: data.keep.hash } : { refused: data.keep.hash });
  } else {
    const text = storage && find(storage, data.ask);
    setStateValue("answer", { found: data.ask, text });
  }
}
