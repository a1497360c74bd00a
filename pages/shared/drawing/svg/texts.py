"""Write a chart's texts as SVG, and estimate their width."""

from html import escape, unescape
from unicodedata import east_asian_width

from pages.shared.drawing.display_text import escape_invisible

SIZE = 13  # px


def unescape_plotly(text: str) -> str:
    """Return the text that Plotly displays: unescaped, without the spaces of `unique_label`.

    >>> unescape_plotly("&lt;b&gt;\u200b\u200b")
    '<b>'
    """
    return escape_invisible(unescape(text).replace("\u200b", ""))


def width(text: str) -> float:
    """Return the approximate width of a text, in px."""
    return sum(SIZE if east_asian_width(one) in "WF" else 0.56 * SIZE for one in text)


def svg_text(x: float, y: float, text: str, anchor: str, more: str = "") -> str:
    """Return a text as SVG; `more` holds attributes."""
    shown = escape(unescape_plotly(text))
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{more}>{shown}</text>'
