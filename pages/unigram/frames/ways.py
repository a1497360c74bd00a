"""The segmentations of a word behind its arcs' posterior shares.

An arc's share is the probability of the segmentations through it, divided by that of all.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from pages.shared.drawing.phrasing import count_of, format_decimal, format_sum, power_text
from pages.shared.recording.flow import FlowWays
from tokenizers.lattice import LOG_ZERO, Lattice, forward_values, num_segmentations
from tokenizers.lattice.n_best import segmentations

MOST_WAYS = 12
LEAST_POWER = -1  # smaller probabilities are shown as multiples of a power of ten
DIGITS = 4  # decimals of a sum from 1 to 10, so that the quotients are right to four digits
Span = tuple[int, int]
"""The start and end of an arc."""


@dataclass(frozen=True, slots=True)
class Ways:
    """The most probable segmentations, and the part of their sum that uses each arc, as text."""

    shown: FlowWays
    through: Mapping[Span, str]


def ways_of(lattice: Lattice, spans: Sequence[Span], shares: Mapping[Span, float]) -> Ways | None:
    """Return the segmentations of a word, the arcs of which are `spans`; None if there is none.

    `shares` has the posterior share of every edge.
    """
    log_total = forward_values(lattice)[-1]
    if log_total == LOG_ZERO:
        return None
    exponent = math.floor(log_total / math.log(10))
    power = 0 if exponent >= LEAST_POWER else exponent
    unit = power * math.log(10)
    paths = list(segmentations(lattice, MOST_WAYS))
    values = [math.exp(lattice.log_prob(path) - unit) for path in paths]
    total = math.exp(log_total - unit)
    hidden = num_segmentations(lattice) - len(paths)
    rest = max(total - math.fsum(values), 0.0) if hidden else 0.0
    texts, total_text = format_sum([*values, rest], DIGITS + power - exponent)
    numbers = {span: number for number, span in enumerate(spans)}
    places = [(edge.start, edge.end) for edge in lattice.edges]
    of_paths = [[places[number] for number in path] for path in paths]
    through: dict[Span, str] = {}
    for span, share in shares.items():
        with_it = [t for t, path in zip(texts, of_paths, strict=False) if span in path]
        exact = Decimal(share * total) if hidden else sum(map(Decimal, with_it), Decimal())
        through[span] = format_decimal(round(exact, len(total_text.partition(".")[2])))
    ways = tuple(
        (tuple(numbers[span] for span in used if span in numbers), lattice.pieces(path), text)
        for path, used, text in zip(paths, of_paths, texts, strict=False)
        if text != "0"
    )
    hidden += len(paths) - len(ways)
    shown = FlowWays(
        ways,
        f"× {power_text(10, power)}" if power else "",
        total_text,
        (count_of(hidden, "other way"), "≈ 0" if texts[-1] == "0" else texts[-1])
        if hidden
        else None,
    )
    return Ways(shown, through)
