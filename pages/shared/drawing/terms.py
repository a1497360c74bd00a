"""Mark the glossary's terms in a text with a dotted underline and a tooltip that defines them.

The definition is a hidden element beside the term, and the term's accessible description;
`pages/shared/controls/browser_scripts/terms.js` shows it.
"""

from collections.abc import Callable

from markupsafe import Markup, escape

from lessons.glossary import GLOSSARY, MARKS, Term, used
from pages.shared.drawing.display_text import escape_invisible
from pages.shared.drawing.markup import head_cell, html, joined, table

MarkTerms = Callable[[str], Markup]
"""Returns HTML of a text with its terms marked."""

# A term only has a button's role: a real button would allow a line break before a comma.
CSS = (
    ".pp-term{cursor:help;text-decoration:underline dotted;"
    "text-decoration-thickness:.09em;text-underline-offset:.2em}"
    ".pp-term:focus-visible{outline:.125rem solid;outline-offset:.125rem}"
    ":is(.pp-definition,.pp-bubble){position:fixed;inset:auto;margin:0;"
    "max-width:min(22rem,calc(100vw - 1.5rem));"
    "box-sizing:border-box;padding:.5rem .75rem;border:1px solid;border-radius:.375rem;"
    "background:light-dark(#fff,#2a2826);color:light-dark(#161513,#f7f5f0);"
    "font:400 1rem/1.4 'Source Sans',sans-serif;text-align:start;white-space:pre-wrap}"
)
STYLE = Markup(f"<style>{CSS}</style>")


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


def html_glossary() -> Markup:
    """Return a list of all terms with their definitions."""
    rows = (html("<dt>{}</dt><dd>{}</dd>", term.name, term.says) for term in GLOSSARY.values())
    style = Markup(
        "<style>.pp-glossary{columns:22rem;column-gap:2.5rem;margin:0}.pp-glossary dt{"
        "font-weight:600;break-after:avoid}.pp-glossary dd{margin:0 0 .6rem;break-inside:avoid}"
        "</style>"
    )
    return style + html('<dl class="pp-glossary">{}</dl>', joined(rows))


def html_marks() -> Markup:
    """Return a table of the marks of spaces and word ends, each with an example."""
    columns = joined(map(head_cell, ("mark", "stands for", "the lowest tide")))
    row = '<tr><th scope="row"><code>{}</code></th><td>{}</td><td><code>{}</code></td></tr>'
    rows = joined(html(row, mark.sign, mark.says, mark.example) for mark in MARKS)
    style = Markup(
        "<style>.pp-marks{border-collapse:collapse}.pp-marks caption{text-align:start;opacity:.8}"
        ".pp-marks :is(th,td){padding:.3rem 2rem .3rem 0;text-align:start;font-weight:400;"
        "border-bottom:1px solid color-mix(in srgb,currentColor 18%,transparent)}"
        ".pp-marks thead th{font-weight:600}"
        ".pp-marks code{font:1em 'Source Code Pro',ui-monospace,monospace;background:none;"
        "color:inherit;padding:0;white-space:pre}</style>"
    )
    caption = "A space or the end of a word, in five ways of writing"
    return style + table("pp-marks", caption, html("<tr>{}</tr>", columns), rows)
