"""Render a lesson's text to HTML, with everything in it escaped.

A token is a tile in the same tint as in the picture. As in the picture, tokens that the lesson's
stop marks are outlined and underlined.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from markupsafe import Markup

from lessons.format.prose import Block, Line, ProsePart
from lessons.format.words import RichText
from pages.shared.drawing.display_text import (
    escape_invisible,
    html_token,
    show_spaces,
    tint,
)
from pages.shared.drawing.markup import each, html, joined, table
from pages.shared.drawing.terms import MarkTerms

AGAIN_HEADING = "Asked again, about another case"
PROSE_LABEL = "The text of this stop, about the first case"
"""A variant has this heading, and the stop's own text is folded below it."""
OPEN_TEXT = (
    "These questions are still open. One that you answered comes back in another form, "
    "with two new tries:"
)
"""Above the list of questions at the end of a lesson."""


def html_prose(
    blocks: Sequence[Block], mark: Collection[str] = (), mark_terms: MarkTerms | None = None
) -> Markup:
    """Return prose as HTML for `st.html`, without formulas (see `parts`).

    `mark` has the tokens to mark. `mark_terms` marks glossary terms, but only in plain text.

    >>> from lessons.format.prose import read_prose
    >>> html_prose(read_prose(["<b> and **more**"], 1))
    Markup('<div class="pp-lesson"><p>&lt;b&gt; and <strong>more</strong></p></div>')
    """
    mark_terms = mark_terms or _plain
    inside = joined(_block(block, mark, mark_terms) for block in blocks if block.kind != "formula")
    return html('<div class="pp-lesson">{}</div>', inside)


def _plain(text: str) -> Markup:
    return html("{}", escape_invisible(text))


def parts(blocks: Sequence[Block]) -> Iterator[tuple[str, Sequence[Block]]]:
    """Split prose at its formulas, and yield ("prose", blocks) or ("formula", [block]) in turn."""
    for is_formula, some in groupby(blocks, key=lambda block: block.kind == "formula"):
        if is_formula:
            yield from (("formula", (block,)) for block in some)
        else:
            yield "prose", tuple(some)


def from_stop(blocks: Sequence[Block], back: str) -> tuple[Block, ...]:
    """Return prose whose links within the app name the stop to come back to (`pages/foot.py`)."""

    def linked(piece: ProsePart) -> ProsePart:
        if piece.kind != "link" or not piece.target.startswith("/"):
            return piece
        joint = "&" if "?" in piece.target else "?"
        return replace(piece, target=f"{piece.target}{joint}back={back}")

    def linked_lines(block: Block) -> tuple[Line, ...]:
        return tuple([tuple(map(linked, line)) for line in block.lines])

    return tuple([replace(block, lines=linked_lines(block)) for block in blocks])


def _block(block: Block, mark: Collection[str], mark_terms: MarkTerms) -> Markup:
    if block.kind == "code":
        source = map(escape_invisible, block.source.split("\n"))
        return html("<pre><code>{}</code></pre>", "\n".join(source))
    if block.kind == "table":
        return _table(block, mark, mark_terms)
    lines = [_line(line, mark, mark_terms) for line in block.lines]
    if block.kind in ("bullets", "numbers"):
        name = "ul" if block.kind == "bullets" else "ol"
        return html("<{0}>{1}</{0}>", name, each("<li>{}</li>", lines))
    whole = html("<p>{}</p>", joined(lines))
    return html("<blockquote>{}</blockquote>", whole) if block.kind == "quote" else whole


def _table(block: Block, mark: Collection[str], mark_terms: MarkTerms) -> Markup:
    cells = [_line(line, mark, mark_terms) for line in block.lines]
    rows = [cells[n : n + block.width] for n in range(0, len(cells), block.width)]
    return table(rows[0], rows[1:], has_names=False, box="wide", label="Table")


def _line(line: Line, mark: Collection[str], mark_terms: MarkTerms) -> Markup:
    return joined(_styled(piece, _piece(piece, mark, mark_terms)) for piece in line)


def _styled(piece: ProsePart, inside: str) -> str:
    return html("<{0}>{1}</{0}>", piece.style, inside) if piece.style else inside


def _piece(piece: ProsePart, mark: Collection[str], mark_terms: MarkTerms) -> str:
    if piece.kind == "token":
        return _tile(piece.text, piece.text in mark)
    if piece.kind == "word":
        return html_word(piece.text)
    if piece.kind == "text":
        return mark_terms(piece.text)
    text = escape_invisible(piece.text)
    if piece.kind == "code":
        return html("<code>{}</code>", text)
    if piece.kind == "link":
        is_away = piece.target.startswith("http")
        there = 'target="_blank" rel="noopener"' if is_away else "target=_self"
        return html('<a href="{}" {}>{}</a>', _relative(piece.target), Markup(there), text)
    return text


def _relative(target: str) -> str:
    """Return a path within the app relative to its pages, which are all on one level.

    >>> _relative("/race?at=3"), _relative("/"), _relative("https://example.org/")
    ('./race?at=3', './', 'https://example.org/')
    """
    return f".{target}" if target.startswith("/") else target


def _tile(token: str, is_marked: bool) -> Markup:
    more = " marked" if is_marked else ""
    return html('<bdi class="tile t{}{}">{}</bdi>', tint(token), more, html_token(token))


def html_word(word: str) -> Markup:
    """Return a word in quotes, with visible spaces."""
    return html('“<bdi class="word">{}</bdi>”', show_spaces(word))


def html_facts(rows: Iterable[tuple[str, str]]) -> Markup:
    """Return a definition list of names and HTML values."""
    inside = joined(html("<dt>{}</dt><dd>{}</dd>", *row) for row in rows)
    return html('<dl class="pp-lesson">{}</dl>', inside)


def segments(text: RichText) -> list[list[object]]:
    """Return a text for our JavaScript, as a list of [kind of segment, text] or [kind, text, tint].

    >>> segments(("Merge ", ("token", "e ")))
    [['text', 'Merge '], ['token', 'e·', 3]]
    """
    return [_segment(one) for one in text]


def _segment(one: str | tuple[str, str]) -> list[object]:
    if isinstance(one, str):
        return ["text", escape_invisible(one)]
    kind, text = one
    if kind == "token":
        return ["token", show_spaces(text), tint(text)]
    return [kind, show_spaces(text) if kind == "word" else escape_invisible(text)]


LONG_FORMULA = 26  # symbols of a row that fit on a phone
_SIGN = re.compile(r"\\[a-zA-Z]+|[^\s{}&_^\\]")


def formula(source: str) -> str:
    r"""Return a formula, in smaller type if it is too long for a phone.

    >>> formula("L = Q + H"), formula(r"P(v_1 \dots v_m) = P(M = m) \cdot p(v_1) \cdots p(v_m)")[:6]
    ('L = Q + H', '\\small')
    """
    signs = max(len(_SIGN.findall(row.replace(r"\text", ""))) for row in source.split(r"\\"))
    return rf"\small {source}" if signs > LONG_FORMULA else source
