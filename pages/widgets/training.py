"""Runs for the pages: done in the worker pool, named by their content, shared by all."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from pages.figures import runs
from pages.figures.film import Film
from pages.widgets import address, jobs
from tokenizers import top_down, wordpiece
from tokenizers.bpe import Dropout, Model
from tokenizers.corpus import Pipeline
from tokenizers.trace import Trace


@dataclass(frozen=True, slots=True)
class Shown:
    """A run that a page can show; `key` names the training, whatever word is followed."""

    key: str
    trace: Trace
    film: Film


def run(
    source: runs.Source, pipeline: Pipeline, settings: runs.AnySettings, follow: str = ""
) -> Shown:
    """Train, or find the run trained before; the page ends here while it is not there yet."""
    key = _key(source, pipeline, settings)
    job = jobs.run(_key(key, follow), runs.train, source, pipeline, settings, follow)
    if not jobs.wait_for(job, "Training: counting pairs and merging the best …"):
        address.end_early()
    result: runs.Run = job.result
    _tell(result.notes, bool(result.trace.words))
    return Shown(key, result.trace, result.film)


def top_down_run(
    source: runs.Source, pipeline: Pipeline, settings: top_down.Settings
) -> tuple[str, runs.TopDown]:
    """Run TensorFlow Text's learner, or find the run; return its key, too."""
    key = _key(source, pipeline, settings)
    job = jobs.run(key, runs.train_top_down, source, pipeline, settings)
    if not jobs.wait_for(job, "Training: counting the parts of all words …"):
        address.end_early()
    result: runs.TopDown = job.result
    _tell(result.notes, bool(result.vocab))
    return key, result


def _tell(notes: tuple[str, ...], has_words: bool) -> None:
    """Say what was left out; end the page where there is nothing to learn from."""
    for note in notes:
        st.info(note)
    if not has_words:
        st.info(
            "There are no words to learn from yet. Write or paste a text, or choose another one."
        )
        address.end_early()


def bpe_encoding(text: str, model: Model, trained: str, dropout: Dropout | None) -> Film:
    """Return the film of encoding `text` by the model of the training named `trained`."""
    return _encoding(_key(trained, text, dropout), runs.encode_bpe, text, model, dropout)


def wordpiece_encoding(text: str, model: wordpiece.Model, trained: str) -> Film:
    """Return the film of encoding `text`; the vocabulary may have been changed since training."""
    return _encoding(_key(trained, text, list(model.vocab)), runs.encode_wordpiece, text, model)


def _encoding(key: str, function: Callable[..., Film], *arguments: object) -> Film:
    job = jobs.run(key, function, *arguments)
    if not jobs.wait_for(job, "Encoding the text …"):
        address.end_early()
    return job.result


def _key(*parts: object) -> str:
    """Return a name for a run that is asked for with these values."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(repr(part).encode("utf-8", "backslashreplace"))
        digest.update(b"\0")
    return digest.hexdigest()[:24]
