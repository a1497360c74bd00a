// Lines over all steps, with a runner on each at the current one, and a key with their values above.
// The lines are an SVG that is stretched to the room there is; dots and texts are HTML above it, placed in
// per cent, so that they keep their shape.

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

/** @param {Recording} recording @param {CurvesHead} part @returns {PartView} */
function curvesPart(recording, part) {
  const all = [...part.values.flat(), part.target];
  const [least, most] = [Math.min(...all), Math.max(...all)];
  const isLog = least > 0 && most > FAR_APART * least;
  const [low, high] = isLog ? [Math.log(least / 1.15), Math.log(most * 1.15)] : [0, most * 1.05 || 1];
  const last = Math.max(part.values[0].length - 1, 1);
  const left = (/** @type {number} */ position) => (100 * position) / last;
  const top = (/** @type {number} */ value) => 100 * (1 - ((isLog ? Math.log(value) : value) - low) / (high - low));

  const points = part.values.map((values) =>
    values.map((value, position) => /** @type {[number, number]} */ ([left(position), top(value)])),
  );
  const lines = points.map((line, n) => {
    const written = line.map(([x, y]) => `${x.toFixed(2)},${y.toFixed(2)}`);
    return `<polyline class="line line-${n}" points="${written.join(" ")}"/>`;
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
  const dots = part.names.map((_, n) => make("i", `runner line-${n}`));
  const values = part.names.map(() => make("span"));
  const sample = (/** @type {number} */ n) => {
    const stroke = make("i", "sample");
    stroke.innerHTML = `<svg viewBox="0 0 100 10" aria-hidden="true"><path class="line line-${n}" d="M0 5H100"/></svg>`;
    return stroke;
  };
  const rows = part.names.map((name, n) => make("p", "runner-key", sample(n), make("b", "", name), " ", values[n]));
  plot.append(...ticks, target, ahead, done, ...dots);
  const node = make("div", "part curves", make("p", "caption", part.caption), ...rows, plot);
  let [before, drawnAt] = [-1, 0];

  function draw(/** @type {CurvesFrame} */ { at, labels }) {
    const now = performance.now();
    plot.classList.toggle("still", Math.abs(at - before) !== 1 || now - drawnAt < MOVES);
    [before, drawnAt] = [at, now];
    plot.style.setProperty("--done", `${left(at)}%`);
    plot.setAttribute("aria-label", part.names.map((name, n) => `${name}: ${labels[n]}`).join("; "));
    dots.forEach((dot, n) => {
      dot.style.top = `${points[n][at][1]}%`;
      values[n].textContent = labels[n];
    });
  }
  return { node, draw, side: part.side || "left", width: 30 };
}
