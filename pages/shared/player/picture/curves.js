// Lines over all steps, with a runner on each at the current one. The lines are an SVG that is stretched to
// the room there is; dots and texts are HTML above it, placed in per cent, so that they keep their shape.

const PLOT = 14; // em: the height, as curves.css has it
const LABELS_APART = 1.5; // em between the labels of two runners
const FAR_APART = 8; // ratio of values above which the axis is logarithmic
const MOVES = 300; // ms: steps that follow faster are not animated

/** Round numbers from `low` to `high` for an axis. @param {number} low @param {number} high @param {boolean} isLog */
function ticksOf(low, high, isLog) {
  const powers = Array.from({ length: 8 }, (_, k) => 10 ** k);
  const rounds = powers.flatMap((power) => [power, 2 * power, 5 * power]);
  if (isLog) return rounds.filter((tick) => tick >= low && tick <= high);
  const step = rounds.find((round) => high / round <= 5) ?? high;
  return Array.from({ length: Math.floor(high / step) + 1 }, (_, n) => n * step);
}

/**
 * Places labels at `heights` (em from the top), moved apart where they would overlap.
 * @param {number[]} heights @returns {number[]}
 */
function spread(heights) {
  const order = heights.map((_, n) => n).sort((a, b) => heights[a] - heights[b]);
  const placed = [...heights];
  order.forEach((n, i) => {
    if (i) placed[n] = Math.max(placed[n], placed[order[i - 1]] + LABELS_APART);
  });
  const over = order.length ? placed[order[order.length - 1]] - Math.max(PLOT, ...heights) : 0;
  const middle = (placed[order[0]] + placed[order[order.length - 1]]) / 2;
  const wanted = heights.reduce((sum, height) => sum + height, 0) / Math.max(heights.length, 1);
  const shift = Math.max(0, over, middle - wanted);
  return placed.map((height, n) => (Math.abs(height - heights[n]) > 0.01 || shift ? height - shift : height));
}

/** @param {Recording} recording @param {CurvesHead} part @returns {PartView} */
function curvesPart(recording, part) {
  const all = [...part.values.flat(), part.target];
  const [least, most] = [Math.min(...all), Math.max(...all)];
  const isLog = least > 0 && most > FAR_APART * least;
  const [low, high] = isLog ? [Math.log(least / 1.15), Math.log(most * 1.15)] : [0, most * 1.05 || 1];
  const last = Math.max(part.values[0].length - 1, 1);
  const left = (/** @type {number} */ position) => (100 * position) / last;
  const top = (/** @type {number} */ value) => 100 * (1 - ((isLog ? Math.log(value) : value) - low) / (high - low));

  const lines = part.values.map((values, n) => {
    const points = values.map((value, position) => `${left(position).toFixed(2)},${top(value).toFixed(2)}`);
    return `<polyline class="line line-${n}" points="${points.join(" ")}"/>`;
  });
  const drawing = `<svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">${lines.join("")}</svg>`;
  const plot = make("div", "plot");
  plot.setAttribute("role", "img");
  const [ahead, done] = ["ahead", "done"].map((name) => make("div", `drawn ${name}`));
  for (const layer of [ahead, done]) layer.innerHTML = drawing; // numbers only
  const ticks = ticksOf(least, most, isLog).map((value) => {
    const tick = make("span", "tick", shown(value));
    tick.style.top = `${top(value)}%`;
    return tick;
  });
  const target = make("span", "target", make("span", "", part.targetLabel));
  target.style.top = `${top(part.target)}%`;
  const runners = part.names.map((name, n) => {
    const label = make("span", "runner-label", make("b", "", name), " ", make("span", ""));
    return { dot: make("i", `runner line-${n}`), label };
  });
  plot.append(...ticks, target, ahead, done, ...runners.flatMap(({ dot, label }) => [dot, label]));
  const node = make("div", "part curves", make("p", "caption", part.caption), plot);
  let [before, drawnAt] = [-1, 0];

  function draw(/** @type {CurvesFrame} */ { at, labels }) {
    const now = performance.now();
    plot.classList.toggle("still", Math.abs(at - before) !== 1 || now - drawnAt < MOVES);
    [before, drawnAt] = [at, now];
    plot.style.setProperty("--done", `${left(at)}%`);
    plot.setAttribute("aria-label", part.names.map((name, n) => `${name}: ${labels[n]}`).join("; "));
    const tops = part.values.map((values) => top(values[at]));
    const heights = spread(tops.map((each) => (each / 100) * PLOT));
    runners.forEach(({ dot, label }, n) => {
      dot.style.top = `${tops[n]}%`;
      label.style.top = `${heights[n]}em`;
      label.classList.toggle("before", at > last / 2);
      /** @type {HTMLElement} */ (label.lastChild).textContent = labels[n];
    });
  }
  return { node, draw, side: part.side || "left", width: 30 };
}
