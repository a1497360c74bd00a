// What the browser stores for us. It may refuse to (site data turned off; a frame in another site's
// page), be full, or hold what another version or a hand has put there. So nothing here throws: what
// is read is checked, and what is not stored lasts as long as the page.

/** @typedef {"localStorage" | "sessionStorage"} Shelf the browser's, for good; or the tab's */

/** What the browser did not take. @type {Map<string, string>} */
const unstored = new Map();

/** The browser's own storage; null where it allows none. @param {Shelf} shelf */
function storageOf(shelf) {
  try {
    return window[shelf];
  } catch {
    return null;
  }
}

/** The text that is stored under a name; null if there is none. @param {Shelf} shelf @param {string} name */
function readText(shelf, name) {
  try {
    return unstored.get(`${shelf} ${name}`) ?? storageOf(shelf)?.getItem(name) ?? null;
  } catch {
    return null;
  }
}

/**
 * The value that is stored under a name; null if there is none, or one that is not valid.
 * @template Value
 * @param {Shelf} shelf @param {string} name @param {(value: any) => value is Value} isValid
 * @returns {Value | null}
 */
function readValue(shelf, name, isValid) {
  try {
    const value = JSON.parse(readText(shelf, name) ?? "null");
    return isValid(value) ? value : null;
  } catch {
    return null;
  }
}

/** Whether a value has names, as what we store has. @returns {value is Record<string, unknown>} */
function isRecord(/** @type {unknown} */ value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Stores a text; returns whether the browser took it, so that the page can say what will be lost.
 * @param {Shelf} shelf @param {string} name @param {string} text
 */
function storeText(shelf, name, text) {
  try {
    const storage = storageOf(shelf);
    if (!storage) throw new Error("no storage");
    storage.setItem(name, text);
    unstored.delete(`${shelf} ${name}`);
    return true;
  } catch {
    unstored.set(`${shelf} ${name}`, text);
    return false;
  }
}
