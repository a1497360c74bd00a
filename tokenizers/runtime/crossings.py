"""Between which two characters a piece of a BPE may reach across; words can be cut at the others.

Merges only ever make pieces. So if no piece contains the end of one character and the beginning of
the next, these two are in different tokens wherever they meet, and what is on either side can be
merged by itself. Texts without spaces then fall into short parts, most of which occur again.
"""

from collections.abc import Collection, Iterable, Iterator
from itertools import pairwise
from operator import add

import numpy as np

_MOST = 4  # bytes of a character
_BITS = 8 * _MOST


class Crossings(dict[str, bool]):
    """Maps two neighbouring characters to whether a piece may reach from one into the other.

    >>> crossings = Crossings(["ab", "bcd"])
    >>> [(a, b) for a, b in crossings.parts("abacbc")]
    [(0, 2), (2, 3), (3, 4), (4, 6)]
    """

    def __init__(self, pieces: Iterable[str]) -> None:
        self.update((piece[at : at + 2], True) for piece in pieces for at in range(len(piece) - 1))

    def __missing__(self, pair: str) -> bool:
        return False

    def parts(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield the spans of the parts of a text that no piece connects."""
        crossed = map(self.__getitem__, map(add, text, text[1:]))
        cuts = [at for at, is_crossed in enumerate(crossed, start=1) if not is_crossed]
        return pairwise([0, *cuts, len(text)])


class ByteCrossings(Crossings):
    """The same for pieces of bytes, which may begin or end inside of a character.

    Two ASCII characters count as crossed: words of them are short.

    >>> crossings = ByteCrossings(b"\\xc3\\xa9a" + b"\\xa9\\xc3", [3, 2])
    >>> [crossings[pair] for pair in ("éa", "éb", "éé", "éñ", "èé")]
    [True, False, True, True, False]
    """

    def __init__(self, joined: bytes, lengths: Collection[int]) -> None:
        """Take the pieces joined, and how many bytes each has."""
        self._ends_and_beginnings = _ends_and_beginnings(joined, lengths)

    def __missing__(self, pair: str) -> bool:
        first, second = pair[0].encode(), pair[1].encode()
        ends = [int.from_bytes(first[at:], "big") for at in range(len(first))]
        beginnings = [int.from_bytes(second[:at], "big") for at in range(1, len(second) + 1)]
        found = self[pair] = pair.isascii() or any(
            end << _BITS | beginning in self._ends_and_beginnings
            for end in ends
            for beginning in beginnings
        )
        return found


def _ends_and_beginnings(joined: bytes, lengths_of_pieces: Collection[int]) -> frozenset[int]:
    """Return what the pieces have of each two neighbouring characters that are not both ASCII.

    The bytes of the first character, or its end, are in the higher 32 bits of a number; those of
    the second character, or its beginning, in the lower 32 bits.
    """
    data = np.frombuffer(joined, np.uint8)
    begins_piece = np.zeros(len(data) + 1, bool)
    begins_piece[np.cumsum([0, *lengths_of_pieces])] = True
    begins = (data & 0xC0 != 0x80) | begins_piece[:-1]  # a character, or what a piece has of it
    at = np.flatnonzero(begins)
    lengths = np.diff(at, append=len(data))
    values = np.zeros(len(at), np.uint64)
    padded = np.append(data, np.zeros(_MOST, np.uint8)).astype(np.uint64)
    for place in range(_MOST):
        values = np.where(place < lengths, values << np.uint64(8) | padded[at + place], values)
    fits = lengths <= _MOST  # no text in UTF-8 has more
    pairs = ~begins_piece[at[1:]] & fits[1:] & fits[:-1]
    pairs &= (values[1:] > 0x7F) | (values[:-1] > 0x7F)
    return frozenset(np.unique(values[:-1][pairs] << np.uint64(_BITS) | values[1:][pairs]).tolist())
