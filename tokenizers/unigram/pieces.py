"""The state that EM and pruning share: the current model, its pieces' best splits, the lattices."""

from dataclasses import dataclass

import numpy as np

from tokenizers.unigram.batch import Lattices
from tokenizers.unigram.sentencepiece_parity.summation import Summation, addition_ranks
from tokenizers.unigram.settings import Settings
from tokenizers.unigram.steps import Names, PieceTable, Seed


@dataclass(frozen=True, slots=True, eq=False)
class TrainingModel:
    """The current pieces, as indices in `names`, and their log probabilities.

    `log_probs` has an entry for each of `names`; entries that are not among `ids` are unused.
    """

    names: Names
    ids: np.ndarray
    log_probs: np.ndarray

    @property
    def unknown(self) -> float:
        """The log probability of an unknown character, which is 10 nats below the rarest piece."""
        return float(self.log_probs[self.ids].min(initial=0.0)) - 10.0

    def weights(self, lattices: Lattices) -> np.ndarray:
        """Return the log probability of every edge."""
        return lattices.weights(self.log_probs, self.unknown)

    def table(self, values: np.ndarray | None = None) -> PieceTable:
        """Return a table of the pieces with their log probabilities, or with `values` if given.

        `values` has an entry for each of `names`.
        """
        return PieceTable(
            self.names, self.ids, (self.log_probs if values is None else values)[self.ids]
        )

    def is_piece(self) -> np.ndarray:
        """Return for each of `names` whether it is a current piece."""
        there = np.zeros(len(self.names), bool)
        there[self.ids] = True
        return there


@dataclass(frozen=True, slots=True, eq=False)
class BestSplits:
    """The best split of each of the pieces `ids` into other pieces, with its log probability.

    The parts of the n-th split are `parts[bounds[n]:bounds[n + 1]]`; if a piece cannot be split,
    the log probability is -inf.
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
    """The state of a run between two steps, mainly the model and the lattices of all words.

    The lattices are built once; removed pieces are dropped from them. `previous_model` is the model
    that the last E step used, `expected_counts` contains the counts that it computed.
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
        self._addition_ranks = np.zeros(0, np.int32)

    def set_model(self, ids: np.ndarray, log_probs: np.ndarray) -> None:
        """Replace the model by these pieces, in this order, with these log probabilities."""
        fewer = len(ids) < len(self.model.ids)
        self.model = TrainingModel(self.model.names, ids, log_probs)
        if fewer:
            self.lattices = self.lattices.filter_pieces(self.model.is_piece())

    @property
    def summation(self) -> Summation:
        """SentencePiece's order of additions for the current lattices, cached between E steps."""
        if self._summation is None or self._summation.lattices is not self.lattices:
            first = int(self.model.ids[0]) if self.settings.unknown == "first_piece" else None
            kept = self.lattices.edge_numbers
            if kept is None:  # the first E step, of all edges
                self._addition_ranks = addition_ranks(self.lattices)
            ranks = self._addition_ranks if kept is None else self._addition_ranks[kept]
            self._summation = Summation(self.lattices, len(self.model.names), first, ranks)
        return self._summation

    def size(self) -> int:
        """Return the number of pieces, as the schedule counts them."""
        return len(self.model.ids) + self.settings.counts_unknown

    def is_small_enough(self) -> bool:
        """Return whether pruning has reached its target size."""
        return self.size() <= self.settings.desired

    def count_unknown(self, counts: np.ndarray, unknown: float) -> None:
        """Add `unknown`, a count, to the first piece's count if the settings say so."""
        if self.settings.unknown == "first_piece":
            counts[self.model.ids[0]] += unknown
