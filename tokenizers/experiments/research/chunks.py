"""Chunks without a tokenizer: a chunk begins where a vector points elsewhere than the one before.

This is the rule of H-Net (Hwang, Wang and Gu 2025). Its network makes a vector for each byte, in
which what came before is mixed in, and learns the vectors together with everything else. Without
its weights there are no chunks of H-Net's; the rule can be followed with any vectors. A query and a
key are made of each vector by two learned matrices, which both begin as the identity.
"""

import math
from collections.abc import Sequence

Vector = Sequence[float]
BOUNDARY = 0.5
"""A chunk begins where the probability is higher than this."""


def cosine(one: Vector, other: Vector) -> float:
    """Return the cosine of the angle between two vectors; 0 if one of them has no length.

    >>> cosine([3, 0], [5, 0]), cosine([1, 0], [0, 2]), cosine([1, 0], [-1, 0])
    (1.0, 0.0, -1.0)
    """
    lengths = math.hypot(*one) * math.hypot(*other)
    product = sum(a * b for a, b in zip(one, other, strict=True))
    return max(-1.0, min(1.0, product / lengths)) if lengths else 0.0


def boundary_probabilities(queries: Sequence[Vector], keys: Sequence[Vector]) -> list[float]:
    """Return the probability of a chunk's beginning at each vector, which is 1 at the first.

    At the others it is (1 - cos(query, the key before)) / 2.

    >>> boundary_probabilities([[1, 0], [1, 0], [0, 1], [0, -1]], [[1, 0], [1, 0], [0, 1], [0, -1]])
    [1.0, 0.0, 0.5, 1.0]
    """
    return [(1 - cosine(query, keys[t - 1])) / 2 if t else 1.0 for t, query in enumerate(queries)]
