"""Record how ids become text one at a time, as a chat shows them while a model is writing."""

from collections.abc import Collection, Sequence

from lessons.format.words import RichText
from pages.real.ids.decoding import DecodedIds
from pages.shared.drawing.phrasing import count_of
from pages.shared.recording.frame_types import (
    Column,
    Frame,
    FrameSource,
    JumpTarget,
    NoteFrame,
    PicturePart,
    Recording,
    StripsFrame,
    TableFrame,
    TableRow,
    TokenStrip,
    clip_strip,
)
from pages.shared.recording.packing import record

ROWS = 8  # tokens in the table
PARTS = (
    PicturePart(
        "table",
        "Token by token, the latest first",
        (
            Column("id", "text"),
            Column("token", "tokens"),
            Column("shows", "tokens"),
            Column("held", "number"),
        ),
        min_rows=3,
    ),
    PicturePart("strips", "On the screen, and held back"),
    PicturePart("note", ""),
)


def record_stream(decoded: DecodedIds) -> Recording:
    """Record a stream of the ids that are decoded one by one."""
    frames = _StreamFrames(decoded)
    steps = range(1, len(frames))
    held = [k for k in steps if k - 1 in frames.held(k)]
    whole = [k for k in steps if frames.held(k - 1) and not frames.held(k)]
    marks = [
        JumpTarget("a token is held back", tuple(held)),
        JumpTarget("held tokens are shown", tuple(whole), has_tick=True),
    ]
    return record("Ids become text", PARTS, frames, marks)


class _StreamFrames(FrameSource):
    """The frames of a stream: nothing yet, then one for each token."""

    def __init__(self, decoded: DecodedIds) -> None:
        self.steps = decoded.steps
        self.ids, self.tokens = decoded.ids, tuple(decoded.shown)
        raw = decoded.split.encoding.tokens
        left_out = {*decoded.left_out}
        shown = "".join(step.text for step in self.steps)
        is_whole = len(self.steps) == len(self.ids)
        self._differs = is_whole and not decoded.text.startswith(shown)
        self.is_special = tuple([token in left_out for token in raw])

    def __len__(self) -> int:
        return len(self.steps) + 1

    @property
    def content(self) -> object:
        return self.ids, self.tokens, self.steps, self.is_special, self._differs

    @property
    def largest(self) -> Collection[int]:
        most = max(range(len(self)), key=lambda k: len(self.held(k)))
        return {len(self) - 1, most}

    @property
    def common_tokens(self) -> Sequence[str]:
        return sorted({*self.tokens[: len(self.steps)]})

    def held(self, k: int) -> list[int]:
        """Return the tokens, counted from 0, that are held back after `k`; special ones are not."""
        if not k:
            return []
        since = range(k - self.steps[k - 1].held, k)
        return [n for n in since if self.steps[n].reason == "incomplete" and not self.is_special[n]]

    def frame(self, k: int) -> Frame:
        """Return the frame after `k` tokens."""
        note = NoteFrame(self._last_note() if k == len(self.steps) else ())
        return Frame(self._sentence(k), (self._table(k), self._strips(k), note))

    def _sentence(self, k: int) -> RichText:
        if not k:
            counted = ("strong", count_of(len(self.ids), "id"))
            more = f" Here are the first {len(self.steps):,}." * (len(self.ids) > len(self.steps))
            return counted, f" to decode, one at a time. Only whole characters are shown.{more}"
        step, token = self.steps[k - 1], self.tokens[k - 1]
        begin: RichText = (f"Id {self.ids[k - 1]} is ", ("token", token))
        if step.reason:
            return *begin, self._why_not_shown(k)
        if before := len(self.held(k - 1)):
            whole = f". With the {count_of(before, 'token')} held back, it shows "
            return *begin, whole, ("new", step.text), "."
        return *begin, ". It shows ", ("new", step.text), "."

    def _why_not_shown(self, k: int) -> str:
        reason = self.steps[k - 1].reason
        if reason == "broken":
            return (
                ". The decoder would change what is on the screen: here the library’s stream ends "
                "in an error."
            )
        if self.is_special[k - 1]:
            return ", a special token. It is left out of the text."
        if reason == "incomplete":
            return ". The text ends inside a character, so nothing more is shown yet."
        return ". It adds nothing to the text."

    def _table(self, k: int) -> TableFrame:
        first = max(k - ROWS, 0)
        rows = tuple(self._row(n, n == k - 1) for n in reversed(range(first, k)))
        return TableFrame(rows, count_of(first, "more id") if first else "")

    def _row(self, n: int, is_now: bool) -> TableRow:
        step = self.steps[n]
        shows = (step.text,) if step.text else ()
        return TableRow(
            (str(self.ids[n]), (self.tokens[n],), shows, len(self.held(n + 1))),
            "here" if is_now else "",
        )

    def _strips(self, k: int) -> StripsFrame:
        done = [step.text for step in self.steps[:k] if step.text]
        is_new = bool(k and self.steps[k - 1].text)
        new = (len(done) - 1,) if is_new else ()
        before = tuple(done[:-1] if is_new else done)
        shown = clip_strip(TokenStrip("shown", before, tuple(done), new, changed=is_new))
        earlier, waiting = (
            tuple([self.tokens[n] for n in self.held(at)]) for at in (max(k - 1, 0), k)
        )
        at = (len(waiting) - 1,) if len(waiting) > len(earlier) else ()
        return StripsFrame((shown, clip_strip(TokenStrip("held", earlier, waiting, at))))

    def _last_note(self) -> RichText:
        """Return sentences on tokens still held back at the end, and on a text that differs."""
        count = len(self.held(len(self.steps)))
        verb = "is" if count == 1 else "are"
        held = (
            f"The last {count_of(count, 'token')} held back {verb} never shown by a stream: "
            "nothing completes what they begin. "
        ) * bool(count)
        differs = (
            "Decoded all at once, the ids give another text, the one above: the decoder then "
            "changes what a stream has shown already."
        ) * self._differs
        return ((held + differs).rstrip(),) if held or differs else ()
