// The stages of the pipeline, with one chosen token marked in every stage.
// Draws the message of pages/pipeline/stage_table_message.py; all of it is inserted as text.

/**
 * The message (stage_table_message.py).
 * @typedef {[text: string, kind: "" | "new" | "gone", low: number, high: number, word: number]} Part
 * @typedef {[name: string, summary: string, list: Part[]]} Row
 * @typedef {[text: string, tint: number, id: string, unknown: boolean, description: string]} Tile
 * @typedef {{
 *   content: string, state: [revision: number, at: number], first: number, rows: Row[],
 *   model: [name: string, summary: string], tiles: Tile[], back: Row, empty: string,
 * }} Message
 */

const DEBOUNCE_MS = 200; // before the chosen token is sent to Python

/** One part of a row: plain, new or gone; `low` to `high` are the tokens that hold some of it. */
function part(/** @type {Part} */ [text, kind, low, high]) {
  /** @type {Record<string, "s" | "ins">} */
  const marks = { gone: "s", new: "ins" };
  const made = make("span", "", make(marks[kind] ?? "span", "", text));
  if (low >= 0) Object.assign(made.dataset, { low, high });
  return made;
}

/** The parts of a row; each pre-token's have a frame. */
function parts(/** @type {Part[]} */ list) {
  const made = make("div", "text");
  made.dir = "auto"; // keeps the text's direction, and joins its letters
  let word = -1;
  let frame = /** @type {HTMLElement} */ (made);
  for (const item of list) {
    if (item[4] !== word) {
      word = item[4];
      frame = word < 0 ? made : made.appendChild(make("span", "word"));
    }
    frame.append(part(item));
  }
  return made;
}

function tiles(/** @type {Tile[]} */ list, /** @type {number} */ first) {
  const made = make("div", "tiles");
  made.setAttribute("role", "group");
  made.setAttribute("aria-label", "tokens: choose one with the arrow keys");
  made.dir = direction(list.map(([text]) => text));
  list.forEach(([text, tint, id, unknown], n) => {
    const label = make("bdi", "", ...tokenNodes(text));
    const button = make("button", unknown ? "unknown" : "", label, make("small", "", id));
    button.type = "button";
    button.style.background = `var(--tint-${tint})`;
    Object.assign(button.dataset, { low: first + n, high: first + n });
    made.append(button);
  });
  return made;
}

/** @param {string} name @param {string} summary @param {HTMLElement} body */
function row(name, summary, body) {
  return make("div", "row", make("div", "name", name, make("span", "summary", summary)), body);
}

function draw(/** @type {HTMLElement} */ root, /** @type {Message} */ data) {
  const sentence = make("p", "sentence");
  sentence.setAttribute("aria-live", "polite");
  const textRow = (/** @type {Row} */ [name, summary, list]) => row(name, summary, parts(list));
  const tokens = row(...data.model, tiles(data.tiles, data.first));
  const stages = [...data.rows.map(textRow), tokens, textRow(data.back)];
  root.replaceChildren(make("div", "stage-table", make("div", "top", sentence, presentButton()), ...stages));
}

/**
 * Marks the token in every row, and shows its description.
 * @param {HTMLElement} root @param {Message} data @param {number} at
 */
function show(root, data, at) {
  for (const held of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-low]"))) {
    const isOn = Number(held.dataset.low) <= at && at <= Number(held.dataset.high);
    held.classList.toggle("on", isOn);
    if (held.tagName === "BUTTON") {
      held.setAttribute("aria-pressed", String(isOn));
      held.tabIndex = isOn ? 0 : -1;
    }
  }
  root.querySelector(".sentence").textContent = data.tiles[at - data.first]?.[4] ?? data.empty;
}

/** @type {Record<string, number>} */
const MOVES = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };

/** @param {Mounting<Bytes | Message>} given */
export default function ({ data: sent, parentElement, setStateValue }) {
  const data = readMessage(sent);
  /** @type {HTMLElement} */
  const root = parentElement.querySelector(".component");
  const here = localState(parentElement, { drawn: "" });
  /** @type {SyncedState<number>} */
  const chosen = syncedState("stage_table");
  chosen.adopt(data.content, data.state);
  const drawn = JSON.stringify({ ...data, state: 0 }); // the chosen token needs no redraw
  if (here.drawn !== drawn) {
    draw(root, data);
    here.drawn = drawn;
  }
  show(root, data, chosen.value);
  markPainted(root);
  presentPicture(root);

  function choose(/** @type {number} */ at, /** @type {boolean} */ focus) {
    chosen.value = Math.min(Math.max(at, data.first), data.first + data.tiles.length - 1);
    show(root, data, chosen.value);
    if (focus) /** @type {HTMLElement} */ (root.querySelector("button.on"))?.focus();
    chosen.reportWhenIdle(DEBOUNCE_MS, (report) => setStateValue("token", report));
  }

  root.onclick = ({ target }) => {
    /** @type {HTMLElement} */
    const held = /** @type {Element} */ (target).closest("[data-low]");
    if (held) choose(Number(held.dataset.low), held.tagName === "BUTTON");
  };
  root.onkeydown = (event) => {
    const { dir } = /** @type {HTMLElement} */ (root.querySelector(".tiles"));
    const isTurned = dir === "rtl" && event.key.startsWith("Arrow");
    const move = isTurned ? -MOVES[event.key] || undefined : MOVES[event.key];
    if (move === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    choose(chosen.value + move, true);
  };
}
