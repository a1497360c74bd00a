// The room in the teacher's browser: what it says to the server, and what becomes of it where the
// network, another tab or a reload is in between. The server, its socket and the clock are made up.

import assert from "node:assert/strict";
import { test } from "node:test";
import { functionsOf, plain, Shelf } from "./scripts.mjs";

const FILES = ["storage", "player/classroom/answer_code", "player/classroom/votes", "player/classroom/room"]
  .map((name) => `pages/shared/${name}.js`);
const HERE = "/bpe_train train";
const ASK = { key: "a 1", prompt: [["text", "Which?"]], form: "choice", options: [[["token", "a", 1]], [["token", "b", 2]]] };

class FakeSocket {
  static all = [];
  sent = [];

  constructor(url) {
    this.url = String(url);
    FakeSocket.all.push(this);
  }

  send(text) {
    this.sent.push(JSON.parse(text));
  }

  close() {
    this.isClosed = true;
  }

  /** What the server says. */
  says(message) {
    this.onmessage({ data: JSON.stringify(message) });
  }
}

/** A browser with its storages, in which rooms are made; time passes when told. */
class Browser {
  local = new Shelf();
  channels = [];
  now = 1_000_000;
  timers = [];
  answer = { status: 201, body: { code: "K7MNP2", secret: "s".repeat(32), note: "", addresses: [] } };
  requests = [];

  /** A tab, or one that is loaded again: with the session storage of the one before. */
  tab(session = new Shelf(), href = "https://pieces.example/base/bpe_train?step=3") {
    const browser = this;
    class Channel {
      constructor() {
        browser.channels.push(this);
      }

      postMessage(data) {
        for (const one of browser.channels) if (one !== this) one.onmessage({ data });
      }
    }
    const world = {
      window: { localStorage: this.local, sessionStorage: session },
      location: { href }, URL, WebSocket: FakeSocket, BroadcastChannel: Channel, crypto: globalThis.crypto,
      Date: { now: () => this.now },
      setTimeout: (act, wait) => this.timers.push({ act, at: this.now + wait }),
      clearTimeout: (number) => number && (this.timers[number - 1].act = null),
      fetch: async (url, { body }) => {
        this.requests.push([url, JSON.parse(body)]);
        if (this.answer === null) throw new TypeError("offline");
        const { status, body: given } = this.answer;
        return { ok: status < 300, json: async () => given };
      },
    };
    const { Room } = functionsOf(FILES, ["Room"], world);
    return { room: new Room(), session };
  }

  pass(milliseconds) {
    const end = this.now + milliseconds;
    for (;;) {
      const due = this.timers.filter(({ act, at }) => act && at <= end).sort((a, b) => a.at - b.at)[0];
      if (!due) break;
      this.now = due.at;
      const { act } = due;
      due.act = null;
      act();
    }
    this.now = end;
  }
}

const stateOf = (more) => ({ code: "K7MNP2", label: "", question: null, round: 1, phase: "waiting", isShown: false, here: 0, answered: 0, tallies: [], ...more });
const asking = (more) => stateOf({ question: ASK, phase: "open", ...more });

/** The server's first words on the last socket. */
function welcome(state) {
  const socket = FakeSocket.all.at(-1);
  socket.onopen();
  socket.says({ type: "welcome" });
  socket.says({ type: "state", state });
  return socket;
}

async function opened(browser = new Browser()) {
  const { room, session } = browser.tab();
  await room.open(HERE, "BPE · Train");
  return { browser, room, session, socket: welcome(stateOf()) };
}

const last = (socket) => plain(socket.sent.at(-1));

test("a room is opened, its secret is sent first, and the link is that of the phones", async () => {
  const { browser, room, socket } = await opened();
  assert.deepEqual(plain(browser.requests), [["rooms", { title: "BPE · Train" }]]);
  assert.equal(socket.url, "wss://pieces.example/base/rooms/K7MNP2");
  assert.deepEqual(plain(socket.sent[0]), { type: "hello", role: "teacher", secret: "s".repeat(32) });
  assert.equal(room.link, "https://pieces.example/base/room/K7MNP2");
  assert.ok(room.isHere(HERE));
  assert.ok(!room.isHere("/race race"));
});

test("phones get the address of the network in place of this computer's own", async () => {
  const browser = new Browser();
  browser.answer.body.addresses = ["192.168.1.5:8501"];
  const { room } = await opened(browser);
  assert.equal(room.link, "https://192.168.1.5:8501/base/room/K7MNP2");
});

test("a refusal, a broken answer and no network each leave a sentence, and no room", async () => {
  for (const answer of [{ status: 429, body: { error: "Too many." } }, { status: 500, body: {} }, null]) {
    const browser = new Browser();
    browser.answer = answer;
    const { room } = browser.tab();
    await room.open(HERE, "x");
    assert.ok(room.problem.length > 5);
    assert.equal(room.record, null);
    assert.equal(room.isOpening, false);
  }
});

test("a question is asked once, and revealed once, without its answer before", async () => {
  const { room, socket } = await opened();
  room.tell({ label: "step 1", question: ASK });
  room.tell({ label: "step 1", question: ASK });
  assert.deepEqual(last(socket), { type: "ask", question: { ...ASK, label: "step 1" }, label: "step 1" });
  assert.equal(socket.sent.filter(({ type }) => type === "ask").length, 1);
  assert.ok(!room.isVoting);
  socket.says({ type: "state", state: asking() });
  assert.ok(room.isVoting);
  room.tell({ label: "step 1", question: ASK, right: [1] });
  socket.says({ type: "state", state: asking({ here: 2 }) });
  assert.equal(socket.sent.filter(({ type }) => type === "reveal").length, 1);
  assert.deepEqual(last(socket), { type: "reveal", right: [1] });
});

test("a question whose answer is on the screen already is asked without it", async () => {
  const { room, socket } = await opened();
  room.tell({ label: "step 1", question: ASK, right: [1] });
  assert.deepEqual(last(socket), { type: "ask", question: { ...ASK, label: "step 1" }, label: "step 1" });
});

test("while a slider passes many steps, the last one is asked, and few of the others", async () => {
  const { browser, room, socket } = await opened();
  for (let step = 1; step <= 50; step += 1) {
    room.tell({ label: `step ${step}`, question: null });
    browser.pass(10);
  }
  browser.pass(300);
  const labels = socket.sent.filter(({ type }) => type === "ask").map(({ label }) => label);
  assert.equal(labels.at(-1), "step 50");
  assert.ok(labels.length <= 5, String(labels));
});

test("the votes are counted by option, and belong to the question on the screen only", async () => {
  const { room, socket } = await opened();
  room.tell({ label: "", question: ASK });
  socket.says({ type: "state", state: asking({ tallies: [[{ answer: 1, sure: [0, 1, 2] }]] }) });
  assert.deepEqual(plain([...room.rounds[0]]), [[1, [0, 1, 2]]]);
  room.tell({ label: "", question: { ...ASK, key: "a 2" } });
  assert.deepEqual(plain(room.rounds), []);
});

test("a second vote is offered once, and not after the answer", async () => {
  const { room, socket } = await opened();
  room.tell({ label: "", question: ASK });
  assert.ok(!room.canVoteAgain);
  socket.says({ type: "state", state: asking() });
  room.voteAgain();
  assert.deepEqual(last(socket), { type: "again" });
  socket.says({ type: "state", state: asking({ round: 2 }) });
  assert.ok(!room.canVoteAgain);
  socket.says({ type: "state", state: asking({ phase: "revealed" }) });
  assert.ok(!room.canVoteAgain);
});

test("after a lost connection it connects again, a little later each time, and asks what is shown by then", async () => {
  const { browser, room, socket } = await opened();
  room.tell({ label: "step 1", question: null });
  socket.onclose({ code: 1006 });
  assert.match(room.problem, /tried again/);
  const before = FakeSocket.all.length;
  for (const wait of [500, 1000, 2000, 3000, 3000]) {
    const count = FakeSocket.all.length;
    browser.pass(wait - 1);
    assert.equal(FakeSocket.all.length, count, `sooner than ${wait}`);
    browser.pass(1);
    assert.equal(FakeSocket.all.length, count + 1);
    FakeSocket.all.at(-1).onclose({ code: 1006 });
  }
  assert.equal(FakeSocket.all.length, before + 5);
  room.tell({ label: "step 7", question: null });
  browser.pass(3000);
  const again = welcome(stateOf({ label: "step 1" }));
  assert.equal(room.problem, "");
  assert.deepEqual(last(again), { type: "ask", question: null, label: "step 7" });
});

test("what the server knows already is not asked again after a reconnect", async () => {
  const { browser, room, socket } = await opened();
  room.tell({ label: "", question: ASK });
  socket.onclose({ code: 1006 });
  browser.pass(500);
  const again = welcome(asking({ answered: 17 }));
  assert.deepEqual(again.sent.map(({ type }) => type), ["hello"]);
  assert.equal(room.state.answered, 17);
});

test("a connection that is silent for nine seconds is given up", async () => {
  const { browser, socket } = await opened();
  browser.pass(8000);
  socket.says({ type: "still" });
  browser.pass(8000);
  const before = FakeSocket.all.length;
  browser.pass(2000);
  assert.equal(FakeSocket.all.length, before + 1);
  assert.ok(socket.isClosed);
});

test("a reload goes on with the room, and another page or tab offers it", async () => {
  const { browser, room, session, socket } = await opened();
  const reloaded = browser.tab(session).room;
  reloaded.resume(HERE);
  assert.equal(FakeSocket.all.at(-1).url, socket.url);
  assert.ok(reloaded.isHere(HERE));
  const count = FakeSocket.all.length;
  const other = browser.tab().room;
  other.resume(HERE);
  reloaded.resume("/race race");
  assert.equal(FakeSocket.all.length, count, "nothing is taken unasked");
  assert.equal(other.record.code, "K7MNP2");
  assert.ok(!other.isHere(HERE));
  other.take("/race race", "Race");
  assert.ok(other.isHere("/race race"));
  for (const one of [room, reloaded]) {
    assert.ok(!one.isHere(HERE));
    assert.equal(one.socket, null);
    assert.equal(one.record.title, "Race", "it knows where the room is now");
  }
});

test("a room that is over is forgotten, with the server's sentence; one that was ended here without", async () => {
  const { browser, room, socket } = await opened();
  socket.says({ type: "error", text: "The room is over." });
  socket.onclose({ code: 4404 });
  assert.equal(room.problem, "The room is over.");
  assert.equal(room.record, null);
  assert.equal(browser.tab().room.record, null);
  await room.open(HERE, "x");
  const again = welcome(stateOf());
  room.end();
  assert.deepEqual(last(again), { type: "end" });
  again.says({ type: "error", text: "The room is over." });
  again.onclose({ code: 4404 });
  assert.equal(room.problem, "");
  assert.equal(room.record, null);
});

test("a room can be ended from where it is only offered", async () => {
  const { browser } = await opened();
  const other = browser.tab().room;
  other.end();
  const socket = FakeSocket.all.at(-1);
  socket.onopen();
  socket.says({ type: "welcome" });
  assert.deepEqual(last(socket), { type: "end" });
  socket.onclose({ code: 4404 });
  assert.equal(other.record, null);
});

test("the wrong secret is not tried again, and too many messages are, later", async () => {
  const { browser, room, socket } = await opened();
  socket.onclose({ code: 4429 });
  browser.pass(500);
  const again = FakeSocket.all.at(-1);
  assert.notEqual(again, socket);
  again.says({ type: "error", text: "Only the browser that opened this room can move it." });
  again.onclose({ code: 4400 });
  const count = FakeSocket.all.length;
  browser.pass(60_000);
  assert.equal(FakeSocket.all.length, count);
  assert.match(room.problem, /Only the browser/);
});

test("a room that was not used for two hours is not offered; rubbish in the storage is none", async () => {
  const { browser } = await opened();
  browser.now += 2 * 3600_000;
  assert.equal(browser.tab().room.record, null);
  for (const text of ["{", "[]", '{"code":7}', '{"code":"A","secret":"b"}']) {
    browser.local.setItem("room", text);
    assert.equal(browser.tab().room.record, null);
  }
});

test("a browser that stores nothing says so", async () => {
  const browser = new Browser();
  browser.local = new Shelf(0);
  const { room } = await opened(browser);
  assert.equal(room.isKept, false);
  assert.ok(room.isHere(HERE));
});

test("while the server cannot reach its rooms, its sentence stays until the next state", async () => {
  const { room, socket } = await opened();
  socket.says({ type: "pause", text: "It tries again." });
  assert.equal(room.problem, "It tries again.");
  socket.says({ type: "still" });
  assert.equal(room.problem, "It tries again.");
  socket.says({ type: "state", state: stateOf() });
  assert.equal(room.problem, "");
});

// ---- typed answers ----

const { groupAnswers, isRightAnswer } = functionsOf(FILES, ["groupAnswers", "isRightAnswer"], {});
const typed = (form, more) => ({ label: "", question: { ...ASK, form, options: [] }, ...more });
const rows = (...answers) => answers.map((answer) => ({ answer, sure: [1, 0, 0] }));

test("equal numbers and equal pieces are one answer, in both rounds, the latest votes first", () => {
  const { groups } = groupAnswers([rows("0.25", "3"), rows("1/4", "25%", "7", "0,25")], typed("number"), 8);
  const counts = plain(groups).map(({ answer, rounds }) => [answer, rounds.map(([count]) => count)]);
  assert.deepEqual(counts, [["0.25", [1, 3]], ["7", [0, 1]], ["3", [1, 0]]]);
  assert.equal(groupAnswers([rows("b ag s", "b|ag|s")], typed("text"), 8).groups.length, 1);
  assert.equal(groupAnswers([rows([2, 0], [0, 2])], typed("several"), 8).groups.length, 1);
  assert.equal(groupAnswers([rows([2, 0], [0, 2])], typed("order"), 8).groups.length, 2);
});

test("of many answers the most frequent are shown, and the others counted", () => {
  const many = [...rows("b", "b"), ...rows("a", "c", "d"), { answer: null, sure: [4, 1, 0] }];
  const { groups, rest } = groupAnswers([many], typed("text"), 2);
  assert.deepEqual(plain(groups).map(({ answer }) => answer), ["b", "a"]);
  assert.deepEqual(plain(rest), [[6, 1, 0]]);
});

test("a typed answer is right as the lessons grade it", () => {
  const number = typed("number", { right: ["0.19"], tolerance: 0.005 });
  assert.ok(["3/16", "0,19", "19%"].every((answer) => isRightAnswer(answer, number)));
  assert.ok(!isRightAnswer("19", number));
  const share = typed("number", { right: ["34%"], tolerance: 0.5 });
  assert.ok(["34", "34.4%"].every((answer) => isRightAnswer(answer, share)));
  assert.ok(isRightAnswer("un like ly", typed("text", { right: ["un likely", "un like ly"] })));
  assert.ok(isRightAnswer([2, 1, 0], typed("order", { right: [1, 2, 0], before: [[2, 0], [1, 0]] })));
  assert.ok(!isRightAnswer([0, 1], typed("several", { right: [0, 1, 2] })));
  assert.ok(!isRightAnswer("0.19", typed("number")), "before it is revealed, none is");
});
