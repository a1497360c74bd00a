// What the browser keeps of the lessons, in the app and in a lesson's file.

/** What the browser has kept under a name; nothing where it keeps nothing. @param {string} place */
function kept(place) {
  try {
    return JSON.parse(localStorage.getItem(place) ?? "{}") ?? {};
  } catch {
    return {};
  }
}

/** @param {string} place @param {object} what */
function keep(place, what) {
  try {
    localStorage.setItem(place, JSON.stringify(what));
  } catch {
    // Full, or not allowed: then it lasts as long as this page is open.
  }
}
