// What Streamlit does for the player in the app, done inside a file: it hands over the film, keeps
// the step (in the address, behind the #), and turns light or dark. It fetches nothing.

const film = Uint8Array.from(atob(document.querySelector("#film").textContent), (c) => c.charCodeAt(0));
const parentElement = document.querySelector("#player").shadowRoot;
let sent = 1; // the number of our last wish
let at = 0; // the step at which the player rests

/** The message to the player, with the step that the address asks for in place of its own. */
function wishing(hash) {
  const size = new DataView(film.buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(film.subarray(4, 4 + size)));
  at = asked(hash) ?? header.step[1];
  header.step = [sent, at];
  const text = new TextEncoder().encode(JSON.stringify(header));
  const rest = film.subarray(4 + size);
  const message = new Uint8Array(4 + text.length + rest.length);
  new DataView(message.buffer).setUint32(0, text.length, true);
  message.set(text, 4);
  message.set(rest, 4 + text.length);
  return message;
}

/** The step that the end of an address asks for, if it asks for one. */
function asked(hash) {
  const step = hash.match(/^#step=(\d{1,9})$/)?.[1];
  return step === undefined ? undefined : Number(step);
}

function show(address) {
  const data = wishing(new URL(address).hash);
  follow();
  mount({ data, parentElement, setStateValue: hear });
}

/** The player says where it rests. */
function hear(name, value) {
  if (name !== "step") return;
  const url = new URL(location);
  url.hash = `step=${value[0]}`;
  history.replaceState(history.state, "", url);
  at = value[0];
  follow();
}

/** Marks the rows of a step in the tables, and brings them into view where they are open. */
function follow() {
  for (const row of document.querySelectorAll("tr[aria-current]")) row.removeAttribute("aria-current");
  for (const row of document.querySelectorAll(`tr[data-step="${at}"]`)) {
    row.setAttribute("aria-current", "step");
    const box = row.closest("div");
    box.scrollTop = row.offsetTop - box.offsetTop - box.clientHeight / 2;
  }
}

/** A file in a strict frame may neither change its address nor keep scores: it does without. */
function makeDo() {
  const replace = history.replaceState.bind(history);
  history.replaceState = (...to) => {
    try {
      replace(...to);
    } catch {
      // the step is not in the address then
    }
  };
  try {
    sessionStorage.getItem("");
  } catch {
    const scores = new Map();
    const store = { getItem: (key) => scores.get(key) ?? null, setItem: (key, value) => scores.set(key, value) };
    Object.defineProperty(window, "sessionStorage", { value: store });
  }
}

/** Says to a page that has this file in a frame how high it is. */
function tellHeight() {
  if (parent === window) return;
  new ResizeObserver(() => {
    const height = document.documentElement.offsetHeight;
    parent.postMessage({ type: "piece-by-piece-height", height }, "*");
  }).observe(document.documentElement);
}

/** Light or dark is the reader's: at first as the system has it, then by the button. */
function turn(isDark) {
  document.documentElement.style.colorScheme = isDark ? "dark" : "light";
}

turn(matchMedia("(prefers-color-scheme: dark)").matches);
document.querySelector("#light").onclick = () => turn(document.documentElement.style.colorScheme === "light");
// The new address as the browser tells it: a player at rest may have written its own over it.
window.addEventListener("hashchange", ({ newURL }) => {
  sent += 1;
  show(newURL);
});
for (const details of document.querySelectorAll("details")) details.ontoggle = follow;
makeDo();
tellHeight();
show(location.href);
