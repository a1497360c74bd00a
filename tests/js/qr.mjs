// Draws QR codes as the player does: reads [text, version, mask] from the standard input, line by line,
// and writes what it chooses, and the cells with that version and mask. For
// tests/lessons/test_class_codes.py.

import { createInterface } from "node:readline";
import { functionsOf } from "./scripts.mjs";

const names = ["qrCells", "fixedCells", "filled", "allBits"];
const { qrCells, fixedCells, filled, allBits } = functionsOf(["pages/shared/player/classroom/qr.js"], names, { TextEncoder });

for await (const line of createInterface({ input: process.stdin })) {
  const [text, version, mask] = JSON.parse(line);
  const cells = qrCells(text);
  const asked = version ? filled(fixedCells(version, mask), allBits(text, version), mask) : null;
  console.log(JSON.stringify([cells, asked]));
}
