"""Sentences and questions for filling in a lattice by the maximum or by the sum.

Tables and the order of frames are in `filling.py`.
"""

import math
from collections.abc import Sequence

from lessons.format.words import RichText, join_list, percent
from pages.lattice.frame_helpers import (
    NAMED,
    nats,
    nats_sums,
    number_word,
    path_phrase,
    pieces_phrase,
    reachable_edges,
    shares_of,
    signed,
    winners,
)
from pages.shared.drawing.phrasing import ways_text
from pages.shared.recording.frame_types import StepQuestion
from tokenizers.lattice import Lattice, NodeScore, best_path, num_segmentations


def describe_position(
    lattice: Lattice, values: Sequence[float], step: NodeScore, is_sum: bool
) -> RichText:
    """Describe the pieces that end at a position, and its value; `values` has earlier values."""
    real = reachable_edges(step)
    if not real:
        return (f"No path reaches position {step.position:,}.",)
    if len(real) == 1:
        edge = lattice.edges[real[0]]
        reach = f"from {nats(values[edge.start])} to "
        value = ("strong", nats(step.value))
        if not edge.known:
            unknown = "is not in the vocabulary. As an unknown character, at a high price, it leads"
            return ("new", edge.piece), f" {unknown} ", reach, value, "."
        only = f"Only one piece ends at position {step.position:,}: "
        return only, ("new", edge.piece), f", {reach}", value, "."
    return _describe_sum(lattice, step) if is_sum else _describe_best(lattice, step)


def _describe_best(lattice: Lattice, step: NodeScore) -> RichText:
    """Describe which of the pieces that end at a position has the highest total."""
    real = reachable_edges(step)
    totals = dict(zip(step.edges, step.totals, strict=True))
    others = sorted((n for n in real if n != step.best), key=lambda n: -totals[n])
    others_text = [(("token", lattice.edges[n].piece), f" ({nats(totals[n])})") for n in others]
    more = [(f"{len(others_text) - NAMED + 1:,} more",)] if len(others_text) >= NAMED else []
    best = lattice.edges[step.best or 0].piece
    tie = len(winners(step)) > 1
    verb = ("tie", " and ties with ") if tie else " and beats "
    return (
        f"{number_word(len(real))} pieces end at position {step.position:,}: ",
        ("new", best),
        f" gives {nats(step.value)}",
        verb,
        *join_list([*others_text[: NAMED - 1], *more]),
        _tie_text(lattice, step) if tie else ".",
    )


def _tie_text(lattice: Lattice, step: NodeScore) -> str:
    longest = min(winners(step), key=lambda n: lattice.edges[n].start)
    if step.best == longest:
        return "; we keep the longest piece."
    return "; rounding in the last digit decides."


def _describe_sum(lattice: Lattice, step: NodeScore) -> RichText:
    """Describe the sum over the pieces that end at a position."""
    real, best = reachable_edges(step), step.best or 0
    return (
        f"{number_word(len(real))} pieces end at position {step.position:,}. Together they give ",
        ("strong", nats(step.value)),
        f". The largest share, {percent(shares_of(step)[best])}, comes from ",
        ("new", lattice.edges[best].piece),
        ".",
    )


def describe_best_path(lattice: Lattice, path: Sequence[int], total: float) -> RichText:
    """Describe the best path, which has log probability `total`."""
    number = num_segmentations(lattice)
    return (
        "Follow the winners back from the end: ",
        *path_phrase(lattice.pieces(tuple(path))),
        f", with log probability {nats(total)}",
        f": the best of {ways_text(number)}." if number > 1 else ": the only way.",
    )


def describe_total(lattice: Lattice, total: float) -> RichText:
    """Describe the sum over all paths, whose logarithm is `total`."""
    best = lattice.log_prob(best_path(lattice) or ())
    return (
        f"The sum over all {ways_text(num_segmentations(lattice))} is log Z = ",
        ("strong", nats(total)),
        f". The best of them has {percent(math.exp(best - total))} of it. The thicker a line, "
        "the more of the sum passes through its piece.",
    )


def formula_text(
    lattice: Lattice, values: Sequence[float], step: NodeScore, is_sum: bool
) -> RichText:
    """Return the formula for a position's value, with numbers inserted."""
    real = [lattice.edges[n] for n in reachable_edges(step)]
    left = f"{'α' if is_sum else 'best'}[{step.position}] = "
    if not real:
        return (f"{left}−∞",)
    more = ["…"] * (len(real) > NAMED)
    pairs = [(values[edge.start], edge.log_prob) for edge in real[:NAMED]]
    if is_sum:
        powers = [f"exp({nats(one)} {signed(other)})" for one, other in pairs]
        return (f"{left}log({' + '.join(powers + more)}) = {nats(step.value)}",)
    best = lattice.edges[step.best or 0]
    *shown, (_, value) = nats_sums([*pairs, (values[best.start], best.log_prob)])
    return (f"{left}max({', '.join([sum_ for sum_, _ in shown] + more)}) = {value}",)


def build_question(lattice: Lattice, step: NodeScore, is_sum: bool) -> StepQuestion | None:
    """Return the question about a position; None if fewer than two pieces end there."""
    real = reachable_edges(step)
    if len(real) < 2:
        return None
    most = sorted(real, key=lambda n: -shares_of(step)[n])[:9]
    chosen = sorted(most)
    prompt = f"Which piece ends the best path to position {step.position:,}?"
    best = winners(step)
    arrive, bring = ("give", "contribute") if len(best) > 1 else ("gives", "contributes")
    why: RichText = (*pieces_phrase(lattice, best), f" {arrive} {nats(step.value)}.")
    if is_sum:
        prompt = f"Which piece contributes most to the sum at position {step.position:,}?"
        share = max(shares_of(step).values())
        why = (*pieces_phrase(lattice, best), f" {bring} {percent(share)}.")
    options = tuple([(lattice.edges[n].piece,) for n in chosen])
    right = tuple([i for i, n in enumerate(chosen) if n in best])
    values = "the values at the positions" if not is_sum else "the sums at the positions"
    return StepQuestion((prompt, f" Add the log probabilities to {values}."), options, right, why)
