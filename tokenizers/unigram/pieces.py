"""The state shared by EM and pruning: the current model, splits of pieces, the run."""

from dataclasses import dataclass

import numpy as np

from tokenizers.unigram.batch import Lattices
from tokenizers.unigram.sentencepiece_parity.summation import Summation
from tokenizers.unigram.settings import Settings
from tokenizers.unigram.steps import Names, PieceTable, Seed


@dataclass(frozen=True, slots=True, eq=False)
class TrainingModel:
    """The current pieces, as indices in `names`, and their log probabilities.

    `log_probs` has an entry for all `names`; those that are not among `ids` are unused.
    """

    names: Names
    ids: np.ndarray
    log_probs: np.ndarray

    @property
    def unknown(self) -> float:
        """The log probability of an unknown character: 10 below the lowest."""
        return float(self.log_probs[self.ids].min(initial=0.0)) - 10.0

    def weights(self, lattices: Lattices) -> np.ndarray:
        """Return the log probability of every edge."""
        return lattices.weights(self.log_probs, self.unknown)

    def table(self, values: np.ndarray | None = None) -> PieceTable:
        """Return a table of the pieces with their log probabilities, or with `values` if given.

        `values` has an entry for all names.
        """
        return PieceTable(
            self.names, self.ids, (self.log_probs if values is None else values)[self.ids]
        )

    def is_piece(self) -> np.ndarray:
        """Return for all names whether they are current pieces."""
        there = np.zeros(len(self.names), bool)
        there[self.ids] = True
        return there


@dataclass(frozen=True, slots=True, eq=False)
class BestSplits:
    """The best split of some pieces into others, with its log probability.

    The parts of the n-th are `parts[bounds[n]:bounds[n + 1]]`; if there is no split, the log
    probability is -inf.
    """

    ids: np.ndarray
    log_probs: np.ndarray
    parts: np.ndarray
    bounds: np.ndarray

    @property
    def sizes(self) -> np.ndarray:
        """The number of parts of each piece."""
        return np.diff(self.bounds)

    def select(self, wanted: np.ndarray) -> "BestSplits":
        """Return the splits of the pieces for which `wanted` is True."""
        bounds = np.append(0, np.cumsum(self.sizes[wanted]))
        parts = self.parts[np.repeat(wanted, self.sizes)]
        return BestSplits(self.ids[wanted], self.log_probs[wanted], parts, bounds)


class TrainingState:
    """The state of a run between two steps: the model and the lattices of all words.

    The lattices are built once; removed pieces are dropped from them. `previous_model` is the model
    of the last E step, `expected_counts` are its results.
    """

    def __init__(self, seed: Seed, settings: Settings) -> None:
        self.seed, self.settings = seed, settings
        names = seed.pieces.names
        self.model = self.previous_model = TrainingModel(names, seed.pieces.ids, seed.pieces.array)
        words, counts = list(seed.word_counts), list(seed.word_counts.values())
        self.lattices = Lattices.build(words, counts, names)
        self.num_words = float(sum(counts))
        self.is_character = np.array([len(name) == 1 for name in names])
        self.expected_counts = np.zeros(len(names))
        self._summation: Summation | None = None

    def set_model(self, ids: np.ndarray, log_probs: np.ndarray) -> None:
        """Replace the model by these pieces, in this order, with these log probabilities."""
        fewer = len(ids) < len(self.model.ids)
        self.model = TrainingModel(self.model.names, ids, log_probs)
        if fewer:
            self.lattices = self.lattices.filter_pieces(self.model.is_piece())

    @property
    def summation(self) -> Summation:
        """SentencePiece's order of additions for these lattices; cached between E steps."""
        if self._summation is None or self._summation.lattices is not self.lattices:
            first = int(self.model.ids[0]) if self.settings.unknown == "first_piece" else None
            self._summation = Summation(self.lattices, len(self.model.names), first)
        return self._summation

    def size(self) -> int:
        """Return the number of pieces, as the schedule counts them."""
        return len(self.model.ids) + self.settings.counts_unknown

    def is_small_enough(self) -> bool:
        """Return whether pruning has reached its target size."""
        return self.size() <= self.settings.desired

    def count_unknown(self, counts: np.ndarray, unknown: float) -> None:
        """Add the count of unknown characters to that of the first piece, if so configured."""
        if self.settings.unknown == "first_piece":
            counts[self.model.ids[0]] += unknown
