"""The strip: a text, and under it the tokens of several tokenizers, each under its characters.

One component: strip.js draws what it is sent; pointing at a token, or walking with the
arrow keys, marks the same token elsewhere and what the others have in its place, without the
server.
Left out: which chunks there are (layout.py).
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import orjson

from pages.compare.layout import Chunk
from pages.compare.leads import Leads
from pages.shared.drawing.tiles import natural
from pages.shared.stage import made

_FILES = ("strip.css", "../shared/drawing/written.js", "strip.js")
_mount = made("strip", Path(__file__).parent, *_FILES)
HINT = (
    "Point at a token, or use the arrow keys: the same token is marked wherever it occurs, "
    "along with what the others have in its place. A click holds it."
)


def strip(
    names: Sequence[tuple[str, str]],
    chunks: Sequence[Chunk],
    ids: bool,
    large: bool = False,
    told: Sequence[Mapping[int, str]] = (),
    leads: Leads | None = None,
) -> None:
    """Show the strip; `names` are those of the rows, each with what it learned from, or nothing.

    `told` holds for each row, by id, what more there is to say of a token; `leads` where a token
    that is clicked can be stepped through.
    """
    data = {
        "names": names,
        "chunks": [_written(chunk) for chunk in chunks],
        "ids": ids,
        "large": large,
        "hint": HINT,
        "leads": leads and [leads.models, leads.text, leads.special, _words(chunks, leads)],
        "told": told,
    }
    # As bytes, for of anything else Streamlit writes the JSON twice, and more slowly.
    _mount(key="strip", data=orjson.dumps(data, default=tuple, option=orjson.OPT_NON_STR_KEYS))


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
