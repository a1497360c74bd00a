"""What the browser is sent to draw the strip; a file that is taken along holds the same.

Left out: which chunks there are (layout.py).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import orjson

from pages.compare.layout import Chunk
from pages.compare.side_by_side import NamedTokenizer
from pages.compare.token_links import TokenLinks
from pages.shared.component import build_component
from pages.shared.drawing.display_text import show_spaces_keep_joiners
from pages.shared.training.published import READ_AS_TEXT, Published
from pages.shared.training.tokenizer_kinds import KINDS

_FILES = ("aligned_view.css", "../shared/drawing/display_text.js", "aligned_view.js")
ALIGNED_VIEW = build_component("strip", Path(__file__).parent, *_FILES)
HINT = (
    "Point at a token, tap it, or use the arrow keys: it is marked wherever it occurs, along with "
    "what the others have in its place. A click keeps it marked."
)


@dataclass(frozen=True, slots=True)
class AlignedView:
    """What the strip shows; `names` are those of the rows, each with what it learned from, if told.

    `told` holds for each row, by id, what more there is to say of a token; `leads` where a token
    that is clicked can be stepped through.
    """

    names: Sequence[tuple[str, str]]
    chunks: Sequence[Chunk]
    has_ids: bool
    tooltips: Sequence[Mapping[int, str]] = ()
    links: TokenLinks | None = None


def message(view: AlignedView, large: bool = False, app: str = "") -> bytes:
    """Return what the browser draws; `app` is where the app's pages are, if that is elsewhere."""
    links = view.links
    data = {
        "names": view.names,
        "chunks": [_with_readable_text(chunk) for chunk in view.chunks],
        "ids": view.has_ids,
        "large": large,
        "hint": HINT,
        "leads": links
        and [links.models, links.text, links.special, _words_by_token(view.chunks, links), app],
        "told": view.tooltips,
    }
    # As bytes, for of anything else Streamlit writes the JSON twice, and more slowly.
    return orjson.dumps(data, default=tuple, option=orjson.OPT_NON_STR_KEYS)


def legend(tokenizers: Sequence[NamedTokenizer]) -> str:
    """Return what the marks of the strip mean, and the marks in the tokens."""
    published = any(isinstance(one.model, Published) for one in tokenizers)
    marks = [kind.mark.split(" ", 1) for kind in KINDS.values() if kind.mark]
    return (
        "Lines under a word: the number of different splits. Underlined: a piece that no other "
        "counted tokenizer makes here. Dashed frame: unknown, so [UNK] replaces it. "
        f"Marks: {', '.join(f'`{mark}` {means}' for mark, means in marks)}."
        + f" {READ_AS_TEXT}"
        * published
    )


def _with_readable_text(chunk: Chunk) -> tuple[object, ...]:
    """Return a chunk whose text is written so that all of it is seen, and what is white space."""
    raw = [
        (first, last, show_spaces_keep_joiners(text), text.isspace())
        for first, last, text in chunk.raw
    ]
    return (raw, *chunk[1:])


def _words_by_token(chunks: Sequence[Chunk], links: TokenLinks) -> list[dict[int, int]]:
    """Return for each row the words to which its drawn tokens lead."""
    return [
        {t.token: words[t.token] for one in chunks for cell in one.rows[n] for t in cell.tiles}
        if words
        else {}
        for n, words in enumerate(links.words)
    ]
