"""Text with marked parts, for lessons and pages, and the formatting of numbers.

A `RichText` is a tuple of plain strings and of pairs such as ("token", "est"), drawn as a tile.
Log probabilities are in nats.
"""

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction

Segment = str | tuple[str, str]
"""Plain text, or (kind, text) with kind "token", "new", "strong", "word" or "tie".

Lessons use no "new", a token just made, and no "tie"."""
RichText = tuple[Segment, ...]
Tokens = tuple[str, ...]


def in_row(tokens: Iterable[str]) -> RichText:
    """Return the tokens as tiles with spaces between them.

    >>> in_row(["e", "s"])
    (('token', 'e'), ' ', ('token', 's'))
    """
    parts: list[Segment] = []
    for token in tokens:
        parts += [*([" "] if parts else []), ("token", token)]
    return tuple(parts)


def join_list(items: Sequence[RichText]) -> RichText:
    """Return the items with commas and a last "and".

    >>> join_list([("a",), ("b",), ("c",)])
    ('a', ', ', 'b', ' and ', 'c')
    """
    parts: list[Segment] = []
    for n, item in enumerate(items):
        if n:
            parts.append(" and " if n == len(items) - 1 else ", ")
        parts += item
    return tuple(parts)


def plain(text: RichText) -> str:
    """Return the text as a string, with tokens in backticks as in a lesson's source.

    >>> plain(("Merge ", ("token", "e"), "."))
    'Merge `e`.'
    """
    marks = {"token": "``", "word": "“”", "strong": ("", "")}
    return "".join(
        part if isinstance(part, str) else marks[part[0]][0] + part[1] + marks[part[0]][1]
        for part in text
    )


def name_list(words: Iterable[str], most: int = 8) -> str:
    """Return a list of names for a sentence, truncated to the first `most`.

    >>> name_list(["at", "ag", "cat"], 2)
    'at, ag and 1 more'
    """
    known = list(words)
    if not known:
        return "nothing"
    rest = len(known) - most
    return ", ".join(known[:most]) + (f" and {rest:,} more" if rest > 0 else "")


def count_of(number: int, noun: str) -> str:
    """Return the number with its noun, in the plural unless the number is 1.

    >>> count_of(1, "word"), count_of(1200, "word")
    ('1 word', '1,200 words')
    """
    return f"{number:,} {noun if number == 1 else noun + 's'}"


def rounded_number(number: int) -> str:
    """Return a whole number as text, from a trillion on as a power of ten.

    >>> rounded_number(3_654_720), rounded_number(1006 * 10**18), rounded_number(19999 * 10**20)
    ('3,654,720', 'about 1.01 × 10²¹', 'about 2.00 × 10²⁴')
    """
    if number < 10**12:
        return f"{number:,}"
    power = len(str(number)) - 1
    hundredths = (number + 5 * 10 ** (power - 3)) // 10 ** (power - 2)
    if hundredths == 1_000:
        power, hundredths = power + 1, 100
    return f"about {hundredths / 100:.2f} × 10{str(power).translate(_SUPERSCRIPTS)}"


_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def tokens_text(count: int) -> str:
    """Return the number with "token" or "tokens"."""
    return count_of(count, "token")


def decimal(value: float, places: int = 2) -> str:
    """Return a number with `places` decimals and a proper minus sign.

    >>> decimal(-2.0794), decimal(0.0), decimal(-math.inf)
    ('−2.08', '0.00', '−∞')
    """
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    return f"{round(value, places) + 0.0:.{places}f}".replace("-", "−")


def percent(share: float | Fraction) -> str:
    """Return a share as a percentage with at most one decimal; only 0 and 1 are "0%" and "100%".

    >>> percent(Fraction(1, 3)), percent(0.5), percent(1.0), percent(0.99999), percent(9.9e-7)
    ('33.3%', '50%', '100%', 'over 99.9%', 'under 0.1%')
    """
    if 0 < share < 0.001:
        return "under 0.1%"
    if 0.999 < share < 1 - 1e-12:
        return "over 99.9%"
    return f"{100 * float(share):.1f}".removesuffix(".0") + "%"


def small(value: float) -> str:
    """Return a number, usually from 0 to 1, with four significant digits.

    >>> small(1 / 3), small(1.0), small(0.000125)
    ('0.3333', '1', '0.000125')
    """
    return f"{value:.4g}"


def estimated(value: float) -> str:
    """Return a probability or expected count with three significant digits, as in pictures.

    >>> estimated(1 / 6), estimated(64.82), estimated(3.0), estimated(1234.5), estimated(9.9e-7)
    ('0.167', '64.8', '3', '1,234', 'practically 0')
    """
    if 0 < value < 1e-6:
        return "practically 0"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}".replace("-", "−")
