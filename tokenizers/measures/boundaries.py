"""Boundaries inside words: how well the cuts of a tokenizer match those between morphemes.

A boundary is a place inside a word, as the number of characters before it; the beginning and the
end of a word are none. Covers precision, recall and F1, with all words counted together. Left out:
how a tokenizer cuts, and words whose morphemes are spelled otherwise than they stand in the word.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from tokenizers.protocols import Tokenizer


@dataclass(frozen=True, slots=True)
class Boundaries:
    """The boundaries of one word: those drawn, and those that are right."""

    predicted: frozenset[int]
    gold: frozenset[int]

    @property
    def correct(self) -> frozenset[int]:
        """The boundaries that were drawn, and rightly so."""
        return self.predicted & self.gold

    @property
    def wrong(self) -> frozenset[int]:
        """The boundaries that were drawn, but are none."""
        return self.predicted - self.gold

    @property
    def missed(self) -> frozenset[int]:
        """The boundaries that were not drawn."""
        return self.gold - self.predicted


def boundaries(parts: Sequence[str]) -> frozenset[int]:
    """Return the boundaries between the parts of a word; a part of no letters makes none.

    >>> sorted(boundaries(["un", "break", "able"])), sorted(boundaries(["table"]))
    ([2, 7], [])
    """
    ends = list(accumulate(map(len, parts)))
    return frozenset(ends) - {0, *ends[-1:]}


def parts(word: str, at: Iterable[int]) -> tuple[str, ...]:
    """Return the parts of a word that is cut at these boundaries: the reverse of `boundaries`.

    >>> parts("unbreakable", {2, 7})
    ('un', 'break', 'able')
    """
    places = sorted({0, len(word), *at})
    return tuple([word[start:end] for start, end in pairwise(places)])


def boundaries_in_span(spans: Iterable[tuple[int, int]], start: int, end: int) -> frozenset[int]:
    """Return the boundaries of the word from `start` to `end` of a text, given its tokens' spans.

    A token that holds only some bytes of a character has the span of all of it, so that there is no
    boundary within a character.

    >>> sorted(boundaries_in_span([(0, 3), (3, 8), (8, 12)], 1, 12))
    [2, 7]
    """
    return frozenset(first - start for first, _ in spans if start < first < end)


@dataclass(frozen=True, slots=True)
class SegmentedWord:
    """A word cut by a tokenizer: its tokens, where each begins, and the boundaries."""

    tokens: tuple[str, ...]
    starts: tuple[int, ...]
    boundaries: Boundaries


def segment_word(tokenizer: Tokenizer, morphemes: Sequence[str]) -> SegmentedWord:
    """Cut a word as it would be after a space, and hold the cuts to its morphemes.

    The space itself, or the mark in its place, begins before the word.
    """
    word = "".join(morphemes)
    found = tokenizer.encode(f" {word}")
    drawn = boundaries_in_span(found.offsets, 1, 1 + len(word))
    starts = tuple([first - 1 for first, _ in found.offsets])
    return SegmentedWord(found.tokens, starts, Boundaries(drawn, boundaries(morphemes)))


@dataclass(frozen=True, slots=True)
class BoundaryScores:
    """How many boundaries were drawn, how many there are, and how many of them are both."""

    correct: int
    predicted: int
    gold: int

    @property
    def precision(self) -> float:
        """Which part of the boundaries drawn is right; 1 if none was drawn, so none is wrong."""
        return self.correct / self.predicted if self.predicted else 1.0

    @property
    def recall(self) -> float:
        """Which part of the right boundaries was drawn; 1 if there are none to be drawn."""
        return self.correct / self.gold if self.gold else 1.0

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        both = self.predicted + self.gold
        return 2 * self.correct / both if both else 1.0


def boundary_scores(words: Iterable[Boundaries]) -> BoundaryScores:
    """Return the scores of all words together: each boundary counts once, not each word.

    >>> one = Boundaries(boundaries(["unb", "reak", "able"]), boundaries(["un", "break", "able"]))
    >>> boundary_scores([one]).precision
    0.5
    """
    rows = [(len(one.correct), len(one.predicted), len(one.gold)) for one in words]
    return BoundaryScores(*map(sum, zip(*rows, strict=True))) if rows else BoundaryScores(0, 0, 0)
