// What the player shows in a frame: sentences and the parts of the picture, drawn with tiles.
// A part is {node, draw, side}: its node is made once, draw(value, isVeiled) changes what is in it.
// In this file: tiles, sentences, tables, strips, notes. A lattice has a file of its own.

// ---- tiles and sentences: only textContent, never markup, for what came from a text ----

/** Makes an element with a class and some content. */
function make(name, kind = "", ...content) {
  const element = document.createElement(name);
  if (kind) element.className = kind;
  element.append(...content);
  return element;
}

/** Makes the tile of a token: [its visible text, its tint]. */
function tile([text, tint], isNew) {
  const element = make("bdi", isNew ? `tile t${tint} new` : `tile t${tint}`);
  const isEnd = text.endsWith("</w>"); // kept apart, or a right-to-left word would turn it round
  element.append(isEnd ? text.slice(0, -4) : text, ...(isEnd ? [make("bdi", "", "</w>")] : []));
  if (text.length > 8) {
    element.classList.add("long"); // may be cut in a table; whole in the title, strips, sentences
    element.title = text;
  }
  return element;
}

const SEGMENTS = {
  token: (film, number) => tile(film.head.tokens[number], false),
  new: (film, number) => tile(film.head.tokens[number], true),
  strong: (film, text) => make("strong", "", text),
  word: (film, text) => make("i", "", make("bdi", "", text)),
  tie: (film, text) => make("span", "tie", text),
};

/** Turns a sentence of a film into nodes. */
function nodes(film, say) {
  return say.map((part) => (typeof part === "string" ? part : SEGMENTS[part[0]](film, part[1])));
}

/** Shows a number: whole ones with thousands separated, others to four significant digits. */
const digits = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 4 });
function shown(value) {
  if (typeof value !== "number") return value;
  const text = Number.isInteger(value) ? value.toLocaleString("en-US") : digits.format(value);
  return text.replace("-", "−");
}

// ---- the parts of a frame: each kind makes its node once and redraws what is in it ----

const CELLS = {
  tokens: (film, tokens) => make("div", "tokens", ...tokens.map((n) => tile(film.head.tokens[n]))),
  number: (film, value) => shown(value),
  text: (film, text) => make("bdi", "", text),
  bar: (film, value, largest) => {
    const bar = make("i", "measure");
    bar.style.setProperty("--share", largest > 0 ? Math.max(0, value / largest) : 0);
    return bar;
  },
};
const WIDTHS = { tokens: 13, number: 4.5, bar: 6.5, text: 9 }; // rem
const SAID = { now: "chosen", tied: "tied", rejected: "rejected", removed: "removed" };
const HINT = "Choose a row to see why it was, or was not, the one.";

function tablePart(film, part) {
  const caption = make("caption", "", part.caption);
  const columns = part.columns.map(([, kind]) => make("col", `kind-${kind}`));
  const heads = part.columns.map(([label, kind]) => {
    const head = make("th", `kind-${kind}`, label);
    head.scope = "col";
    return head;
  });
  const body = make("tbody");
  const more = make("p", "more");
  const why = make("p", "why");
  const table = make("table", "", caption, make("colgroup", "", ...columns));
  table.append(make("thead", "", make("tr", "", ...heads)), body);
  const node = make("div", "part table", table, more, why);
  const width = part.columns.reduce((sum, [, kind]) => sum + WIDTHS[kind], 1);
  node.style.setProperty("--lines", part.lines);
  if (width > 25) node.style.setProperty("--least", width - 2);
  const pool = [];
  let rows = [];

  function explain(index) {
    pool.forEach((row, i) => row.classList.toggle("asked", i === index));
    why.replaceChildren(...nodes(film, rows[index][2]));
  }
  function rowNode(index) {
    const row = make("tr");
    row.onclick = () => rows[index][2].length && explain(index);
    row.onkeydown = (event) => void (event.key === "Enter" && row.onclick());
    return (pool[index] = row);
  }
  function drawRow([cells, mark, reason], index, largest) {
    const row = pool[index] ?? rowNode(index);
    row.className = mark;
    row.tabIndex = reason.length ? 0 : -1;
    row.replaceChildren(
      ...cells.map((cell, i) => {
        const kind = part.columns[i][1];
        const word = i === 0 && SAID[mark] ? [make("span", "said", SAID[mark])] : [];
        return make("td", `kind-${kind}`, make("div", "", CELLS[kind](film, cell, largest[i]), ...word));
      }),
    );
    return row;
  }
  function draw(value) {
    rows = value.lines;
    caption.textContent = value.caption || part.caption;
    heads.forEach((head, i) => (head.textContent = value.heads?.[i] ?? part.columns[i][0]));
    const largest = part.columns.map(([, kind], i) =>
      kind === "bar" ? Math.max(0, ...rows.map(([cells]) => cells[i])) : 0,
    );
    body.replaceChildren(...rows.map((row, i) => drawRow(row, i, largest)));
    more.textContent = value.more;
    why.textContent = rows.some((row) => row[2].length) ? HINT : "";
  }
  return { node, draw, side: part.side || "left", width };
}

/** The direction in which a word is written: that of its first letter. */
function direction(texts) {
  const letter = texts.join("").match(/\p{L}/u)?.[0] ?? "";
  return /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(
    letter,
  )
    ? "rtl"
    : "ltr";
}

function stripsPart(film, part) {
  const caption = make("p", "caption");
  const body = make("div", "strips");
  const more = make("p", "more");
  const node = make("div", "part", caption, body, more);
  node.style.setProperty("--lines", part.lines);
  node.style.setProperty("--label", `${Math.min(part.label, 14)}ch`);

  function drawStrip([label, before, after, fresh, changed], isVeiled, someChanged) {
    const showsAfter = after && part.when === "after" && !isVeiled;
    const tokens = (showsAfter ? after : before).map((number) => film.head.tokens[number]);
    const tiles = tokens.map((token, i) => tile(token, showsAfter && fresh.includes(i)));
    const row = make("div", "tokens", ...tiles);
    row.dir = direction(tokens.map(([text]) => text));
    const same = someChanged && !changed && !isVeiled;
    return make("div", same ? "strip same" : "strip", make("span", "count", label), row);
  }
  function draw(value, isVeiled) {
    caption.textContent = isVeiled ? "Before this step" : value.caption || part.caption;
    const someChanged = value.lines.some((strip) => strip[4]);
    body.replaceChildren(...value.lines.map((strip) => drawStrip(strip, isVeiled, someChanged)));
    more.textContent = value.more;
  }
  return { node, draw, side: part.side || "right" };
}

function notePart(film, part) {
  const node = make("p", "part note");
  const draw = (value, isVeiled) => node.replaceChildren(...(isVeiled ? [] : nodes(film, value.say)));
  return { node, draw, side: part.side || "right" };
}
