// @ts-check
// Fixes of Streamlit's widgets: arrow keys choose among chips, a formula wider than its column can be
// focused, charts fit on paper, the settings and, on a phone, the menu close with their page, and the message on a lost connection
// is written for users.

const ARROWS = new Set(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]);
const PAPER_WIDTH = 690; // pixels between the margins of A4
const CONNECTION_LOST =
  "The server doesn't answer. What is on the screen stays, and this message goes away as soon as the " +
  "connection is back. If it stays, tell whoever runs this program, or check your network.";

/** Choose the chip that an arrow key has focused, as in other groups of radio buttons. */
function chooseFocused(/** @type {KeyboardEvent} */ event) {
  if (!ARROWS.has(event.key)) return;
  const chip = document.activeElement;
  if (chip?.matches('.stButtonGroup [role="radio"][aria-checked="false"]')) /** @type {HTMLElement} */ (chip).click();
}

function fitOnPaper() {
  for (const chart of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".stPlotlyChart"))) {
    if (chart.offsetWidth > PAPER_WIDTH) chart.style.zoom = String(PAPER_WIDTH / chart.offsetWidth);
  }
}

function restoreSize() {
  for (const chart of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".stPlotlyChart"))) {
    chart.style.zoom = "";
  }
}

function fix(/** @type {Element} */ added) {
  for (const one of [added, ...added.querySelectorAll(".katex-display")]) {
    if (one.matches(".katex-display")) one.setAttribute("tabindex", "0");
  }
  const title = added.querySelector('[role="dialog"] h2[slot="title"]');
  const message = title?.nextElementSibling;
  if (title?.firstChild && message && title.textContent === "Connection error") {
    title.firstChild.nodeValue = "The connection is lost"; // React owns the node itself
    /** @type {HTMLElement} */ (message).hidden = true;
    const { className } = message;
    message.after(Object.assign(document.createElement("div"), { className, textContent: CONNECTION_LOST }));
  }
}

const watching = new MutationObserver((records) => {
  for (const { addedNodes } of records) {
    for (const added of addedNodes) if (added instanceof Element) fix(added);
  }
});

let page = ""; // the current page
let isReopened = false; // the sidebar was opened after the last act that may have chosen a page

/** Close the sidebar, which has a page's settings and, on a phone, the menu. */
function closeSidebar() {
  /** @type {HTMLElement | null} */
  const close = document.querySelector('[data-collapsed="false"] [data-testid="stSidebarCollapseButton"] button');
  close?.click();
}

/** Close the menu when a page is chosen in it, even the one that is shown. */
function onClick(/** @type {MouseEvent} */ { target }) {
  if (!(target instanceof Element)) return;
  const isChoice = target.closest("a") || !target.closest('[data-testid="stSidebar"]');
  if (isChoice) isReopened = target.closest('[data-testid="stExpandSidebarButton"]') !== null;
  if (target.closest('[data-testid="stSidebarNavLink"]')) closeSidebar();
}

function onPopState() {
  isReopened = false;
}

/** @param {{ data: { page: string } }} component */
export default function ({ data }) {
  if (page !== data.page) {
    if (page && !isReopened) closeSidebar(); // a page that comes late closes nothing under the finger
    page = data.page;
  }
  window.addEventListener("keyup", chooseFocused); // adding the same listener again has no effect
  window.addEventListener("click", onClick);
  window.addEventListener("popstate", onPopState);
  window.addEventListener("beforeprint", fitOnPaper);
  window.addEventListener("afterprint", restoreSize);
  watching.observe(document.body, { childList: true, subtree: true });
  fix(document.body);
}
