"""Record training by merging, as far as BPE and WordPiece have it in common.

Position k shows the pairs before merge k and the words after it, as read from the trace. The tables
and sentences of each algorithm are in `pages/bpe/training_frames.py` and
`pages/wordpiece/training_frames.py`.
"""

from abc import abstractmethod
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar, cast

import numpy as np

from lessons.format.words import RichText
from pages.shared.drawing.phrasing import count_of, word_segment
from pages.shared.recording.code import MERGE_LOOP, merging_code_frame, with_code
from pages.shared.recording.frame_types import (
    CodeFrame,
    Frame,
    JumpTarget,
    NoteFrame,
    PicturePart,
    Recording,
    RunFrames,
    StepQuestion,
    StripsFrame,
    TableFrame,
    TableRow,
)
from pages.shared.recording.packing import record
from pages.shared.recording.words import WordStrips
from tokenizers.merging.queue import TIE_RULE_REASONS
from tokenizers.merging.state import Merge, Pair
from tokenizers.record.trace import Trace

MAX_ROWS = 16  # pairs shown at a step
MIN_ROWS = 8  # pairs shown even on a low screen
MAX_OPTIONS = 6  # options of a prediction


@dataclass(frozen=True, slots=True)
class PairCounts:
    """The `counts` of all pairs before a step, in the order of `keys`."""

    keys: Sequence[Pair]
    counts: np.ndarray

    @property
    def number(self) -> int:
        """The number of pairs that occur."""
        return int((self.counts > 0).sum())


PairsT = TypeVar("PairsT", bound=PairCounts)


def top_indices(values: np.ndarray, size: int) -> list[int]:
    """Return the indices of the `size` largest positive values, largest first, ties by index.

    Only values above a low enough bound are sorted: sorting tens of thousands takes milliseconds.

    >>> top_indices(np.array([1, 5, 0, 5, 3]), 3)
    [1, 3, 4]
    """
    size = min(size, int(np.count_nonzero(values > 0)))
    bound = float(values.max(initial=0))
    while np.count_nonzero(values >= bound) < size:
        bound /= 2
    (indices,) = (values >= bound).nonzero()
    return indices[np.argsort(-values[indices], kind="stable")[:size]].tolist()


class TrainingFrames(RunFrames, Generic[PairsT]):
    """The frames of a trace; each is made from the trace when it is looked at.

    `prompt` asks which pair is merged. The word with the index `watched` is always shown.
    """

    prompt: str

    def __init__(self, trace: Trace, watched: int | None) -> None:
        self.trace, self.words = trace, WordStrips(trace, watched)
        self.rule = TIE_RULE_REASONS[trace.settings.ties]
        self.num_words = trace.corpus.num_words  # a sum over all words

    def __len__(self) -> int:
        return len(self.trace) + 1

    def frame(self, k: int) -> Frame:
        """Return the frame after step `k`."""
        pairs = self.pairs(max(k - 1, 0))
        table, strips = self.picture(k, pairs)
        if not k:
            start = Frame(self._describe_start(), (table, strips, NoteFrame((self._sizes(0),))))
            return with_code(start, self._code(0, pairs, ()))
        step = self.trace.step(k)
        sentence = self.describe(step)
        if k == len(self.trace):
            sentence = (*sentence, f" Training stops here: {self.trace.stop_reason}.")
        note = NoteFrame((self._sizes(k), *self.note_text(step, pairs)))
        frame = Frame(sentence, (table, strips, note), self.build_question(step, table.rows))
        return with_code(frame, self._code(k, pairs, table.rows))

    def picture(self, k: int, pairs: PairsT | None = None) -> tuple[TableFrame, StripsFrame]:
        """Return the table and the strips of frame `k`; `pairs` are those before step `k`."""
        pairs = self.pairs(max(k - 1, 0)) if pairs is None else pairs
        if not k:
            return self.start_table(pairs), self.words.start()
        step = self.trace.step(k)
        return self.table(step, pairs), self.words.at(k, step)

    def _code(self, k: int, pairs: PairsT, rows: Sequence[TableRow]) -> CodeFrame:
        tied = [cast("Pair", row.cells[0]) for row in rows if row.mark in ("now", "tied")]
        return merging_code_frame(self.trace, k, pairs.number, tied)

    # --- What the frames are made of ------------------------------------------------------------

    @property
    def new_tokens(self) -> Sequence[str]:
        return self.trace.tokens

    @property
    def common_tokens(self) -> Sequence[str]:
        return self.trace.alphabet

    @property
    def largest(self) -> Collection[int]:
        trace = self.trace  # the last step, and the longest token, the most ties and joins
        columns = [*map(len, trace.tokens)], trace.num_tied, trace.num_applied
        return {len(trace), *(column.index(max(column)) + 1 for column in columns if column)}

    @property
    def content(self) -> object:
        trace = self.trace
        words = "\0".join(trace.words), tuple(trace.corpus.word_counts.values())
        pairs = "\0".join(map("\1".join, trace.pairs))  # a `repr` takes three times as long
        return words, trace.settings, pairs, trace.stop_reason, self.words.watched

    # --- One frame ------------------------------------------------------------------------------

    @abstractmethod
    def pairs(self, k: int) -> PairsT:
        """Return the pairs and what the table needs to know of them after step `k`."""

    @abstractmethod
    def start_table(self, pairs: PairsT) -> TableFrame:
        """Return the table of pairs at the start."""

    @abstractmethod
    def table(self, step: Merge, pairs: PairsT) -> TableFrame:
        """Return the table of pairs before `step`, the chosen one first."""

    @abstractmethod
    def describe(self, step: Merge) -> RichText:
        """Describe what is merged, and why."""

    def build_question(self, step: Merge, rows: Sequence[TableRow]) -> StepQuestion | None:
        """Return the question of which pair is merged; None if no answer would be wrong."""
        possible = [row for row in rows if row.mark != "rejected"]
        offered = sorted(self.candidates(possible), key=lambda row: row.cells[0])
        correct = tuple(n for n, row in enumerate(offered) if row.mark in ("now", "tied"))
        if len(correct) == len(offered):
            return None
        options = tuple(cast("Pair", row.cells[0]) for row in offered)
        ties = " If several tie, any of them counts." if len(correct) > 1 else ""
        # The sentence of the step gives the reason.
        return StepQuestion((f"{self.prompt}{ties}",), options, correct, (), self.hints(offered))

    def candidates(self, rows: Sequence[TableRow]) -> Sequence[TableRow]:
        """Return the rows whose pairs the question offers; the chosen one comes first in `rows`."""
        return rows[:MAX_OPTIONS]

    def hints(self, offered: Sequence[TableRow]) -> tuple[RichText, ...]:
        """Return a fact for each option, from which the answer follows; () if the words show it."""
        return ()

    def note_text(self, step: Merge, pairs: PairsT) -> RichText:
        """Return the end of the note below the words, after the sizes."""
        return ()

    def _describe_start(self) -> RichText:
        trace = self.trace
        unit = "bytes" if trace.settings.base == "bytes" else "characters"
        return (
            "Start: ",
            ("strong", count_of(self.num_words, self.words.unit)),
            f" ({trace.corpus.num_distinct_words:,} distinct), split into single {unit}: ",
            ("strong", count_of(len(trace.alphabet), "base symbol")),
            ".",
            *(() if len(trace) else (f" Nothing can be merged: {trace.stop_reason}.",)),
        )

    def _sizes(self, k: int) -> str:
        sizes, tokens = self.trace.vocab_sizes, self.trace.num_tokens
        words = count_of(self.num_words, self.words.unit)
        if not k:
            return f"Vocabulary: {sizes[0]:,} · the text of {words}: {tokens[0]:,} tokens"
        return (
            f"Vocabulary {sizes[k - 1]:,} → {sizes[k]:,} · the text of {words}: "
            f"{tokens[k - 1]:,} → {tokens[k]:,} tokens"
        )

    def tie_text(self, step: Merge, if_no_tie: str) -> RichText:
        """Say how many pairs tie with the merged one; return `if_no_tie` if there are none."""
        if step.num_tied == 1:
            return (f" {if_no_tie}",)
        others = count_of(step.num_tied - 1, "other pair")
        are = "is" if step.num_tied == 2 else "are"
        because = f"; we take this one because {self.rule}."
        return (" ", ("tie", f"{others} {are} tied with it"), because)


def merge_text(step: Merge, ending: str, kind: str = "") -> RichText:
    """Describe a merge; the sentence ends with `ending`, and `kind` says what is merged."""
    first, second = (("token", symbol) for symbol in step.pair)
    return (f"Merge {kind}", first, " and ", second, " into ", ("new", step.token), ending)


def record_training(
    title: str,
    parts: tuple[PicturePart, ...],
    frames: TrainingFrames,
    jump_targets: Iterable[JumpTarget],
) -> Recording:
    """Record the frames with `jump_targets` and the jump targets that every run has."""
    trace, watched = frames.trace, frames.words.watched
    ties = tuple(k for k, tied in enumerate(trace.num_tied, start=1) if tied > 1)
    jump_targets = [JumpTarget("there is a tie", ties, has_tick=True), *jump_targets]
    if watched is not None:
        name = word_segment(trace.words[watched])[1]
        jump_targets.append(JumpTarget(f"{name} changes", tuple(trace.word_merges(watched))))
    return record(title, (*parts, MERGE_LOOP.part), frames, jump_targets)
