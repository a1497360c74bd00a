import assert from "node:assert/strict";
import { test } from "node:test";
import { functionsOf, plain } from "./scripts.mjs";

const { levelsOf, curveOf, distance, masked } = functionsOf(
  ["pages/shared/player/picture/lattice_layout.js"],
  ["levelsOf", "curveOf", "distance", "masked"],
);

const ARCS = [
  { start: 0, end: 1 },
  { start: 1, end: 2 },
  { start: 0, end: 2 },
];

test("an arc is above those that it encloses", () => {
  assert.deepEqual(plain(levelsOf(ARCS, [1, 1, 1], 5)), [0, 0, 1]);
});

test("labels that would overlap are on different levels", () => {
  assert.deepEqual(plain(levelsOf(ARCS, [9, 9, 1], 5)), [0, 1, 2]);
});

test("a point on a curve is no way from it, and the foot of the arc is its end", () => {
  const curve = curveOf({ start: 0, end: 2 }, 1, 5);
  const [left, , , right, height] = curve;
  assert.ok(distance(curve, left, 0) < 1e-9);
  assert.ok(distance(curve, right, 0) < 1e-9);
  assert.ok(distance(curve, (left + right) / 2, 0.75 * height) < 1e-9);
  assert.ok(distance(curve, (left + right) / 2, 0) > 1);
});

test("a veiled step tells neither the winner, nor its weight, nor the value", () => {
  const frame = { arcs: "knb", weights: "196", nodes: ["0", "-1", "-2"], here: 2 };
  assert.deepEqual(plain(masked(frame, ARCS)), {
    arcs: "kcc",
    weights: "144",
    nodes: ["0", "-1", "?"],
    here: 2,
  });
});
