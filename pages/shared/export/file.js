// Hosts the player in an exported file, as Streamlit does in the app: passes the recording on and
// stores the step in the URL's hash. It fetches nothing.
// The file has before it: the player (mount), mountTerms, mountOverlays and file_shell.js.

export {}; // a module: its names are not global

const recording = bytesOf(document.querySelector("#recording"));
const parentElement = document.querySelector("#player").shadowRoot;
let revision = 1; // of the step that the file has set
let at = 0; // the player's current step

/**
 * The message to the player with the step of the URL's hash.
 * @param {string} hash
 */
function messageAt(hash) {
  return withHeader(recording, (header) => {
    at = parseStep(hash) ?? header.step[1];
    return { ...header, step: [revision, at] };
  });
}

/** The step in the hash of a URL, if there is one. @param {string} hash */
function parseStep(hash) {
  const step = hash.match(/^#step=(\d{1,9})$/)?.[1];
  return step === undefined ? undefined : Number(step);
}

function show(/** @type {string} */ address) {
  const data = messageAt(new URL(address).hash);
  markStep();
  mount({ data, parentElement, setStateValue: acceptState });
}

/** Store the step that the player reports. @param {string} name @param {number[]} value */
function acceptState(name, value) {
  if (name !== "step") return;
  const url = new URL(location.href);
  url.hash = `step=${value[0]}`;
  history.replaceState(history.state, "", url);
  at = value[0];
  markStep();
}

/** Mark the current step in charts and tables; scroll its rows into view in open ones. */
function markStep() {
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

// The event's URL: the player may have replaced the current one meanwhile.
window.addEventListener("hashchange", ({ newURL }) => {
  revision += 1;
  show(newURL);
});
for (const details of document.querySelectorAll("details")) details.ontoggle = markStep;
ignoreHistoryErrors();
mountTerms();
mountOverlays();
initThemeButton();
reportHeight();
show(location.href);
