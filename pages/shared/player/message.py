"""What is sent to the player in a browser: a film, and where in it to begin.

Left out: which windows of a long film are sent when, and what the browser answers (`__init__.py`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

import orjson

from pages.shared.drawing.display_text import visible
from pages.shared.recording.frame_types import Recording

Numbered = tuple[int, object]
"""A wish of ours: its number, and what is wished for. The same number again asks for nothing."""


@dataclass(frozen=True, slots=True)
class Guide:
    """What a lesson asks of the player at one of its stops.

    The tokens `spot` are marked in the picture, with the rows and arcs made of them; the player
    goes no further than the step `until`. Of the picture, what `veil` names is hidden:
    "sentence", "tables" or "notes". Where not `asks`, the player asks for no predictions of its
    own: a lesson has its own question, which presenter view shows where it is `posed`.
    """

    spot: tuple[str, ...] = ()
    until: int | None = None
    veil: tuple[str, ...] = ()
    asks: bool = True
    posed: bool = False


NO_GUIDE = Guide()


def packed(
    film: Recording,
    windows: Sequence[int],
    key: str,
    *,
    step: Numbered,
    rule: Numbered = (1, 0),
    own: Numbered = (1, ()),
    presenter: bool = False,
    parameters: Mapping[str, str] | None = None,
    lent: Mapping[str, str] | None = None,
    guide: Guide = NO_GUIDE,
    quiet: bool = False,
    page: str = "",
) -> bytes:
    """Return the bytes for the browser: length of the header, header as JSON, head, windows.

    Streamlit takes bytes only at the top level of a component's data, and sends data that did
    not change as a reference. `windows` are the numbers of those that are sent, `page` is the name
    of the page in the address, if it has one: only there does the player write into that.
    """
    blobs = [film.head, *(film.windows[index] for index in windows)]
    header = {
        "key": key,
        "film": film.key,
        "step": step,
        "rule": rule,
        "own": own,
        "presenter": presenter,
        "quiet": quiet,
        "page": page,
        "parameters": parameters or {"step": "", "rule": ""},
        "lent": lent or {},
        **asdict(guide),
        "spot": [visible(token) for token in guide.spot],
        "windows": list(windows),
        "sizes": [len(blob) for blob in blobs],
    }
    text = orjson.dumps(header)
    return b"".join((len(text).to_bytes(4, "little"), text, *blobs))
