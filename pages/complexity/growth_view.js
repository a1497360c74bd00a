// How an operation's work grows: a sentence, beside each other a chart and a table, and notes below them.
// Draws the message of pages/complexity/growth_view.py; its chart and table are made by our own Python.

const SCALES =
  "On these scales a power is a straight line, and its exponent is the slope. Dotted: the slope of the " +
  "claim, drawn through the last point: O(·) says nothing about the height.";

/** @typedef {{ finding: string, chart: string, table: string, note: string }} GrowthMessage */

function fromHtml(/** @type {string} */ name, /** @type {string} */ html) {
  const made = make("div", name);
  made.innerHTML = html;
  return made;
}

function drawGrowth(/** @type {HTMLElement} */ root, /** @type {GrowthMessage} */ data) {
  const sentence = make("p", "sentence", data.finding);
  sentence.setAttribute("aria-live", "polite");
  const chart = make("figure", "", fromHtml("chart", data.chart), make("figcaption", "note", SCALES));
  const counts = make("div", "counts", fromHtml("across", data.table), make("p", "note", data.note));
  root.replaceChildren(
    make("div", "growth", make("div", "top", sentence, presentButton()), make("div", "both", chart, counts)),
  );
}

/** @param {Mounting<GrowthMessage>} given */
export default function ({ data, parentElement }) {
  /** @type {HTMLElement} */
  const root = parentElement.querySelector(".component");
  const here = localState(parentElement, { drawn: "" });
  const drawn = JSON.stringify(data);
  if (here.drawn !== drawn) drawGrowth(root, data);
  here.drawn = drawn;
  markPainted(root);
  presentPicture(root);
}
