"""Frames of the backward values and of each piece's posterior share."""

import math
from collections.abc import Collection
from functools import cached_property

from pages.lattice.frame_helpers import (
    DEFAULT_WEIGHT,
    NAMED,
    ROWS,
    UNUSED,
    LatticeFrames,
    largest_shares,
    lattice_part,
    more_pieces,
    nats,
    nats_sum,
    percent,
    pieces_phrase,
    reachable_edges,
    share_cell,
    shares_of,
    signed,
    unknown_note,
    visible_positions,
    weight,
)
from pages.shared.drawing.phrasing import RichText
from pages.shared.recording.frame_types import (
    Frame,
    JumpTarget,
    LatticeFrame,
    NoteFrame,
    PicturePart,
    Recording,
    TableFrame,
    TableRow,
    make_columns,
)
from pages.shared.recording.packing import record
from tokenizers.lattice import (
    LOG_ZERO,
    Lattice,
    NodeScore,
    backward_steps,
    forward_values,
    posteriors,
)

LEAVING = make_columns(
    {"piece": "tokens", "log p": "number", "β after": "number", "total": "number", "": "part"}
)
BOUNDARIES = make_columns(
    {"position": "number", "α": "number", "β": "number", "cut here": "number", "": "part"}
)


def record_backward(lattice: Lattice) -> Recording:
    """Record the backward values, and the posterior shares computed from both directions."""
    parts = (
        lattice_part(lattice, "From the end to the beginning (log probabilities, in nats)"),
        PicturePart("table", "Pieces that begin here", LEAVING),
        PicturePart("table", "Forward and backward", BOUNDARIES, side="right"),
        PicturePart("note", "", side="across"),
    )
    marks = [JumpTarget("every piece has its share", (len(lattice.text) + 1,), has_tick=True)]
    return record("Backward values and shares", parts, _BackwardFrames(lattice), marks)


class _BackwardFrames(LatticeFrames):
    """The frames for the end, each position from right to left, and the posterior shares."""

    def __init__(self, lattice: Lattice) -> None:
        self.lattice = lattice
        self.steps = list(backward_steps(lattice))
        self.alpha = forward_values(lattice)
        self.beta = [0.0, *(step.value for step in self.steps)][::-1]

    def __len__(self) -> int:
        return len(self.steps) + 2

    def frame(self, k: int) -> Frame:
        """Return the frame for the end, of the `k`-th position before it, or of the shares."""
        if not k:
            return self._first()
        return self._result() if k > len(self.steps) else self._frame(self.steps[k - 1])

    @property
    def largest(self) -> Collection[int]:
        last = len(self.lattice.text)
        return {last - self.busiest(self.lattice.leaving), last, last + 1}

    def _first(self) -> Frame:
        last = len(self.lattice.text)
        sentence: RichText = (
            f"Now from the other end: β[{last:,}] = 0, and every other position gets the sum over "
            "all paths to the end.",
        )
        table = TableFrame((), "", "No piece begins at the end")
        return Frame(
            sentence, (self._picture(last), table, self._boundary_table(last), NoteFrame(()))
        )

    @cached_property
    def _reasons(self) -> dict[int, RichText]:
        """For each edge why it contributes what it does."""
        return {
            number: self._why(step, number, shares[number])
            for step in self.steps
            for shares in [shares_of(step)]
            for number in step.edges
        }

    def _picture(self, position: int) -> LatticeFrame:
        nodes = ["" if at < position else nats(value) for at, value in enumerate(self.beta)]
        edges = self.lattice.edges
        states = "".join(
            "." if edge.start < position else "c" if edge.start == position else "k"
            for edge in edges
        )
        why = [
            (f"Not reached yet: it begins at position {edge.start:,}.", *unknown_note(edge))
            if edge.start < position
            else self._reasons[number]
            for number, edge in enumerate(edges)
        ]
        weights = DEFAULT_WEIGHT * len(edges)
        return LatticeFrame(states, weights, tuple(nodes), position, tuple(why))

    def _frame(self, step: NodeScore) -> Frame:
        shares = shares_of(step)
        order = sorted(range(len(step.edges)), key=lambda i: -step.totals[i])
        rows = tuple([self._row(step, i, shares) for i in order[:ROWS]])
        table = TableFrame(rows, more_pieces(len(step.edges)))
        real = [self.lattice.edges[n] for n in reachable_edges(step)]
        terms = [
            f"exp({nats(edge.log_prob)} {signed(self.beta[edge.end])})" for edge in real[:NAMED]
        ]
        if len(real) > NAMED:
            terms.append("…")
        inside = f"log({' + '.join(terms)}) = " if terms else ""
        note = NoteFrame((f"β[{step.position}] = {inside}{nats(step.value)}",))
        parts = (self._picture(step.position), table, self._boundary_table(step.position), note)
        return Frame(self._describe_position(step), parts)

    def _row(self, step: NodeScore, i: int, shares: dict[int, float]) -> TableRow:
        number = step.edges[i]
        edge = self.lattice.edges[number]
        numbers = nats_sum(edge.log_prob, self.beta[edge.end])
        cells = ((edge.piece,), *numbers, shares[number])
        mark = "" if step.totals[i] > LOG_ZERO else "rejected"
        return TableRow(cells, mark, self._why(step, number, shares[number]))

    def _why(self, step: NodeScore, number: int, share: float) -> RichText:
        edge = self.lattice.edges[number]
        if self.beta[edge.end] == LOG_ZERO:
            return (
                f"No path leads from position {edge.end:,}, where it ends, to the end of the text.",
            )
        brings = f"It contributes {percent(share)} of the sum at position {step.position:,}."
        return (brings, *unknown_note(edge))

    def _describe_position(self, step: NodeScore) -> RichText:
        real = reachable_edges(step)
        if not real:
            return (f"No path leads from position {step.position:,} to the end.",)
        give = " begins and gives " if len(real) == 1 else " begin. Together they give "
        pieces = pieces_phrase(self.lattice, real)
        return f"At position {step.position:,}, ", *pieces, give, ("strong", nats(step.value)), "."

    def _boundary_table(self, position: int) -> TableFrame:
        shown, more = visible_positions(position, len(self.alpha) - 1)
        rows = tuple([self._boundary_row(at, position) for at in shown])
        return TableFrame(rows, more, "α from the left, β from the right, in nats")

    def _boundary_row(self, at: int, position: int) -> TableRow:
        alpha, beta, total = nats(self.alpha[at]), nats(self.beta[at]), self.alpha[-1]
        if at < position:
            why = "Not reached yet: the table fills from the right."
            return TableRow((at, alpha, "", "", 0.0), "", (why,))
        if total == LOG_ZERO:
            why = "No path crosses the lattice, so none cuts here."
            return TableRow((at, alpha, beta, "", 0.0), "", (why,))
        share = math.exp(self.alpha[at] + self.beta[at] - total)
        why = (
            f"exp(α + β − log Z) = exp({alpha} {signed(self.beta[at])} {signed(-total)}): the "
            "share of the segmentations that cut here."
        )
        cells = (at, alpha, beta, share_cell(share), share)
        return TableRow(cells, "here" if at == position else "", (why,))

    def _share_text(self, number: int, share: float) -> RichText:
        edge, total = self.lattice.edges[number], self.alpha[-1]
        if not share:
            return UNUSED
        sum_ = (
            f"{nats(self.alpha[edge.start])} {signed(edge.log_prob)} "
            f"{signed(self.beta[edge.end])} {signed(-total)}"
        )
        return (f"Its share is exp({sum_}) = {percent(share)}.", *unknown_note(edge))

    def _result(self) -> Frame:
        shares = posteriors(self.lattice)
        why = tuple([self._share_text(number, share) for number, share in enumerate(shares)])
        nodes = tuple(map(nats, self.beta))
        picture = LatticeFrame("k" * len(shares), "".join(map(weight, shares)), nodes, None, why)
        if self.alpha[-1] == LOG_ZERO:
            sentence: RichText = ("No path crosses the lattice, so no piece has a share.",)
            return Frame(
                sentence, (picture, TableFrame(()), self._boundary_table(0), NoteFrame(()))
            )
        sentence = (
            "Forward and backward meet: the share of a piece is exp(α before it + log p + β "
            "after it − log Z). Over any letter, the shares add up to 1.",
        )
        note = NoteFrame((f"expected number of pieces in a segmentation: {math.fsum(shares):.2f}",))
        table = largest_shares(
            self.lattice,
            why,
            ("α before", "β after"),
            lambda edge: (nats(self.alpha[edge.start]), nats(self.beta[edge.end])),
        )
        return Frame(sentence, (picture, table, self._boundary_table(0), note))
