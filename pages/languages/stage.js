// The language mix: a slider over trainings that are on record, the bars of all languages, and the
// tiles of one of them. All that is shown was made in Python (pages/languages/shown.py).

const REST = 250; // milliseconds without a move after which the place is told to Python

/** The slider with the two languages at its ends. */
function slider(data) {
  const box = make("label", "mix");
  const range = make("input");
  Object.assign(range, { type: "range", min: 0, max: data.mixes.length - 1, step: 1 });
  range.setAttribute("aria-label", `share of ${data.second} in the training text`);
  box.append(make("span", "", `all ${data.first}`), range, make("span", "", `all ${data.second}`));
  return box;
}

/** Who needs the learned pieces, as a strip of four parts. */
function users(data) {
  const box = make("div", "users");
  const strip = make("div", "strip");
  strip.setAttribute("aria-hidden", "true"); // the sentence under it says the same
  for (const name of [data.first, "both", data.second, "neither"]) strip.append(make("i", "", name));
  box.append(make("b", "", "Who needs the learned pieces"), strip, make("p", "said"));
  return box;
}

/** One language: a button with its names, its bar, its value. */
function row([code, name, native]) {
  const made = make("tr");
  made.dataset.code = code;
  const head = make("th");
  head.scope = "row";
  const button = make("button");
  button.type = "button";
  const own = make("bdi", "", native);
  own.lang = code;
  button.append(make("span", "", name), own);
  head.append(button);
  const cell = make("td", "cell");
  const track = make("div", "track");
  track.append(make("div", "bar"), make("i", "tick"));
  cell.append(track);
  made.append(head, cell, make("td", "value"));
  return made;
}

function bars(data) {
  const table = make("table");
  table.append(make("caption", "", `${data.unit}. Tick: half and half. Choose one to see it split.`));
  for (const [script, rows] of data.groups) {
    const body = make("tbody");
    body.append(...rows.map(row));
    const head = make("th", "script", script);
    head.rowSpan = rows.length;
    head.scope = "rowgroup";
    body.firstChild.prepend(head);
    table.append(body);
  }
  return table;
}

function draw(root, data) {
  const stage = make("div", data.large ? "stage large" : "stage");
  const sentence = make("p", "sentence");
  sentence.setAttribute("aria-live", "polite");
  const left = make("div", "left");
  left.append(bars(data));
  const right = make("div", "right");
  const tiles = make("div", "tiles");
  tiles.setAttribute("role", "list");
  tiles.tabIndex = 0; // it scrolls
  right.append(users(data), make("h3"), tiles, make("p", "legend", data.legend));
  const columns = make("div", "columns");
  columns.append(left, right);
  stage.append(sentence, slider(data), columns);
  root.replaceChildren(stage);
}

function tile([text, tint, kind]) {
  const made = make("span", `t${tint} ${kind}`);
  made.setAttribute("role", "listitem");
  made.style.background = `var(--tint-${tint})`;
  made.append(make("bdi", "", text));
  if (kind === "unknown") made.append(make("small", "", "unknown"));
  return made;
}

function showBars(root, data, { at, code }) {
  for (const [, rows] of data.groups) {
    for (const [name, , , values, shown, lost, lostSaid] of rows) {
      const line = root.querySelector(`tr[data-code="${CSS.escape(name)}"]`);
      const bar = line.querySelector(".bar");
      bar.style.width = `${(100 * (values[at] ?? 0)) / data.most}%`;
      const tick = line.querySelector(".tick");
      tick.hidden = values[data.half] === null;
      tick.style.left = `${(100 * (values[data.half] ?? 0)) / data.most}%`;
      bar.style.setProperty("--lost", `${100 * lost[at]}%`);
      const value = line.querySelector(".value");
      value.replaceChildren(make("span", "", shown[at]));
      if (lostSaid[at]) value.append(make("small", "", lostSaid[at]));
      line.classList.toggle("on", name === code);
      line.querySelector("button").setAttribute("aria-pressed", String(name === code));
    }
  }
}

function showUsers(root, data, at) {
  const sum = data.shares[at].reduce((a, b) => a + b, 0);
  root.querySelectorAll(".strip i").forEach((part, n) => {
    const share = sum ? data.shares[at][n] / sum : 0;
    part.style.flexGrow = share;
    part.classList.toggle("none", share < 0.16); // too narrow for its name
  });
  root.querySelector(".users .said").textContent = data.users[at];
}

function showTiles(root, data, { at, code }) {
  const here = root.querySelector(".tiles");
  const isOld = data.cut !== code; // the tiles of the language chosen just now are on their way
  here.classList.toggle("old", isOld);
  if (isOld) return;
  const count = data.cuts[at].length;
  root.querySelector("h3").textContent = `${data.title}: ${count.toLocaleString("en")} tokens`;
  here.dir = data.dir;
  here.replaceChildren(...data.cuts[at].map((n) => tile(data.tiles[n])));
}

function show(root, data, here) {
  const range = root.querySelector("input");
  range.value = here.at;
  range.setAttribute("aria-valuetext", data.mixes[here.at]);
  root.querySelector(".sentence").textContent = data.sentences[here.at];
  showBars(root, data, here);
  showUsers(root, data, here.at);
  showTiles(root, data, here);
}

export default function ({ data, parentElement, setStateValue }) {
  const root = parentElement.querySelector(".place");
  const here = visitOf(parentElement, data.key, { at: data.at, code: data.code });
  const frame = JSON.stringify([data.groups, data.unit, data.first, data.second, data.large, data.legend]);
  if (here.frame !== frame) {
    draw(root, data);
    here.frame = frame;
  }
  show(root, data, here);

  function go(change) {
    Object.assign(here, change);
    show(root, data, here);
    atRest(here, REST, () => setStateValue("chosen", [here.at, here.code, data.key]));
  }

  root.oninput = ({ target }) => {
    if (target.type === "range") go({ at: Number(target.value) });
  };
  root.onclick = ({ target }) => {
    const line = target.closest("tr[data-code]");
    if (line) go({ code: line.dataset.code });
  };
}
