"""A fair queue, which serves visitors in turn, and functions that estimate waiting times.

It is not thread-safe: the pool in pool.py holds the lock.
"""

from collections import OrderedDict, deque
from collections.abc import Callable, Hashable, Sequence
from heapq import heapify, heapreplace
from math import inf
from typing import Generic, TypeVar

T = TypeVar("T", bound=Hashable)
MEASURABLE = 0.05  # progress from which the remaining time can be estimated


class FairQueue(Generic[T]):
    """A round-robin queue with one lane of waiting items per visitor.

    If two visitors wait for the same item, it is taken once, from whichever lane comes first.
    """

    def __init__(self, most_each: int) -> None:
        self._most_each = most_each
        self._lanes: OrderedDict[str, deque[T]] = OrderedDict()  # none of them empty

    def put(self, visitor: str, item: T) -> T | None:
        """Move the item to the end of the visitor's lane; return the item dropped, if any.

        The oldest item of a lane that is too long is dropped.

        >>> queue = FairQueue(most_each=2)
        >>> [queue.put("Ada", letter) for letter in "abab" + "c"]
        [None, None, None, None, 'a']
        """
        self.drop(visitor, item)
        lane = self._lanes.setdefault(visitor, deque())
        lane.append(item)
        return lane.popleft() if len(lane) > self._most_each else None

    def drop(self, visitor: str, item: T) -> None:
        """Remove the item from this visitor's lane, if it is there."""
        lane = self._lanes.get(visitor, deque())
        if item in lane:
            lane.remove(item)
        if not lane:
            self._lanes.pop(visitor, None)

    def take(self, may: Callable[[str], bool] = lambda visitor: True) -> tuple[str, T] | None:
        """Take the next item, of a visitor for whom `may` is True, out of all lanes; return both.

        >>> queue = FairQueue(most_each=9)
        >>> for visitor, item in [("Ada", 1), ("Ada", 2), ("Ada", 3), ("Bo", 4)]:
        ...     _ = queue.put(visitor, item)
        >>> [queue.take() for _ in range(5)]
        [('Ada', 1), ('Bo', 4), ('Ada', 2), ('Ada', 3), None]
        """
        visitor = next(filter(may, self._lanes), None)
        if visitor is None:
            return None
        item = self._lanes[visitor][0]
        self._lanes.move_to_end(visitor)
        for each in list(self._lanes):
            self.drop(each, item)
        return visitor, item

    def position(self, item: T, may: Callable[[str], bool] = lambda visitor: True) -> int:
        """Return how many items come before this one; 0 if it isn't waiting.

        If `may` is False for another visitor, this visitor's items are not counted.

        >>> queue = FairQueue(most_each=9)
        >>> for visitor, item in [("Ada", 1), ("Ada", 2), ("Ada", 3), ("Bo", 4), ("Bo", 5)]:
        ...     _ = queue.put(visitor, item)
        >>> [queue.position(item) for item in (1, 4, 2, 5, 3)]
        [0, 1, 2, 3, 4]
        >>> queue.position(4, may=lambda visitor: visitor != "Ada")
        0
        """
        owners = list(self._lanes)
        lanes = list(self._lanes.values())
        found = (
            sum(
                min(len(other), index + (q <= p))
                for q, other in enumerate(lanes)
                if q == p or may(owners[q])
            )
            - 1
            for p, lane in enumerate(lanes)
            for index, waiting in enumerate(lane)
            if waiting == item
        )
        return min(found, default=0)

    def visitors(self, item: T) -> list[str]:
        """Return the visitors in whose lanes the item waits."""
        return [visitor for visitor, lane in self._lanes.items() if item in lane]


def seconds_left(elapsed: float, progress: float, usual: float) -> float:
    """Estimate the remaining seconds of a job at `progress` (0 to 1) after `elapsed` seconds.

    A job that has hardly progressed is assumed to take `usual` seconds; after these, return inf.

    >>> seconds_left(10.0, 0.25, 1.0), seconds_left(0.5, 0.0, 2.0), seconds_left(30.0, 0.01, 2.0)
    (30.0, 1.5, inf)
    """
    if progress >= MEASURABLE:
        return elapsed * (1 - progress) / progress
    return usual - elapsed if elapsed < usual else inf


def seconds_until(position: int, left: Sequence[float], workers: int, usual: float) -> float:
    """Estimate the seconds until the job at this position of the queue starts.

    `left` has each running job's remaining seconds; each waiting job is assumed to take `usual`
    seconds. The result is inf if it cannot be estimated.

    >>> seconds_until(0, [40.0, 50.0], workers=3, usual=2.0)
    0.0
    >>> seconds_until(0, [40.0, 50.0, 60.0], workers=3, usual=2.0)
    40.0
    >>> seconds_until(2, [40.0, 50.0, 9.0], workers=3, usual=2.0)
    13.0
    """
    free = [0.0] * (workers - len(left)) + list(left)
    heapify(free)
    for _ in range(position):
        heapreplace(free, free[0] + usual)
    return free[0]
