"""The message from which a browser draws the aligned view; exported files hold the same message.

The message's chunks are built in layout.py.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from lessons.glossary import MARKS
from pages.shared.aligned.layout import Chunk
from pages.shared.aligned.side_by_side import NamedTokenizer
from pages.shared.aligned.token_links import TokenLinks
from pages.shared.component import PRESENTER, build_component
from pages.shared.drawing.display_text import show_spaces_keep_joiners
from pages.shared.drawing.styles import TERMS_CSS
from pages.shared.training.published import PublishedTokenizer
from pages.shared.training.tokenizer_kinds import KINDS

_FILES = (
    "aligned_view.css",
    *PRESENTER,
    "../drawing/display_text.js",
    "../place_beside.js",
    "mark_bubble.js",
    "aligned_view.js",
)
_COMPONENT = build_component("aligned_view", Path(__file__).parent, *_FILES)
ALIGNED_VIEW = replace(_COMPONENT, css=f"{_COMPONENT.css}\n{TERMS_CSS}")


@dataclass(frozen=True, slots=True)
class AlignedView:
    """The content of the view; `names` has each row's name and a note, e.g. its training text.

    `finding` is the sentence above the tokens until one is pointed at; `legend` explains the marks.
    For each row, `tooltips` maps ids to further facts about tokens; `links` says where a clicked
    token can be stepped through.
    """

    names: Sequence[tuple[str, str]]
    chunks: Sequence[Chunk]
    has_ids: bool
    tooltips: Sequence[Mapping[int, str]] = ()
    links: TokenLinks | None = None
    finding: str = ""
    legend: str = ""


def message(view: AlignedView) -> dict[str, object]:
    """Return the message; a file outside the app adds the URL of its pages, as `app`."""
    links = view.links
    return {
        "names": view.names,
        "chunks": [_with_readable_text(chunk) for chunk in view.chunks],
        "ids": view.has_ids,
        "finding": view.finding,
        "legend": view.legend,
        "marks": [(mark.sign, mark.says) for mark in MARKS],
        "links": links
        and [links.models, links.text, links.special, _words_by_token(view.chunks, links)],
        "tooltips": view.tooltips,
    }


def legend(tokenizers: Sequence[NamedTokenizer]) -> str:
    """Return what the marks in the tokens mean; the view itself explains its own marks."""
    are_published = {isinstance(one.model, PublishedTokenizer) for one in tokenizers}
    marks = [kind.mark for kind in KINDS.values() if kind.mark]
    explained = f"{', '.join(marks)}: marks of words and spaces" * (False in are_published)
    of_bytes = "⟨E2⟩: a byte of a character" * (True in are_published)
    return "; ".join(filter(None, (explained, of_bytes)))


def _with_readable_text(chunk: Chunk) -> tuple[object, ...]:
    """Return a chunk with control characters made visible and white-space stretches flagged."""
    raw = [
        (first, last, show_spaces_keep_joiners(text), text.isspace())
        for first, last, text in chunk.raw
    ]
    return (raw, *chunk[1:])


def _words_by_token(chunks: Sequence[Chunk], links: TokenLinks) -> list[dict[int, int]]:
    """Return, for each row, a mapping from drawn tokens to the words that they link to."""
    return [
        {t.token: words[t.token] for one in chunks for cell in one.rows[n] for t in cell.tiles}
        if words
        else {}
        for n, words in enumerate(links.words)
    ]
