// Marks the glossary's terms in the player's sentences: the first occurrence of each is underlined,
// with a tooltip (../controls/browser_scripts/terms.js). The definition is not part of the sentence,
// which screen readers read unchanged.

const PART_OF_A_WORD = "[\\p{L}\\p{N}_-]";

/** A pattern for a form; the first letter of a lower-case form may be a capital. */
function anyCase(/** @type {string} */ form) {
  return form === form.toLowerCase() ? `[${form[0].toUpperCase()}${form[0]}]${form.slice(1)}` : form;
}

/** A regular expression for the terms of a glossary, and the terms by their forms. */
function buildTermFinder(/** @type {typeof GLOSSARY} */ glossary) {
  const forms = glossary.flatMap(([all]) => all);
  const longestFirst = forms.toSorted((a, b) => b.length - a.length).map(anyCase);
  const used = new RegExp(`(?<!${PART_OF_A_WORD})(?:${longestFirst.join("|")})(?!${PART_OF_A_WORD})`, "gu");
  /** @type {Map<string, typeof GLOSSARY[number]>} */
  const termOf = new Map();
  for (const term of glossary) for (const form of term[0]) termOf.set(form.toLowerCase(), term);
  return { used, termOf };
}

const TERMS = buildTermFinder(GLOSSARY);

/** Splits a text into terms [words, definition] and other parts [words]; terms in `met` are not marked. */
function splitTerms(/** @type {string} */ text, /** @type {Set<unknown>} */ met) {
  const parts = /** @type {[words: string, definition?: string][]} */ ([]);
  let end = 0;
  for (const { 0: words, index } of text.matchAll(TERMS.used)) {
    const term = TERMS.termOf.get(words.toLowerCase());
    if (met.has(term)) continue;
    met.add(term);
    parts.push([text.slice(end, index)], [words, term[1]]);
    end = index + words.length;
  }
  return [...parts, [text.slice(end)]].filter(([words]) => words);
}

/** A text as nodes, with its terms marked. @param {string} text @param {Set<unknown>} met */
function explainTerms(text, met) {
  return splitTerms(text, met).map(([words, definition]) => {
    if (!definition) return words;
    const term = make("span", "pp-term", words);
    term.tabIndex = 0;
    term.setAttribute("role", "button");
    term.setAttribute("aria-description", definition);
    return term;
  });
}
