// The table of keys, from ../keys.js.

/** The rows of a group. @param {string} name @param {string[][]} rows */
function keyGroup(name, rows) {
  const head = make("th", "", name);
  Object.assign(head, { colSpan: 2, scope: "rowgroup" });
  const body = make("tbody", "", make("tr", "", head));
  for (const [key, does] of rows) {
    const shown = make("th", "", make("kbd", "", key));
    shown.scope = "row";
    body.append(make("tr", "", shown, make("td", "", does)));
  }
  return body;
}

function keysContent() {
  const groups = Object.entries(KEY_TABLE).map((group) => make("table", "", keyGroup(...group)));
  return [make("h2", "", "Keys"), make("div", "pp-keys-table", ...groups)];
}
