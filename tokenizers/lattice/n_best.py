"""The segmentations of a string in order of probability, the best first.

A* from the end of the string: a *hypothesis* is the end of a path. Its priority is its own log
probability plus that of the best path to its start, which Viterbi gives exactly; so the hypothesis
popped from the agenda (a priority queue) is always the best left, and each one at position 0 is the
next segmentation. `n_best_steps` yields one `NBestStep` per hypothesis. Log probabilities are nats.

An `Agenda` keeps the hypotheses in exact order. SentencePiece's order of tied paths is in
`unigram/sentencepiece_parity/n_best.py`.
"""

import heapq
from collections.abc import Iterator, Sequence
from itertools import count, islice
from typing import NamedTuple

from tokenizers.lattice import LOG_ZERO, Lattice, Path

TIED_DIGITS = 9


class Hypothesis(NamedTuple):
    """The end of a path; `bound` is the log probability of the best whole path that ends so."""

    position: int
    path: Path
    so_far: float
    bound: float


class NBestStep(NamedTuple):
    """One step: the best hypothesis of the agenda, and its extensions to the left.

    At position 0 the hypothesis is a whole segmentation and has no extensions. `waiting` is the
    number of hypotheses on the agenda after the step.
    """

    hypothesis: Hypothesis
    added: tuple[Hypothesis, ...]
    waiting: int


class Agenda:
    """A priority queue of hypotheses.

    Among tied hypotheses, the one furthest to the left is popped first; otherwise, if very many
    paths tie, all partial paths would precede the first whole one. If positions tie too, the first
    one added is popped first, so that the first path is `lattice.best_path`.
    """

    def __init__(self) -> None:
        self._heap: list[tuple[float, int, int, Hypothesis]] = []
        self._number = count()

    def __len__(self) -> int:
        return len(self._heap)

    def rounded(self, value: float) -> float:
        """Return a sum of log probabilities, rounded to this agenda's precision (here exact)."""
        return value

    def add(self, hypotheses: Sequence[Hypothesis]) -> None:
        """Push hypotheses."""
        for hypothesis in hypotheses:
            priority = -round(hypothesis.bound, TIED_DIGITS)  # further digits are rounding errors
            entry = (priority, hypothesis.position, next(self._number), hypothesis)
            heapq.heappush(self._heap, entry)

    def pop(self) -> Hypothesis:
        """Remove and return the best hypothesis."""
        return heapq.heappop(self._heap)[-1]


def n_best_steps(lattice: Lattice, agenda: Agenda | None = None) -> Iterator[NBestStep]:
    """Yield the hypotheses in the order in which they are popped, until none is left.

    To change the order or the rounding, pass an empty `agenda` of another class.
    """
    agenda = Agenda() if agenda is None else agenda
    best = best_values(lattice, agenda)
    if best[-1] == LOG_ZERO:
        return
    incoming = _incoming_edges(lattice, best, agenda)
    agenda.add([Hypothesis(len(lattice.text), (), 0.0, best[-1])])
    while agenda:
        hypothesis = agenda.pop()
        added = _extensions(hypothesis, incoming, agenda)
        agenda.add(added)
        yield NBestStep(hypothesis, added, len(agenda))


def best_values(lattice: Lattice, agenda: Agenda) -> list[float]:
    """Return the log probability of the best path to each position, as the agenda rounds it."""
    best = [0.0]
    for edges in lattice.arriving[1:]:
        incoming = [lattice.edges[number] for number in edges]
        totals = [agenda.rounded(best[edge.start] + edge.log_prob) for edge in incoming]
        best.append(max(totals, default=LOG_ZERO))
    return best


class _IncomingEdge(NamedTuple):
    """An edge that some path reaches; `best` is the log probability of the best path with it."""

    number: int
    start: int
    log_prob: float
    best: float


def _incoming_edges(
    lattice: Lattice, best: Sequence[float], agenda: Agenda
) -> list[list[_IncomingEdge]]:
    """Return the incoming edges of each position, computed once for all hypotheses."""
    return [
        [
            _IncomingEdge(number, start, log_prob, agenda.rounded(best[start] + log_prob))
            for number in edges
            for start, log_prob in [(lattice.edges[number].start, lattice.edges[number].log_prob)]
            if best[start] > LOG_ZERO
        ]
        for edges in lattice.arriving
    ]


def _extensions(
    known: Hypothesis, incoming: Sequence[Sequence[_IncomingEdge]], agenda: Agenda
) -> tuple[Hypothesis, ...]:
    """Return `known` extended by each of the incoming edges of its position."""
    _, path, so_far, _ = known
    rounded = agenda.rounded
    longer = [
        Hypothesis(start, (number, *path), rounded(so_far + log_prob), rounded(so_far + best))
        for number, start, log_prob, best in incoming[known.position]
    ]
    return tuple(longer)


def segmentations(lattice: Lattice, limit: int | None = None) -> Iterator[Path]:
    """Yield the paths in order of probability, the best first, at most `limit` of them.

    >>> lattice = Lattice.build("hat", {"h": -1, "a": -1, "t": -1, "ha": -1.5, "at": -1.2})
    >>> [" ".join(lattice.pieces(path)) for path in segmentations(lattice)]
    ['h at', 'ha t', 'h a t']
    """
    whole = (step.hypothesis.path for step in n_best_steps(lattice) if not step.hypothesis.position)
    return islice(whole, limit)


def rank(lattice: Lattice, path: Path, limit: int) -> int | None:
    """Return the rank of `path` among all, 1 for the best; tied paths share the lowest rank.

    None if it is not among the first `limit`.
    """
    log_prob = lattice.log_prob(path)
    for number, other in enumerate(segmentations(lattice, limit), start=1):
        if other == path or lattice.log_prob(other) < log_prob + 1e-9:
            return number
    return None
