"""Frames of a WordPiece training run, which explain why the most frequent pair often loses.

With Hugging Face's convention the count decides, but the frames show the scores too. The code
shared with BPE is in `pages/shared/recording/merging.py`; frames are packed in
`pages/shared/recording/packing.py`.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, cast

import numpy as np

from lessons.format.words import RichText, in_row
from pages.shared.drawing.phrasing import count_of, times
from pages.shared.recording.frame_types import (
    Column,
    JumpTarget,
    PicturePart,
    Recording,
    TableFrame,
    TableRow,
)
from pages.shared.recording.merging import (
    MAX_ROWS,
    MIN_ROWS,
    PairCounts,
    TrainingFrames,
    merge_text,
    record_training,
    top_indices,
)
from tokenizers.merging.state import Merge
from tokenizers.record.trace import Trace

MOST_OFFERED = 3  # options of a question: each score has to be worked out
PROMPT_BY_SCORE = (
    "The one with the highest score: count of the pair / (count of its first piece × count of its "
    "second piece)."
)
PROMPT_BY_COUNT = "The one with the highest count"
PARTS = (
    PicturePart(
        "table",
        "Pairs before this merge: score = f(pair) / (f(first) · f(second))",
        (
            Column("pair", "tokens"),
            Column("f(pair)", "number"),
            Column("f(first)", "number"),
            Column("f(second)", "number"),
            Column("score", "number"),
            Column("", "bar"),
        ),
        min_rows=MIN_ROWS,
    ),
    PicturePart("strips", "Words after this merge"),
    PicturePart("note", ""),
)


def record_wordpiece_training(trace: Trace, watched: int | None = None) -> Recording:
    """Record `trace`; word number `watched` is always shown, and its changes are marked."""
    rival = JumpTarget("the most frequent pair is not chosen", _outnumbered(trace))
    frames = WordPieceFrames(trace, watched)
    return record_training("WordPiece training", PARTS, frames, [rival])


def _outnumbered(trace: Trace) -> tuple[int, ...]:
    """Return the steps whose pair is not the most frequent one."""
    found: list[int] = []
    most, highest = 0, math.inf
    walk = zip(trace.pair_history.iter_arrays(), trace.counts, strict=False)
    for k, (counts, count) in enumerate(walk, start=1):
        if counts[most] < highest:  # no merge makes a pair that is more frequent than all before
            most = int(counts.argmax())
            highest = counts[most]
        if highest > count:
            found.append(k)
    return tuple(found)


@dataclass(frozen=True, slots=True)
class ScoredPairs(PairCounts):
    """Pairs with the counts of all tokens before a step.

    `parts` has two rows: the indices of the pairs' left tokens, and of their right ones.
    """

    token_counts: np.ndarray
    parts: np.ndarray

    def counts_of(self, i: int) -> tuple[int, int, int]:
        """Return the counts of pair `i`, its left token and its right token."""
        first, second = self.token_counts[self.parts[:, i]].tolist()
        return int(self.counts[i]), first, second

    def scores(self, min_count: int) -> np.ndarray:
        """Return all pairs' scores for ranking; equal scores may differ in the last bit."""
        firsts, seconds = self.token_counts[self.parts]
        allowed = self.counts >= max(min_count, 1)
        return np.where(allowed, self.counts / np.maximum(firsts * seconds, 1), 0.0)

    def exact_score(self, i: int) -> Fraction:
        """Return the score of pair `i`."""
        count, first, second = self.counts_of(i)
        return Fraction(count, first * second)

    def row(self, i: int, mark: str, why: RichText) -> TableRow:
        """Return the row of pair `i`."""
        count, first, second = self.counts_of(i)
        score = count / (first * second)
        return TableRow((self.keys[i], count, first, second, score, score), mark, why)

    def more_than(self, num_shown: int) -> str:
        """Describe the pairs that do not fit."""
        hidden = self.number - num_shown
        return count_of(hidden, "more pair") if hidden > 0 else ""

    def most_frequent(self, step: Merge) -> int | None:
        """Return the most frequent pair's index, or None if the merged pair is as frequent."""
        most = int(self.counts.argmax())
        return most if self.counts[most] > step.count else None


class WordPieceFrames(TrainingFrames[ScoredPairs]):
    """The frames of a WordPiece run."""

    def __init__(self, trace: Trace, watched: int | None) -> None:
        super().__init__(trace, watched)
        self.by_count = trace.settings.convention == "hugging_face"
        self.worth = "count" if self.by_count else "score"
        how = ": count the pairs in the words." if self.words.are_all_shown else "."
        rule = f"{PROMPT_BY_COUNT}{how}" if self.by_count else PROMPT_BY_SCORE
        self.prompt = f"Which pair is merged next? {rule}"

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_parts"}

    @cached_property
    def _parts(self) -> np.ndarray:
        tokens = {token: i for i, token in enumerate(self.trace.token_history.keys)}
        indices = [(tokens[a], tokens[b]) for a, b in self.trace.pair_history.keys]
        return np.array(indices, np.int64).reshape(-1, 2).T

    def pairs(self, k: int) -> ScoredPairs:
        history, tokens = self.trace.pair_history, self.trace.token_history
        return ScoredPairs(history.keys, history.array_at(k), tokens.array_at(k), self._parts)

    def _ranked(self, pairs: ScoredPairs) -> list[int]:
        values = pairs.counts if self.by_count else pairs.scores(self.trace.settings.min_count)
        return top_indices(values, MAX_ROWS + 1)

    def start_table(self, pairs: ScoredPairs) -> TableFrame:
        why: RichText = ("The counts of the pair and of its parts before any merge.",)
        rows = tuple(pairs.row(i, "", why) for i in self._ranked(pairs)[:MAX_ROWS])
        return TableFrame(rows, pairs.more_than(len(rows)), "Pairs at the start, by score")

    def table(self, step: Merge, pairs: ScoredPairs) -> TableFrame:
        chosen, most = self.trace.pair_history.index_of(step.pair), pairs.most_frequent(step)
        shown = [chosen, *(i for i in self._ranked(pairs) if i != chosen)][:MAX_ROWS]
        if most is not None and most not in shown:
            shown[-1] = most  # the obvious rival always has a row
        rows = tuple(pairs.row(i, *self._mark(i, step, pairs)) for i in shown)
        return TableFrame(rows, pairs.more_than(len(rows)))

    def _mark(self, i: int, step: Merge, pairs: ScoredPairs) -> tuple[str, RichText]:
        if pairs.keys[i] == step.pair:
            return "now", (f"Chosen: no other pair has a higher {self.worth}.",)
        seen, least = int(pairs.counts[i]), self.trace.settings.min_count
        score = pairs.exact_score(i)
        if seen == step.count if self.by_count else seen >= least and score == step.score:
            why = f"It has the same {self.worth} as the chosen pair. That one won: {self.rule}."
            return "tied", (why,)
        if seen < least:
            return "rejected", (f"{seen:,} < {least:,}: too rare to be merged.",)
        if self.by_count:
            fewer = f"its count is {step.count - seen:,} below the chosen pair's"
            return "", (f"{seen:,} < {step.count:,}: {fewer}.",)
        ratio, frequent = float(step.score / score), seen > step.count
        why = "it is more frequent, but so are its parts" if frequent else "it scores lower"
        return "", (f"Not chosen: {why}. The chosen pair scores {ratio:,.3g} times as high.",)

    def describe(self, step: Merge) -> RichText:
        return (*merge_text(step, ": "), *self._why(step))

    def _why(self, step: Merge) -> RichText:
        if self.by_count:
            seen: RichText = (
                "it occurs ",
                ("strong", times(step.count)),
                *self.words.where_text(step),
                ".",
            )
            return (*seen, *self.tie_text(step, "No other pair occurs as often."))
        a, b = step.part_counts
        figures = f"{step.count:,} / ({a:,} × {b:,}) = "
        score: RichText = (figures, ("strong", _score_text(float(step.score))), ".")
        return (*score, *self.tie_text(step, "No other pair scores as high."))

    def note_text(self, step: Merge, pairs: ScoredPairs) -> RichText:
        """Explain why the most frequent pair is not chosen; return () if it is chosen."""
        most = pairs.most_frequent(step)
        if most is None:
            return ()
        count, a, b = pairs.counts_of(most)
        return (
            " · Why not the most frequent pair, ",
            *in_row(pairs.keys[most]),
            f"? Its parts are frequent too: {count:,} / ({a:,} × {b:,}) = ",
            ("strong", _score_text(count / (a * b))),
            ".",
        )

    def candidates(self, rows: Sequence[TableRow]) -> Sequence[TableRow]:
        """Offer the chosen pair, the most frequent other one, and the next by score."""
        lower = [row for row in rows if not row.mark]
        rival = max(lower, key=_count, default=None)
        others = [row for row in lower if row is not rival]
        tied = [row for row in rows[1:] if row.mark]
        return [*rows[:1], *([rival] if rival else ()), *others, *tied][:MOST_OFFERED]

    def hints(self, offered: Sequence[TableRow]) -> tuple[RichText, ...]:
        """Return the counts of each pair and of its parts, as the score divides them."""
        if self.by_count:
            return ()
        counts = [row.cells[1:4] for row in offered]
        return tuple([(f"{pair:,} / ({first:,} × {second:,})",) for pair, first, second in counts])

    @property
    def content(self) -> object:
        return super().content, MOST_OFFERED  # a class's code names an answer by its number


def _count(row: TableRow) -> float:
    return cast("float", row.cells[1])


def _score_text(value: float) -> str:
    """Return a score with four significant digits, three if it is tiny.

    >>> _score_text(1 / 3), _score_text(1.0), _score_text(0.000125)
    ('0.3333', '1', '0.000125')
    """
    return f"{value:.4g}" if value >= 0.0001 else f"{value:.3g}"
