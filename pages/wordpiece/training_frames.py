"""Frames of a WordPiece training run, which explain why the most frequent pair often loses.

With Hugging Face's convention the count decides, but the frames show the scores too. The code
shared with BPE is in `pages/shared/recording/merging.py`; frames are packed in
`pages/shared/recording/packing.py`.
"""

from fractions import Fraction

import numpy as np

from lessons.format.words import in_row
from pages.shared.drawing.phrasing import RichText, count_of, times
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
    ShouldStop,
    TrainingFrames,
    merge_text,
    record_training,
)
from tokenizers.merging.state import Merge
from tokenizers.record.trace import Trace

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


def record_wordpiece_training(
    trace: Trace, watched: int | None = None, should_stop: ShouldStop = lambda k: None
) -> Recording:
    """Record `trace`; word number `watched` is always shown, and its changes are marked."""
    frames = WordPieceFrames(trace, watched)
    return record_training("WordPiece training", PARTS, frames, frames.marks(), should_stop)


class WordPieceFrames(TrainingFrames):
    """The frames of a WordPiece run; `token_counts` are the counts before the step."""

    def __init__(self, trace: Trace, watched: int | None) -> None:
        super().__init__(trace, watched)
        self.by_count = trace.settings.convention == "hugging_face"
        self.worth = "count" if self.by_count else "score"
        self.prompt = f"Which pair has the highest {self.worth} and is merged next?"
        tokens = {token: i for i, token in enumerate(trace.token_history.keys)}
        self._firsts = np.array([tokens[first] for first, _ in self.keys], np.int64)
        self._seconds = np.array([tokens[second] for _, second in self.keys], np.int64)
        self._token_walk = trace.token_history.iter_arrays()
        self.token_counts = next(self._token_walk)
        self._indices = {pair: i for i, pair in enumerate(self.keys)}

    def marks(self) -> list[JumpTarget]:
        """Return a jump target for the steps whose merged pair is not the most frequent one."""
        walk = zip(self.trace.pair_history.iter_arrays(), self.trace.counts, strict=False)
        steps = [k for k, (counts, count) in enumerate(walk, 1) if counts.max(initial=0) > count]
        return [JumpTarget("the most frequent pair is not chosen", tuple(steps))]

    def advance(self) -> None:
        super().advance()
        self.token_counts = next(self._token_walk)

    def _scores(self) -> np.ndarray:
        """Return all pairs' scores for ranking; equal scores may differ in the last bit."""
        parts = self.token_counts[self._firsts] * self.token_counts[self._seconds]
        allowed = self.counts >= max(self.trace.settings.min_count, 1)
        return np.where(allowed, self.counts / np.maximum(parts, 1), 0.0)

    def _counts(self, i: int) -> tuple[int, int, int]:
        """Return the counts of pair `i`, its left token and its right token."""
        parts = self.token_counts[self._firsts[i]], self.token_counts[self._seconds[i]]
        return int(self.counts[i]), int(parts[0]), int(parts[1])

    def _row(self, i: int, mark: str, why: RichText) -> TableRow:
        count, first, second = self._counts(i)
        score = count / (first * second)
        return TableRow((self.keys[i], count, first, second, score, score), mark, why)

    def _exact(self, i: int) -> Fraction:
        count, first, second = self._counts(i)
        return Fraction(count, first * second)

    def _ranked(self) -> list[int]:
        return self.top_indices(self.counts if self.by_count else self._scores(), MAX_ROWS + 1)

    def _more(self, num_shown: int) -> str:
        hidden = int((self.counts > 0).sum()) - num_shown
        return count_of(hidden, "more pair") if hidden > 0 else ""

    def start_table(self) -> TableFrame:
        why: RichText = ("The counts of the pair and of its parts before any merge.",)
        rows = tuple(self._row(i, "", why) for i in self._ranked()[:MAX_ROWS])
        return TableFrame(rows, self._more(len(rows)), "Pairs at the start, by score")

    def table(self, step: Merge) -> TableFrame:
        chosen, most = self._indices[step.pair], self._most_frequent(step)
        shown = [chosen, *(i for i in self._ranked() if i != chosen)][:MAX_ROWS]
        if most is not None and most not in shown:
            shown[-1] = most  # the obvious rival always has a row
        rows = tuple(self._row(i, *self._mark(i, step)) for i in shown)
        return TableFrame(rows, self._more(len(rows)))

    def _most_frequent(self, step: Merge) -> int | None:
        """Return the most frequent pair's index, or None if the merged pair is as frequent."""
        most = int(self.counts.argmax())
        return most if self.counts[most] > step.count else None

    def _mark(self, i: int, step: Merge) -> tuple[str, RichText]:
        if self.keys[i] == step.pair:
            return "now", (f"Chosen: no other pair has a higher {self.worth}.",)
        if self._is_as_good(i, step):
            why = f"It has the same {self.worth} as the chosen pair. That one won: {self.rule}."
            return "tied", (why,)
        seen, least = int(self.counts[i]), self.trace.settings.min_count
        if seen < least:
            return "rejected", (f"{seen:,} < {least:,}: too rare to be merged.",)
        if self.by_count:
            fewer = f"its count is {step.count - seen:,} below the chosen pair's"
            return "", (f"{seen:,} < {step.count:,}: {fewer}.",)
        ratio, frequent = float(step.score / self._exact(i)), seen > step.count
        why = "it is more frequent, but so are its parts" if frequent else "it scores lower"
        return "", (f"Not chosen: {why}. The chosen pair scores {ratio:,.3g} times as high.",)

    def _is_as_good(self, i: int, step: Merge) -> bool:
        if self.by_count:
            return int(self.counts[i]) == step.count
        rare = self.counts[i] < self.trace.settings.min_count
        return not rare and self._exact(i) == step.score

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

    def note_text(self, step: Merge) -> RichText:
        """Explain why the most frequent pair is not chosen; return () if it is chosen."""
        most = self._most_frequent(step)
        if most is None:
            return ()
        count, a, b = self._counts(most)
        return (
            " · Why not the most frequent pair, ",
            *in_row(self.keys[most]),
            f"? Its parts are frequent too: {count:,} / ({a:,} × {b:,}) = ",
            ("strong", _score_text(count / (a * b))),
            ".",
        )

    def explain_answer(self, step: Merge) -> RichText:
        return (": ", *self._why(step))


def _score_text(value: float) -> str:
    """Return a score with four significant digits, three if it is tiny.

    >>> _score_text(1 / 3), _score_text(1.0), _score_text(0.000125)
    ('0.3333', '1', '0.000125')
    """
    return f"{value:.4g}" if value >= 0.0001 else f"{value:.3g}"
