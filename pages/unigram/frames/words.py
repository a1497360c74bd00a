"""The best segmentations of a few words of a Unigram run, under the model of any step."""

from collections.abc import Iterable, Mapping
from itertools import accumulate, pairwise

import numpy as np

from pages.shared.drawing.phrasing import count_of
from pages.shared.recording.frame_types import StripsFrame, TokenStrip
from pages.unigram.frames.tables import dense
from tokenizers.lattice import Lattice, best_path
from tokenizers.text.symbols import Split
from tokenizers.unigram import UNKNOWN_PENALTY
from tokenizers.unigram.steps import Names, PieceTable

WORDS = 8  # words shown at a step
LONGEST = 60  # characters; only the beginning of a longer word is segmented


class WordParts:
    """Substrings of some words that are pieces of a run, looked up in its models by number."""

    def __init__(self, names: Names, words: Iterable[str]) -> None:
        parts = {
            word[start:end]
            for word in words
            for start in range(len(word))
            for end in range(start + 1, len(word) + 1)
        }
        self.parts = [part for part in sorted(parts) if part in names.numbers]
        self._numbers = np.array([names.numbers[part] for part in self.parts], np.int64)

    def of(self, table: Mapping[str, float]) -> dict[str, float]:
        """Return the table's entries for `parts`; parts without an entry are left out."""
        if not isinstance(table, PieceTable):
            return {part: table[part] for part in self.parts if part in table}
        values = dense(table)[self._numbers].tolist()
        return {part: v for part, v in zip(self.parts, values, strict=True) if v == v}


def unknown_of(log_probs: Mapping[str, float]) -> float:
    """Return the log probability of a character that is not a piece of a model."""
    if isinstance(log_probs, PieceTable):
        return float(log_probs.array.min(initial=0.0)) - UNKNOWN_PENALTY
    return min(log_probs.values(), default=0.0) - UNKNOWN_PENALTY


class BestSegmentations:
    """The most frequent words, `most` of them, and the watched one, with their segmentations.

    `names` has all pieces that the run ever has. Only the beginning of a very long word is shown.
    """

    def __init__(
        self, word_counts: Mapping[str, int], names: Names, watched: str = "", most: int = WORDS
    ) -> None:
        ranked = sorted(word_counts, key=lambda word: -word_counts[word])
        shown = ranked[:most]
        if watched and watched not in shown:
            shown = [watched, *shown[: most - 1]]
        self.texts = tuple(shown)
        self.watched = shown.index(watched) if watched else None
        self.hidden = len(set(word_counts) - set(shown))
        self._labels = [_label(word_counts.get(word, 0)) for word in shown]
        self._parts = WordParts(names, [word[:LONGEST] for word in shown])

    def watched_split(self, log_probs: Mapping[str, float]) -> Split:
        """Return the watched word's best segmentation under a model; () if no word is watched."""
        if self.watched is None:
            return ()
        known, unknown = self._parts.of(log_probs), unknown_of(log_probs)
        return _best(self.texts[self.watched], known, unknown)

    def splits(self, log_probs: Mapping[str, float]) -> tuple[Split, ...]:
        """Return the words' best segmentations under a model."""
        known, unknown = self._parts.of(log_probs), unknown_of(log_probs)
        return tuple([_best(word, known, unknown) for word in self.texts])

    def strips(self, before: Iterable[Split], after: Iterable[Split]) -> StripsFrame:
        """Return the strips of a step that changes the segmentations `before` to `after`."""
        rows = zip(self._labels, before, after, strict=True)
        strips = [
            TokenStrip(label, old, new, _new(old, new), old != new) for label, old, new in rows
        ]
        more = f"and {count_of(self.hidden, 'more word')}" if self.hidden else ""
        return StripsFrame(tuple(strips), more)


def _label(count: int) -> str:
    return f"{count:,} ×" if count else "not in the text"


def _best(word: str, known: Mapping[str, float], unknown: float) -> Split:
    lattice = Lattice.build(word[:LONGEST], known, unknown)
    pieces = lattice.pieces(best_path(lattice) or ())
    return (*pieces, "…") if len(word) > LONGEST else pieces


def _new(before: Split, after: Split) -> tuple[int, ...]:
    """Return the indices of pieces of `after` whose span is not a piece of `before`.

    >>> _new(("f", "un"), ("f", "u", "n"))
    (1, 2)
    """
    old = set(_spans(before))
    return tuple([n for n, span in enumerate(_spans(after)) if span not in old])


def _spans(pieces: Split) -> Iterable[tuple[int, int]]:
    return pairwise(accumulate(map(len, pieces), initial=0))
