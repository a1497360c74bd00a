// What a phone in a room concludes from the server's state (room/phone.js), without a page.

import assert from "node:assert/strict";
import { test } from "node:test";
import { functionsOf } from "./scripts.mjs";

// Without a code in its address, the script asks for one: a form that takes whatever it is given.
const form = { querySelector: () => ({ focus() {} }) };
const world = { location: { pathname: "/room/" }, document: { querySelector: () => form }, WebSocket: { OPEN: 1 } };
const NAMES = ["codeIn", "isDue", "isOfRound", "isRight", "missingIn", "isKeptRoom", "Phone", "stepOf"];
const { codeIn, isDue, isOfRound, isRight, missingIn, isKeptRoom, Phone, stepOf } = functionsOf(
  ["pages/shared/storage.js", "pages/room/phone.js"], NAMES, world);

const state = (more) => ({ phase: "open", asked: 3, round: 1, mine: [null], question: { form: "choice" }, ...more });
const vote = { asked: 3, round: 1, answer: 2, sureness: 0 };

test("a code is read from an address and from a box", () => {
  assert.equal(codeIn("/pieces/room/abc2d3"), "ABC2D3");
  assert.equal(codeIn(" abc-2d3 "), "ABC2D3");
  assert.equal(codeIn("/room/"), "");
});

test("a vote is sent until the server shows it, and no longer", () => {
  assert.equal(isDue(vote, state()), true);
  assert.equal(isDue(vote, state({ mine: [{ answer: 2, sureness: 0 }] })), false);
  assert.equal(isDue(vote, state({ phase: "revealed" })), false);
  assert.equal(isDue(vote, state({ asked: 4 })), false);
  assert.equal(isDue(vote, state({ round: 2, mine: [null, null] })), false);
  assert.equal(isDue(null, state()), false);
  assert.equal(isOfRound(vote, state()), true);
});

test("a vote is sent once over each connection", () => {
  const socket = () => ({ readyState: 1, sent: [], send(text) { this.sent.push(JSON.parse(text)); } });
  const [first, second] = [socket(), socket()];
  const phone = Object.assign(Object.create(Phone.prototype), { kept: { vote }, state: state(), socket: first });
  for (const used of [first, first, second, second]) {
    phone.socket = used;
    phone.send();
  }
  assert.deepEqual(first.sent, [{ type: "vote", ...vote }]);
  assert.deepEqual(second.sent, first.sent);
});

test("an answer is judged only where the phone can know", () => {
  const told = (form, answer, right) =>
    isRight(state({ phase: "revealed", question: { form }, mine: [{ answer, sureness: 0 }], right }));
  assert.equal(told("choice", 2, [0, 2]), true);
  assert.equal(told("choice", 1, [0, 2]), false);
  assert.equal(told("several", [0, 1], [0, 1]), true);
  assert.equal(told("several", [0], [0, 1]), false);
  assert.equal(told("order", [1, 0], [0, 1]), null);
  assert.equal(told("number", "3/16", ["0.1875"]), null);
  assert.equal(told("number", "15", ["15"]), true);
  assert.equal(told("number", " 15.0", ["15"]), true);
  assert.equal(told("number", "", ["0.5"]), null);
  assert.equal(told("text", "un|like ly", ["un likely", "un like ly"]), true);
  assert.equal(told("text", "unlike ly", ["un like ly"]), null);
  assert.equal(told("choice", 2, []), null);
  assert.equal(isRight(state({ mine: [null], right: [1] })), null);
});

test("the title is not said again where the class is", () => {
  assert.equal(stepOf({ title: "BPE by hand", label: "BPE by hand: stop 3 of 11" }), "stop 3 of 11");
  assert.equal(stepOf({ title: "BPE", label: "BPE by hand: stop 3 of 11" }), "BPE by hand: stop 3 of 11");
});

test("what is missing in an answer is said", () => {
  assert.equal(missingIn({ form: "choice" }, 0), "");
  assert.match(missingIn({ form: "choice" }, null), /Choose/);
  assert.match(missingIn({ form: "several" }, []), /Choose/);
  assert.match(missingIn({ form: "number" }, ""), /written/);
});

test("what was stored by another version, or by hand, is not taken", () => {
  assert.equal(isKeptRoom({ phone: null, vote: null }), true);
  assert.equal(isKeptRoom({ phone: "ab", vote }), true);
  for (const wrong of [null, 7, [], {}, { phone: 1, vote: null }, { phone: "a", vote: { asked: "x" } }]) {
    assert.equal(isKeptRoom(wrong), false);
  }
});
