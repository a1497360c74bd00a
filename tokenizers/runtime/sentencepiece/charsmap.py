"""SentencePiece's precompiled character map contains replacement rules for runs of characters.

The rules are a *double array*, a trie in one array of 32-bit units (Aoe 1989, as in darts-clone).
The child of a node for a byte is at the node's *base* XOR that byte, and its unit stores the byte,
so one access decides whether the child exists. If a rule ends at a node, the unit at the node's
base stores the rule's value, which is the position of the rule's output among the replacements.

    unit = byte | ends a rule << 8 | wide << 9 | offset << 10        base = index XOR offset
    a value = 1 << 31 | position;   wide: the offset counts blocks of 256

The file contains the array's length in bytes, the array, and then the replacements, each terminated
by a NUL. A rule for an incomplete character, which SentencePiece never builds, is not found. For
the treatment of spaces, see `normalizer.py`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from tokenizers.errors import UserError
from tokenizers.limits import MAX_REPLACEMENT_BYTES, MAX_REPLACEMENTS_BYTES, MAX_RULE_LENGTH

_BLOCK = 256
_VALUE = 1 << 31
_WIDE, _ENDS = 1 << 9, 1 << 8


@dataclass(frozen=True)
class CharsMap:
    """A character map with the trie's units and the replacements that their values point into.

    `data` is the map as stored in a file. Create it with `read`.
    """

    data: bytes = field(repr=False)
    units: np.ndarray = field(repr=False, compare=False)
    replacements: bytes = field(repr=False, compare=False)

    @classmethod
    def read(cls, data: bytes) -> "CharsMap":
        """Parse a map; raises UserError if its sizes or positions are inconsistent."""
        size = int.from_bytes(data[:4], "little")
        if size < 4 * _BLOCK or size % (4 * _BLOCK) or size >= len(data) - 4:
            raise UserError(
                f"The character map of {len(data):,} bytes says that its trie has {size:,} bytes. "
                "It must have a multiple of 1,024 and leave room for the replacements."
            )
        replacements = data[4 + size :]
        if replacements[-1]:
            raise UserError("The last replacement of the character map does not end with a NUL.")
        units = np.frombuffer(data, "<u4", size // 4, 4)
        _check(units, replacements)
        return cls(data, units, replacements)

    def longest(self, text: str, start: int = 0) -> tuple[int, str] | None:
        """Return where the longest rule that matches at `start` ends, and its replacement.

        Return None if no rule matches at `start`.
        """
        return max(self._matches(text, start), default=None)

    def first(self, text: str) -> tuple[int, str] | None:
        """Return the end and replacement of the shortest rule that matches at a text's start."""
        return next(self._matches(text, 0), None)

    def _matches(self, text: str, start: int) -> Iterator[tuple[int, str]]:
        """Yield the end and replacement of each rule that matches at `start`, shortest first."""
        units, node = self._list, 0
        for position in range(start, min(len(text), start + MAX_RULE_LENGTH)):
            for byte in text[position].encode(errors="surrogatepass"):
                node = _base(units[node], node) ^ byte
                if units[node] & (_VALUE | 0xFF) != byte or not byte:
                    return  # a NUL has no child: the base holds the value
            if units[node] & _ENDS:
                value = units[_base(units[node], node)] & ~_VALUE
                yield position + 1, self._replacement(value)

    def _replacement(self, value: int) -> str:
        return self.replacements[value : self.replacements.index(0, value)].decode()

    @cached_property
    def _list(self) -> list[int]:
        return self.units.tolist()

    # --- In bulk ----------------------------------------------------------------------------------

    @cached_property
    def singles(self) -> dict[str, str]:
        """The rules for a single character."""
        characters, nodes = self._characters_after(np.zeros(1, np.int64))
        ends = (self.units[nodes] & _ENDS) > 0
        values = self.units[self._bases[nodes[ends]]] & (_VALUE - 1)
        rows = zip(characters[ends].tolist(), values.tolist(), strict=True)
        return {chr(character): self._replacement(value) for character, value in rows}

    @cached_property
    def seconds(self) -> frozenset[str]:
        """The second characters of longer rules; before other characters, `singles` suffices."""
        _, nodes = self._characters_after(np.zeros(1, np.int64))
        characters, _ = self._characters_after(np.unique(nodes))
        return frozenset(map(chr, np.unique(characters).tolist()))

    @cached_property
    def _bases(self) -> np.ndarray:
        return _bases(self.units)

    def _characters_after(self, nodes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the characters that lead on from any of `nodes`, and the nodes they lead to."""
        codes, missing = np.zeros(len(nodes), np.int64), np.full(len(nodes), -1)
        found: list[tuple[np.ndarray, np.ndarray]] = []
        for _ in range(4):  # up to four bytes of UTF-8
            parents, labels, nodes = self._children(nodes)
            codes, missing = codes[parents], missing[parents]
            fits = np.where(missing < 0, _LENGTH[labels] >= 0, labels >> 6 == 2)
            codes = np.where(missing < 0, labels & _FIRST_BITS[labels], codes << 6 | labels & 63)
            missing = np.where(missing < 0, _LENGTH[labels], missing - 1)
            whole = fits & (missing == 0) & (codes < 0x110000)
            found.append((codes[whole], nodes[whole]))
            continues = fits & (missing > 0)
            codes, missing, nodes = codes[continues], missing[continues], nodes[continues]
        return np.concatenate([f[0] for f in found]), np.concatenate([f[1] for f in found])

    def _children(self, nodes: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return all children of `nodes`, as the indices of parents, the bytes and the nodes."""
        all_bytes, found = np.arange(1, 256), [np.zeros((3, 0), np.int64)]
        for first in range(0, len(nodes), _AT_ONCE):
            children = self._bases[nodes[first : first + _AT_ONCE]][:, None] ^ all_bytes
            rows, columns = np.nonzero(self.units[children] & (_VALUE | 0xFF) == all_bytes)
            found.append(np.stack((rows + first, columns + 1, children[rows, columns])))
            if sum(part.shape[1] for part in found) > _MAX_BRANCHES:
                raise UserError("The trie of the character map branches more than any that works.")
        parents, labels, children = np.concatenate(found, axis=1)
        return parents, labels, children


_AT_ONCE = 4096
_MAX_BRANCHES = 1_000_000
_LENGTH = np.full(256, -1)
"""For each first byte of a character, the number of bytes that follow; -1 for other bytes."""
_FIRST_BITS = np.zeros(256, np.int64)
for _more, (_low, _high, _bits) in enumerate(
    ((0, 0x80, 0x7F), (0xC2, 0xE0, 0x1F), (0xE0, 0xF0, 0xF), (0xF0, 0xF5, 7))
):
    _LENGTH[_low:_high], _FIRST_BITS[_low:_high] = _more, _bits


def _base(unit: int, index: int) -> int:
    """Return a node's base, i.e. the position that its children are relative to."""
    return index ^ (unit >> 10 << ((unit & _WIDE) >> 6))


def _bases(units: np.ndarray) -> np.ndarray:
    """Return the bases of all units, as `_base` does for one."""
    wide = units.astype(np.int64)
    return np.arange(len(units)) ^ (wide >> 10 << ((wide & _WIDE) >> 6))


def _check(units: np.ndarray, replacements: bytes) -> None:
    """Raise UserError if a node's children or a rule's replacement are out of bounds."""
    bases, is_node = _bases(units), units < _VALUE
    outside = is_node & (bases | 0xFF >= len(units))
    outside[0] |= bool(units[0] & (_VALUE | _ENDS | 0xFF)) or not bases[0]
    if outside.any():
        where = int(np.argmax(outside))
        raise UserError(f"In the character map, unit {where:,} points outside of the trie.")
    try:
        replacements.decode()
    except UnicodeDecodeError as error:
        raise UserError("The replacements of the character map are not UTF-8.") from error
    ends = np.flatnonzero(is_node & ((units & _ENDS) > 0))
    values = units[bases[ends]].astype(np.int64) - _VALUE
    wrong = (values < 0) | (values >= len(replacements))
    inside = np.frombuffer(replacements, np.uint8) >> 6 == 2  # not the first byte of a character
    wrong[~wrong] = inside[values[~wrong]]
    if wrong.any():
        where = int(ends[np.argmax(wrong)])
        raise UserError(f"In the character map, the rule at unit {where:,} points nowhere.")
    stops = np.flatnonzero(np.frombuffer(replacements, np.uint8) == 0)
    lengths = stops[np.searchsorted(stops, values)] - values
    if lengths.max(initial=0) > MAX_REPLACEMENT_BYTES or lengths.sum() > MAX_REPLACEMENTS_BYTES:
        raise UserError(
            f"The rules of the character map write {lengths.sum():,} bytes, one of them "
            f"{lengths.max():,}; {MAX_REPLACEMENTS_BYTES:,} are read at most, of one "
            f"{MAX_REPLACEMENT_BYTES:,}. Open another file."
        )
