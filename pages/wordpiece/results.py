"""Runs of the WordPiece pages, done in the worker pool."""

from pages.shared.controls import address
from pages.shared.film.film import Film
from pages.shared.learning.source import Source
from pages.shared.learning.what_if import DOING, Change, TwoRuns
from pages.shared.work import jobs
from pages.shared.work.results import Trained, encoded, key_of, result_of, tell, trained
from pages.wordpiece import runs
from tokenizers import wordpiece
from tokenizers.text.corpus import Pipeline
from tokenizers.wordpiece import top_down


def run(
    source: Source, pipeline: Pipeline, settings: wordpiece.Settings, follow: str = ""
) -> Trained:
    """Train, or find the run trained before; the page ends here while it is not there yet."""
    return trained(runs.train, source, pipeline, settings, follow)


def what_if(
    source: Source, pipeline: Pipeline, settings: wordpiece.Settings, change: Change
) -> tuple[str, TwoRuns]:
    """Train as it is and with one thing changed, or find both; return a key of their own, too."""
    key = key_of("what if", source, pipeline, settings, change)
    return key, result_of(key, runs.what_if, DOING, source, pipeline, settings, change)


def top_down_run(
    source: Source, pipeline: Pipeline, settings: top_down.Settings
) -> tuple[str, runs.TopDown]:
    """Run TensorFlow Text's learner, or find the run; return its key, too."""
    key = key_of(source, pipeline, settings)
    job = jobs.run(key, runs.train_top_down, source, pipeline, settings)
    if not jobs.wait_for(job, "Training: counting the parts of all words …"):
        address.end_early()
    result: runs.TopDown = job.result
    tell(result.notes, bool(result.vocab))
    return key, result


def wordpiece_encoding(text: str, model: wordpiece.Model, trained: str) -> Film:
    """Return the film of encoding `text`; the vocabulary may have been changed since training."""
    return encoded(key_of(trained, text, list(model.vocab)), runs.encode_wordpiece, text, model)
