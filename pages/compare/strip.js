// A text and, under its characters, the tokens of several tokenizers, in lines as wide as the page.
// All that is shown comes from Python (pages/compare/layout.py), and is put in as text.

/** By the element that it was mounted in. @type {WeakMap<ShadowRoot, DrawnStrip>} */
const strips = new WeakMap();
const FEW = 12; // words that a phone shows in one line, to swipe
const READ = 100; // tokens of a row that are read out

/** @param {HTMLElement} made @param {number} row @param {number} first @param {number} last */
function placed(made, row, first, last) {
  made.style.gridRow = `${row}`;
  made.style.gridColumn = `${first + 1} / ${last + 1}`;
  return made;
}

/** @param {StripTile} one @param {number} row @param {number} first @param {number} last */
function tile([text, tint, number, unknown, only, token], row, first, last) {
  const id = number.toLocaleString("en-US");
  const made = make("button", (unknown ? "unknown " : "") + (only ? "only" : ""));
  made.type = "button";
  made.tabIndex = -1;
  made.style.background = `var(--tint-${tint})`;
  const shown = make("bdi");
  shown.append(...written(text));
  made.append(shown, make("small", "", id));
  Object.assign(made.dataset, { row, first, last, text, number, token });
  return made;
}

/** A chunk: a grid with a column for each stretch of text that no token cuts. */
function chunk(/** @type {StripChunk} */ [raw, rows, ways, rightToLeft], /** @type {number} */ count) {
  const made = make("div", ways > 1 ? "chunk differs" : "chunk");
  made.style.gridTemplateRows = `var(--ways) var(--raw) repeat(${count}, var(--row))`;
  made.dir = rightToLeft ? "rtl" : "ltr";
  const columns = raw.at(-1)[1];
  if (ways > 1) made.append(placed(make("span", "ways", `${ways} ways`), 1, 0, columns));
  for (const [first, last, text, space] of raw) {
    made.append(placed(make("bdi", space ? "raw space" : "raw", text), 2, first, last));
  }
  rows.forEach((cells, row) => {
    for (const [first, last, tiles] of cells) {
      const cell = placed(make("div", "cell"), row + 3, first, last);
      cell.append(...tiles.map((one) => tile(one, row, first, last)));
      made.append(cell);
    }
  });
  return made;
}

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
function rowsOf(/** @type {HTMLElement} */ lines, /** @type {StripName[]} */ names) {
  const made = make("ul", "rows");
  made.setAttribute("role", "list"); // Safari takes it from a list without marks
  made.setAttribute("aria-label", "Each tokenizer with its tokens");
  for (const [row, [name, source]] of names.entries()) {
    const buttons = /** @type {HTMLElement[]} */ ([...lines.querySelectorAll(`button[data-row="${row}"]`)]);
    const tokens = buttons.map((one) => one.dataset.text);
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
  strip.classList.toggle("few", data.chunks.length <= FEW);
  strip.classList.toggle("sourced", data.names.some(([, source]) => source));
  const sentence = make("p", "sentence", data.hint);
  sentence.setAttribute("aria-live", "polite");
  const lines = make("div", "lines");
  lines.setAttribute("role", "group");
  lines.setAttribute("aria-label", "tokens under the text: walk with the arrow keys");
  lines.dir = direction(data.chunks.flatMap(([raw]) => raw.map(([, , text]) => text)));
  for (const one of data.chunks) {
    lines.append(chunk(one, data.names.length));
    if (one[4]) lines.append(make("div", "break"));
  }
  strip.append(sentence, rowsOf(lines, data.names), lines);
  root.replaceChildren(strip);
  const first = lines.querySelector("button");
  if (first) first.tabIndex = 0;
  return lines;
}

/** The tokens of one row of the chunk that share a column with this one. */
function inPlace(/** @type {HTMLElement} */ button, /** @type {number} */ row) {
  const { first, last } = button.dataset;
  const all = button.closest(".chunk").querySelectorAll(`button[data-row="${row}"]`);
  return /** @type {HTMLElement[]} */ ([...all]).filter(
    (other) => Number(other.dataset.first) < Number(last) && Number(first) < Number(other.dataset.last),
  );
}

/** What is said of a token: its id, how often it stands here, what the others have in its place. */
/** @param {HTMLElement} root @param {HTMLElement} button @param {StripMessage} data */
function said(root, button, { names, told }) {
  const { text, number } = button.dataset;
  const row = Number(button.dataset.row);
  const id = button.querySelector("small").textContent;
  const all = [...root.querySelectorAll("button")].filter((one) => one.dataset.text === text);
  const here = all.filter((one) => one.dataset.row === button.dataset.row).length;
  const times = here === 1 ? "once" : here === 2 ? "twice" : `${here} times`;
  const unknown = button.classList.contains("unknown") ? ", which is unknown to it" : "";
  const parts = [`“${text}”${unknown}: ${names[row][0]} has it ${times} here, with the id ${id}.`];
  if (told[row]?.[number]) parts.push(told[row][number]);
  const others = names.map(([name], n) => /** @type {const} */ ([name, inPlace(button, n)]));
  const there = others.filter((_, n) => n !== row);
  if (there.length) parts.push("In its place:");
  const list = there.map(
    ([name, tiles]) => `${name} ${tiles.map((one) => one.dataset.text).join(" + ") || "nothing"}`,
  );
  return [...parts, `${list.join("; ")}${list.length ? "." : ""}`].join(" ");
}

/** The link to the page that steps through the word of a token; nothing where there is none. */
function lead(/** @type {HTMLElement} */ button, /** @type {StripMessage} */ { leads, names }) {
  const row = Number(button.dataset.row);
  const [models, say, special, words, app = ""] = leads ?? [/** @type {string[]} */ ([])];
  const model = models[row];
  const word = model && words[row][button.dataset.token];
  if (!word) return [];
  const made = make("a", "step", `Step through it in ${names[row][0]} →`);
  const query = new URLSearchParams({ model, say, word: `${word}`, ...(special === "text" && { special }) });
  made.href = `${app}real?${query}`;
  made.rel = "noreferrer";
  return [" ", made];
}

/** @param {HTMLElement} root @param {HTMLElement} button @param {StripMessage} data */
function mark(root, button, data) {
  const { text } = button.dataset;
  const near = new Set(data.names.flatMap((_, row) => inPlace(button, row)));
  for (const one of root.querySelectorAll("button")) {
    one.classList.toggle("same", one.dataset.text === text);
    one.classList.toggle("here", near.has(one));
    one.classList.toggle("on", one === button);
  }
  root.querySelector(".sentence").replaceChildren(said(root, button, data), ...lead(button, data));
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
  return step && inPlace(button, Number(row) + step)[0];
}

/** @param {Mounting<Bytes>} given */
export default function ({ data: sent, parentElement }) {
  const root = /** @type {HTMLElement} */ (parentElement.querySelector(".place"));
  const before = strips.get(parentElement);
  const drawn = new TextDecoder().decode(sent);
  if (before?.drawn === drawn) return;
  const data = /** @type {StripMessage} */ (JSON.parse(drawn));
  before?.watcher.disconnect();
  const lines = draw(root, data);
  painted(root);
  let width = 0;
  const watcher = new ResizeObserver(() => {
    if (lines.clientWidth === width) return;
    width = lines.clientWidth;
    name(lines, data.names);
  });
  watcher.observe(lines);
  strips.set(parentElement, { drawn, watcher, lines, names: data.names });
  if (!before) watchForPaper(parentElement);
  document.fonts?.ready.then(() => name(lines, data.names));

  let held = /** @type {HTMLElement} */ (null); // clicked last: so the pointer can go from it to its link
  const point = (/** @type {Event} */ { target }) => {
    const button = /** @type {Element} */ (target).closest("button");
    if (button) mark(root, button, data);
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
    mark(root, other, data);
  };
}
