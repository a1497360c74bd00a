"""Between which two characters a piece of a BPE may reach across; words can be cut at the others.

Merges only ever make pieces. So if no piece contains the end of one character and the beginning of
the next, these two are in different tokens wherever they meet, and what is on either side can be
merged by itself. Texts without spaces then fall into short parts, most of which occur again.
"""

from collections.abc import Collection

import numpy as np

from tokenizers.runtime.bounded_cache import BoundedCache

_MOST = 4  # bytes of a character
_BITS = 8 * _MOST


class ByteCrossings:
    """Finds where a text can be cut, given pieces of bytes, which may begin or end in a character.

    Two ASCII characters count as crossed: words of them are short.

    >>> crossings = ByteCrossings(b"\\xc3\\xa9a" + b"\\xa9\\xc3", [3, 2])
    >>> [crossings.cuts(pair).tolist() for pair in ("éa", "éb", "éé", "éñ", "èé", "ab")]
    [[], [1], [], [], [1], []]
    """

    def __init__(self, joined: bytes, lengths: Collection[int]) -> None:
        """Take the pieces joined, and how many bytes each has."""
        self._ends_and_beginnings = _ends_and_beginnings(joined, lengths)
        self._is_crossed = BoundedCache(self._look_up)

    def cuts(self, text: str) -> np.ndarray:
        """Return the positions in a text that no piece extends across, without both ends."""
        codes = np.frombuffer(text.encode("utf-32-le"), np.uint32)
        places = np.flatnonzero((codes[:-1] | codes[1:]) > 0x7F)  # where not both are ASCII
        is_crossed = self._is_crossed
        crossed = [is_crossed[text[at : at + 2]] for at in places.tolist()]
        return places[~np.array(crossed, bool)] + 1

    def _look_up(self, pair: str) -> bool:
        """Return whether a piece may reach from the first of two characters into the second."""
        first, second = pair[0].encode(), pair[1].encode()
        ends = [int.from_bytes(first[at:], "big") for at in range(len(first))]
        beginnings = [int.from_bytes(second[:at], "big") for at in range(1, len(second) + 1)]
        return any(
            end << _BITS | beginning in self._ends_and_beginnings
            for end in ends
            for beginning in beginnings
        )


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
