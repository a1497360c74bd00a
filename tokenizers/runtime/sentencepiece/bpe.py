"""SentencePiece's BPE, with a file's scores.

A file has no merges. Two neighbours can merge if their concatenation is a piece; the highest score
comes first, then the leftmost position. User-defined pieces are matched first and never merged. If
the result is an unused piece, the merges that made it are undone.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from heapq import heapify, heappop, heappush

from tokenizers.bpe import MergeStep
from tokenizers.runtime.components import Piece
from tokenizers.runtime.sentencepiece.pieces import NO_PIECE, SentencePieceModel
from tokenizers.runtime.token_index import TokenIndex
from tokenizers.text.symbols import Split

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

    # --- Steps ------------------------------------------------------------------------------------

    def symbols(self, word: str) -> Split:
        """Return the symbols of a word before the first merge."""
        ends = self._ends(word)[0]
        return tuple([word[start:end] for start, end in enumerate(ends) if end])

    def steps(self, word: str) -> Iterator[MergeStep]:
        """Yield a word's merges in order, including undone ones; `start` counts symbols."""
        ends, frozen = self._ends(word)
        starts = [start for start, end in enumerate(ends) if end]
        number_of = {start: number for number, start in enumerate(starts)}
        for rank, start, middle, end in self._merges(word, ends, frozen, {}):
            yield MergeStep(rank, (word[start:middle], word[middle:end]), number_of[start])

    def cut(self, word: str) -> list[Piece]:
        """Return the pieces of a word, or of a whole normalized text."""
        ends, frozen = self._ends(word)
        made: dict[str, tuple[str, str]] = {}
        for _ in self._merges(word, ends, frozen, made):
            pass
        if not self.vocabulary.unused:
            bounds = [start for start, end in enumerate(ends) if end]
            return self.vocabulary.cut_at(word, [*bounds, len(word)])
        cuts: list[tuple[int, int, int]] = []
        for start, end in enumerate(ends):
            if end:
                at = start
                for text, id_ in self._undo_merges(word[start:end], made):
                    cuts.append((at, at + len(text), id_))
                    at += len(text)
        return self.vocabulary.pieces(word, cuts)

    def _ends(self, word: str) -> tuple[list[int], set[int]]:
        """Return where the symbol at each position ends (0 if none begins), and frozen starts."""
        ends = list(range(1, len(word) + 1))
        frozen: set[int] = set()
        for start, end in self._frozen.spans(word):
            ends[start:end] = [end] + [0] * (end - start - 1)
            frozen.add(start)
        return ends, frozen

    def _merges(
        self, word: str, ends: list[int], frozen: set[int], made: dict[str, tuple[str, str]]
    ) -> Iterator[tuple[int, int, int, int]]:
        """Yield each merge as its rank, the start of its left and right part, and its end.

        This updates `ends`, and collects each unused piece's two parts in `made`.
        """
        n, rank_of, unused = len(word), self.ranks.get, self.vocabulary.unused
        left, last = [-1] * (n + 1), -1
        for start in range(n):
            if ends[start]:
                left[start], last = last, start

        def candidate(start: int) -> int | None:
            middle = ends[start]
            if middle == n or start in frozen or middle in frozen:
                return None
            rank = rank_of(piece := word[start : ends[middle]])
            if rank is None:
                return None
            if piece in unused:
                made[piece] = word[start:middle], word[middle : ends[middle]]
            return rank * n + start

        # A candidate is one number: rank * n + start.
        heap = [at for start in range(n) if ends[start] and (at := candidate(start)) is not None]
        heapify(heap)
        while heap:
            rank, start = divmod(heappop(heap), n)
            middle = ends[start]
            if not middle or middle == n or rank_of(word[start : ends[middle]]) != rank:
                continue  # outdated by a later merge
            end = ends[start] = ends[middle]
            ends[middle] = 0
            if end < n:
                left[end] = start
            yield rank, start, middle, end
            for place in (left[start], start):
                if place >= 0 and (at := candidate(place)) is not None:
                    heappush(heap, at)

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
