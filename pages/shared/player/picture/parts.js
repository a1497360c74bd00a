// The contents of a frame: sentences and the parts of the picture, drawn with tiles.
// A part is {node, draw, side}: its node is created once, draw(value, isMasked) updates it.
// This file has tiles, sentences, tables, strips and notes.

// ---- tiles and sentences: texts are set as textContent, never as markup ----

/** Makes the tile of a token. @param {Token} token */
function tile([text, tint], isNew = false) {
  const element = make("bdi", isNew ? `tile t${tint} new` : `tile t${tint}`);
  element.append(...tokenNodes(text));
  if (text.length > 8) {
    element.classList.add("long"); // may be cut in a table; whole in title, strips and sentences
    element.title = text;
  }
  return element;
}

/** @type {Record<string, (recording: Recording, value: any) => HTMLElement>} a token has a number, a word a text */
const SEGMENTS = {
  token: (recording, number) => tile(recording.head.tokens[number], false),
  new: (recording, number) => tile(recording.head.tokens[number], true),
  word: (recording, text) => make("i", "", make("bdi", "", text)),
};

/**
 * Turns a sentence into nodes; its terms are explained, except those already `met`.
 * @param {Recording} recording @param {RichText} text @param {Set<unknown> | null} met null to explain none
 * @returns {(Node | string)[]}
 */
function nodes(recording, text, met = new Set()) {
  const explain = (/** @type {string} */ plain) => (met ? explainTerms(plain, met) : [plain]);
  return text.flatMap((part) => {
    if (typeof part === "string") return explain(part);
    const [kind, value] = part;
    if (kind === "strong") return make("strong", "", ...explain(value));
    return kind === "tie" ? make("span", "tie", ...explain(value)) : SEGMENTS[kind](recording, value);
  });
}

const digits = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 4 });
/** Formats a number: integers with thousands separators, others with four significant digits. */
function shown(/** @type {number | string} */ value) {
  if (typeof value !== "number") return value;
  const text = Number.isInteger(value) ? value.toLocaleString("en-US") : digits.format(value);
  return text.replace("-", "−");
}

/** The verdict on an answer: right or not, the choice, and the explanation. */
function verdictNodes(/** @type {Recording} */ recording, /** @type {Verdict} */ { ask, choice, isRight, reason }) {
  const tiles = (/** @type {number} */ option) => ask.options[option].map((n) => tile(recording.head.tokens[n]));
  /** @type {(Node | string)[]} */
  const line = [make("b", "", isRight ? "✓ Right. " : choice === null ? "" : "✗ Not this one. ")];
  if (choice !== null && !isRight) line.push("You chose ", ...tiles(choice), ". ", ...nodes(recording, reason), " ");
  if (ask.correct.length > 1) line.push(`${ask.correct.length} answers tie here: any of them is right. `);
  return [...line, ...nodes(recording, ask.explanation)];
}

/**
 * The options of a question, each with its key.
 * @param {Recording} recording @param {StepQuestion} ask @param {(choice: number) => void} choose
 */
function optionsOf(recording, ask, choose) {
  return ask.options.map((tokens, i) => {
    const tiles = tokens.map((number) => tile(recording.head.tokens[number]));
    const button = make("button", "option", make("kbd", "", `${i + 1}`), ...tiles);
    if (ask.hints[i]) button.append(make("span", "hinted", ...nodes(recording, ask.hints[i], null)));
    button.type = "button";
    button.onclick = () => choose(i);
    return make("li", "", button);
  });
}

/** Makes the bar of a share; any positive share is visible. @param {number} share */
function measured(share) {
  const bar = make("i", share > 0 ? "measure some" : "measure");
  bar.style.setProperty("--share", Math.max(0, share));
  return bar;
}

// ---- the parts of a frame: each kind creates its node once and updates it ----

/** @type {Record<string, (recording: Recording, cell: any, largest: number) => Node | string>} by kind of column */
const CELLS = {
  tokens: (recording, /** @type {number[]} */ numbers) => {
    const tokens = numbers.map((number) => recording.head.tokens[number]);
    const row = make("div", "tokens", ...tokens.map((token) => tile(token)));
    row.dir = direction(tokens.map(([text]) => text));
    return row;
  },
  number: (recording, value) => shown(value),
  text: (recording, text) => make("bdi", "", text),
  bar: (recording, value, largest) => measured(largest > 0 ? value / largest : 0),
  part: (recording, value) => measured(value),
};
const WIDTHS = { tokens: 13, number: 4.5, bar: 6.5, part: 6.5, text: 9 }; // rem
/** @type {Record<string, string>} */
const MARK_LABELS = { now: "chosen", tied: "tied", rejected: "rejected", removed: "removed" };

/** @param {Recording} recording @param {PartHead} part @param {Player} player @returns {PartView} */
function tablePart(recording, part, player) {
  const looks = part.columns.map(([, kind]) => `kind-${kind === "part" ? "bar" : kind}`);
  const columns = looks.map((look) => make("col", look));
  const headings = looks.map((look, i) => headCell("col", look, part.columns[i][0]));
  const body = make("tbody");
  const more = make("p", "more");
  const table = makeTable("", [part.caption], headings, body);
  const { caption } = table;
  table.tHead.before(make("colgroup", "", ...columns));
  const node = make("div", "part table", table, more);
  const width = part.columns.reduce((sum, [, kind]) => sum + WIDTHS[kind], 1);
  node.style.setProperty("--natural-width", Math.max(25, width));
  if (width > 25) {
    node.classList.add("wide");
    node.style.setProperty("--least", width - 4);
  }
  const isOfPairs = part.columns[0][0] === "pair";
  const below = recording.head.parts // lines of words below it, in the same column
    .filter((other) => part.side && other.side === part.side && other.kind === "strips")
    .reduce((sum, other) => sum + other.lines, 0);
  /** @type {HTMLElement[]} */
  const pool = [];
  let rows = /** @type {TableRow[]} */ ([]);
  let room = part.lines; // rows that are shown
  let value = /** @type {Partial<TableFrame>} */ ({});

  /** Explains a row, beside it; a second click closes the bubble. */
  function explain(/** @type {number} */ index) {
    const [row, reason] = [pool[index], rows[index][2]];
    if (player.why.isAbout(row)) return player.why.close();
    if (reason.length) player.why.show([row], nodes(recording, reason), SIDES.row, row.querySelector(".reason"));
  }

  /** The reason of a pair of neighbours (token numbers); `isNew` if this step creates one of them. */
  function reasonOfPair(/** @type {number[]} */ pair, /** @type {boolean} */ isNew) {
    const row = rows.find(([[cell]]) => String(cell) === String(pair));
    const tiles = pair.map((number) => tile(recording.head.tokens[number]));
    const absent = value.more ? `: not among the rows shown (${value.more}).` : ": not in this table.";
    if (row) return [...tiles, ": ", ...nodes(recording, row[2])];
    return [...tiles, isNew ? ": a pair only from the next step on." : absent];
  }
  function rowNode(/** @type {number} */ index) {
    const row = make("tr");
    row.onclick = () => explain(index);
    return (pool[index] = row);
  }
  /** The first cell of a row with a reason: a button that opens the bubble. */
  function reasonButton() {
    const button = make("button", "reason");
    button.type = "button";
    button.setAttribute("aria-expanded", false);
    return button;
  }
  /** @param {TableRow} row @param {number} index @param {number[]} largest by column */
  function drawRow([cells, mark, reason], index, largest) {
    const row = pool[index] ?? rowNode(index);
    row.className = mark;
    row.replaceChildren(
      ...cells.map((cell, i) => {
        const kind = part.columns[i][1];
        const word = i === 0 && MARK_LABELS[mark] ? [make("span", "mark-label", MARK_LABELS[mark])] : [];
        const box = i === 0 && reason.length ? reasonButton() : make("div");
        box.append(CELLS[kind](recording, cell, largest[i]), ...word);
        return make("td", looks[i], box);
      }),
    );
    return row;
  }
  /** Computes the rows that fit; presenter view takes all, and leaves out rows itself. */
  function makeRoom() {
    const isAdapted = part.minRows && !player.presenter.isOn;
    room = isAdapted ? roomBelow(body, part.minRows, part.lines, below) : part.lines;
    node.style.setProperty("--lines", room + Number(isAdapted && room < part.lines));
  }
  function draw(/** @type {TableFrame} */ now) {
    [value, rows] = [now, now.lines];
    caption.textContent = value.caption || part.caption;
    headings.forEach((head, i) => {
      head.textContent = value.headings?.[i] ?? part.columns[i][0];
      if (head.textContent) head.removeAttribute("role");
      else head.setAttribute("role", "cell"); // an empty heading would be read out as one
    });
    const largest = part.columns.map(([, kind], i) =>
      kind === "bar" ? Math.max(0, ...rows.map(([cells]) => /** @type {number} */ (cells[i]))) : 0,
    );
    const { activeElement } = /** @type {ShadowRoot} */ (node.getRootNode());
    const focused = pool.findIndex((row) => activeElement && row.contains(activeElement));
    body.replaceChildren(...rows.slice(0, room).map((row, i) => drawRow(row, i, largest)));
    table.classList.toggle("empty", !rows.length);
    table.classList.toggle("asks", rows.some((row) => row[2].length));
    /** @type {HTMLElement} */ (pool[focused]?.querySelector(".reason"))?.focus({ preventScroll: true });
    more.textContent = part.minRows ? moreOf(value, room, part.columns[0][0], part.columns[1][0] === "count") : value.more;
  }
  return { node, draw, makeRoom, reasonOfPair: isOfPairs ? reasonOfPair : undefined, side: part.side || "left", width };
}

/** @param {Recording} recording @param {PartHead} part @param {Player} player @returns {PartView} */
function stripsPart(recording, part, player) {
  const caption = make("p", "caption");
  const body = make("div", "strips");
  const more = make("p", "more");
  const node = make("div", "part", caption, body, more);
  node.style.setProperty("--lines", part.lines);
  node.style.setProperty("--label", `${Math.min(part.label, 14)}ch`);

  /** @type {Row[]} as drawn */
  let shown = [];

  /** @param {TokenStrip} strip @param {boolean} isMasked @param {boolean} someChanged */
  function drawStrip([label, before, after, fresh, changed, ...gaps], isMasked, someChanged) {
    const showsAfter = after && part.when === "after" && !isMasked;
    const numbers = showsAfter ? after : before;
    const tokens = numbers.map((number) => recording.head.tokens[number]);
    const isNew = (/** @type {number} */ i) => showsAfter && fresh.includes(i);
    const tiles = tokens.map((token, i) => tile(token, isNew(i)));
    for (const at of gaps[showsAfter ? 1 : 0] ?? []) tiles[at]?.classList.add("starts-word");
    const table = player.parts.find(({ reasonOfPair }) => reasonOfPair);
    tiles.slice(0, table ? -1 : 0).forEach((one, i) => {
      const pair = [numbers[i], numbers[i + 1]];
      const isMade = isNew(i) || isNew(i + 1);
      one.classList.add("of-pair");
      one.onclick = () => {
        if (player.question || player.masked.has("tables")) return;
        if (player.why.isAbout(one)) return player.why.close();
        player.why.show([one, tiles[i + 1]], table.reasonOfPair(pair, isMade), SIDES.tile);
      };
    });
    const row = make("div", "tokens", ...tiles);
    const texts = tokens.map(([text]) => text);
    row.dir = direction(texts);
    shown.push({ texts, tiles });
    const same = someChanged && !changed && !isMasked;
    return make("div", same ? "strip same" : "strip", make("span", "count", label), row);
  }
  function draw(/** @type {StripsFrame} */ value, /** @type {boolean} */ isMasked) {
    caption.textContent = isMasked ? "Before this step" : value.caption || part.caption;
    const someChanged = value.lines.some((strip) => strip[4]);
    shown = [];
    const isWithheld = isMasked && value.withheld;
    const strips = isWithheld ? [] : value.lines.map((strip) => drawStrip(strip, isMasked, someChanged));
    body.replaceChildren(...strips);
    if (isWithheld) caption.textContent = value.withheld;
    more.textContent = isWithheld ? "" : value.more;
  }
  function track() {
    const before = shown;
    const places = before.map(({ tiles }) => tiles.map(rectOf));
    return () => shown.forEach((row, i) => before[i] && moveTiles(body, before[i], places[i], row));
  }
  return { node, draw, track, side: part.side || "right" };
}

/** @param {Recording} recording @param {PartHead} part @returns {PartView} */
function notePart(recording, part) {
  const node = make("p", "part note");
  const draw = (/** @type {NoteFrame} */ value, /** @type {boolean} */ isMasked) =>
    node.replaceChildren(...(isMasked ? [] : nodes(recording, value.text)));
  return { node, draw, side: part.side || "right" };
}
