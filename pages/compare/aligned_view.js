// A text and, under its characters, the tokens of several tokenizers, in lines as wide as the page.
// All that is shown comes from Python (pages/compare/layout.py), and is put in as text.

/** By the element that it was mounted in. @type {WeakMap<ShadowRoot, DrawnStrip>} */
const strips = new WeakMap();
const FEW = 12; // words that a phone shows in one line, to swipe
const SHORT = 120; // characters of them
const READ = 100; // tokens of a row that are read out
const SAID = 36; // characters of the tokens of another row that the sentence lists
const PASSES = 4; // in which what is too wide is broken
const LONGEST = 5; // sentences whose height is measured

// ---- Directions: a text runs as its first letter does, and in it each run as its letters do. ----

/** How a stretch of text runs; "" where it has neither letter nor digit. @returns {Direction | ""} */
function runOf(/** @type {string} */ text) {
  const first = text.match(/[\p{L}\p{N}]/u)?.[0];
  return first ? direction([first]) : "";
}

/**
 * How each column runs: what has no letter as its neighbours do, if they agree, else as the text. A
 * space, and what stands for no character, goes with what is behind it: most tokens hold both.
 * @param {StripText[]} raw @param {number} count @param {Direction} base
 */
function runsOf(raw, count, base) {
  const runs = /** @type {(Direction | "")[]} */ (Array(count).fill(""));
  const spaces = /** @type {boolean[]} */ (Array(count).fill(true));
  for (const [first, last, text, space] of raw) {
    runs.fill(runOf(text), first, last);
    spaces.fill(space, first, last);
  }
  for (let n = count - 2; n >= 0; n--) if (spaces[n]) runs[n] ||= runs[n + 1];
  let before = /** @type {Direction | ""} */ ("");
  return runs.map((run, n) => {
    before = run || before;
    return run || (before && before === runs.slice(n).find(Boolean) ? before : base);
  });
}

/**
 * Where each column stands: runs against the direction of the text are turned round. All stay where
 * they are if a token belongs to two runs, for it would be torn.
 * @param {Direction[]} runs @param {Direction} base @param {StripCell[][]} rows
 */
function placesOf(runs, base, rows) {
  const same = runs.map((_, n) => n);
  const places = same.map((n) => {
    if (runs[n] === base) return n;
    const first = runs.slice(0, n).lastIndexOf(base) + 1;
    const after = runs.indexOf(base, n);
    return first + (after < 0 ? runs.length : after) - 1 - n;
  });
  const isTorn = (/** @type {StripCell} */ [first, last]) => {
    const [start, end] = extent(places, first, last);
    return end - start !== last - first;
  };
  return rows.flat().some(isTorn) ? same : places;
}

/** From where to where some columns stand. @param {number[]} places @param {number} first @param {number} last */
function extent(places, first, last) {
  const held = places.slice(first, last);
  return [Math.min(...held), Math.max(...held) + 1];
}

// ---- A chunk, and its lines where it is wider than the page ----

/** @param {HTMLElement} made @param {number} row @param {number[]} columns */
function placed(made, row, [first, last]) {
  made.style.gridRow = `${row}`;
  made.style.gridColumn = `${first + 1} / ${last + 1}`;
  return made;
}

/** @param {StripTile} one @param {number} row @param {number} first @param {number} last @param {string} label */
function tile([text, tint, number, unknown, only, token], row, first, last, label = text) {
  const id = number.toLocaleString("en-US");
  const made = make("button", (unknown ? "unknown " : "") + (only ? "only" : ""));
  made.type = "button";
  made.tabIndex = -1;
  made.style.background = `var(--tint-${tint})`;
  const shown = make("bdi");
  shown.append(...tokenNodes(label));
  made.append(shown, make("small", "", id));
  Object.assign(made.dataset, { row, first, last, text, token });
  return made;
}

/**
 * The columns at which a chunk goes on in the next line: as late as there is room, and in the later
 * half of a line where no token is cut, if there is such a place; inside a character only if else
 * most of the line were empty.
 * @param {number[]} widths @param {number[]} breaks @param {Set<number>} inside @param {number} room
 */
function cutsOf(widths, breaks, inside, room) {
  const cuts = [];
  for (let begin = 0; ; begin = /** @type {number} */ (cuts.at(-1))) {
    let end = begin;
    for (let width = 0; end < widths.length; end++) {
      width += widths[end];
      if (width > room && end > begin) break;
    }
    if (end === widths.length) return cuts;
    const used = (/** @type {number} */ place) => widths.slice(begin, place).reduce((sum, one) => sum + one, 0);
    const fit = breaks.filter((place) => begin < place && place <= end && used(place) >= room / 4);
    const whole = fit.findLast((place) => !inside.has(place) && used(place) >= room / 2);
    cuts.push(whole ?? fit.at(-1) ?? end);
  }
}

/** The columns of a chunk that lie inside a token of any row. */
function insideOf(/** @type {StripCell[][]} */ rows) {
  const inside = /** @type {Set<number>} */ (new Set());
  for (const [first, last] of rows.flat()) for (let n = first + 1; n < last; n++) inside.add(n);
  return inside;
}

/** What a line shows of a token: of one that goes on, the text that it holds here. */
/** @param {string} text @param {string} stretch @param {boolean} begun @param {boolean} goesOn */
function labelOf(text, stretch, begun, goesOn) {
  if (!begun && !goesOn) return text;
  if (stretch === "…") return stretch;
  return `${begun ? "…" : ""}${stretch || text}${goesOn ? "…" : ""}`;
}

/**
 * A chunk, or a line of it: a grid with a column for each stretch of text that no token cuts.
 * @param {StripMessage} data @param {number} number @param {Direction} base @param {number} from @param {number} to
 */
function chunk({ chunks, names }, number, base, from = 0, to = Infinity) {
  const [raw, rows, ways] = chunks[number];
  const end = Math.min(to, columnsOf(chunks[number]));
  const made = make("div", ways > 1 ? "chunk differs" : "chunk");
  Object.assign(made.dataset, { chunk: number, from, to: end });
  made.dir = base;
  const clipped = (/** @type {number} */ first, /** @type {number} */ last) =>
    [Math.max(first, from) - from, Math.min(last, end) - from];
  const within = (/** @type {[number, number, ...any]} */ [first, last]) => first < end && from < last;
  const stretches = raw.filter(within);
  const here = stretches.map(
    ([first, last, text, space]) => /** @type {StripText} */ ([...clipped(first, last), first < from ? "…" : text, space]),
  );
  const cells = rows.map((row) => row.filter(within));
  const held = cells.map((row) =>
    row.map(([first, last]) => /** @type {StripCell} */ ([...clipped(first, last), []])),
  );
  const runs = runsOf(here, end - from, base);
  const places = placesOf(runs, base, held);
  made.style.gridTemplate = `var(--ways) var(--raw) repeat(${names.length}, var(--row)) / repeat(${end - from}, max-content)`;
  if (ways > 1 && !from) made.append(placed(make("span", "ways", `${ways} ways`), 1, [0, end - from]));
  const lean = (/** @type {HTMLElement} */ one, /** @type {string} */ text, /** @type {number} */ column) => {
    if (!runOf(text)) one.dir = runs[column]; // brackets face what is in them
  };
  for (const [first, last, text, space] of here) {
    const shown = make("bdi", space ? "raw space" : "raw", text);
    lean(shown, text, first);
    made.append(placed(shown, 2, extent(places, first, last)));
  }
  cells.forEach((row, n) => {
    row.forEach(([first, last, tiles], m) => {
      const [a, b] = held[n][m];
      const cell = placed(make("div", "cell"), n + 3, extent(places, a, b));
      cell.dir = runs[a];
      const stretch = tiles.length > 1 ? "" : here.filter((one) => a <= one[0] && one[1] <= b).map((one) => one[2]).join("");
      for (const one of tiles) {
        const [begun, goesOn] = [first < from && one === tiles[0], last > end && one === tiles.at(-1)];
        const button = tile(one, n, first, last, labelOf(one[0], stretch, begun, goesOn));
        lean(/** @type {HTMLElement} */ (button.firstChild), one[0], a);
        cell.append(button);
      }
      made.append(cell);
    });
  });
  return { made, places };
}

function columnsOf(/** @type {StripChunk} */ [raw, rows]) {
  return Math.max(...[raw, ...rows].flatMap((row) => row.slice(-1).map(([, last]) => last)));
}

/**
 * Breaks the chunks that are wider than the page, each with all of its lines.
 * @param {HTMLElement} lines @param {StripMessage} data
 */
function breakLines(lines, data) {
  const base = /** @type {Direction} */ (lines.dir);
  const style = getComputedStyle(lines);
  const room = style.flexWrap === "nowrap" ? Infinity : lines.clientWidth - parseFloat(style.paddingLeft);
  for (const old of lines.querySelectorAll(":scope > .break.inside")) old.remove();
  for (const [first, ...more] of chunksOf(lines).filter((parts) => parts.length > 1)) {
    for (const one of more) one.remove();
    first.replaceWith(chunk(data, Number(first.dataset.chunk), base).made);
  }
  for (let pass = 0; pass < PASSES && breakOnce(lines, data, base, room); pass++);
  const first = lines.querySelector("button");
  if (first && !lines.querySelector("button[tabindex='0']")) first.tabIndex = 0;
}

/** Breaks what is too wide; a line of it may be wider than it was in the whole, for its tokens end there. */
/** @param {HTMLElement} lines @param {StripMessage} data @param {Direction} base @param {number} room */
function breakOnce(lines, data, base, room) {
  const wide = chunksOf(lines).flat().filter((one) => one.scrollWidth > Math.min(one.clientWidth, room) + 1);
  const cuts = wide.map((one) => {
    const [number, from, to] = [one.dataset.chunk, one.dataset.from, one.dataset.to].map(Number);
    const [raw, rows] = data.chunks[number];
    const { places } = chunk(data, number, base, from, to);
    const { columnGap, fontSize, gridTemplateColumns } = getComputedStyle(one);
    const tracks = gridTemplateColumns.split(" ").map((width) => parseFloat(width) + parseFloat(columnGap));
    const widths = places.map((place) => tracks[place]);
    const breaks = raw.slice(1).map(([first]) => first - from);
    const inside = new Set([...insideOf(rows)].map((place) => place - from));
    const found = cutsOf(widths, breaks, inside, room - 2 * parseFloat(fontSize)); // two ellipses
    return [from, ...found.map((place) => place + from), to];
  });
  wide.forEach((one, n) => {
    const parts = cuts[n].slice(1).map((end, m) => chunk(data, Number(one.dataset.chunk), base, cuts[n][m], end).made);
    one.replaceWith(...parts.flatMap((part, m) => (m ? [make("div", "break inside"), part] : [part])));
  });
  return wide.length > 0;
}

/** The chunks as they are drawn, each with its lines. */
function chunksOf(/** @type {HTMLElement} */ lines) {
  const all = /** @type {HTMLElement[]} */ ([...lines.querySelectorAll(":scope > .chunk")]);
  const found = /** @type {Map<string, HTMLElement[]>} */ (new Map());
  for (const one of all) found.set(one.dataset.chunk, [...(found.get(one.dataset.chunk) ?? []), one]);
  return [...found.values()];
}

// ---- Names, lines ----

function labels(/** @type {StripName[]} */ names) {
  const made = make("div", "names");
  made.dir = "ltr";
  made.style.gridTemplateRows = `var(--ways) var(--raw) repeat(${names.length}, var(--row))`;
  made.append(make("span", "ways", "\u00a0"), make("span", "raw", "text"));
  for (const [name, source] of names) {
    const label = make("span", "name", name);
    if (source) label.append(make("small", "", source));
    made.append(label);
  }
  return made;
}

/** What a screen reader goes through row by row: each tokenizer with its tokens, as a list. */
function rowsOf(/** @type {StripMessage} */ { chunks, names }) {
  const made = make("ul", "rows");
  made.setAttribute("role", "list"); // Safari takes it from a list without marks
  made.setAttribute("aria-label", "Each tokenizer with its tokens");
  for (const [row, [name, source]] of names.entries()) {
    const tokens = chunks.flatMap(([, rows]) => rows[row].flatMap(([, , tiles]) => tiles.map(([text]) => text)));
    const rest = tokens.length > READ ? `, and ${tokens.length - READ} more` : "";
    const named = source ? `${name}, ${source}` : name;
    made.append(make("li", "", `${named}: ${tokens.slice(0, READ).join(", ")}${rest}`));
  }
  return made;
}

/** Puts the names of the rows before every line; where lines begin is known when they are laid out. */
function name(/** @type {HTMLElement} */ lines, /** @type {StripName[]} */ names) {
  for (const old of lines.querySelectorAll(":scope > .names")) old.remove();
  const chunks = /** @type {HTMLElement[]} */ ([...lines.querySelectorAll(".chunk")]);
  const tops = new Set(chunks.map((one) => one.offsetTop));
  for (const top of tops) {
    const made = labels(names);
    made.style.top = `${top}px`;
    if (top !== Math.min(...tops)) made.setAttribute("aria-hidden", "true");
    lines.append(made);
  }
}

/** For paper, where lines break elsewhere: names in each chunk, which CSS puts before its line. */
function nameForPaper(/** @type {HTMLElement} */ lines, /** @type {StripName[]} */ names) {
  for (const one of lines.querySelectorAll(".chunk:not(:has(.own))")) {
    const made = labels(names);
    made.classList.add("own");
    made.setAttribute("aria-hidden", "true");
    one.append(made);
  }
}

function watchForPaper(/** @type {ShadowRoot} */ parentElement) {
  const paper = matchMedia("print");
  const print = () => {
    const { lines, names } = strips.get(parentElement);
    if (parentElement.isConnected) return nameForPaper(lines, names);
    removeEventListener("beforeprint", print);
    paper.removeEventListener("change", print);
  };
  addEventListener("beforeprint", print);
  paper.addEventListener("change", print);
}

function draw(/** @type {HTMLElement} */ root, /** @type {StripMessage} */ data) {
  const strip = make("div", "strip");
  strip.classList.toggle("large", data.large);
  strip.classList.toggle("ids", data.ids);
  const texts = data.chunks.flatMap(([raw]) => raw.map(([, , text]) => text));
  strip.classList.toggle("few", data.chunks.length <= FEW && texts.join("").length <= SHORT);
  strip.classList.toggle("sourced", data.names.some(([, source]) => source));
  const sentence = make("p", "sentence", data.hint);
  sentence.setAttribute("aria-live", "polite");
  const lines = make("div", "lines");
  lines.setAttribute("role", "group");
  lines.setAttribute("aria-label", "tokens under the text: walk with the arrow keys");
  lines.dir = direction(texts);
  data.chunks.forEach(([, , , endsLine], n) => {
    lines.append(chunk(data, n, /** @type {Direction} */ (lines.dir)).made);
    if (endsLine) lines.append(make("div", "break"));
  });
  strip.append(sentence, rowsOf(data), lines);
  root.replaceChildren(strip);
  const first = lines.querySelector("button");
  if (first) first.tabIndex = 0;
  return lines;
}

/** The buttons of one row of the chunk that share a column with this one. */
function inPlace(/** @type {HTMLElement} */ button, /** @type {number} */ row) {
  const { first, last } = button.dataset;
  return beside(button, row).filter(
    (other) => Number(other.dataset.first) < Number(last) && Number(first) < Number(other.dataset.last),
  );
}

/** The buttons of one row of the chunk. @returns {HTMLElement[]} */
function beside(/** @type {HTMLElement} */ button, /** @type {number} */ row) {
  const { chunk: number } = /** @type {HTMLElement} */ (button.closest(".chunk")).dataset;
  const found = button.closest(".lines").querySelectorAll(`.chunk[data-chunk="${number}"] button[data-row="${row}"]`);
  return /** @type {HTMLElement[]} */ ([...found]);
}

/** The cells that share a column with those from `first` to `last`; all are in order. */
/** @param {StripCell[]} cells @param {number} first @param {number} last */
function sharing(cells, first, last) {
  let [low, high] = [0, cells.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (cells[middle][1] > first) high = middle;
    else low = middle + 1;
  }
  let end = low;
  while (end < cells.length && cells[end][0] < last) end++;
  return cells.slice(low, end);
}

/** All tokens that are drawn, and how often each row has each text. */
function tokensOf(/** @type {StripMessage} */ { chunks }) {
  const all = chunks.flatMap(([, rows], chunk) =>
    rows.flatMap((cells, row) =>
      cells.flatMap(([first, last, tiles]) =>
        tiles.map((one) => /** @type {StripPlace} */ ([chunk, row, first, last, one])),
      ),
    ),
  );
  const times = /** @type {Map<string, number>} */ (new Map());
  for (const [, row, , , [text]] of all) times.set(`${row} ${text}`, (times.get(`${row} ${text}`) ?? 0) + 1);
  return { all, times };
}

/** The first of some tokens, and how many more there are. */
function listed(/** @type {string[]} */ tokens) {
  let count = 0;
  for (let length = 0; count < tokens.length && (!count || length + tokens[count].length <= SAID); count++) {
    length += tokens[count].length + " + ".length;
  }
  const more = tokens.length > count ? [`${tokens.length - count} more`] : [];
  return [...tokens.slice(0, count), ...more].join(" + ") || "nothing";
}

/** What is said of a token: its id, how often it stands here, what the others have in its place. */
/** @param {StripMessage} data @param {Map<string, number>} counts @param {StripPlace} place */
function said({ chunks, names, told }, counts, [number, row, first, last, [text, , id, isUnknown]]) {
  const [raw, rows] = chunks[number];
  const here = counts.get(`${row} ${text}`);
  const times = here === 1 ? "once" : here === 2 ? "twice" : `${here} times`;
  const unknown = isUnknown ? ", which is unknown to it" : "";
  const written = id.toLocaleString("en-US");
  const parts = [`“${text}”${unknown}: ${names[row][0]} has it ${times} here, with the id ${written}.`];
  if (told[row]?.[id]) parts.push(told[row][id]);
  if (!raw.some(([start, end]) => start < last && first < end)) {
    return [...parts, "It is added to the text."].join(" ");
  }
  const list = names.flatMap(([name], n) => {
    const tokens = sharing(rows[n], first, last).flatMap(([, , tiles]) => tiles.map(([other]) => other));
    return n === row ? [] : [`${name} ${listed(tokens)}`];
  });
  return [...parts, ...(list.length ? [`In its place: ${list.join("; ")}.`] : [])].join(" ");
}

/**
 * Makes room for the longest sentence, so that no other moves what is pointed at.
 * @param {HTMLElement} root @param {StripMessage} data @param {ReturnType<typeof tokensOf>} tokens
 */
function makeRoom(root, data, { all, times }) {
  const sentence = /** @type {HTMLElement} */ (root.querySelector(".sentence"));
  const pairs = all.map((one) => /** @type {const} */ ([one, said(data, times, one)]));
  const longest = pairs.sort(([, a], [, b]) => b.length - a.length).slice(0, LONGEST);
  const trial = make("p", "sentence trial");
  trial.style.width = `${sentence.clientWidth}px`;
  sentence.after(trial);
  const heights = longest.map(([[, row, , , one], text]) => {
    trial.replaceChildren(text, ...lead(row, one[5], data));
    return Math.ceil(trial.getBoundingClientRect().height);
  });
  trial.remove();
  sentence.style.setProperty("--longest", `${Math.max(0, ...heights)}px`);
}

/** The link to the page that steps through the word of a token; nothing where there is none. */
/** @param {number} row @param {number} token @param {StripMessage} data */
function lead(row, token, { leads, names }) {
  const [models, say, special, words, app = ""] = leads ?? [/** @type {string[]} */ ([])];
  const model = models[row];
  const word = model && words[row][token];
  if (!word) return [];
  const made = make("a", "step", `Step through it in ${names[row][0]} →`);
  const query = new URLSearchParams({ model, say, word: `${word}`, ...(special === "text" && { special }) });
  made.href = `${app}real?${query}`;
  made.rel = "noreferrer";
  return [" ", made];
}

/** @param {HTMLElement} root @param {HTMLElement} button @param {StripMessage} data @param {ReturnType<typeof tokensOf>} tokens */
function mark(root, button, data, { all, times }) {
  const { text, row, token } = button.dataset;
  const chunk = Number(/** @type {HTMLElement} */ (button.closest(".chunk")).dataset.chunk);
  const one = /** @type {StripPlace} */ (
    all.find(([number, n, , , tile]) => number === chunk && n === Number(row) && tile[5] === Number(token))
  );
  const near = new Set(data.names.flatMap((_, row) => inPlace(button, row)));
  for (const one of root.querySelectorAll("button")) {
    one.classList.toggle("same", one.dataset.text === text);
    one.classList.toggle("here", near.has(one));
    one.classList.toggle("on", one === button);
  }
  root.querySelector(".sentence").replaceChildren(said(data, times, one), ...lead(one[1], one[4][5], data));
}

/** Where an arrow key leads. @param {HTMLElement} root @param {HTMLElement} button @param {string} key */
function next(root, button, key) {
  const { row } = button.dataset;
  const alongRow = /** @type {HTMLElement[]} */ ([...root.querySelectorAll(`button[data-row="${row}"]`)]);
  const at = alongRow.indexOf(button);
  if (key === "Home") return alongRow[0];
  if (key === "End") return alongRow.at(-1);
  const left = /** @type {HTMLElement} */ (root.querySelector(".lines")).dir === "rtl" ? 1 : -1;
  if (key === "ArrowLeft") return alongRow[at + left];
  if (key === "ArrowRight") return alongRow[at - left];
  const step = /** @type {Record<string, number>} */ ({ ArrowUp: -1, ArrowDown: 1 })[key];
  if (!step) return null;
  const other = Number(row) + step;
  const onward = beside(button, other).find((one) => Number(one.dataset.last) > Number(button.dataset.first));
  return inPlace(button, other)[0] ?? onward ?? beside(button, other).at(-1);
}

/** @param {Mounting<Bytes>} given */
export default function ({ data: sent, parentElement }) {
  const root = /** @type {HTMLElement} */ (parentElement.querySelector(".component"));
  const before = strips.get(parentElement);
  const drawn = new TextDecoder().decode(sent);
  if (before?.drawn === drawn) return;
  const data = /** @type {StripMessage} */ (JSON.parse(drawn));
  before?.watcher.disconnect();
  const lines = draw(root, data);
  markPainted(root);
  const tokens = tokensOf(data);
  const arrange = () => {
    breakLines(lines, data);
    name(lines, data.names);
    makeRoom(root, data, tokens);
  };
  let width = 0;
  const watcher = new ResizeObserver(() => {
    if (lines.clientWidth === width) return;
    width = lines.clientWidth;
    arrange();
  });
  watcher.observe(lines);
  strips.set(parentElement, { drawn, watcher, lines, names: data.names });
  if (!before) watchForPaper(parentElement);
  const refit = () => {
    if (lines.isConnected) arrange();
    else document.fonts.removeEventListener("loadingdone", refit);
  };
  document.fonts?.addEventListener("loadingdone", refit); // letters have other widths then

  let held = /** @type {HTMLElement} */ (null); // clicked last: so the pointer can go from it to its link
  const point = (/** @type {Event} */ { target }) => {
    const button = /** @type {Element} */ (target).closest("button");
    if (button) mark(root, button, data, tokens);
  };
  root.onmouseover = (event) => held || point(event);
  root.onclick = (event) => {
    const button = /** @type {Element} */ (event.target).closest("button");
    held = button === held ? null : button;
    point(event);
  };
  lines.addEventListener("focusin", point); // there is no property for it
  root.onkeydown = (event) => {
    const button = /** @type {Element} */ (event.target).closest("button");
    if (!button || event.altKey || event.ctrlKey || event.metaKey) return;
    const other = next(root, button, event.key);
    if (!other) return;
    event.preventDefault();
    button.tabIndex = -1;
    other.tabIndex = 0;
    other.focus();
    mark(root, other, data, tokens);
  };
}
