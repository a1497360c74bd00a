"""Frames of a BPE training run; there is one for each merge, with a table, a sentence and a note.

The code shared with WordPiece is in `pages/shared/recording/merging.py`; frames are packed in
`pages/shared/recording/packing.py`.
"""

from collections.abc import Sequence
from dataclasses import replace

from lessons.format.words import RichText
from pages.shared.drawing.phrasing import byte_legend, count_of, times
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
from tokenizers.bpe.superwords import SuperwordSettings, is_border, num_inside
from tokenizers.merging.state import Merge, Pair
from tokenizers.record.trace import Trace

PARTS = (
    PicturePart(
        "table",
        "Pairs before this merge",
        (Column("pair", "tokens"), Column("count", "number"), Column("", "bar")),
        min_rows=MIN_ROWS,
    ),
    PicturePart("strips", "Words after this merge"),
    PicturePart("note", ""),
)
PARTS_OF_LINES = (PARTS[0], replace(PARTS[1], caption="Lines after this merge"), PARTS[2])


def record_bpe_training(trace: Trace, watched: int | None = None) -> Recording:
    """Record `trace`; word number `watched` is always shown, and its changes are marked."""
    drops = JumpTarget("the count drops", _drops(trace.counts))
    jumps, parts = [drops], PARTS
    if isinstance(trace.settings, SuperwordSettings):
        parts = PARTS_OF_LINES
        across = tuple(k for k, pair in enumerate(trace.pairs, start=1) if is_border(*pair))
        jumps.append(JumpTarget("words are joined", across, has_tick=True))
    return record_training("BPE training", parts, BpeFrames(trace, watched), jumps)


def _drops(counts: Sequence[int]) -> tuple[int, ...]:
    """Return the steps whose pair has a lower count than the previous step's pair.

    >>> _drops([9, 9, 7, 7, 6])
    (3, 5)
    """
    return tuple(k for k in range(2, len(counts) + 1) if counts[k - 1] < counts[k - 2])


class BpeFrames(TrainingFrames[PairCounts]):
    """The frames of a BPE run."""

    def __init__(self, trace: Trace, watched: int | None) -> None:
        super().__init__(trace, watched)
        guess = "It is the one that occurs most often in the text."
        rule = f"Count the pairs in the {self.words.unit}s." if self.words.are_all_shown else guess
        self.prompt = f"Which pair is merged next? {rule}"
        # With a limit on the length, a rejected pair may be more frequent.
        limited = trace.settings.max_token_length is not None
        self.rival = "other pair that is short enough" if limited else "other pair"
        settings = trace.settings
        is_across = isinstance(settings, SuperwordSettings)
        self.opens_at = num_inside(trace.pairs, settings) if is_across else None

    def pairs(self, k: int) -> PairCounts:
        history = self.trace.pair_history
        return PairCounts(history.keys, history.array_at(k))

    def start_table(self, pairs: PairCounts) -> TableFrame:
        ranked = _ranked(pairs)
        rows = tuple(
            TableRow((pair, n, n), "", (f"It occurs {times(n)} at the start, before any merge.",))
            for pair, n in ranked[:MAX_ROWS]
        )
        return TableFrame(rows, _more(pairs, ranked[MAX_ROWS:]), "Pairs at the start")

    def table(self, step: Merge, pairs: PairCounts) -> TableFrame:
        others = [(pair, n) for pair, n in _ranked(pairs) if pair != step.pair]
        ranked = [(step.pair, step.count), *others]
        rows = tuple(
            TableRow((pair, n, n), *self._mark(pair, n, step)) for pair, n in ranked[:MAX_ROWS]
        )
        return TableFrame(rows, _more(pairs, ranked[MAX_ROWS:]))

    def _mark(self, pair: Pair, count: int, step: Merge) -> tuple[str, RichText]:
        """Return the mark of a pair's row, and why the pair was chosen or not."""
        settings = self.trace.settings
        if pair == step.pair:
            if step.num_tied == 1:
                why = f"Chosen: it occurs {times(count)}, more often than any {self.rival}."
                return "now", (why,)
            others = count_of(step.num_tied - 1, "other pair")
            return "now", (f"Chosen: it ties with {others}, and {self.rule}.",)
        if not settings.allows(pair):
            limit = settings.max_token_length
            return "rejected", (f"It would make a piece longer than {limit} symbols.",)
        if count == step.count:
            why = f"As frequent as the chosen pair ({times(count)}). That one won: {self.rule}."
            return "tied", (why,)
        behind = f"its count is {step.count - count:,} below the chosen pair's"
        return "", (f"{count:,} < {step.count:,}: {behind}.",)

    def describe(self, step: Merge) -> RichText:
        overlap = f" (it overlaps itself, so only {step.num_applied:,} can be joined)"
        return (
            *merge_text(
                step, ": it occurs ", "the whole words " if self._joins_words(step) else ""
            ),
            ("strong", times(step.count)),
            *(() if step.num_applied == step.count else (overlap,)),
            *self.words.where_text(step),
            ".",
            *self.tie_text(step, f"No {self.rival} occurs as often."),
        )

    def _joins_words(self, step: Merge) -> bool:
        """Return whether the merge joins two whole words, as the rule demands across a border."""
        settings = self.trace.settings
        is_across = isinstance(settings, SuperwordSettings) and is_border(*step.pair)
        return is_across and settings.crossing == "whole_words"

    def _sizes(self, k: int) -> str:
        sizes = super()._sizes(k)
        if k == self.opens_at:
            return f"{sizes} · from the next step on, merges may cross spaces"
        is_later = self.opens_at is not None and k > self.opens_at
        return (
            f"{sizes} · across words" if is_later and is_border(*self.trace.pairs[k - 1]) else sizes
        )

    def note_text(self, step: Merge, pairs: PairCounts) -> RichText:
        return byte_legend(step.token) if self.trace.settings.base == "bytes" else ()


def _ranked(pairs: PairCounts) -> list[tuple[Pair, int]]:
    """Return the most frequent pairs with their counts, one more than the table has rows."""
    found = top_indices(pairs.counts, MAX_ROWS + 1)
    return [(pairs.keys[i], int(pairs.counts[i])) for i in found]


def _more(pairs: PairCounts, rest: Sequence[tuple[Pair, int]]) -> str:
    """Describe the pairs that do not fit; `rest` begins with the most frequent of them."""
    if not rest:
        return ""
    hidden, most = pairs.number - MAX_ROWS, rest[0][1]
    less = " or less" if most > 1 else ""
    return f"{count_of(hidden, 'more pair')}, count {most:,}{less}"
