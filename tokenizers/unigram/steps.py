"""The steps of a Unigram training run, as recorded.

EM changes every number in every round, so each step is a snapshot: whole tables of pieces and
numbers. A `PieceTable` behaves like a dictionary, but stores two arrays over the seed pieces that
all steps share: a run with thousands of pieces takes a few megabytes.

All log probabilities, likelihoods and losses are in nats.
"""

from abc import abstractmethod
from collections.abc import ItemsView, Iterable, Iterator, Mapping, ValuesView
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np


class Names(tuple[str, ...]):
    """The pieces of a run in the order of the seeds; `numbers` maps them to their indices."""

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
    """A mapping from pieces, in the order of the model; `ids` are their indices in `names`."""

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
    """A mapping to numbers: `array` holds them, in the order of `ids`."""

    array: np.ndarray

    def _value_at(self, place: int) -> float:
        return self.array[place].item()

    def ranked(self, limit: int | None = None) -> list[str]:
        """Return the pieces by descending number; ties stay in order."""
        order = np.argsort(-self.array, kind="stable")[:limit]
        return [self.names[number] for number in self.ids[order].tolist()]


@dataclass(frozen=True, slots=True, eq=False)
class Labels(PieceMapping[str]):
    """A mapping to labels: `codes` are indices in `labels`."""

    codes: np.ndarray
    labels: tuple[str, ...]

    def _value_at(self, place: int) -> str:
        code: int = self.codes[place]
        return self.labels[code]


@dataclass(frozen=True, slots=True, eq=False)
class Splits(PieceMapping[tuple[str, ...]]):
    """A mapping to segmentations: that of the n-th piece is `parts[bounds[n]:bounds[n + 1]]`.

    `parts` are indices in `names`, or -1 for an unknown character.
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
    """The start: the candidates with their first log probabilities and counts.

    `counts` is how often a candidate occurs in the text, times its length with some settings; the
    probabilities are proportional to it, or uniform. `word_counts` is the input of EM, `required`
    the characters that the vocabulary must contain with their counts, the most frequent first,
    `left_out` those that become unknown.
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
    """The E step: expectations over the corpus, with each word weighted by its count.

    `log_probs` is the model used, `expected_counts` the expected count of each piece (eq. 12),
    `viterbi_counts` its count in the most probable segmentations. The `log_likelihood` (eq. 8) is
    the sum of `q` (eq. 13) and the `entropy` of the segmentations (eq. 9). `best_log_prob` is the
    log probability of the most probable segmentations. With hard EM, `expected_counts` are the
    Viterbi counts; the other figures are unaffected.

    `objective` is the figure that the libraries print: -log_likelihood / number of words.
    `num_tokens` is the length of the corpus in most probable tokens, `num_tokens_of_words` the same
    for the distinct words. `unknown` is the expected count of unknown characters.
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
    """The M step: the log probabilities `before` and `after` (eq. 14).

    `dropped` are the pieces below the minimum expected count, with their expected counts, `spared`
    the characters below it that are kept, with the count they were given.
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
"""Why a piece was kept: it is a character, it has no alternative, it is kept although its split is
better, or its loss is among the highest."""

REMOVED_REASONS = ("never used", "better split", "rank")
"""Why a piece was removed: it is in no best segmentation, its split is better, or its loss is among
the lowest."""


@dataclass(frozen=True, slots=True, eq=False)
class Prune:
    """The losses of removing each piece, and the pieces that were removed.

    `before` and `after` are the models, `losses` the cost of removing a piece, in nats, for those
    that were ranked; `frequencies` the count of each piece that the loss uses; `alternatives` the
    split of a piece without it, if the loss computes it. `order` ranks pieces by descending loss.
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
    """The end: the pieces in the order of their ids, without the reserved ones.

    `added` are the restored characters with their new scores; `cut` the pieces beyond the final
    size with theirs; `shadowed` those less probable than their best split.
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
