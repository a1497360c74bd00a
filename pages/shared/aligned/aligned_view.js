// A text and, under its characters, the tokens of several tokenizers, in lines as wide as the page.
// Draws the message of pages/shared/aligned/aligned_view_message.py; all of it is inserted as text.

/** The mounted views, by shadow root. @type {WeakMap<ShadowRoot, MountedView>} */
const views = new WeakMap();
const FEW = 12; // words that a phone shows in one line, to swipe
const SHORT = 120; // characters of them
const MOST_READ = 100; // tokens of a row for screen readers
const MOST_LISTED = 36; // characters of another row's tokens in the sentence
const PASSES = 4; // of breaking what is too wide
const LONGEST = 5; // sentences whose height is measured

// ---- Directions: a text has that of its first letter, each run in it that of its letters. ----

/** The direction of a stretch of text; "" without letters and digits. @returns {Direction | ""} */
function runOf(/** @type {string} */ text) {
  const first = text.match(/[\p{L}\p{N}]/u)?.[0];
  return first ? direction([first]) : "";
}

/**
 * The direction of each column. Without letters it is that of the neighbours, if they agree, else of
 * the text. Spaces and empty columns follow the next column: most tokens hold both.
 * @param {AlignedText[]} raw @param {number} count @param {Direction} base
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
 * The visual position of each column: runs against the text's direction are reversed, unless that
 * would tear a token that belongs to two runs.
 * @param {Direction[]} runs @param {Direction} base @param {AlignedCell[][]} rows
 */
function positionsOf(runs, base, rows) {
  const same = runs.map((_, n) => n);
  const positions = same.map((n) => {
    if (runs[n] === base) return n;
    const first = runs.slice(0, n).lastIndexOf(base) + 1;
    const after = runs.indexOf(base, n);
    return first + (after < 0 ? runs.length : after) - 1 - n;
  });
  const isTorn = (/** @type {AlignedCell} */ [first, last]) => {
    const [start, end] = extent(positions, first, last);
    return end - start !== last - first;
  };
  return rows.flat().some(isTorn) ? same : positions;
}

/** The visual start and end of some columns. @param {number[]} positions @param {number} first @param {number} last */
function extent(positions, first, last) {
  const held = positions.slice(first, last);
  return [Math.min(...held), Math.max(...held) + 1];
}

// ---- A chunk, and its lines where it is wider than the page ----

/** @param {HTMLElement} made @param {number} row @param {number[]} columns */
function placeAt(made, row, [first, last]) {
  made.style.gridRow = `${row}`;
  made.style.gridColumn = `${first + 1} / ${last + 1}`;
  return made;
}

/** @param {AlignedTile} one @param {number} row @param {number} first @param {number} last @param {string} label */
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
 * The columns at which a chunk continues on the next line: as late as fits, in the later half of a
 * line between tokens if possible; inside a character only if most of the line would be empty.
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
function insideOf(/** @type {AlignedCell[][]} */ rows) {
  const inside = /** @type {Set<number>} */ (new Set());
  for (const [first, last] of rows.flat()) for (let n = first + 1; n < last; n++) inside.add(n);
  return inside;
}

/** The label of a token on a line: of one that continues, the text that it holds here. */
/** @param {string} text @param {string} stretch @param {boolean} begun @param {boolean} goesOn */
function labelOf(text, stretch, begun, goesOn) {
  if (!begun && !goesOn) return text;
  if (stretch === "…") return stretch;
  return `${begun ? "…" : ""}${stretch || text}${goesOn ? "…" : ""}`;
}

/**
 * A chunk, or a line of it: a grid with a column for each stretch of text that no token cuts.
 * @param {AlignedMessage} data @param {number} number @param {Direction} base @param {number} from @param {number} to
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
    ([first, last, text, space]) => /** @type {AlignedText} */ ([...clipped(first, last), first < from ? "…" : text, space]),
  );
  const cells = rows.map((row) => row.filter(within));
  const held = cells.map((row) =>
    row.map(([first, last]) => /** @type {AlignedCell} */ ([...clipped(first, last), []])),
  );
  const runs = runsOf(here, end - from, base);
  const positions = positionsOf(runs, base, held);
  made.style.gridTemplate = `var(--ways) var(--raw) repeat(${names.length}, var(--row)) / repeat(${end - from}, max-content)`;
  if (ways > 1 && !from) {
    const label = placeAt(make("span", "ways", `${ways} ways`), 1, [0, end - from]);
    label.tabIndex = -1; // ↑ leads to it
    label.setAttribute("role", "note");
    made.append(label);
  }
  const lean = (/** @type {HTMLElement} */ one, /** @type {string} */ text, /** @type {number} */ column) => {
    if (!runOf(text)) one.dir = runs[column]; // brackets face their content
  };
  for (const [first, last, text, space] of here) {
    const shown = make("bdi", space ? "raw space" : "raw", text);
    lean(shown, text, first);
    made.append(placeAt(shown, 2, extent(positions, first, last)));
  }
  cells.forEach((row, n) => {
    row.forEach(([first, last, tiles], m) => {
      const [a, b] = held[n][m];
      const cell = placeAt(make("div", "cell"), n + 3, extent(positions, a, b));
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
  return { made, positions };
}

function columnsOf(/** @type {AlignedChunk} */ [raw, rows]) {
  return Math.max(...[raw, ...rows].flatMap((row) => row.slice(-1).map(([, last]) => last)));
}

/**
 * Breaks the chunks that are wider than the page, each with all of its lines.
 * @param {HTMLElement} lines @param {AlignedMessage} data
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

/** Breaks what is too wide once; a line may then be wider than before, as its tokens end there. */
/** @param {HTMLElement} lines @param {AlignedMessage} data @param {Direction} base @param {number} room */
function breakOnce(lines, data, base, room) {
  const wide = chunksOf(lines).flat().filter((one) => one.scrollWidth > Math.min(one.clientWidth, room) + 1);
  const cuts = wide.map((one) => {
    const [number, from, to] = [one.dataset.chunk, one.dataset.from, one.dataset.to].map(Number);
    const [raw, rows] = data.chunks[number];
    const { positions } = chunk(data, number, base, from, to);
    const { columnGap, fontSize, gridTemplateColumns } = getComputedStyle(one);
    const tracks = gridTemplateColumns.split(" ").map((width) => parseFloat(width) + parseFloat(columnGap));
    const widths = positions.map((place) => tracks[place]);
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

/** The json chunks, each with its lines. */
function chunksOf(/** @type {HTMLElement} */ lines) {
  const all = /** @type {HTMLElement[]} */ ([...lines.querySelectorAll(":scope > .chunk")]);
  const found = /** @type {Map<string, HTMLElement[]>} */ (new Map());
  for (const one of all) found.set(one.dataset.chunk, [...(found.get(one.dataset.chunk) ?? []), one]);
  return [...found.values()];
}

// ---- Names, lines ----

function labels(/** @type {RowName[]} */ names) {
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

/** A list for screen readers: each tokenizer with its tokens. */
function rowsOf(/** @type {AlignedMessage} */ { chunks, names }) {
  const made = make("ul", "rows");
  made.setAttribute("role", "list"); // Safari drops it from lists without markers
  made.setAttribute("aria-label", "Each tokenizer with its tokens");
  for (const [row, [name, source]] of names.entries()) {
    const tokens = chunks.flatMap(([, rows]) => rows[row].flatMap(([, , tiles]) => tiles.map(([text]) => text)));
    const more = tokens.length > MOST_READ ? `, and ${tokens.length - MOST_READ} more` : "";
    const named = source ? `${name}, ${source}` : name;
    made.append(make("li", "", `${named}: ${tokens.slice(0, MOST_READ).join(", ")}${more}`));
  }
  return made;
}

/** Puts the names of the rows before every line, once the lines are laid out. */
function nameLines(/** @type {HTMLElement} */ lines, /** @type {RowName[]} */ names) {
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

/** For print, where lines break elsewhere: names in each chunk, which CSS puts before its line. */
function nameForPrint(/** @type {HTMLElement} */ lines, /** @type {RowName[]} */ names) {
  for (const one of lines.querySelectorAll(".chunk:not(:has(.for-print))")) {
    const made = labels(names);
    made.classList.add("for-print");
    made.setAttribute("aria-hidden", "true");
    one.append(made);
  }
}

function watchForPrint(/** @type {ShadowRoot} */ parentElement) {
  const paper = matchMedia("print");
  const print = () => {
    const { lines, names } = views.get(parentElement);
    if (parentElement.isConnected) return nameForPrint(lines, names);
    removeEventListener("beforeprint", print);
    paper.removeEventListener("change", print);
  };
  addEventListener("beforeprint", print);
  paper.addEventListener("change", print);
}

/** What the marks in the picture mean, of those that occur in it, in one line. */
function legend(/** @type {AlignedMessage} */ { chunks, legend: more }) {
  const tiles = chunks.flatMap(([, rows]) => rows.flat().flatMap(([, , held]) => held));
  const made = make("p", "legend");
  const explain = (/** @type {HTMLElement} */ mark, /** @type {string} */ text) =>
    made.append(make("span", "", mark, `: ${text}`));
  const ways = Math.max(...chunks.map(([, , count]) => count));
  if (ways > 1) explain(make("span", "ways", `${ways} ways`), "how many different splits the word has");
  if (tiles.some(([, , , , only]) => only)) explain(make("span", "only", make("bdi", "", "piece")), "in this row only");
  if (tiles.some(([, , , unknown]) => unknown)) explain(make("span", "unknown", "piece"), "unknown to this model");
  if (more) made.append(make("span", "", more));
  return made;
}

/** Whether a finger is all there is to point with. */
const isTouched = () => matchMedia("(hover: none)").matches;

/** How to learn more of a token: a finger neither points nor has arrow keys. */
function hint() {
  const way = isTouched() ? "Tap a token" : "Point at a token, or use the arrow keys,";
  return `${way} to see what the others have in its place.`;
}

function draw(/** @type {HTMLElement} */ root, /** @type {AlignedMessage} */ data) {
  const view = make("div", "aligned-view");
  view.classList.toggle("ids", data.ids);
  const texts = data.chunks.flatMap(([raw]) => raw.map(([, , text]) => text));
  view.classList.toggle("few", data.chunks.length <= FEW && texts.join("").length <= SHORT);
  view.classList.toggle("sourced", data.names.some(([, source]) => source));
  const sentence = make("p", "sentence", `${data.finding} ${hint()}`.trimStart());
  sentence.setAttribute("aria-live", "polite");
  const lines = make("div", "lines");
  lines.setAttribute("role", "group");
  lines.setAttribute("aria-label", "tokens under the text: walk with the arrow keys");
  lines.dir = direction(texts);
  data.chunks.forEach(([, , , endsLine], n) => {
    lines.append(chunk(data, n, /** @type {Direction} */ (lines.dir)).made);
    if (endsLine) lines.append(make("div", "break"));
  });
  view.append(sentence, legend(data), rowsOf(data), lines, presentButton());
  root.replaceChildren(view);
  const first = lines.querySelector("button");
  if (first) first.tabIndex = 0;
  return lines;
}

/** The buttons of one row of the chunk that share a column with this one. */
function counterparts(/** @type {HTMLElement} */ button, /** @type {number} */ row) {
  const { first, last } = button.dataset;
  return rowButtons(button, row).filter(
    (other) => Number(other.dataset.first) < Number(last) && Number(first) < Number(other.dataset.last),
  );
}

/** The buttons of one row of the chunk. @returns {HTMLElement[]} */
function rowButtons(/** @type {HTMLElement} */ button, /** @type {number} */ row) {
  const { chunk: number } = /** @type {HTMLElement} */ (button.closest(".chunk")).dataset;
  const found = button.closest(".lines").querySelectorAll(`.chunk[data-chunk="${number}"] button[data-row="${row}"]`);
  return /** @type {HTMLElement[]} */ ([...found]);
}

/** The cells that share a column with those from `first` to `last`; all are in order. */
/** @param {AlignedCell[]} cells @param {number} first @param {number} last */
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

/** All json tokens, and how often each row has each text. */
function tokensOf(/** @type {AlignedMessage} */ { chunks }) {
  const all = chunks.flatMap(([, rows], chunk) =>
    rows.flatMap((cells, row) =>
      cells.flatMap(([first, last, tiles]) =>
        tiles.map((one) => /** @type {TokenPosition} */ ([chunk, row, first, last, one])),
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
  for (let length = 0; count < tokens.length && (!count || length + tokens[count].length <= MOST_LISTED); count++) {
    length += tokens[count].length + " + ".length;
  }
  const more = tokens.length > count ? [`${tokens.length - count} more`] : [];
  return [...tokens.slice(0, count), ...more].join(" + ") || "nothing";
}

/** The sentence on a token: its id, how often it occurs here, its counterparts in other rows. */
/** @param {AlignedMessage} data @param {Map<string, number>} counts @param {TokenPosition} place */
function describe({ chunks, names, tooltips }, counts, [number, row, first, last, [text, , id, isUnknown]]) {
  const [raw, rows] = chunks[number];
  const here = counts.get(`${row} ${text}`);
  const times = here === 1 ? "once" : here === 2 ? "twice" : `${here} times`;
  const unknown = isUnknown ? ", which is unknown to it" : "";
  const written = id.toLocaleString("en-US");
  const parts = [`“${text}”${unknown}: ${names[row][0]} has it ${times} here, with the id ${written}.`];
  if (tooltips[row]?.[id]) parts.push(tooltips[row][id]);
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
 * Makes room for the longest sentence, to keep the tokens below from moving.
 * @param {HTMLElement} root @param {AlignedMessage} data @param {ReturnType<typeof tokensOf>} tokens
 */
function reserveHeight(root, data, { all, times }) {
  const sentence = /** @type {HTMLElement} */ (root.querySelector(".sentence"));
  const pairs = all.map((one) => /** @type {const} */ ([one, describe(data, times, one)]));
  const longest = pairs.sort(([, a], [, b]) => b.length - a.length).slice(0, LONGEST);
  const trial = make("p", "sentence trial");
  trial.style.width = `${sentence.clientWidth}px`;
  sentence.after(trial);
  const heights = longest.map(([[, row, , , one], text]) => {
    trial.replaceChildren(text, ...stepLink(row, one[5], data));
    return Math.ceil(trial.getBoundingClientRect().height);
  });
  trial.remove();
  sentence.style.setProperty("--longest", `${Math.max(0, ...heights)}px`);
}

/** The link to the page that steps through the word of a token, if there is one. */
/** @param {number} row @param {number} token @param {AlignedMessage} data */
function stepLink(row, token, { links, names, app }) {
  if (!links || app === "") return []; // a file that does not know the app's URL has no links into it
  const [models, say, special, words] = links;
  const model = models[row];
  const word = model && words[row][token];
  if (!word) return [];
  const made = make("a", "step", `Step through it in ${names[row][0]} →`);
  const query = new URLSearchParams({ model, say, word: `${word}`, ...(special === "text" && { special }) });
  made.href = `${app ?? ""}real?${query}`;
  made.rel = "noreferrer";
  return [" ", made];
}

/** The token of a button. @param {HTMLElement} button @param {TokenPosition[]} all */
function placeOf(button, all) {
  const { row, token } = button.dataset;
  const chunk = Number(/** @type {HTMLElement} */ (button.closest(".chunk")).dataset.chunk);
  return all.find(([number, n, , , tile]) => number === chunk && n === Number(row) && tile[5] === Number(token));
}

/** The marks of an element, explained. @param {HTMLElement} element @param {AlignedMessage} data @param {TokenPosition[]} all */
function explain(element, data, all) {
  if (element.matches(".ways")) return [`These tokenizers split the word in ${parseInt(element.textContent, 10)} different ways.`];
  if (element.matches(".space")) return data.marks.filter(([sign]) => element.textContent.includes(sign)).map((mark) => mark.join("  "));
  return isTouched() ? [] : marksOf(data, placeOf(element, all)); // a bubble would be in the finger's way
}

/** @param {HTMLElement} root @param {HTMLElement} button @param {AlignedMessage} data @param {ReturnType<typeof tokensOf>} tokens */
function mark(root, button, data, { all, times }) {
  const { text } = button.dataset;
  const one = placeOf(button, all);
  const near = new Set(data.names.flatMap((_, row) => counterparts(button, row)));
  for (const one of root.querySelectorAll("button")) {
    one.classList.toggle("same", one.dataset.text === text);
    one.classList.toggle("here", near.has(one));
    one.classList.toggle("on", one === button);
  }
  const sentence = /** @type {HTMLElement} */ (root.querySelector(".sentence"));
  const marks = isTouched() ? marksOf(data, one).map((line) => make("small", "mark", line)) : [];
  sentence.replaceChildren(describe(data, times, one), ...stepLink(one[1], one[4][5], data), ...marks);
  sentence.classList.add("told");
  uncover(button, sentence);
}

/** Scrolls a token out from under the sentence, which stays at an edge of the window. */
function uncover(/** @type {HTMLElement} */ button, /** @type {HTMLElement} */ sentence) {
  const [token, bar] = [button.getBoundingClientRect(), sentence.getBoundingClientRect()];
  if (token.bottom <= bar.top || bar.bottom <= token.top) return;
  const isBelow = getComputedStyle(sentence).bottom === "0px";
  button.style.scrollMarginBlock = isBelow ? `0 ${bar.height}px` : `${bar.bottom}px 0`;
  button.scrollIntoView({ block: "nearest", inline: "nearest" });
}

/** The number of splits above the word of a token. @returns {HTMLElement | null} */
function waysAbove(/** @type {HTMLElement} */ button) {
  const { chunk } = /** @type {HTMLElement} */ (button.closest(".chunk")).dataset;
  return button.closest(".lines").querySelector(`.chunk[data-chunk="${chunk}"] .ways`);
}

/** What an arrow key moves to from a number of splits. @param {HTMLElement} ways @param {string} key */
function nextOfWays(ways, key) {
  const lines = /** @type {HTMLElement} */ (ways.closest(".lines"));
  if (key === "ArrowDown") return ways.closest(".chunk").querySelector("button");
  const all = /** @type {HTMLElement[]} */ ([...lines.querySelectorAll(".chunk .ways[tabindex]")]);
  const step = /** @type {Record<string, number>} */ ({ ArrowLeft: -1, ArrowRight: 1 })[key];
  return step ? all[all.indexOf(ways) + (lines.dir === "rtl" ? -step : step)] : null;
}

/** The button that an arrow key moves to. @param {HTMLElement} root @param {HTMLElement} button @param {string} key */
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
  if (row === "0" && step < 0) return waysAbove(button);
  const other = Number(row) + step;
  const onward = rowButtons(button, other).find((one) => Number(one.dataset.last) > Number(button.dataset.first));
  return counterparts(button, other)[0] ?? onward ?? rowButtons(button, other).at(-1);
}

/** @param {Mounting<Bytes | AlignedMessage>} given */
export default function ({ data: sent, parentElement }) {
  const root = /** @type {HTMLElement} */ (parentElement.querySelector(".component"));
  const before = views.get(parentElement);
  const data = readMessage(sent);
  const json = JSON.stringify(data);
  if (before?.json === json) return;
  before?.watcher.disconnect();
  const lines = draw(root, data);
  markPainted(root);
  const tokens = tokensOf(data);
  const arrange = () => {
    breakLines(lines, data);
    nameLines(lines, data.names);
    reserveHeight(root, data, tokens);
  };
  let size = "";
  const watcher = new ResizeObserver(() => {
    const now = `${lines.clientWidth} ${getComputedStyle(lines).fontSize}`; // letters follow the window's height, too
    if (now === size) return;
    size = now;
    arrange();
  });
  watcher.observe(lines);
  new MarkBubble(root.querySelector(".aligned-view"), (element) => explain(element, data, tokens.all));
  presentPicture(root, arrange);
  views.set(parentElement, { json, watcher, lines, names: data.names });
  if (!before) watchForPrint(parentElement);

  let held = /** @type {HTMLElement} */ (null); // clicked last; lets the pointer go to its link
  const point = (/** @type {Event} */ { target }) => {
    const button = /** @type {HTMLElement} */ (/** @type {Element} */ (target).closest(".cell button"));
    if (button) mark(root, button, data, tokens);
  };
  root.onmouseover = (event) => held || point(event);
  root.onclick = (event) => {
    const button = /** @type {HTMLElement} */ (/** @type {Element} */ (event.target).closest(".cell button"));
    held = button === held ? null : button;
    point(event);
  };
  lines.addEventListener("focusin", point); // there is no property for it
  root.onkeydown = (event) => {
    const here = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest(".cell button, .ways[tabindex]"));
    if (!here || event.altKey || event.ctrlKey || event.metaKey) return;
    const other = here.matches(".ways") ? nextOfWays(here, event.key) : next(root, here, event.key);
    if (!other) return;
    event.preventDefault();
    other.focus();
    if (!other.matches("button")) return;
    lines.querySelector("button[tabindex='0']")?.setAttribute("tabindex", -1);
    other.tabIndex = 0;
    mark(root, other, data, tokens);
  };
}
