"""Which pair is merged next: the most frequent one, as BPE has it.

Where several pairs are as good, the *tie rule* says which of them is taken. Left out: the training
itself (`training.py`), and scores (`wordpiece/scores.py`).
"""

import heapq
from collections import defaultdict
from collections.abc import Callable
from typing import Any, Protocol

from tokenizers.merging.state import Merge, Pair, State

WHY_FIRST = {
    "first_seen": "it comes first in the text",
    "smallest_ids": "its symbols are the oldest in the vocabulary",
    "smallest_string": "it comes first in alphabetical order",
}
"""The rules for pairs that tie: why the one that is taken comes first."""
TIE_RULES = tuple(WHY_FIRST)


class Limits(Protocol):
    """What is asked of settings here and in `training.py`: see `bpe.Settings`."""

    @property
    def num_merges(self) -> int | None: ...
    @property
    def vocab_size(self) -> int | None: ...
    @property
    def min_count(self) -> int: ...
    @property
    def max_token_length(self) -> int | None: ...
    @property
    def ties(self) -> str: ...
    def allows(self, pair: Pair) -> bool: ...


NO_PAIR_LEFT = "every word is a single piece, so no pair is left"


def too_rare(count: int, min_count: int) -> str:
    """Say that the most frequent pair left is seen less often than it must be."""
    times = f"{count:,} times" if count > 1 else "once"
    return f"the most frequent pair left occurs {times}, below the minimum of {min_count:,}"


def tie_key(state: State, ties: str) -> Callable[[Pair], tuple[Any, ...]]:
    """Return the function by which pairs that are worth the same are sorted."""
    ids = state.vocab
    if ties == "first_seen":
        return state.first_place
    if ties == "smallest_ids":
        return lambda pair: (ids[pair[0]], ids[pair[1]])
    return lambda pair: pair


class Queue:
    """The pairs that may be merged, the most frequent first, ties by the rule.

    A pair is filed whenever its count has changed. Pairs that are seen as often wait together,
    unsorted, until it is their turn; for most of them it never is. Where a pair was filed before,
    it is passed by. `_tally` holds how many pairs are seen how often.
    """

    def __init__(self, state: State, settings: Limits) -> None:
        self._counts, self._settings = state.pair_counts, settings
        self._tie_key = tie_key(state, settings.ties)
        self._tally: dict[int, int] = defaultdict(int)
        self._waiting: dict[int, list[Pair]] = {}
        self._heap: list[int] = []  # of the counts that have pairs waiting, negative
        # A heap of the pairs whose turn it is, with what sorts them, and how often they are seen.
        self._tied: list[tuple[tuple[Any, ...], Pair]] = []
        self._top = 0
        for pair, count in self._counts.items():
            if settings.allows(pair):
                self._tally[count] += 1
                self._file(pair, count)

    def update(self, step: Merge) -> None:
        """Update the queue with the counts that `step` changed."""
        counts, tally = self._counts, self._tally
        unlimited = self._settings.max_token_length is None
        for pair, change in step.recount.items():
            if unlimited or self._settings.allows(pair):
                count = counts.get(pair, 0)
                tally[count - change] -= 1
                tally[count] += 1
                if count:
                    self._file(pair, count)

    def _file(self, pair: Pair, count: int) -> None:
        if count == self._top:
            heapq.heappush(self._tied, (self._tie_key(pair), pair))
            return
        if count > self._top and self._tied:
            self._wait_again()
        if count in self._waiting:
            self._waiting[count].append(pair)
        else:
            self._waiting[count] = [pair]
            heapq.heappush(self._heap, -count)

    def _wait_again(self) -> None:
        """Put back the pairs whose turn it is: one that is seen more often has come up."""
        self._waiting[self._top] = [pair for _, pair in self._tied]
        heapq.heappush(self._heap, -self._top)
        self._tied, self._top = [], 0

    def best(self) -> Pair | None:
        """Return the pair to merge next; None when no pair is seen often enough."""
        while True:
            while self._tied:
                key, pair = self._tied[0]
                if self._counts.get(pair) != self._top:
                    heapq.heappop(self._tied)
                elif (current := self._tie_key(pair)) != key:
                    heapq.heapreplace(self._tied, (current, pair))
                else:
                    return pair
            if not self._heap or -self._heap[0] < self._settings.min_count:
                return None
            self._take_turn(-heapq.heappop(self._heap))

    def _take_turn(self, count: int) -> None:
        """Sort the pairs that have been waiting with this count."""
        self._top = count
        pairs = {pair for pair in self._waiting.pop(count) if self._counts.get(pair) == count}
        self._tied = [(self._tie_key(pair), pair) for pair in pairs]
        heapq.heapify(self._tied)

    def ties(self, pair: Pair) -> bool:
        """Return whether a pair is seen as often as `best`, which was asked for just before."""
        return self._counts.get(pair) == self._top

    def num_tied(self) -> int:
        """Return how many pairs are, that one among them."""
        return self._tally[self._top]

    def why_empty(self) -> str:
        """Say why `best` has found nothing."""
        if not self._counts:
            return NO_PAIR_LEFT
        settings = self._settings
        allowed = [count for pair, count in self._counts.items() if settings.allows(pair)]
        if not allowed:
            limit = settings.max_token_length
            symbols = "symbol" if limit == 1 else "symbols"
            return f"every remaining pair would make a piece longer than {limit:,} {symbols}"
        return too_rare(max(allowed), settings.min_count)
