"""Frames of drawing segmentations at random, one choice at a time, from the end of the string."""

import random
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Collection, Sequence
from functools import cached_property
from itertools import accumulate, pairwise

from pages.lattice.frame_helpers import (
    ROWS,
    LatticeFrames,
    lattice_part,
    more_pieces,
    path_cell,
    path_phrase,
    percent,
    share_cell,
    text_phrase,
    weight,
)
from pages.shared.drawing.phrasing import RichText, count_of, times
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
from tokenizers.lattice import Path
from tokenizers.lattice.sampling import Sampler, SamplingStep

MOST_DRAWN = 20  # segmentations
MOST_STEPS = 400

CHOICES = make_columns(
    {"piece": "tokens", "share": "number", "from": "number", "to": "number", "": "part"}
)
DRAWS = make_columns({"segmentation": "tokens", "drawn": "number", "exact": "number"})


def record_sampling(sampler: Sampler, seed: int) -> Recording:
    """Record the first segmentations that `sampler` draws with `seed`."""
    parts = (
        lattice_part(sampler.lattice, "Sampling from the end to the beginning"),
        PicturePart("table", "The shares, laid end to end", CHOICES),
        PicturePart("table", "Drawn so far", DRAWS, side="right"),
        PicturePart("note", ""),
    )
    frames = _SamplingFrames(sampler, seed)
    marks = [JumpTarget("a segmentation is drawn", tuple(frames.complete), has_tick=True)]
    return record("Drawing segmentations", parts, frames, marks)


class _SamplingFrames(LatticeFrames):
    """The frames of the draws; `complete` has the positions where a draw ends."""

    def __init__(self, sampler: Sampler, seed: int) -> None:
        self.sampler, self.lattice, rng = sampler, sampler.lattice, random.Random(seed)
        self.steps: list[SamplingStep] = []
        self.complete: list[int] = []
        for _ in range(MOST_DRAWN):
            if len(self.steps) < MOST_STEPS:
                drawn = list(sampler.steps(rng))
                self.steps += drawn
                self.complete += [len(self.steps)] * bool(drawn)

    def __len__(self) -> int:
        return len(self.steps) + 1

    def frame(self, k: int) -> Frame:
        """Return the frame of choice `k`."""
        if k:
            step, path = self.steps[k - 1], self._path(k)
            drawn = Counter(map(self._path, self.complete[: bisect_right(self.complete, k)]))
            sentence, table = self._describe_draw(step, path, drawn), self._table(step)
            why = self._why(step, path)
            return self._frame(sentence, path, step.position, table, why, drawn)
        sentence: RichText = (
            "Draw a segmentation of ",
            *text_phrase(self.lattice),
            ". The forward values give the share of each piece where it ends. So we start at "
            "the end and draw a random number between 0 and 1.",
        )
        table = TableFrame((), "", "The shares at a position, laid end to end")
        start, why = len(self.lattice.text), self.default_reasons
        return self._frame(sentence, (), start, table, why, Counter())

    @property
    def content(self) -> object:
        return super().content, self.sampler.shares, self.steps

    @property
    def largest(self) -> Collection[int]:
        sizes = [len(step.edges) for step in self.steps]
        widest = [sizes.index(max(sizes)) + 1] if sizes else []
        return {*widest, *self.complete[-1:]}

    @cached_property
    def default_reasons(self) -> tuple[RichText, ...]:
        """What is said of an edge that is not chosen from."""
        return tuple(
            (f"It can only be drawn at position {edge.end:,}, where it ends.",)
            for edge in self.lattice.edges
        )

    def _path(self, k: int) -> Path:
        """Return the end of the path that is drawn up to choice `k`."""
        before = bisect_left(self.complete, k)
        begin = self.complete[before - 1] if before else 0
        return tuple([step.chosen for step in self.steps[begin:k]])[::-1]

    def _frame(
        self,
        sentence: RichText,
        path: Path,
        here: int,
        table: TableFrame,
        why: tuple[RichText, ...],
        drawn: Counter[Path],
    ) -> Frame:
        states = "".join(self._state(n, path, here) for n in range(len(self.lattice.edges)))
        nodes = ("",) * (len(self.lattice.text) + 1)
        picture = LatticeFrame(states, self._weights(path), nodes, here, why)
        return Frame(sentence, (picture, table, self._so_far(path, drawn), NoteFrame(())))

    def _state(self, number: int, path: Path, here: int) -> str:
        """Return the state of an edge; see `ARC_STATES`."""
        if path and number == path[0]:
            return "n"
        if number in path:
            return "b"
        return "c" if path and number in self.lattice.arriving[here] else "."

    def _weights(self, path: Sequence[int]) -> str:
        shares = [0.2] * len(self.lattice.edges)
        for edges, its in zip(self.lattice.arriving, self.sampler.shares, strict=True):
            for number, share in zip(edges, its, strict=False):
                shares[number] = share
        return "".join("7" if n in path else weight(share) for n, share in enumerate(shares))

    def _why(self, step: SamplingStep, path: Path) -> tuple[RichText, ...]:
        why = list(self.default_reasons)
        for number in path[1:]:
            why[number] = ("It was just drawn and is part of this segmentation.",)
        for number, span in zip(step.edges, _spans(step), strict=True):
            why[number] = _interval_reason(step, number, span)
        return tuple(why)

    def _table(self, step: SamplingStep) -> TableFrame:
        spans = _spans(step)
        order = sorted(range(len(step.edges)), key=lambda i: -step.shares[i])
        rows = []
        for i in sorted(order[:ROWS]):
            number, share, (low, high) = step.edges[i], step.shares[i], spans[i]
            piece = self.lattice.edges[number].piece
            cells = ((piece,), share_cell(share), f"{low:.3f}", f"{high:.3f}", share)
            mark = "now" if number == step.chosen else ""
            rows.append(TableRow(cells, mark, _interval_reason(step, number, spans[i])))
        caption = f"The pieces that end at position {step.position:,}, their shares end to end"
        return TableFrame(tuple(rows), more_pieces(len(step.edges)), caption)

    def _so_far(self, path: Path, drawn: Counter[Path]) -> TableFrame:
        total = drawn.total()
        rows = []
        for one, number in drawn.most_common(ROWS):
            exact = percent(self.sampler.probability(one))
            so_far = f"{percent(number / total)} of {count_of(total, 'draw')} so far"
            cells = (path_cell(self.lattice.pieces(one)), number, exact)
            mark = "here" if one == path else ""
            rows.append(TableRow(cells, mark, (f"{so_far}; {exact} in the long run.",)))
        return TableFrame(tuple(rows), more_pieces(len(drawn)), f"Drawn so far: {total:,}")

    def _describe_draw(self, step: SamplingStep, path: Path, drawn: Counter[Path]) -> RichText:
        piece = self.lattice.edges[step.chosen].piece
        share = percent(step.shares[step.edges.index(step.chosen)])
        if len(step.edges) == 1:
            only = f"Only one piece ends at position {step.position:,}: "
            sentence: RichText = (only, ("new", piece), ".")
        else:
            falls = f"the number {step.number:.3f} falls into the share of "
            sentence = (f"At position {step.position:,} {falls}", ("new", piece), f", {share}.")
        if self.lattice.edges[step.chosen].start:
            return sentence
        tokens = path_phrase(self.lattice.pieces(path), "token")
        seen = f" ({times(drawn[path])} in {count_of(drawn.total(), 'draw')})."
        return (*sentence, " Drawn: ", *tokens, seen)


def _spans(step: SamplingStep) -> list[tuple[float, float]]:
    """Return the intervals that result from laying the edges' shares end to end."""
    return list(pairwise(accumulate(step.shares, initial=0.0)))


def _interval_reason(step: SamplingStep, number: int, span: tuple[float, float]) -> RichText:
    """Say whether the random number fell into the interval of an edge."""
    verb = "falls" if number == step.chosen else "does not fall"
    return (f"The number {step.number:.3f} {verb} between {span[0]:.3f} and {span[1]:.3f}.",)
