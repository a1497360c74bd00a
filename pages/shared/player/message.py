"""The message to the player in a browser: a recording and the state to show it in.

`message.d.ts` holds its types, `__init__.py` chooses the windows to send.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pages.shared.component import pack_message
from pages.shared.drawing.display_text import show_spaces
from pages.shared.recording.frame_types import Recording

Revisioned = tuple[int, object]
"""A revision and a value; the browser adopts the value only when the revision changes."""


@dataclass(frozen=True, slots=True)
class Guide:
    """How a lesson's stop restricts the player.

    `highlights` are tokens to mark in the picture, along with their rows and arcs. `until` is the
    last reachable step. `masked` may contain "sentence", "tables" and "notes", which are hidden.
    Without `has_predictions` the player asks no questions of its own; if `shows_question`,
    presenter view shows the lesson's question.
    """

    highlights: tuple[str, ...] = ()
    until: int | None = None
    masked: tuple[str, ...] = ()
    has_predictions: bool = True
    shows_question: bool = False


NO_GUIDE = Guide()


def pack_player_message(
    recording: Recording,
    windows: Sequence[int],
    key: str,
    *,
    step: Revisioned,
    rule: Revisioned = (1, 0),
    path: Revisioned = (1, ()),
    url_params: Mapping[str, str] | None = None,
    implicit_params: Mapping[str, str] | None = None,
    guide: Guide = NO_GUIDE,
    lazy: bool = False,
    page: str = "",
    has_room: bool = False,
) -> bytes:
    """Return the message as bytes; its blobs are the head and the windows of frames.

    `windows` has the indices to send. `page` is the page's name in the URL, if it has one; the
    player writes to the URL only on that page. With `has_room`, the player offers a live room,
    which needs the server.
    """
    blobs = [recording.head, *(recording.windows[index] for index in windows)]
    header = {
        "key": key,
        "recording": recording.key,
        "step": step,
        "rule": rule,
        "path": path,
        "lazy": lazy,
        "page": page,
        "urlParams": url_params or {"step": "", "rule": ""},
        "implicitParams": implicit_params or {},
        "highlights": [show_spaces(token) for token in guide.highlights],
        "until": guide.until,
        "masked": guide.masked,
        "hasRoom": has_room,
        "hasPredictions": guide.has_predictions,
        "showsQuestion": guide.shows_question,
        "windows": list(windows),
    }
    return pack_message(header, blobs)
