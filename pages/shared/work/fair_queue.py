"""A queue in which everybody has a turn, however much one visitor asks for; how long it takes.

It knows nothing of runs, threads or Streamlit: the pool in pool.py holds the lock.
"""

from collections import OrderedDict, deque
from collections.abc import Callable, Hashable, Sequence
from heapq import heapify, heapreplace
from math import inf
from typing import Generic, TypeVar

T = TypeVar("T", bound=Hashable)
MEASURABLE = 0.05  # of a run: before that, how long the rest takes cannot be told from it


class FairQueue(Generic[T]):
    """One lane of waiting items for each visitor; every turn takes one item from the next lane.

    Two visitors may wait for the same item: it is taken once, in whichever lane its turn comes
    first.
    """

    def __init__(self, most_each: int) -> None:
        self._most_each = most_each
        self._lanes: OrderedDict[str, deque[T]] = OrderedDict()  # none of them empty

    def put(self, visitor: str, item: T) -> T | None:
        """Put the item last in the visitor's lane, also if it was in it; return what gives way.

        From a lane that is too long, the item that was put there longest ago is taken out.

        >>> queue = FairQueue(most_each=2)
        >>> [queue.put("Ada", letter) for letter in "abab" + "c"]
        [None, None, None, None, 'a']
        """
        self.drop(visitor, item)
        lane = self._lanes.setdefault(visitor, deque())
        lane.append(item)
        return lane.popleft() if len(lane) > self._most_each else None

    def drop(self, visitor: str, item: T) -> None:
        """Take the item out of this visitor's lane, if it is there."""
        lane = self._lanes.get(visitor, deque())
        if item in lane:
            lane.remove(item)
        if not lane:
            self._lanes.pop(visitor, None)

    def take(self, may: Callable[[str], bool] = lambda visitor: True) -> tuple[str, T] | None:
        """Return the next visitor who `may` have a turn, and the item that comes out of all lanes.

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
        """Return how many items have their turn before this one, 0 if it does not wait.

        Those of others who `may` not have a turn now are not counted: this one passes them.

        >>> queue = FairQueue(most_each=9)
        >>> for visitor, item in [("Ada", 1), ("Ada", 2), ("Ada", 3), ("Bo", 4), ("Bo", 5)]:
        ...     _ = queue.put(visitor, item)
        >>> [queue.ahead(item) for item in (1, 4, 2, 5, 3)]
        [0, 1, 2, 3, 4]
        >>> queue.ahead(4, may=lambda visitor: visitor != "Ada")
        0
        """
        owners = list(self._lanes)
        lanes = list(self._lanes.values())
        found = (
            sum(
                min(len(other), place + (q <= p))
                for q, other in enumerate(lanes)
                if q == p or may(owners[q])
            )
            - 1
            for p, lane in enumerate(lanes)
            for place, waiting in enumerate(lane)
            if waiting == item
        )
        return min(found, default=0)

    def visitors(self, item: T) -> list[str]:
        """Return in whose lanes the item waits."""
        return [visitor for visitor, lane in self._lanes.items() if item in lane]


def seconds_left(elapsed: float, progress: float, usual: float) -> float:
    """Return how long a run will still take that is at `progress` (0 to 1) after `elapsed` seconds.

    One that has hardly begun is taken to last as long as `usual`. After that nobody can tell: inf.

    >>> seconds_left(10.0, 0.25, 1.0), seconds_left(0.5, 0.0, 2.0), seconds_left(30.0, 0.01, 2.0)
    (30.0, 1.5, inf)
    """
    if progress >= MEASURABLE:
        return elapsed * (1 - progress) / progress
    return usual - elapsed if elapsed < usual else inf


def seconds_until(position: int, left: Sequence[float], workers: int, usual: float) -> float:
    """Return in how many seconds the run begins that has so many others before it.

    `left` are the seconds that the running ones still take; each of the others takes `usual`. The
    result is inf where nobody can tell.

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
