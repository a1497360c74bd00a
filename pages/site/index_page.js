// The index: the progress in each lesson, from this browser's storage. Runs after file_shell.js and
// storage.js.

/** The marks of a lesson's seen stops: all but “-”, see lessons/progress.py. */
function seenOf(/** @type {string} */ slug) {
  const { marks } = readValue("localStorage", `piece-by-piece:lesson:${slug}`, isRecord) ?? {};
  return typeof marks === "string" ? [...marks].filter((mark) => mark !== "-") : [];
}

function showProgress() {
  for (const one of document.querySelectorAll("[data-slug]")) {
    const { slug = "", stops, questions } = /** @type {HTMLElement} */ (one).dataset;
    const marks = seenOf(slug).slice(0, Number(stops));
    const right = marks.filter((mark) => "12y".includes(mark)).length;
    const isDone = marks.length >= Number(stops) && right >= Number(questions);
    if (marks.length) one.textContent = isDone ? "✓ done" : `${marks.length} of ${stops} stops seen`;
  }
}

initThemeButton();
reportHeight();
showProgress();
// Back from a lesson, the browser restores the page as it was: update the progress.
window.addEventListener("pageshow", showProgress);
