// The navigation bar of a lesson: back, forward and the stops. It announces the current stop.

const bars = new WeakMap(); // by element: the drawn data as JSON, and the stop

/** @param {string} text @param {string} where @param {string} name */
function button(text, where, name = "") {
  const made = make("button", name, text);
  made.type = "button";
  made.dataset.where = where;
  return made;
}

function stops(/** @type {NavMessage} */ data) {
  const list = make("ol");
  data.stops.forEach(([heading, sign, status], n) => {
    const one = button("", `${n}`);
    one.append(make("span", "", `${n + 1}`), make("small", "", sign));
    one.title = `${heading}: ${status}`;
    one.setAttribute("aria-label", `Stop ${n + 1}: ${heading}, ${status}`);
    if (n === data.at) one.setAttribute("aria-current", "step");
    list.append(make("li", "", one));
  });
  return list;
}

/** What the results in the bar mean, once there is one that does not explain itself. */
function legend(/** @type {NavMessage} */ { stops }) {
  const meanings = new Map(stops.map(([, sign, status]) => [sign, status.replace(/ at the (first|second) try$/, "")]));
  const isNeeded = meanings.has("✗") || meanings.has("↻");
  const shown = isNeeded ? ["✓", "✗", "↻"].filter((sign) => meanings.has(sign)) : [];
  return make("p", "legend", ...shown.map((sign) => make("span", "", make("b", "", sign), ` ${meanings.get(sign)}`)));
}

/** @param {HTMLElement} root @param {NavMessage} data */
function draw(root, data) {
  const back = button("← Back", "back", "back");
  back.disabled = data.at === 0;
  const on = button(`${data.after} →`, "on", "on");
  on.hidden = data.at >= data.stops.length;
  const live = make("p", "announcement");
  live.setAttribute("role", "status");
  root.replaceChildren(back, stops(data), on, legend(data), live);
  return live;
}

/** @param {Mounting<NavMessage>} given */
export default function ({ data, parentElement, setStateValue }) {
  const root = contentOf(parentElement, "nav");
  const before = bars.get(parentElement);
  const drawn = JSON.stringify({ ...data, revision: 0 });
  if (before?.drawn !== drawn) {
    const held = /** @type {HTMLElement} */ (root.querySelector(":focus"))?.dataset.where;
    const live = draw(root, data);
    /** @type {HTMLElement} */
    const same = held && root.querySelector(`[data-where="${held}"]:not([disabled], [hidden])`);
    // Keep the focus on the pressed button; after other navigation, focus the current stop.
    /** @type {HTMLElement} */
    const here = root.querySelector('[aria-current="step"]') ?? root.querySelector(".back");
    if (held) (same ?? here)?.focus();
    else if (before && before.at !== data.at) here?.focus();
    const heading = data.stops[data.at]?.[0];
    const place = heading ? `Stop ${data.at + 1} of ${data.stops.length}: ${heading}` : "The end";
    if (before && before.at !== data.at) {
      root.scrollIntoView({ block: "nearest" }); // the new stop begins here
      setTimeout(() => (live.textContent = place));
    }
  }
  bars.set(parentElement, { drawn, at: data.at });
  root.onclick = ({ target }) => {
    const where = /** @type {Element} */ (target).closest("button")?.dataset.where;
    if (where === undefined) return;
    const destination = /^\d+$/.test(where) ? Number(where) : where;
    setStateValue("target", [data.revision, data.at, destination]);
  };
}
