"""Format numbers for worksheets, with few digits and a real minus sign."""

from fractions import Fraction

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
SMALLEST = 0.001  # smallest number written without a power of ten


def decimals(value: float | Fraction, digits: int = 2) -> str:
    """Return a number with `digits` decimals.

    >>> decimals(-1.234), decimals(-0.001)
    ('−1.23', '0.00')
    """
    return f"{round(float(value), digits) + 0.0:.{digits}f}".replace("-", "−")


def significant(value: float | Fraction, digits: int = 3) -> str:
    """Return a positive number with `digits` significant digits.

    >>> significant(0.0123456), significant(0.000012345), significant(0.000099999), significant(1)
    ('0.0123', '1.23 × 10⁻⁵', '1.00 × 10⁻⁴', '1.00')
    """
    if value >= SMALLEST or not value:
        return f"{float(value):#.{digits}g}"
    head, power = f"{float(value):.{digits - 1}e}".split("e")
    return f"{head} × 10{str(int(power)).translate(_RAISED)}"
