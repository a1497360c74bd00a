"""The segmentations of a lattice grouped by number of pieces: count, best and sum of each group.

The same forward pass as in `lattice.py`, with one value for every number of pieces.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tokenizers.lattice.lattice import LOG_ZERO, Lattice, Path, log_sum_exp


@dataclass(frozen=True, slots=True)
class LengthGroup:
    """All segmentations into `length` pieces: their number, the best, and their log sum."""

    length: int
    count: int
    best: Path
    log_best: float
    log_sum: float


@dataclass(frozen=True, slots=True)
class _PartialGroup:
    """A `LengthGroup` for the paths to one position, with only the last edge of the best."""

    count: int
    last: int
    log_best: float
    log_sum: float


def by_length(lattice: Lattice) -> list[LengthGroup]:
    """Return the segmentations grouped by number of pieces, the fewest first.

    Takes quadratic time and memory in the length of the string.
    """
    groups: list[dict[int, _PartialGroup]] = [{0: _PartialGroup(1, -1, 0.0, 0.0)}]
    for edges in lattice.arriving[1:]:
        here: dict[int, list[tuple[int, _PartialGroup]]] = {}
        for number in edges:
            for length, group in groups[lattice.edges[number].start].items():
                here.setdefault(length + 1, []).append((number, group))
        groups.append({length: _extend_paths(lattice, here[length]) for length in sorted(here)})
    return [
        LengthGroup(n, one.count, _best_path(lattice, groups, n), one.log_best, one.log_sum)
        for n, one in groups[-1].items()
    ]


def _extend_paths(lattice: Lattice, arriving: list[tuple[int, _PartialGroup]]) -> _PartialGroup:
    """Return the group of paths to a position, given its edges and the groups at their starts."""
    logs = [lattice.edges[number].log_prob for number, _ in arriving]
    bests = [log + group.log_best for log, (_, group) in zip(logs, arriving, strict=True)]
    return _PartialGroup(
        sum(group.count for _, group in arriving),
        arriving[bests.index(max(bests))][0],
        max(bests),
        log_sum_exp([log + group.log_sum for log, (_, group) in zip(logs, arriving, strict=True)]),
    )


def _best_path(lattice: Lattice, by: Sequence[Mapping[int, _PartialGroup]], length: int) -> Path:
    """Return the best path of `length` pieces, by following the last edges back."""
    path, position = list[int](), len(lattice.text)
    for left in range(length, 0, -1):
        path.append(by[position][left].last)
        position = lattice.edges[path[-1]].start
    return tuple(reversed(path))


def best_by_length(groups: Sequence[LengthGroup], prior: Mapping[int, float]) -> LengthGroup | None:
    """Return the group whose best segmentation wins under a prior P(M) on the number of pieces.

    The probability of a segmentation is then P(M) times the product over its M pieces. A length
    missing from `prior` has probability 0. Returns the first of tied groups; None if all have 0.
    """
    possible = [one for one in groups if prior.get(one.length, 0.0) > 0 and one.log_best > LOG_ZERO]
    return max(possible, key=lambda one: math.log(prior[one.length]) + one.log_best, default=None)
