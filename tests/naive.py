"""Reference results from a list of all segmentations by `tokenizers.plain`, in fractions.

Slow and straightforward on purpose, and without the lattice.
"""

import math
from collections import Counter
from fractions import Fraction
from itertools import accumulate, pairwise

from tokenizers.plain import segmentations


def log(fraction):
    """Return the natural logarithm, however small the fraction."""
    return math.log(fraction.numerator) - math.log(fraction.denominator)


def spans(path):
    """Return the span of each piece."""
    return list(pairwise(accumulate(map(len, path), initial=0)))


def edge_shares(paths):
    """Return, for each span of a piece, the share of the paths that use it."""
    total, sums = sum(paths.values()), Counter()
    for path, chance in paths.items():
        for span in spans(path):
            sums[span] += chance
    return Counter({span: chance / total for span, chance in sums.items()})


def entropy(paths):
    """Return the entropy of a path drawn at random, in nats."""
    total = sum(paths.values())
    shares = [chance / total for chance in paths.values()]
    return -math.fsum(share * log(share) for share in shares)


def by_length(paths):
    """Return, for each number of pieces, the probabilities of the paths that have so many."""
    lengths = {}
    for path, chance in paths.items():
        lengths.setdefault(len(path), []).append(chance)
    return lengths


def falls_behind(path, text, chances, unknown=Fraction(0)):
    """Return the positions at which `path` falls further behind the best way there, and how far."""
    behind, chance, least = [], Fraction(1), Fraction(1)
    for piece, (_, end) in zip(path, spans(path), strict=True):
        chance *= chances.get(piece, 0) or unknown
        ratio = max(segmentations(text[:end], chances, unknown).values()) / chance
        if ratio > least:
            behind.append((end, log(ratio)))
            least = ratio
    return behind


def powered(paths, alpha):
    """Return each path's share when its probability is raised to the power of `alpha`."""
    most = max(paths.values())
    powers = {path: math.exp(alpha * log(chance / most)) for path, chance in paths.items()}
    return {path: power / math.fsum(powers.values()) for path, power in powers.items()}


def hugging_face_shares(text, chances, alpha, unknown=Fraction(0)):
    """Return each path's share where the sum at a position is raised to `alpha` at every edge."""
    sums: list[float] = [1.0]
    paths_to: list[dict[tuple, float]] = [{(): 1.0}]
    for end in range(1, len(text) + 1):
        edges = [
            (start, text[start:end], float(chance))
            for start in range(end)
            if paths_to[start]
            and (chance := chances.get(text[start:end], 0) or (unknown if start == end - 1 else 0))
        ]
        weights = [sums[start] * chance**alpha for start, _, chance in edges]
        sums.append(math.fsum([(sums[start] * chance) ** alpha for start, _, chance in edges]))
        paths_to.append(
            {
                (*path, piece): share * weight / math.fsum(weights)
                for (start, piece, _), weight in zip(edges, weights, strict=True)
                for path, share in paths_to[start].items()
            }
        )
    return paths_to[-1]
