"""Groups of neighbouring rows, and the maximum and the sum of the rows of each.

NumPy's `reduceat` computes the same, but group by group, and no other thread runs meanwhile. Here
the second rows of all groups are added at once, then all third rows, and so on. The sums are the
same to the last bit, because they add in its order: the first row to the sum of the others, which
is taken from left to right if there are at most seven.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tokenizers.text.alignment import ranges

WORTH_RANKS = 2_000
"""With fewer values, `reduceat` takes less time."""
MOST_IN_ORDER = 8
"""The largest group whose rows `np.add.reduceat` adds from left to right."""


@dataclass(frozen=True, eq=False)
class Groups:
    """Rows that belong together: `owners` is the group of each row, `begins` where each begins.

    No group is empty. Rows may have any number of columns, also none.
    """

    owners: np.ndarray
    begins: np.ndarray

    @cached_property
    def _by_size(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Where the groups begin, the largest first; their sizes; each group's place there."""
        sizes = np.diff(self.begins, append=len(self.owners))
        order = np.argsort(-sizes, kind="stable")
        places = np.empty_like(order)
        places[order] = np.arange(len(order))
        return self.begins[order], sizes[order], places

    @cached_property
    def _num_larger(self) -> list[int]:
        """How many groups have more than 1, 2, … rows, until there are none."""
        _, sizes, _ = self._by_size
        largest = int(sizes[0]) if len(sizes) else 1
        return np.searchsorted(-sizes, -np.arange(1, largest), side="left").tolist()

    def maxima(self, rows: np.ndarray) -> np.ndarray:
        """Return the maximum of each group's rows."""
        if rows.size < WORTH_RANKS:
            return np.maximum.reduceat(rows, self.begins, axis=0)
        begins, _, places = self._by_size
        most = rows.take(begins, axis=0)
        for rank, count in enumerate(self._num_larger, start=1):
            some = most[:count]
            np.maximum(some, rows.take(begins[:count] + rank, axis=0), out=some)
        return most.take(places, axis=0)

    def sums(self, rows: np.ndarray) -> np.ndarray:
        """Return the sum of each group's rows, as `np.add.reduceat` does."""
        if rows.size < WORTH_RANKS:
            return np.add.reduceat(rows, self.begins, axis=0)
        begins, sizes, places = self._by_size
        totals = rows.take(begins, axis=0)
        if self._num_larger:
            others = rows.take(begins[: self._num_larger[0]] + 1, axis=0)
            for rank, count in enumerate(self._num_larger[1:], start=2):
                others[:count] += rows.take(begins[:count] + rank, axis=0)
            totals[: len(others)] += others
        large = int(np.searchsorted(-sizes, -MOST_IN_ORDER))
        if large:
            members = rows.take(ranges(begins[:large], sizes[:large]), axis=0)
            firsts = np.append(0, np.cumsum(sizes[: large - 1]))
            totals[:large] = np.add.reduceat(members, firsts, axis=0)
        return totals.take(places, axis=0)

    def log_sums(self, rows: np.ndarray) -> np.ndarray:
        """Return log Σ exp of each group's rows."""
        most = self.maxima(rows)
        shares = rows - most.take(self.owners, axis=0)
        return most + np.log(self.sums(np.exp(shares, out=shares)))
