// The browser's storage. It may be refused (site data off; a frame in another site's page), be full, or
// hold values of another version or written by hand. Nothing here throws: values read are validated,
// and values that cannot be stored are kept until the page is left.

/** @typedef {"localStorage" | "sessionStorage"} Shelf permanent, or of this tab */

/** Values that the browser did not store. @type {Map<string, string>} */
const unstored = new Map();

/** The browser's storage; null if access is denied. @param {Shelf} shelf */
function storageOf(shelf) {
  try {
    return window[shelf];
  } catch {
    return null;
  }
}

/** The text stored under a name; null if there is none. @param {Shelf} shelf @param {string} name */
function readText(shelf, name) {
  try {
    return unstored.get(`${shelf} ${name}`) ?? storageOf(shelf)?.getItem(name) ?? null;
  } catch {
    return null;
  }
}

/**
 * The value stored under a name; null if there is none or it is invalid.
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

/** Whether a value is a plain object. @returns {value is Record<string, unknown>} */
function isRecord(/** @type {unknown} */ value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Stores a text; returns whether it succeeded, so that the page can warn.
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
