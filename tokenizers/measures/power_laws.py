"""Zipf's law of frequencies by rank, and Heaps' law of distinct words by words read.

Both say that one number is about a power of another: a frequency f = C / r ** s of the rank r, and
V = K * n ** b distinct words among n. On logarithmic scales a power is a straight line, and its
exponent is the slope.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

LEAST_COUNT = 2
"""Ranks of rarer words are left out of Zipf's fit: thousands of words that occur once tie."""


@dataclass(frozen=True, slots=True)
class PowerLaw:
    """y = factor * x ** exponent; `r2` is the share of the variance of log y that it explains.

    `log_factor` is in nats: the factor of a steep law, which fits few points, overflows a float.
    """

    exponent: float
    log_factor: float
    r2: float

    def at(self, x: float) -> float:
        """Return the value of the law at `x`; raise OverflowError if it is too great for a float.

        It is not between the lowest and the highest x that were fitted.
        """
        return math.exp(self.log_factor + self.exponent * math.log(x))


def fit_power_law(xs: Sequence[float], ys: Sequence[float]) -> PowerLaw | None:
    """Fit a power law by least squares on the logarithms; None without two different `xs`.

    >>> fit_power_law([1, 10, 100], [50, 5, 0.5]).exponent
    -1.0
    """
    logs = [(math.log(x), math.log(y)) for x, y in zip(xs, ys, strict=True)]
    if len({x for x, _ in logs}) < 2:
        return None
    mean_x, mean_y = (sum(column) / len(logs) for column in zip(*logs, strict=True))
    square = sum((x - mean_x) ** 2 for x, _ in logs)
    slope = sum((x - mean_x) * (y - mean_y) for x, y in logs) / square
    total = sum((y - mean_y) ** 2 for _, y in logs)
    left = sum((y - mean_y - slope * (x - mean_x)) ** 2 for x, y in logs)
    r2 = 1 - left / total if total else 1.0
    return PowerLaw(round(slope, 12), mean_y - slope * mean_x, r2)


def by_rank(counts: Mapping[str, int]) -> list[int]:
    """Return the counts that are not 0, the highest first: the item n has rank n + 1."""
    return sorted((count for count in counts.values() if count), reverse=True)


def fit_zipf(ranked: Sequence[int]) -> PowerLaw | None:
    """Fit Zipf's law to counts by rank, of all ranks whose count is at least `LEAST_COUNT`.

    The exponent s of the law is minus the exponent of the fit.
    """
    frequent = [count for count in ranked if count >= LEAST_COUNT]
    return fit_power_law(range(1, len(frequent) + 1), frequent)


def distinct_read(words: Iterable[str]) -> list[int]:
    """Return the number of distinct words among the first 1, 2, 3 … words.

    >>> distinct_read("the sea and the sand and the wind".split())
    [1, 2, 3, 3, 4, 4, 4, 5]
    """
    seen: set[str] = set()
    curve: list[int] = []
    for word in words:
        seen.add(word)
        curve.append(len(seen))
    return curve


def fit_heaps(curve: Sequence[int]) -> PowerLaw | None:
    """Fit Heaps' law to the curve of `distinct_read`, at every number of words read."""
    return fit_power_law(range(1, len(curve) + 1), curve)


def spread(length: int, most: int) -> list[int]:
    """Return at most `most` indices below `length`, evenly spread on a logarithmic scale.

    >>> spread(1000, 4)
    [0, 9, 99, 999]
    """
    if length <= most:
        return list(range(length))
    steps = [length ** (n / (most - 1)) for n in range(most)]
    return sorted({min(round(step), length) - 1 for step in steps})
