"""A vector for a token that a model never had: orthogonal matching pursuit, or the mean.

Goddard and Fernandes Neto, "Training-Free Tokenizer Transplantation via Orthogonal Matching
Pursuit" (2025), write a new token's vector in a donor model as a sum of few weighted vectors of
tokens that both models have, and give the new token the same sum of the base model's vectors. As
in their program (mergekit), a token is chosen by the size of its product with the residual, which
is not divided by the vector's length. Hewitt, "Initializing New Word Embeddings for Pretrained
Language Models" (2021), takes the mean of all vectors. Everything here is exact, in fractions.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tokenizers.errors import UserError

Vector = tuple[Fraction, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """One step: the product of each candidate with the residual, and what is chosen by them.

    `weights` are those of all tokens chosen so far, by least squares. `residual` is what they leave
    of the target.
    """

    products: Mapping[str, Fraction]
    token: str
    weights: Mapping[str, Fraction]
    residual: Vector


def dot(first: Vector, second: Vector) -> Fraction:
    """Return the dot product."""
    return sum((a * b for a, b in zip(first, second, strict=True)), Fraction(0))


def weighted_sum(weights: Mapping[str, Fraction], vectors: Mapping[str, Vector]) -> Vector:
    """Return the sum of the weighted vectors. Raises UserError without any weight."""
    if not weights:
        raise UserError("There is nothing to add up. Choose at least one token.")
    columns = zip(*(vectors[token] for token in weights), strict=True)
    return tuple([dot(tuple(weights.values()), column) for column in columns])


def mean(vectors: Iterable[Vector]) -> Vector:
    """Return the mean of the vectors.

    >>> mean([(Fraction(1), Fraction(3)), (Fraction(2), Fraction(5))])
    (Fraction(3, 2), Fraction(4, 1))
    """
    columns = list(zip(*vectors, strict=True))
    return tuple([sum(column, Fraction(0)) / len(column) for column in columns])


def solve(rows: Sequence[Sequence[Fraction]], right: Sequence[Fraction]) -> list[Fraction]:
    """Return the solution of the linear equations, whose rows must be independent."""
    system = [[*row, value] for row, value in zip(rows, right, strict=True)]
    for n in range(len(system)):
        pivot = next(row for row in system[n:] if row[n])
        system.remove(pivot)
        system.insert(n, pivot := [value / pivot[n] for value in pivot])
        for m, row in enumerate(system):
            if m != n:
                system[m] = [a - row[n] * b for a, b in zip(row, pivot, strict=True)]
    return [row[-1] for row in system]


def pursue(target: Vector, shared: Mapping[str, Vector], most: int) -> Iterator[Choice]:
    """Choose up to `most` shared tokens one by one, and fit the weights of all again each time.

    Of equal products, the first token wins. It ends early when nothing is left, or when what is
    left is orthogonal to all tokens.

    >>> shared = {"lo": (Fraction(2), Fraction(1)), "ow": (Fraction(0), Fraction(2))}
    >>> [step.token for step in pursue((Fraction(3), Fraction(4)), shared, 2)]
    ['lo', 'ow']
    """
    chosen: dict[str, Vector] = {}
    residual = target
    while len(chosen) < most:
        products = {t: dot(v, residual) for t, v in shared.items() if t not in chosen}
        best = max(products, key=lambda token: abs(products[token]), default=None)
        if best is None or not products[best]:
            return
        chosen[best] = shared[best]
        # The residual was orthogonal to the others, and this one is not: they are independent.
        equations = [[dot(a, b) for b in chosen.values()] for a in chosen.values()]
        values = solve(equations, [dot(a, target) for a in chosen.values()])
        weights = dict(zip(chosen, values, strict=True))
        fitted = weighted_sum(weights, chosen)
        residual = tuple([a - b for a, b in zip(target, fitted, strict=True)])
        yield Choice(products, best, weights, residual)
