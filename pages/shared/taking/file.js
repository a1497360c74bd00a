// What Streamlit does for the player in the app, done inside a file: it hands over the film, keeps
// the step (in the address, behind the #), and turns light or dark. It fetches nothing.

const film = bytesOf(document.querySelector("#film"));
const parentElement = document.querySelector("#player").shadowRoot;
let sent = 1; // the number of our last wish
let at = 0; // the step at which the player rests

/** The message to the player, with the step that the address asks for in place of its own. */
function wishing(hash) {
  return withHeader(film, (header) => {
    at = asked(hash) ?? header.step[1];
    return { ...header, step: [sent, at] };
  });
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

/** Marks a step in the charts and the tables, whose rows come into view where they are open. */
function follow() {
  for (const row of document.querySelectorAll("tr[aria-current]")) row.removeAttribute("aria-current");
  for (const row of document.querySelectorAll(`tr[data-step="${at}"]`)) {
    row.setAttribute("aria-current", "step");
    const box = row.closest("div");
    box.scrollTop = row.offsetTop - box.offsetTop - box.clientHeight / 2;
  }
  for (const { dataset, style } of document.querySelectorAll("svg .step")) {
    style.transform = `translateX(${(dataset.width * Math.min(at, dataset.last)) / dataset.last}px)`;
  }
}

// The new address as the browser tells it: a player at rest may have written its own over it.
window.addEventListener("hashchange", ({ newURL }) => {
  sent += 1;
  show(newURL);
});
for (const details of document.querySelectorAll("details")) details.ontoggle = follow;
makeDo();
answerTerms();
watchForScan();
offerLight();
tellHeight();
show(location.href);
