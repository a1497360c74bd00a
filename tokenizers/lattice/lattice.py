"""The lattice of one string under one model: all its segmentations as one graph.

The positions 0 … n lie before, between and after the n characters of the string. An *edge* is a
piece that spells the characters between two positions; a path of edges from 0 to n is a
*segmentation*, whose log probability is the sum of its pieces' log probabilities. There can be
2^(n-1) paths, but dynamic programming handles them all together, one position at a time:

* `viterbi_steps`: the *maximum* over the paths that end at a position;
* `forward_steps`: the *sum* over the same paths: the forward values α;
* `backward_steps`: the *sum* over the paths from a position to the end: the backward values β.

Each is a generator that yields one `NodeScore` per position. Building the lattice (`build_steps`),
listing its segmentations (`n_best.py`) and sampling them (`sampling.py`) are generators too. Log
probabilities are natural logarithms (nats). A model's probabilities need not sum to one.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tokenizers.errors import UserError

LOG_ZERO = -math.inf
"""The logarithm of probability 0."""

TIE_EPS = 1e-9
"""Log probabilities, in nats, that differ by less count as equal, as rounding may be the cause."""

Path = tuple[int, ...]
"""Indices of edges, from left to right."""


@dataclass(frozen=True, slots=True)
class Edge:
    """A piece between two positions; `known` is False for a character outside the vocabulary."""

    start: int
    end: int
    piece: str
    log_prob: float
    known: bool = True


@dataclass(frozen=True, slots=True)
class OutgoingEdges:
    """One step of building: the edges that start at a position, the shortest first."""

    position: int
    edges: tuple[Edge, ...]


@dataclass(frozen=True, slots=True)
class NodeScore:
    """The score of a position, and the edges that it is computed from.

    `edges` are the indices of the incoming edges, the longest first; `totals` has each edge's log
    probability plus the value at its start. In the backward pass, `edges` are the outgoing edges,
    the shortest first, and `totals` use the values at their ends. `value` is the maximum or the log
    sum of the totals. `best` is the edge with the largest total (the first one if several tie), or
    None if no path arrives.
    """

    position: int
    edges: tuple[int, ...]
    totals: tuple[float, ...]
    value: float
    best: int | None


def log_sum_exp(logs: Sequence[float]) -> float:
    """Return the logarithm of a sum, given the logarithms of its terms.

    >>> round(math.exp(log_sum_exp([math.log(0.25), math.log(0.5)])), 9)
    0.75
    """
    most = max(logs, default=LOG_ZERO)
    if most == LOG_ZERO:
        return LOG_ZERO
    return most + math.log(math.fsum([math.exp(log - most) for log in logs]))


def build_steps(
    text: str, pieces: Mapping[str, float], unknown: float | None = None
) -> Iterator[OutgoingEdges]:
    """Yield the edges that start at each position; `pieces` maps pieces to log probabilities.

    A piece of probability zero gets no edge. A character that is not a piece, or has probability
    zero as a piece, gets an unknown edge with the log probability `unknown`. If `unknown` is None
    or `LOG_ZERO`, no path leads through such a character as a single edge.
    """
    unknown = LOG_ZERO if unknown is None else unknown
    longest = max(map(len, pieces), default=0)
    for start in range(len(text)):
        ends = range(start + 1, min(start + longest, len(text)) + 1)
        found = [
            Edge(start, end, piece, pieces[piece])
            for end in ends
            if pieces.get(piece := text[start:end], LOG_ZERO) > LOG_ZERO
        ]
        if unknown > LOG_ZERO and (not found or found[0].end > start + 1):
            found.insert(0, Edge(start, start + 1, text[start], unknown, known=False))
        yield OutgoingEdges(start, tuple(found))


class Lattice:
    """The edges of a string, sorted by start, then by end.

    `arriving` and `leaving` hold the indices of each position's incoming and outgoing edges.
    """

    def __init__(self, text: str, edges: Iterable[Edge]) -> None:
        self.text, self.edges = text, tuple(edges)
        arriving: list[list[int]] = [[] for _ in range(len(text) + 1)]
        leaving: list[list[int]] = [[] for _ in range(len(text) + 1)]
        for number, edge in enumerate(self.edges):
            arriving[edge.end].append(number)
            leaving[edge.start].append(number)
        self.arriving, self.leaving = tuple(map(tuple, arriving)), tuple(map(tuple, leaving))

    @classmethod
    def build(
        cls, text: str, pieces: Mapping[str, float], unknown: float | None = None
    ) -> "Lattice":
        """Build the lattice of `text`; see `build_steps`.

        >>> [edge.piece for edge in Lattice.build("hat", {"h": -1, "at": -1, "ha": -1}).edges]
        ['h', 'ha', 'at']
        """
        found = build_steps(text, pieces, unknown)
        return cls(text, (edge for step in found for edge in step.edges))

    def pieces(self, path: Path) -> tuple[str, ...]:
        """Return the pieces of a path."""
        return tuple([self.edges[number].piece for number in path])

    def log_prob(self, path: Path) -> float:
        """Return the log probability of a path, in nats: the sum over its edges."""
        return math.fsum([self.edges[number].log_prob for number in path])

    def path(self, pieces: Iterable[str]) -> Path:
        """Return the path that has these pieces. Raises UserError if there is no such path."""
        path, position = list[int](), 0
        for piece in pieces:
            edge = next((n for n in self.leaving[position] if self.edges[n].piece == piece), None)
            if edge is None:
                raise UserError(f"No piece “{piece}” begins at position {position}.")
            path.append(edge)
            position = self.edges[edge].end
        if position < len(self.text):
            raise UserError(f"The pieces end at position {position} of {len(self.text)}.")
        return tuple(path)


# --- One position at a time -----------------------------------------------------------------------


def viterbi_steps(lattice: Lattice) -> Iterator[NodeScore]:
    """Yield, for the positions 1 … n, the log probability of the best path to each."""
    return left_to_right_steps(lattice, lambda totals: max(totals, default=LOG_ZERO))


def forward_steps(lattice: Lattice) -> Iterator[NodeScore]:
    """Yield, for the positions 1 … n, the log sum α over all paths to each."""
    return left_to_right_steps(lattice, log_sum_exp)


def backward_steps(lattice: Lattice) -> Iterator[NodeScore]:
    """Yield, from position n - 1 down to 0, the log sum β over all paths from there to the end."""
    values = [LOG_ZERO] * len(lattice.text) + [0.0]
    for position in reversed(range(len(lattice.text))):
        edges = lattice.leaving[position]
        totals = [lattice.edges[n].log_prob + values[lattice.edges[n].end] for n in edges]
        values[position] = log_sum_exp(totals)
        yield _node_score(position, edges, totals, values[position])


def left_to_right_steps(
    lattice: Lattice, combine: Callable[[Sequence[float]], float]
) -> Iterator[NodeScore]:
    """Yield the scores of the positions 1 … n; `combine` is the maximum or the log sum."""
    values = [0.0]
    for position in range(1, len(lattice.text) + 1):
        edges = lattice.arriving[position]
        totals = [values[lattice.edges[n].start] + lattice.edges[n].log_prob for n in edges]
        values.append(combine(totals))
        yield _node_score(position, edges, totals, values[position])


def _node_score(position: int, edges: Path, totals: Sequence[float], value: float) -> NodeScore:
    most = max(totals, default=LOG_ZERO)
    best = None if most == LOG_ZERO else edges[totals.index(most)]
    return NodeScore(position, edges, tuple(totals), value, best)


def viterbi_values(lattice: Lattice) -> list[float]:
    """Return the log probability of the best path to each position, from 0 to n."""
    return [0.0, *(step.value for step in viterbi_steps(lattice))]


def forward_values(lattice: Lattice) -> list[float]:
    """Return α of each position; the last is log Z, the log probability of the string."""
    return [0.0, *(step.value for step in forward_steps(lattice))]


def backward_values(lattice: Lattice) -> list[float]:
    """Return β of each position; the first is log Z."""
    return [0.0, *(step.value for step in backward_steps(lattice))][::-1]


# --- Derived quantities ---------------------------------------------------------------------------


def best_path(lattice: Lattice) -> Path | None:
    """Return the most probable path, by following the best edges back; None if there is no path.

    Among tied paths, the one with the longest last piece is returned, as in both libraries.

    >>> lattice = Lattice.build("hat", {"h": -1, "a": -1, "t": -1, "ha": -1.5, "at": -1.2})
    >>> lattice.pieces(best_path(lattice))
    ('h', 'at')
    """
    best = [None, *(step.best for step in viterbi_steps(lattice))]
    path, position = list[int](), len(lattice.text)
    while position:
        if (edge := best[position]) is None:
            return None
        path.append(edge)
        position = lattice.edges[edge].start
    return tuple(reversed(path))


def posteriors(lattice: Lattice) -> tuple[float, ...]:
    """Return each edge's posterior: the probability that a segmentation uses the edge.

    The posteriors of the edges over any one character sum to 1, as every segmentation covers it
    once. All are 0 where there is no path. (T. Kudo 2018, in the E step.)
    """
    alpha, beta = forward_values(lattice), backward_values(lattice)
    total = alpha[-1]
    if total == LOG_ZERO:
        return (0.0,) * len(lattice.edges)
    logs = [alpha[edge.start] + edge.log_prob + beta[edge.end] - total for edge in lattice.edges]
    return tuple(map(math.exp, logs))


def expected_counts(lattice: Lattice) -> dict[str, float]:
    """Return the expected count of each piece in a segmentation of the string, as EM needs it."""
    counts: dict[str, float] = {}
    for edge, share in zip(lattice.edges, posteriors(lattice), strict=True):
        counts[edge.piece] = counts.get(edge.piece, 0.0) + share
    return counts


def entropy(lattice: Lattice) -> float:
    """Return the entropy of the distribution over segmentations, in nats; 0 if there is only one.

    log Z is the sum of this entropy and the expected log probability of a segmentation.
    """
    shares = posteriors(lattice)
    expected = [share * edge.log_prob for edge, share in zip(lattice.edges, shares, strict=True)]
    return max(forward_values(lattice)[-1] - math.fsum(expected), 0.0) if any(shares) else 0.0


def num_segmentations(lattice: Lattice) -> int:
    """Return the exact number of paths.

    >>> num_segmentations(Lattice.build("a" * 101, {"a": -1, "aa": -1}))
    927372692193078999176
    """
    counts = [1]
    for edges in lattice.arriving[1:]:
        counts.append(sum(counts[lattice.edges[number].start] for number in edges))
    return counts[-1]


@dataclass(frozen=True, slots=True)
class ScoreGap:
    """How many nats a path is below the best path to `position`, whose last edge is `rival`."""

    position: int
    nats: float
    rival: int


def score_gaps(lattice: Lattice, path: Path) -> list[ScoreGap]:
    """Return the gap at every position where `path` falls further below the best path to there.

    Gaps never shrink, because the losses at the positions add up. The last one is the gap to the
    string's best path. Raises UserError if the edges of `path` do not form a path.
    """
    arrivals = list(viterbi_steps(lattice))
    gaps, position, nats = list[ScoreGap](), 0, 0.0
    for number in path:
        edge = lattice.edges[number]
        arrival = arrivals[edge.end - 1]
        if edge.start != position or arrival.best is None:
            raise UserError(f"No path has edge {number} at position {position}.")
        lost = arrival.value - arrival.totals[arrival.edges.index(number)]
        position, nats = edge.end, nats + lost
        if lost > TIE_EPS:
            gaps.append(ScoreGap(position, nats, arrival.best))
    return gaps
