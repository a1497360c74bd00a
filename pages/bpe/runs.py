"""Work of the BPE pages that runs in a worker process: train or encode, and record frames.

Does not import Streamlit, so that a worker starts quickly.
"""

from pages.bpe.encoding_frames import record_bpe_encoding
from pages.bpe.training_frames import PARTS, BpeFrames, record_bpe_training
from pages.shared.recording.frame_types import Recording
from pages.shared.recording.side_by_side import SideLayout
from pages.shared.training.run_and_record import LONGEST_STEPPED, TrainingRun, run_and_record
from pages.shared.training.source import CorpusSource
from pages.shared.training.what_if import Change, TwoMergeRuns, merge_twice, record_both
from tokenizers import bpe
from tokenizers.progress import ProgressCallback
from tokenizers.record.trace import Trace
from tokenizers.text.corpus import Pipeline

SIDE_BY_SIDE = SideLayout(PARTS, (0, 1, 2))
"""What each of two runs side by side shows."""


def train(
    report: ProgressCallback,
    source: CorpusSource,
    pipeline: Pipeline,
    settings: bpe.Settings,
    follow: str,
) -> TrainingRun:
    """Train and record frames, as `record` does; `follow` is a word to watch."""
    return run_and_record(report, source, pipeline, settings, follow, record_bpe_training)


def what_if(
    report: ProgressCallback,
    source: CorpusSource,
    pipeline: Pipeline,
    settings: bpe.Settings,
    change: Change,
) -> TwoMergeRuns:
    """Train as it is and with one change, and record both runs side by side."""
    return merge_twice(report, source, pipeline, settings, change, BpeFrames, SIDE_BY_SIDE)


def record_two_bpe_runs(
    report: ProgressCallback, whole: Trace, changed: Trace, change: Change
) -> Recording:
    """Record two finished runs side by side."""
    return record_both(report, whole, changed, change, BpeFrames, SIDE_BY_SIDE)


def encode_bpe(
    report: ProgressCallback, text: str, model: bpe.Model, dropout: bpe.Dropout | None
) -> Recording:
    """Record the encoding of the beginning of `text`."""
    return record_bpe_encoding(model.pipeline(text[:LONGEST_STEPPED]).words, model, dropout)
