"""BPE encoding: replay the merges on each word, the lowest rank first, then the leftmost pair.

`merge_steps` yields one `MergeStep` for each merge in a word; `encode` splits a whole text.
The *rank* of a pair is the number of its merge in training, counted from 0.
"""

import heapq
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any

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

    `dropped` contains the better candidates, as (rank, start), that BPE-dropout skipped.
    """

    rank: int
    pair: Pair
    start: int
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
) -> Iterator[MergeStep]:
    """Yield the merges that encode one word: the lowest rank first, then the leftmost position.

    The second symbol of a pair loses its leading `mark`. Takes O(n log n) time for n symbols.
    The symbols form a linked list: `left[i]` and `right[i]` are the starts of the neighbours of
    the symbol that starts at i, and `texts[i]` is None once that symbol has been merged away.
    """
    p, for_good = (dropout.p, dropout.for_good) if dropout else (0.0, False)
    draw = (rng or random.Random(dropout.seed)).random if dropout and p else None
    texts: list[Any] = [*symbols, None]  # the sentinel None at both ends never merges
    left, right = list(range(-1, len(symbols))), list(range(1, len(symbols) + 1))
    heap = candidates(symbols, ranks)  # a sorted list is a heap
    dropped: list[tuple[int, int]] = []  # to be pushed back
    passed_over: list[tuple[int, int]] = []  # since the last merge; since the start if `for_good`

    def rank_at(i: int) -> int | None:
        pair = texts[i], texts[right[i]]
        return None if None in pair else ranks.get(pair)

    while heap:
        candidate = rank, i = heapq.heappop(heap)
        if draw and draw() < p:
            passed_over.append(candidate)
            if not for_good:
                dropped.append(candidate)
            continue
        while dropped:
            heapq.heappush(heap, dropped.pop())
        if rank_at(i) != rank:
            continue  # stale: a merge has changed this pair since
        better = {
            other for other in passed_over if other < candidate and rank_at(other[1]) == other[0]
        }
        if not for_good:
            passed_over.clear()
        j = right[i]
        pair = texts[i], texts[j]
        texts[i], texts[j] = merged_token(pair, mark), None
        right[i] = right[j]
        left[right[j]] = i
        yield MergeStep(rank, pair, i, tuple(sorted(better)))
        for start in (left[i], i):
            if (new := rank_at(start)) is not None:
                heapq.heappush(heap, (new, start))


def split_after(symbols: Sequence[str], steps: Iterable[MergeStep]) -> Split:
    """Return the split that the merges in `steps` make of a word's base `symbols`.

    >>> split_after("lower", [MergeStep(0, ("l", "o"), 0), MergeStep(1, ("e", "r"), 3)])
    ('lo', 'w', 'er')
    """
    texts: dict[int, str] = dict(enumerate(symbols))
    for step in steps:
        first, second = step.pair
        texts[step.start] = first + second
        del texts[step.start + _length(symbols, step.start, first)]
    return tuple(texts.values())


def _length(symbols: Sequence[str], start: int, text: str) -> int:
    """Return how many symbols, starting at index `start`, spell `text`."""
    count, letters = 0, 0
    while letters < len(text):
        letters += len(symbols[start + count])
        count += 1
    return count


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
