// A QR code on the page.

const QUIET = 4; // white cells around a QR code, by the standard

/** Cells as a picture for a camera: black on white in any theme, with an accessible `label`. */
function qrNode(/** @type {Cells} */ cells, /** @type {string} */ label) {
  const size = cells.length + 2 * QUIET;
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  const drawn = cells.flatMap((row, y) => row.map((cell, x) => (cell ? `M${x + QUIET} ${y + QUIET}h1v1h-1z` : "")));
  path.setAttribute("d", drawn.join(""));
  svg.setAttribute("viewBox", `0 0 ${size} ${size}`);
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", label);
  svg.append(path);
  return svg;
}
