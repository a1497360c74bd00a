// Shows what a chart finds at a step and, drawn in Python as SVG, the chart, with the rule at that
// step. Where only the step is another, only the rule moves.

const drawn = new WeakMap(); // by the element that a chart was mounted in

/** @param {Mounting<Bytes>} given */
export default function ({ data, parentElement }) {
  /** @type {[finding: string, svg: string, at: number]} */
  const [finding, svg, at] = JSON.parse(new TextDecoder().decode(data));
  parentElement.querySelector(".finding").textContent = finding;
  /** @type {HTMLElement} */
  const place = parentElement.querySelector(".component");
  if (drawn.get(parentElement) !== svg) place.innerHTML = svg;
  drawn.set(parentElement, svg);
  place.style.setProperty("--at", at);
}
