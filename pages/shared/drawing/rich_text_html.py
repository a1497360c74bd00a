"""Rich text and tables with tiles as HTML, for content that does not depend on the step."""

from markupsafe import Markup, escape

from lessons.format.words import RichText, Segment
from pages.shared.drawing.display_text import escape_invisible, show_spaces, tint
from pages.shared.drawing.markup import html, joined
from tokenizers.merging.state import Pair


def html_rich_text(text: RichText, kind: str = "pp-sentence") -> Markup:
    """Return HTML of a sentence with tiles in it; `kind` is "pp-sentence", large, or "pp-why".

    >>> html_rich_text(("a < ", ("strong", "b"))).rpartition("</style>")[2]
    Markup('<p class="pp-sentence">a &lt; <strong>b</strong></p>')
    """
    return html('<p class="{}">{}</p>', kind, html_inline(text))


def html_inline(text: RichText) -> Markup:
    """Return HTML of a text with tiles in it, to stand in a line of other text."""
    return joined(map(_segment, text))


def _segment(segment: Segment) -> Markup:
    if isinstance(segment, str):
        return escape(escape_invisible(segment))
    kind, text = segment
    if kind in ("token", "new"):
        return html_tile(text)
    tag = {"strong": "strong", "word": "i"}.get(kind, "span")
    return html("<{0}>{1}</{0}>", tag, escape_invisible(text))


def html_tile(token: str) -> Markup:
    """Return HTML of an inline tile."""
    tile = '<span class="pp-tiles"><span><bdi class="t{}">{}</bdi></span></span>'
    return html(tile, tint(token), show_spaces(token))


def html_pair(pair: Pair) -> Markup:
    """Return HTML of a pair of tokens."""
    return html("{} + {}", *map(html_tile, pair))
