// The live room of a class, in the browser that opened it: phones vote on the question that this screen
// shows (pages/room). Tells the server what is shown and keeps its answer, which room_panel.js shows.
// A browser has one room; the tab and page that took it last moves it. No DOM here.

const ROOM_NAME = "room"; // in the browser's storage, and of the channel between its tabs
const ROOM_MS = 2 * 60 * 60 * 1000; // without use, after which the server ends a room
const ASK_MS = 200; // between two questions: a slider passes many steps
const RETRY_MS = [500, 1000, 2000, 3000];
const ROOM_SILENCE_MS = 9000; // after which the connection counts as lost: the server says something every 4 s
const ROOM_OVER = 4404; // close codes
const REFUSED = 4400; // until something else is done
const ROOM_LOST = "The connection to the room is lost. It is being tried again; no vote is lost.";
const NOT_OPENED = "The server opened no room. Try again in a moment.";

/** @returns {value is RoomRecord} */
function isRoomRecord(/** @type {any} */ value) {
  const texts = ["code", "secret", "host", "note", "title", "tab", "place"];
  return isRecord(value) && texts.every((name) => typeof value[name] === "string") && Number.isFinite(value.usedAt);
}

const randomName = () => crypto.getRandomValues(new Uint32Array(2)).join("-");

/** The name of this tab, which survives a reload. */
function tabName() {
  const name = readText("sessionStorage", "tab") ?? randomName();
  storeText("sessionStorage", "tab", name);
  return name;
}

/** Asks the server for a room. @returns {Promise<OpenedRoom>} */
async function requestRoom(/** @type {string} */ title) {
  try {
    const headers = { "content-type": "application/json" };
    const answer = await fetch("rooms", { method: "POST", headers, body: JSON.stringify({ title }) });
    const given = await answer.json();
    return answer.ok || given.error ? given : { error: NOT_OPENED };
  } catch {
    return { error: NOT_OPENED };
  }
}

class Room {
  /** The room that this browser has opened. @type {RoomRecord | null} */
  record = null;
  /** What the server said last. @type {RoomState | null} */
  state = null;
  /** What this screen shows. @type {RoomStep | null} */
  step = null;
  problem = ""; // a sentence
  isOpening = false;
  isConnected = false;
  isKept = true; // stored by the browser, for a reload
  isTaken = false; // by another tab, or by another component of this one
  isEnding = false; // as soon as connected
  asked = ""; // sent, and not confirmed yet
  askedAt = -Infinity;
  failures = 0; // to connect, since the last success
  listeners = /** @type {Set<() => void>} */ (new Set());
  /** @type {WebSocket | null} */
  socket = null;
  asking = 0; // timers
  retrying = 0;
  waiting = 0;

  constructor() {
    this.tab = tabName();
    this.channel = new BroadcastChannel(ROOM_NAME);
    this.channel.onmessage = () => this.yield();
    this.load();
  }

  load() {
    const record = readValue("localStorage", ROOM_NAME, isRoomRecord);
    this.record = record && Date.now() - record.usedAt < ROOM_MS ? record : null;
  }

  changed() {
    for (const listener of [...this.listeners]) listener();
  }

  /** Whether what `place` shows moves the room; the place has a page's path and a component's key. */
  isHere(/** @type {string} */ place) {
    return Boolean(this.record) && !this.isTaken && this.record.tab === this.tab && this.record.place === place;
  }

  /** The phones' address. */
  get link() {
    const url = new URL(`room/${this.record.code}`, location.href);
    if (this.record.host) url.host = this.record.host;
    return url.href;
  }

  // -- one room, moved from one place

  /** Opens a room, which `place` moves. @param {string} place @param {string} title */
  async open(place, title) {
    if (this.isOpening) return;
    [this.isOpening, this.problem] = [true, ""];
    this.changed();
    const { code, secret, addresses = [], note = "", error } = await requestRoom(title);
    this.isOpening = false;
    if (!code) this.problem = error ?? NOT_OPENED;
    else {
      this.record = { code, secret, host: addresses[0] ?? "", note, title, tab: this.tab, place, usedAt: Date.now() };
      this.take(place, title);
    }
    this.changed();
  }

  /** Moves the room from `place` on. @param {string} place @param {string} title */
  take(place, title) {
    this.keep({ ...this.record, place, title, tab: this.tab });
    this.isTaken = false;
    this.channel.postMessage("taken");
    this.connect();
    this.changed();
  }

  /** Goes on with the room if `place` moved it before, as after a reload. */
  resume(/** @type {string} */ place) {
    if (!this.socket) this.load();
    if (this.isHere(place) && !this.socket) this.connect();
  }

  /** Leaves the room to whoever took it. */
  yield() {
    this.isTaken = true;
    this.disconnect();
    this.load();
    this.changed();
  }

  /** @param {RoomRecord} record */
  keep(record) {
    this.record = record;
    this.isKept = storeText("localStorage", ROOM_NAME, JSON.stringify(record));
  }

  forget() {
    this.disconnect();
    [this.record, this.state, this.isEnding] = [null, null, false];
    storeText("localStorage", ROOM_NAME, "null");
  }

  // -- the connection

  connect() {
    this.disconnect();
    const url = new URL(`rooms/${this.record.code}`, location.href);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(url);
    this.socket = socket;
    const { secret } = this.record;
    socket.onopen = () => socket.send(JSON.stringify({ type: "hello", role: "teacher", secret }));
    socket.onmessage = ({ data }) => this.socket === socket && this.receive(JSON.parse(data));
    socket.onclose = ({ code }) => this.socket === socket && this.lose(code);
    this.listen();
  }

  disconnect() {
    const { socket } = this;
    this.socket = null;
    this.isConnected = false;
    this.asked = "";
    for (const timer of [this.asking, this.retrying, this.waiting]) clearTimeout(timer);
    this.asking = 0;
    socket?.close();
  }

  /** Connects again, soon: after every failure a little later. */
  lose(/** @type {number} */ code) {
    const { isEnding } = this;
    this.disconnect();
    if (code === ROOM_OVER) {
      this.forget();
      if (isEnding) this.problem = "";
    } else if (code === REFUSED) {
      this.isTaken = true;
    } else {
      this.problem = ROOM_LOST;
      const wait = RETRY_MS[Math.min(this.failures, RETRY_MS.length - 1)];
      this.failures += 1;
      this.retrying = setTimeout(() => this.record && !this.isTaken && this.connect(), wait);
    }
    this.changed();
  }

  /** Gives the connection up if nothing comes: a laptop that slept does not know that it is lost. */
  listen() {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.lose(0), ROOM_SILENCE_MS);
  }

  /** @param {Record<string, unknown>} message */
  send(message) {
    if (this.isConnected) this.socket.send(JSON.stringify(message));
  }

  /** @param {RoomMessage} message */
  receive(message) {
    this.listen();
    if (message.type === "still") return;
    if (message.type === "welcome") {
      [this.isConnected, this.failures] = [true, 0];
      if (this.isEnding) this.send({ type: "end" });
    }
    if (message.type === "error" || message.type === "pause") this.problem = message.text;
    if (message.type === "state") this.adopt(message.state);
    this.changed();
  }

  adopt(/** @type {RoomState} */ state) {
    this.problem = "";
    this.state = state;
    if (Date.now() - this.record.usedAt > ROOM_MS / 60) this.keep({ ...this.record, usedAt: Date.now() });
    this.sync();
  }

  // -- what is shown

  /** Says what this screen shows; the phones follow. */
  tell(/** @type {RoomStep} */ step) {
    this.step = step;
    this.sync();
  }

  /** Sends what the server does not know yet, and a question at most every `ASK_MS`. */
  sync() {
    const { step, state } = this;
    if (!step || !state || !this.isConnected) return;
    if (!this.isAsked(step)) {
      const wait = this.askedAt + ASK_MS - Date.now();
      if (wait <= 0) this.ask(step);
      else this.asking ||= setTimeout(() => ((this.asking = 0), this.sync()), wait);
    } else if (step.right && state.question && state.phase !== "revealed" && this.asked !== `right ${step.question.key}`) {
      this.asked = `right ${step.question.key}`;
      this.send({ type: "reveal", right: step.right });
    }
  }

  /** Whether the phones have this step's question, or its label where nothing is asked. */
  isAsked(/** @type {RoomStep} */ { question, label }) {
    const { state } = this;
    return question ? state.question?.key === question.key : !state.question && state.label === label;
  }

  ask(/** @type {RoomStep} */ { question, label }) {
    const name = question ? `ask ${question.key}` : `label ${label}`;
    if (this.asked === name) return;
    [this.asked, this.askedAt] = [name, Date.now()];
    this.send({ type: "ask", question: question && { ...question, label }, label });
  }

  // -- the vote

  /** Whether the phones vote on what this screen asks, or have. */
  get isVoting() {
    return Boolean(this.step?.question && this.state && this.isAsked(this.step));
  }

  /** Whether a second vote can begin: the first is over when its answer is on the screen. */
  get canVoteAgain() {
    return this.isVoting && this.state.round === 1 && this.state.phase === "open" && !this.step.right;
  }

  show(/** @type {boolean} */ isShown) {
    if (this.isVoting) this.send({ type: "show", isShown });
  }

  voteAgain() {
    if (!this.canVoteAgain) return;
    this.asked = "";
    this.send({ type: "again" });
  }

  /** Ends the room for all; connects first if this tab does not move it. */
  end() {
    this.isEnding = true;
    if (this.isConnected) this.send({ type: "end" });
    else this.connect();
    this.changed();
  }

  /** The votes for each option, by round. @returns {Choices[]} */
  get rounds() {
    if (!this.isVoting) return [];
    return (this.state.tallies ?? []).map((tally) =>
      new Map(tally.map(({ answer, sure }) => [Number(answer), sure])),
    );
  }

  /** The most frequent answers to a question without options to count, at most `most`. @param {number} most */
  groups(most) {
    return groupAnswers(this.isVoting ? this.state.tallies ?? [] : [], this.step, most);
  }
}

// ---- answers that are typed, or made of several options ----

/** A typed number, as lessons/questions/grading.py reads it: "1,200", "0,25", "3/16", "18%". */
function numberIn(/** @type {string} */ text, isPercentage = false) {
  const bare = text.replaceAll(/\s/g, "").replace("−", "-");
  const plain = bare.replace(/%$/, "").replaceAll(",", /^[+-]?\d{1,3}(,\d{3})+(\.\d+)?%?$/.test(bare) ? "" : ".");
  const [above, below = "1"] = plain.split("/");
  const value = above && below ? Number(above) / Number(below) : Number.NaN;
  return bare.endsWith("%") && !isPercentage ? value / 100 : value;
}

/** What equal answers have in common: the number's value, the pieces, the options. @param {RoomAnswer} answer @param {string} form */
function answerKey(answer, form) {
  if (Array.isArray(answer)) return (form === "several" ? [...answer].sort((a, b) => a - b) : answer).join(" ");
  const text = String(answer);
  const number = form === "number" ? numberIn(text) : Number.NaN;
  return Number.isFinite(number) ? String(number) : text.split(/[\s|]+/).filter(Boolean).join(" ");
}

/** Whether an answer is right, once the step says what is. @param {RoomAnswer} answer @param {RoomStep} step */
function isRightAnswer(answer, { question: { form }, right, tolerance = 0, before = [] }) {
  if (!right) return false;
  if (form === "order" && Array.isArray(answer)) {
    return before.every(([first, second]) => answer.indexOf(first) < answer.indexOf(second));
  }
  if (form === "several") return answerKey(answer, form) === answerKey(/** @type {number[]} */ (right), form);
  if (form === "text") return right.some((one) => answerKey(one, form) === answerKey(answer, form));
  return right.some((one) => {
    const isPercentage = String(one).endsWith("%");
    const off = numberIn(String(one), isPercentage) - numberIn(String(answer), isPercentage);
    return Math.abs(off) <= tolerance + 1e-9;
  });
}

/** @param {Votes} one @param {Votes} other @returns {Votes} */
const sumOfVotes = (one, other) => one.map((count, sureness) => count + other[sureness]);

/**
 * Groups equal answers over all rounds, the most frequent of the last round first.
 * @param {RoomTally[]} tallies by round @param {RoomStep} step @param {number} most groups
 * @returns {{ groups: RoomGroup[], rest: Votes[] }} `rest` has the votes for other answers, by round
 */
function groupAnswers(tallies, step, most) {
  /** @type {Map<string, RoomGroup>} */
  const groups = new Map();
  const rest = tallies.map(() => NOBODY);
  for (const [round, tally] of tallies.entries()) {
    for (const { answer, sure } of tally) {
      if (answer === null) { // those beyond the rows that the server tells apart
        rest[round] = sumOfVotes(rest[round], sure);
        continue;
      }
      const key = answerKey(answer, step.question.form);
      const group = groups.get(key) ?? { answer, rounds: tallies.map(() => NOBODY), isRight: isRightAnswer(answer, step) };
      groups.set(key, group);
      group.rounds[round] = sumOfVotes(group.rounds[round], sure);
    }
  }
  const count = (/** @type {RoomGroup} */ { rounds }, back = 1) => everybody(rounds.at(-back) ?? NOBODY);
  const sorted = [...groups.values()].sort((one, other) => count(other) - count(one) || count(other, 2) - count(one, 2));
  for (const { rounds } of sorted.slice(most)) {
    for (const [round, votes] of rounds.entries()) rest[round] = sumOfVotes(rest[round], votes);
  }
  return { groups: sorted.slice(0, most), rest };
}
