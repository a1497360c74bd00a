"""The segmentations of a string in order of probability, the best first, as many as are asked for.

A* from the end of the string: a *hypothesis* is the end of a path. It is worth what it has so far
and the best way to where it begins, which Viterbi knows exactly; so the hypothesis taken from the
agenda is always the best there is, and whatever reaches position 0 is the next segmentation.
`n_best_steps` yields one `NBestStep` per hypothesis. Log probabilities are in nats.

An `Agenda` keeps the hypotheses in exact order. What SentencePiece lists where paths tie, see
`unigram/sentencepiece/n_best.py`.
"""

import heapq
from collections.abc import Iterator, Sequence
from itertools import count, islice
from typing import NamedTuple

from tokenizers.lattice import LOG_ZERO, Lattice, Path

TIED_DIGITS = 9


class Hypothesis(NamedTuple):
    """The end of a path, from `position` on: what it has so far, and the best it can become."""

    position: int
    path: Path
    so_far: float
    bound: float


class NBestStep(NamedTuple):
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

    def pop(self) -> Hypothesis:
        """Return the best and take it away."""
        return heapq.heappop(self._heap)[-1]


def n_best_steps(lattice: Lattice, agenda: Agenda | None = None) -> Iterator[NBestStep]:
    """Yield the hypotheses in the order in which they are taken, until none is left.

    An empty `agenda` other than the exact one decides on the order and rounds the sums.
    """
    agenda = Agenda() if agenda is None else agenda
    best = best_values(lattice, agenda)
    if best[-1] == LOG_ZERO:
        return
    ways = _incoming_edges(lattice, best, agenda)
    agenda.add([Hypothesis(len(lattice.text), (), 0.0, best[-1])])
    while agenda:
        taken = agenda.pop()
        added = _extensions(taken, ways, agenda)
        agenda.add(added)
        yield NBestStep(taken, added, len(agenda))


def best_values(lattice: Lattice, agenda: Agenda) -> list[float]:
    """Return the log probability of the best way to each position, as the agenda rounds it."""
    best = [0.0]
    for edges in lattice.arriving[1:]:
        ways = [lattice.edges[number] for number in edges]
        totals = [agenda.rounded(best[edge.start] + edge.log_prob) for edge in ways]
        best.append(max(totals, default=LOG_ZERO))
    return best


class _IncomingEdge(NamedTuple):
    """An edge to which some way leads, and what the best of these ways is worth with it."""

    number: int
    start: int
    log_prob: float
    best: float


def _incoming_edges(
    lattice: Lattice, best: Sequence[float], agenda: Agenda
) -> list[list[_IncomingEdge]]:
    """Return the ways that arrive at each position: many hypotheses ask for the same ones."""
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
    known: Hypothesis, ways: Sequence[Sequence[_IncomingEdge]], agenda: Agenda
) -> tuple[Hypothesis, ...]:
    """Return `known` with each of the edges that arrive where it begins."""
    _, path, so_far, _ = known
    rounded = agenda.rounded
    longer = [
        Hypothesis(start, (number, *path), rounded(so_far + log_prob), rounded(so_far + best))
        for number, start, log_prob, best in ways[known.position]
    ]
    return tuple(longer)


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
