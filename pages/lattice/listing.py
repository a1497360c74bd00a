"""Frames of listing segmentations in order of probability, by A* from the end of the string.

A hypothesis is the end of a path. Every step takes the best one from the agenda and extends it by
the pieces that end where it begins; if it begins at position 0, it is the next segmentation.
"""

from bisect import bisect_right
from collections.abc import Collection
from functools import cached_property

from pages.lattice.frame_helpers import (
    DEFAULT_WEIGHT,
    ROWS,
    LatticeFrames,
    describe_gaps,
    lattice_part,
    nats,
    path_cell,
    path_phrase,
    text_phrase,
)
from pages.shared.drawing.phrasing import RichText, count_of, ways_text
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
from tokenizers.lattice import TIE_EPS, Lattice, num_segmentations
from tokenizers.lattice.n_best import Hypothesis, NBestStep, n_best_steps

MOST_LISTED = 20  # segmentations
MOST_STEPS = 400

AGENDA = make_columns({"end of a path": "tokens", "so far": "number", "at best": "number"})
LISTED = make_columns({"rank": "number", "segmentation": "tokens", "log p": "number"})


def record_listing(lattice: Lattice) -> Recording:
    """Record the listing of the first segmentations of a lattice."""
    parts = (
        lattice_part(lattice, "The hypothesis we take (bold) and its extensions"),
        PicturePart("table", "The agenda after this step, best first", AGENDA),
        PicturePart("table", "The list", LISTED, side="right"),
        PicturePart("note", ""),
    )
    frames = _ListingFrames(lattice)
    marks = [JumpTarget("a segmentation is complete", tuple(frames.complete), has_tick=True)]
    return record("Listing the segmentations", parts, frames, marks)


class _ListingFrames(LatticeFrames):
    """The frames of a listing; `complete` has the steps that find a segmentation."""

    def __init__(self, lattice: Lattice) -> None:
        self.lattice = lattice
        self.steps: list[NBestStep] = []
        self.complete: list[int] = []
        self.is_cut_off = False
        for step in n_best_steps(lattice):
            self.steps.append(step)
            if not step.hypothesis.position:
                self.complete.append(len(self.steps))
            if len(self.complete) == MOST_LISTED or len(self.steps) == MOST_STEPS:
                self.is_cut_off = True
                break

    def __len__(self) -> int:
        return len(self.steps) + 1

    def frame(self, k: int) -> Frame:
        """Return the frame of step `k`."""
        if k:
            step = self.steps[k - 1]
            sentence, states = self._describe_step(k), self._states(step)
            return self._frame(k, sentence, states, step.hypothesis.position, self._why(step))
        number = num_segmentations(self.lattice)
        sentence: RichText = (
            *text_phrase(self.lattice),
            f" can be split in {ways_text(number)}. We start at the end of the text with an empty "
            "path. Viterbi already knows the best it can become.",
        )
        start = "." * len(self.lattice.edges)
        return self._frame(0, sentence, start, len(self.lattice.text), self.gap_reasons)

    @property
    def largest(self) -> Collection[int]:
        most = max(range(len(self.steps)), key=lambda n: self.steps[n].waiting, default=-1)
        return {*self.complete[:1], *self.complete[-1:], most + 1, len(self.steps)}

    @cached_property
    def gap_reasons(self) -> tuple[RichText, ...]:
        """How far the best segmentation with each edge is from the overall best."""
        return describe_gaps(self.lattice)

    def _found(self, k: int) -> list[Hypothesis]:
        """Return the segmentations found up to step `k`."""
        ends = self.complete[: bisect_right(self.complete, k)]
        return [self.steps[end - 1].hypothesis for end in ends]

    def _agenda(self, k: int) -> list[Hypothesis]:
        """Return the hypotheses that wait after step `k`."""
        steps = self.steps[:k]
        taken = {step.hypothesis.path for step in steps}
        return [one for step in steps for one in step.added if one.path not in taken]

    def _frame(
        self, k: int, sentence: RichText, states: str, here: int, why: tuple[RichText, ...]
    ) -> Frame:
        nodes = ("",) * (len(self.lattice.text) + 1)
        picture = LatticeFrame(states, DEFAULT_WEIGHT * len(states), nodes, here, why)
        best = sorted(self._agenda(k), key=lambda hypothesis: -hypothesis.bound)
        rows = tuple([self._agenda_row(hypothesis) for hypothesis in best[:ROWS]])
        hidden = len(best) - len(rows)
        agenda = TableFrame(rows, count_of(hidden, "more") if hidden else "")
        found = self._found(k)
        first = max(len(found) - ROWS, 0)
        listed = []
        for rank, one in enumerate(found[first:], start=first + 1):
            cells = (rank, self._tokens(one), nats(one.so_far))
            mark = "here" if rank == len(found) else ""
            listed.append(TableRow(cells, mark, _gap_reason(found[0], one)))
        return Frame(sentence, (picture, agenda, TableFrame(tuple(listed)), NoteFrame(())))

    def _why(self, step: NBestStep) -> tuple[RichText, ...]:
        """Return each edge's role in this step, or else how good a segmentation with it can be."""
        why = list(self.gap_reasons)
        for number in step.hypothesis.path:
            why[number] = ("It is part of the path we take.",)
        for hypothesis in step.added:
            bound = f"It can extend the path we take: {nats(hypothesis.bound)} at best."
            why[hypothesis.path[0]] = (bound,)
        return tuple(why)

    def _agenda_row(self, hypothesis: Hypothesis) -> TableRow:
        why: RichText = (
            f"So far {nats(hypothesis.so_far)}; the best path to position "
            f"{hypothesis.position:,} adds {nats(hypothesis.bound - hypothesis.so_far)}.",
        )
        cells = (self._tokens(hypothesis), nats(hypothesis.so_far), nats(hypothesis.bound))
        return TableRow(cells, "", why)

    def _tokens(self, hypothesis: Hypothesis) -> tuple[str, ...]:
        return path_cell(self.lattice.pieces(hypothesis.path))

    def _states(self, step: NBestStep) -> str:
        path = set(step.hypothesis.path)
        added = {hypothesis.path[0] for hypothesis in step.added}
        mark = "c" if step.hypothesis.position else "o"
        return "".join(
            "b" if n in path else mark if n in added else "o"
            for n in range(len(self.lattice.edges))
        )

    def _describe_step(self, k: int) -> RichText:
        step = self.steps[k - 1]
        hypothesis = step.hypothesis
        tokens = path_phrase(self.lattice.pieces(hypothesis.path))
        if not hypothesis.path:
            return (
                f"Take the empty path. {count_of(len(step.added), 'piece')} can end the text: each "
                "begins a hypothesis.",
            )
        if not hypothesis.position:
            end = " The film stops here." if self.is_cut_off and k == len(self.steps) else ""
            return (
                f"Number {len(self._found(k)):,} of the list: ",
                *tokens,
                f", with log probability {nats(hypothesis.so_far)}.{end}",
            )
        can = count_of(len(step.added), "piece")
        return (
            "Take the best partial path, ",
            *tokens,
            f": {nats(hypothesis.bound)} is the best it can become. {can} can come before it.",
        )


def _gap_reason(best: Hypothesis, found: Hypothesis) -> RichText:
    lag = best.so_far - found.so_far
    return (f"It is {nats(lag)} nats behind the best." if lag > TIE_EPS else "No other is better.",)
