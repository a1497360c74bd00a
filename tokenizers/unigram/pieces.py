"""What training and pruning hand each other: the pieces at one moment, and how they split."""

from dataclasses import dataclass

import numpy as np

from tokenizers.unigram.batch import Lattices
from tokenizers.unigram.steps import Names


@dataclass(frozen=True, slots=True, eq=False)
class Model:
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

    def is_there(self) -> np.ndarray:
        """Tell for all names whether they are pieces now."""
        there = np.zeros(len(self.names), bool)
        there[self.ids] = True
        return there


@dataclass(frozen=True, slots=True, eq=False)
class Split:
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

    def of(self, wanted: np.ndarray) -> "Split":
        """Return the splits of those pieces for which `wanted` is True."""
        bounds = np.append(0, np.cumsum(self.sizes[wanted]))
        parts = self.parts[np.repeat(wanted, self.sizes)]
        return Split(self.ids[wanted], self.log_probs[wanted], parts, bounds)
