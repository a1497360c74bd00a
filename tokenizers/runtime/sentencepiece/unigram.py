"""SentencePiece's Unigram, with a file's scores.

The best segmentation is computed over the whole text, with sums in float32 (see the conventions of
`tokenizers.unigram`). `n_best` lists segmentations in the library's order.

A long text is split part by part (see `unigram.many_words`), a short one position by position. If
no piece extends beyond the end of a word, the best path passes through every word end. The sum
before a word can then change the word's split only by rounding, if two paths' scores are nearly
equal. So a word's split is cached and reused if its margin exceeds the possible rounding error.
"""

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import inf
from typing import NamedTuple

import numpy as np

from tokenizers import unigram
from tokenizers.lattice import Lattice, Path
from tokenizers.runtime.components import Piece, PieceColumns
from tokenizers.runtime.sentencepiece.pieces import NO_PIECE, WORDS, SentencePieceModel
from tokenizers.unigram.many_words import best_paths
from tokenizers.unigram.sentencepiece_parity.float32 import as_float32
from tokenizers.unigram.sentencepiece_parity.n_best import sentencepiece_n_best
from tokenizers.unigram.viterbi import best_and_second

_LEAST_FLOAT = 2.0**-126
"""The least normal float32."""

_ROUNDING = 2.0**-22
"""Four times the relative rounding error of one float32 addition."""
_MAX_CACHED = 100_000
_MAX_CACHED_LENGTH = 64


class _CachedSplit(NamedTuple):
    """A word's split, with its pieces' ends and scores, and its margin over other paths.

    `margin` is a lower bound, since the possible rounding error is already subtracted.
    """

    ends: Sequence[int]
    scores: Sequence[float]
    margin: float


@dataclass(frozen=True)
class SentencePieceUnigram(SentencePieceModel):
    """One file's model; `convention` is "sentencepiece" (0.2.3) or "sentencepiece_classic"."""

    convention: str = "sentencepiece"
    _cache: dict[str, _CachedSplit] = field(
        default_factory=dict[str, _CachedSplit], repr=False, compare=False
    )

    def describe(self) -> str:
        more = "; unknown characters become bytes" if self.vocabulary.bytes else ""
        return (
            f"Unigram: finds the most probable way to cut, with {len(self.vocab):,} pieces{more}."
        )

    @cached_property
    def core(self) -> unigram.Model:
        """The model as a `unigram.Model`; user-defined pieces outscore all others."""
        return self._core([len(piece.encode()) for piece in self.vocabulary.user_defined])

    @cached_property
    def _core_of_lattices(self) -> unigram.Model:
        """The model for lattices, where user-defined pieces' scores depend on characters."""
        logs = self._core(list(map(len, self.vocabulary.user_defined))).log_probs
        return self._model({piece: as_float32(log_prob) for piece, log_prob in logs.items()})

    def _core(self, lengths: Sequence[int]) -> unigram.Model:
        scores = self.vocabulary.scores
        if self.convention == "sentencepiece":
            user_scores = [as_float32(0.1 * (length - 1)) for length in lengths]
        else:
            most = max(_LEAST_FLOAT, max(scores.values()))
            user_scores = [as_float32(length * most) - 0.1 for length in lengths]
        return self._model(
            {**scores, **dict(zip(self.vocabulary.user_defined, user_scores, strict=True))}
        )

    def _model(self, log_probs: dict[str, float]) -> unigram.Model:
        # Without an unknown piece, the empty string replaces it: it never matches as a piece.
        vocab = self.vocab if self.unk else {**self.vocab, "": NO_PIECE}
        return unigram.Model(vocab, log_probs, self.unk or "", convention=self.convention)

    # --- All segmentations ------------------------------------------------------------------------

    def lattice(self, word: str) -> Lattice:
        """Return all segmentations of a normalized text, with the library's edge scores."""
        return self._core_of_lattices.lattice(word)

    def n_best(self, word: str, n: int) -> list[list[Piece]]:
        """Return the `n` best segmentations, n ≥ 2, in the library's order.

        The library lists at most 512 (0.2.3) or 1,024 (0.2.1), and none for an empty text.
        """
        if not word:
            return []
        lattice = self.lattice(word)
        vocab = self.vocab
        return [
            self.vocabulary.pieces(
                word,
                [
                    (edge.start, edge.end, vocab[edge.piece] if edge.known else NO_PIECE)
                    for edge in map(lattice.edges.__getitem__, path)
                ],
            )
            for path in self.best_paths(lattice, n)
        ]

    def best_paths(self, lattice: Lattice, n: int) -> list[Path]:
        """Return the `n` best paths, n ≥ 2, in the library's order."""
        return sentencepiece_n_best(lattice, n, self.convention == "sentencepiece_classic")

    def cut(self, word: str) -> list[Piece]:
        """Return the pieces of a normalized text."""
        if columns := self._columns(word):
            return columns.cuts()[0]
        bounds = [0]
        if self.vocabulary.ends_with_words:
            here = array("f", [0.0])  # rounds to float32 on assignment
            for match in WORDS.finditer(word):
                start, known = match.start(), self._cut_after(match[0], here)
                bounds += [start + end for end in known.ends]
        else:
            bounds += self._viterbi(word, 0.0)[0].ends
        return self.vocabulary.cut_at(word, bounds)

    def batch_cutter(self) -> Callable[[Sequence[str]], PieceColumns]:
        """Return a function that splits words as `cut` does; a long one's pieces stay in arrays."""

        def cut_many(words: Sequence[str]) -> PieceColumns:
            columns = self._columns(words[0]) if len(words) == 1 else None
            return columns or PieceColumns.of([*map(self.cut, words)])

        return cut_many

    def _columns(self, text: str) -> PieceColumns | None:
        """Return the pieces of a long text, or None for a text that arrays are no help for."""
        paths = best_paths([text], self.core)
        return paths and self.vocabulary.columns(text, self._ids[paths.numbers], paths.ends)

    @cached_property
    def _ids(self) -> np.ndarray:
        """The ids of the pieces by their number in `core`, and `NO_PIECE` for `UNKNOWN`."""
        ids = self.vocabulary.usable
        return np.array([*map(ids.__getitem__, self.core.pieces), NO_PIECE], np.int64)

    def _cut_after(self, word: str, here: "array[float]") -> _CachedSplit:
        """Return a word's split after the sum in `here[0]`, and add the word's score to it."""
        known = self._cache.get(word)
        if known and known.margin > self._rounding_bound(len(word), here[0]):
            for score in known.scores:
                here[0] += score
            return known
        known, here[0] = self._viterbi(word, here[0])
        if known.margin > 0:
            if len(self._cache) >= _MAX_CACHED:
                self._cache.clear()
            self._cache[word] = known
        return known

    def _rounding_bound(self, length: int, here: float) -> float:
        """Return by how much rounding can change the margin between two paths.

        The result is infinite if the sum may be reset to 0 within the word.
        """
        deepest = abs(here) + length * self._max_step
        if deepest >= unigram.MAX_NATS and self.convention == "sentencepiece":
            return inf
        return length * _ROUNDING * deepest

    @cached_property
    def _max_step(self) -> float:
        """The maximum absolute score of an edge."""
        return max(map(abs, (self.core.unknown, *self.core.pieces.values())))

    def _viterbi(self, word: str, here: float) -> tuple[_CachedSplit, float]:
        """Return a text's split if the sum before it is `here`, and the sum after the text."""
        core, end = self.core, len(word)
        starts, best, second = best_and_second(word, core, here)
        ends: list[int] = []
        while end:
            ends.append(end)
            end = starts[end]
        ends.reverse()
        if len(word) > _MAX_CACHED_LENGTH:
            return _CachedSplit(ends, (), 0.0), best[-1]
        pieces = [word[starts[end] : end] for end in ends]
        scores = [core.pieces.get(piece, core.unknown) for piece in pieces]
        lead = min([best[end] - second[end] for end in ends], default=0.0)
        return _CachedSplit(ends, scores, lead - self._rounding_bound(len(word), here)), best[-1]
