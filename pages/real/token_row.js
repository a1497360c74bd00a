// The tokens of a text with their ids. Each word is a button that chooses it, to step through it.
// Draws the message of pages/real/token_row_message.py; all of it is inserted as text.

/**
 * @typedef {[text: string, style: number | string, id: string]} TokenTile a tint, or a speaker's name
 * @typedef {{
 *   content: string, state: [revision: number, word: number], groups: [word: number, tiles: TokenTile[]][], summary: string,
 *   legend: [speaker: string, title: string, count: string][],
 *   cut: [start: number, end: number],
 * }} TokenRowMessage
 */

const WORD_DEBOUNCE_MS = 200; // before the chosen word is sent to Python

/** A token: in a chat in the style of its speaker, elsewhere in a tint of its own. */
function tokenTile(/** @type {TokenTile} */ [text, style, id]) {
  const hasSpeaker = typeof style === "string";
  const label = make("bdi", hasSpeaker ? `speaker speaker-${style}` : `t${style}`, ...tokenNodes(text));
  const tile = make("span", "tile", label, make("small", "", id));
  if (hasSpeaker) tile.title = style;
  return tile;
}

/** Each speaker's style with its name and its number of tokens. */
function speakerLegend(/** @type {TokenRowMessage["legend"]} */ legend) {
  const entries = legend.map(([speaker, title, count]) =>
    make("li", "", make("span", `speaker speaker-${speaker}`, title), ` ${count}`),
  );
  const list = make("ul", "legend", ...entries);
  list.setAttribute("aria-label", "whose the tokens are");
  list.dir = "ltr";
  return list;
}

/** The tiles of a word as a button; tokens that are put around the text belong to no word. */
function wordGroup(/** @type {TokenRowMessage["groups"][0]} */ [word, tiles]) {
  const group = make(word ? "button" : "span", "word", ...tiles.map(tokenTile));
  if (group instanceof HTMLButtonElement) group.type = "button";
  if (word) group.dataset.word = `${word}`;
  return group;
}

/** Marks the tiles that the file's truncation cuts off. */
function markCut(/** @type {HTMLElement} */ row, /** @type {TokenRowMessage["cut"]} */ [start, end]) {
  for (const tile of [...row.querySelectorAll(".tile")].slice(Math.max(start, 0), Math.max(end, 0))) {
    tile.classList.add("off");
    tile.setAttribute("title", "The file cuts this token off: the model does not get it.");
  }
}

function drawRow(/** @type {HTMLElement} */ root, /** @type {TokenRowMessage} */ data) {
  const row = make("div", "row", ...data.groups.map(wordGroup));
  markCut(row, data.cut);
  row.setAttribute("role", "group");
  row.setAttribute("aria-label", "tokens: choose a word to step through");
  row.dir = direction(data.groups.flatMap(([, tiles]) => tiles.map(([text]) => text)));
  const whole = data.summary.replace(/(?<!·) /g, "\u00a0"); // breaks between its figures only
  const summary = make("div", "summary", whole);
  summary.dir = "ltr";
  if (data.legend.length) summary.prepend(speakerLegend(data.legend));
  row.append(summary);
  root.replaceChildren(row);
}

/** @param {HTMLElement} root @returns {HTMLButtonElement[]} */
function wordButtons(root) {
  return [.../** @type {NodeListOf<HTMLButtonElement>} */ (root.querySelectorAll("button"))];
}

/** Marks the chosen word. Tab reaches it, or the first word if it is not among these tokens. */
function markWord(/** @type {HTMLElement} */ root, /** @type {number} */ at) {
  const buttons = wordButtons(root);
  const chosen = buttons.find((one) => Number(one.dataset.word) === at);
  for (const one of buttons) {
    one.classList.toggle("on", one === chosen);
    one.setAttribute("aria-pressed", String(one === chosen));
    one.tabIndex = one === (chosen ?? buttons[0]) ? 0 : -1;
  }
}

/** @param {Mounting<Bytes | TokenRowMessage>} given */
export default function ({ data: sent, parentElement, setStateValue }) {
  const data = readMessage(sent);
  /** @type {HTMLElement} */
  const root = parentElement.querySelector(".component");
  const here = localState(parentElement, { drawn: "" });
  /** @type {SyncedState<number>} */
  const chosen = syncedState("token_row");
  chosen.adopt(data.content, data.state);
  const drawn = JSON.stringify([data.groups, data.summary, data.legend, data.cut]);
  if (here.drawn !== drawn) drawRow(root, data);
  here.drawn = drawn;
  markWord(root, chosen.value);
  markPainted(root);

  function choose(/** @type {HTMLButtonElement} */ button) {
    chosen.value = Number(button.dataset.word);
    markWord(root, chosen.value);
    chosen.reportWhenIdle(WORD_DEBOUNCE_MS, (report) => setStateValue("word", report));
  }

  root.onclick = ({ target, detail }) => {
    const button = /** @type {HTMLButtonElement} */ (/** @type {Element} */ (target).closest("button"));
    if (!button) return;
    choose(button);
    if (detail) button.blur(); // clicked with the mouse: the arrow keys step through the word
  };
  root.onkeydown = (event) => {
    const buttons = wordButtons(root);
    const at = buttons.indexOf(/** @type {HTMLButtonElement} */ (/** @type {Element} */ (event.target).closest("button")));
    if (at < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
    const onward = /** @type {HTMLElement} */ (root.firstChild).dir === "rtl" ? -1 : 1;
    /** @type {Record<string, number>} */
    const targets = { ArrowRight: at + onward, ArrowLeft: at - onward, Home: 0, End: buttons.length - 1 };
    const other = buttons[targets[event.key]];
    if (!(event.key in targets)) return;
    event.preventDefault();
    if (!other) return;
    choose(other);
    other.focus();
  };
}
