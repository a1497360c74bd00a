"""What a worker process does for the Unigram pages: train, record, and make the film of it.

Left out: what the runs of all algorithms share (`runs.py`). A run is cut to sizes that keep a small
machine responsive, and its notes say so.
"""

from dataclasses import dataclass

from pages.shared.drawing.phrasing import count_of
from pages.shared.recording.frame_types import Recording
from pages.shared.training.limits import small_enough
from pages.shared.training.run_and_record import a_moment_after, heeding
from pages.shared.training.source import ProgressCallback, Source
from pages.unigram.frames.training_frames import unigram_film
from tokenizers.record.unigram_trace import UnigramTrace
from tokenizers.text.corpus import Pipeline
from tokenizers.unigram.settings import Settings

FILMING = 0.1  # the share of the time that the film takes


@dataclass(frozen=True, slots=True)
class UnigramRun:
    """A finished run: its record, its film, and what was left out, in sentences."""

    trace: UnigramTrace
    film: Recording
    notes: tuple[str, ...]


def train_unigram(
    report: ProgressCallback,
    source: Source,
    pipeline: Pipeline,
    settings: Settings,
    follow: str,
    pinned: tuple[str, ...] = (),
) -> UnigramRun:
    """Train on a text, or on words with their counts, and film it; `follow` is a word to watch.

    The tables of the film always show the pieces that are `pinned`.
    A run that is stopped is filmed for a moment, and ends with the last step that was filmed.
    Raises ValueError, in a sentence, for counts that are none and for settings that do not fit.
    """
    asked = settings.seed_size
    corpus, settings, notes = small_enough(source, pipeline, settings, heeding(report))

    def while_training(done: int, total: int) -> bool:
        return report(round(done * (1 - FILMING)), total)

    trace = UnigramTrace.record(corpus, settings, while_training)

    def while_filming(k: int) -> bool:
        share = 1 - FILMING + FILMING * k / max(len(trace), 1)
        return report(round(1000 * share), 1000)

    most = settings.seed_size
    if most < asked and trace.steps and len(trace.seed.pieces) >= most:
        weighed = f"Only the first {count_of(most, 'candidate')} are used"
        notes = (*notes, f"{weighed}: with all of them a run would take too long here.")
    film = unigram_film(trace, watched_word(trace, follow), a_moment_after(while_filming), pinned)
    return UnigramRun(trace.truncated(film.last), film, notes)


def watched_word(trace: UnigramTrace, wanted: str) -> str:
    """Return the word to watch as it stands among the words, or as it was written."""
    known = trace.word_counts if trace.steps else {}
    return next((form for form in (wanted, f"▁{wanted}", f" {wanted}") if form in known), wanted)
