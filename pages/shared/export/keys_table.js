// The table of keys, from ../keys.js.

/** The rows of a group. @param {string} name @param {string[][]} rows */
function keyGroup(name, rows) {
  const head = headCell("rowgroup", "", name);
  head.colSpan = 2;
  const keys = rows.map(([key, does]) => make("tr", "", headCell("row", "", make("kbd", "", key)), make("td", "", does)));
  return make("tbody", "", make("tr", "", head), ...keys);
}

function keysContent() {
  const groups = Object.entries(KEY_TABLE).map((group) => makeTable("", [], [], keyGroup(...group)));
  return [make("h2", "", "Keys"), make("div", "pp-keys-table", ...groups)];
}
