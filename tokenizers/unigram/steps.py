"""The steps of a Unigram training run, as they are recorded.

EM changes every number every round, so each step is the snapshot: whole tables of pieces and
numbers. A `Table` reads like a dictionary and is kept as two arrays over the seed pieces, which
all steps share, so that a run of thousands of pieces fits in a few megabytes.

All log probabilities, likelihoods and losses are in nats.
"""

from abc import abstractmethod
from collections.abc import ItemsView, Iterable, Iterator, Mapping, ValuesView
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np


class Names(tuple[str, ...]):
    """The pieces of a run, numbered in the order in which the seeds stand: see `numbers`."""

    numbers: dict[str, int]

    def __new__(cls, pieces: Iterable[str]) -> "Names":
        """Take the pieces, all different."""
        self = super().__new__(cls, pieces)
        self.numbers = {piece: number for number, piece in enumerate(self)}
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return Names, (tuple(self),)  # the numbers are made anew


Value = TypeVar("Value")


@dataclass(frozen=True, slots=True, eq=False)
class PieceMapping(Mapping[str, Value]):
    """Something said of some pieces, in the order of the model; `ids` are numbers among `names`."""

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
        """Return what is said of the piece at a place."""

    # To look up one piece means to search for it. Where all are asked for, that would take a time
    # that grows with the square of their number: so they are read off in order instead.

    def items(self) -> ItemsView[str, Value]:
        """Return the pieces with what is said of each, in their order."""
        return self.dict().items()

    def values(self) -> ValuesView[Value]:
        """Return what is said of each piece, in their order."""
        return self.dict().values()

    def dict(self) -> "dict[str, Value]":
        """Return a plain dictionary, in the same order: quicker where many are looked up."""
        return {piece: self._value_at(place) for place, piece in enumerate(self)}


@dataclass(frozen=True, slots=True, eq=False)
class PieceTable(PieceMapping[float]):
    """A number for each piece: `array` holds them, in the order of `ids`."""

    array: np.ndarray

    def _value_at(self, place: int) -> float:
        return self.array[place].item()

    def ranked(self, limit: int | None = None) -> list[str]:
        """Return the pieces, those with the highest numbers first; of equal ones, the earlier."""
        order = np.argsort(-self.array, kind="stable")[:limit]
        return [self.names[number] for number in self.ids[order].tolist()]


@dataclass(frozen=True, slots=True, eq=False)
class Labels(PieceMapping[str]):
    """A word for each piece: `codes` are places in `labels`."""

    codes: np.ndarray
    labels: tuple[str, ...]

    def _value_at(self, place: int) -> str:
        code: int = self.codes[place]
        return self.labels[code]


@dataclass(frozen=True, slots=True, eq=False)
class Splits(PieceMapping[tuple[str, ...]]):
    """A segmentation for each piece: that of the n-th is `parts[bounds[n]:bounds[n + 1]]`.

    `parts` are numbers among `names`, and -1 for a character that is no piece.
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
    """The start: the candidates with their first log probabilities, and what these are made of.

    `counts` is how often a candidate stands in the text, times its length where the start says so;
    the log probabilities are in proportion to it, or all the same. `word_counts` is what EM runs
    over, `required` the characters that the vocabulary must have and how often each occurs, the
    most frequent first, `left_out` those that occur but become unknown.
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
    """The E step: what the model expects of the corpus, every word as often as it occurs.

    `log_probs` is the model that was asked, `expected_counts` how often each piece is expected in
    a segmentation (eq. 12), `viterbi_counts` how often it stands in the most probable ones. The
    `log_likelihood` (eq. 8) is `q` (eq. 13) and the `entropy` of the segmentations together
    (eq. 9). `best_log_prob` is the log probability of the most probable segmentations alone. With
    hard EM, `expected_counts` are the Viterbi counts; the other figures stay what they are.

    `objective` is what the libraries print: -log_likelihood by the number of words. `num_tokens`
    is the length of the corpus in most probable tokens, `num_tokens_of_words` the same with each
    different word taken once. `unknown` is how often a character is expected that is no piece.
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

    `dropped` are the pieces that were expected too seldom, with their expected counts, `spared` the
    characters that were expected as seldom but are kept, with the count they were given.
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
"""Why a piece was kept: as a character, for want of an alternative, though it is better split, or
because its loss is among the highest."""

REMOVED_REASONS = ("never used", "better split", "rank")
"""Why a piece was removed: it stands in no best segmentation, is itself better split than whole, or
its loss is among the lowest."""


@dataclass(frozen=True, slots=True, eq=False)
class Prune:
    """What removing each piece would cost, and which were removed.

    `before` and `after` are the models, `losses` what removing a piece costs, in nats, for those
    that were weighed; `frequencies` how often the loss takes each piece to be used; `alternatives`
    what a piece is split into without it, where the loss works it out. `order` ranks the pieces
    that were weighed, the highest loss first.
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
        """How many pieces there were."""
        return len(self.before)

    @property
    def size_after(self) -> int:
        """How many pieces are left."""
        return len(self.after)


@dataclass(frozen=True, slots=True, eq=False)
class Finalize:
    """The end: the pieces in the order of their ids, without the reserved ones.

    `added` are the characters that had been lost, with the score they were given; `cut` the pieces
    that were too many, with theirs; `shadowed` those less probable than the best of their splits.
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
