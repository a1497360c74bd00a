"""Runs for the pages: done in the worker pool, named by their content, shared by all."""

import hashlib
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import streamlit as st

from pages.figures import journeys, lattices, pipeline, runs, unigram_comparison, unigram_runs
from pages.figures.contestants import Learned, learn
from pages.figures.film import Film
from pages.widgets import address, jobs
from tokenizers import top_down, unigram_settings, wordpiece
from tokenizers.bpe import Dropout, Model
from tokenizers.corpus import Pipeline
from tokenizers.lattice import Path
from tokenizers.trace import Trace
from tokenizers.unigram_steps import Prune

T = TypeVar("T")
SHORT_WHILE = 0.9  # seconds that a page waits for tokenizers to be trained, before it says so


@dataclass(frozen=True, slots=True)
class Shown:
    """A run that a page can show; `key` names the training, whatever word is followed."""

    key: str
    trace: Trace
    film: Film


def run(
    source: runs.Source,
    pipeline: Pipeline,
    settings: runs.AnySettings,
    follow: str = "",
    tells: bool = True,
) -> Shown:
    """Train, or find the run trained before; the page ends here while it is not there yet.

    With `tells`, it says what was left out.
    """
    key = key_of(source, pipeline, settings)
    job = jobs.run(key_of(key, follow), runs.train, source, pipeline, settings, follow)
    if not jobs.wait_for(job, "Training: counting pairs and merging the best …"):
        address.end_early()
    result: runs.Run = job.result
    _tell(result.notes if tells else (), bool(result.trace.words))
    return Shown(key, result.trace, result.film)


def top_down_run(
    source: runs.Source, pipeline: Pipeline, settings: top_down.Settings
) -> tuple[str, runs.TopDown]:
    """Run TensorFlow Text's learner, or find the run; return its key, too."""
    key = key_of(source, pipeline, settings)
    job = jobs.run(key, runs.train_top_down, source, pipeline, settings)
    if not jobs.wait_for(job, "Training: counting the parts of all words …"):
        address.end_early()
    result: runs.TopDown = job.result
    _tell(result.notes, bool(result.vocab))
    return key, result


def unigram_run(
    source: runs.Source,
    pipeline: Pipeline,
    settings: unigram_settings.Settings,
    follow: str = "",
    tells: bool = True,
) -> tuple[str, unigram_runs.UnigramRun]:
    """Train a Unigram model, or find the run; return the key of the training, too.

    The page ends here while the run is not there yet, and where there are no words. With `tells`,
    it says what was left out.
    """
    key = key_of(source, pipeline, settings)
    job = jobs.run(
        key_of(key, follow), unigram_runs.train_unigram, source, pipeline, settings, follow
    )
    if not jobs.wait_for(job, "Training: weighing the pieces and pruning the least …"):
        address.end_early()
    result: unigram_runs.UnigramRun = job.result
    has_words = bool(result.trace.steps and result.trace.word_counts)
    _tell(result.notes if tells else (), has_words)
    return key, result


def unigram_losses(
    trained: str, before: unigram_comparison.Before, settings: unigram_settings.Settings
) -> dict[str, Prune]:
    """Return what the pruning of this round of the run named `trained` does by every loss."""
    key = key_of(trained, "losses", before.prune.round)
    weigh = unigram_comparison.weigh_by_all
    return result_of(key, weigh, "Weighing every piece by every loss …", before, settings)


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
    return _encoding(key_of(trained, text, dropout), runs.encode_bpe, text, model, dropout)


def wordpiece_encoding(text: str, model: wordpiece.Model, trained: str) -> Film:
    """Return the film of encoding `text`; the vocabulary may have been changed since training."""
    return _encoding(key_of(trained, text, list(model.vocab)), runs.encode_wordpiece, text, model)


def learned(asked: Sequence[tuple[runs.Source, str, int]]) -> list[Learned]:
    """Train several tokenizers, each from a source, of a kind, to a size; or find them.

    They are trained at the same time; the page ends here while one is not there yet.
    """
    calls = [(key_of("learn", *one), learn, *one) for one in asked]
    return results_of(calls, "Training the tokenizers …", SHORT_WHILE)


def lattice_film(name: str, *asked: object) -> tuple[str, Film]:
    """Return the film of a lattice that the function `name` of pages/figures/lattices makes."""
    key = key_of(name, *asked)
    return key, result_of(key, getattr(lattices, name), "Drawing the lattice …", *asked)


def segmentations(cut: lattices.Cut) -> tuple[Path, ...]:
    """Return the first segmentations of a lattice, the best first."""
    key = key_of("segmentations", cut)
    return result_of(key, lattices.list_segmentations, "Listing the segmentations …", cut)


def journey(
    text: str,
    model: pipeline.Model,
    off: tuple[str, ...],
    first: int,
    names: Mapping[str, str],
) -> tuple[str, journeys.Laid]:
    """Return a text on its way through the stages, shown from its token `first` on, and its key."""
    key = key_of("journey", text, model, off, first, dict(names))
    follow = journeys.lay_out
    return key, result_of(key, follow, "Following the text …", text, model, off, first, dict(names))


def _encoding(key: str, function: Callable[..., Film], *arguments: object) -> Film:
    return result_of(key, function, "Encoding the text …", *arguments)


def result_of(key: str, function: Callable[..., T], doing: str, *arguments: object) -> T:
    """Return what a worker makes; the page ends here while it is not there yet."""
    job = jobs.run(key, function, *arguments)
    if not jobs.wait_for(job, doing):
        address.end_early()
    return job.result


def results_of(calls: Sequence[tuple[Any, ...]], doing: str, patience: float) -> list[Any]:
    """Return what workers make of several calls, begun at the same time: (key, function, *args).

    The page waits `patience` seconds for all of them together; after that it shows how far they
    are, and ends.
    """
    started = [jobs.run(*call) for call in calls]
    until = time.monotonic() + patience
    for job in started:
        if not jobs.wait_for(job, doing, max(until - time.monotonic(), 0.0)):
            address.end_early()
    return [job.result for job in started]


def key_of(*parts: object) -> str:
    """Return a name for a run that is asked for with these values."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(repr(part).encode("utf-8", "backslashreplace"))
        digest.update(b"\0")
    return digest.hexdigest()[:24]
