// The keys and what they do. The player acts on them (player/keyboard.js, which must know all of them
// and no others), and the key ? shows them as a table (export/keys_table.js).

/** By key: as it is shown, and what it does. */
const STEP_KEYS = {
  ArrowRight: ["→", "one step forward"],
  ArrowLeft: ["←", "one step back"],
  Home: ["Home", "the first step"],
  End: ["End", "the last step"],
  " ": ["Space", "play, or pause"],
};
const QUESTION_KEYS = {
  f: ["F", "ask about a step first, or tell it at once"],
  s: ["S", "you are sure of the answer that you will give"],
  n: ["N", "you are not sure"],
  a: ["A", "show or hide what the class answered"],
  o: ["O", "a room for the class’s phones: open it, or show how to join"],
  v: ["V", "in a room: vote again"],
};
const VIEW_KEYS = {
  p: ["P", "present: large type over the whole window; P again leaves"],
  t: ["T", "while presenting: light or dark"],
  d: ["D", "the code of the step, beside the picture"],
  l: ["L", "the next line of that code"],
  m: ["M", "Unigram · Lattice: the best path, or the sum of all paths"],
  Escape: ["Esc", "leave the presentation; clear a path of your own"],
};
const CLICKER_KEYS = {
  PageDown: ["Page down", "while presenting: one step forward"],
  PageUp: ["Page up", "while presenting: one step back"],
};
/** These are no keys of the player. */
const OTHER_KEYS = {
  q: ["Q", "the address of this screen as a QR code"],
  "?": ["?", "this table"],
};

/** The rows of the table, in groups. @type {Record<string, string[][]>} */
const KEY_TABLE = {
  "Steps": Object.values(STEP_KEYS),
  "Questions": [["1 – 9", "choose an answer"], ...Object.values(QUESTION_KEYS)],
  "View": [...Object.values(VIEW_KEYS), ...Object.values(CLICKER_KEYS)],
  "Every page": [...Object.values(OTHER_KEYS), ["Tab", "the next control, term or token"]],
};
