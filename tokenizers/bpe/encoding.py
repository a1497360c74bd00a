"""BPE encoding: replay the merges on each word, the lowest rank first, then the leftmost pair.

`merge_steps` returns one `MergeStep` for each merge in a word; `encode` splits a whole text.
The *rank* of a pair is the number of its merge in training, counted from 0.
"""

import heapq
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any

from tokenizers.bpe.by_rank import merge_by_rank
from tokenizers.bpe.settings import Settings
from tokenizers.errors import UserError
from tokenizers.merging.state import Pair, merged_token
from tokenizers.text.corpus import Pipeline
from tokenizers.text.encoding import Encoding, decode, encode_words
from tokenizers.text.symbols import Split


@dataclass(frozen=True, slots=True)
class Model:
    """A trained BPE model: the id of each piece, and the rank of each merge."""

    vocab: Mapping[str, int]
    ranks: Mapping[Pair, int]
    settings: Settings
    pipeline: Pipeline

    @property
    def unk(self) -> str | None:
        """The piece for an unknown symbol; None with bytes, where every symbol is known."""
        return self.settings.unk

    def encode(self, text: str, dropout: "Dropout | None" = None) -> Encoding:
        """Split `text` into pieces: see the function `encode`."""
        return encode(text, self, dropout)

    def decode(self, ids: Sequence[int]) -> str:
        """Return the text of `ids`: see `encoding.decode`."""
        return decode(ids, self)


@dataclass(frozen=True, slots=True)
class MergeStep:
    """One merge in encoding a word: `pair` begins at index `start` of the word's base symbols.

    Its second symbol begins at index `middle`. `dropped` contains the better candidates, as (rank,
    start), that BPE-dropout skipped.
    """

    rank: int
    pair: Pair
    start: int
    middle: int
    dropped: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Dropout:
    """BPE-dropout (Provilkov et al. 2020): each merge is skipped with probability `p`.

    `for_good` is SentencePiece's variant, where a skipped merge never comes back; otherwise, as in
    the paper and in Hugging Face's library, it gets another chance at the next step. Raises
    UserError unless 0 <= p <= 1.
    """

    p: float
    seed: int = 0
    for_good: bool = False

    def __post_init__(self) -> None:
        if not 0 <= self.p <= 1:
            raise UserError(f"the dropout probability is {self.p}; it must lie between 0 and 1")


def candidates(split: Sequence[str], ranks: Mapping[Pair, int]) -> list[tuple[int, int]]:
    """Return the possible merges, best first, as (rank, index of the left symbol in `split`).

    >>> candidates(("l", "o", "w"), {("o", "w"): 0, ("l", "o"): 1})
    [(0, 1), (1, 0)]
    """
    found = ((ranks.get(pair), i) for i, pair in enumerate(pairwise(split)))
    return sorted((rank, i) for rank, i in found if rank is not None)


def merge_steps(
    symbols: Sequence[str],
    ranks: Mapping[Pair, int],
    dropout: Dropout | None = None,
    rng: random.Random | None = None,
    mark: str = "",
) -> list[MergeStep]:
    """Return the merges that encode one word: the lowest rank first, then the leftmost position.

    The second symbol of a pair loses its leading `mark`. The merging itself is `merge_by_rank`.
    """
    parts: list[Any] = [*((symbol,) for symbol in symbols), (None,)]
    steps: list[MergeStep] = []
    queue = _DropoutQueue(dropout, rng) if dropout and dropout.p else None

    def join(rank: int, i: int, right: list[int]) -> tuple[Any, Any]:
        pair = parts[i] + parts[right[i]]
        dropped: list[tuple[int, int]] = []
        if queue:
            better = {other for other in queue.passed_over(len(parts)) if other < (rank, i)}
            for known, at in sorted(better):
                if ranks.get(parts[at] + parts[right[at]]) == known:  # else a merge has changed it
                    dropped.append((known, at))
        steps.append(MergeStep(rank, pair, i, right[i], tuple(dropped)))
        made = (merged_token(pair, mark),)
        return made, made

    merge_by_rank(parts, parts, ranks.get, join=join, pop=queue.pop if queue else heapq.heappop)
    return steps


class _DropoutQueue:
    """Takes the candidates of a merging from its heap, and passes over some at random."""

    def __init__(self, dropout: Dropout, rng: random.Random | None) -> None:
        self._p, self._for_good = dropout.p, dropout.for_good
        self._draw = (rng or random.Random(dropout.seed)).random
        self._passed_over: list[int] = []

    def pop(self, heap: list[int]) -> int:
        """Return the next candidate that is not passed over; -1 if all are."""
        dropped: list[int] = []
        while heap:
            candidate = heapq.heappop(heap)
            if self._draw() >= self._p:
                for other in () if self._for_good else dropped:
                    heapq.heappush(heap, other)
                return candidate
            dropped.append(candidate)
            self._passed_over.append(candidate)
        return -1

    def passed_over(self, size: int) -> set[tuple[int, int]]:
        """Return the candidates passed over since the last merge, or since the start for good.

        Each is (rank, index of the left symbol); `size` is the number of parts.
        """
        found = {divmod(candidate, size) for candidate in self._passed_over}
        if not self._for_good:
            self._passed_over.clear()
        return found


def split_after(symbols: Sequence[str], steps: Iterable[MergeStep]) -> Split:
    """Return the split that the merges in `steps` make of a word's base `symbols`.

    >>> split_after("lower", [MergeStep(0, ("l", "o"), 0, 1), MergeStep(1, ("e", "r"), 3, 4)])
    ('lo', 'w', 'er')
    """
    texts = dict(enumerate(symbols))
    for step in steps:
        texts[step.start] += texts.pop(step.middle)
    return tuple(texts.values())


def split_word(
    word: str, model: Model, dropout: Dropout | None = None, rng: random.Random | None = None
) -> Split:
    """Return the pieces of `word`; symbols outside the vocabulary are kept unchanged."""
    symbols = model.settings.symbols(word)
    return split_after(symbols, merge_steps(symbols, model.ranks, dropout, rng))


def encode(text: str, model: Model, dropout: Dropout | None = None) -> Encoding:
    """Split `text` into pieces of `model`, each with its span of the raw text."""
    rng = random.Random(dropout.seed) if dropout else None
    split = partial(split_word, model=model, dropout=dropout, rng=rng)
    return encode_words(model.pipeline(text), split, model, cache=dropout is None)
