// What Streamlit does for the player in the app, done inside a file: it hands over the film, keeps
// the step (in the address, behind the #), and turns light or dark. It fetches nothing.
// In front of it: the player and what is around it (mount, mountTerms, mountQrOverlay), file_shell.js.

export {}; // a module, as the page has it: its names are its own

const film = bytesOf(document.querySelector("#film"));
const parentElement = document.querySelector("#player").shadowRoot;
let sent = 1; // the number of our last wish
let at = 0; // the step at which the player rests

/**
 * The message to the player, with the step that the address asks for in place of its own.
 * @param {string} hash
 */
function wishing(hash) {
  return withHeader(film, (header) => {
    at = asked(hash) ?? header.step[1];
    return { ...header, step: [sent, at] };
  });
}

/** The step that the end of an address asks for, if it asks for one. @param {string} hash */
function asked(hash) {
  const step = hash.match(/^#step=(\d{1,9})$/)?.[1];
  return step === undefined ? undefined : Number(step);
}

function show(/** @type {string} */ address) {
  const data = wishing(new URL(address).hash);
  follow();
  mount({ data, parentElement, setStateValue: hear });
}

/** The player says where it rests. @param {string} name @param {number[]} value */
function hear(name, value) {
  if (name !== "step") return;
  const url = new URL(location.href);
  url.hash = `step=${value[0]}`;
  history.replaceState(history.state, "", url);
  at = value[0];
  follow();
}

/** Marks a step in the charts and the tables, whose rows come into view where they are open. */
function follow() {
  for (const row of document.querySelectorAll("tr[aria-current]")) row.removeAttribute("aria-current");
  /** @type {NodeListOf<HTMLElement>} */
  const rows = document.querySelectorAll(`tr[data-step="${at}"]`);
  for (const row of rows) {
    row.setAttribute("aria-current", "step");
    const box = row.closest("div");
    box.scrollTop = row.offsetTop - box.offsetTop - box.clientHeight / 2;
  }
  /** @type {NodeListOf<SVGElement>} */
  const lines = document.querySelectorAll("svg .step");
  for (const { dataset, style } of lines) {
    const [width, last] = [Number(dataset.width), Number(dataset.last)];
    style.transform = `translateX(${(width * Math.min(at, last)) / last}px)`;
  }
}

// The new address as the browser tells it: a player at rest may have written its own over it.
window.addEventListener("hashchange", ({ newURL }) => {
  sent += 1;
  show(newURL);
});
for (const details of document.querySelectorAll("details")) details.ontoggle = follow;
ignoreHistoryErrors();
mountTerms();
mountQrOverlay();
initThemeButton();
reportHeight();
show(location.href);
