"""Write vectors and their products for sentences, with numbers that a person can check."""

from collections.abc import Mapping
from fractions import Fraction

from lessons.format.words import decimal
from tokenizers.experiments.research.transplant import Vector, dot, weighted_sum


def number_text(number: Fraction) -> str:
    """Return a number with at most three decimals.

    >>> number_text(Fraction(-5, 2)), number_text(Fraction(4)), number_text(Fraction(1, 3))
    ('−2.5', '4', '0.333')
    """
    written = decimal(float(number), 3)
    return written.rstrip("0").rstrip(".") if "." in written else written


def vector_text(vector: Vector) -> str:
    """Return a vector's numbers in parentheses.

    >>> vector_text((Fraction(-1), Fraction(3)))
    '(−1, 3)'
    """
    return f"({', '.join(map(number_text, vector))})"


def product_text(first: Vector, second: Vector) -> str:
    """Return the sum that a dot product is, with its result.

    >>> product_text((Fraction(1), Fraction(2)), (Fraction(-1), Fraction(3)))
    '1 × (−1) + 2 × 3 = 5'
    """
    terms = [f"{number_text(a)} × {in_parentheses(b)}" for a, b in zip(first, second, strict=True)]
    return f"{' + '.join(terms)} = {number_text(dot(first, second))}"


def in_parentheses(number: Fraction) -> str:
    """Return a number, in parentheses if it is negative."""
    return f"({number_text(number)})" if number < 0 else number_text(number)


def sum_text(weights: Mapping[str, Fraction], vectors: Mapping[str, Vector]) -> str:
    """Return a weighted sum of vectors, with its result."""
    terms = [f"{in_parentheses(n)} × {vector_text(vectors[t])}" for t, n in weights.items()]
    return f"{' + '.join(terms)} = {vector_text(weighted_sum(weights, vectors))}"
