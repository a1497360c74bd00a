"""Numbers of a JSON file, rounded as serde_json does, which Hugging Face's library reads with.

Python reads the nearest double. serde_json, unless it is built with `float_roundtrip`, takes as
many digits as fit into 64 bits and then multiplies or divides by a power of ten. The result is up
to a few units in the last place off, which decides between segmentations of equal score. Source:
`parse_integer`, `parse_decimal`, `parse_exponent` and `f64_from_parts` in serde_json's
`src/de.rs`, which this module follows step by step.
"""

import re
from math import inf

_MOST_DIGITS = 308
_POWERS = [float(f"1e{n}") for n in range(_MOST_DIGITS + 1)]
_MAX_U64, _MAX_I32 = 2**64 - 1, 2**31 - 1
_SURELY_FITS = 20
"""A number of as many characters, one of them a point, has at most 19 digits: below 2**64."""
_PARTS = re.compile(r"(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?)0*(\d*))?")


def read_number(literal: str) -> float:
    """Return a JSON number as serde_json rounds it; infinity if that refuses it as too large.

    >>> read_number("-10.04"), read_number("2.5e-308"), float("2.5e-308")
    (-10.04, 2.5000000000000003e-308, 2.5e-308)
    """
    whole, _, fraction = literal.partition(".")
    if len(literal) <= _SURELY_FITS and fraction.isdigit() and whole != "-0":  # nearly all scores
        return int(whole + fraction) / _POWERS[len(fraction)]
    return _read_any(literal)


def integer_as_float(value: int) -> float:
    """Return a whole number as serde_json converts it to a double."""
    return float(value) if abs(value) <= _MAX_U64 else _read_any(str(value))


def _read_any(literal: str) -> float:
    match = _PARTS.fullmatch(literal)
    assert match, literal
    sign, whole, fraction, exponent_sign, exponent = match.groups(default="")
    significand, taken = _take_digits(0, whole)
    shift = len(whole) - taken
    significand, taken = _take_digits(significand, fraction)
    shift -= taken
    power = int(exponent or "0") if len(exponent) <= len(str(_MAX_I32)) else _MAX_I32 + 1
    if power > _MAX_I32:
        value = 0.0 if exponent_sign == "-" or not significand else inf
    else:
        value = _scaled(significand, shift + (-power if exponent_sign == "-" else power))
    return -value if sign else value


def _take_digits(significand: int, digits: str) -> tuple[int, int]:
    """Append digits while the result fits into 64 bits; also return how many were taken."""
    zeros = 0 if significand else len(digits) - len(digits.lstrip("0"))
    for n, digit in enumerate(digits[zeros:], zeros):
        longer = significand * 10 + int(digit)
        if longer > _MAX_U64:
            return significand, n
        significand = longer
    return significand, len(digits)


def _scaled(significand: int, exponent: int) -> float:
    """Return significand * 10**exponent, rounded after each step."""
    value = float(significand)
    while abs(exponent) > _MOST_DIGITS and value:
        if exponent >= 0:
            return inf
        value /= _POWERS[_MOST_DIGITS]
        exponent += _MOST_DIGITS
    if not value:
        return value
    return value * _POWERS[exponent] if exponent >= 0 else value / _POWERS[-exponent]
