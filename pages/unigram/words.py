"""The words of a Unigram run as it goes on: the best segmentation of a few, under any model."""

from collections.abc import Iterable, Mapping

import numpy as np

from pages.shared.drawing.phrases import count_of
from pages.shared.film.film import Strip, StripsAt
from tokenizers.lattice import Lattice, best_path
from tokenizers.text.symbols import Split
from tokenizers.unigram import UNKNOWN_PENALTY
from tokenizers.unigram.steps import Names, Table

WORDS = 8  # words shown at a step
LONGEST = 60  # characters of a word that are segmented here


class Words:
    """The most frequent words and the one that is watched, with their segmentations.

    `names` are all pieces that the run ever has. A very long word is shown by its beginning.
    """

    def __init__(self, word_counts: Mapping[str, int], names: Names, watched: str = "") -> None:
        ranked = sorted(word_counts, key=lambda word: -word_counts[word])
        shown = ranked[:WORDS]
        if watched and watched not in shown:
            shown = [watched, *shown[: WORDS - 1]]
        self.texts = tuple(shown)
        self.watched = shown.index(watched) if watched else None
        self.hidden = len(set(word_counts) - set(shown))
        self._labels = [_label(word_counts.get(word, 0)) for word in shown]
        longest = max(map(len, names), default=0)
        self._parts = [
            part
            for part in dict.fromkeys(p for word in shown for p in _parts(word[:LONGEST], longest))
            if part in names.numbers
        ]
        self._numbers = np.array([names.numbers[part] for part in self._parts], np.int64)

    def splits(self, log_probs: Mapping[str, float]) -> tuple[Split, ...]:
        """Return the best segmentations under a model."""
        lowest, known = self._known(log_probs)
        return tuple([_best(word, known, lowest - UNKNOWN_PENALTY) for word in self.texts])

    def without(self, log_probs: Mapping[str, float], piece: str) -> tuple[Split, Split] | None:
        """Return the best segmentation of a word that uses a piece, and the best without it.

        The word is the most frequent of those that use it; None where none does.
        """
        lowest, known = self._known(log_probs)
        fewer = {part: log for part, log in known.items() if part != piece}
        for word in self.texts:
            if piece in word and piece in (split := _best(word, known, lowest - UNKNOWN_PENALTY)):
                return split, _best(word, fewer, lowest - UNKNOWN_PENALTY)
        return None

    def _known(self, log_probs: Mapping[str, float]) -> tuple[float, dict[str, float]]:
        """Return the lowest log probability of a model, and those of the parts of these words."""
        if not isinstance(log_probs, Table):
            known = {part: log_probs[part] for part in self._parts if part in log_probs}
            return min(log_probs.values(), default=0.0), known
        of_all = np.full(len(log_probs.names), np.nan)
        of_all[log_probs.ids] = log_probs.array
        values = of_all[self._numbers].tolist()
        pairs = zip(self._parts, values, strict=True)
        known = {part: value for part, value in pairs if value == value}
        return float(log_probs.array.min(initial=0.0)), known

    def strips(self, before: Iterable[Split], after: Iterable[Split]) -> StripsAt:
        """Return the strips of a step that makes `after` of the segmentations `before`."""
        strips = tuple(
            [
                Strip(label, old, new, _new(old, new), old != new)
                for label, old, new in zip(self._labels, before, after, strict=True)
            ]
        )
        return StripsAt(strips, f"and {count_of(self.hidden, 'more word')}" if self.hidden else "")


def _label(count: int) -> str:
    return f"{count:,} ×" if count else "not in the text"


def _parts(word: str, longest: int) -> Iterable[str]:
    for start in range(len(word)):
        for end in range(start + 1, min(start + longest, len(word)) + 1):
            yield word[start:end]


def _best(word: str, known: Mapping[str, float], unknown: float) -> Split:
    lattice = Lattice.build(word[:LONGEST], known, unknown)
    pieces = lattice.pieces(best_path(lattice) or ())
    return (*pieces, "…") if len(word) > LONGEST else pieces


def _new(before: Split, after: Split) -> tuple[int, ...]:
    """Return which pieces of `after` do not stand at that place in `before`.

    >>> _new(("f", "un"), ("f", "u", "n"))
    (1, 2)
    """
    old = set(_spans(before))
    return tuple([n for n, span in enumerate(_spans(after)) if span not in old])


def _spans(pieces: Split) -> list[tuple[int, int]]:
    ends = np.cumsum([len(piece) for piece in pieces]).tolist()
    return list(zip([0, *ends], ends, strict=False))
