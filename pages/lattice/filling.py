"""Frames of filling in a lattice from the left, one position at a time.

Every position keeps the *maximum* (Viterbi) or the *sum* (forward) over the pieces that end there.
Both rules are recorded, so that the user can compare them at a step.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import cached_property

from pages.lattice import filling_text
from pages.lattice.frame_helpers import (
    DEFAULT_WEIGHT,
    NAMED,
    ROWS,
    LatticeFrames,
    describe_gaps,
    format_probability,
    largest_shares,
    lattice_part,
    more_pieces,
    nats,
    nats_sum,
    percent,
    reachable_edges,
    share_cell,
    shares_of,
    text_phrase,
    unknown_note,
    visible_positions,
    weight,
    winners,
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
from tokenizers import lattice as core
from tokenizers.lattice import LOG_ZERO, TIE_EPS, Lattice, NodeScore

RULES = ("Best path (max)", "All paths (sum)")
ARRIVING = make_columns(
    {"piece": "tokens", "before": "number", "log p": "number", "total": "number"}
    | {"exp(total)": "number", "share": "number", "": "part"}
)
FILLED = make_columns({"position": "number", "value": "number", "by": "tokens", "ways": "number"})


def record_filling(lattice: Lattice) -> Recording:
    """Record how a lattice is filled in from the left, by the maximum and by the sum."""
    parts = (
        lattice_part(lattice, "Every piece that fits, with its log probability (in nats)"),
        PicturePart("table", "Pieces that end here", ARRIVING),
        PicturePart("table", "The table so far", FILLED, side="right"),
        PicturePart("note", "", side="across"),
    )
    frames = _TwoRules(lattice)
    marks = frames.rules[0].marks()
    return record("Filling in the lattice", parts, frames, marks, RULES)


class _TwoRules(LatticeFrames):
    """The frames of filling in a lattice, each by the maximum and by the sum."""

    def __init__(self, lattice: Lattice) -> None:
        self.lattice = lattice
        self.rules = tuple(_Filling(lattice, is_sum) for is_sum in (False, True))

    def __len__(self) -> int:
        return len(self.lattice.text) + 2

    def frame(self, k: int) -> Frame:
        """Return the frame of position `k`, or of the result."""
        by_max, by_sum = (rule.frame(k) for rule in self.rules)
        return replace(by_max, other=by_sum)

    @property
    def largest(self) -> Collection[int]:
        return {self.busiest(self.lattice.arriving), *range(max(len(self) - 2, 0), len(self))}


class _Filling:
    """The filling in by one rule: the start, each position, and the result."""

    def __init__(self, lattice: Lattice, is_sum: bool) -> None:
        self.lattice, self.is_sum = lattice, is_sum
        self.steps = list(core.forward_steps(lattice) if is_sum else core.viterbi_steps(lattice))
        self.values = [0.0, *(step.value for step in self.steps)]
        self.num_paths = [1]
        for edges in lattice.arriving[1:]:
            self.num_paths.append(sum(self.num_paths[lattice.edges[n].start] for n in edges))

    def frame(self, k: int) -> Frame:
        """Return the frame of position `k`, or of the result."""
        if not k:
            return self._first()
        return self._result() if k > len(self.steps) else self._frame(self.steps[k - 1])

    def marks(self) -> list[JumpTarget]:
        """Return jump targets for positions with a choice, for ties, and for the result."""
        choices = tuple([step.position for step in self.steps if len(reachable_edges(step)) > 1])
        ties = tuple([step.position for step in self.steps if len(winners(step)) > 1])
        return [
            JumpTarget("several pieces end", choices, has_tick=True),
            JumpTarget("the best pieces tie", ties),
            JumpTarget("the result is read off", (len(self.steps) + 1,)),
        ]

    # -- frames

    def _first(self) -> Frame:
        sentence: RichText = (
            *text_phrase(self.lattice),
            " can be split in ",
            ("strong", ways_text(core.num_segmentations(self.lattice))),
            ". At position 0 we start with log probability 0.",
        )
        table = TableFrame((), "", "No piece ends at the start")
        rule = "sum of all paths to it" if self.is_sum else "best path to it"
        note: RichText = (f"For every position we keep the {rule}, as a log probability.",)
        return Frame(sentence, (self._picture(0), table, self._filled(0), NoteFrame(note)))

    def _frame(self, step: NodeScore) -> Frame:
        position = step.position
        note = NoteFrame(filling_text.formula_text(self.lattice, self.values, step, self.is_sum))
        parts = (self._picture(position), self._arriving(step), self._filled(position), note)
        sentence = filling_text.describe_position(self.lattice, self.values, step, self.is_sum)
        question = filling_text.build_question(self.lattice, step, self.is_sum)
        return Frame(sentence, parts, question)

    def _result(self) -> Frame:
        lattice, last = self.lattice, len(self.lattice.text)
        total, size = self.values[-1], len(lattice.edges)
        if total == LOG_ZERO:
            sentence: RichText = ("No path reaches the end: these pieces cannot spell the text.",)
            states, weights = "o" * size, "1" * size
        elif self.is_sum:
            sentence = filling_text.describe_total(lattice, total)
            states, weights = "k" * size, "".join(map(weight, core.posteriors(lattice)))
        else:
            path = core.best_path(lattice) or ()
            sentence = filling_text.describe_best_path(lattice, path, total)
            states = "".join("b" if n in path else "o" for n in range(size))
            weights = "".join("7" if n in path else "2" for n in range(size))
        why = self._final_reasons
        picture = LatticeFrame(states, weights, self._nodes(last), None, why)
        return Frame(
            sentence, (picture, self._result_table(why), self._filled(last), NoteFrame(()))
        )

    def _result_table(self, why: Sequence[RichText]) -> TableFrame:
        """Return a table of the best path's pieces or, if `is_sum`, of the largest shares."""
        if self.values[-1] == LOG_ZERO:
            return TableFrame((), "", "No path reaches the end")
        if not self.is_sum:
            return self._path_table()
        heads = ("from", "to", "log p", "")
        return largest_shares(
            self.lattice, why, heads, lambda edge: (edge.start, edge.end, nats(edge.log_prob), "")
        )

    def _path_table(self) -> TableFrame:
        path = core.best_path(self.lattice) or ()
        steps = [self.steps[self.lattice.edges[n].end - 1] for n in path[:ROWS]]
        rows = [
            self._row(step, step.edges.index(n), shares_of(step))
            for step, n in zip(steps, path, strict=False)
        ]
        marked = tuple([replace(row, mark="") for row in rows])  # all of them won
        return TableFrame(marked, more_pieces(len(path)), "The best path, piece by piece")

    # -- the picture

    @cached_property
    def _arcs(self) -> list[tuple[str, str, str, RichText, RichText]]:
        """For each edge: its states when its end is reached and later, its weight, the reasons.

        The first reason is shown until its end is reached, the second from then on.
        """
        arcs = []
        for number, edge in enumerate(self.lattice.edges):
            step = self.steps[edge.end - 1]
            i, shares = step.edges.index(number), shares_of(step)
            line = weight(shares[number]) if self.is_sum else DEFAULT_WEIGHT
            now = "n" if number == step.best and not self.is_sum else "c"
            later = "k" if self.is_sum or now == "n" else "o"
            if step.totals[i] == LOG_ZERO:
                now = later = "o"
            unreached = f"Not reached yet: it ends at position {edge.end:,}."
            reason = self._verdict(step, i, shares)[1]
            arcs.append((now, later, line, (unreached, *unknown_note(edge)), reason))
        return arcs

    def _picture(self, position: int) -> LatticeFrame:
        states, weights = "", ""
        why: list[RichText] = []
        both = zip(self.lattice.edges, self._arcs, strict=True)
        for edge, (now, later, line, unreached, reason) in both:
            is_reached = edge.end <= position
            states += (now if edge.end == position else later) if is_reached else "."
            weights += line if is_reached else DEFAULT_WEIGHT
            why.append(reason if is_reached else unreached)
        return LatticeFrame(states, weights, self._nodes(position), position, tuple(why))

    @cached_property
    def _final_reasons(self) -> tuple[RichText, ...]:
        """Each edge's reason, extended by its role in the result."""
        if self.is_sum:
            ends = [
                (f" Over all segmentations, {percent(share)} of the probability goes through it.",)
                for share in core.posteriors(self.lattice)
            ]
        else:
            ends = [(" ", *reason) for reason in describe_gaps(self.lattice)]
        return tuple([(*why, *end) for (*_, why), end in zip(self._arcs, ends, strict=True)])

    def _nodes(self, position: int) -> tuple[str, ...]:
        known = tuple(map(nats, self.values[: position + 1]))
        return known + ("",) * (len(self.values) - len(known))

    # -- the tables

    def _arriving(self, step: NodeScore) -> TableFrame:
        shares = shares_of(step)
        order = sorted(range(len(step.edges)), key=lambda i: -step.totals[i])
        rows = tuple([self._row(step, i, shares) for i in order[:ROWS]])
        caption = f"{count_of(len(step.edges), 'piece')} ending at position {step.position:,}"
        if self.is_sum and step.value > LOG_ZERO and len(rows) > 1:
            caption = f"{caption}, together {format_probability(step.value)}"
        return TableFrame(rows, more_pieces(len(step.edges)), caption)

    def _row(self, step: NodeScore, i: int, shares: dict[int, float]) -> TableRow:
        number, total = step.edges[i], step.totals[i]
        edge = self.lattice.edges[number]
        numbers = nats_sum(self.values[edge.start], edge.log_prob)
        cells = (
            (edge.piece,),
            *numbers,
            format_probability(total),
            share_cell(shares[number]),
            shares[number],
        )
        return TableRow(cells, *self._verdict(step, i, shares))

    def _verdict(self, step: NodeScore, i: int, shares: dict[int, float]) -> tuple[str, RichText]:
        """Return the mark and the reason for edge `i` of a step, for its table row and its arc."""
        number, total, at = step.edges[i], step.totals[i], f"position {step.position:,}"
        edge = self.lattice.edges[number]
        if total == LOG_ZERO:
            return "rejected", (f"No path reaches position {edge.start:,}, where it begins.",)
        if self.is_sum:
            mark, why = "", f"It contributes {percent(shares[number])} of the sum at {at}."
        elif number == step.best:
            mark, why = "now", f"No other path to {at} has a higher total."
        elif total > step.value - TIE_EPS:
            mark = "tied"
            why = f"Its total at {at} is the same, up to rounding in the last digit."
        else:
            mark, why = "rejected", f"{nats(step.value - total)} nats behind the best at {at}."
        return mark, (why, *unknown_note(edge))

    def _filled(self, position: int) -> TableFrame:
        shown, more = visible_positions(position, len(self.values) - 1)
        rows = tuple([self._filled_row(at, position) for at in shown])
        caption = "α: all paths to here together" if self.is_sum else "Best path to here"
        return TableFrame(rows, more, f"{caption}, in nats")

    def _filled_row(self, at: int, position: int) -> TableRow:
        if at > position:
            return TableRow(
                (at, "", (), ""), "", ("Not reached yet: the table fills from the left.",)
            )
        if not at:
            return TableRow((0, nats(0.0), (), "1"), "", ("We start with log probability 0.",))
        step, number = self.steps[at - 1], self.num_paths[at]
        edges = reachable_edges(step) if self.is_sum else [step.best]
        by = tuple([self.lattice.edges[n].piece for n in edges[:NAMED] if n is not None])
        shown = f"{number:,}" if number < 10**6 else f"{number:.0e}".replace("e+", "e")
        why = filling_text.formula_text(self.lattice, self.values, step, self.is_sum)
        return TableRow(
            (at, nats(self.values[at]), by, shown), "here" if at == position else "", why
        )
