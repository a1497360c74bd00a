"""What-if runs, which train on the same corpus with the same settings, except for one change.

The change is a word's count (0 removes the word, a new word is added), the tie rule, or the pair
taken at one tie. This file is for merge runs; `pages/unigram/what_if.py` is for Unigram's.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from pages.shared.drawing.phrasing import RichText, times, word_segment
from pages.shared.recording.frame_types import Recording
from pages.shared.recording.merging import TrainingFrames, clip_jump_target
from pages.shared.recording.packing import pack_frames
from pages.shared.recording.side_by_side import (
    TITLE,
    SideLayout,
    iter_paired_frames,
    merge_describer,
    merge_jump_targets,
)
from pages.shared.training.run_and_record import after_grace_period, train
from pages.shared.training.source import AnySettings, CorpusSource, find_word
from tokenizers.experiments import corpus_edit
from tokenizers.merging.state import Pair
from tokenizers.progress import ProgressCallback
from tokenizers.record.trace import Trace
from tokenizers.text.corpus import Corpus, Pipeline


@dataclass(frozen=True, slots=True)
class CountChange:
    """Set the count of a word; a new word comes last in the corpus."""

    word: str
    count: int


@dataclass(frozen=True, slots=True)
class TieRuleChange:
    """Decide ties by another rule; `ties` is the rule's name in the settings."""

    ties: str


@dataclass(frozen=True, slots=True)
class BranchChange:
    """Take another of the tied pairs at one step."""

    step: int
    pair: Pair


Change = CountChange | TieRuleChange | BranchChange
DOING = "Training twice …"
TIE_RULE_TEXTS = {
    "first_seen": "to the pair that comes first in the text",
    "smallest_ids": "to the pair with the oldest symbols",
    "smallest_string": "to the first pair in alphabetical order",
    "largest_string": "to the last pair in alphabetical order",
    "last": "against the piece listed last",
    "first": "against the piece listed first",
    "string": "against the last piece in alphabetical order",
}


def question_text(change: Change, corpus: Corpus) -> RichText:
    """Return the change as a question."""
    match change:
        case TieRuleChange(ties):
            return (f"What if ties went {TIE_RULE_TEXTS[ties]}?",)
        case BranchChange(step, (first, second)):
            pair: RichText = (("token", first), " ", ("token", second))
            return (f"What if, at the tie of step {step:,}, the run took ", *pair, "?")
        case CountChange(word, count):
            old = corpus.word_counts.get(word, 0)
            now = f"occurred {times(count)}" if count else "were not there"
            was = f"instead of {times(old)}" if old else "though it is not in the corpus"
            return (
                "What if ",
                word_segment(word),
                f" {now} {was}?" if count != old else f" {now}?",
            )


@dataclass(frozen=True, slots=True)
class TwoMergeRuns:
    """Two finished runs, without and with the change, and one recording that shows both."""

    whole: Trace
    changed: Trace
    recording: Recording

    @property
    def first(self) -> int | None:
        """The number of the first merge that differs, counted from 1; None if all are the same."""
        return corpus_edit.first_difference(self.whole.pairs, self.changed.pairs)


def rerun(report: ProgressCallback, whole: Trace, change: Change) -> Trace:
    """Train again with the change. Raises UserError if the change is impossible."""
    total = max(len(whole), 1)

    def stop(done: int, _: int) -> bool:
        return report(total + done, 3 * total)

    match change:
        case CountChange(word, count):
            return Trace.record(
                corpus_edit.with_count(whole.corpus, word, count), whole.settings, stop
            )
        case TieRuleChange(ties):
            return Trace.record(whole.corpus, replace(whole.settings, ties=ties), stop)
        case BranchChange(step, pair):
            return Trace.record(whole.corpus, whole.settings, stop, {step: pair})


def merge_twice(
    report: ProgressCallback,
    source: CorpusSource,
    pipeline: Pipeline,
    settings: AnySettings,
    change: Change,
    frames: Callable[[Trace, int | None], TrainingFrames],
    shape: SideLayout,
) -> TwoMergeRuns:
    """Train without and with the change, and record both; a changed word is always shown."""
    whole, _ = train(report, source, pipeline, settings)
    changed = rerun(report, whole, change)
    return TwoMergeRuns(whole, changed, record_both(report, whole, changed, change, frames, shape))


def record_both(
    report: ProgressCallback,
    whole: Trace,
    changed: Trace,
    change: Change,
    frames: Callable[[Trace, int | None], TrainingFrames],
    shape: SideLayout,
) -> Recording:
    """Record the runs without and with the change side by side."""
    watched = change.word if isinstance(change, CountChange) else ""
    sides = [frames(one, find_word(one.corpus, watched)) for one in (whole, changed)]
    for side in sides:
        side.should_stop = after_grace_period(lambda k: report(len(whole) + k, 3 * len(whole)))
    first = corpus_edit.first_difference(whole.pairs, changed.pairs)
    marks = merge_jump_targets(whole, changed, first)
    describe = merge_describer(whole, changed, first)
    both = iter_paired_frames(
        shape, (sides[0], sides[1]), question_text(change, whole.corpus), describe
    )
    # Which steps are recorded is known only after all frames are made.
    clipped = (clip_jump_target(mark, max(len(side.trace) for side in sides)) for mark in marks)
    return pack_frames(TITLE, shape.paired_parts(), both, clipped)
