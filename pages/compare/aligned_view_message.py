"""What the browser is sent to draw the strip; a file that is taken along holds the same.

Left out: which chunks there are (layout.py).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import orjson

from pages.compare.layout import Chunk
from pages.compare.side_by_side import Contestant
from pages.compare.token_links import Leads
from pages.shared.component import component_of
from pages.shared.drawing.display_text import natural
from pages.shared.training.published import READ_AS_TEXT, Published
from pages.shared.training.tokenizer_kinds import KINDS

_FILES = ("aligned_view.css", "../shared/drawing/display_text.js", "aligned_view.js")
STRIP = component_of("strip", Path(__file__).parent, *_FILES)
HINT = (
    "Point at a token, tap it, or use the arrow keys: it is marked wherever it occurs, along with "
    "what the others have in its place. A click keeps it marked."
)


@dataclass(frozen=True, slots=True)
class Drawn:
    """What the strip shows; `names` are those of the rows, each with what it learned from, if told.

    `told` holds for each row, by id, what more there is to say of a token; `leads` where a token
    that is clicked can be stepped through.
    """

    names: Sequence[tuple[str, str]]
    chunks: Sequence[Chunk]
    ids: bool
    told: Sequence[Mapping[int, str]] = ()
    leads: Leads | None = None


def message(shown: Drawn, large: bool = False, app: str = "") -> bytes:
    """Return what the browser draws; `app` is where the app's pages are, if that is elsewhere."""
    leads = shown.leads
    data = {
        "names": shown.names,
        "chunks": [_written(chunk) for chunk in shown.chunks],
        "ids": shown.ids,
        "large": large,
        "hint": HINT,
        "leads": leads
        and [leads.models, leads.text, leads.special, _words(shown.chunks, leads), app],
        "told": shown.told,
    }
    # As bytes, for of anything else Streamlit writes the JSON twice, and more slowly.
    return orjson.dumps(data, default=tuple, option=orjson.OPT_NON_STR_KEYS)


def legend(asked: Sequence[Contestant]) -> str:
    """Return what the marks of the strip mean, and the marks in the tokens."""
    published = any(isinstance(one.model, Published) for one in asked)
    marks = [kind.mark.split(" ", 1) for kind in KINDS.values() if kind.mark]
    return (
        "Lines under a word: the number of different splits. Underlined: a piece that no other "
        "counted tokenizer makes here. Dashed frame: unknown, so [UNK] replaces it. "
        f"Marks: {', '.join(f'`{mark}` {means}' for mark, means in marks)}."
        + f" {READ_AS_TEXT}"
        * published
    )


def _written(chunk: Chunk) -> tuple[object, ...]:
    """Return a chunk whose text is written so that all of it is seen, and what is white space."""
    raw = [(first, last, natural(text), text.isspace()) for first, last, text in chunk.raw]
    return (raw, *chunk[1:])


def _words(chunks: Sequence[Chunk], leads: Leads) -> list[dict[int, int]]:
    """Return for each row the words to which its drawn tokens lead."""
    return [
        {t.token: words[t.token] for one in chunks for cell in one.rows[n] for t in cell.tiles}
        if words
        else {}
        for n, words in enumerate(leads.words)
    ]
