"""The segmentations of a string in order of probability, the best first, as many as are asked for.

A* from the end of the string: a *hypothesis* is the end of a path. It is worth what it has so far
and the best way to where it begins, which Viterbi knows exactly; so the hypothesis taken from the
agenda is always the best there is, and whatever reaches position 0 is the next segmentation.
`n_best_steps` yields one `Taken` per hypothesis. Log probabilities are in nats.

An `Agenda` keeps the hypotheses in exact order. SentencePiece's `Heap` keeps those that tie, as its
float32 sums often do, in the order that its heap happens to give them, and gives up on some where
they become too many: `sentencepiece_n_best` finds what that library finds.
"""

import heapq
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count, islice

from tokenizers.lattice import NEVER, Lattice, Path

TIED_DIGITS = 9
_FLOAT32 = struct.Struct("f")


def as_float32(value: float) -> float:
    """Return the nearest of the numbers that have 24 binary digits, as SentencePiece keeps them.

    >>> as_float32(0.1)
    0.10000000149011612
    """
    return _FLOAT32.unpack(_FLOAT32.pack(value))[0]


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """The end of a path, from `position` on: what it has so far, and the best it can become."""

    position: int
    path: Path
    so_far: float
    bound: float


@dataclass(frozen=True, slots=True)
class Taken:
    """One step: the best hypothesis of the agenda, and those that lengthen it to the left.

    It is a whole segmentation, and nothing is added, if its position is 0. `waiting` is how many
    hypotheses are left on the agenda after the step.
    """

    hypothesis: Hypothesis
    added: tuple[Hypothesis, ...]
    waiting: int


class Agenda:
    """The hypotheses that wait.

    Of those worth the same, the one that has come furthest is taken first: where very many paths
    tie, the first of them would otherwise come only after all of their beginnings. Then the first
    added, so that the first path is `lattice.best_path`.
    """

    def __init__(self) -> None:
        self._heap: list[tuple[float, int, int, Hypothesis]] = []
        self._number = count()

    def __len__(self) -> int:
        return len(self._heap)

    def rounded(self, value: float) -> float:
        """Return a sum as it is kept."""
        return value

    def add(self, hypotheses: Sequence[Hypothesis]) -> None:
        """Let these wait, too."""
        for hypothesis in hypotheses:
            worth = -round(hypothesis.bound, TIED_DIGITS)  # sums that tie differ in the last digits
            place = (worth, hypothesis.position, next(self._number), hypothesis)
            heapq.heappush(self._heap, place)

    def take(self) -> Hypothesis:
        """Return the best and take it away."""
        return heapq.heappop(self._heap)[-1]


def n_best_steps(lattice: Lattice, agenda: Agenda | None = None) -> Iterator[Taken]:
    """Yield the hypotheses in the order in which they are taken, until none is left.

    An empty `agenda` other than the exact one decides on the order and rounds the sums.
    """
    agenda = Agenda() if agenda is None else agenda
    best = _best_values(lattice, agenda)
    if best[-1] == NEVER:
        return
    agenda.add([Hypothesis(len(lattice.text), (), 0.0, best[-1])])
    while agenda:
        taken = agenda.take()
        added = tuple(_lengthened(lattice, taken, best, agenda))
        agenda.add(added)
        yield Taken(taken, added, len(agenda))


def _best_values(lattice: Lattice, agenda: Agenda) -> list[float]:
    """Return the log probability of the best way to each position, as the agenda rounds it."""
    best = [0.0]
    for edges in lattice.arriving[1:]:
        ways = [lattice.edges[number] for number in edges]
        totals = [agenda.rounded(best[edge.start] + edge.log_prob) for edge in ways]
        best.append(max(totals, default=NEVER))
    return best


def _lengthened(
    lattice: Lattice, known: Hypothesis, best: Sequence[float], agenda: Agenda
) -> Iterator[Hypothesis]:
    """Yield `known` with each of the edges that arrive where it begins."""
    for number in lattice.arriving[known.position]:
        edge = lattice.edges[number]
        if best[edge.start] > NEVER:
            so_far = agenda.rounded(known.so_far + edge.log_prob)
            bound = known.so_far + agenda.rounded(best[edge.start] + edge.log_prob)
            yield Hypothesis(edge.start, (number, *known.path), so_far, agenda.rounded(bound))


def segmentations(lattice: Lattice, limit: int | None = None) -> Iterator[Path]:
    """Yield the paths in order of probability, the best first; `limit` is how many at most.

    >>> lattice = Lattice.build("hat", {"h": -1, "a": -1, "t": -1, "ha": -1.5, "at": -1.2})
    >>> [" ".join(lattice.pieces(path)) for path in segmentations(lattice)]
    ['h at', 'ha t', 'h a t']
    """
    whole = (step.hypothesis.path for step in n_best_steps(lattice) if not step.hypothesis.position)
    return islice(whole, limit)


def rank(lattice: Lattice, path: Path, limit: int) -> int | None:
    """Return the place of `path` among all, 1 for the best; those that tie share the first place.

    None if it is not among the first `limit`.
    """
    log_prob = lattice.log_prob(path)
    for place, other in enumerate(segmentations(lattice, limit), start=1):
        if other == path or lattice.log_prob(other) < log_prob + 1e-9:
            return place
    return None


# --- SentencePiece --------------------------------------------------------------------------------

MOST_WAITING = 10_000
MOST_ADDED = 100_000
MOST_EVER = 500_000
MOST_CLEARANCES = 10


class TooMany(Exception):
    """SentencePiece 0.2.3 has given up the search."""


class Heap(Agenda):
    """SentencePiece's agenda for the `n` best: the binary heap of C++, with sums in float32.

    A hypothesis that has reached the beginning of the string is put back once, as SentencePiece has
    a node there. Where `MOST_WAITING` wait, it keeps the 10 n best, but 512 at most. Version 0.2.3
    (not `is_classic`) does so too after `MOST_ADDED` more, and raises `TooMany` when it has done it
    `MOST_CLEARANCES` times or has made `MOST_EVER`.
    """

    def __init__(self, n: int, is_classic: bool = False) -> None:
        self._entries: list[tuple[float, Hypothesis, bool]] = []
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
            self._push((hypothesis.bound, hypothesis, False))
        self._count(len(hypotheses))

    def take(self) -> Hypothesis:
        """Return the best and take it away."""
        while True:
            _, hypothesis, is_whole = self._pop()
            if hypothesis.position or is_whole:
                return hypothesis
            self._push((hypothesis.so_far, hypothesis, True))
            self._count(1)

    def _push(self, entry: tuple[float, Hypothesis, bool]) -> None:
        """Add at the bottom and lift it over all that are worth less."""
        self._entries.append(entry)
        self._lift(len(self._entries) - 1, entry)

    def _lift(self, hole: int, entry: tuple[float, Hypothesis, bool]) -> None:
        entries = self._entries
        while hole and entries[parent := (hole - 1) // 2][0] < entry[0]:
            entries[hole] = entries[parent]
            hole = parent
        entries[hole] = entry

    def _pop(self) -> tuple[float, Hypothesis, bool]:
        """Take the top; the better child moves up all the way down; lift the last from there."""
        entries = self._entries
        top, last, hole = entries[0], entries.pop(), 0
        while (child := 2 * hole + 1) < len(entries):
            if child + 1 < len(entries) and not entries[child + 1][0] < entries[child][0]:
                child += 1
            entries[hole] = entries[child]
            hole = child
        if entries:
            self._lift(hole, last)
        return top

    def _count(self, number: int) -> None:
        """Take notice of so many new hypotheses."""
        self._added += number
        self._ever += number
        if not self._is_classic and self._ever >= MOST_EVER:
            raise TooMany
        if len(self) >= MOST_WAITING or (
            not self._is_classic and len(self) > self._kept and self._added >= MOST_ADDED
        ):
            self._clear()

    def _clear(self) -> None:
        """Keep the best only."""
        if not self._is_classic and self._clearances == MOST_CLEARANCES:
            raise TooMany
        self._clearances += 1
        self._added = 0
        best = [self._pop() for _ in range(min(self._kept, len(self)))]
        self._entries = []
        for entry in best:
            self._push(entry)


def sentencepiece_n_best(lattice: Lattice, n: int, is_classic: bool = False) -> list[Path]:
    """Return the `n` best paths, two or more, as SentencePiece lists them.

    That is version 0.2.1 with `is_classic`, otherwise 0.2.3, which returns the best path alone
    where it has given up. The libraries list 1,024 at most.
    """
    steps = n_best_steps(lattice, Heap(n, is_classic))
    whole = (step.hypothesis.path for step in steps if not step.hypothesis.position)
    try:
        return list(islice(whole, n))
    except TooMany:
        return [_best_in_float32(lattice)]


def _best_in_float32(lattice: Lattice) -> Path:
    """Return the best path by SentencePiece's other Viterbi, which goes from edge to edge."""
    agenda = Heap(1)
    best = _best_values(lattice, agenda)
    path: list[int] = []
    position, after = len(lattice.text), 0.0
    while position:
        edges = lattice.arriving[position]
        ways = [lattice.edges[number] for number in edges]
        totals = [agenda.rounded(best[edge.start] + edge.log_prob) for edge in ways]
        totals = [agenda.rounded(total + after) for total in totals]
        path.append(edges[totals.index(max(totals))])
        position, after = lattice.edges[path[-1]].start, lattice.edges[path[-1]].log_prob
    return tuple(reversed(path))
