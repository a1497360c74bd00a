"""Merge the parts of one word by rank: the loop of BPE encoding, with what differs handed in.

Trained models, BPE-dropout and the models of all file formats merge the pair of the lowest rank
next, and the leftmost of several. They differ in what a part is, in how a pair's rank is found, and
in what a merge makes. Only the words of a few symbols in `runtime/models/bpe.py` have a loop of
their own.
"""

from collections.abc import Callable
from heapq import heapify, heappop, heappush
from itertools import pairwise, repeat
from operator import add
from typing import Any

NEVER = 10**9
"""Above every rank."""

FEW = 32
"""The number of parts up to which `merge_few` is faster than `merge_by_rank`."""
RankOf = Callable[[Any, int], int]
Join = Callable[[int, int, list[int]], tuple[Any, Any]]


def merge_by_rank(
    firsts: list[Any],
    seconds: list[Any],
    rank_of: RankOf,
    below: int = NEVER,
    join: Join | None = None,
    pop: Callable[[list[int]], int] = heappop,
) -> None:
    """Merge the parts of a word in place: the lowest rank first, then the leftmost position.

    Part i is `firsts[i]` where it is the first of a pair, and `seconds[i]` where it is the second.
    The sum of a first and a second is the pair's key, whether they are strings, tuples or numbers.
    `rank_of(key, below)` returns its rank, or `below` if the pair never merges. Both lists end with
    a sentinel that merges with nothing; it also replaces each part merged into its left neighbour.

    A merge makes the key itself or, with `join`, the first and the second that
    `join(rank, i, right)` returns for the pair of the parts i and `right[i]`. `pop` takes the next
    candidate from a heap, or returns -1 for none. Takes O(n log n) time for n parts.
    """
    last = len(firsts) - 1  # where the sentinel is; it closes the linked list of parts to a ring
    size = last + 1
    left, right = [last, *range(last)], [*range(1, size), last]
    # A candidate is one number, rank * size + position. `best[i]` is that of part i and the next.
    ranks = map(rank_of, map(add, firsts, seconds[1:]), repeat(below))
    best = [rank * size + i for i, rank in enumerate(ranks)]
    best.append(none := below * size)
    heap = [candidate for candidate in best if candidate < none]
    heapify(heap)
    while heap:
        candidate = pop(heap)
        i = candidate % size
        if best[i] != candidate:
            continue  # outdated by a later merge
        j = right[i]
        if join:
            first, second = join(candidate // size, i, right)
        else:
            first = second = firsts[i] + seconds[j]
        firsts[i], seconds[i] = first, second
        firsts[j], seconds[j], best[j] = firsts[last], seconds[last], none
        right[i] = after = right[j]
        left[after] = i
        before = left[i]
        best[before] = candidate = rank_of(firsts[before] + second, below) * size + before
        if candidate < none:
            heappush(heap, candidate)
        best[i] = candidate = rank_of(first + seconds[after], below) * size + i
        if candidate < none:
            heappush(heap, candidate)


def merge_few(parts: list[str], rank_of: RankOf, below: int = NEVER) -> None:
    """Merge strings in place like `merge_by_rank`, but compare all ranks before each merge.

    There is no sentinel, and merged parts disappear. Takes O(n²) time for n parts, with less to
    prepare than a heap.

    >>> parts = ["a", "b", "a", "b", "c"]
    >>> merge_few(parts, {"ab": 1, "bc": 0, "abab": 2}.get)
    >>> parts
    ['ab', 'a', 'bc']
    """
    ranks = [rank_of(first + second, below) for first, second in pairwise(parts)]
    while ranks and (lowest := min(ranks)) < below:
        at = ranks.index(lowest)
        parts[at] += parts.pop(at + 1)
        del ranks[at]
        if at:
            ranks[at - 1] = rank_of(parts[at - 1] + parts[at], below)
        if at < len(ranks):
            ranks[at] = rank_of(parts[at] + parts[at + 1], below)
