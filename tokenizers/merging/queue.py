"""The priority queue of BPE training: the most frequent pair is merged next.

Among several pairs with the same count, the *tie rule* picks one. The training loop is in
`training.py`; the queue that WordPiece orders by score is in `wordpiece/scores.py`.
"""

import heapq
from collections.abc import Callable
from operator import itemgetter
from typing import Any, Protocol

from tokenizers.merging.state import Merge, Pair, State

TIE_RULE_REASONS = {
    "first_seen": "it comes first in the text",
    "smallest_ids": "its symbols are the oldest in the vocabulary",
    "smallest_string": "it comes first in alphabetical order",
    "largest_string": "it comes last in alphabetical order",
}
"""For each tie rule, why the pair that it picks comes first."""
TIE_RULES = tuple(TIE_RULE_REASONS)


class MergeSettings(Protocol):
    """The settings that training by merging needs: see `bpe.Settings`."""

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


def too_rare_text(count: int, min_count: int) -> str:
    """Describe why training stops if the most frequent pair left is below the minimum count."""
    times = f"{count:,} times" if count > 1 else "once"
    return f"the most frequent pair left occurs {times}, below the minimum of {min_count:,}"


def tie_key(state: State, ties: str) -> Callable[[Pair], tuple[Any, ...]]:
    """Return the sort key of tied pairs under the tie rule `ties`; the lowest is merged first."""
    ids = state.vocab
    if ties == "first_seen":
        return state.first_position
    if ties == "smallest_ids":
        return lambda pair: (ids[pair[0]], ids[pair[1]])
    return _LastFirst if ties == "largest_string" else lambda pair: pair


class _LastFirst(tuple[str, ...]):
    """A pair as a sort key that puts the last pair in code point order first."""

    __slots__ = ()

    def __lt__(self, other: tuple[str, ...]) -> bool:
        return super().__gt__(other)


_Entry = tuple[tuple[Any, ...], Pair]  # the tie key of a pair, and the pair


class FrequencyQueue:
    """The pairs that may be merged, the most frequent first; ties are broken by the tie rule.

    A bucket queue with lazy deletion: a pair is pushed whenever its count changes, and outdated
    entries are skipped. Pairs with the same count share a bucket. Only the bucket with the highest
    count, the *active* one, is in order: its pairs are sorted once, and a heap takes later ones.
    """

    def __init__(self, state: State, settings: MergeSettings) -> None:
        self._counts, self._settings = state.pair_counts, settings
        self._tie_key = tie_key(state, settings.ties)
        self._buckets: dict[int, list[Pair]] = {}
        self._heap: list[int] = []  # the negated counts of all buckets
        # The active bucket: the count that its pairs share, how many have it now, and its entries.
        self._active_count = self._num_tied = 0
        self._sorted: list[_Entry] = []  # the last is merged first
        self._later: list[_Entry] = []  # a heap
        for pair, count in self._counts.items():
            if settings.allows(pair):
                self._push(pair, count)

    def update(self, step: Merge) -> None:
        """Update the queue with the counts that `step` changed."""
        counts, unlimited = self._counts, self._settings.max_token_length is None
        for pair, change in step.pair_count_deltas.items():
            if unlimited or self._settings.allows(pair):
                count = counts.get(pair, 0)
                if count - change == self._active_count:
                    self._num_tied -= 1
                if count:
                    self._push(pair, count)

    def _push(self, pair: Pair, count: int) -> None:
        if count == self._active_count:
            self._num_tied += 1
            heapq.heappush(self._later, (self._tie_key(pair), pair))
            return
        if count > self._active_count > 0:
            self._deactivate_bucket()
        if count in self._buckets:
            self._buckets[count].append(pair)
        else:
            self._buckets[count] = [pair]
            heapq.heappush(self._heap, -count)

    def _deactivate_bucket(self) -> None:
        """Put the active pairs back into a bucket, because a more frequent pair has appeared."""
        self._buckets[self._active_count] = [pair for _, pair in (*self._sorted, *self._later)]
        heapq.heappush(self._heap, -self._active_count)
        self._sorted, self._later, self._active_count = [], [], 0

    def best(self) -> Pair | None:
        """Return the pair to merge next; None when no pair is frequent enough."""
        while True:
            ordered, later = self._sorted, self._later
            while ordered or later:
                is_later = later and (not ordered or later[0] < ordered[-1])
                key, pair = later[0] if is_later else ordered[-1]
                is_outdated = self._counts.get(pair) != self._active_count
                if not is_outdated and self._tie_key(pair) == key:
                    return pair
                heapq.heappop(later) if is_later else ordered.pop()
                if not is_outdated:
                    heapq.heappush(later, (self._tie_key(pair), pair))
            if not self._heap or -self._heap[0] < self._settings.min_count:
                return None
            self._activate_bucket(-heapq.heappop(self._heap))

    def _activate_bucket(self, count: int) -> None:
        """Make the bucket of this count the active one, sorted by the tie rule."""
        pairs = {pair for pair in self._buckets.pop(count) if self._counts.get(pair) == count}
        entries = [(self._tie_key(pair), pair) for pair in pairs]
        entries.sort(key=itemgetter(0), reverse=True)  # twice as fast as comparing whole entries
        self._sorted, self._later = entries, []
        self._active_count, self._num_tied = count, len(pairs)

    def is_tied(self, pair: Pair) -> bool:
        """Return whether a pair is as frequent as the last result of `best`."""
        return self._counts.get(pair) == self._active_count

    def num_tied(self) -> int:
        """Return the number of pairs tied for best, including the best."""
        return self._num_tied

    def why_empty(self) -> str:
        """Describe why `best` returned None."""
        if not self._counts:
            return NO_PAIR_LEFT
        settings = self._settings
        allowed = [count for pair, count in self._counts.items() if settings.allows(pair)]
        if not allowed:
            limit = settings.max_token_length
            symbols = "symbol" if limit == 1 else "symbols"
            return f"every remaining pair would make a piece longer than {limit:,} {symbols}"
        return too_rare_text(max(allowed), settings.min_count)
