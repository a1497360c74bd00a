"""Train BPE or WordPiece in a worker and make the recording for the player."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from pages.shared.recording.frame_types import Recording
from pages.shared.training.source import AnySettings, CorpusSource, bounded_corpus, find_word
from tokenizers.errors import UserError
from tokenizers.progress import CancelCheck, ProgressCallback
from tokenizers.record.trace import STOPPED_BEFORE_START, Trace
from tokenizers.text.corpus import Pipeline

LONGEST_STEPPED = 2_000
"""Characters of a text encoded step by step."""
GRACE_SECONDS = 1.5
"""Seconds for which a stopped run is still recorded."""

MakeRecording = Callable[[Trace, int | None, Callable[[int], bool]], Recording]
"""Makes the recording of a trace, given the word to watch and a predicate of the last step."""


@dataclass(frozen=True, slots=True)
class TrainingRun:
    """A finished run's trace, its recording, and notes on what was left out of the training."""

    trace: Trace
    recording: Recording
    notes: tuple[str, ...]


def run_and_record(
    report: ProgressCallback,
    source: CorpusSource,
    pipeline: Pipeline,
    settings: AnySettings,
    follow: str,
    make_recording: MakeRecording,
) -> TrainingRun:
    """Train on a text or on words with counts, and record the run; `follow` is a word to watch.

    If the user stops the run, recording goes on for `GRACE_SECONDS`, and the run ends with the last
    recorded merge. Raises UserError if the counts are invalid.
    """
    trace, notes = train(report, source, pipeline, settings)
    watched = find_word(trace.corpus, follow)
    should_stop = after_grace_period(lambda k: report(len(trace) + k, 2 * len(trace)))
    recording = make_recording(trace, watched, should_stop)
    return TrainingRun(trace.truncated(recording.last), recording, notes)


def after_grace_period(is_stop_requested: Callable[[int], bool]) -> Callable[[int], bool]:
    """Return a function that is True `GRACE_SECONDS` after `is_stop_requested` first was."""
    stopped_at: list[float] = []

    def should_stop(k: int) -> bool:
        if is_stop_requested(k):
            stopped_at.append(time.monotonic())
        return bool(stopped_at) and stopped_at[-1] - stopped_at[0] >= GRACE_SECONDS

    return should_stop


def train(
    report: ProgressCallback, source: CorpusSource, pipeline: Pipeline, settings: AnySettings
) -> tuple[Trace, tuple[str, ...]]:
    """Train without a recording; return the trace and notes on what was left out."""
    corpus, notes = bounded_corpus(source, pipeline, check_cancelled=stop_check(report))
    total = 2 * (settings.num_merges or settings.vocab_size or len(corpus.word_counts))
    return Trace.record(corpus, settings, lambda done, _: report(done, total)), notes


def stop_check(report: ProgressCallback) -> CancelCheck:
    """Return a check that raises UserError if the user stops the run before its first step."""

    def check() -> None:
        if report(0, 1):
            raise UserError(STOPPED_BEFORE_START)

    return check
