"""Results for pages; the worker pool computes them and caches them by content key for everybody."""

import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, cast

import streamlit as st

from pages.shared.controls import url_state
from pages.shared.controls.markdown import escape_markdown
from pages.shared.limits import UPLOAD_CPU_SECONDS
from pages.shared.recording.frame_types import Recording
from pages.shared.training.published import PublishedTokenizer
from pages.shared.training.run_and_record import TrainingRun
from pages.shared.training.source import NO_WORDS, AnySettings, CorpusSource
from pages.shared.training.tokenizer_kinds import TrainedTokenizer, find_pretrained, train_kind
from pages.shared.work import jobs
from pages.shared.work.pool import TOO_LONG
from tokenizers.errors import UserError, user_message
from tokenizers.progress import ProgressCallback
from tokenizers.record.trace import Trace
from tokenizers.text.corpus import Pipeline

T = TypeVar("T")
WAITING_FOR_TOKENIZER = "Asking your tokenizer …"
FILE_SECONDS = 120  # that a download waits for its file
GRACE_SECONDS = 1.4  # seconds that a page waits for training before it shows progress


@dataclass(frozen=True, slots=True)
class RecordedTraining:
    """A recorded training run; `key` identifies it regardless of the word that is followed."""

    key: str
    trace: Trace
    recording: Recording


def find_or_train(
    train: Callable[..., TrainingRun],
    source: CorpusSource,
    pipeline: Pipeline,
    settings: AnySettings,
    follow: str = "",
) -> RecordedTraining:
    """Return a merge run, from the cache or a worker, and show its notes.

    The page shows nothing more until the run is done.
    """
    key = key_of(source, pipeline, settings)
    doing = "Training: counting pairs and merging the best …"
    request = key_of(key, follow), train, source, pipeline, settings, follow
    (result,) = results_of([request], doing, GRACE_SECONDS)  # most runs end before a page polls
    show_notes(result.notes, bool(result.trace.words))
    return RecordedTraining(key, result.trace, result.recording)


def show_notes(notes: tuple[str, ...], has_words: bool) -> None:
    """Show notes on what was left out; end the page if there is nothing to train on."""
    for note in notes:
        st.info(note)
    if not has_words:
        st.info(NO_WORDS)
        url_state.end_early()


def trained_tokenizers(requests: Sequence[tuple[CorpusSource, str, int]]) -> list[TrainedTokenizer]:
    """Return a pretrained, cached or newly trained tokenizer for each request (source, kind, size).

    Missing ones are trained at the same time; the page shows nothing more until all are done.
    """
    ready = [find_pretrained(*one) for one in requests]
    missing = [one for one, found in zip(requests, ready, strict=True) if found is None]
    calls = [(key_of("learn", *one), train_kind, *one) for one in missing]
    waiting = iter(results_of(calls, "Training the tokenizers …", GRACE_SECONDS))
    return [found or next(waiting) for found in ready]


def encoding_recording(
    key: str, function: Callable[..., Recording], *arguments: object
) -> Recording:
    """Return the recording of an encoding, made by a worker."""
    return result_of(key, function, "Encoding the text …", *arguments)


def result_of(key: str, function: Callable[..., T], label: str, *arguments: object) -> T:
    """Return a worker's result; if it isn't there yet, show `label` and end the page run."""
    job = jobs.run(key, function, *arguments)
    if not jobs.wait_for(job, label):
        url_state.end_early()
    return job.result


def results_of(calls: Sequence[tuple[Any, ...]], label: str, grace_seconds: float) -> list[Any]:
    """Return the results of several calls (key, function, *args), started at the same time.

    The page waits `grace_seconds` for all calls together, then shows their progress and ends.
    """
    started = [jobs.run(*call) for call in calls]
    deadline = time.monotonic() + grace_seconds
    for job in started:
        if not jobs.wait_for(job, label, max(deadline - time.monotonic(), 0.0)):
            url_state.end_early()
    return [job.result for job in started]


def file_of(key: str, function: Callable[..., T], *arguments: object) -> T:
    """Return a file that a worker makes while it is being downloaded.

    No page can show progress then. Raises UserError if it takes too long or the worker dies.
    """
    job = jobs.run(key, function, *arguments)
    job.wait(FILE_SECONDS)
    if job.result is None:
        raise UserError(job.problem or TOO_LONG)
    return job.result


def call(model: PublishedTokenizer, function: Callable[..., T], *arguments: object) -> T:
    """Return `function(model, *arguments)`, which is plain data; UserErrors are passed on.

    A bundled tokenizer is used in this process, an uploaded one only in a worker: the page run ends
    if the result isn't there yet, or if the worker dies.
    """
    if not model.info:
        return function(model, *arguments)
    key = key_of("answer", model, function, *arguments)
    if jobs.is_page():
        made, problem = result_of(
            key, _call_in_worker, WAITING_FOR_TOKENIZER, function, model, *arguments
        )
    else:  # a download is being made: no page can show progress
        job = jobs.run(key, _call_in_worker, function, model, *arguments)
        job.wait(UPLOAD_CPU_SECONDS)
        made, problem = job.result or (None, job.problem or TOO_LONG)
    if problem:
        raise UserError(problem)
    return cast("T", made)


def call_or_end_page(
    model: PublishedTokenizer, function: Callable[..., T], *arguments: object
) -> T:
    """Return the result of `call`; if it raises UserError, show the message and end the page."""
    try:
        return call(model, function, *arguments)
    except ValueError as error:
        st.error(escape_markdown(user_message(error)))
        url_state.end_early()


def _call_in_worker(
    report: ProgressCallback,
    function: Callable[..., T],
    model: PublishedTokenizer,
    *arguments: object,
) -> tuple[T | None, str]:
    """Return a function's result and "", or None and the message of its UserError."""
    report(0, 1)
    try:
        return function(model, *arguments), ""
    except UserError as error:
        return None, user_message(error)


def key_of(*parts: object) -> str:
    """Return a content key, which is the same whenever these values are the same."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(repr(part).encode("utf-8", "backslashreplace"))
        digest.update(b"\0")
    return digest.hexdigest()[:24]
