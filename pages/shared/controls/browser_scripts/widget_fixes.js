// @ts-check
// What Streamlit's own parts lack in a browser: an arrow chooses among chips, a formula wider than its
// column can be reached by Tab, a chart fits on paper, and a lost connection is told in words for
// whoever reads the page. Draws nothing but that.

const STEPS = new Set(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]);
const SHEET = 690; // pixels of a sheet of A4 between its margins
const GONE =
  "The server doesn't answer. What is on the screen stays, and this message goes away as soon as the " +
  "connection is back. If it stays, tell whoever runs this program, or check your network.";

/** Choose the chip that an arrow led to, as in every other group of radio buttons. */
function stepped(/** @type {KeyboardEvent} */ event) {
  if (!STEPS.has(event.key)) return;
  const chip = document.activeElement;
  if (chip?.matches('.stButtonGroup [role="radio"][aria-checked="false"]')) /** @type {HTMLElement} */ (chip).click();
}

function fitOnPaper() {
  for (const chart of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".stPlotlyChart"))) {
    if (chart.offsetWidth > SHEET) chart.style.zoom = String(SHEET / chart.offsetWidth);
  }
}

function asOnScreen() {
  for (const chart of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".stPlotlyChart"))) {
    chart.style.zoom = "";
  }
}

function mend(/** @type {Element} */ added) {
  for (const one of [added, ...added.querySelectorAll(".katex-display")]) {
    if (one.matches(".katex-display")) one.setAttribute("tabindex", "0");
  }
  const title = added.querySelector('[role="dialog"] h2[slot="title"]');
  const said = title?.nextElementSibling;
  if (title?.firstChild && said && title.textContent === "Connection error") {
    title.firstChild.nodeValue = "The connection is lost"; // the framework keeps its nodes
    /** @type {HTMLElement} */ (said).hidden = true;
    const { className } = said;
    said.after(Object.assign(document.createElement("div"), { className, textContent: GONE }));
  }
}

const watching = new MutationObserver((records) => {
  for (const { addedNodes } of records) {
    for (const added of addedNodes) if (added instanceof Element) mend(added);
  }
});

export default function () {
  window.addEventListener("keyup", stepped); // the same one again does nothing
  window.addEventListener("beforeprint", fitOnPaper);
  window.addEventListener("afterprint", asOnScreen);
  watching.observe(document.body, { childList: true, subtree: true });
  mend(document.body);
}
