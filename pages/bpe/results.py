"""Runs of the BPE pages, done in the worker pool."""

from pages.bpe import runs
from pages.shared.film.film import Film
from pages.shared.learning.source import Source
from pages.shared.work.results import Trained, encoded, key_of, trained
from tokenizers import bpe
from tokenizers.text.corpus import Pipeline


def run(source: Source, pipeline: Pipeline, settings: bpe.Settings, follow: str = "") -> Trained:
    """Train, or find the run trained before; the page ends here while it is not there yet."""
    return trained(runs.train, source, pipeline, settings, follow)


def bpe_encoding(text: str, model: bpe.Model, trained: str, dropout: bpe.Dropout | None) -> Film:
    """Return the film of encoding `text` by the model of the training named `trained`."""
    return encoded(key_of(trained, text, dropout), runs.encode_bpe, text, model, dropout)
