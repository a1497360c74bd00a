"""Frames of listing segmentations in order of probability, by A* from the end of the string.

A hypothesis is the end of a path. Every step takes the best one from the agenda and extends it by
the pieces that end where it begins; if it begins at position 0, it is the next segmentation.
"""

from collections.abc import Iterator

from pages.lattice.frame_helpers import (
    DEFAULT_WEIGHT,
    ROWS,
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
from pages.shared.recording.packing import pack_frames
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
    listing = _ListingFrames(lattice)
    frames = list(listing)
    marks = [JumpTarget("a segmentation is complete", tuple(listing.complete), has_tick=True)]
    return pack_frames("Listing the segmentations", parts, frames, marks)


class _ListingFrames:
    """The frames of a listing; iterating fills `complete`."""

    def __init__(self, lattice: Lattice) -> None:
        self.lattice = lattice
        self.agenda: list[Hypothesis] = []
        self.found: list[Hypothesis] = []
        self.complete: list[int] = []
        self.gap_reasons = describe_gaps(lattice)

    def __iter__(self) -> Iterator[Frame]:
        number = num_segmentations(self.lattice)
        sentence: RichText = (
            *text_phrase(self.lattice),
            f" can be split in {ways_text(number)}. We start at the end of the text with an empty "
            "path. Viterbi already knows the best it can become.",
        )
        yield self._frame(
            sentence, "." * len(self.lattice.edges), len(self.lattice.text), self.gap_reasons
        )
        for position, step in enumerate(n_best_steps(self.lattice), start=1):
            self._update_lists(step, position)
            is_last = len(self.found) == MOST_LISTED or position == MOST_STEPS
            sentence, states = self._describe_step(step, is_last), self._states(step)
            yield self._frame(sentence, states, step.hypothesis.position, self._why(step))
            if is_last:
                return

    def _update_lists(self, step: NBestStep, position: int) -> None:
        if step.hypothesis in self.agenda:
            self.agenda.remove(step.hypothesis)
        self.agenda += step.added
        if not step.hypothesis.position:
            self.found.append(step.hypothesis)
            self.complete.append(position)

    def _frame(
        self, sentence: RichText, states: str, here: int, why: tuple[RichText, ...]
    ) -> Frame:
        nodes = ("",) * (len(self.lattice.text) + 1)
        picture = LatticeFrame(states, DEFAULT_WEIGHT * len(states), nodes, here, why)
        best = sorted(self.agenda, key=lambda hypothesis: -hypothesis.bound)
        rows = tuple([self._agenda_row(hypothesis) for hypothesis in best[:ROWS]])
        hidden = len(best) - len(rows)
        agenda = TableFrame(rows, count_of(hidden, "more") if hidden else "")
        first = max(len(self.found) - ROWS, 0)
        listed = []
        for rank, one in enumerate(self.found[first:], start=first + 1):
            cells = (rank, self._tokens(one), nats(one.so_far))
            listed.append(
                TableRow(cells, "here" if one is self.found[-1] else "", self._gap_reason(one))
            )
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

    def _gap_reason(self, found: Hypothesis) -> RichText:
        lag = self.found[0].so_far - found.so_far
        return (
            f"It is {nats(lag)} nats behind the best." if lag > TIE_EPS else "No other is better.",
        )

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

    def _describe_step(self, step: NBestStep, is_last: bool) -> RichText:
        hypothesis = step.hypothesis
        tokens = path_phrase(self.lattice.pieces(hypothesis.path))
        if not hypothesis.path:
            return (
                f"Take the empty path. {count_of(len(step.added), 'piece')} can end the text: each "
                "begins a hypothesis.",
            )
        if not hypothesis.position:
            end = " The film stops here." if is_last else ""
            return (
                f"Number {len(self.found):,} of the list: ",
                *tokens,
                f", with log probability {nats(hypothesis.so_far)}.{end}",
            )
        can = count_of(len(step.added), "piece")
        return (
            "Take the best partial path, ",
            *tokens,
            f": {nats(hypothesis.bound)} is the best it can become. {can} can come before it.",
        )
