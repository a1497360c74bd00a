"""Unigram runs, done in the worker pool."""

from pages.shared.training.source import Source
from pages.shared.work.results import key_of, result_of, tell
from pages.unigram import runs
from tokenizers.text.corpus import Pipeline
from tokenizers.unigram.settings import Settings


def unigram_run(
    source: Source, pipeline: Pipeline, settings: Settings, follow: str = ""
) -> tuple[str, runs.UnigramRun]:
    """Train a Unigram model, or find the run, and say what was left out.

    Return the key of the training, too. The page ends here while the run is not there yet, and
    where there are no words.
    """
    key = key_of(source, pipeline, settings)
    doing = "Training: scoring the pieces and pruning the least useful …"
    asked = source, pipeline, settings, follow
    result = result_of(key_of(key, follow), runs.train_unigram, doing, *asked)
    tell(result.notes, bool(result.trace.steps and result.trace.word_counts))
    return key, result
