"""Mark the glossary's terms in a text with a dotted underline and a tooltip that defines them.

The definition is a hidden element beside the term, and the term's accessible description;
`pages/shared/controls/browser_scripts/terms.js` shows it.
"""

from collections.abc import Callable, Iterable

from markupsafe import Markup, escape

from lessons.glossary import GLOSSARY, MARKS, Term, used
from pages.shared.drawing.display_text import escape_invisible
from pages.shared.drawing.markup import html, joined, table

MarkTerms = Callable[[str], Markup]
"""Returns HTML of a text with its terms marked."""


def first_occurrence_marker(id_prefix: str) -> MarkTerms:
    """Return a function that marks the first occurrence of each term; `id_prefix` makes ids unique.

    >>> mark = first_occurrence_marker("text")
    >>> mark("one nat").count("pp-term"), mark("<b> and a nat")
    (1, Markup('&lt;b&gt; and a nat'))
    """
    met: set[str] = set()

    def mark(text: str) -> Markup:
        return joined(_first(words, term) for words, term in used(escape_invisible(text)))

    def _first(words: str, term: Term | None) -> Markup:
        if term is None or term.name in met:
            return escape(words)
        met.add(term.name)
        id_ = f"says-{id_prefix}-{list(GLOSSARY).index(term.name)}"
        return html(
            '<span role="button" tabindex="0" class="pp-term" aria-describedby="{0}">{1}</span>'
            '<span class="pp-definition" id="{0}" role="tooltip" popover="manual">{2}</span>',
            *(id_, words, term.bubble),
        )

    return mark


def html_glossary(terms: Iterable[Term]) -> Markup:
    """Return a list of terms with their definitions."""
    rows = (html("<dt>{}</dt><dd>{}</dd>", term.name, term.says) for term in terms)
    return html('<dl class="pp-glossary">{}</dl>', joined(rows))


def html_marks() -> Markup:
    """Return a table of the marks of spaces and word ends, each with an example."""
    code = "<code>{}</code>"
    return table(
        ("mark", "stands for", "the lowest tide"),
        [(html(code, mark.sign), mark.says, html(code, mark.example)) for mark in MARKS],
        "A space or the end of a word, in five ways of writing",
        kind="pp-marks",
    )
