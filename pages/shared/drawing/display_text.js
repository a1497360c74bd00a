// Display of tokens in any script: a row has the direction of its first letter, as in display_text.py.

const FROM_THE_RIGHT =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const END = "</w>";

/** The direction in which a word is written: that of its first letter. @param {string[]} texts */
function direction(texts) {
  const letter = texts.join("").match(/\p{L}/u)?.[0] ?? "";
  return FROM_THE_RIGHT.test(letter) ? "rtl" : "ltr";
}

/** The text of a token as nodes: its end mark is isolated, or Arabic would reverse it. */
function tokenNodes(/** @type {string} */ text) {
  if (!text.endsWith(END)) return [text];
  const mark = document.createElement("bdi");
  mark.textContent = END;
  return [text.slice(0, -END.length), mark];
}
