"""What training and pruning hand each other: the pieces at one moment, how they split, the run."""

from dataclasses import dataclass

import numpy as np

from tokenizers.unigram.batch import Lattices
from tokenizers.unigram.sentencepiece_parity.summation import Summation
from tokenizers.unigram.settings import Settings
from tokenizers.unigram.steps import Names, PieceTable, Seed


@dataclass(frozen=True, slots=True, eq=False)
class TrainingModel:
    """The pieces at one moment: their numbers in order, and the log probability of each number.

    `log_probs` has a number for all `names`; those that are not among `ids` mean nothing.
    """

    names: Names
    ids: np.ndarray
    log_probs: np.ndarray

    @property
    def unknown(self) -> float:
        """The log probability of a character that is no piece: 10 below the lowest."""
        return float(self.log_probs[self.ids].min(initial=0.0)) - 10.0

    def weights(self, lattices: Lattices) -> np.ndarray:
        """Return the log probability of every edge."""
        return lattices.weights(self.log_probs, self.unknown)

    def table(self, values: np.ndarray | None = None) -> PieceTable:
        """Return a table of the pieces: of their log probabilities, or of one value for each name.

        `values` has one for all names, those included that are no pieces.
        """
        return PieceTable(
            self.names, self.ids, (self.log_probs if values is None else values)[self.ids]
        )

    def is_piece(self) -> np.ndarray:
        """Tell for all names whether they are pieces now."""
        there = np.zeros(len(self.names), bool)
        there[self.ids] = True
        return there


@dataclass(frozen=True, slots=True, eq=False)
class BestSplits:
    """The best split of some pieces into others: for each `log_probs` of it, and its parts.

    The parts of the n-th are `parts[bounds[n]:bounds[n + 1]]`; where there is none, the log
    probability is -inf.
    """

    ids: np.ndarray
    log_probs: np.ndarray
    parts: np.ndarray
    bounds: np.ndarray

    @property
    def sizes(self) -> np.ndarray:
        """How many parts each piece has."""
        return np.diff(self.bounds)

    def select(self, wanted: np.ndarray) -> "BestSplits":
        """Return the splits of those pieces for which `wanted` is True."""
        bounds = np.append(0, np.cumsum(self.sizes[wanted]))
        parts = self.parts[np.repeat(wanted, self.sizes)]
        return BestSplits(self.ids[wanted], self.log_probs[wanted], parts, bounds)


class TrainingState:
    """A run between two steps: the model, the one before it, and the lattices of all words.

    The lattices are looked for once; pieces that go are taken out of them. `before` is the model
    that the last E step asked, `expected` what it expected of each name.
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
        """Take these pieces, in this order, with these log probabilities."""
        fewer = len(ids) < len(self.model.ids)
        self.model = TrainingModel(self.model.names, ids, log_probs)
        if fewer:
            self.lattices = self.lattices.filter_pieces(self.model.is_piece())

    @property
    def summation(self) -> Summation:
        """The order in which SentencePiece adds along these lattices; two E steps share it."""
        if self._summation is None or self._summation.lattices is not self.lattices:
            first = int(self.model.ids[0]) if self.settings.unknown == "first_piece" else None
            self._summation = Summation(self.lattices, len(self.model.names), first)
        return self._summation

    def size(self) -> int:
        """Return how many pieces there are to be pruned, as the schedule counts them."""
        return len(self.model.ids) + self.settings.counts_unknown

    def is_small_enough(self) -> bool:
        """Tell whether nothing more needs to be pruned."""
        return self.size() <= self.settings.desired

    def count_unknown(self, counts: np.ndarray, unknown: float) -> None:
        """Add to `counts` what characters count that are no piece, if a piece stands for them."""
        if self.settings.unknown == "first_piece":
            counts[self.model.ids[0]] += unknown
