"""Sampling segmentations: subword regularization (Kudo 2018).

A segmentation of probability p is drawn with probability proportional to p^α: α = 1 follows the
model, α = 0 is uniform, and a large α almost always draws the best. The method is called forward
filtering, backward sampling. It walks back from the end of the string and chooses among a
position's incoming edges by their *shares*, i.e. their fractions of the forward value there.

The convention `sentencepiece` is this exact rule; `hugging_face` is what Hugging Face's library
computes. It applies α again at every position to values that are already scaled, so for any α
except 1 the probabilities are not proportional to p^α.
"""

import math
import random
from bisect import bisect
from collections.abc import Iterator
from itertools import accumulate
from typing import NamedTuple

from tokenizers.errors import UserError
from tokenizers.lattice import LOG_ZERO, Lattice, Path, log_sum_exp

CONVENTIONS = ("sentencepiece", "hugging_face")


class SamplingStep(NamedTuple):
    """One step: a position, its incoming edges, their shares, and the edge that is chosen.

    `number` is the random number in [0, 1). If the shares are laid end to end, it falls into the
    share of the edge `chosen`.
    """

    position: int
    edges: Path
    shares: tuple[float, ...]
    number: float
    chosen: int


class Sampler:
    """Draws any number of paths through a lattice for one α; computes the edges' shares once.

    Raises UserError for an unknown convention, a negative or infinite α, or a lattice without a
    path.
    """

    def __init__(
        self, lattice: Lattice, alpha: float = 1.0, convention: str = "sentencepiece"
    ) -> None:
        if convention not in CONVENTIONS:
            raise UserError(f"the convention is {convention!r}, not one of {CONVENTIONS}")
        _check_alpha(alpha)
        self.lattice = lattice
        self.shares = _shares(lattice, alpha, convention)
        if lattice.text and not self.shares[-1]:
            raise UserError("no path leads through the lattice")
        self._sums = [list(accumulate(shares)) for shares in self.shares]

    def steps(self, rng: random.Random) -> Iterator[SamplingStep]:
        """Yield the choices that draw one path, from the end of the string to its beginning."""
        position = len(self.lattice.text)
        while position:
            edges, sums = self.lattice.arriving[position], self._sums[position]
            number = rng.random()
            chosen = edges[min(bisect(sums, number * sums[-1]), len(edges) - 1)]
            yield SamplingStep(position, edges, self.shares[position], number, chosen)
            position = self.lattice.edges[chosen].start

    def draw(self, rng: random.Random) -> Path:
        """Return one path, drawn at random."""
        return tuple([step.chosen for step in self.steps(rng)])[::-1]

    def probability(self, path: Path) -> float:
        """Return the probability with which `path` is drawn."""
        probability = 1.0
        for number in path:
            end = self.lattice.edges[number].end
            probability *= self.shares[end][self.lattice.arriving[end].index(number)]
        return probability


def _check_alpha(alpha: float) -> None:
    if not 0 <= alpha < math.inf:
        raise UserError(f"alpha is {alpha}; it must be a number that is not below 0")


def _shares(lattice: Lattice, alpha: float, convention: str) -> list[tuple[float, ...]]:
    """Return, for each position, the shares of its incoming edges."""
    values, shares = [0.0], [()]
    for edges in lattice.arriving[1:]:
        incoming = [(values[lattice.edges[n].start], lattice.edges[n].log_prob) for n in edges]
        totals = [before + alpha * log_prob for before, log_prob in incoming]
        value = log_sum_exp(totals)
        shares.append(
            tuple([math.exp(total - value) for total in totals]) if value > LOG_ZERO else ()
        )
        if convention == "hugging_face":  # the library applies α to all values again
            value = log_sum_exp(
                [alpha * (before + log_prob) for before, log_prob in incoming if before > LOG_ZERO]
            )
        values.append(value)
    return shares
