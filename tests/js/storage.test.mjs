import assert from "node:assert/strict";
import { test } from "node:test";
import { functionsOf, plain, Shelf } from "./scripts.mjs";

const NAMES = ["readText", "readValue", "storeText", "isRecord", "isStoredAnswers"];
const FILES = ["shared/storage.js", "shared/player/classroom/codes.js", "shared/player/classroom/answer_code.js"];

/** The module in a browser whose two storages are what `storage` returns, or throws. */
function within(storage) {
  const window = {
    get localStorage() {
      return storage();
    },
    get sessionStorage() {
      return storage();
    },
  };
  return functionsOf(FILES.map((file) => `pages/${file}`), NAMES, { window });
}

const REFUSALS = {
  "getters that throw": () => {
    throw new Error("SecurityError");
  },
  "no storage at all": () => null,
  "a full one": () => new Shelf(0),
};

for (const [what, storage] of Object.entries(REFUSALS)) {
  test(`with ${what}, nothing throws, and what is stored lasts as long as the page`, () => {
    const { readText, readValue, storeText, isRecord } = within(storage);
    assert.equal(readText("localStorage", "a"), null);
    assert.equal(storeText("localStorage", "a", '{"b":1}'), false);
    assert.equal(readText("localStorage", "a"), '{"b":1}');
    assert.deepEqual(plain(readValue("localStorage", "a", isRecord)), { b: 1 });
    assert.equal(readText("sessionStorage", "a"), null, "each of the two by itself");
  });
}

test("what was refused once is stored as soon as there is room, and read from there", () => {
  let shelf = new Shelf(0);
  const { readText, storeText } = within(() => shelf);
  assert.equal(storeText("localStorage", "a", "one"), false);
  shelf = new Shelf(10);
  assert.equal(storeText("localStorage", "a", "two"), true);
  shelf.setItem("a", "three");
  assert.equal(readText("localStorage", "a"), "three");
});

test("rubbish is as good as nothing", () => {
  const shelf = new Shelf();
  const { readValue, isRecord, isStoredAnswers } = within(() => shelf);
  const rubbish = ["", "{", "null", "7", '"text"', "[]", "[object Object]", "\0\uFFFF"];
  const notHeld = [
    "{}", '{"student":1}', '{"student":-1,"said":{}}', '{"student":1,"said":[]}',
    '{"student":1,"said":{"a":[0,0,true]}}', '{"student":1,"said":{"3":null}}',
    '{"student":1,"said":{"3":[0,3,true]}}', '{"student":1,"said":{"3":[1.5,0,true]}}',
    '{"student":1,"said":{"3":[0,0,"yes"]}}', '{"student":1,"said":{"9999999":[0,0,true]}}',
  ];
  for (const text of [...rubbish, ...notHeld]) {
    shelf.setItem("a", text);
    if (rubbish.includes(text)) assert.equal(readValue("sessionStorage", "a", isRecord), null, text);
    assert.equal(readValue("sessionStorage", "a", isStoredAnswers), null, text);
  }
  shelf.setItem("a", '{"student":1,"said":{"3":[2,1,true]}}');
  assert.deepEqual(plain(readValue("sessionStorage", "a", isStoredAnswers)), { student: 1, said: { 3: [2, 1, true] } });
});
