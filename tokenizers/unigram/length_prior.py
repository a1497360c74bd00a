"""EM with a prior on the number of pieces, which favours shorter or longer segmentations.

The probability of a segmentation into m pieces is a weight w(m) times the product of its pieces, as
in source S4 for encoding; here it is applied in training. The forward and the backward pass keep a
sum for every number of pieces. The time is quadratic in a word's length, so use small corpora.
There is no pruning, and the weights are given, not fitted.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from tokenizers.errors import UserError
from tokenizers.lattice import LOG_ZERO, Lattice, log_sum_exp

Weight = Callable[[int], float]
"""Returns the log weight w(m) of a number of pieces m."""


@dataclass(frozen=True, slots=True)
class LengthPriorFit:
    """Pieces with their log probabilities, and the mean number of pieces per word."""

    log_probs: Mapping[str, float]
    pieces_per_word: float


def geometric(ratio: float) -> Weight:
    """Return weights that grow by the factor `ratio` per piece; a ratio of 1 means no prior.

    Raises UserError if the ratio is not positive.
    """
    if ratio <= 0:
        raise UserError(f"The ratio is {ratio}; it must be more than 0.")
    log = math.log(ratio)
    return lambda pieces: log * (pieces - 1)


def expected_counts(lattice: Lattice, weight: Weight) -> tuple[dict[str, float], float]:
    """Return the expected count of each piece in a text, and the log of the paths' weighted sum.

    If no segmentation has a positive weight, there are no counts and the log is `LOG_ZERO`.
    """
    before, after = _sums(lattice), _sums_back(lattice)
    total = log_sum_exp([log + weight(m) for m, log in before[-1].items()])
    counts: dict[str, float] = defaultdict(float)
    if total == LOG_ZERO:
        return {}, LOG_ZERO
    for edge in lattice.edges:
        for m, left in before[edge.start].items():
            for n, right in after[edge.end].items():
                log = left + edge.log_prob + right + weight(m + 1 + n)
                counts[edge.piece] += math.exp(log - total)
    return dict(counts), total


def _sums(lattice: Lattice) -> list[dict[int, float]]:
    """Return for each position the log sums of the paths from the start, by number of pieces."""
    sums: list[dict[int, float]] = [{0: 0.0}]
    for edges in lattice.arriving[1:]:
        ways = [lattice.edges[number] for number in edges]
        sums.append(_append_piece((edge.log_prob, sums[edge.start]) for edge in ways))
    return sums


def _sums_back(lattice: Lattice) -> list[dict[int, float]]:
    """Return for each position the log sums of the paths to the end, by number of pieces."""
    sums: list[dict[int, float]] = [{} for _ in lattice.leaving]
    sums[-1] = {0: 0.0}
    for start in reversed(range(len(lattice.text))):
        ways = [lattice.edges[number] for number in lattice.leaving[start]]
        sums[start] = _append_piece((edge.log_prob, sums[edge.end]) for edge in ways)
    return sums


def _append_piece(ways: Iterable[tuple[float, Mapping[int, float]]]) -> dict[int, float]:
    """Extend all paths by one piece; return their log sums by number of pieces."""
    found: dict[int, list[float]] = defaultdict(list)
    for log_prob, before in ways:
        for m, log in before.items():
            found[m + 1].append(log + log_prob)
    return {m: log_sum_exp(logs) for m, logs in found.items()}


def fit(
    words: Mapping[str, int], log_probs: Mapping[str, float], weight: Weight, rounds: int
) -> LengthPriorFit:
    """Run EM for `rounds` rounds; ignore words that cannot be split; drop pieces with no count."""
    now, found, split = dict(log_probs), 0.0, 0
    for _ in range(rounds):
        counts: dict[str, float] = defaultdict(float)
        split = 0
        for word, times in words.items():
            expected, total = expected_counts(Lattice.build(word, now), weight)
            split += times if total > LOG_ZERO else 0
            for piece, count in expected.items():
                counts[piece] += times * count
        found = math.fsum(counts.values())
        now = {piece: math.log(n) - math.log(found) for piece, n in counts.items() if n}
    return LengthPriorFit(now, found / split if split else 0.0)
