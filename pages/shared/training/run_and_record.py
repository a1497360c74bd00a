"""Train BPE or WordPiece in a worker and make the recording for the player."""

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

MakeRecording = Callable[[Trace, int | None], Recording]
"""Makes the recording of a trace, given the word to watch."""


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

    Raises UserError if the counts are invalid.
    """
    trace, notes = train(report, source, pipeline, settings)
    return TrainingRun(trace, make_recording(trace, find_word(trace.corpus, follow)), notes)


def train(
    report: ProgressCallback, source: CorpusSource, pipeline: Pipeline, settings: AnySettings
) -> tuple[Trace, tuple[str, ...]]:
    """Train without a recording; return the trace and notes on what was left out."""
    corpus, notes = bounded_corpus(source, pipeline, check_cancelled=stop_check(report))
    total = settings.num_merges or settings.vocab_size or len(corpus.word_counts)
    return Trace.record(corpus, settings, lambda done, _: report(done, total)), notes


def stop_check(report: ProgressCallback) -> CancelCheck:
    """Return a check that raises UserError if the user stops the run before its first step."""

    def check() -> None:
        if report(0, 1):
            raise UserError(STOPPED_BEFORE_START)

    return check
