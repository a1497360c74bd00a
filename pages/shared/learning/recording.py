"""Recording a run that merges, and filming it: what BPE and WordPiece do alike in a worker."""

from collections.abc import Callable
from dataclasses import dataclass

from pages.shared.film.film import Film
from pages.shared.learning.source import AnySettings, Report, Source, bounded, find_word
from tokenizers.record.trace import STOPPED_AT_ONCE, Trace
from tokenizers.text.corpus import Pipeline, Tick

LONGEST_STEPPED = 2_000
"""Characters of a text that is encoded step by step."""

Filming = Callable[[Trace, int | None, Callable[[int], object]], Film]
"""Makes the film of a trace; is given the word to watch, and tells how far it is."""


@dataclass(frozen=True, slots=True)
class Run:
    """A finished run: its record, its film, and what was left out, in sentences."""

    trace: Trace
    film: Film
    notes: tuple[str, ...]


def record(
    report: Report,
    source: Source,
    pipeline: Pipeline,
    settings: AnySettings,
    follow: str,
    filming: Filming,
) -> Run:
    """Train on a text, or on words with their counts, and film it; `follow` is a word to watch.

    Raises ValueError, in a sentence, for counts that are none.
    """
    trace, notes = trace_of(report, source, pipeline, settings)
    watched = find_word(trace.corpus, follow)

    def tell(k: int) -> None:
        report(len(trace) + k, 2 * len(trace))

    return Run(trace, filming(trace, watched, tell), notes)


def trace_of(
    report: Report, source: Source, pipeline: Pipeline, settings: AnySettings
) -> tuple[Trace, tuple[str, ...]]:
    """Train without a film; return the record, and what was left out, in sentences."""
    corpus, notes = bounded(source, pipeline, tick=heeding(report))
    total = 2 * (settings.num_merges or settings.vocab_size or len(corpus.word_counts))
    return Trace.record(corpus, settings, lambda done, _: report(done, total)), notes


def heeding(report: Report) -> Tick:
    """Return what ends a run that is stopped before it has begun: ValueError, in a sentence."""

    def tick() -> None:
        if report(0, 1):
            raise ValueError(STOPPED_AT_ONCE)

    return tick
