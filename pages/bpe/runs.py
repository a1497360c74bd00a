"""What a worker process does for the BPE pages: train or encode, and film it.

Nothing here knows of Streamlit, so that a worker starts quickly.
"""

from pages.bpe.encoding_frames import encoding_film
from pages.bpe.training_frames import PARTS, Frames, bpe_film
from pages.shared.recording.frame_types import Recording
from pages.shared.recording.side_by_side import SideLayout
from pages.shared.training.run_and_record import LONGEST_STEPPED, Run, record
from pages.shared.training.source import ProgressCallback, Source
from pages.shared.training.what_if import Change, TwoRuns, film_both, merge_twice
from tokenizers import bpe
from tokenizers.record.trace import Trace
from tokenizers.text.corpus import Pipeline

BESIDE = SideLayout(PARTS, (0, 1, 2))
"""What each of two runs beside each other shows."""


def train(
    report: ProgressCallback,
    source: Source,
    pipeline: Pipeline,
    settings: bpe.Settings,
    follow: str,
) -> Run:
    """Train and film, as `record` does; `follow` is a word to watch."""
    return record(report, source, pipeline, settings, follow, bpe_film)


def what_if(
    report: ProgressCallback,
    source: Source,
    pipeline: Pipeline,
    settings: bpe.Settings,
    change: Change,
) -> TwoRuns:
    """Train twice, as it is and with one thing changed, and film both beside each other."""
    return merge_twice(report, source, pipeline, settings, change, Frames, BESIDE)


def film_two(report: ProgressCallback, whole: Trace, changed: Trace, change: Change) -> Recording:
    """Film two runs beside each other that were trained already."""
    return film_both(report, whole, changed, change, Frames, BESIDE)


def encode_bpe(
    report: ProgressCallback, text: str, model: bpe.Model, dropout: bpe.Dropout | None
) -> Recording:
    """Film the encoding of the beginning of `text`."""
    return encoding_film(model.pipeline(text[:LONGEST_STEPPED]).words, model, dropout)
