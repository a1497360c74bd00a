// Shows a chart that was drawn in Python, as SVG in the page's colors, with the rule at a step. When
// only the step is another, only the rule moves.

const drawn = new WeakMap(); // by the element that a chart was mounted in

export default function ({ data, parentElement }) {
  const [svg, at] = JSON.parse(new TextDecoder().decode(data));
  const place = parentElement.querySelector(".place");
  if (drawn.get(parentElement) !== svg) place.innerHTML = svg;
  drawn.set(parentElement, svg);
  place.style.setProperty("--at", at);
}
