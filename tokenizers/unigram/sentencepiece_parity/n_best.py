"""The n best segmentations in SentencePiece's order.

Tied hypotheses, which are frequent among float32 sums, come in the order of its binary heap, which
also discards hypotheses if there are too many.
"""

from collections.abc import Sequence
from heapq import heappop, heappush
from itertools import islice

from tokenizers.lattice import Lattice, Path
from tokenizers.lattice.n_best import Agenda, Hypothesis, best_values, n_best_steps
from tokenizers.unigram.sentencepiece_parity.float32 import as_float32

MAX_WAITING = 10_000
MAX_ADDED = 100_000
MAX_EVER = 500_000
MAX_CLEARANCES = 10


class SearchAbandoned(Exception):
    """SentencePiece 0.2.3 abandons the search."""


class _HeapEntry(float):
    """A hypothesis with its negated score. Of two tied entries, neither is less.

    So `heapq`, which sifts in the same way as C++'s binary heap, puts ties in the same order.
    """

    __slots__ = ("hypothesis", "is_whole")
    hypothesis: Hypothesis
    is_whole: bool

    def __new__(cls, worth: float, hypothesis: Hypothesis, is_whole: bool) -> "_HeapEntry":
        waiting = super().__new__(cls, -worth)
        waiting.hypothesis, waiting.is_whole = hypothesis, is_whole
        return waiting


class BinaryHeapAgenda(Agenda):
    """SentencePiece's agenda for the `n` best, i.e. C++'s binary heap with sums in float32.

    A hypothesis that has reached the beginning of the string is put back once, since SentencePiece
    has a node there. At `MAX_WAITING` hypotheses, only the best min(10 n, 512) are kept. Version
    0.2.3 (without `is_classic`) also discards the others after adding `MAX_ADDED`, and raises
    `SearchAbandoned` after discarding `MAX_CLEARANCES` times or adding `MAX_EVER` hypotheses.
    """

    def __init__(self, n: int, is_classic: bool = False) -> None:
        self._entries: list[_HeapEntry] = []
        self._kept, self._is_classic = min(512, 10 * n), is_classic
        self._added = self._ever = self._clearances = 0

    def __len__(self) -> int:
        return len(self._entries)

    def rounded(self, value: float) -> float:
        """Return the nearest float32."""
        return as_float32(value)

    def add(self, hypotheses: Sequence[Hypothesis]) -> None:
        """Add hypotheses; discard the worst if there are too many."""
        for hypothesis in hypotheses:
            heappush(self._entries, _HeapEntry(hypothesis.bound, hypothesis, False))
        self._count(len(hypotheses))

    def pop(self) -> Hypothesis:
        """Remove and return the best hypothesis."""
        while True:
            top = heappop(self._entries)
            hypothesis = top.hypothesis
            if hypothesis.position or top.is_whole:
                return hypothesis
            heappush(self._entries, _HeapEntry(hypothesis.so_far, hypothesis, True))
            self._count(1)

    def _count(self, number: int) -> None:
        """Count new hypotheses and enforce the limits."""
        self._added += number
        self._ever += number
        if not self._is_classic and self._ever >= MAX_EVER:
            raise SearchAbandoned
        if len(self) >= MAX_WAITING or (
            not self._is_classic and len(self) > self._kept and self._added >= MAX_ADDED
        ):
            self._clear()

    def _clear(self) -> None:
        if not self._is_classic and self._clearances == MAX_CLEARANCES:
            raise SearchAbandoned
        self._clearances += 1
        self._added = 0
        # A sorted list is a heap.
        self._entries = [heappop(self._entries) for _ in range(min(self._kept, len(self)))]


def sentencepiece_n_best(lattice: Lattice, n: int, is_classic: bool = False) -> list[Path]:
    """Return the `n` best paths, n ≥ 2, in SentencePiece's order.

    With `is_classic`, the order is version 0.2.1's, otherwise 0.2.3's, which returns only the best
    path if it abandons the search. Both versions return at most 1,024 paths.
    """
    steps = n_best_steps(lattice, BinaryHeapAgenda(n, is_classic))
    whole = (step.hypothesis.path for step in steps if not step.hypothesis.position)
    try:
        return list(islice(whole, n))
    except SearchAbandoned:
        return [_best_in_float32(lattice)]


def _best_in_float32(lattice: Lattice) -> Path:
    """Return the best path by SentencePiece's other Viterbi search, from edge to edge."""
    agenda = BinaryHeapAgenda(1)
    best = best_values(lattice, agenda)
    path, position, after = list[int](), len(lattice.text), 0.0
    while position:
        edges = lattice.arriving[position]
        ways = [lattice.edges[number] for number in edges]
        totals = [agenda.rounded(best[edge.start] + edge.log_prob) for edge in ways]
        totals = [agenda.rounded(total + after) for total in totals]
        path.append(edges[totals.index(max(totals))])
        position, after = lattice.edges[path[-1]].start, lattice.edges[path[-1]].log_prob
    return tuple(reversed(path))
