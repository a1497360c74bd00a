"""Jobs of the Unigram pages that run in a worker process; they train and record frames.

Runs are limited to sizes that keep a small machine responsive, and notes tell the user. Code that
all algorithms share is in `pages/shared/training/run_and_record.py`.
"""

from dataclasses import dataclass

from pages.shared.drawing.phrasing import count_of
from pages.shared.recording.frame_types import Recording
from pages.shared.training.limits import limit_run
from pages.shared.training.run_and_record import stop_check
from pages.shared.training.source import CorpusSource
from pages.unigram.frames.training_frames import record_unigram_training
from tokenizers.progress import ProgressCallback
from tokenizers.record.unigram_trace import UnigramTrace
from tokenizers.text.corpus import Pipeline
from tokenizers.unigram.settings import Settings


@dataclass(frozen=True, slots=True)
class UnigramRun:
    """A finished run's trace and recording, and notes on what was left out of the run."""

    trace: UnigramTrace
    recording: Recording
    notes: tuple[str, ...]


def train_unigram(
    report: ProgressCallback,
    source: CorpusSource,
    pipeline: Pipeline,
    settings: Settings,
    follow: str,
    pinned: tuple[str, ...] = (),
) -> UnigramRun:
    """Train on a text or a table of word counts, and record frames.

    Frames always show the word `follow` and the `pinned` pieces. Raises UserError if word counts
    are malformed or settings do not fit together.
    """
    requested = settings.seed_size
    corpus, settings, notes = limit_run(source, pipeline, settings, stop_check(report))
    trace = UnigramTrace.record(corpus, settings, report)
    most = settings.seed_size
    if most < requested and trace.steps and len(trace.seed.pieces) >= most:
        weighed = f"Only the first {count_of(most, 'candidate')} are used"
        notes = (*notes, f"{weighed}: with all of them a run would take too long here.")
    recording = record_unigram_training(trace, watched_word(trace, follow), pinned)
    return UnigramRun(trace, recording, notes)


def watched_word(trace: UnigramTrace, wanted: str) -> str:
    """Return `wanted` in the form that it has in the trace, or unchanged if it does not occur."""
    known = trace.word_counts if trace.steps else {}
    return next((form for form in (wanted, f"▁{wanted}", f" {wanted}") if form in known), wanted)
