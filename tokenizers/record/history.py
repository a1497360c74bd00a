"""Counts that change step by step, stored compactly and readable as of any step."""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate, chain, pairwise
from typing import Any, Generic, TypeVar

import numpy as np

CHANGES_PER_CHECKPOINT = 2_000
"""The minimum number of changes between two checkpoints."""
KEYS_PER_CHANGE = 6
"""With more keys, they are further apart: this many counts are copied for each change, at most."""
MAX_KEPT_COUNTS = 200_000
"""The maximum number of counts that `counts_at` keeps in dictionaries: 12 MB."""

Key = TypeVar("Key")


class History(Generic[Key]):
    """Counts that change step by step, readable as of any step.

    Built from the initial counts and each step's changes; `extend` adds steps. `keys` are the
    counted keys in order of first appearance.

    Only the changes are stored, as flat arrays. The first read computes checkpoints (copies of all
    counts) at regular intervals, so that reading any step replays only a few changes. `counts_at`
    also keeps the checkpoints that it has read as dictionaries, since copying one hashes no keys,
    which is most of the work of filling one.
    """

    def __init__(self, counts: Mapping[Key, int], steps: Iterable[Mapping[Key, int]] = ()) -> None:
        self.keys = list(counts)
        self._index = {key: n for n, key in enumerate(self.keys)}
        self._log = array("i")  # which keys changed, by their index
        self._changes = array("q")  # and by how much
        self._ends = array("q", [0])  # where the changes of each step end
        self._start = np.array(list(counts.values()), np.int64)
        self._kept_counts: dict[int, dict[Key, int]] = {}  # by the step of the checkpoint
        self.extend(list(steps))

    def extend(self, steps: Sequence[Mapping[Key, int]]) -> None:
        """Append the changes of further steps."""
        index, keys, log = self._index, self.keys, list[int]()
        for key in chain.from_iterable(steps):
            if (number := index.get(key)) is None:
                number = index[key] = len(keys)
                keys.append(key)
            log.append(number)
        self._ends.fromlist([*accumulate(map(len, steps), initial=len(self._log))][1:])
        self._log.fromlist(log)
        self._changes.fromlist([change for changes in steps for change in changes.values()])
        self.__dict__.pop("_checkpoints", None)
        self._kept_counts = {}

    def __getstate__(self) -> dict[str, Any]:
        state = {name: value for name, value in self.__dict__.items() if name != "_checkpoints"}
        return {**state, "_kept_counts": {}}

    @cached_property
    def _checkpoints(self) -> tuple[list[int], list[np.ndarray]]:
        """The steps that have a checkpoint, and the counts after each of them."""
        apart = max(CHANGES_PER_CHECKPOINT, len(self.keys) // KEYS_PER_CHANGE)
        steps, kept = [0], [self._start]
        while (target := self._ends[steps[-1]] + apart) <= self._ends[-1]:
            step = bisect_left(self._ends, target)
            kept.append(self._later(kept[-1], steps[-1], step))
            steps.append(step)
        return steps, kept

    def _later(self, known: np.ndarray, step: int, k: int) -> np.ndarray:
        """Return the counts after step `k`, given the counts `known` after an earlier `step`."""
        counts = np.zeros(len(self.keys), np.int64)
        counts[: len(known)] = known
        self._add(counts, self._ends[step], self._ends[k])
        return counts

    def _add(self, counts: np.ndarray, begin: int, end: int) -> None:
        changed = np.array(self._log[begin:end], np.intp)  # fast with `add.at`
        np.add.at(counts, changed, np.asarray(self._changes[begin:end]))

    def index_of(self, key: Key) -> int:
        """Return the index of a key in `keys`."""
        return self._index[key]

    def array_at(self, k: int) -> np.ndarray:
        """Return the counts after step `k`, in the order of `keys`."""
        steps, kept = self._checkpoints
        nearest = bisect_right(steps, k) - 1
        return self._later(kept[nearest], steps[nearest], k)

    def truncated(self, k: int) -> "History[Key]":
        """Return the history of the first `k` steps."""
        start = self._start.tolist()
        known = dict(zip(self.keys[: len(start)], start, strict=True))
        return History(known, (self.changes(step) for step in range(1, k + 1)))

    def iter_arrays(self) -> Iterator[np.ndarray]:
        """Yield the counts before the first and after every step: one array, updated in place."""
        counts = self.array_at(0)
        yield counts
        for begin, end in pairwise(self._ends):
            self._add(counts, begin, end)
            yield counts

    def counts_at(self, k: int) -> dict[Key, int]:
        """Return the nonzero counts after step `k`, in the order of `keys`."""
        steps, kept = self._checkpoints
        nearest = bisect_right(steps, k) - 1
        step, before = steps[nearest], kept[nearest]
        now = self._later(before, step, k)
        found = self._checkpoint_counts(step, before).copy()
        was_there, is_there, is_changed = np.zeros((3, len(now)), bool)
        was_there[: len(before)] = before
        is_there[:] = now
        is_changed[self._log[self._ends[step] : self._ends[k]]] = True
        added = np.flatnonzero(is_there & ~was_there)
        if len(added) and found and added[0] < self._index[next(reversed(found))]:
            return self._nonzero(now)  # a key has come back, to its place between the others
        changed = np.flatnonzero(is_there & is_changed)
        found.update(zip(self._keys_at(changed), now[changed].tolist(), strict=True))
        for key in self._keys_at(np.flatnonzero(was_there & ~is_there)):
            del found[key]
        return found

    def _checkpoint_counts(self, step: int, counts: np.ndarray) -> dict[Key, int]:
        """Return the nonzero counts after a step that has a checkpoint, which are kept."""
        found = self._kept_counts.get(step)
        if found is None:
            found = self._nonzero(counts)
            if len(found) + sum(map(len, self._kept_counts.values())) > MAX_KEPT_COUNTS:
                self._kept_counts = {}
            self._kept_counts[step] = found
        return found

    def _nonzero(self, counts: np.ndarray) -> dict[Key, int]:
        some = np.flatnonzero(counts)
        return dict(zip(self._keys_at(some), counts[some].tolist(), strict=True))

    def _keys_at(self, indices: np.ndarray) -> Iterator[Key]:
        return map(self.keys.__getitem__, indices.tolist())

    def changes(self, k: int) -> dict[Key, int]:
        """Return the changes of step `k`."""
        part = slice(self._ends[k - 1], self._ends[k])
        keys = map(self.keys.__getitem__, self._log[part])
        return dict(zip(keys, self._changes[part], strict=True))

    def series(self, key: Key) -> list[tuple[int, int]]:
        """Return (step, count) of `key` for step 0 and for each step that changes its count."""
        if key not in self._index:
            return [(0, 0)]
        number = self._index[key]
        where = np.flatnonzero(np.asarray(self._log) == number)
        first = int(self._start[number]) if number < len(self._start) else 0
        counts = first + np.cumsum(np.asarray(self._changes)[where])
        steps = np.searchsorted(self._ends, where, side="right")
        return [(0, first), *zip(steps.tolist(), counts.tolist(), strict=True)]
