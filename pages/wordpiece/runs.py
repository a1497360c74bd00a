"""Jobs of the WordPiece pages that run in a worker process."""

from dataclasses import dataclass

from pages.shared.drawing.phrasing import count_of
from pages.shared.recording.frame_types import Recording
from pages.shared.training.run_and_record import (
    LONGEST_STEPPED,
    TrainingRun,
    run_and_record,
    stop_check,
)
from pages.shared.training.source import CorpusSource, bounded_corpus
from pages.wordpiece.encoding_frames import record_wordpiece_encoding
from pages.wordpiece.top_down_frames import record_top_down
from pages.wordpiece.training_frames import record_wordpiece_training
from tokenizers import wordpiece
from tokenizers.progress import ProgressCallback
from tokenizers.text.corpus import Corpus, Pipeline
from tokenizers.wordpiece import top_down
from tokenizers.wordpiece.likelihood import train_by_likelihood

LONGEST_TOP_DOWN = 100_000  # characters, because every round counts every part of every word
MOST_ROUNDS = 60  # of a binary search over thresholds, four rounds each


@dataclass(frozen=True, slots=True)
class TopDownRun:
    """A finished run of TensorFlow Text's learner, which goes from words to pieces."""

    corpus: Corpus
    steps: tuple[top_down.ThresholdRound | top_down.ThresholdTrial, ...]
    vocab: tuple[str, ...]
    recording: Recording
    notes: tuple[str, ...]


def train(
    report: ProgressCallback,
    source: CorpusSource,
    pipeline: Pipeline,
    settings: wordpiece.Settings,
    follow: str,
) -> TrainingRun:
    """Train and record frames; `follow` is a word that is shown in every frame."""
    return run_and_record(report, source, pipeline, settings, follow, record_wordpiece_training)


def by_likelihood(
    report: ProgressCallback, corpus: Corpus, settings: wordpiece.Settings
) -> list[tuple[str, int, str]]:
    """Return (pair, count, gain) of each merge if merges maximize the corpus likelihood."""
    rows = []
    for step, gain in train_by_likelihood(corpus, settings):
        report(len(rows), settings.num_merges or 0)
        rows.append(("+".join(step.pair), step.count, f"{gain:.2f}"))
    return rows


def train_top_down(
    report: ProgressCallback,
    source: CorpusSource,
    pipeline: Pipeline,
    settings: top_down.TopDownSettings,
) -> TopDownRun:
    """Run TensorFlow Text's learner on a text or a table of word counts, and record its steps."""
    corpus, notes = bounded_corpus(
        source, pipeline, LONGEST_TOP_DOWN, check_cancelled=stop_check(report)
    )
    steps: list[top_down.ThresholdRound | top_down.ThresholdTrial] = []
    run = top_down.train(corpus, settings)
    while True:
        try:
            steps.append(next(run))
        except StopIteration as end:
            stopped = end.value
            break
        if report(len(steps), MOST_ROUNDS):
            stopped = f"you stopped it after {count_of(len(steps), 'step')}"
            break
    vocab = steps[-1].vocab if steps else {}
    recording = record_top_down(corpus, settings, steps, stopped)
    return TopDownRun(corpus, tuple(steps), tuple(vocab), recording, notes)


def encode_wordpiece(report: ProgressCallback, text: str, model: wordpiece.Model) -> Recording:
    """Record how the beginning of `text` is encoded; a long text is cut off."""
    return record_wordpiece_encoding(model.pipeline(text[:LONGEST_STEPPED]).words, model)
