import assert from "node:assert/strict";
import { test } from "node:test";
import { functionsOf, plain } from "./scripts.mjs";

const { splitMessage } = functionsOf(["pages/shared/dom.js"], ["splitMessage"], { TextDecoder });

test("a message is its header, and each blob as long as it says", () => {
  const header = new TextEncoder().encode(JSON.stringify({ key: "é", sizes: [2, 0, 1] }));
  const message = new Uint8Array([header.length, 0, 0, 0, ...header, 7, 8, 9]);
  const [{ key }, blobs] = splitMessage(message);
  assert.equal(key, "é");
  assert.deepEqual(plain(blobs.map((blob) => [...blob])), [[7, 8], [], [9]]);
});
