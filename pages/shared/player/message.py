"""What is sent to the player in a browser: a film, and where in it to begin.

Left out: which windows of a long film are sent when, and what the browser answers (`__init__.py`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

import orjson

from pages.shared.drawing.display_text import show_spaces
from pages.shared.recording.frame_types import Recording

Revisioned = tuple[int, object]
"""A wish of ours: its number, and what is wished for. The same number again asks for nothing."""


@dataclass(frozen=True, slots=True)
class Guide:
    """What a lesson asks of the player at one of its stops.

    The tokens `spot` are marked in the picture, with the rows and arcs made of them; the player
    goes no further than the step `until`. Of the picture, what `veil` names is hidden:
    "sentence", "tables" or "notes". Where not `asks`, the player asks for no predictions of its
    own: a lesson has its own question, which presenter view shows where it is `posed`.
    """

    highlights: tuple[str, ...] = ()
    until: int | None = None
    masked: tuple[str, ...] = ()
    has_predictions: bool = True
    shows_question: bool = False


NO_GUIDE = Guide()


def pack_message(
    recording: Recording,
    windows: Sequence[int],
    key: str,
    *,
    step: Revisioned,
    rule: Revisioned = (1, 0),
    path: Revisioned = (1, ()),
    presenter: bool = False,
    url_params: Mapping[str, str] | None = None,
    implicit_params: Mapping[str, str] | None = None,
    guide: Guide = NO_GUIDE,
    lazy: bool = False,
    page: str = "",
) -> bytes:
    """Return the bytes for the browser: length of the header, header as JSON, head, windows.

    Streamlit takes bytes only at the top level of a component's data, and sends data that did
    not change as a reference. `windows` are the numbers of those that are sent, `page` is the name
    of the page in the address, if it has one: only there does the player write into that.
    """
    blobs = [recording.head, *(recording.windows[index] for index in windows)]
    header = {
        "key": key,
        "film": recording.key,
        "step": step,
        "rule": rule,
        "own": path,
        "presenter": presenter,
        "quiet": lazy,
        "page": page,
        "parameters": url_params or {"step": "", "rule": ""},
        "lent": implicit_params or {},
        **asdict(guide),
        "spot": [show_spaces(token) for token in guide.highlights],
        "windows": list(windows),
        "sizes": [len(blob) for blob in blobs],
    }
    text = orjson.dumps(header)
    return b"".join((len(text).to_bytes(4, "little"), text, *blobs))
