"""Record training by merging, as far as BPE and WordPiece have it in common.

Position k shows the pairs before merge k and the words after it, as read from the trace. The tables
and sentences of each algorithm are in `pages/bpe/training_frames.py` and
`pages/wordpiece/training_frames.py`.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import cast

import numpy as np

from lessons.format.words import in_row
from pages.shared.drawing.phrasing import RichText, count_of, word_segment
from pages.shared.recording.code import MERGE_LOOP, merging_code_frame, with_code
from pages.shared.recording.frame_types import (
    Frame,
    JumpTarget,
    NoteFrame,
    PicturePart,
    Recording,
    StepQuestion,
    TableFrame,
    TableRow,
)
from pages.shared.recording.packing import pack_frames
from pages.shared.recording.words import WordStrips
from tokenizers.merging.queue import TIE_RULE_REASONS
from tokenizers.merging.state import Merge, Pair
from tokenizers.record.trace import Trace

MAX_ROWS = 16  # pairs shown at a step
MIN_ROWS = 8  # pairs shown even on a low screen
MAX_OPTIONS = 6  # options of a prediction
SMALLEST = 1e-300  # below any positive count or score
ShouldStop = Callable[[int], object]
"""Called with the number of each step before its frame is built; true makes this step the last."""


class TrainingFrames(ABC):
    """Iterator over the frames of a trace, which replays the merges on the words.

    `counts` are the pair counts before the current step, in the order of `keys`. `prompt` asks
    which pair is merged.
    """

    prompt: str

    def __init__(self, trace: Trace, watched: int | None) -> None:
        self.trace, self.words = trace, WordStrips(trace, watched)
        self.rule = TIE_RULE_REASONS[trace.settings.ties]
        self.keys = trace.pair_history.keys
        self._walk = trace.pair_history.iter_arrays()
        self.counts = next(self._walk)
        self.should_stop: ShouldStop = lambda k: False
        self._floor = 0.0  # the smallest of the last top values

    def top_indices(self, values: np.ndarray, size: int) -> list[int]:
        """Return the indices of the `size` largest positive values, largest first, ties by index.

        The values hardly change between steps, so only values above the last floor are sorted:
        sorting tens of thousands at every step would take longer than training.
        """
        (indices,) = (values >= max(self._floor, SMALLEST)).nonzero()
        if not size <= len(indices) <= 50 * size:
            self._floor = float(np.partition(values, -size)[-size]) if len(values) > size else 0.0
            (indices,) = (values >= max(self._floor, SMALLEST)).nonzero()
        return indices[np.argsort(-values[indices], kind="stable")[:size]].tolist()

    @abstractmethod
    def start_table(self) -> TableFrame:
        """Return the table of pairs at the start."""

    @abstractmethod
    def table(self, step: Merge) -> TableFrame:
        """Return the table of pairs before `step`, the chosen one first."""

    @abstractmethod
    def describe(self, step: Merge) -> RichText:
        """Describe what is merged, and why."""

    @abstractmethod
    def explain_answer(self, step: Merge) -> RichText:
        """Explain the correct answer, in words that follow the two symbols of the pair."""

    def build_question(self, step: Merge, rows: Sequence[TableRow]) -> StepQuestion | None:
        """Return the question of which pair is merged; None if there is no choice."""
        offered = [row for row in rows if row.mark != "rejected"][:MAX_OPTIONS]
        if len(offered) < 2:
            return None
        offered.sort(key=lambda row: row.cells[0])
        correct = tuple(n for n, row in enumerate(offered) if row.mark in ("now", "tied"))
        options = tuple(cast("Pair", row.cells[0]) for row in offered)
        return StepQuestion(
            (self.prompt,), options, correct, (*in_row(step.pair), *self.explain_answer(step))
        )

    def note_text(self, step: Merge) -> RichText:
        """Return the end of the note below the words, after the sizes."""
        return ()

    def __iter__(self) -> Iterator[Frame]:
        self.should_stop(0)  # the start always has a frame
        yield self._start_frame()
        k = 0
        while k < len(self.trace):
            k += 1
            if self.should_stop(k):
                self.trace = self.trace.truncated(k)
            step = self.trace.step(k)
            table, sentence = self.table(step), self.describe(step)
            question = self.build_question(step, table.rows)
            if k == len(self.trace):
                sentence = (*sentence, f" Training stops here: {self.trace.stop_reason}.")
            note = NoteFrame((self._sizes(k), *self.note_text(step)))
            yield Frame(sentence, (table, self.words.apply(step), note), step.token, question)
            self.advance()

    def advance(self) -> None:
        """Advance to the counts before the next step."""
        self.counts = next(self._walk)

    def _start_frame(self) -> Frame:
        trace = self.trace
        unit = "bytes" if trace.settings.base == "bytes" else "characters"
        sentence = (
            "Start: ",
            ("strong", count_of(trace.corpus.num_words, "word")),
            f" ({trace.corpus.num_distinct_words:,} distinct), split into single {unit}: ",
            ("strong", count_of(len(trace.alphabet), "base symbol")),
            ".",
            *(() if len(trace) else (f" Nothing can be merged: {trace.stop_reason}.",)),
        )
        return Frame(
            sentence, (self.start_table(), self.words.start(), NoteFrame((self._sizes(0),)))
        )

    def _sizes(self, k: int) -> str:
        sizes, tokens = self.trace.vocab_sizes, self.trace.num_tokens
        words = count_of(self.trace.corpus.num_words, "word")
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


def merge_text(step: Merge, ending: str) -> RichText:
    """Describe a merge; the sentence ends with `ending`."""
    first, second = (("token", symbol) for symbol in step.pair)
    return ("Merge ", first, " and ", second, " into ", ("new", step.token), ending)


def record_training(
    title: str,
    parts: tuple[PicturePart, ...],
    frames: TrainingFrames,
    jump_targets: Iterable[JumpTarget],
    should_stop: ShouldStop,
) -> Recording:
    """Record the frames with `jump_targets` and the jump targets that every run has.

    The recording is shorter than the run if `should_stop` returns true at a step.
    """
    trace, watched = frames.trace, frames.words.watched
    ties = tuple(k for k, tied in enumerate(trace.num_tied, start=1) if tied > 1)
    jump_targets = [JumpTarget("there is a tie", ties, has_tick=True), *jump_targets]
    if watched is not None:
        name = word_segment(trace.words[watched])[1]
        jump_targets.append(JumpTarget(f"{name} changes", tuple(trace.word_merges(watched))))
    frames.should_stop = should_stop
    # A generator: the number of steps is known only after `pack_frames` has consumed all frames.
    targets = (clip_jump_target(target, len(frames.trace)) for target in jump_targets)
    return pack_frames(title, (*parts, MERGE_LOOP.part), _with_code(frames), targets)


def _with_code(frames: TrainingFrames) -> Iterator[Frame]:
    """Yield the frames, each with the lines of the reference code that its step executes."""
    for k, frame in enumerate(frames):
        table = frame.parts[0]
        assert isinstance(table, TableFrame)
        tied = [cast("Pair", row.cells[0]) for row in table.rows if row.mark in ("now", "tied")]
        num_pairs = int((frames.counts > 0).sum())
        yield with_code(frame, merging_code_frame(frames.trace, k, num_pairs, tied))


def clip_jump_target(jump_target: JumpTarget, last: int) -> JumpTarget:
    """Return the jump target without positions after `last`."""
    return replace(jump_target, positions=tuple(k for k in jump_target.positions if k <= last))
