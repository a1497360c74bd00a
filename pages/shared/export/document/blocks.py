"""The blocks of a document, which is what a page shows of a run or a text.

A `PlayerBlock` and a `ComponentBlock` are interactive: a script draws them, in the app and in an
exported file. `html_block` draws all others, which are static. `show_blocks.py` shows static blocks
in the app, `document_html.py` writes a whole document as one HTML file.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from markupsafe import Markup

from pages.shared.component import WebComponent
from pages.shared.drawing.charts import Chart
from pages.shared.drawing.display_text import escape_invisible, html_tiles
from pages.shared.drawing.markup import html, joined
from pages.shared.drawing.terms import MarkTerms
from pages.shared.export import charts, tables
from pages.shared.export.tables import ExportTable
from pages.shared.recording.frame_types import Recording

MAX_QUOTED = 80  # characters quoted from a text
_MARKED = re.compile(r"\*\*(.+?)\*\*|`([^`]+)`")


@dataclass(frozen=True, slots=True)
class PlayerBlock:
    """A recording in the player, at `step` with `rule` (0 or 1) and the learner's path."""

    recording: Recording
    step: int = 0
    rule: int = 0
    user_path: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class StatePart:
    """A part of a component's state; `name` is its key in the message, `param` in the URL hash.

    `words` are the spellings of `values` in the URL; without values it is any natural number.
    `payloads` maps a value to the additional message data that Python would send in the app.
    """

    name: str
    param: str
    initial: int | str
    values: Sequence[int | str] = ()
    words: Sequence[str] = ()
    payloads: Mapping[str, Mapping[str, object]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ComponentBlock:
    """A component other than the player, and its message with its `blobs`.

    `keys` says what the keys do. `state_name` names the component's state value, which has `parts`.
    """

    component: WebComponent
    message: Mapping[str, object]
    keys: str
    state_name: str = ""
    parts: tuple[StatePart, ...] = ()
    blobs: tuple[bytes, ...] = ()


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of what follows."""

    text: str


@dataclass(frozen=True, slots=True)
class Note:
    """A note in small type, in which `**` makes bold and backticks make code, as in Markdown."""

    text: str


@dataclass(frozen=True, slots=True)
class TokenRow:
    """Tokens as tiles; `label` names them for screen readers."""

    tokens: Sequence[str]
    label: str


@dataclass(frozen=True, slots=True)
class Html:
    """Trusted HTML, such as a table; links to the app's pages are relative."""

    html: Markup


@dataclass(frozen=True, slots=True)
class Folded:
    """Blocks under a title that opens them."""

    title: str
    blocks: "tuple[StaticBlock, ...]"


StaticBlock = Heading | Note | TokenRow | Html | Folded | Chart | ExportTable
Block = PlayerBlock | ComponentBlock | StaticBlock


@dataclass(frozen=True, slots=True)
class Document:
    """What a page shows, and what its file says about itself.

    `link` is the URL of the same page in the app, `left_out` names what only the app shows, and
    `contents` is the URL of the page that lists this file, if it is part of a site.
    """

    title: str = ""
    about: str = ""
    blocks: tuple[Block, ...] = ()
    left_out: tuple[str, ...] = ()
    link: str = ""
    contents: str = ""


def every_block(blocks: Sequence[Block]) -> Iterator[Block]:
    """Yield the blocks, and after a folded one those inside it."""
    for block in blocks:
        yield block
        if isinstance(block, Folded):
            yield from every_block(block.blocks)


def html_block(block: StaticBlock, mark: MarkTerms) -> Markup:
    """Return a static block as HTML, with the terms of the glossary marked in notes."""
    match block:
        case Heading(text):
            return html('<p class="pp-subheading">{}</p>', escape_invisible(text))
        case Note(text):
            return html('<p class="pp-caption">{}</p>', _note_html(text, mark))
        case TokenRow(tokens, label):
            return Markup(html_tiles(tokens, label=label))
        case Html(content):
            return content
        case Folded(title, blocks):
            inside = joined(html_block(one, mark) for one in blocks)
            return html("<details><summary>{}</summary>{}</details>", title, inside)
        case Chart():
            return charts.as_html([block])
        case ExportTable():
            return tables.as_html(block)


def _note_html(text: str, mark: MarkTerms) -> Markup:
    """Return HTML of a note's text.

    >>> from markupsafe import escape
    >>> _note_html("**T²** is < V, as `a`", escape)
    Markup('<strong>T²</strong> is &lt; V, as <code>a</code>')
    """
    first, *rest = _MARKED.split(text)
    parts = [mark(first)]
    for bold, code, plain in zip(rest[::3], rest[1::3], rest[2::3], strict=True):
        kind, inside = ("strong", mark(bold)) if bold else ("code", escape_invisible(code))
        parts += [html("<{0}>{1}</{0}>", kind, inside), mark(plain)]
    return joined(parts)


def quote_beginning(text: str) -> str:
    """Return the beginning of a text in quotes, for a line about the file.

    >>> quote_beginning("low"), len(quote_beginning("low " * 100)) - 2 == MAX_QUOTED
    ('“low”', True)
    """
    short = " ".join(text.split())
    if len(short) > MAX_QUOTED:
        short = f"{short[: MAX_QUOTED - 1]}…"
    return f"“{short}”"
