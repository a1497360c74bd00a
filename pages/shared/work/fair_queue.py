"""A queue in which everybody has a turn, however much one visitor asks for.

It knows nothing of runs, threads or Streamlit: the pool in pool.py holds the lock.
"""

from collections import OrderedDict, deque
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

T = TypeVar("T", bound=Hashable)


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

    def ahead(self, item: T) -> int:
        """Return how many items have their turn before this one, 0 if it does not wait.

        >>> queue = FairQueue(most_each=9)
        >>> for visitor, item in [("Ada", 1), ("Ada", 2), ("Ada", 3), ("Bo", 4), ("Bo", 5)]:
        ...     _ = queue.put(visitor, item)
        >>> [queue.ahead(item) for item in (1, 4, 2, 5, 3)]
        [0, 1, 2, 3, 4]
        """
        lanes = list(self._lanes.values())
        found = (
            sum(min(len(other), place + (q <= p)) for q, other in enumerate(lanes)) - 1
            for p, lane in enumerate(lanes)
            for place, waiting in enumerate(lane)
            if waiting == item
        )
        return min(found, default=0)
