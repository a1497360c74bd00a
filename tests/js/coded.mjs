// Writes and reads codes as the player does: reads [name, argument] from the standard input, line by
// line, and writes what each call returns. For tests/lessons/test_class_codes.py.

import { createInterface } from "node:readline";
import { functionsOf } from "./scripts.mjs";

const known = functionsOf(["pages/shared/player/classroom/codes.js"], ["encodeCode", "decodeCode"]);

for await (const line of createInterface({ input: process.stdin })) {
  const [name, given] = JSON.parse(line);
  console.log(JSON.stringify(known[name](given)));
}
