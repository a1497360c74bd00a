"""Recordings for tests: made of given frames, and read as the browser reads them."""

import json
import zlib
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from pages.shared.recording.frame_types import (
    Frame,
    FrameSource,
    JumpTarget,
    PicturePart,
    Recording,
)
from pages.shared.recording.packing import record


class ListedFrames(FrameSource):
    """Frames that are made already; `created` are the tokens that the steps create."""

    def __init__(self, frames: Iterable[Frame], created: Sequence[str | None] = ()) -> None:
        self.frames, self.created = list(frames), created

    def __len__(self) -> int:
        return len(self.frames)

    def frame(self, k: int) -> Frame:
        return self.frames[k]

    @property
    def content(self) -> object:
        return self.frames

    @property
    def largest(self) -> Collection[int]:
        return range(len(self))

    @property
    def new_tokens(self) -> Sequence[str | None]:
        return self.created


def record_frames(
    title: str,
    parts: tuple[PicturePart, ...],
    frames: Iterable[Frame],
    marks: Iterable[JumpTarget] = (),
    rules: tuple[()] | tuple[str, str] = (),
    created: Sequence[str | None] = (),
) -> Recording:
    """Record the given frames."""
    return record(title, parts, ListedFrames(frames, created), marks, rules)


def opened(packed: bytes) -> Any:
    """Return the head or a window of a recording."""
    return json.loads(zlib.decompress(packed))


def packed_text(head: dict[str, Any], sentence: Iterable[Any]) -> str:
    """Return the plain text of a packed sentence."""
    segments = [("", part) if isinstance(part, str) else part for part in sentence]
    tokens = head["tokens"]
    return "".join(tokens[it][0] if kind in ("token", "new") else it for kind, it in segments)


def unpacked(recording: Recording) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return the head, with the tokens of all windows by their numbers, and all frames.

    The reasons of a lattice's arcs are texts, as the player shows them.
    """
    head, frames = opened(recording.head), []
    head["tokens"] = dict(enumerate(head["tokens"]))
    for window in map(opened, recording.windows):
        head["tokens"] |= dict(enumerate(window["tokens"], start=window["first"]))
        for frame in window["frames"]:
            for part in (*frame["parts"], *frame.get("other", {"parts": ()})["parts"]):
                if "reasons" in part:
                    part["reasons"] = [window["reasons"][n] for n in part["reasons"]]
        frames += window["frames"]
    return head, frames
