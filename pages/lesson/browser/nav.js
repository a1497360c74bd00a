// The navigation bar of a lesson: back, forward and the stops. It announces the current stop. In the app
// it also keeps the server and the engine in step. Loaded after lesson_engine.js.

const bars = new WeakMap(); // by element: the drawn data as JSON, and the stop

/** @param {string} text @param {string} where @param {string} name */
function button(text, where, name = "") {
  const made = make("button", name, text);
  made.type = "button";
  made.dataset.where = where;
  return made;
}

/** @typedef {{ at: number, stops: [heading: string, sign: string, status: string][] }} Bar */

function stops(/** @type {Bar} */ { stops, at }) {
  const list = make("ol");
  stops.forEach(([heading, sign, status], n) => {
    const one = button("", `${n}`);
    one.append(make("span", "", `${n + 1}`), make("small", "", sign));
    one.title = `${heading}: ${status}`;
    one.setAttribute("aria-label", `Stop ${n + 1}: ${heading}, ${status}`);
    if (n === at) one.setAttribute("aria-current", "step");
    list.append(make("li", "", one));
  });
  return list;
}

/** What the results in the bar mean, once there is one that does not explain itself. */
function legend(/** @type {Bar} */ { stops }) {
  const meanings = new Map(stops.map(([, sign, status]) => [sign, status.replace(/ at the (first|second) try$/, "")]));
  const isNeeded = meanings.has("✗") || meanings.has("↻");
  const shown = isNeeded ? ["✓", "✗", "↻"].filter((sign) => meanings.has(sign)) : [];
  return make("p", "legend", ...shown.map((sign) => make("span", "", make("b", "", sign), ` ${meanings.get(sign)}`)));
}

/** @param {HTMLElement} root @param {Bar} bar */
function draw(root, bar) {
  const back = button("← Back", "back", "back");
  back.disabled = bar.at === 0;
  const on = button(bar.at + 1 < bar.stops.length ? "Next →" : "Finish →", "on", "on");
  on.hidden = bar.at >= bar.stops.length;
  const live = make("p", "announcement");
  live.setAttribute("role", "status");
  root.replaceChildren(back, stops(bar), on, legend(bar), live);
  return live;
}

/** @param {ShadowRoot} parentElement @param {Bar} bar */
function paint(parentElement, bar) {
  const root = contentOf(parentElement, "nav");
  const before = bars.get(parentElement);
  const drawn = JSON.stringify(bar);
  if (before?.drawn === drawn) return root;
  const held = /** @type {HTMLElement} */ (root.querySelector(":focus"))?.dataset.where;
  const live = draw(root, bar);
  /** @type {HTMLElement} */
  const same = held && root.querySelector(`[data-where="${held}"]:not([disabled], [hidden])`);
  // Keep the focus on the pressed button; after other navigation, focus the current stop.
  /** @type {HTMLElement} */
  const here = root.querySelector('[aria-current="step"]') ?? root.querySelector(".back");
  if (held) (same ?? here)?.focus();
  else if (before && before.at !== bar.at) here?.focus();
  const heading = bar.stops[bar.at]?.[0];
  const place = heading ? `Stop ${bar.at + 1} of ${bar.stops.length}: ${heading}` : "The end";
  if (before && before.at !== bar.at) {
    root.scrollIntoView({ block: "nearest" }); // the new stop begins here
    setTimeout(() => (live.textContent = place));
  }
  bars.set(parentElement, { drawn, at: bar.at });
  return root;
}

/** @param {Mounting<NavMessage>} given */
export default function ({ data, parentElement, setStateValue }) {
  const engine = engineOf(data.lesson);
  const isNew = !bars.has(parentElement);
  const repaint = () =>
    paint(parentElement, {
      at: engine.stop,
      stops: data.headings.map((heading, n) => [heading, ...data.signs[engine.marks[n]]]),
    });
  engine.listeners.nav = repaint;
  if (data.server) {
    const { revision, asks, known } = data.server;
    delete engine.listeners.server;
    const isSet = engine.begin(revision, asks, known[1], known[0]);
    const report = () => setStateValue("engine", [[data.lesson, ...engine.report()], revision]);
    engine.listeners.server = report;
    // Also at every new mount: what was reported right before the page was left may have been lost.
    if ((isSet || isNew) && JSON.stringify(engine.report()) !== JSON.stringify(known)) report();
  }
  repaint().onclick = ({ target }) => {
    const where = /** @type {Element} */ (target).closest("button")?.dataset.where;
    if (where !== undefined) engine.navigate(where === "on" || where === "back" ? where : Number(where));
  };
}
