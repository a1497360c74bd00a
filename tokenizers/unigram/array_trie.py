"""The trie of the pieces, one depth at a time: all places of many words go down it together.

`viterbi.make_trie` makes the same for one place, of dictionaries. Here a node is a number, and so
is a letter; where a letter leads from a node stands in a table with a row for each node. A trie
with many nodes and letters has too large a table: its edges are sorted and looked for instead.
Words go down together, too, to tell where they begin alike (`alike_before`).
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

UNKNOWN = -1
"""What a character is that is no piece."""
MAX_CELLS = 2_000_000
"""What the tables of one trie may have together: 8 MB."""


class TrieLevel(NamedTuple):
    """The edges of the trie at one depth; the n-th of them leads to node n of the next one.

    An edge is the node that it leaves and its letter, put together as one number; they ascend.
    `table` has for each such number where it leads, or -1; without one it is None. `ends` is which
    piece ends at each edge, `UNKNOWN` if none does, and so at the last place.
    """

    edges: np.ndarray
    ends: np.ndarray
    table: np.ndarray | None

    def follow(self, wanted: np.ndarray) -> np.ndarray:
        """Return the nodes that edges lead to, -1 for those that are not there."""
        if self.table is not None:
            return self.table[wanted].astype(np.int64)
        places = np.searchsorted(self.edges, wanted)
        there = np.append(self.edges, -1)[places] == wanted  # -1: the search ran off the end
        return np.where(there, places, -1)


class ArrayTrie:
    """The trie of pieces, which are numbered in their order; there is always a first level."""

    def __init__(self, pieces: Sequence[str]) -> None:
        spelled = code_points("".join(pieces))
        alphabet = np.flatnonzero(np.bincount(spelled))
        self._letters = np.zeros(int(spelled.max(initial=-1)) + 2, np.int32)
        self._letters[alphabet] = np.arange(1, len(alphabet) + 1)  # 0 is what is in no piece
        self._num_letters = len(alphabet) + 1
        letters = self._letters[spelled]
        lengths = np.array([len(piece) for piece in pieces], np.int64)
        begins = np.cumsum(lengths) - lengths
        numbers, nodes = np.arange(len(pieces)), np.zeros(len(pieces), np.int64)
        num_nodes, room = 1, MAX_CELLS
        self._levels: list[TrieLevel] = []
        for length in range(1, int(lengths.max(initial=1)) + 1):
            steps = nodes * self._num_letters + letters[begins + length - 1]
            edges, nodes = np.unique(steps, return_inverse=True)  # pieces that begin alike share
            ends = np.full(len(edges) + 1, UNKNOWN)
            ends[nodes[lengths == length]] = numbers[lengths == length]
            cells, table = num_nodes * self._num_letters, None
            if cells <= room:
                room -= cells
                table = np.full(cells, -1, np.int32)
                table[edges] = np.arange(len(edges))
            self._levels.append(TrieLevel(edges, ends, table))
            num_nodes, longer = len(edges), lengths > length
            begins, numbers = begins[longer], numbers[longer]
            lengths, nodes = lengths[longer], nodes[longer]

    def find(self, text: str, left: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return where in the text pieces begin, which, and how long they are: the longest first.

        `left` is how many characters there are from each place to the end of its word. Every
        character is found, be it no piece. All places go down the trie together; those that it
        does not lead on fall away.
        """
        letters = self._letters[np.minimum(code_points(text), len(self._letters) - 1)]
        places, nodes = np.arange(len(letters)), np.zeros(len(letters), np.int64)
        rows: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
        for length, level in enumerate(self._levels, start=1):
            nodes = level.follow(nodes * self._num_letters + letters[places + length - 1])
            which = level.ends[nodes]  # of -1, that is the last: no piece
            here = (which != UNKNOWN) | (length == 1)
            rows.append((places[here], which[here], np.full(np.count_nonzero(here), length)))
            go_on = (nodes >= 0) & (left[places] > length)
            places, nodes = places[go_on], nodes[go_on]
        begins, found, spans = map(np.concatenate, zip(*reversed(rows), strict=True))
        return begins, found, spans


def code_points(text: str) -> np.ndarray:
    """Return the numbers of the characters of a text."""
    return np.frombuffer(text.encode("utf-32-le"), np.uint32).astype(np.int64)


def shared_prefixes(words: Sequence[str]) -> np.ndarray:
    """Return for each place in words, their ends included, one that the same characters lead to.

    It is one and the same for all that are alike. Words go on together until they part.

    >>> alike_before(["to", "tea"]).tolist()
    [0, 1, 2, 0, 1, 5, 6]
    """
    letters, lengths = code_points("".join(words)), np.array(list(map(len, words)), np.int64)
    begins = np.cumsum(lengths + 1) - lengths - 1
    alike = np.arange(len(letters) + len(words))
    alike[begins] = 0
    those, groups, position = np.arange(len(words)), np.zeros(len(words), np.int64), 0
    num_letters = int(letters.max(initial=0)) + 1
    while len(those):
        go_on = lengths[those] > position
        those, groups = those[go_on], groups[go_on]
        spelled = groups * num_letters + letters[begins[those] - those + position]
        spelled, order = stable_sort(spelled)
        those, position = those[order], position + 1
        parts = np.append(True, spelled[1:] != spelled[:-1])[: len(those)]
        groups = np.cumsum(parts) - 1
        nodes = begins[those] + position
        alike[nodes] = nodes[parts][groups]
        together = np.bincount(groups)[groups] > 1
        those, groups = those[together], groups[together]
    return alike


def stable_sort(keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return numbers from 0 up in order, and the place of each; of equal ones, the earlier first.

    They are sorted by their last 16 bits, then by those before, and so on: NumPy does that several
    times as fast as it sorts whole numbers.
    """
    order, most = np.argsort(keys.astype(np.uint16), kind="stable"), int(keys.max(initial=0))
    for shift in range(16, most.bit_length(), 16):
        order = order[np.argsort((keys[order] >> shift).astype(np.uint16), kind="stable")]
    return keys[order], order
