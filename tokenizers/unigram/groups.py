"""Groups of rows, kept rank by rank, and the maximum and the sum of the rows of each group.

First come the first rows of all groups, the group with most rows first; then all second rows, and
so on. The rows of one rank are neighbours, and belong to the first groups: so a maximum or a sum
takes one step for each rank. NumPy's `reduceat` computes the same of neighbouring rows, but group
by group, and no other thread runs meanwhile. The sums are the same to the last bit, because they
add in its order: the first row to the sum of the others, which is taken from left to right if there
are at most seven.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from tokenizers.text.alignment import ranges
from tokenizers.unigram.array_trie import stable_order

WORTH_RANKS = 600
"""With fewer values, `reduceat` takes less time."""
MOST_IN_ORDER = 8
"""The largest group whose rows `np.add.reduceat` adds from left to right."""


@dataclass(frozen=True, eq=False)
class Groups:
    """Rows rank by rank: `counts[r]` groups have a row of rank r, the first ones.

    No group is empty. Rows may have any number of columns, also none.
    """

    counts: list[int]

    @classmethod
    def of_sizes(cls, sizes: np.ndarray) -> "Groups":
        """Return groups of these sizes, which are positive and descend."""
        largest = int(sizes[0]) if len(sizes) else 0
        return cls(np.searchsorted(-sizes, -np.arange(largest), side="left").tolist())

    @cached_property
    def ranks(self) -> list[tuple[int, int]]:
        """Where the rows of each rank begin and end."""
        return list(pairwise(np.cumsum([0, *self.counts]).tolist()))

    @cached_property
    def owners(self) -> np.ndarray:
        """The group of each row."""
        counts = np.array(self.counts, np.int64)
        return ranges(np.zeros(len(counts), np.int64), counts)

    @cached_property
    def sizes(self) -> np.ndarray:
        """The number of rows of each group."""
        return np.bincount(self.owners)

    @cached_property
    def _num_large(self) -> int:
        """How many groups have more rows than `reduceat` adds from left to right."""
        return self.counts[MOST_IN_ORDER] if len(self.counts) > MOST_IN_ORDER else 0

    @cached_property
    def _all(self) -> tuple[np.ndarray, np.ndarray]:
        return self._neighbours(self.counts[0] if self.counts else 0)

    @cached_property
    def _large(self) -> tuple[np.ndarray, np.ndarray]:
        return self._neighbours(self._num_large)

    def _neighbours(self, count: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the rows of the first `count` groups group by group, and where each begins."""
        (rows,) = np.nonzero(self.owners < count)
        sizes = self.sizes[:count]
        return rows[stable_order(self.owners[rows])], np.cumsum(sizes) - sizes

    def maxima(self, rows: np.ndarray) -> np.ndarray:
        """Return the maximum of each group's rows."""
        if rows.size < WORTH_RANKS:
            order, begins = self._all
            return np.maximum.reduceat(rows.take(order, axis=0), begins, axis=0)
        most = rows[: self.counts[0]].copy()
        for begin, end in self.ranks[1:]:
            some = most[: end - begin]
            np.maximum(some, rows[begin:end], out=some)
        return most

    def maxima_of_neighbours(self, rows: np.ndarray, begins: np.ndarray) -> np.ndarray:
        """Return the maximum of each group's rows, which are neighbours from each of `begins`."""
        most = rows.take(begins)
        for rank, count in enumerate(self.counts[1:], start=1):
            some = most[:count]
            np.maximum(some, rows.take(begins[:count] + rank), out=some)
        return most

    def sums(self, rows: np.ndarray) -> np.ndarray:
        """Return the sum of each group's rows, as `np.add.reduceat` does."""
        if rows.size < WORTH_RANKS:
            order, begins = self._all
            return np.add.reduceat(rows.take(order, axis=0), begins, axis=0)
        totals = rows[: self.counts[0]].copy()
        if len(self.counts) > 1:
            others = rows[slice(*self.ranks[1])].copy()
            for begin, end in self.ranks[2:]:
                others[: end - begin] += rows[begin:end]
            totals[: len(others)] += others
        if self._num_large:
            order, begins = self._large
            members = rows.take(order, axis=0)
            totals[: self._num_large] = np.add.reduceat(members, begins, axis=0)
        return totals

    def subtract(self, rows: np.ndarray, values: np.ndarray) -> None:
        """Subtract each group's value from its rows, in place."""
        if rows.size < WORTH_RANKS:
            rows -= values.take(self.owners, axis=0)
        else:
            for begin, end in self.ranks:
                rows[begin:end] -= values[: end - begin]

    def log_sums(self, rows: np.ndarray) -> np.ndarray:
        """Return log Σ exp of each group's rows, which are overwritten."""
        most = self.maxima(rows)
        self.subtract(rows, most)
        np.exp(rows, out=rows)
        return most + np.log(self.sums(rows))


def by_size(sizes: np.ndarray, sections: list[int]) -> tuple[np.ndarray, list[Groups]]:
    """Sort the groups of each section by their `sizes`, the largest first.

    `sections` are where each section's groups begin, and last the number of groups. Return the
    order of all groups, and the groups of each section that are not empty.
    """
    num_sections, most = len(sections) - 1, int(sizes.max(initial=1))
    # Cell (s, k) is for the groups of section s that have k rows less than the largest of all.
    cells = np.repeat(np.arange(num_sections), np.diff(sections)) * (most + 1) + most - sizes
    histogram = np.bincount(cells, minlength=num_sections * (most + 1))
    counts = histogram.reshape(num_sections, most + 1).cumsum(axis=1)[:, most - 1 :: -1]
    groups = [Groups([n for n in counts_of_ranks if n]) for counts_of_ranks in counts.tolist()]
    return stable_order(cells), groups


def rank_by_rank(
    order: np.ndarray, groups: list[Groups], sections: list[int]
) -> tuple[np.ndarray, np.ndarray]:
    """Return the group and the rank of each row, section by section and in each rank by rank.

    The arguments are those of `by_size` and what it returns.
    """
    owners = [
        order[first : first + count]
        for first, some in zip(sections, groups, strict=False)
        for count in some.counts
    ]
    ranks = [np.arange(len(some.counts)) for some in groups]
    counts = [count for some in groups for count in some.counts]
    return np.concatenate([order[:0], *owners]), np.repeat(np.concatenate(ranks), counts)
