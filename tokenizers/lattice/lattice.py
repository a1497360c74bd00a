"""The lattice of one string under one model: all its segmentations in one picture.

The positions 0 … n lie before, between and behind the n characters of the string. An *edge* is a
piece that spells what lies between two of them; a path of edges from 0 to n is a *segmentation*,
whose log probability is the sum of those of its pieces. There can be 2^(n-1) paths, but what is
asked about all of them at once is answered one position at a time:

* `viterbi_steps`: of the paths that end at a position, the best (the *maximum* of what arrives);
* `forward_steps`: of the same paths, all together (the *sum*): the forward values α;
* `backward_steps`: the same from the end of the string: the backward values β.

Each is a generator that yields one `NodeScore` per position; so do building the lattice
(`build_steps`), and, in `n_best.py` and `sampling.py`, listing and drawing segmentations. Log
probabilities are natural logarithms (nats), and those of a model need not sum to one. Leaves out
where the pieces come from, and tokens and ids: see `unigram/encoding.py`.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from tokenizers.errors import UserError

LOG_ZERO = -math.inf
"""The log probability of what cannot happen."""

TIE_EPS = 1e-9
"""Log probabilities that differ by less, in nats, are taken for equal: so much may be rounding."""

Path = tuple[int, ...]
"""Numbers of edges, in the order of the string."""


@dataclass(frozen=True, slots=True)
class Edge:
    """A piece between two positions; `known` is False where a character is no piece at all."""

    start: int
    end: int
    piece: str
    log_prob: float
    known: bool = True


@dataclass(frozen=True, slots=True)
class OutgoingEdges:
    """One step of building: the edges that begin at a position, the shortest first."""

    position: int
    edges: tuple[Edge, ...]


@dataclass(frozen=True, slots=True)
class NodeScore:
    """What comes together at a position.

    `edges` are the numbers of the edges that arrive, the longest first, `totals` what each brings:
    the value where it comes from and its own log probability. On the way back from the end, they
    are the edges that leave, the shortest first, with the value where each leads. `value` is the
    maximum of the totals or the logarithm of their sum; `best` is the edge that brings most, the
    first of several that tie, and None where no path arrives.
    """

    position: int
    edges: tuple[int, ...]
    totals: tuple[float, ...]
    value: float
    best: int | None


def log_sum_exp(logs: Sequence[float]) -> float:
    """Return the logarithm of the sum of what these are the logarithms of.

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
    """Yield, for every position, the pieces that begin there; `pieces` maps them to log probs.

    A piece of probability zero is no edge. A character that is no piece, or one of probability
    zero, gets an edge of its own with the log probability `unknown`; without one (None, or
    probability zero), no path may lead through it.
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
    """The edges of a string, and which of them arrive at and leave each position.

    `edges` are sorted by where they start, then by where they end.
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

    def scaled(self, alpha: float) -> "Lattice":
        """Return the lattice in which every probability is raised to the power of `alpha`."""
        edges = (replace(edge, log_prob=alpha * edge.log_prob) for edge in self.edges)
        return Lattice(self.text, edges)

    def pieces(self, path: Path) -> tuple[str, ...]:
        """Return the pieces of a path."""
        return tuple([self.edges[number].piece for number in path])

    def log_prob(self, path: Path) -> float:
        """Return the log probability of a path, in nats: the sum of those of its pieces."""
        return math.fsum([self.edges[number].log_prob for number in path])

    def path(self, pieces: Iterable[str]) -> Path:
        """Return the path of these pieces. Raises ValueError, in a sentence, if there is none."""
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
    """Yield, from position 1 on, the log probability of the best way there."""
    return left_to_right_steps(lattice, lambda totals: max(totals, default=LOG_ZERO))


def forward_steps(lattice: Lattice) -> Iterator[NodeScore]:
    """Yield, from position 1 on, the logarithm α of the sum over all ways there."""
    return left_to_right_steps(lattice, log_sum_exp)


def backward_steps(lattice: Lattice) -> Iterator[NodeScore]:
    """Yield, from the last position but one down to 0, the sum β over all ways on to the end."""
    values = [LOG_ZERO] * len(lattice.text) + [0.0]
    for position in reversed(range(len(lattice.text))):
        edges = lattice.leaving[position]
        totals = [lattice.edges[n].log_prob + values[lattice.edges[n].end] for n in edges]
        values[position] = log_sum_exp(totals)
        yield _node_score(position, edges, totals, values[position])


def left_to_right_steps(
    lattice: Lattice, combine: Callable[[Sequence[float]], float]
) -> Iterator[NodeScore]:
    """Yield the arrivals at the positions 1 … n: the maximum and the sum differ in nothing else."""
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
    """Return the log probability of the best way to each position; the string's own is the last."""
    return [0.0, *(step.value for step in viterbi_steps(lattice))]


def forward_values(lattice: Lattice) -> list[float]:
    """Return α of each position; the last is log Z, the log probability of the string."""
    return [0.0, *(step.value for step in forward_steps(lattice))]


def backward_values(lattice: Lattice) -> list[float]:
    """Return β of each position; the first is log Z."""
    return [0.0, *(step.value for step in backward_steps(lattice))][::-1]


# --- What follows from them -----------------------------------------------------------------------


def best_path(lattice: Lattice) -> Path | None:
    """Return the most probable path, found backwards by the best edges; None if there is no path.

    Where paths tie, the one whose last piece is longest is taken, as both libraries do.

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
    """Return for each edge the share of the string's probability that passes through it.

    The edges over any one character share 1 among them: every segmentation covers it once. All are
    0 where there is no path. (T. Kudo 2018, in the E step.)
    """
    alpha, beta = forward_values(lattice), backward_values(lattice)
    total = alpha[-1]
    if total == LOG_ZERO:
        return (0.0,) * len(lattice.edges)
    logs = [alpha[edge.start] + edge.log_prob + beta[edge.end] - total for edge in lattice.edges]
    return tuple(map(math.exp, logs))


def expected_counts(lattice: Lattice) -> dict[str, float]:
    """Return how often each piece is expected in a segmentation of the string: what EM counts."""
    counts: dict[str, float] = {}
    for edge, share in zip(lattice.edges, posteriors(lattice), strict=True):
        counts[edge.piece] = counts.get(edge.piece, 0.0) + share
    return counts


def entropy(lattice: Lattice) -> float:
    """Return the entropy of the segmentation, in nats: 0 where only one is possible.

    log Z is the expected log probability of a segmentation and this entropy together.
    """
    shares = posteriors(lattice)
    expected = [share * edge.log_prob for edge, share in zip(lattice.edges, shares, strict=True)]
    return max(forward_values(lattice)[-1] - math.fsum(expected), 0.0) if any(shares) else 0.0


def num_segmentations(lattice: Lattice) -> int:
    """Return how many paths there are, exactly.

    >>> num_segmentations(Lattice.build("a" * 101, {"a": -1, "aa": -1}))
    927372692193078999176
    """
    ways = [1]
    for edges in lattice.arriving[1:]:
        ways.append(sum(ways[lattice.edges[number].start] for number in edges))
    return ways[-1]


@dataclass(frozen=True, slots=True)
class ScoreGap:
    """By how many nats a path lies behind the best way to `position`, which ends in `rival`."""

    position: int
    nats: float
    rival: int


def score_gaps(lattice: Lattice, path: Path) -> list[ScoreGap]:
    """Return, for every position at which `path` falls further behind, how far it is behind there.

    Nothing that it does later makes up for it: what it falls behind at each position adds up. The
    last is the gap to the best path. Raises ValueError for edges that are no path.
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
