"""Format words, counts and sums for the sentences of recordings.

`count_of` in `lessons/format/words.py` writes "3 words" and the like.
"""

import math
from collections.abc import Callable, Sequence
from decimal import Decimal

from lessons.format.words import RichText, count_of, join_list
from pages.shared.drawing.display_text import show_spaces
from tokenizers.text.symbols import BYTE_OF_GLYPH

MAX_NAME_CHARS = 24  # characters of a word in a sentence
MAX_NAMED = 3  # pieces listed in a sentence
MAX_DECIMALS = 6  # decimals at most, to make a sum add up
EXACT_DIGITS = 17  # significant digits that give a float as it is
_SUPERSCRIPTS = str.maketrans("-.0123456789", "⁻·⁰¹²³⁴⁵⁶⁷⁸⁹")


def times(number: int) -> str:
    """Return how often, in words: "once", "twice", "3 times".

    >>> times(1), times(2), times(1200)
    ('once', 'twice', '1,200 times')
    """
    return {1: "once", 2: "twice"}.get(number, f"{number:,} times")


def word_segment(word: str) -> tuple[str, str]:
    """Return the word as a segment of a sentence: with visible spaces, shortened if long.

    >>> word_segment(" low")
    ('word', '·low')
    """
    shown = show_spaces(word)
    return "word", shown if len(shown) <= MAX_NAME_CHARS else shown[: MAX_NAME_CHARS - 1] + "…"


def list_pieces(pieces: Sequence[str], total: int = 0, most: int = MAX_NAMED) -> RichText:
    """Return the first pieces as a list for a sentence; `total` is their number if more than given.

    >>> list_pieces(["a", "b", "c", "d"], most=2)
    (('token', 'a'), ', ', ('token', 'b'), ' and ', '2 more')
    """
    items: list[RichText] = [(("token", piece),) for piece in pieces[:most]]
    more = max(total, len(pieces)) - most
    return join_list([*items, (f"{more:,} more",)] if more > 0 else items)


def byte_legend(token: str) -> RichText:
    """Say which bytes a token of byte-level glyphs stands for; return () for an ASCII token.

    >>> byte_legend("low")
    ()
    >>> byte_legend("Î¬")[2:]
    (' is the bytes CE AC', ', which spell ', ('word', 'ά'))
    """
    if token.isascii():
        return ()
    raw = bytes(BYTE_OF_GLYPH[glyph] for glyph in token)
    text = (" · ", ("token", token), f" is the bytes {raw[:12].hex(' ').upper()}")
    try:
        return (*text, ", which spell ", word_segment(raw.decode()))
    except UnicodeDecodeError:
        return (*text, ", which is not a whole character")


def format_sum(terms: Sequence[float], digits: int = 2) -> tuple[list[str], str]:
    """Return the terms of a sum and the sum as text, rounded such that the text adds up.

    All numbers have as many decimals as this requires, at least `digits`. If no precision is
    enough, the last digit of the largest term is adjusted.

    >>> format_sum([-2.996, -1.897])
    (['−2.996', '−1.897'], '−4.893')
    >>> format_sum([0.5, 0.25, 0.25])
    (['0.50', '0.25', '0.25'], '1.00')
    """
    return format_sums([terms], digits)[0]


def format_sums(sums: Sequence[Sequence[float]], digits: int = 2) -> list[tuple[list[str], str]]:
    """Format several sums like `format_sum`, all with the same number of decimals.

    >>> format_sums([[-2.996, -1.897], [-1.0, -0.5]])
    [(['−2.996', '−1.897'], '−4.893'), (['−1.000', '−0.500'], '−1.500')]
    """
    found = []
    for precision in range(digits, max(digits, MAX_DECIMALS) + 1):
        found = [
            (
                [round(Decimal(term), precision) for term in terms],
                round(Decimal(math.fsum(terms)), precision),
            )
            for terms in sums
        ]
        if all(sum(rounded) == whole for rounded, whole in found):
            break
    for terms, (rounded, whole) in zip(sums, found, strict=True):
        if terms:
            largest = max(range(len(terms)), key=lambda n: abs(terms[n]))
            rounded[largest] += whole - sum(rounded)
    return [
        ([format_decimal(one) for one in terms], format_decimal(whole)) for terms, whole in found
    ]


def format_quotients(
    parts: Sequence[float], whole: float, shown: Callable[[float], str]
) -> tuple[list[str], str]:
    """Return the parts and the whole as text, to divide each part by the whole.

    Each has as few significant digits as it takes (a part at least three, the whole four) that the
    written numbers, divided, give what `shown` makes of the exact quotient.

    >>> format_quotients([0.0142, 1.8646], 6.301, "{:.3g}".format)
    (['0.0142', '1.865'], '6.301')
    """
    texts: list[str | None] = []
    below = ""
    for digits in range(4, EXACT_DIGITS + 1):
        below = format_significant(whole, digits)
        divisor = read_formatted(below)
        texts = [_part_text(part, divisor, shown(part / whole), digits, shown) for part in parts]
        if None not in texts:
            break
    exact = [format_significant(part, EXACT_DIGITS) for part in parts]
    return [text or other for text, other in zip(texts, exact, strict=True)], below


def _part_text(
    part: float, divisor: float, result: str, digits: int, shown: Callable[[float], str]
) -> str | None:
    """Return a part with digits enough for this result, at most two more than `digits`."""
    texts = (format_significant(part, most) for most in range(3, digits + 3))
    return next((text for text in texts if shown(read_formatted(text) / divisor) == result), None)


def format_significant(value: float, digits: int) -> str:
    """Return a number with significant digits; a whole one, or one above 10^digits, as it is.

    >>> format_significant(6.3014, 3), format_significant(26.0, 3), format_significant(12345.6, 3)
    ('6.3', '26', '12,346')
    """
    if value == round(value) or abs(value) >= 10**digits:
        return f"{value:,.0f}".replace("-", "−")
    return f"{value:,.{digits}g}".replace("-", "−")


def read_formatted(text: str) -> float:
    """Return the number that a text of this module shows.

    >>> read_formatted("−1,204.60"), read_formatted("6.4e−05")
    (-1204.6, 6.4e-05)
    """
    return float(text.replace(",", "").replace("−", "-"))


def format_decimal(value: Decimal) -> str:
    """Return a decimal number with a real minus sign; "0" for any zero.

    >>> format_decimal(Decimal("-1.50")), format_decimal(Decimal("-0.00"))
    ('−1.50', '0')
    """
    return f"{value:,f}".replace("-", "−") if value else "0"


def power_text(base: int | str, exponent: int | str) -> str:
    """Return a power with its exponent raised.

    >>> power_text(10, -12), power_text("N", "1.06")
    ('10⁻¹²', 'N¹·⁰⁶')
    """
    return f"{base}{str(exponent).translate(_SUPERSCRIPTS)}"


def ways_text(number: int) -> str:
    """Return a number of segmentations as text; an enormous one as a power of ten.

    >>> ways_text(1), ways_text(9), ways_text(2**70), ways_text(2**40_000)
    ('1 way', '9 ways', 'about 10^21 ways', 'about 10^12,041 ways')
    """
    if number >= 10**15:
        return f"about 10^{int(math.log10(number)):,} ways"  # not by str(): too many digits
    return count_of(number, "way")
