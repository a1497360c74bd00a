// Which windows of a recording are fetched, and when: pages/shared/player/recording.js.

import assert from "node:assert/strict";
import { test } from "node:test";
import { functionsOf } from "./scripts.mjs";

const settled = () => new Promise((done) => setTimeout(done, 0));

/** A recording of five windows of ten frames; `answer` gets the index of each fetched window. */
function recordingOf(answer) {
  const asked = [];
  const requested = [];
  const afterwards = []; // what waits for a time to pass
  const given = {
    fetchBytes: (url) => {
      asked.push(Number(url.split("/").at(-1)));
      assert.equal(url, `frames/abc/${asked.at(-1)}`);
      return answer(asked.at(-1));
    },
    setTimeout: (act) => afterwards.push(act),
    inflate: async ({ index }) => ({
      first: 3 + 1000 * index,
      tokens: [[`t${index}`, 0]],
      reasons: [[`why ${index}`]],
      frames: Array.from({ length: 10 }, (_, k) => ({ sentence: [`${10 * index + k}`] })),
    }),
  };
  const { Recording } = functionsOf(["pages/shared/player/recording.js"], ["Recording"], given);
  const head = { window: 10, last: 49, tokens: ["a", "b", "c"] };
  const recording = new Recording("abc", head, () => {}, (index) => requested.push(index));
  return { recording, asked, requested, afterwards };
}

test("the window of a step is fetched, then the next one, then the one before, each once", async () => {
  const { recording, asked } = recordingOf(async (index) => ({ index }));
  recording.prepare(25);
  await settled();
  assert.deepEqual(asked, [2, 3, 1]);
  assert.equal(recording.at(25).sentence[0], "25");
  recording.prepare(30);
  await settled();
  assert.deepEqual(asked, [2, 3, 1, 4]);
});

test("a window adds its tokens to those of the head, and has its own reasons", async () => {
  const { recording } = recordingOf(async (index) => ({ index }));
  assert.equal(recording.reason(25, 0).length, 0);
  recording.prepare(25);
  await settled();
  const { tokens } = recording.head;
  assert.deepEqual([tokens[0], tokens[1003], tokens[2003], tokens[3003]], ["a", ["t1", 0], ["t2", 0], ["t3", 0]]);
  assert.deepEqual([recording.reason(25, 0), recording.reason(31, 0)], [["why 2"], ["why 3"]]);
  assert.equal(recording.reason(25, undefined).length + recording.reason(45, 0).length, 0);
});

test("a step on the way to another is not waited for: one window at a time, then the newest step's", async () => {
  const answers = [];
  const { recording, asked } = recordingOf((index) => new Promise((done) => answers.push(() => done({ index }))));
  for (const position of [5, 15, 25, 45]) recording.prepare(position);
  assert.deepEqual(asked, [0]);
  answers[0]();
  await settled();
  assert.deepEqual(asked, [0, 4]);
});

test("a window that the server does not know is requested from Python, once", async () => {
  const { recording, asked, requested } = recordingOf(async () => null);
  recording.prepare(25);
  await settled();
  recording.prepare(26);
  await settled();
  assert.deepEqual([asked, requested], [[2, 2], [2]]);
  recording.receive([[2, { index: 2 }]]); // by a message
  recording.prepare(26);
  await settled();
  assert.deepEqual(requested, [2, 3]);
});

test("the window of a step is fetched again till it is there, also if Python's answer is lost", async () => {
  let isOnline = false;
  const { recording, asked, requested, afterwards } = recordingOf(async (index) => (isOnline ? { index } : null));
  recording.prepare(25);
  await settled();
  recording.prepare(28);
  await settled();
  assert.deepEqual([asked, requested], [[2, 2], [2]]);
  isOnline = true;
  for (const act of afterwards.splice(0)) act();
  await settled();
  assert.equal(recording.at(28).sentence[0], "28");
  for (const act of afterwards.splice(0)) act();
  await settled();
  assert.deepEqual(asked, [2, 2, 2, 3, 1]); // each of the others once
});
