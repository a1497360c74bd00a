// Shows a chart's finding at a step and the chart itself, an SVG from Python, with a rule at the step.
// If only the step has changed, only the rule moves.

const svgs = new WeakMap(); // by the element that a chart is mounted in

/** @param {Mounting<Bytes>} given */
export default function ({ data, parentElement }) {
  /** @type {[finding: string, svg: string, at: number]} */
  const [finding, svg, at] = JSON.parse(new TextDecoder().decode(data));
  parentElement.querySelector(".finding").textContent = finding;
  /** @type {HTMLElement} */
  const container = parentElement.querySelector(".component");
  if (svgs.get(parentElement) !== svg) container.innerHTML = svg;
  svgs.set(parentElement, svg);
  container.style.setProperty("--at", at);
}
