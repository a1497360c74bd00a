"""Recording a run that merges, and filming it: what BPE and WordPiece do alike in a worker."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from pages.shared.recording.frame_types import Recording
from pages.shared.training.source import AnySettings, ProgressCallback, Source, bounded, find_word
from tokenizers.errors import UserError
from tokenizers.record.trace import STOPPED_BEFORE_START, Trace
from tokenizers.text.corpus import CancelCheck, Pipeline

LONGEST_STEPPED = 2_000
"""Characters of a text that is encoded step by step."""
MOMENT = 1.5
"""Seconds in which a run that was stopped is still filmed."""

Filming = Callable[[Trace, int | None, Callable[[int], bool]], Recording]
"""Makes the film of a trace, given the word to watch and what tells which step is the last."""


@dataclass(frozen=True, slots=True)
class Run:
    """A finished run: its record, its film, and what was left out, in sentences."""

    trace: Trace
    film: Recording
    notes: tuple[str, ...]


def record(
    report: ProgressCallback,
    source: Source,
    pipeline: Pipeline,
    settings: AnySettings,
    follow: str,
    filming: Filming,
) -> Run:
    """Train on a text, or on words with their counts, and film it; `follow` is a word to watch.

    A run that is stopped is filmed for a moment, and ends with the last merge that was filmed.
    Raises ValueError, in a sentence, for counts that are none.
    """
    trace, notes = trace_of(report, source, pipeline, settings)
    watched = find_word(trace.corpus, follow)
    enough = a_moment_after(lambda k: report(len(trace) + k, 2 * len(trace)))
    film = filming(trace, watched, enough)
    return Run(trace.truncated(film.last), film, notes)


def a_moment_after(stopped: Callable[[int], bool]) -> Callable[[int], bool]:
    """Return what tells that `stopped` has been true for a moment."""
    heard: list[float] = []

    def enough(k: int) -> bool:
        if stopped(k):
            heard.append(time.monotonic())
        return bool(heard) and heard[-1] - heard[0] >= MOMENT

    return enough


def trace_of(
    report: ProgressCallback, source: Source, pipeline: Pipeline, settings: AnySettings
) -> tuple[Trace, tuple[str, ...]]:
    """Train without a film; return the record, and what was left out, in sentences."""
    corpus, notes = bounded(source, pipeline, tick=heeding(report))
    total = 2 * (settings.num_merges or settings.vocab_size or len(corpus.word_counts))
    return Trace.record(corpus, settings, lambda done, _: report(done, total)), notes


def heeding(report: ProgressCallback) -> CancelCheck:
    """Return what ends a run that is stopped before it has begun: ValueError, in a sentence."""

    def tick() -> None:
        if report(0, 1):
            raise UserError(STOPPED_BEFORE_START)

    return tick
