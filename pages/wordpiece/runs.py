"""What a worker process does for the WordPiece pages."""

from dataclasses import dataclass

from pages.shared.drawing.phrasing import count_of
from pages.shared.recording.frame_types import Recording
from pages.shared.recording.side_by_side import SideLayout
from pages.shared.training.run_and_record import LONGEST_STEPPED, Run, heeding, record
from pages.shared.training.source import ProgressCallback, Source, bounded
from pages.shared.training.what_if import Change, TwoRuns, film_both, merge_twice
from pages.wordpiece.encoding_frames import matching_film
from pages.wordpiece.top_down_frames import top_down_film
from pages.wordpiece.training_frames import PARTS, Frames, wordpiece_film
from tokenizers import wordpiece
from tokenizers.record.trace import Trace
from tokenizers.text.corpus import Corpus, Pipeline
from tokenizers.wordpiece import top_down
from tokenizers.wordpiece.likelihood import train_by_likelihood

LONGEST_TOP_DOWN = 100_000  # characters: every part of every word is counted in every round
MOST_ROUNDS = 60  # of a search by halves over thresholds, four rounds each


@dataclass(frozen=True, slots=True)
class TopDown:
    """A finished run of the learner that goes from words to pieces, and what it learned from."""

    corpus: Corpus
    steps: tuple[top_down.ThresholdRound | top_down.ThresholdTrial, ...]
    vocab: tuple[str, ...]
    film: Recording
    notes: tuple[str, ...]


def train(
    report: ProgressCallback,
    source: Source,
    pipeline: Pipeline,
    settings: wordpiece.Settings,
    follow: str,
) -> Run:
    """Train and film, as `record` does; `follow` is a word to watch."""
    return record(report, source, pipeline, settings, follow, wordpiece_film)


def what_if(
    report: ProgressCallback,
    source: Source,
    pipeline: Pipeline,
    settings: wordpiece.Settings,
    change: Change,
) -> TwoRuns:
    """Train twice, as it is and with one thing changed, and film both beside each other."""
    shape = _beside(settings.mark)
    return merge_twice(report, source, pipeline, settings, change, Frames, shape)


def film_two(report: ProgressCallback, whole: Trace, changed: Trace, change: Change) -> Recording:
    """Film two runs beside each other that were trained already."""
    return film_both(report, whole, changed, change, Frames, _beside(whole.settings.mark))


def _beside(mark: str) -> SideLayout:
    return SideLayout(PARTS, (0, 1, 4), mark)


def by_likelihood(
    report: ProgressCallback, corpus: Corpus, settings: wordpiece.Settings
) -> list[tuple[str, int, str]]:
    """Return the merges that make a corpus most likely: the pair, its count, and the gain."""
    rows = []
    for step, gain in train_by_likelihood(corpus, settings):
        report(len(rows), settings.num_merges or 0)
        rows.append(("+".join(step.pair), step.count, f"{gain:.2f}"))
    return rows


def train_top_down(
    report: ProgressCallback, source: Source, pipeline: Pipeline, settings: top_down.TopDownSettings
) -> TopDown:
    """Run TensorFlow Text's learner on a text, or on words with their counts, and film it."""
    corpus, notes = bounded(source, pipeline, LONGEST_TOP_DOWN, tick=heeding(report))
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
    film = top_down_film(corpus, settings, steps, stopped)
    return TopDown(corpus, tuple(steps), tuple(vocab), film, notes)


def encode_wordpiece(report: ProgressCallback, text: str, model: wordpiece.Model) -> Recording:
    """Film the encoding of the beginning of `text`."""
    return matching_film(model.pipeline(text[:LONGEST_STEPPED]).words, model)
