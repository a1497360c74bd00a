"""SentencePiece's BPE, with a file's scores.

A file has no merges. Two neighbours can merge if their concatenation is a piece; the highest score
comes first, then the leftmost position. User-defined pieces are matched first and never merged. If
the result is an unused piece, the merges that made it are undone.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any

from tokenizers.bpe import MergeStep, merge_steps
from tokenizers.bpe.by_rank import merge_by_rank
from tokenizers.merging.state import Pair
from tokenizers.runtime.components import Piece
from tokenizers.runtime.models.byte_bpe import ByteMerges
from tokenizers.runtime.sentencepiece.pieces import NO_PIECE, SentencePieceModel
from tokenizers.runtime.token_index import TokenIndex
from tokenizers.text.symbols import Split

_END, _FROZEN = "\ud800", "\ud801"  # lone surrogates, which no piece contains
_MAX_UNDO_DEPTH = 100
"""The maximum depth at which version 0.2.3 undoes merges within parts of undone merges."""


@dataclass(frozen=True)
class SentencePieceBPE(SentencePieceModel):
    """One file's BPE model, run as in version 0.2.1 with `is_classic`, otherwise as in 0.2.3."""

    is_classic: bool = False

    def describe(self) -> str:
        more = "; unknown characters become bytes" if self.vocabulary.bytes else ""
        return (
            "BPE: merges neighbours that together are a piece, the highest score first, with "
            f"{len(self.vocab):,} pieces{more}."
        )

    @cached_property
    def ranks(self) -> dict[str, int]:
        """Maps each piece that merges can make to its score's rank; rank 0 is the highest score."""
        vocabulary = self.vocabulary
        pieces = [*vocabulary.scores, *vocabulary.user_defined, *vocabulary.unused]
        scores = vocabulary.file.scores
        order = sorted({scores[self.vocab[piece]] for piece in pieces}, reverse=True)
        rank_of = {score: rank for rank, score in enumerate(order)}
        return {piece: rank_of[scores[self.vocab[piece]]] for piece in pieces}

    @cached_property
    def _frozen(self) -> TokenIndex:
        return TokenIndex(self.vocabulary.user_defined)

    def symbols(self, word: str) -> Split:
        """Return the symbols of a word before the first merge."""
        starts = self._parts(word)[0]
        return tuple([word[start:end] for start, end in pairwise([*starts, len(word)])])

    def steps(self, word: str) -> list[MergeStep]:
        """Return a word's merges in order, including undone ones; indices count symbols."""
        return merge_steps(self._parts(word)[1], ByteMerges(self.ranks))

    def cut(self, word: str) -> list[Piece]:
        """Return the pieces of a word, or of a whole normalized text."""
        starts, parts = self._parts(word)
        if not self.vocabulary.unused:
            parts.append(_END)
            merge_by_rank(parts, parts, self.ranks.get)
            bounds = [start for start, part in zip(starts, parts, strict=False) if part != _END]
            return self.vocabulary.cut_at(word, [*bounds, len(word)])
        pairs = _PairsOfUnused(self.ranks, self.vocabulary.unused)
        merged = {step.middle for step in merge_steps(parts, pairs)}
        bounds = [start for n, start in enumerate(starts) if n not in merged]
        cuts: list[tuple[int, int, int]] = []
        for at, end in pairwise([*bounds, len(word)]):
            for text, id_ in self._undo_merges(word[at:end], pairs.found):
                cuts.append((at, at + len(text), id_))
                at += len(text)
        return self.vocabulary.pieces(word, cuts)

    def _parts(self, word: str) -> tuple[Sequence[int], list[str]]:
        """Return where each symbol starts, and its text, `_FROZEN` for a user-defined piece."""
        if not (frozen := dict(self._frozen.spans(word))):
            return range(len(word)), [*word]
        starts, start = list[int](), 0
        while start < len(word):
            starts.append(start)
            start = frozen.get(start, start + 1)
        return starts, [_FROZEN if start in frozen else word[start] for start in starts]

    def _undo_merges(
        self, text: str, made: Mapping[str, tuple[str, str]]
    ) -> Iterator[tuple[str, int]]:
        """Yield a symbol itself or, if it is an unused piece, its parts, and so on."""
        waiting = [(text, 0)]
        while waiting:
            text, depth = waiting.pop()
            is_deep = depth > _MAX_UNDO_DEPTH and not self.is_classic
            if text not in self.ranks:
                yield text, NO_PIECE
            elif is_deep or text not in self.vocabulary.unused:
                yield text, self.vocab[text]
            elif text in made:
                waiting += [(part, depth + 1) for part in reversed(made[text])]
            else:
                yield text, self.vocab[text] if self.is_classic else NO_PIECE


@dataclass(frozen=True)  # `super` fails with slots
class _PairsOfUnused(ByteMerges):
    """The ranks of pairs, which also collects the last pair that was seen for each unused piece."""

    unused: Mapping[str, int]
    found: dict[str, Pair] = field(default_factory=lambda: {})

    def get(self, pair: Any, default: Any = None) -> Any:
        rank = super().get(pair, default)
        if rank != default and (piece := "".join(pair)) in self.unused:
            self.found[piece] = pair
        return rank
