// The player: shows a recorded film one position at a time, and reports where it rests.
// It never runs an algorithm: all that it shows was written in Python (pages/figures/film.py).
// In this file: tiles and sentences, the parts of a frame, the film, the player, the keyboard.

const REST = 150; // milliseconds without a move after which a position counts as rested
const PACE = 1200; // milliseconds between two steps when playing at 1×
const TICKS = 80; // more ticks than this under the scrubber could not be told apart

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
  return Number.isInteger(value) ? value.toLocaleString("en-US") : digits.format(value);
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
const SAID = { now: "chosen", tied: "tied", rejected: "rejected" };
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
        const word = i === 0 && mark ? [make("span", "said", SAID[mark])] : [];
        return make("td", `kind-${kind}`, make("div", "", CELLS[kind](film, cell, largest[i]), ...word));
      }),
    );
    return row;
  }
  function draw(value) {
    rows = value.lines;
    caption.textContent = value.caption || part.caption;
    const largest = part.columns.map(([, kind], i) =>
      kind === "bar" ? Math.max(0, ...rows.map(([cells]) => cells[i])) : 0,
    );
    body.replaceChildren(...rows.map((row, i) => drawRow(row, i, largest)));
    more.textContent = value.more;
    why.textContent = rows.some((row) => row[2].length) ? HINT : "";
  }
  return { node, draw, side: "left", width };
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
    return make("div", same ? "strip same" : "strip", make("span", "label", label), row);
  }
  function draw(value, isVeiled) {
    caption.textContent = isVeiled ? "Before this step" : value.caption || part.caption;
    const someChanged = value.lines.some((strip) => strip[4]);
    body.replaceChildren(...value.lines.map((strip) => drawStrip(strip, isVeiled, someChanged)));
    more.textContent = value.more;
  }
  return { node, draw, side: "right" };
}

function notePart(film) {
  const node = make("p", "part note");
  const draw = (value, isVeiled) => node.replaceChildren(...(isVeiled ? [] : nodes(film, value.say)));
  return { node, draw, side: "right" };
}

const PARTS = { table: tablePart, strips: stripsPart, note: notePart };

/** Keeps `outer` as tall as the tallest `inner` seen at this width: nothing below it jumps. */
function holdHeight(outer, inner) {
  let width = 0;
  new ResizeObserver(() => {
    if (inner.clientWidth !== width) outer.style.minHeight = "";
    width = inner.clientWidth;
    if (inner.offsetHeight > (parseFloat(outer.style.minHeight) || 0)) {
      outer.style.minHeight = `${inner.offsetHeight}px`;
    }
  }).observe(inner);
}

// ---- the film: a head, and windows of frames that are opened when the position comes near ----

/** Takes the message apart: length of the header, header, head, windows. */
function unpack(message) {
  const size = new DataView(message.buffer, message.byteOffset).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(message.subarray(4, 4 + size)));
  let start = 4 + size;
  const [head, ...windows] = header.sizes.map((length) => message.slice(start, (start += length)));
  return { ...header, head, windows: header.windows.map((index, i) => [index, windows[i]]) };
}

async function inflate(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).json();
}

class Film {
  /** `opened` is called when more frames can be shown, `want` with a window that is missing. */
  constructor(key, head, opened, want) {
    Object.assign(this, { key, head, opened, want });
    this.packed = new Map();
    this.frames = new Map();
    this.wanted = -1;
  }

  receive(windows) {
    for (const [index, bytes] of windows) this.packed.set(index, bytes);
  }

  /** The frame at a position, or undefined while its window is on the way. */
  at(position) {
    return this.frames.get(Math.floor(position / this.head.window))?.[position % this.head.window];
  }

  /** Opens or requests the window of a position, then its neighbours. */
  prepare(position) {
    const here = Math.floor(position / this.head.window);
    const final = Math.floor(this.head.last / this.head.window);
    const near = [here, here + 1, here - 1].filter((index) => index >= 0 && index <= final);
    near.filter((index) => this.packed.has(index)).forEach((index) => this.open(index));
    const missing = near.find((index) => !this.packed.has(index));
    if (missing !== undefined && missing !== this.wanted) this.want((this.wanted = missing));
  }

  async open(index) {
    if (this.frames.has(index)) return;
    this.frames.set(index, undefined); // so that it is opened once
    this.frames.set(index, await inflate(this.packed.get(index)));
    this.opened();
  }
}

// ---- the player ----

/** Puts a position in the address, where Python would make a new entry in the history of it. */
function noteInAddress(parameter, position) {
  const url = new URL(location);
  if (position) url.searchParams.set(parameter, position);
  else url.searchParams.delete(parameter);
  history.replaceState(history.state, "", url);
}

const left = new Map(); // where each player of this tab stood when its page was left, by key

class Player {
  constructor(shadow) {
    this.root = shadow.querySelector(".player");
    this.at = this.position = 0; // `at` is where the learner stands
    this.question = 0; // the position whose outcome is asked for, or 0
    this.verdict = null; // nodes that say how the last prediction went
    this.isPredicting = false;
    this.isPainting = false;
    holdHeight(this.find("saying"), this.find("saying").firstElementChild);
    for (const side of this.root.querySelectorAll(".column")) {
      holdHeight(side, side.firstElementChild);
    }
    this.listen();
  }

  find(name) {
    return this.root.querySelector(`.${name}`);
  }

  listen() {
    const on = (name, act) => (this.find(name).onclick = () => act());
    on("first", () => this.go(0));
    on("back", () => this.back());
    on("play", () => this.toggle());
    on("forward", () => this.forward());
    on("end", () => this.go(this.last));
    on("leap", () => this.leap());
    on("predict", () => this.setPredicting(!this.isPredicting));
    on("reveal", () => this.answer(null));
    this.find("scrubber").oninput = (event) => this.go(Number(event.target.value));
    this.find("wanted").onkeydown = (event) => void (event.key === "Enter" && this.leap());
    this.find("mark").onchange = () => this.offerLeap(true);
    this.root.onpointerdown = () => (chosen = this);
    this.root.onfocusin = () => (chosen = this);
  }

  // -- receiving

  async receive(message, setState) {
    this.setState = setState;
    this.root.classList.toggle("presenter", message.presenter);
    this.key = message.key;
    this.parameter = message.parameter;
    if (this.film?.key === message.film) return this.obey(message);
    this.stop();
    const loading = (this.loading = message.film);
    const head = await inflate(message.head);
    if (this.loading !== loading) return;
    const want = (index) => this.setState("want", [message.film, index]);
    this.film = new Film(message.film, head, () => this.soon(), want);
    this.film.receive(message.windows);
    this.begin(message);
  }

  /** A rerun with the same film: take the windows, move only when Python asks for another step. */
  obey(message) {
    this.film.receive(message.windows);
    if (message.sent !== this.sent) {
      this.sent = message.sent;
      this.reported = message.goal;
      this.go(message.goal);
    } else this.film.prepare(this.position);
  }

  begin(message) {
    const { head } = this.film;
    this.last = head.last;
    this.sent = message.sent;
    this.parts = head.parts.map((part) => PARTS[part.kind](this.film, part));
    this.layOut();
    this.find("last").textContent = shown(head.last);
    this.find("position").style.minWidth = `${8 + 2 * shown(head.last).length}ch`;
    this.find("scrubber").max = head.last;
    this.find("predict").hidden = !head.asks;
    if (!head.asks) this.isPredicting = false;
    this.drawTicks();
    this.find("mark").replaceChildren(
      ...head.marks.map(([name, positions]) => make("option", "", `${name} (${positions.length})`)),
      make("option", "", "a token appears"),
    );
    this.scores = JSON.parse(sessionStorage.getItem(`predictions ${this.film.key}`) ?? "{}");
    const before = left.get(this.key);
    const resumes = before?.film === message.film && before.sent === message.sent;
    this.reported = message.goal;
    this.go(resumes ? before.at : message.goal);
    this.root.hidden = false;
  }

  layOut() {
    const sides = { left: this.find("left"), right: this.find("right") };
    for (const side of Object.values(sides)) {
      side.style.minHeight = "";
      side.querySelectorAll(".part").forEach((part) => part.remove());
    }
    for (const { node, side } of this.parts) sides[side].firstElementChild.append(node);
    this.find("saying").style.minHeight = "";
    const say = this.find("say");
    const across = say.clientWidth / parseFloat(getComputedStyle(say).fontSize);
    const lines = Math.ceil((this.film.head.longest * 0.48) / across); // a letter is about 0.48 em
    say.style.minHeight = `${1.45 * Math.min(lines, 3)}em`;
    const kinds = new Set(this.parts.map(({ side }) => side));
    const widths = this.parts.map(({ width }) => width ?? 0);
    this.find("stage").style.setProperty("--table", Math.max(25, ...widths));
    this.find("stage").dataset.sides = kinds.size > 1 ? "both" : [...kinds][0] ?? "";
  }

  drawTicks() {
    const { marks } = this.film.head;
    const all = marks.filter(([, , tick]) => tick).flatMap(([, positions]) => positions);
    const room = Math.max(this.last, 1);
    const slots = new Set(all.map((at) => Math.round((at / room) * Math.min(room, TICKS))));
    this.find("ticks").replaceChildren(
      ...[...slots].map((slot) => {
        const tick = make("i");
        tick.style.setProperty("--where", slot / Math.min(room, TICKS));
        return tick;
      }),
    );
  }

  // -- moving: the position changes at once, painting follows with the next animation frame

  go(position) {
    this.at = this.position = Math.min(Math.max(position, 0), this.last);
    this.question = 0;
    this.verdict = null;
    this.moved();
  }

  moved() {
    if (this.at === this.last) this.stop();
    left.set(this.key, { film: this.film.key, sent: this.sent, at: this.at });
    this.film.prepare(this.position);
    this.soon();
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.rest(), REST);
  }

  rest() {
    this.find("heard").textContent = this.spoken();
    if (this.at === this.reported) return;
    if (this.parameter) noteInAddress(this.parameter, this.at);
    this.setState("step", [(this.reported = this.at), this.sent]);
  }

  /** What a screen reader says: the place, how the prediction went, the sentence. */
  spoken() {
    const place = this.question ? `A question about step ${this.question}.` : `Step ${this.at}.`;
    return [place, this.find("verdict").textContent, this.find("say").textContent].join(" ");
  }

  forward() {
    if (this.question) return this.answer(null);
    const next = this.at + 1;
    if (this.isPredicting && this.film.at(next)?.ask) {
      this.stop();
      this.question = this.position = next;
      this.verdict = null;
      return this.moved();
    }
    if (next <= this.last) this.go(next);
  }

  back() {
    this.stop();
    this.go(this.question ? this.at : this.at - 1); // back from a question: to where it was asked
  }

  toggle() {
    if (this.playing) return this.stop();
    if (this.at === this.last) this.go(0);
    this.find("doing").textContent = "Pause";
    this.root.classList.add("playing");
    const tick = () => {
      this.playing = setTimeout(tick, PACE / Number(this.find("pace").value));
      if (this.film.at(this.at) && this.root.isConnected) this.forward();
    };
    this.playing = setTimeout(tick, REST);
  }

  stop() {
    clearTimeout(this.playing);
    this.playing = 0;
    this.find("doing").textContent = "Play";
    this.root.classList.remove("playing");
  }

  // -- jumping

  /** Where the jump leads from here, or -1. */
  target() {
    const { marks, makes, tokens } = this.film.head;
    const positions = marks[this.find("mark").selectedIndex]?.[1];
    if (positions) return positions.find((position) => position > this.at) ?? -1;
    const wanted = this.find("wanted").value.replaceAll(" ", "·");
    if (!wanted) return -1;
    const all = [...makes.keys()].filter((at) => tokens[makes[at]]?.[0].includes(wanted));
    const exact = all.filter((at) => tokens[makes[at]][0] === wanted);
    const found = exact.length ? exact : all;
    return found.find((position) => position > this.at) ?? found[0] ?? -1;
  }

  leap() {
    const target = this.target();
    this.find("wanted").classList.toggle("missed", target < 0);
    if (target >= 0) this.go(target);
  }

  offerLeap(isChosenNow) {
    const isToken = this.find("mark").selectedIndex === this.film.head.marks.length;
    this.find("wanted").hidden = !isToken;
    this.find("leap").disabled = !isToken && this.target() < 0;
    if (isChosenNow) (isToken ? this.find("wanted") : this.find("leap")).focus();
  }

  // -- predicting

  setPredicting(isOn) {
    this.isPredicting = isOn;
    this.find("predict").setAttribute("aria-pressed", isOn);
    this.go(this.at);
  }

  /** Answers the open question with the option at `choice`; null shows the answer, unscored. */
  answer(choice) {
    const { ask } = this.film.at(this.question);
    const isRight = ask.right.includes(choice);
    if (choice !== null && !(this.question in this.scores)) {
      this.scores[this.question] = isRight;
      sessionStorage.setItem(`predictions ${this.film.key}`, JSON.stringify(this.scores));
    }
    const position = this.question;
    this.go(position);
    this.verdict = { ask, choice, isRight };
  }

  drawVerdict() {
    const { ask, choice, isRight } = this.verdict;
    const tiles = (option) => ask.options[option].map((n) => tile(this.film.head.tokens[n]));
    const line = [make("b", "", isRight ? "✓ Right. " : choice === null ? "" : "✗ Not this one. ")];
    if (choice !== null && !isRight) line.push("You chose ", ...tiles(choice), ". ");
    if (ask.right.length > 1) line.push(`${ask.right.length} answers tie here, and each is right. `);
    this.find("verdict").className = `verdict ${isRight ? "right" : "wrong"}`;
    this.find("verdict").replaceChildren(...line, ...nodes(this.film, ask.why));
  }

  drawOptions(ask) {
    this.find("options").replaceChildren(
      ...ask.options.map((tokens, i) => {
        const tiles = tokens.map((number) => tile(this.film.head.tokens[number]));
        const button = make("button", "option", make("kbd", "", i + 1), ...tiles);
        button.type = "button";
        button.onclick = () => this.answer(i);
        return make("li", "", button);
      }),
    );
  }

  // -- painting

  soon() {
    if (this.isPainting) return;
    this.isPainting = true;
    requestAnimationFrame(() => {
      this.isPainting = false;
      this.paint();
    });
  }

  paint() {
    this.paintBar();
    const frame = this.film.at(this.position);
    this.root.classList.toggle("waiting", !frame);
    if (!frame) return this.find("say").replaceChildren(`Fetching step ${this.position} …`);
    const ask = this.question ? frame.ask : null;
    this.find("say").replaceChildren(...nodes(this.film, ask ? ask.prompt : frame.say));
    this.find("verdict").hidden = !this.verdict;
    if (this.verdict) this.drawVerdict();
    else this.find("verdict").replaceChildren();
    this.find("question").hidden = !ask;
    if (ask) this.drawOptions(ask);
    this.root.classList.toggle("veiled", Boolean(ask));
    this.parts.forEach((part, i) => part.draw(frame.parts[i], Boolean(ask)));
    this.root.dataset.step = this.at;
  }

  paintBar() {
    const scrubber = this.find("scrubber");
    this.find("at").textContent = shown(this.at);
    scrubber.value = this.at;
    scrubber.setAttribute("aria-valuetext", `step ${this.at} of ${this.last}`);
    scrubber.style.setProperty("--done", this.at / Math.max(this.last, 1));
    this.offerLeap(false);
    const answers = Object.values(this.scores);
    const right = answers.filter(Boolean).length;
    const score = this.isPredicting && answers.length ? `${right} of ${answers.length} right` : "";
    this.find("score").textContent = score;
  }
}

// ---- the keyboard: one listener for the document; the player used last has the keys ----

const players = new Map(); // by the element that it was mounted in
let chosen = null;

/** The player that keys are for: the one used last if it is still shown, else the first shown. */
function listener() {
  for (const [parent, player] of players) {
    if (!player.root.isConnected) players.delete(parent);
  }
  const shown = [...players.values()].filter((player) => player.film && player.root.checkVisibility());
  return shown.includes(chosen) ? chosen : shown[0];
}

const BUSY = [
  "input, textarea, select, dialog, audio, video, [role=combobox], [role=listbox], [role=slider]",
  "[role=radiogroup], [role=tablist], [role=menu], [role=grid], [role=tree], [role=dialog]",
].join();

/** Whether the focus is on something with keys of its own. Our scrubber's are the player's. */
function isTyping(event, player) {
  const path = event.composedPath();
  if (path[0] === player.find("scrubber")) return false;
  return path.some((node) => node instanceof Element && (node.isContentEditable || node.matches(BUSY)));
}

const KEYS = {
  ArrowRight: (player) => (player.stop(), player.forward()),
  ArrowLeft: (player) => player.back(),
  Home: (player) => player.go(0),
  End: (player) => player.go(player.last),
  " ": (player) => player.toggle(),
};

function press(event) {
  const player = listener();
  if (!player || event.defaultPrevented || isTyping(event, player)) return;
  if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
  if (event.key === " " && event.composedPath()[0].matches?.("button, a, summary")) return;
  const option = player.question && player.find("options").children[Number(event.key) - 1];
  const act = option ? () => option.firstChild.click() : KEYS[event.key];
  if (!act) return;
  event.preventDefault();
  // A key that is held runs up to a question and stops there.
  if (event.repeat && (player.question || player.verdict)) return;
  act(player);
}

export default function ({ data, parentElement, setStateValue }) {
  if (!players.has(parentElement)) players.set(parentElement, new Player(parentElement));
  document.removeEventListener("keydown", press);
  document.addEventListener("keydown", press);
  players.get(parentElement).receive(unpack(data), setStateValue);
}
