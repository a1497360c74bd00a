"""Counts that change step by step, kept so that they can be read as they stood after any step."""

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Generic, TypeVar

import numpy as np

CHANGES_PER_CHECKPOINT = 50_000

Key = TypeVar("Key")


class History(Generic[Key]):
    """Counts that change step by step, and can be read as they stood after any step.

    Made from the counts at the start and, for each step, by how much which counts change; more
    steps can follow (`append`). `keys` is what is counted, in the order in which it came up. The
    changes of all steps stand one behind the other; every so many of them, all counts are kept.
    """

    def __init__(self, counts: Mapping[Key, int], steps: Iterable[Mapping[Key, int]] = ()) -> None:
        self.keys = list(counts)
        self._index = {key: n for n, key in enumerate(self.keys)}
        self._log = array("i")  # which keys changed, by their index
        self._changes = array("q")  # and by how much
        self._ends = array("q", [0])  # where the changes of each step end
        self._checkpoint_steps = [0]
        self._checkpoints = [np.array(list(counts.values()), np.int64)]
        for changes in steps:
            self.append(changes)

    def append(self, changes: Mapping[Key, int]) -> None:
        """Take what the next step changes."""
        index, log, amounts = self._index, self._log, self._changes
        for key, change in changes.items():
            if key not in index:
                index[key] = len(index)
                self.keys.append(key)
            log.append(index[key])
            amounts.append(change)
        self._ends.append(len(self._log))
        if self._ends[-1] - self._ends[self._checkpoint_steps[-1]] >= CHANGES_PER_CHECKPOINT:
            step = len(self._ends) - 1
            self._checkpoints.append(self.array(step))
            self._checkpoint_steps.append(step)

    def _add(self, counts: np.ndarray, begin: int, end: int) -> None:
        np.add.at(counts, np.asarray(self._log[begin:end]), np.asarray(self._changes[begin:end]))

    def array(self, k: int) -> np.ndarray:
        """Return the counts after step `k`, in the order of `keys`."""
        nearest = bisect_right(self._checkpoint_steps, k) - 1
        known = self._checkpoints[nearest]
        counts = np.zeros(len(self.keys), np.int64)
        counts[: len(known)] = known
        self._add(counts, self._ends[self._checkpoint_steps[nearest]], self._ends[k])
        return counts

    def first(self, k: int) -> "History[Key]":
        """Return the history of the first `k` steps alone."""
        start = self._checkpoints[0].tolist()
        known = dict(zip(self.keys[: len(start)], start, strict=True))
        return History(known, (self.changes(step) for step in range(1, k + 1)))

    def walk(self) -> Iterator[np.ndarray]:
        """Yield the counts at the start and after every step: one array, changed in place."""
        counts = self.array(0)
        yield counts
        for begin, end in pairwise(self._ends):
            self._add(counts, begin, end)
            yield counts

    def at(self, k: int) -> dict[Key, int]:
        """Return the counts after step `k`; those of zero are left out."""
        counts = self.array(k)
        (some,) = counts.nonzero()
        keys = map(self.keys.__getitem__, some.tolist())
        return dict(zip(keys, counts[some].tolist(), strict=True))

    def changes(self, k: int) -> dict[Key, int]:
        """Return what step `k` changed."""
        part = slice(self._ends[k - 1], self._ends[k])
        keys = map(self.keys.__getitem__, self._log[part])
        return dict(zip(keys, self._changes[part], strict=True))

    def series(self, key: Key) -> list[tuple[int, int]]:
        """Return (step, count) at the start and at every step that changed the count of `key`."""
        if key not in self._index:
            return [(0, 0)]
        (where,) = (np.asarray(self._log) == self._index[key]).nonzero()
        first = int(self.array(0)[self._index[key]])
        counts = first + np.cumsum(np.asarray(self._changes)[where])
        steps = np.searchsorted(self._ends, where, side="right")
        return [(0, first), *zip(steps.tolist(), counts.tolist(), strict=True)]
