"""A trie of the pieces in arrays, in which all positions of many words are looked up together.

`viterbi.make_trie` builds the same trie of dictionaries, for one position at a time. Here nodes and
letters are numbers, and a table with a row for each node maps letters to children. Where such a
table would be too large, the sorted edges are searched instead. `shared_prefixes` also compares
many words at once.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

UNKNOWN = -1
"""The piece number of a character that is not a piece."""
MAX_CELLS = 2_000_000
"""The maximum size of all tables of one trie: 8 MB."""


class TrieLevel(NamedTuple):
    """The edges of the trie at one depth; the n-th edge leads to node n of the next depth.

    Each edge is the number (node * number of letters + letter); edges are in ascending order.
    `table` maps each such number to the child node or -1, or is None if it would be too large.
    `ends` contains the piece that ends at each edge or `UNKNOWN`, and finally `UNKNOWN` for -1.
    """

    edges: np.ndarray
    ends: np.ndarray
    table: np.ndarray | None

    def follow(self, wanted: np.ndarray) -> np.ndarray:
        """Return the child nodes that edges lead to, or -1 for edges that do not exist."""
        if self.table is not None:
            return self.table[wanted].astype(np.int64)
        places = np.searchsorted(self.edges, wanted)
        there = np.append(self.edges, -1)[places] == wanted  # -1: beyond the last edge
        return np.where(there, places, -1)


class ArrayTrie:
    """The trie of pieces, which are numbered in the order given; there is always a first level."""

    def __init__(self, pieces: Sequence[str]) -> None:
        spelled = code_points("".join(pieces))
        alphabet = np.flatnonzero(np.bincount(spelled))
        self._letters = np.zeros(int(spelled.max(initial=-1)) + 2, np.int32)
        self._letters[alphabet] = np.arange(1, len(alphabet) + 1)  # 0: letters in no piece
        self._num_letters = len(alphabet) + 1
        letters = self._letters[spelled]
        lengths = np.array([len(piece) for piece in pieces], np.int64)
        begins = np.cumsum(lengths) - lengths
        numbers, nodes = np.arange(len(pieces)), np.zeros(len(pieces), np.int64)
        num_nodes, room = 1, MAX_CELLS
        self._levels: list[TrieLevel] = []
        for length in range(1, int(lengths.max(initial=1)) + 1):
            steps = nodes * self._num_letters + letters[begins + length - 1]
            edges, nodes = np.unique(steps, return_inverse=True)  # shared prefixes share nodes
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
        """Return the start, number and length of every piece in the text, the longest first.

        `left` is the number of characters from each position to the end of its word. Every
        character is returned, even if it is not a piece. All positions descend the trie together;
        each is dropped when the trie or its word ends.
        """
        letters = self._letters[np.minimum(code_points(text), len(self._letters) - 1)]
        places, nodes = np.arange(len(letters)), np.zeros(len(letters), np.int64)
        rows: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
        for length, level in enumerate(self._levels, start=1):
            nodes = level.follow(nodes * self._num_letters + letters[places + length - 1])
            which = level.ends[nodes]  # the index -1 gives the last entry: no piece
            here = (which != UNKNOWN) | (length == 1)
            rows.append((places[here], which[here], np.full(np.count_nonzero(here), length)))
            continues = (nodes >= 0) & (left[places] > length)
            places, nodes = places[continues], nodes[continues]
        begins, found, spans = map(np.concatenate, zip(*reversed(rows), strict=True))
        return begins, found, spans


def code_points(text: str) -> np.ndarray:
    """Return the code points of a text."""
    return np.frombuffer(text.encode("utf-32-le"), np.uint32).astype(np.int64)


def shared_prefixes(words: Sequence[str]) -> np.ndarray:
    """Map each position in words, including their ends, to the first one with the same prefix.

    Words are compared together, letter by letter, until their prefixes differ.

    >>> shared_prefixes(["to", "tea"]).tolist()
    [0, 1, 2, 0, 1, 5, 6]
    """
    letters, lengths = code_points("".join(words)), np.array(list(map(len, words)), np.int64)
    begins = np.cumsum(lengths + 1) - lengths - 1
    shared = np.arange(len(letters) + len(words))
    shared[begins] = 0
    active, groups, position = np.arange(len(words)), np.zeros(len(words), np.int64), 0
    num_letters = int(letters.max(initial=0)) + 1
    while len(active):
        continues = lengths[active] > position
        active, groups = active[continues], groups[continues]
        spelled = groups * num_letters + letters[begins[active] - active + position]
        spelled, order = stable_sort(spelled)
        active, position = active[order], position + 1
        parts = np.append(True, spelled[1:] != spelled[:-1])[: len(active)]
        groups = np.cumsum(parts) - 1
        nodes = begins[active] + position
        shared[nodes] = nodes[parts][groups]
        together = np.bincount(groups)[groups] > 1
        active, groups = active[together], groups[together]
    return shared


def stable_sort(keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Sort non-negative integers stably; return the sorted keys and the permutation."""
    order = stable_order(keys)
    return keys[order], order


def stable_order(keys: np.ndarray) -> np.ndarray:
    """Return the permutation that sorts non-negative integers stably.

    This radix sort by 16 bits at a time is several times as fast as NumPy's sort for 64 bits.
    """
    order, most = np.argsort(keys.astype(np.uint16), kind="stable"), int(keys.max(initial=0))
    for shift in range(16, most.bit_length(), 16):
        order = order[np.argsort((keys[order] >> shift).astype(np.uint16), kind="stable")]
    return order
