// Keeps long texts in the browser under their content hash and gives them back; draws nothing.
// `data` is {keep: {hash, text}} or {ask: hash}; the answer is {kept}, {refused} or {found, text}.

const PREFIX = "piece-by-piece:text:";
const NEWEST = 4;

const place = (hash) => PREFIX + hash;

/** The hashes that are kept, oldest first. An entry is its time, a newline, the text. */
function kept(storage) {
  return Object.keys(storage)
    .filter((name) => name.startsWith(PREFIX))
    .sort((a, b) => parseInt(storage.getItem(a)) - parseInt(storage.getItem(b)));
}

/** Store the text, giving up the oldest ones for it; false if it does not fit even then. */
function keep(storage, { hash, text }) {
  storage.removeItem(place(hash));
  const old = kept(storage);
  while (old.length >= NEWEST) storage.removeItem(old.shift());
  for (;;) {
    try {
      storage.setItem(place(hash), `${Date.now()}\n${text}`);
      return true;
    } catch {
      if (!old.length) return false;
      storage.removeItem(old.shift());
    }
  }
}

function find(storage, hash) {
  const entry = storage.getItem(place(hash));
  return entry === null ? null : entry.slice(entry.indexOf("\n") + 1);
}

/** The browser's storage, or null where the visitor does not allow any. */
function openStorage() {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}

export default function ({ data, setStateValue }) {
  const storage = openStorage();
  if (data.keep) {
    const done = storage !== null && keep(storage, data.keep);
    setStateValue("answer", done ? { kept: data.keep.hash } : { refused: data.keep.hash });
  } else {
    const text = storage && find(storage, data.ask);
    setStateValue("answer", { found: data.ask, text });
  }
}
