"""Unigram runs, computed in the worker pool."""

from pages.shared.training.source import CorpusSource
from pages.shared.work.results import GRACE_SECONDS, key_of, results_of, show_notes
from pages.unigram import runs
from tokenizers.text.corpus import Pipeline
from tokenizers.unigram.settings import Settings


def unigram_run(
    source: CorpusSource, pipeline: Pipeline, settings: Settings, follow: str = ""
) -> tuple[str, runs.UnigramRun]:
    """Return a training run's key and the run, cached or new, and show its notes.

    This call stops the page's script while the run is unfinished, and if there are no words.
    """
    key = key_of(source, pipeline, settings)
    doing = "Training: scoring the pieces and pruning the least useful …"
    params = source, pipeline, settings, follow
    request = key_of(key, follow), runs.train_unigram, *params
    (result,) = results_of([request], doing, GRACE_SECONDS)
    show_notes(result.notes, bool(result.trace.steps and result.trace.word_counts))
    return key, result
