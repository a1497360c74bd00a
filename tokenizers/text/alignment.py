"""Text whose characters stay aligned with the raw text through all changes.

`AlignedText` is passed from each stage before the model to the next; its method `replace` edits it.
All positions count characters (code points), never bytes or UTF-16 units.
"""

from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile
from operator import eq

import numpy as np
import regex

from tokenizers.errors import UserError

Edit = tuple[int, int, str]
"""A change of a text: start, end, and the replacement."""
SpanFn = Callable[[int, int], tuple[int, int]]
"""Maps a region of a text to the raw span of its replacement."""


@dataclass(frozen=True, slots=True)
class AlignedText:
    """A text and, for each of its characters, the span of the raw text it came from.

    Neither `starts` nor `ends` ever decrease.
    """

    text: str
    starts: Sequence[int]
    ends: Sequence[int]

    @classmethod
    def raw(cls, text: str) -> "AlignedText":
        """Return a raw text aligned with itself; the ranges take constant memory."""
        return cls(text, range(len(text)), range(1, len(text) + 1))

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the span of the raw text that `text[start:end]` came from.

        An empty slice gives the span of what is inserted there. That is empty, except between two
        characters made from the same raw character (`ﬁ` -> `f|i`), where an empty span would make
        the starts or the ends decrease.

        >>> AlignedText.raw("fiancée").replace([(0, 2, "ﬁ")]).span(0, 2)
        (0, 3)
        """
        if start < end:
            return self.starts[start], self.ends[end - 1]
        before = self.ends[start - 1] if start else 0
        after = self.starts[start] if start < len(self.text) else before
        return after, max(before, after)

    def spans(self, starts: np.ndarray, ends: np.ndarray) -> list[tuple[int, int]]:
        """Return the spans of many slices, none of which is empty; see `span`."""
        firsts, lasts = _as_numpy(self.starts)[starts], _as_numpy(self.ends)[ends - 1]
        return list(zip(firsts.tolist(), lasts.tolist(), strict=True))

    def spread(self, text: str, places: np.ndarray) -> "AlignedText":
        """Return a new text, each of whose characters has the span of the one at its place here."""
        starts, ends = (
            array("I", _as_numpy(positions)[places].astype(np.uintc).tobytes())
            for positions in (self.starts, self.ends)
        )
        return AlignedText(text, starts, ends)

    def part(self, start: int, end: int) -> "AlignedText":
        """Return `text[start:end]` with the alignment of its characters."""
        return AlignedText(self.text[start:end], self.starts[start:end], self.ends[start:end])

    def replace(self, edits: Iterable[Edit], span_fn: SpanFn | None = None) -> "AlignedText":
        """Return the text with each `text[start:end]` replaced by a new string.

        Every new character gets the raw span of the whole region it replaces, or the span that
        `span_fn` returns. Raises UserError unless the edits ascend without overlaps.

        >>> AlignedText.raw("two  spaces").replace([(3, 5, " ")]).span(4, 10)
        (5, 11)
        """
        pieces: list[str] = []
        edits, starts, ends, done = list(edits), array("I"), array("I"), 0
        if not edits:
            return self
        old_starts, old_ends = _as_array(self.starts), _as_array(self.ends)
        for start, end, new in edits:
            if not done <= start <= end <= len(self.text):
                raise UserError(f"edit {start}-{end} overlaps or lies outside the text")
            low, high = (span_fn or self.span)(start, end)
            pieces += self.text[done:start], new
            starts.extend(old_starts[done:start])
            ends.extend(old_ends[done:start])
            starts.extend([low] * len(new))
            ends.extend([high] * len(new))
            done = end
        starts.extend(old_starts[done:])
        ends.extend(old_ends[done:])
        return AlignedText("".join(pieces) + self.text[done:], starts, ends)


def _as_array(positions: Sequence[int]) -> Sequence[int]:
    """Return a range as an array, because slices of arrays extend another array fast."""
    if not isinstance(positions, range):
        return positions
    return array("I", np.arange(positions.start, positions.stop, dtype=np.uintc).tobytes())


def ranges(begins: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Return ranges of numbers, one after the other, each from its begin.

    >>> ranges(np.array([5, 0]), np.array([2, 3])).tolist()
    [5, 6, 0, 1, 2]
    """
    found = np.repeat(begins - (np.cumsum(sizes) - sizes), sizes)
    found += np.arange(len(found))
    return found


def _as_numpy(positions: Sequence[int]) -> np.ndarray:
    """Return positions as an array; NumPy itself would read a range one by one."""
    if isinstance(positions, range):
        return np.arange(positions.start, positions.stop)
    return np.asarray(positions)


def change_words(
    aligned: AlignedText, words: regex.Pattern[str], change: Callable[[str], str]
) -> AlignedText:
    """Replace each matched word by `change(word)`; only the part that differs is edited."""
    edits: list[Edit] = []
    for match in words.finditer(aligned.text):
        word, new = match[0], change(match[0])
        if new != word:
            here, there = changed_part(word, new)
            edits.append((match.start() + here.start, match.start() + here.stop, new[there]))
    return aligned.replace(edits)


def changed_part(before: Sequence[str], after: Sequence[str]) -> tuple[slice, slice]:
    """Return the slices in which two sequences differ, without their common prefix and suffix.

    >>> changed_part("lower", "loser")
    (slice(2, 3, None), slice(2, 3, None))
    """
    head = _shared_length(before, after)
    tail = min(_shared_length(before[::-1], after[::-1]), min(len(before), len(after)) - head)
    return slice(head, len(before) - tail), slice(head, len(after) - tail)


def _shared_length(one: Sequence[str], other: Sequence[str]) -> int:
    return sum(1 for _ in takewhile(bool, map(eq, one, other)))
