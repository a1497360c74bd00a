// A phone in a room: the question that the teacher asks now, with large buttons, and one vote per round.
//
// The server sends the whole state at every change, so a phone that slept, lost its network or was reloaded
// only has to connect again. Its vote is kept here until the server shows that it has it, and is sent again
// as often as necessary: the server counts it once.

const BACKOFF_MS = [500, 1000, 2000, 3000]; // before the next try to connect
const SILENCE_MS = 9000; // the server says something every few seconds: after this, the connection is dead
const FRESH_MS = 5000; // a phone that wakes up connects anew, unless it heard of the server just now
const CLOSED = { noRoom: 4404, failed: 4400 };
const LOST = "No connection. Trying again…";
const OFFLINE = "This phone is offline. It goes on by itself once it is back.";
const KEPT = "Your answer is kept on this phone, and is sent as soon as the connection is back.";

/** @returns {value is KeptRoom} */
function isKeptRoom(/** @type {any} */ value) {
  const { phone, vote } = isRecord(value) ? /** @type {any} */ (value) : { phone: 0, vote: 0 };
  const isVote = isRecord(vote) && Number.isInteger(vote.asked) && Number.isInteger(vote.round);
  return (phone === null || typeof phone === "string") && (vote === null || isVote);
}

/** The code in an address such as /room/ABC2D3; empty if there is none. */
function codeIn(/** @type {string} */ path) {
  const last = path.split("/").at(-1) ?? "";
  return last.toUpperCase().replace(/[^0-9A-Z]/g, "");
}

/** This phone's vote in the round that is on, as the server has it. @param {PhoneState} state @returns {PhoneVote | null} */
function voteInRound(state) {
  return state.mine[state.round - 1] ?? null;
}

/** Whether a vote was given in the round that is on. @param {SentVote | null} vote @param {PhoneState} state */
function isOfRound(vote, state) {
  return Boolean(vote) && vote.asked === state.asked && vote.round === state.round;
}

/** Whether the server lacks a vote that it still takes. @param {SentVote | null} vote @param {PhoneState} state */
function isDue(vote, state) {
  return state.phase === "open" && isOfRound(vote, state) && !voteInRound(state);
}

/** Whether a chosen answer is right; null where it is not for the phone to say. @param {PhoneState} state */
function isRight(state) {
  const vote = state.mine.findLast(Boolean);
  if (!vote || !state.right?.length) return null;
  if (state.question.form === "choice") return state.right.includes(/** @type {number} */ (vote.answer));
  const isTyped = typeof vote.answer === "string";
  const isSame = isTyped
    ? state.right.some((one) => isSameText(`${one}`, /** @type {string} */ (vote.answer)))
    : JSON.stringify(vote.answer) === JSON.stringify(state.right);
  // An order may be right in other ways than the one that is told, and a number as another rounding of it.
  return state.question.form === "several" ? isSame : isSame || null;
}

/** Whether two typed answers are the same number, or have the same pieces. @param {string} one @param {string} other */
function isSameText(one, other) {
  const pieces = (/** @type {string} */ text) => text.split(/[\s|]+/).filter(Boolean).join(" ");
  return pieces(one) === pieces(other) || Number(one) === Number(other);
}

/** Where the class is, without the title, which is above it. @param {PhoneState} state */
function stepOf({ label, title }) {
  return label.startsWith(`${title}: `) ? label.slice(title.length + 2) : label;
}

/** What is missing in an answer; empty if nothing is. @param {PhoneQuestion} question @param {Given} answer */
function missingIn(question, answer) {
  const isEmpty = answer === null || (typeof answer !== "number" && !answer.length);
  if (!isEmpty) return "";
  return question.form === "number" || question.form === "text" ? "Nothing is written yet." : "Choose an answer first.";
}

/** An answer as nodes. @param {PhoneQuestion} question @param {Given} answer @returns {(Node | string)[]} */
function answerNodes(question, answer) {
  if (answer === null) return ["other answers"];
  if (typeof answer === "string") return [make("bdi", "word", answer)];
  const chosen = Array.isArray(answer) ? answer : [answer];
  return chosen.flatMap((option, n) => [n ? ", " : "", make("span", "", ...nodes(question.options[option] ?? []))]);
}

/** Rows of the votes of a round, for questions whose answers are not options. */
function rowsNode(/** @type {PhoneState} */ state, /** @type {PhoneRow[]} */ rows) {
  const all = rows.map((row) => row.sure);
  const items = rows.map(({ answer, sure }) =>
    make("li", "", make("span", "voted", ...answerNodes(state.question, answer)), votesNode(sure, all, false)));
  return make("ul", "votes", ...items);
}

const ROUND_NAMES = ["First vote", "Second vote"];

/** The votes of the rounds of a question, for questions whose answers are not options. @param {PhoneState} state */
function talliesNode(state) {
  const box = make("section", "tallies");
  state.tallies.forEach((rows, n) => {
    if (state.tallies.length > 1) box.append(make("h2", "", ROUND_NAMES[n]));
    box.append(rows.length ? rowsNode(state, rows) : make("p", "", "Nobody has answered yet."));
  });
  return box;
}

/** Puts the votes for each option below it, both rounds beside each other. @param {Element} form @param {PhoneState} state */
function drawOptionVotes(form, state) {
  form.querySelectorAll(".options label").forEach((label, option) => {
    label.querySelector(".option-votes")?.remove();
    const box = make("span", "option-votes");
    state.tallies?.forEach((rows, n) => {
      const all = rows.map((row) => row.sure);
      const sure = rows.find((row) => row.answer === option)?.sure ?? NOBODY;
      if (state.tallies.length > 1) box.append(make("span", "", ROUND_NAMES[n]));
      box.append(votesNode(sure, all.length ? all : [[0, 0, 1]], false));
    });
    if (state.tallies) label.append(box);
  });
}

class Phone {
  tries = 0;
  /** @type {PhoneState | null} */
  state = null;
  /** @type {WebSocket | null} */
  socket = null;
  /** Over which the vote was sent last. @type {WebSocket | null} */
  sentOver = null;
  drawn = "";
  /** A vote that the server did not take, for the form. @type {SentVote | null} */
  refused = null;
  isOver = false;

  constructor(/** @type {string} */ code) {
    this.code = code;
    this.kept = readValue("localStorage", this.storageKey, isKeptRoom) ?? { phone: null, vote: null };
    const wake = () => {
      const isAlive = this.socket && Date.now() - this.heard < FRESH_MS;
      if (document.visibilityState === "visible" && !isAlive) this.connect();
    };
    document.addEventListener("visibilitychange", wake);
    addEventListener("pageshow", wake);
    addEventListener("online", wake);
    addEventListener("offline", () => this.socket && this.lose(this.socket));
    setInterval(() => {
      if (this.socket && Date.now() - this.heard > SILENCE_MS) this.lose(this.socket);
    }, 1000);
  }

  get storageKey() {
    return `room ${this.code}`;
  }

  keep() {
    storeText("localStorage", this.storageKey, JSON.stringify(this.kept));
  }

  // ---- the connection ----

  /** Connects anew; a connection of before may be dead without knowing it. */
  connect() {
    if (this.isOver) return;
    clearTimeout(this.timer);
    const before = this.socket;
    this.socket = null;
    before?.close();
    const url = new URL(`../rooms/${this.code}`, location.href);
    url.protocol = url.protocol.replace("http", "ws");
    const socket = new WebSocket(url);
    this.socket = socket;
    this.heard = Date.now();
    socket.onopen = () => socket.send(JSON.stringify({ type: "hello", role: "phone", phone: this.kept.phone }));
    socket.onmessage = ({ data }) => socket === this.socket && this.receive(JSON.parse(data));
    socket.onclose = ({ code }) => this.lose(socket, code);
  }

  /** Goes on after a connection is lost: it is tried again, unless that cannot help. */
  lose(/** @type {WebSocket} */ socket, code = 0) {
    if (socket !== this.socket) return;
    this.socket = null;
    socket.close();
    if (code === CLOSED.noRoom || code === CLOSED.failed) {
      this.isOver = true;
      this.end();
      return;
    }
    show("line", navigator.onLine ? this.refusal || LOST : OFFLINE);
    const wait = BACKOFF_MS[Math.min(this.tries, BACKOFF_MS.length - 1)];
    this.tries += 1;
    this.timer = setTimeout(() => this.connect(), wait * (0.8 + 0.4 * Math.random()));
    this.draw();
  }

  receive(/** @type {any} */ message) {
    this.heard = Date.now();
    if (message.type === "welcome") {
      this.kept.phone = message.phone;
      this.keep();
    } else if (message.type === "state") {
      this.tries = 0;
      this.refusal = "";
      show("line", "");
      this.update(message.state);
    } else if (message.type === "pause") {
      this.sentOver = null;
      show("line", message.text);
    } else if (message.type === "error") {
      this.refuse(message.text);
    }
  }

  /** Says why something does not count; the vote that was on its way is given back to the form. */
  refuse(/** @type {string} */ text) {
    if (!this.state) { // not in the room yet
      this.refusal = text;
      return;
    }
    if (isDue(this.kept.vote, this.state)) {
      this.refused = this.kept.vote;
      this.kept.vote = null;
      this.keep();
      this.draw();
    }
    show("notice", text);
  }

  // ---- the vote ----

  update(/** @type {PhoneState} */ state) {
    const { vote } = this.kept;
    const wasDue = this.state && isDue(vote, this.state);
    this.state = state;
    if (wasDue && !isOfRound(vote, state)) show("notice", "The vote was closed before your answer arrived.");
    this.draw();
    this.send();
  }

  /** Votes; what the form lacks gets a sentence. */
  vote(/** @type {HTMLFormElement} */ form) {
    const { asked, round, question } = this.state;
    const answer = value(form, question.form);
    const missing = missingIn(question, answer);
    show("notice", missing);
    if (missing) return;
    this.kept.vote = { asked, round, answer, sureness: surenessOf(form) };
    this.keep();
    this.sentOver = null;
    this.draw();
    this.send();
  }

  /** Sends the vote if the server lacks it, once over each connection. */
  send() {
    const { vote } = this.kept;
    const { socket } = this;
    if (!this.state || !isDue(vote, this.state) || socket?.readyState !== WebSocket.OPEN || this.sentOver === socket) return;
    this.sentOver = socket;
    socket.send(JSON.stringify({ type: "vote", ...vote }));
  }

  // ---- the picture ----

  draw() {
    const { state } = this;
    if (!state) return;
    show("title", state.title || "Piece by Piece");
    show("room-code", state.code);
    show("step", stepOf(state));
    const due = isDue(this.kept.vote, state);
    const { label, title, ...rest } = state;
    const drawn = JSON.stringify([rest, due && this.kept.vote, due && !this.socket]);
    if (drawn === this.drawn) return;
    const isNew = this.drawn && (state.asked !== this.drawnState?.asked || state.round !== this.drawnState?.round);
    if (isNew) show("notice", "");
    this.drawn = drawn;
    this.drawForm(state, due);
    if (isNew) find("stage").focus({ preventScroll: false });
    this.drawnState = state;
  }

  /** Draws the stage; a form that is being filled in stays as it is. @param {PhoneState} state @param {boolean} due */
  drawForm(state, due) {
    const stage = find("stage");
    if (!state.question) {
      stage.replaceChildren(make("p", "waiting", "Wait for the next question."));
      return;
    }
    const mine = due ? this.kept.vote : voteInRound(state);
    const draft = isOfRound(this.refused, state) ? this.refused : null;
    const formKey = JSON.stringify([state.asked, state.round, state.phase, mine, draft]);
    const before = stage.querySelector("form");
    const form = before?.dataset.key === formKey ? before : this.formNode(state, mine, draft);
    form.dataset.key = formKey;
    /** @type {HTMLElement[]} */
    const parts = [...this.replyNodes(state, mine, due)];
    if (state.question.form === "choice") drawOptionVotes(form, state);
    else if (state.tallies) parts.push(talliesNode(state));
    if (form === before) {
      while (form.nextSibling) form.nextSibling.remove();
      form.after(...parts);
    } else stage.replaceChildren(form, ...parts);
  }

  /** @param {PhoneState} state @param {PhoneVote | null} mine @param {PhoneVote | null} draft */
  formNode(state, mine, draft) {
    const isOpen = state.phase === "open" && !mine;
    const given = mine ? mine.answer : state.mine.findLast(Boolean)?.answer ?? null;
    const data = /** @type {DrawnQuestion} */ (/** @type {unknown} */ ({
      ...state.question, given: isOpen ? draft?.answer ?? null : given, tries: 0, state: isOpen ? "open" : "shown", asksSureness: isOpen,
    }));
    const form = make("form", "question", fieldOf(data));
    if (draft?.sureness) press(form, draft.sureness);
    if (state.round > 1 && isOpen) form.prepend(make("p", "round", "Second vote: talk to your neighbor, then answer again."));
    if (!isOpen) this.markOptions(form, state);
    form.onsubmit = (event) => {
      event.preventDefault();
      this.vote(form);
    };
    form.onclick = ({ target }) => {
      const button = /** @type {HTMLElement | null} */ (/** @type {Element} */ (target).closest("button[data-step]"));
      if (button) shift(button, find("line"));
    };
    return form;
  }

  /** Marks the right options, in words too. @param {HTMLFormElement} form @param {PhoneState} state */
  markOptions(form, state) {
    if (!state.right || state.question.form === "order") return;
    form.querySelectorAll(".options label").forEach((label, n) => {
      if (!state.right.includes(n)) return;
      label.classList.add("correct");
      label.append(make("b", "mark", "✓ right"));
    });
  }

  /** @param {PhoneState} state @param {PhoneVote | null} mine @param {boolean} due */
  replyNodes(state, mine, due) {
    const reply = make("p", "reply");
    const first = state.round > 1 && state.mine[0];
    if (state.phase === "revealed") {
      const hit = isRight(state);
      const verdict = hit === null ? "" : hit ? "✓ You were right. " : "Your answer was another one. ";
      const answer = state.right.length ? ["The answer: ", ...answersNodes(state)] : ["The vote is closed."];
      reply.append(make("b", "", verdict), ...answer);
    } else if (mine) {
      const sure = ["", " You were not sure.", " You were sure."][mine.sureness];
      const words = due && !this.socket ? KEPT : due ? "Sending your answer…" : `Your answer is in.${sure}`;
      reply.append(make("b", "", words));
    }
    const nodesOfReply = reply.childNodes.length ? [reply] : [];
    if (first) nodesOfReply.push(make("p", "first", "Your first answer: ", ...answerNodes(state.question, first.answer)));
    return nodesOfReply;
  }

  /** The room is over, or there is none. */
  end() {
    const text = this.state ? "The room is over. Thank you for taking part." : this.refusal;
    for (const name of ["line", "step", "room-code"]) show(name, "");
    find("stage").replaceChildren(make("p", "waiting", text));
    show("notice", "");
    askForCode();
  }
}

/** Presses the button of a sureness. @param {HTMLFormElement} form @param {number} sureness */
function press(form, sureness) {
  /** @type {HTMLButtonElement | null} */ (form.querySelector(`.sureness button[value="${sureness}"]`))?.click();
}

/** The right answers as nodes. @param {PhoneState} state @returns {(Node | string)[]} */
function answersNodes(state) {
  const { right, question } = state;
  if (question.form === "number" || question.form === "text") {
    return right.flatMap((text, n) => [n ? " or " : "", make("bdi", "word", `${text}`)]);
  }
  return answerNodes(question, /** @type {number[]} */ (right));
}

/** @param {string} name @returns {HTMLElement} */
function find(name) {
  return /** @type {HTMLElement} */ (document.querySelector(`.${name}`));
}

/** Shows a text in an element, which is hidden without one. @param {string} name @param {string} text */
function show(name, text) {
  const element = find(name);
  if (element.textContent !== text) element.textContent = text;
  if (name === "step") element.hidden = !text;
}

/** Shows the box for a code, which leads to its room. */
function askForCode() {
  const form = /** @type {HTMLFormElement} */ (find("enter"));
  const input = /** @type {HTMLInputElement} */ (form.querySelector("input"));
  form.hidden = false;
  form.onsubmit = (event) => {
    event.preventDefault();
    const code = codeIn(input.value);
    if (code) location.assign(new URL(code, location.href));
  };
  input.focus();
}

const code = codeIn(location.pathname);
if (code) new Phone(code).connect();
else askForCode();
