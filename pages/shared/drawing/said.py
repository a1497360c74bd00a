"""Sentences with tiles in them, and tables of tiles, as HTML: what moves with no step."""

from html import escape

from pages.shared.drawing.phrases import Say
from pages.shared.drawing.tiles import NOW, html_tiles, printable, tint, visible
from tokenizers.merging.state import Pair

_STYLE = (
    "<style>.pp-say{font-size:1.25rem;line-height:2;margin:0}.pp-why{margin:0;line-height:2}"
    ".pp-say .pp-tiles,.pp-why .pp-tiles,.pp-runs .pp-tiles{display:inline-flex;"
    "vertical-align:middle;flex-wrap:nowrap}"
    ".pp-runs{border-collapse:collapse;font-variant-numeric:tabular-nums}"
    ".pp-runs caption{text-align:left;opacity:.8;padding-bottom:.3rem}"
    ".pp-runs :is(th,td){padding:.2rem .7rem .2rem .4rem;text-align:left;font-weight:400;"
    "border-bottom:1px solid color-mix(in srgb,currentColor 18%,transparent);white-space:nowrap}"
    ".pp-runs thead th{font-weight:600}.pp-runs .n{text-align:right}"
    ".pp-runs .other{padding-left:1.2rem}"
    f".pp-runs .first{{background:color-mix(in srgb,light-dark({NOW[0]},{NOW[1]}) 12%,transparent);"
    f"box-shadow:inset .1875rem 0 light-dark({NOW[0]},{NOW[1]})}}"
    ".pp-across{overflow-x:auto}</style>"
)


def html_say(say: Say, kind: str = "pp-say") -> str:
    """Return HTML of a sentence with tiles in it; `kind` is "pp-say", large, or "pp-why".

    >>> html_say(("a < ", ("strong", "b"))).rpartition("</style>")[2]
    '<p class="pp-say">a &lt; <strong>b</strong></p>'
    """
    return f'{_STYLE}<p class="{kind}">{"".join(map(_segment, say))}</p>'


def _segment(segment: str | tuple[str, str]) -> str:
    if isinstance(segment, str):
        return escape(printable(segment))
    kind, text = segment
    if kind in ("token", "new"):
        return html_tile(text)
    tag = {"strong": "strong", "word": "i"}.get(kind, "span")
    return f"<{tag}>{escape(printable(text))}</{tag}>"


def html_tile(token: str) -> str:
    """Return HTML of one tile in a line of text."""
    return (
        '<span class="pp-tiles"><span>'
        f'<bdi class="t{tint(token)}">{escape(visible(token), quote=True)}</bdi></span></span>'
    )


def table_of(caption: str, head: str, body: str) -> str:
    """Return HTML of a table, whose head and body are rows of HTML; it scrolls by itself."""
    name = escape(printable(caption), quote=True)
    # The first row of tiles brings the style of all of them.
    return (
        f"{_STYLE}{html_tiles([]).partition('<div')[0]}"
        f'<div class="pp-across" role="region" aria-label="{name}" tabindex="0">'
        f'<table class="pp-runs"><caption>{name}</caption><thead>{head}</thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def html_pair(pair: Pair) -> str:
    """Return HTML of two neighbours."""
    return f"{html_tile(pair[0])} + {html_tile(pair[1])}"
