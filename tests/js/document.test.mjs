// The host of the pictures of an exported file (document.js): the hash has the state of all, and a picture
// is shown what the hash says.

import assert from "node:assert/strict";
import { test } from "node:test";
import { namesOfModule, plain } from "./scripts.mjs";

const part = (param) => ({ name: "at", param, initial: 0, values: [0, 1, 2], words: ["none", "one", "two"] });
const CONFIGS = [
  { component: "player", stateName: "step", parts: [{ name: "step", param: "step", initial: 3, values: [], words: [] }] },
  { component: "slider", stateName: "size", parts: [part("at")] },
  { component: "slider", stateName: "size", parts: [part("at2")] },
];

/** A file with a player and two sliders; `shown` has what each was shown last, in their order. */
async function opened(hash = "") {
  const shown = [];
  const mount = (given) => {
    shown[given.parentElement] = given;
  };
  const element = (selector) => ({
    textContent: JSON.stringify(CONFIGS),
    shadowRoot: Number(selector.split("-").at(-1)),
  });
  const nothing = () => {};
  const world = {
    URL, URLSearchParams,
    Blob: class { stream = () => ({ pipeThrough: nothing }); },
    Response: class { arrayBuffer = async () => new ArrayBuffer(0); },
    DecompressionStream: class {},
    bytesOf: () => new Uint8Array(),
    withHeader: (_, change) => change({}),
    mounts: { player: mount, slider: mount },
    document: { querySelector: element, querySelectorAll: () => [] },
    location: { href: `https://a.example/file.html${hash}`, hash },
    window: { addEventListener: (_, listener) => (world.navigate = (to) => listener({ newURL: `https://a.example/${to}` })) },
    history: { state: null, replaceState: (_, __, url) => (world.location.href = String(url)) },
    ignoreHistoryErrors: nothing, mountTerms: nothing, mountOverlays: nothing, initThemeButton: nothing, reportHeight: nothing,
  };
  await namesOfModule("pages/shared/export/document/document.js", ["pictures"], world);
  return { world, shown };
}

const hashOf = (world) => new URL(world.location.href).hash;

test("a report of one picture leaves those of the others in the hash", async () => {
  const { world, shown } = await opened("#step=5&at2=two");
  assert.deepEqual(plain(shown.map(({ data }) => data.step ?? data.state)), [[1, 5], [1, 0], [1, 2]]);
  shown[1].setStateValue("size", [1, 1, 1]);
  assert.equal(hashOf(world), "#step=5&at=one&at2=two");
  shown[2].setStateValue("size", [0, 1, 1]);
  assert.equal(hashOf(world), "#step=5&at=one&at2=none");
  shown[0].setStateValue("step", [7, 1, 1]);
  assert.equal(hashOf(world), "#step=7&at=one&at2=none");
});

test("after another hash, a report from before it changes nothing", async () => {
  const { world, shown } = await opened("#at=one");
  const before = shown[1].setStateValue;
  world.navigate("#at=two");
  assert.deepEqual(plain(shown[1].data.state), [2, 2]);
  before("size", [0, 1, 1]);
  assert.equal(hashOf(world), "#at=one", "the browser's own address stays as it is");
  before("size", [0, 2, 2]);
  assert.equal(hashOf(world), "#step=3&at=none&at2=none");
});
