"""The steps of a Unigram training run, as recorded.

EM changes every number in every round, so each step is a snapshot with whole tables of pieces and
numbers. A `PieceTable` behaves like a dictionary, but stores two arrays and refers to the seed
pieces, which all steps share. A run with thousands of pieces takes a few megabytes.

All log probabilities, likelihoods and losses are in nats.
"""

from abc import abstractmethod
from collections.abc import ItemsView, Iterable, Iterator, Mapping, ValuesView
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np


class Names(tuple[str, ...]):
    """The pieces of a run in the order of the seeds; `numbers` maps each to its index."""

    numbers: dict[str, int]

    def __new__(cls, pieces: Iterable[str]) -> "Names":
        """Create names from distinct pieces."""
        self = super().__new__(cls, pieces)
        self.numbers = {piece: number for number, piece in enumerate(self)}
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return Names, (tuple(self),)  # `numbers` is recomputed


Value = TypeVar("Value")


@dataclass(frozen=True, slots=True, eq=False)
class PieceMapping(Mapping[str, Value]):
    """A mapping from pieces in the model's order; `ids` contains their indices in `names`."""

    names: Names
    ids: np.ndarray

    def __len__(self) -> int:
        return len(self.ids)

    def __iter__(self) -> Iterator[str]:
        return map(self.names.__getitem__, self.ids.tolist())

    def __getitem__(self, piece: str) -> Value:
        (places,) = np.nonzero(self.ids == self.names.numbers.get(piece, -1))
        if not len(places):
            raise KeyError(piece)
        return self._value_at(int(places[0]))

    def __contains__(self, piece: object) -> bool:
        return bool((self.ids == self.names.numbers.get(str(piece), -1)).any())

    @abstractmethod
    def _value_at(self, place: int) -> Value:
        """Return the value of the piece at an index of `ids`."""

    # Looking up one piece takes a linear search, so iteration over all of them avoids lookups.

    def items(self) -> ItemsView[str, Value]:
        """Return the pieces with their values, in order."""
        return self.dict().items()

    def values(self) -> ValuesView[Value]:
        """Return the values, in the order of the pieces."""
        return self.dict().values()

    def dict(self) -> "dict[str, Value]":
        """Return a plain dictionary in the same order, faster for many lookups."""
        return {piece: self._value_at(place) for place, piece in enumerate(self)}


@dataclass(frozen=True, slots=True, eq=False)
class PieceTable(PieceMapping[float]):
    """A mapping from pieces to numbers; `array` contains the numbers in the order of `ids`."""

    array: np.ndarray

    def _value_at(self, place: int) -> float:
        return self.array[place].item()

    def ranked(self, limit: int | None = None) -> list[str]:
        """Return the pieces by descending number, at most `limit`; ties keep their order."""
        order = np.argsort(-self.array, kind="stable")[:limit]
        return [self.names[number] for number in self.ids[order].tolist()]


@dataclass(frozen=True, slots=True, eq=False)
class Labels(PieceMapping[str]):
    """A mapping from pieces to labels; `codes` contains each piece's index in `labels`."""

    codes: np.ndarray
    labels: tuple[str, ...]

    def _value_at(self, place: int) -> str:
        code: int = self.codes[place]
        return self.labels[code]


@dataclass(frozen=True, slots=True, eq=False)
class Splits(PieceMapping[tuple[str, ...]]):
    """A mapping from pieces to segmentations; the n-th one is `parts[bounds[n]:bounds[n + 1]]`.

    `parts` contains indices in `names`, or -1 for an unknown character.
    """

    parts: np.ndarray
    bounds: np.ndarray

    def _value_at(self, place: int) -> tuple[str, ...]:
        number: int = self.ids[place]
        whole = self.names[number]
        parts, done = list[str](), 0
        for number in self.parts[self.bounds[place] : self.bounds[place + 1]].tolist():
            parts.append(self.names[number] if number >= 0 else whole[done])
            done += len(parts[-1])
        return tuple(parts)


@dataclass(frozen=True, slots=True, eq=False)
class Seed:
    """The start of a run, i.e. the candidates with their first log probabilities and counts.

    `counts` tells how often each candidate occurs in the text, with some settings times its length.
    The first probabilities are proportional to the counts, or uniform. `word_counts` is the input
    of EM. `required` contains the characters that the vocabulary must contain with their counts,
    the most frequent first; `left_out` contains the characters that become unknown.
    """

    pieces: PieceTable
    counts: PieceTable
    word_counts: Mapping[str, int]
    required: Mapping[str, int]
    left_out: Mapping[str, int] = field(default_factory=dict[str, int])
    round: int = 0

    @property
    def log_probs(self) -> PieceTable:
        """The model after this step."""
        return self.pieces


@dataclass(frozen=True, slots=True, eq=False)
class Expectation:
    """The E step computes expectations over the corpus, with each word weighted by its count.

    `log_probs` is the model used. `expected_counts` contains the expected count of each piece
    (eq. 12), `viterbi_counts` its count in the most probable segmentations. The `log_likelihood`
    (eq. 8) is the sum of `q` (eq. 13) and the `entropy` of the segmentations (eq. 9).
    `best_log_prob` is the log probability of the most probable segmentations. With hard EM,
    `expected_counts` contains the Viterbi counts; the other figures are unaffected.

    `objective` is the figure that the libraries print, -log_likelihood / number of words.
    `num_tokens` is the number of tokens in the corpus's most probable segmentation, and
    `num_tokens_of_words` in that of the distinct words. `unknown` counts unknown characters.
    """

    round: int
    sub_iteration: int
    log_probs: PieceTable
    expected_counts: PieceTable
    viterbi_counts: PieceTable
    log_likelihood: float
    q: float
    entropy: float
    best_log_prob: float
    objective: float
    num_tokens: int
    num_tokens_of_words: int
    unknown: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Maximization:
    """The M step replaces the log probabilities `before` by `after` (eq. 14).

    `dropped` contains the pieces below the minimum expected count, with their expected counts.
    `spared` contains the characters below that minimum that are kept, with the counts used.
    """

    round: int
    sub_iteration: int
    before: PieceTable
    after: PieceTable
    dropped: PieceTable
    spared: PieceTable

    @property
    def log_probs(self) -> PieceTable:
        """The model after this step."""
        return self.after


KEPT_REASONS = ("single character", "no alternative", "better split", "rank")
"""Why a piece was kept. Either it is a character, or it cannot be split, or it is kept although its
best split is more probable, or its loss is among the highest."""

REMOVED_REASONS = ("never used", "better split", "rank")
"""Why a piece was removed. Either it is in no best segmentation, or its best split is more
probable, or its loss is among the lowest."""


@dataclass(frozen=True, slots=True, eq=False)
class Prune:
    """The cost of removing each piece, and the pieces that were removed.

    `before` and `after` are the models. `losses` contains each ranked piece's removal cost in nats,
    `alternatives` its best split into other pieces, and `frequencies` the pieces' counts that the
    loss uses. `order` lists the ranked pieces by descending loss.
    """

    round: int
    before: PieceTable
    after: PieceTable
    losses: PieceTable
    frequencies: PieceTable
    alternatives: Splits
    order: tuple[str, ...]
    removed: tuple[str, ...]
    kept_reasons: Labels
    removed_reasons: Labels

    @property
    def log_probs(self) -> PieceTable:
        """The model after this step."""
        return self.after

    @property
    def size_before(self) -> int:
        """The number of pieces before pruning."""
        return len(self.before)

    @property
    def size_after(self) -> int:
        """The number of pieces after pruning."""
        return len(self.after)


@dataclass(frozen=True, slots=True, eq=False)
class Finalize:
    """The end of a run; `pieces` are in the order of their ids, without the reserved ones.

    `added` contains the restored characters with their new scores, `cut` the pieces beyond the
    final size, and `shadowed` the removed pieces that are less probable than their best split.
    """

    round: int
    pieces: Mapping[str, float]
    reserved: tuple[str, ...]
    added: Mapping[str, float]
    cut: Mapping[str, float]
    shadowed: Mapping[str, float]

    @property
    def log_probs(self) -> Mapping[str, float]:
        """The model after this step."""
        return self.pieces


Step = Seed | Expectation | Maximization | Prune | Finalize
