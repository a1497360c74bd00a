"""The strip: a text, and under it the tokens of several tokenizers, each under its characters.

One component: strip.js draws what it is sent; pointing at a token, or walking with the
arrow keys, marks the same token elsewhere and what the others have in its place, without the
server.
Left out: which chunks there are (layout.py).
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from pages.compare.layout import Cell, Chunk
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
        "names": [list(name) for name in names],
        "chunks": [_chunk(chunk, leads.words if leads else ()) for chunk in chunks],
        "ids": ids,
        "large": large,
        "hint": HINT,
        "leads": leads and [leads.models, leads.text, leads.special],
        "told": [{f"{id_:,}": said for id_, said in row.items()} for row in told],
    }
    _mount(key="strip", data=data)


def _chunk(chunk: Chunk, words: Sequence[Sequence[int]]) -> list[object]:
    rows = enumerate(chunk.rows)
    return [
        [[first, last, natural(text), text.isspace()] for first, last, text in chunk.raw],
        [[_cell(cell, words[n] if words else ()) for cell in row] for n, row in rows],
        chunk.ways,
        chunk.right_to_left,
        chunk.ends_line,
    ]


def _cell(cell: Cell, words: Sequence[int]) -> list[object]:
    tiles = [
        [t.text, t.tint, f"{t.id:,}", t.unknown, t.only, words[t.token] if words else 0]
        for t in cell.tiles
    ]
    return [cell.first, cell.last, tiles]
