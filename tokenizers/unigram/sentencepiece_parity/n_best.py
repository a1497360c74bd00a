"""The n best segmentations as SentencePiece lists them.

Its `Heap` keeps hypotheses that tie, as its float32 sums often do, in the order that the heap
happens to give them, and gives up on some where they become too many.
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
    """SentencePiece 0.2.3 has given up the search."""


class _HeapEntry(float):
    """A hypothesis by what it is worth, negated. Of two that tie, neither is less.

    So `heapq`, which lifts and lowers as the binary heap of C++ does, puts them where that does.
    """

    __slots__ = ("hypothesis", "is_whole")
    hypothesis: Hypothesis
    is_whole: bool

    def __new__(cls, worth: float, hypothesis: Hypothesis, is_whole: bool) -> "_HeapEntry":
        waiting = super().__new__(cls, -worth)
        waiting.hypothesis, waiting.is_whole = hypothesis, is_whole
        return waiting


class BinaryHeapAgenda(Agenda):
    """SentencePiece's agenda for the `n` best: the binary heap of C++, with sums in float32.

    A hypothesis that has reached the beginning of the string is put back once, as SentencePiece has
    a node there. Where `MOST_WAITING` wait, it keeps the 10 n best, but 512 at most. Version 0.2.3
    (not `is_classic`) does so too after `MOST_ADDED` more, and raises `TooMany` when it has done it
    `MOST_CLEARANCES` times or has made `MOST_EVER`.
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
        """Let these wait, too; clear up if there are too many."""
        for hypothesis in hypotheses:
            heappush(self._entries, _HeapEntry(hypothesis.bound, hypothesis, False))
        self._count(len(hypotheses))

    def pop(self) -> Hypothesis:
        """Return the best and take it away."""
        while True:
            top = heappop(self._entries)
            hypothesis = top.hypothesis
            if hypothesis.position or top.is_whole:
                return hypothesis
            heappush(self._entries, _HeapEntry(hypothesis.so_far, hypothesis, True))
            self._count(1)

    def _count(self, number: int) -> None:
        """Take notice of so many new hypotheses."""
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
        # What is sorted is a heap.
        self._entries = [heappop(self._entries) for _ in range(min(self._kept, len(self)))]


def sentencepiece_n_best(lattice: Lattice, n: int, is_classic: bool = False) -> list[Path]:
    """Return the `n` best paths, two or more, as SentencePiece lists them.

    That is version 0.2.1 with `is_classic`, otherwise 0.2.3, which returns the best path alone
    where it has given up. The libraries list 1,024 at most.
    """
    steps = n_best_steps(lattice, BinaryHeapAgenda(n, is_classic))
    whole = (step.hypothesis.path for step in steps if not step.hypothesis.position)
    try:
        return list(islice(whole, n))
    except SearchAbandoned:
        return [_best_in_float32(lattice)]


def _best_in_float32(lattice: Lattice) -> Path:
    """Return the best path by SentencePiece's other Viterbi, which goes from edge to edge."""
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
