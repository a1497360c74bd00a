"""Drawing segmentations at random: subword regularization (Kudo 2018).

Every segmentation is drawn with a probability proportional to its own to the power of α: with
α = 1 as the model has it, with α = 0 all alike, with a large α almost always the best. To draw one,
walk back from the end of the string: of the edges that arrive at a position, choose one by the
*share* that it has in the forward value there (forward filtering, backward sampling).

Two conventions: `sentencepiece` is that exact rule. `hugging_face` is what Hugging Face's library
computes: at every position it multiplies by α what it has multiplied before, so that for any α
but 1 the segmentations get other probabilities than p^α.
"""

import math
import random
from bisect import bisect
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from tokenizers.errors import UserError
from tokenizers.lattice import LOG_ZERO, Lattice, Path, log_sum_exp
from tokenizers.lattice.n_best import segmentations

CONVENTIONS = ("sentencepiece", "hugging_face")


class SamplingStep(NamedTuple):
    """One step: at a position, the edges that arrive, their shares, and the one that is chosen.

    `number` is the random number, from 0 up to 1: the shares laid end to end, it falls into that of
    the edge `chosen`.
    """

    position: int
    edges: Path
    shares: tuple[float, ...]
    number: float
    chosen: int


class Sampler:
    """The shares of all edges of a lattice for one α, from which any number of paths is drawn.

    Raises ValueError for a convention that does not exist, an α below 0 or without end, and a
    lattice without a path.
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
    """Return, for each position, the share of each edge that arrives there."""
    values, shares = [0.0], [()]
    for edges in lattice.arriving[1:]:
        ways = [(values[lattice.edges[n].start], lattice.edges[n].log_prob) for n in edges]
        totals = [before + alpha * log_prob for before, log_prob in ways]
        value = log_sum_exp(totals)
        shares.append(
            tuple([math.exp(total - value) for total in totals]) if value > LOG_ZERO else ()
        )
        if convention == "hugging_face":  # what came before is raised to the power of α once more
            value = log_sum_exp(
                [alpha * (before + log_prob) for before, log_prob in ways if before > LOG_ZERO]
            )
        values.append(value)
    return shares


def draw_from_n_best(lattice: Lattice, n: int, alpha: float, rng: random.Random) -> Path:
    """Draw one of the `n` best paths, by their probabilities to the power of `alpha`.

    The other way of SentencePiece's library. To draw more than once, work out `n_best_shares` once.
    Raises ValueError as that does.
    """
    paths, shares = n_best_shares(lattice, n, alpha)
    return rng.choices(paths, shares)[0]


def n_best_shares(lattice: Lattice, n: int, alpha: float) -> tuple[Sequence[Path], Sequence[float]]:
    """Return the `n` best paths and the probability with which each of them is drawn.

    Raises ValueError for an `n` below 1, an α below 0 or without end, and a lattice without a path.
    """
    _check_alpha(alpha)
    if n < 1:
        raise UserError(f"n is {n}; it must be at least 1")
    paths = list(segmentations(lattice, n))
    if not paths:
        raise UserError("no path leads through the lattice")
    logs = [alpha * lattice.log_prob(path) for path in paths]
    total = log_sum_exp(logs)
    return paths, [math.exp(log - total) for log in logs]
