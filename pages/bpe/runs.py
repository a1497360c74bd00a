"""Jobs of the BPE pages that run in a worker process; they train or encode, and record frames.

This module does not import Streamlit, so that a worker starts quickly.
"""

from pages.bpe.encoding_frames import record_bpe_encoding
from pages.bpe.training_frames import record_bpe_training
from pages.shared.recording.frame_types import Recording
from pages.shared.training.run_and_record import LONGEST_STEPPED, TrainingRun, run_and_record
from pages.shared.training.source import CorpusSource
from tokenizers import bpe
from tokenizers.progress import ProgressCallback
from tokenizers.text.corpus import Pipeline


def train(
    report: ProgressCallback,
    source: CorpusSource,
    pipeline: Pipeline,
    settings: bpe.Settings,
    follow: str,
) -> TrainingRun:
    """Train and record frames; `follow` is a word that is shown in every frame."""
    return run_and_record(report, source, pipeline, settings, follow, record_bpe_training)


def encode_bpe(
    report: ProgressCallback, text: str, model: bpe.Model, dropout: bpe.Dropout | None
) -> Recording:
    """Record how the beginning of `text` is encoded; a long text is cut off."""
    return record_bpe_encoding(model.pipeline(text[:LONGEST_STEPPED]).words, model, dropout)
