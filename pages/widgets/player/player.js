// The player: shows a recorded film one position at a time, and reports where it rests.
// It never runs an algorithm: all that it shows was written in Python (pages/figures/film.py).
// In this file: the film, the player, the keyboard. What is drawn: parts.js and lattice.js.

const REST = 150; // milliseconds without a move after which a position counts as rested
const PACE = 1200; // milliseconds between two steps when playing at 1×
const TICKS = 80; // more ticks than this under the scrubber could not be told apart

const PARTS = { table: tablePart, strips: stripsPart, note: notePart, lattice: latticePart };

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

/** Puts a value in the address, where Python would make a new entry in the history of it. */
function noteInAddress(parameter, value) {
  const url = new URL(location);
  if (value) url.searchParams.set(parameter, value);
  else url.searchParams.delete(parameter);
  history.replaceState(history.state, "", url);
}

const left = new Map(); // how each player of this tab stood when its page was left, by key

class Player {
  constructor(shadow) {
    this.root = shadow.querySelector(".player");
    this.at = this.position = 0; // `at` is where the learner stands
    this.rule = 0; // by which of a film's two rules its steps are shown, if it has two
    this.own = []; // the learner's own path through a lattice: numbers of arcs
    this.sent = {}; // of step, rule and own: the number of the last wish that came from Python
    this.reported = {}; // and what Python knows of them
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
    this.parameters = message.parameters;
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

  /** A rerun with the same film: take the windows, change only what Python asks for anew. */
  obey(message) {
    this.film.receive(message.windows);
    const isNew = (name) => message[name][0] !== this.sent[name];
    if (isNew("own")) this.setOwn(this.take("own", message));
    if (isNew("rule")) this.setRule(this.take("rule", message));
    if (isNew("step")) this.go(this.take("step", message));
    else this.film.prepare(this.position);
  }

  /** What Python asks for: it knows of that already, so that it is not reported. */
  take(name, message) {
    const [sent, goal] = message[name];
    this.sent[name] = sent;
    this.reported[name] = String(goal);
    return goal;
  }

  /** Says to Python, and in the address, what the learner has changed. */
  report(name, value, ...film) {
    if (String(value) === this.reported[name]) return;
    this.reported[name] = String(value);
    if (this.parameters[name]) noteInAddress(this.parameters[name], value);
    const said = [value, this.sent[name]];
    this.setState(name, film.length ? [...film, ...said.reverse()] : said);
  }

  begin(message) {
    const { head } = this.film;
    this.last = head.last;
    this.parts = head.parts.map((part) => PARTS[part.kind](this.film, part, this));
    this.layOut();
    this.drawRules();
    this.find("last").textContent = shown(head.last);
    this.find("position").style.minWidth = `${8 + 2 * shown(head.last).length}ch`;
    this.find("scrubber").max = head.last;
    this.find("predict").hidden = !head.asks;
    if (!head.asks) this.isPredicting = false;
    this.drawTicks();
    this.find("mark").replaceChildren(
      ...head.marks.map(([name, positions]) => make("option", "", `${name} (${positions.length})`)),
      ...(head.makes.some((token) => token >= 0) ? [make("option", "", "a token appears")] : []),
    );
    this.find("jump").hidden = !this.find("mark").length;
    this.scores = JSON.parse(sessionStorage.getItem(`predictions ${this.film.key}`) ?? "{}");
    const before = left.get(this.key);
    const start = (name) => {
      const goal = this.take(name, message);
      const resumes = before?.film === message.film && before.sent[name] === message[name][0];
      return resumes ? before[name] : goal;
    };
    [this.rule, this.own] = [start("rule"), []];
    this.setOwn(start("own"));
    this.go(start("step"));
    this.root.hidden = false;
  }

  layOut() {
    const sides = ["across", "left", "right"].map((side) => [side, this.find(side)]);
    for (const [name, side] of sides) {
      side.style.minHeight = "";
      side.querySelectorAll(".part").forEach((part) => part.remove());
      const nodes = this.parts.filter((part) => part.side === name).map(({ node }) => node);
      side.firstElementChild.append(...nodes);
    }
    this.find("saying").style.minHeight = "";
    const say = this.find("say");
    const across = say.clientWidth / parseFloat(getComputedStyle(say).fontSize);
    const lines = Math.ceil((this.film.head.longest * 0.48) / across); // a letter is about 0.48 em
    say.style.minHeight = `${1.45 * Math.min(lines, 3)}em`;
    const kinds = new Set(this.parts.map(({ side }) => side));
    kinds.delete("across");
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
    this.film.prepare(this.position);
    this.changed();
  }

  /** What is shown has changed: it is painted soon, and reported when it rests. */
  changed() {
    const { at: step, rule, own } = this;
    left.set(this.key, { film: this.film.key, sent: { ...this.sent }, step, rule, own });
    this.soon();
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.rest(), REST);
  }

  rest() {
    this.find("heard").textContent = this.spoken();
    this.report("rule", this.rule);
    this.report("own", this.own, this.film.key);
    this.report("step", this.at);
  }

  // -- the rule, and the learner's own path

  /** The rule that is shown: a film of one rule leaves what is chosen for the next film. */
  get ruleShown() {
    return this.film.head.rules.length ? this.rule : 0;
  }

  /** The frame at a position, by the rule that is shown; undefined while it is on the way. */
  frame(position) {
    const frame = this.film.at(position);
    return this.ruleShown ? frame?.other : frame;
  }

  drawRules() {
    const { rules } = this.film.head;
    this.find("rules").hidden = !rules.length;
    this.find("rules").replaceChildren(
      ...rules.map((name, rule) => {
        const button = make("button", "", name);
        button.type = "button";
        button.title = `${name} (M changes it)`;
        button.onclick = () => this.setRule(rule);
        return button;
      }),
    );
  }

  setRule(rule) {
    if (!this.film.head.rules.length) return;
    this.rule = rule;
    this.verdict = null;
    if (this.question && !this.frame(this.question)?.ask) this.go(this.at);
    this.changed();
  }

  setOwn(path) {
    this.own = path;
    for (const part of this.parts) part.setOwn?.(path);
    this.changed();
  }

  /** What a screen reader says: the place, how the prediction went, the sentence. */
  spoken() {
    const place = this.question ? `A question about step ${this.question}.` : `Step ${this.at}.`;
    return [place, this.find("verdict").textContent, this.find("say").textContent].join(" ");
  }

  forward() {
    if (this.question) return this.answer(null);
    const next = this.at + 1;
    if (this.isPredicting && this.frame(next)?.ask) {
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
    const isToken = this.find("mark").selectedIndex >= this.film.head.marks.length;
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
    const { ask } = this.frame(this.question);
    const isRight = ask.right.includes(choice);
    const name = this.ruleShown ? `${this.question} by the other rule` : this.question;
    if (choice !== null && !(name in this.scores)) {
      this.scores[name] = isRight;
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
    const frame = this.frame(this.position);
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
    this.root.dataset.rule = this.ruleShown;
  }

  paintBar() {
    const scrubber = this.find("scrubber");
    this.find("at").textContent = shown(this.at);
    scrubber.value = this.at;
    scrubber.setAttribute("aria-valuetext", `step ${this.at} of ${this.last}`);
    scrubber.style.setProperty("--done", this.at / Math.max(this.last, 1));
    this.offerLeap(false);
    [...this.find("rules").children].forEach((button, rule) =>
      button.setAttribute("aria-pressed", rule === this.rule),
    );
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
  m: (player) => player.setRule(1 - player.rule),
  Escape: (player) => player.setOwn([]),
};

function press(event) {
  const player = listener();
  if (!player || event.defaultPrevented || isTyping(event, player)) return;
  if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
  if (event.key === " " && event.composedPath()[0].matches?.("button, a, summary")) return;
  if (event.key === "Escape" && !player.own.length) return;
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
