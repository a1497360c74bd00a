// The index: how far somebody is in each lesson, as this browser has kept it. After around.js and
// storage.js.

/** The stops of a lesson that have been seen: every mark but “-”, see lessons/progress.py. */
function seenOf(/** @type {string} */ slug) {
  const { marks } = readValue("localStorage", `piece-by-piece:lesson:${slug}`, isRecord) ?? {};
  return typeof marks === "string" ? [...marks].filter((mark) => mark !== "-").length : 0;
}

function showProgress() {
  for (const one of document.querySelectorAll("[data-slug]")) {
    const [slug, stops] = [one.getAttribute("data-slug"), Number(one.getAttribute("data-stops"))];
    const seen = Math.min(seenOf(slug), stops);
    if (seen) one.textContent = seen < stops ? `${seen} of ${stops} stops seen` : "✓ done";
  }
}

offerLight();
tellHeight();
showProgress();
// Somebody who comes back from a lesson finds the page as they left it, but for the progress.
window.addEventListener("pageshow", showProgress);
