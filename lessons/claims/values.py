"""Computed values of claims, and when a printed value agrees with one.

A printed number agrees if the computed one rounds to it: 0.33 with 1/3, but not 0.16 with 1/6. It
is *near* if it is off by at most a thousandth of the computed one, an error that rounding during
the calculation can cause. Words and tokens agree if they are equal.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal, localcontext
from fractions import Fraction

Value = int | float | Fraction | Decimal | str | tuple[str, ...]
"""A number, a word, or tokens. A claimed number is a Decimal, with its printed digits. A string
compared with a Fraction is parsed as a fraction, such as 63/4096."""

NEAR = Fraction(1, 1000)
"""The relative error up to which a number is near."""
SMALL = 0.1  # numbers below it get four significant digits
BAR = "|"  # between tokens in a sentence
AGREES, NEARLY, DIFFERS = "agrees", "is near", "differs"


@dataclass(frozen=True, slots=True)
class Computed:
    """Values by label, to compare with a claim, and further facts to fill in the claim's reason."""

    values: Mapping[str, Value]
    facts: Mapping[str, Value] = field(default_factory=dict)


def agreement(claimed: Value, computed: Value | None) -> str:
    """Return whether a claimed value agrees, is near, or differs.

    >>> agreement(Decimal("0.33"), Fraction(1, 3)), agreement(Decimal("0.16"), Fraction(1, 6))
    ('agrees', 'differs')
    >>> agreement(Decimal("66.102"), 66.1089), agreement("63/4096", Fraction(63, 4096))
    ('is near', 'agrees')
    """
    if isinstance(claimed, str) and isinstance(computed, Fraction):
        return AGREES if Fraction(claimed) == computed else DIFFERS
    if isinstance(claimed, Decimal) and isinstance(computed, int | float | Fraction):
        exact = Fraction(computed)
        if claimed in (rounded(exact, claimed, way) for way in (ROUND_HALF_UP, ROUND_HALF_EVEN)):
            return AGREES
        return NEARLY if abs(Fraction(claimed) - exact) <= NEAR * abs(exact) else DIFFERS
    return AGREES if claimed == computed else DIFFERS


def rounded(number: Fraction, like: Decimal, way: str = ROUND_HALF_EVEN) -> Decimal:
    """Return the number rounded to as many decimals as `like` has, by the rounding mode `way`."""
    with localcontext() as context:
        context.prec = 60
        exact = Decimal(number.numerator) / Decimal(number.denominator)
        return exact.quantize(like, rounding=way)


def format_value(value: Value | None) -> str:
    """Return a value formatted for a sentence; a number gets at most four decimals.

    >>> format_value(("he", "llo")), format_value(Fraction(1, 6)), format_value(50257)
    ('he|llo', '0.1667', '50,257')
    >>> format_value(0.00324662), format_value(1638.4)
    ('0.003247', '1,638.4')
    """
    if isinstance(value, tuple):
        return BAR.join(value)
    if isinstance(value, Decimal):
        return f"{value:,f}"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float | Fraction):
        number = float(value)
        if 0 < abs(number) < SMALL:
            return f"{number:.4g}"
        return f"{number:,.4f}".rstrip("0").rstrip(".")
    return value or "nothing"


def list_values(values: Mapping[str, Value]) -> str:
    """Return labels and values as one line.

    >>> list_values({"t a": 4, "a t": 20})
    't a 4, a t 20'
    """
    return ", ".join(f"{label} {format_value(value)}" for label, value in values.items())


def yes_or_no(is_so: bool) -> str:
    """Return "yes" or "no"."""
    return "yes" if is_so else "no"


def list_splits(sequences: Sequence[Sequence[str]]) -> str:
    """Return several token sequences as one line.

    >>> list_splits([("he", "llo"), ("hell", "o")])
    'he|llo, hell|o'
    """
    return ", ".join(BAR.join(tokens) for tokens in sequences)
