"""Runs of the WordPiece pages, done in the worker pool."""

from pages.shared.film.film import Film
from pages.shared.learning.source import Source
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


def top_down_run(
    source: Source, pipeline: Pipeline, settings: top_down.Settings
) -> tuple[str, runs.TopDown]:
    """Run TensorFlow Text's learner, or find the run; return its key, too."""
    key = key_of(source, pipeline, settings)
    doing = "Training: counting the parts of all words …"
    result = result_of(key, runs.train_top_down, doing, source, pipeline, settings)
    tell(result.notes, bool(result.vocab))
    return key, result


def wordpiece_encoding(text: str, model: wordpiece.Model, trained: str) -> Film:
    """Return the film of encoding `text`; the vocabulary may have been changed since training."""
    return encoded(key_of(trained, text, list(model.vocab)), runs.encode_wordpiece, text, model)
