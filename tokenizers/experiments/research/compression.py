"""Byte pair encoding as Philip Gage published it in 1994: to make a file smaller.

The most frequent pair of neighbouring bytes is replaced by a byte that the data does not use, again
and again, until no byte is unused or no pair is frequent enough. There are no words, and no size to
reach. Whoever expands the data needs the table of pairs, so its bytes count too. Gage's program
takes codes from 255 down and stops below `THRESHOLD`; of tied pairs this one takes the first.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

BYTES = 256
THRESHOLD = 3
ENTRY = 2
"""The bytes of a pair in the table: its code follows from the order, apart from run lengths."""

BytePair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Replacement:
    """A pair of bytes, the code that replaces it, how often the pair occurred, the data after it.

    Pairs are counted as neighbours, so `aaa` has two; only one of them can be replaced.
    """

    code: int
    pair: BytePair
    count: int
    data: bytes


def compress(data: bytes, threshold: int = THRESHOLD) -> Iterator[Replacement]:
    """Yield each replacement of the most frequent pair by the highest unused byte.

    >>> [(step.count, step.data) for step in compress(b"ABABCABCD", threshold=2)]
    [(3, b'\\xff\\xffC\\xffCD'), (2, b'\\xff\\xfe\\xfeD')]
    """
    unused = [byte for byte in range(BYTES - 1, -1, -1) if byte not in data]
    for code in unused:
        counts = Counter(pairwise(data))
        pair, count = max(counts.items(), key=lambda item: item[1], default=((0, 0), 0))
        if count < threshold:
            return
        data = data.replace(bytes(pair), bytes([code]))
        yield Replacement(code, pair, count, data)


def expand(data: bytes, table: Mapping[int, BytePair]) -> bytes:
    """Undo the replacements of `table`, the last one first.

    >>> expand(b"\\xff\\xfe\\xfeD", {0xFF: (65, 66), 0xFE: (0xFF, 67)})
    b'ABABCABCD'
    """
    for code, pair in reversed(list(table.items())):
        data = data.replace(bytes([code]), bytes(pair))
    return data


def with_table(num_bytes: int, entries: int) -> int:
    """Return the size in bytes of compressed data together with the table of pairs.

    >>> with_table(6, 1), with_table(4, 2)
    (8, 8)
    """
    return num_bytes + ENTRY * entries


def first_shortest(sizes: Iterator[int]) -> int:
    """Return the index of the smallest size, the first one if several are equal."""
    every = list(sizes)
    return every.index(min(every))


def lzw_size(data: bytes, bits: int = 12) -> int:
    """Return the bytes that Lempel, Ziv and Welch's method needs, with codes of `bits` bits each.

    The table starts with the 256 bytes, learns the longest known piece and the byte after it, and
    is full at 2 ** `bits` entries. It need not be sent: the reader builds the same one.

    >>> lzw_size(b"ababab")
    6
    """
    known = {bytes([byte]) for byte in range(BYTES)}
    piece, codes = b"", 0
    for byte in data:
        longer = piece + bytes([byte])
        if longer in known:
            piece = longer
            continue
        codes += 1
        if len(known) < 2**bits:
            known.add(longer)
        piece = bytes([byte])
    return -(-(codes + bool(piece)) * bits // 8)
