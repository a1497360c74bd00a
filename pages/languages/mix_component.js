// The language mix: a slider over finished trainings, the bars of all languages, and the tiles of
// one of them. Draws the message of pages/languages/mix_message.py.

const DEBOUNCE_MS = 250; // before the chosen share and language are sent to Python

/** The slider with the two languages at its ends. */
function slider(/** @type {MixMessage} */ data) {
  const range = make("input");
  Object.assign(range, { type: "range", min: 0, max: data.mixes.length - 1, step: 1 });
  range.setAttribute("aria-label", `share of ${data.second} in the training text`);
  const [first, second] = [data.first, data.second].map((name) => make("span", "", `all ${name}`));
  return make("label", "mix", first, range, second);
}

/** Which languages use the learned pieces, as a bar of four parts and their names with the counts. */
function pieceUse(/** @type {MixMessage} */ data) {
  const names = [data.first, "both", data.second, "neither"];
  const shares = make("div", "shares", ...names.map(() => make("i")));
  shares.setAttribute("aria-hidden", "true"); // the list below has the same content
  const counts = names.map((name) => make("li", "", make("i"), `${name} `, make("b")));
  const title = make("b", "", "Who needs the learned pieces");
  return make("div", "users", title, shares, make("ul", "counts", ...counts), make("p", "summary"));
}

/** One language: a button with its names, its bar, its value. */
function row(/** @type {MixRow} */ [code, name, native]) {
  const nativeName = make("bdi", "", native);
  nativeName.lang = code;
  const button = make("button", "", make("span", "", name), nativeName);
  button.type = "button";
  const head = headCell("row", "", button);
  const track = make("div", "track", make("div", "bar"), make("i", "tick"));
  const made = make("tr", "", head, make("td", "cell", track), make("td", "value"));
  made.dataset.code = code;
  return made;
}

function bars(/** @type {MixMessage} */ data) {
  const rows = data.groups.flatMap(([, rows]) => rows);
  const lengths = rows.flatMap(([, , , , shown, , lost]) =>
    shown.map((text, n) => text.length + lost[n].length),
  );
  const caption = `${data.unit}. Tick: half and half. Choose one to see it split.`;
  const table = makeTable("", [caption], []);
  table.style.setProperty("--value", Math.max(...lengths)); // room for the longest, to keep the bars in place
  for (const [script, rows] of data.groups) {
    const body = make("tbody", "", ...rows.map(row));
    const head = headCell("rowgroup", "script", script);
    head.rowSpan = rows.length;
    body.firstElementChild.prepend(head);
    table.append(body);
  }
  return table;
}

function draw(/** @type {HTMLElement} */ root, /** @type {MixMessage} */ data) {
  const sentence = make("p", "sentence");
  sentence.setAttribute("aria-live", "polite");
  const tiles = make("div", "tiles");
  tiles.setAttribute("role", "list");
  tiles.tabIndex = 0; // it scrolls
  const title = make("h2", "", make("span", "title"), make("span", "more"));
  const right = make("div", "right", pieceUse(data), title, tiles, make("p", "legend", data.legend));
  const columns = make("div", "columns", make("div", "left", bars(data)), right);
  const top = make("div", "top", slider(data), presentButton());
  const stage = make("div", "stage", sentence, top, columns);
  root.replaceChildren(stage);
}

function tile(/** @type {MixTile} */ [text, tint, kind]) {
  const made = make("span", `t${tint} ${kind}`, make("bdi", "", text));
  made.setAttribute("role", "listitem");
  made.style.background = `var(--tint-${tint})`;
  if (kind === "unknown") made.append(make("small", "", "unknown"));
  return made;
}

/** @param {HTMLElement} root @param {MixMessage} data @param {MixState} here */
function showBars(root, data, { at, code }) {
  for (const [, rows] of data.groups) {
    for (const [name, , , values, shown, lost, lostTexts] of rows) {
      const line = root.querySelector(`tr[data-code="${CSS.escape(name)}"]`);
      /** @type {HTMLElement} */
      const bar = line.querySelector(".bar");
      bar.style.width = `${(100 * (values[at] ?? 0)) / data.most}%`;
      /** @type {HTMLElement} */
      const tick = line.querySelector(".tick");
      tick.hidden = values[data.half] === null;
      tick.style.left = `${(100 * (values[data.half] ?? 0)) / data.most}%`;
      bar.style.setProperty("--lost", `${100 * lost[at]}%`);
      const value = line.querySelector(".value");
      value.replaceChildren(make("span", "", shown[at]));
      if (lostTexts[at]) value.append(make("small", "", lostTexts[at]));
      line.classList.toggle("on", name === code);
      line.querySelector("button").setAttribute("aria-pressed", String(name === code));
    }
  }
}

/** @param {HTMLElement} root @param {MixMessage} data @param {number} at */
function showPieceUse(root, data, at) {
  const sum = data.shares[at].reduce((a, b) => a + b, 0);
  /** @type {NodeListOf<HTMLElement>} */
  const parts = root.querySelectorAll(".shares i");
  const counts = root.querySelectorAll(".counts b");
  data.shares[at].forEach((count, n) => {
    parts[n].style.flexGrow = `${sum ? count / sum : 0}`;
    counts[n].textContent = count.toLocaleString("en");
  });
  root.querySelector(".users .summary").textContent = data.users[at];
}

/** @param {HTMLElement} root @param {MixMessage} data @param {MixState} here */
function showTiles(root, data, { at, code }) {
  /** @type {HTMLElement} */
  const here = root.querySelector(".tiles");
  const isOld = data.cut !== code; // the chosen language's tiles have not arrived yet
  here.classList.toggle("old", isOld);
  if (isOld) return;
  const count = data.cuts[at].length;
  root.querySelector(".title").textContent = `${data.title}: ${count.toLocaleString("en")} tokens`;
  here.dir = data.dir;
  here.replaceChildren(...data.cuts[at].map((n) => tile(data.tiles[n])));
}

/** @param {HTMLElement} root @param {MixMessage} data @param {MixState} here */
function show(root, data, here) {
  const range = root.querySelector("input");
  range.value = `${here.at}`;
  range.setAttribute("aria-valuetext", data.mixes[here.at]);
  root.querySelector(".sentence").textContent = data.sentences[here.at];
  showBars(root, data, here);
  presenters.get(root).podium.querySelector(".counter").textContent = data.mixes[here.at];
  showPieceUse(root, data, here.at);
  showTiles(root, data, here);
}

/**
 * Shows the longest texts, to measure them; returns a function that restores the current ones.
 * @param {HTMLElement} root @param {MixMessage} data @param {MixState} here
 */
function showLongest(root, data, here) {
  const longest = (/** @type {string[]} */ texts) => texts.reduce((a, b) => (b.length > a.length ? b : a));
  root.querySelector(".sentence").textContent = longest(data.sentences);
  root.querySelector(".users .summary").textContent = longest(data.users);
  return () => show(root, data, here);
}

/** By root element. @type {WeakMap<HTMLElement, MixPresenter>} */
const presenters = new WeakMap();

/** @param {Mounting<Bytes | MixMessage>} given */
export default function ({ data: sent, parentElement, setStateValue }) {
  const data = readMessage(sent);
  /** @type {MixRoot} */
  const root = parentElement.querySelector(".component");
  /** @type {SyncedState<[at: number, code: string]>} */
  const chosen = syncedState("languages");
  chosen.adopt(data.content, data.state);
  const here = { at: chosen.value[0], code: chosen.value[1] };
  const isFirst = !presenters.has(root);
  if (isFirst) presenters.set(root, new MixPresenter(root));
  const presenter = presenters.get(root);
  presenter.longest = () => showLongest(root, data, here);

  const frame = JSON.stringify([data.groups, data.unit, data.first, data.second, data.legend]);
  const isNew = root.frame !== frame;
  if (isNew) draw(root, data);
  root.frame = frame;
  show(root, data, here);
  markPainted(root);
  if (isNew) presenter.fit();
  else presenter.cut();
  if (isFirst && isSwitchedOn("present")) presenter.set(true);

  function go(/** @type {Partial<MixState>} */ change) {
    Object.assign(here, change);
    chosen.value = [here.at, here.code];
    show(root, data, here);
    presenter.cut();
    chosen.reportWhenIdle(DEBOUNCE_MS, (report) => setStateValue("chosen", report));
  }

  const codes = data.groups.flatMap(([, rows]) => rows.map(([code]) => code));
  const step = (/** @type {number} */ by) =>
    go({ at: Math.min(Math.max(here.at + by, 0), data.mixes.length - 1) });
  const turn = (/** @type {number} */ by) =>
    go({ code: codes[(codes.indexOf(here.code) + by + codes.length) % codes.length] });
  const mix = { root, presenter, step, turn };
  giveKeysTo(mix);

  root.oninput = ({ target }) => {
    const { type, value } = /** @type {HTMLInputElement} */ (target);
    if (type === "range") go({ at: Number(value) });
  };
  root.onclick = ({ target }) => {
    const chosen = /** @type {Element} */ (target);
    /** @type {HTMLElement} */
    const line = chosen.closest("tr[data-code]");
    if (line) return go({ code: line.dataset.code });
    const { key } = chosen.closest("button")?.dataset ?? {};
    (MIX_KEYS[key] ?? IN_PRESENTER_VIEW[key] ?? OVERLAY_BUTTONS[key])?.(mix); // buttons act like their keys
  };
}
