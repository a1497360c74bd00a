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

/** What all pay under both rules, and who chose which merge. */
function ruleColumns(/** @type {MixRules} */ rules) {
  const heads = rules.heads.map((name) => headCell("col", "rule", name));
  const body = make("tbody", "", ...rules.burden[0].map(([name]) => ruleRow(name)));
  const table = makeTable("burden", ["What they pay together"], [make("td"), ...heads], body);
  const range = make("input");
  Object.assign(range, { type: "range", min: 1, step: 1 });
  range.dataset.what = "merge";
  range.setAttribute("aria-label", "merge");
  const back = stepButton(",", "‹", "merge before");
  const next = stepButton(".", "›", "next merge");
  const stepper = make("div", "stepper", make("b", "", "Who chose each merge"), back, range, next);
  const why = make("p", "why");
  why.setAttribute("aria-live", "polite");
  return make("div", "rules", table, stepper, why);
}

const ruleRow = (/** @type {string} */ name) =>
  make("tr", "", headCell("row", "", name), make("td"), make("td"));

function stepButton(/** @type {string} */ key, /** @type {string} */ sign, /** @type {string} */ name) {
  const button = make("button", "", sign);
  button.type = "button";
  button.dataset.key = key;
  button.setAttribute("aria-label", name);
  return button;
}

/** One language: a button with its names, its bar, its value; with two rules, also its merges. */
function row(/** @type {MixRow} */ { code, name, native, usual, bytes }) {
  const nativeName = make("bdi", "", native);
  nativeName.lang = code;
  const button = make("button", "", make("span", "", name), nativeName);
  button.type = "button";
  const head = headCell("row", "", button);
  const track = make("div", "track", make("div", "bar"), make("i", "tick"));
  if (bytes !== null) track.append(make("i", "bytes", "◆"));
  const made = make("tr", "", head, make("td", "cell", track), make("td", "value"));
  if (usual) made.append(make("td", "usual"), make("td", "merges", make("div", "strip")));
  made.dataset.code = code;
  return made;
}

function bars(/** @type {MixMessage} */ data) {
  const rows = data.groups.flatMap(([, rows]) => rows);
  const lengths = rows.flatMap(({ shown, lostTexts }) =>
    shown.map((text, n) => text.length + lostTexts[n].length),
  );
  const caption = `${data.unit}. ${data.marks}`;
  const table = makeTable("", data.rules ? [] : [caption], data.rules ? headsOfRules(data.rules, caption) : []);
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

/** The heads of the columns, the first of which says what the table shows: no line is left for it.
 * @param {MixRules} rules @param {string} caption */
function headsOfRules({ heads }, caption) {
  const first = headCell("col", "caption", caption);
  first.colSpan = 3;
  const [rule, usual] = heads.map((name) => headCell("col", "rule", name));
  return [first, rule, usual, headCell("col", "rule merges", "merges it chose, first to last")];
}

function draw(/** @type {HTMLElement} */ root, /** @type {MixMessage} */ data) {
  const sentence = make("p", "sentence");
  sentence.setAttribute("aria-live", "polite");
  const tiles = make("div", "tiles");
  tiles.setAttribute("role", "list");
  tiles.tabIndex = 0; // it scrolls
  const title = make("h2", "", make("span", "title"), make("span", "more"));
  const above = data.rules ? ruleColumns(data.rules) : pieceUse(data);
  const right = make("div", "right", above, title, tiles, make("p", "legend", data.legend));
  const columns = make("div", "columns", make("div", "left", bars(data)), right);
  const top = make("div", "top", slider(data), presentButton());
  const stage = make("div", "stage", sentence, top, columns);
  stage.classList.toggle("compared", data.rules !== null);
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
    for (const { code: name, values, shown, lost, lostTexts, ticks, usual, bytes } of rows) {
      const line = root.querySelector(`tr[data-code="${CSS.escape(name)}"]`);
      const place = (/** @type {number | null} */ value) => `${(100 * (value ?? 0)) / data.most}%`;
      /** @type {HTMLElement} */
      const bar = line.querySelector(".bar");
      bar.style.width = place(values[at]);
      /** @type {HTMLElement} */
      const tick = line.querySelector(".tick");
      tick.hidden = ticks[at] === null;
      tick.style.left = place(ticks[at]);
      /** @type {HTMLElement | null} */
      const diamond = line.querySelector(".bytes");
      if (diamond) diamond.style.left = place(bytes);
      bar.style.setProperty("--lost", `${100 * lost[at]}%`);
      const value = line.querySelector(".value");
      value.replaceChildren(make("span", "", shown[at]));
      if (lostTexts[at]) value.append(make("small", "", lostTexts[at]));
      if (usual) line.querySelector(".usual").textContent = usual[at];
      line.classList.toggle("on", name === code);
      line.querySelector("button").setAttribute("aria-pressed", String(name === code));
    }
  }
}

/** What all pay under both rules, the merges that each language chose, and why one was chosen.
 * @param {HTMLElement} root @param {MixMessage} data @param {MixState} here */
function showRules(root, data, { at, turn }) {
  const { burden, languages, turns } = data.rules;
  const rows = root.querySelectorAll(".burden tbody tr");
  burden[at].forEach(([, ...texts], n) => {
    rows[n].querySelectorAll("td").forEach((cell, side) => (cell.textContent = texts[side]));
  });
  const most = turns[at].length;
  const chosen = Math.min(turn, most);
  for (const line of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("tr[data-code]"))) {
    const by = languages[at].indexOf(line.dataset.code);
    const own = turns[at].flatMap((one, n) => (one[0] === by && by >= 0 ? [n + 1] : []));
    const strip = line.querySelector(".strip");
    strip.replaceChildren(...(by < 0 ? [] : [mergeStrip(own, most, chosen)]));
    line.classList.toggle("chooses", own.includes(chosen));
  }
  /** @type {HTMLInputElement} */
  const range = root.querySelector(".stepper input");
  range.max = `${most}`;
  range.value = `${chosen}`;
  range.setAttribute("aria-valuetext", `merge ${chosen} of ${most}`);
  root.querySelector(".why").textContent = most ? whyChosen(data, at, chosen) : "No merge is left to choose.";
}

const DENSE = 120; // merges in a strip from which each mark needs a line around it to be seen
const SVG = "http://www.w3.org/2000/svg";

/** The merges of one language among all, from left to right, and a line at the chosen one.
 * @param {number[]} own @param {number} most @param {number} chosen */
function mergeStrip(own, most, chosen) {
  const picture = document.createElementNS(SVG, "svg");
  picture.setAttribute("viewBox", `0 0 ${Math.max(most, 1)} 1`);
  picture.setAttribute("preserveAspectRatio", "none");
  picture.setAttribute("role", "img");
  picture.classList.toggle("dense", most > DENSE);
  picture.setAttribute("aria-label", `${own.length} of ${most} merges`);
  const paths = {
    cursor: `M${chosen - 1} 0h1v1h-1z`,
    own: own.map((n) => `M${n - 0.9} .12h.8v.76h-.8z`).join(""),
  };
  for (const [name, shape] of Object.entries(paths)) {
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("class", name);
    path.setAttribute("d", shape);
    picture.append(path);
  }
  return picture;
}

const LISTED = 3; // languages that are worst off, with what they pay

/** Says who chose a merge, and why. @param {MixMessage} data @param {number} at @param {number} number */
function whyChosen(data, at, number) {
  const { languages, turns } = data.rules;
  const [by, first, second, count, lengths] = turns[at][number - 1];
  const names = new Map(data.groups.flatMap(([, rows]) => rows.map(({ code, name }) => [code, name])));
  const amount = (/** @type {number} */ value) => value.toLocaleString("en");
  const ranked = lengths.map((length, n) => ({ length, name: names.get(languages[at][n]), n }));
  ranked.sort((a, b) => b.length - a.length || a.n - b.n);
  const paid = ranked.slice(0, LISTED).map(({ length, name }) => `${name} ${amount(length)}`);
  if (ranked.length > LISTED) paid.push("the others fewer");
  const merge = `Merge ${number} of ${turns[at].length}`;
  const times = count === 1 ? "once" : `${amount(count)} times`;
  if (by < 0) return `${merge}: all choose together. ${first} + ${second} occurs ${times} in all texts.`;
  const isWorst = ranked[0].n === by;
  const chooses = isWorst ? "is worst off and chooses" : "chooses, as no pair is left in worse ones";
  const lead = `${merge}: ${names.get(languages[at][by])} ${chooses}.`;
  const pair = `Its most frequent pair, ${first} + ${second}, occurs ${times} in its text.`;
  return `${lead} Tokens of the training sentences: ${paid.join(", ")}. ${pair}`;
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
  if (data.rules) showRules(root, data, here);
  else showPieceUse(root, data, here.at);
  showTiles(root, data, here);
}

/**
 * Shows the longest texts, to measure them; returns a function that restores the current ones.
 * @param {HTMLElement} root @param {MixMessage} data @param {MixState} here
 */
function showLongest(root, data, here) {
  const longest = (/** @type {string[]} */ texts) => texts.reduce((a, b) => (b.length > a.length ? b : a));
  root.querySelector(".sentence").textContent = longest(data.sentences);
  if (!data.rules) root.querySelector(".users .summary").textContent = longest(data.users);
  return () => show(root, data, here);
}

/** By root element. @type {WeakMap<HTMLElement, MixPresenter>} */
const presenters = new WeakMap();

/** @param {Mounting<Bytes | MixMessage>} given */
export default function ({ data: sent, parentElement, setStateValue }) {
  const data = readMessage(sent);
  /** @type {MixRoot} */
  const root = parentElement.querySelector(".component");
  /** @type {SyncedState<[at: number, code: string, turn: number]>} */
  const chosen = syncedState("languages");
  chosen.adopt(data.content, data.state);
  const [at, code, turn] = chosen.value;
  const here = { at, code, turn };
  const isFirst = !presenters.has(root);
  if (isFirst) presenters.set(root, new MixPresenter(root));
  const presenter = presenters.get(root);
  presenter.longest = () => showLongest(root, data, here);

  const frame = JSON.stringify([data.groups, data.unit, data.first, data.second, data.legend, data.rules !== null]);
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
    chosen.value = [here.at, here.code, here.turn];
    show(root, data, here);
    presenter.cut();
    chosen.reportWhenIdle(DEBOUNCE_MS, (report) => setStateValue("chosen", report));
  }

  const codes = data.groups.flatMap(([, rows]) => rows.map(({ code }) => code));
  const step = (/** @type {number} */ by) =>
    go({ at: Math.min(Math.max(here.at + by, 0), data.mixes.length - 1) });
  const turnTo = (/** @type {number} */ by) =>
    go({ code: codes[(codes.indexOf(here.code) + by + codes.length) % codes.length] });
  const stepMerge = (/** @type {number} */ by) => {
    const most = data.rules?.turns[here.at].length ?? 0;
    if (most) go({ turn: Math.min(Math.max(Math.min(here.turn, most) + by, 1), most) });
  };
  const mix = { root, presenter, step, turn: turnTo, stepMerge };
  giveKeysTo(mix);

  root.oninput = ({ target }) => {
    const { type, value, dataset } = /** @type {HTMLInputElement} */ (target);
    if (type === "range") go(dataset.what === "merge" ? { turn: Number(value) } : { at: Number(value) });
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
