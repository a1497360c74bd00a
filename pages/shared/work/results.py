"""Runs for the pages: done in the worker pool, named by their content, shared by all."""

import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, cast

import streamlit as st

from pages.shared.controls import url_state
from pages.shared.controls.markdown import escape_markdown
from pages.shared.limits import SECONDS_OF_A_FILE
from pages.shared.recording.frame_types import Recording
from pages.shared.training.published import Published
from pages.shared.training.run_and_record import Run
from pages.shared.training.source import NO_WORDS, AnySettings, ProgressCallback, Source
from pages.shared.training.tokenizer_kinds import Learned, ahead, learn
from pages.shared.training.what_if import DOING
from pages.shared.work import jobs
from pages.shared.work.pool import TOO_LONG
from tokenizers.errors import UserError, user_message
from tokenizers.record.trace import Trace
from tokenizers.text.corpus import Pipeline

T = TypeVar("T")
ASKING = "Asking your tokenizer …"
SHORT_WHILE = 0.9  # seconds that a page waits for tokenizers to be trained, before it says so


@dataclass(frozen=True, slots=True)
class Trained:
    """A run that a page can show; `key` names the training, whatever word is followed."""

    key: str
    trace: Trace
    film: Recording


def trained(
    train: Callable[..., Run],
    source: Source,
    pipeline: Pipeline,
    settings: AnySettings,
    follow: str = "",
) -> Trained:
    """Train by merging, or find the run trained before, and say what was left out.

    The page ends here while the run is not there yet.
    """
    key = key_of(source, pipeline, settings)
    doing = "Training: counting pairs and merging the best …"
    result = result_of(key_of(key, follow), train, doing, source, pipeline, settings, follow)
    tell(result.notes, bool(result.trace.words))
    return Trained(key, result.trace, result.film)


def tell(notes: tuple[str, ...], has_words: bool) -> None:
    """Say what was left out; end the page where there is nothing to learn from."""
    for note in notes:
        st.info(note)
    if not has_words:
        st.info(NO_WORDS)
        url_state.end_early()


def learned(asked: Sequence[tuple[Source, str, int]]) -> list[Learned]:
    """Train several tokenizers, each from a source, of a kind, to a size; or find them.

    They are trained at the same time; the page ends here while one is not there yet. What was
    trained ahead is there at once.
    """
    ready = [ahead(*one) for one in asked]
    missing = [one for one, found in zip(asked, ready, strict=True) if found is None]
    calls = [(key_of("learn", *one), learn, *one) for one in missing]
    waiting = iter(results_of(calls, "Training the tokenizers …", SHORT_WHILE))
    return [found or next(waiting) for found in ready]


def twice(train: Callable[..., T], *asked: object) -> tuple[str, T]:
    """Train as it is and with one thing changed, or find both; return a key of their own, too.

    What is `asked` is what `train` is given: the source, how it is prepared, and the change.
    """
    key = key_of("what if", *asked)
    return key, result_of(key, train, DOING, *asked)


def encoded(key: str, function: Callable[..., Recording], *arguments: object) -> Recording:
    """Return the film of an encoding, made by a worker."""
    return result_of(key, function, "Encoding the text …", *arguments)


def result_of(key: str, function: Callable[..., T], doing: str, *arguments: object) -> T:
    """Return what a worker makes; the page ends here while it is not there yet."""
    job = jobs.run(key, function, *arguments)
    if not jobs.wait_for(job, doing):
        url_state.end_early()
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
            url_state.end_early()
    return [job.result for job in started]


def answer(model: Published, function: Callable[..., T], *arguments: object) -> T:
    """Return `function(model, *arguments)`, which is plain data. Raises ValueError as that does.

    Of a published model it is made here, where that is open. A visitor's own tokenizer is used by a
    worker alone; the page ends here while its answer is not there yet, and if it breaks off.
    """
    if not model.opened:
        return function(model, *arguments)
    key = key_of("answer", model, function, *arguments)
    if jobs.is_page():
        made, refused = result_of(key, _made, ASKING, function, model, *arguments)
    else:  # what makes a file when it is downloaded: no page is there to say anything
        job = jobs.run(key, _made, function, model, *arguments)
        job.wait(SECONDS_OF_A_FILE)
        made, refused = job.result or (None, job.problem or TOO_LONG)
    if refused:
        raise UserError(refused)
    return cast("T", made)


def ask(model: Published, function: Callable[..., T], *arguments: object) -> T:
    """Return what `answer` does; the page ends here with a sentence where that refuses."""
    try:
        return answer(model, function, *arguments)
    except ValueError as error:
        st.error(escape_markdown(user_message(error)))
        url_state.end_early()


def _made(
    report: ProgressCallback, function: Callable[..., T], model: Published, *arguments: object
) -> tuple[T | None, str]:
    """Return what a function makes, or the sentence in which it refuses."""
    report(0, 1)
    try:
        return function(model, *arguments), ""
    except UserError as refused:
        return None, user_message(refused)


def key_of(*parts: object) -> str:
    """Return a name for a run that is asked for with these values."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(repr(part).encode("utf-8", "backslashreplace"))
        digest.update(b"\0")
    return digest.hexdigest()[:24]
