"""Runs for the BPE pages: done in the worker pool, named by their content, shared by all."""

import hashlib
from dataclasses import dataclass

import streamlit as st

from pages.figures import runs
from pages.figures.film import Film
from pages.widgets import jobs
from tokenizers.bpe import Dropout, Model, Settings
from tokenizers.corpus import Pipeline
from tokenizers.trace import Trace


@dataclass(frozen=True, slots=True)
class Shown:
    """A run that a page can show; `key` names the training, whatever word is followed."""

    key: str
    trace: Trace
    film: Film


def bpe_run(source: runs.Source, pipeline: Pipeline, settings: Settings, follow: str = "") -> Shown:
    """Train, or find the run trained before; the page ends here while it is not there yet."""
    key = _key(source, pipeline, settings)
    job = jobs.run(_key(key, follow), runs.train_bpe, source, pipeline, settings, follow)
    if not jobs.wait_for(job, "Training: counting pairs and merging the best …"):
        st.stop()
    run: runs.Run = job.result
    for note in run.notes:
        st.info(note)
    if not run.trace.words:
        st.info(
            "There are no words to learn from yet. Write or paste a text, or choose another one."
        )
        st.stop()
    return Shown(key, run.trace, run.film)


def bpe_encoding(text: str, model: Model, trained: str, dropout: Dropout | None) -> Film:
    """Return the film of encoding `text` by the model of the training named `trained`."""
    job = jobs.run(_key(trained, text, dropout), runs.encode_bpe, text, model, dropout)
    if not jobs.wait_for(job, "Encoding the text …"):
        st.stop()
    return job.result


def _key(*parts: object) -> str:
    """Return a name for a run that is asked for with these values."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(repr(part).encode("utf-8", "backslashreplace"))
        digest.update(b"\0")
    return digest.hexdigest()[:24]
