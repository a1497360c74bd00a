"""Which pair is merged next, and when a run is over: what BPE and WordPiece training share.

The best pair is taken; where several are as good, the *tie rule* says which of them. `Queue` holds
pairs that are *worth* a whole number each, and changes little at a time: to BPE, that is the count.
Left out: which pairs there are (`bpe/training.py`), and scores (`wordpiece/scores.py`).
"""

import heapq
from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from tokenizers.merging.state import Merge, Pair, State
from tokenizers.refusal import Refusal

WHY_FIRST = {
    "first_seen": "it comes first in the text",
    "smallest_ids": "its symbols are the oldest in the vocabulary",
    "smallest_string": "it comes first in alphabetical order",
}
"""The rules for pairs that tie: why the one that is taken comes first."""
TIE_RULES = tuple(WHY_FIRST)


class Limits(Protocol):
    """What is asked of settings here: see `bpe.Settings`."""

    @property
    def num_merges(self) -> int | None: ...
    @property
    def vocab_size(self) -> int | None: ...


NO_PAIR_LEFT = "every word is a single piece, so no pair is left"


def too_rare(count: int, min_count: int) -> str:
    """Say that the most frequent pair left is seen less often than it must be."""
    times = f"{count:,} times" if count > 1 else "once"
    return f"the most frequent pair left occurs {times}, below the minimum of {min_count:,}"


def reached(limits: Limits, num_merges: int, vocab_size: int) -> str | None:
    """Return which limit a run has reached, in words; None while it may go on."""
    if num_merges == limits.num_merges:
        return f"all {num_merges:,} merges are done" if num_merges > 1 else _few(num_merges)
    if limits.vocab_size is not None and vocab_size >= limits.vocab_size:
        if vocab_size == limits.vocab_size:
            return f"the vocabulary has reached {vocab_size:,} pieces"
        return (
            f"the vocabulary already has {vocab_size:,} pieces, "
            f"more than the {limits.vocab_size:,} you asked for"
        )
    return None


def _few(num_merges: int) -> str:
    return "the one merge you asked for is done" if num_merges else "you asked for 0 merges"


Branches = Mapping[int, Pair]
"""At the step of that number, from 1, the pair that is taken in place of the tie rule's."""
NO_BRANCHES: Branches = {}


class Ranked(Protocol):
    """The pairs that may be merged, the best first."""

    def best(self) -> Pair | None:
        """Return the pair to merge next; None when no pair is good enough."""
        ...

    def ties(self, pair: Pair) -> bool:
        """Return whether a pair is as good as `best`, which was asked for just before."""
        ...

    def num_tied(self) -> int:
        """Return how many pairs are, that one among them."""
        ...


def next_merge(state: State, queue: Ranked, branch: Pair | None = None) -> Merge | None:
    """Decide which pair is merged next, and what that changes; None when no pair is left.

    With a `branch`, that pair is taken in place of the one that the tie rule says. Raises
    ValueError, in a sentence, for a pair that does not tie.
    """
    pair = queue.best()
    if pair is None:
        return None
    if branch is not None:
        if not queue.ties(branch):
            raise Refusal(f"The pair {' + '.join(branch)} does not tie. Choose one that does.")
        pair = branch
    return state.merge(pair, tied=queue.num_tied())


def tie_key(state: State, ties: str) -> Callable[[Pair], tuple[Any, ...]]:
    """Return the function by which pairs that are worth the same are sorted."""
    ids = state.vocab
    if ties == "first_seen":
        return state.first_place
    if ties == "smallest_ids":
        return lambda pair: (ids[pair[0]], ids[pair[1]])
    return lambda pair: pair


class Queue:
    """The pairs that may be merged, those worth most first, ties by the rule.

    Who fills the queue keeps `worth` and `tally`, which holds how many pairs are worth how much,
    and files a pair whenever it has come to be worth something else. Pairs that are worth the same
    wait together, unsorted, until it is their turn; for most of them it never is. Where a pair
    was filed before, it is passed by.
    """

    def __init__(
        self, worth: Mapping[Pair, int], tie_key: Callable[[Pair], tuple[Any, ...]], least: int = 1
    ) -> None:
        self.worth, self._least = worth, least
        self.tally: dict[int, int] = defaultdict(int)
        self._tie_key = tie_key
        self._waiting: dict[int, list[Pair]] = {}
        self._worths: list[int] = []  # a heap of those that have pairs waiting, negative
        self._tied: list[
            tuple[Any, ...]
        ] = []  # a heap of the pairs whose turn it is, with what sorts them
        self._top = 0  # what those are worth

    def file(self, pair: Pair, worth: int) -> None:
        """Put `pair` where it belongs."""
        if worth == self._top:
            heapq.heappush(self._tied, (self._tie_key(pair), pair))
            return
        if worth > self._top and self._tied:
            self._wait_again()
        if worth in self._waiting:
            self._waiting[worth].append(pair)
        else:
            self._waiting[worth] = [pair]
            heapq.heappush(self._worths, -worth)

    def _wait_again(self) -> None:
        """Put back the pairs whose turn it is: one that is worth more has come up."""
        self._waiting[self._top] = [pair for _, pair in self._tied]
        heapq.heappush(self._worths, -self._top)
        self._tied, self._top = [], 0

    def best(self) -> Pair | None:
        """Return the pair to merge next; None when no pair is worth enough."""
        while True:
            while self._tied:
                key, pair = self._tied[0]
                if self.worth.get(pair) != self._top:
                    heapq.heappop(self._tied)
                elif (current := self._tie_key(pair)) != key:
                    heapq.heapreplace(self._tied, (current, pair))
                else:
                    return pair
            if not self._worths or -self._worths[0] < self._least:
                return None
            self._take_turn(-heapq.heappop(self._worths))

    def ties(self, pair: Pair) -> bool:
        """Return whether a pair is worth as much as `best`, which was asked for just before."""
        return self.worth.get(pair) == self._top

    def num_tied(self) -> int:
        """Return how many pairs are, that one among them."""
        return self.tally[self._top]

    def _take_turn(self, worth: int) -> None:
        """Sort the pairs that have been waiting with this worth."""
        self._top = worth
        pairs = {pair for pair in self._waiting.pop(worth) if self.worth.get(pair) == worth}
        self._tied = [(self._tie_key(pair), pair) for pair in pairs]
        heapq.heapify(self._tied)
