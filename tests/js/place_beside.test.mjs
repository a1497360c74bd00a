// Where a bubble opens: beside what it explains, inside the window, at any size of it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { functionsOf } from "./scripts.mjs";

const { positionBeside } = functionsOf(["pages/shared/place_beside.js"], ["positionBeside"]);
const BESIDE = ["right", "left", "below", "above"];
const box = (left, top, width, height) => ({ left, top, right: left + width, bottom: top + height });
const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

test("a bubble takes the first side with room for it", () => {
  const [size, laptop, phone] = [{ width: 300, height: 80 }, { width: 1366, height: 768 }, { width: 390, height: 844 }];
  const side = (at, view, sides = BESIDE) => positionBeside(at, size, view, sides).side;
  assert.equal(side(box(80, 300, 400, 34), laptop), "right");
  assert.equal(side(box(900, 300, 400, 34), laptop), "left");
  assert.equal(side(box(20, 300, 350, 34), phone), "below");
  assert.equal(side(box(20, 790, 350, 34), phone), "above");
  assert.equal(side(box(80, 300, 40, 20), laptop, ["below", "above"]), "below");
});

test("it never covers what it explains and never leaves the window", () => {
  const places = [];
  for (const view of [{ width: 1366, height: 768 }, { width: 390, height: 844 }, { width: 844, height: 390 }, { width: 320, height: 256 }])
    for (const width of [20, 160, 0.95 * view.width])
      for (const x of [0, 0.3, 0.7, 1])
        for (const y of [0, 0.3, 0.7, 1])
          for (const height of [40, 200, 900])
            places.push({ view, height, at: box(x * (view.width - width), y * (view.height - 34), width, 34) });
  for (const { view, at, height } of places) {
    const size = { width: Math.min(350, view.width - 12), height };
    const place = positionBeside(at, size, view, BESIDE);
    const bubble = box(place.left, place.top, size.width, place.height);
    assert.ok(!meet(bubble, at), JSON.stringify({ at, bubble }));
    assert.ok(bubble.left >= 0 && bubble.right <= view.width, JSON.stringify({ at, bubble }));
    assert.ok(bubble.top >= 0 && bubble.bottom <= view.height, JSON.stringify({ at, bubble }));
    assert.ok(place.height >= Math.min(height, 90), JSON.stringify({ at, bubble }));
  }
});
