"""Unigram as SentencePiece runs it, with the scores of a file.

The best segmentation is that of the whole text, with sums in float32: see the conventions of
`tokenizers.unigram`. `lattice` shows all segmentations of a word, `n_best` lists them in the
library's order.

Where no piece goes on behind the end of a word, the best way leads through every such end. The sum
that comes in from before decides then between ways that are as good as each other, or nearly: by
rounding. So how a word was cut is used again wherever its best way is better than any other by more
than rounding can move.
"""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import inf
from typing import NamedTuple

from tokenizers import unigram
from tokenizers.lattice import Lattice, Path
from tokenizers.runtime.components import Piece
from tokenizers.runtime.sentencepiece.pieces import NO_PIECE, WORDS, SentencePieceModel
from tokenizers.unigram.sentencepiece_parity.float32 import as_float32
from tokenizers.unigram.sentencepiece_parity.n_best import sentencepiece_n_best
from tokenizers.unigram.viterbi import best_and_second

_LEAST_FLOAT = 2.0**-126
"""The least positive number that a float32 has all its digits for."""

_ROUNDING = 2.0**-22
"""Four times what one addition in float32 can be off by, as a share of the sum."""
_MAX_CACHED = 100_000
_MAX_CACHED_LENGTH = 64


class _CachedSplit(NamedTuple):
    """How a word was cut: where its pieces end, their scores, and by how much this is the best way.

    `lead` is what is certain of that: less what rounding may have added to it.
    """

    ends: Sequence[int]
    scores: Sequence[float]
    margin: float


@dataclass(frozen=True)
class SentencePieceUnigram(SentencePieceModel):
    """The model of one file; `convention` is "sentencepiece" (0.2.3) or "…_classic" (0.2.1)."""

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
        """The model as the core has it; what the user has defined outweighs any other piece."""
        return self._core([len(piece.encode()) for piece in self.vocabulary.user_defined])

    @cached_property
    def _core_of_lattices(self) -> unigram.Model:
        """The model of lattices, where user-defined pieces are scored by their characters."""
        logs = self._core(list(map(len, self.vocabulary.user_defined))).log_probs
        return self._model({piece: as_float32(log_prob) for piece, log_prob in logs.items()})

    def _core(self, lengths: Sequence[int]) -> unigram.Model:
        scores = self.vocabulary.scores
        if self.convention == "sentencepiece":
            own = [as_float32(0.1 * (length - 1)) for length in lengths]
        else:
            most = max(_LEAST_FLOAT, max(scores.values()))
            own = [as_float32(length * most) - 0.1 for length in lengths]
        return self._model({**scores, **dict(zip(self.vocabulary.user_defined, own, strict=True))})

    def _model(self, log_probs: dict[str, float]) -> unigram.Model:
        # Without an unknown piece the empty string stands in for it: no text has it as a piece.
        vocab = self.vocab if self.unk else {**self.vocab, "": NO_PIECE}
        return unigram.Model(vocab, log_probs, self.unk or "", convention=self.convention)

    # --- All ways ---------------------------------------------------------------------------------

    def lattice(self, word: str) -> Lattice:
        """Return all segmentations of a normalized text, with what the library gives each edge."""
        return self._core_of_lattices.lattice(word)

    def n_best(self, word: str, n: int) -> list[list[Piece]]:
        """Return the `n` best segmentations, two or more, in the order in which the library does.

        The library lists 512 at most (0.2.3) or 1,024 (0.2.1), none of an empty text.
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
        """Return the `n` best paths, two or more, in the order in which the library lists them."""
        return sentencepiece_n_best(lattice, n, self.convention == "sentencepiece_classic")

    def cut(self, word: str) -> list[Piece]:
        """Return the pieces of a normalized text."""
        bounds = [0]
        if self.vocabulary.ends_with_words:
            here = array("f", [0.0])  # rounds what is put into it
            for match in WORDS.finditer(word):
                start, known = match.start(), self._cut_after(match[0], here)
                bounds += [start + end for end in known.ends]
        else:
            bounds += self._viterbi(word, 0.0)[0].ends
        return self.vocabulary.cut_at(word, bounds)

    def _cut_after(self, word: str, here: "array[float]") -> _CachedSplit:
        """Return how a word is cut behind the sum in `here`, and bring that behind the word."""
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
        """Return by how much rounding may change the lead of one way before another.

        It is anything where the sums may start over within the word.
        """
        deepest = abs(here) + length * self._max_step
        if deepest >= unigram.MAX_NATS and self.convention == "sentencepiece":
            return inf
        return length * _ROUNDING * deepest

    @cached_property
    def _max_step(self) -> float:
        """By how much a sum may change from one character to the next."""
        return max(map(abs, (self.core.unknown, *self.core.pieces.values())))

    def _viterbi(self, word: str, here: float) -> tuple[_CachedSplit, float]:
        """Return how a text is cut behind a sum of `here`, and the sum after it."""
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
