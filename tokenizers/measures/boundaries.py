"""Measure how well a tokenizer's boundaries inside words match those between morphemes.

A boundary is a position inside a word, as the number of characters before it; the start and the
end of a word are not boundaries. Precision, recall and F1 are micro-averaged over all words. The
morphemes must concatenate to the word.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from tokenizers.protocols import Tokenizer


@dataclass(frozen=True, slots=True)
class Boundaries:
    """The boundaries of one word: those predicted by a tokenizer, and the gold ones."""

    predicted: frozenset[int]
    gold: frozenset[int]

    @property
    def correct(self) -> frozenset[int]:
        """The predicted boundaries that are gold boundaries."""
        return self.predicted & self.gold

    @property
    def wrong(self) -> frozenset[int]:
        """The predicted boundaries that are not gold boundaries."""
        return self.predicted - self.gold

    @property
    def missed(self) -> frozenset[int]:
        """The gold boundaries that were not predicted."""
        return self.gold - self.predicted


def boundaries(parts: Sequence[str]) -> frozenset[int]:
    """Return the boundaries between the parts of a word; empty parts are ignored.

    >>> sorted(boundaries(["un", "break", "able"])), sorted(boundaries(["table"]))
    ([2, 7], [])
    """
    ends = list(accumulate(map(len, parts)))
    return frozenset(ends) - {0, *ends[-1:]}


def parts(word: str, at: Iterable[int]) -> tuple[str, ...]:
    """Return the parts of a word between the boundaries `at`, as the inverse of `boundaries`.

    >>> parts("unbreakable", {2, 7})
    ('un', 'break', 'able')
    """
    positions = sorted({0, len(word), *at})
    return tuple([word[start:end] for start, end in pairwise(positions)])


def boundaries_in_span(spans: Iterable[tuple[int, int]], start: int, end: int) -> frozenset[int]:
    """Return the boundaries of the word from `start` to `end`, given the spans of a text's tokens.

    A token that covers only some bytes of a character has the whole character's span, so no
    boundary falls inside a character.

    >>> sorted(boundaries_in_span([(0, 3), (3, 8), (8, 12)], 1, 12))
    [2, 7]
    """
    return frozenset(first - start for first, _ in spans if start < first < end)


@dataclass(frozen=True, slots=True)
class EvaluatedWord:
    """A word split by a tokenizer, with its tokens, the tokens' starts, and the boundaries."""

    tokens: tuple[str, ...]
    starts: tuple[int, ...]
    boundaries: Boundaries


def segment_word(tokenizer: Tokenizer, morphemes: Sequence[str]) -> EvaluatedWord:
    """Split a word as if a space preceded it, and compare the boundaries with its morphemes.

    A token that includes the space, or the mark in the space's place, starts at -1.
    """
    word = "".join(morphemes)
    found = tokenizer.encode(f" {word}")
    drawn = boundaries_in_span(found.offsets, 1, 1 + len(word))
    starts = tuple([first - 1 for first, _ in found.offsets])
    return EvaluatedWord(found.tokens, starts, Boundaries(drawn, boundaries(morphemes)))


@dataclass(frozen=True, slots=True)
class BoundaryScores:
    """The numbers of correct, predicted and gold boundaries, and the scores computed from them."""

    correct: int
    predicted: int
    gold: int

    @property
    def precision(self) -> float:
        """The fraction of predicted boundaries that are correct; 1 if none was predicted."""
        return self.correct / self.predicted if self.predicted else 1.0

    @property
    def recall(self) -> float:
        """The fraction of gold boundaries that were predicted; 1 if there are none."""
        return self.correct / self.gold if self.gold else 1.0

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        both = self.predicted + self.gold
        return 2 * self.correct / both if both else 1.0


def boundary_scores(words: Iterable[Boundaries]) -> BoundaryScores:
    """Return the micro-averaged scores: each boundary counts once, not each word.

    >>> one = Boundaries(boundaries(["unb", "reak", "able"]), boundaries(["un", "break", "able"]))
    >>> boundary_scores([one]).precision
    0.5
    """
    rows = [(len(one.correct), len(one.predicted), len(one.gold)) for one in words]
    return BoundaryScores(*map(sum, zip(*rows, strict=True))) if rows else BoundaryScores(0, 0, 0)
