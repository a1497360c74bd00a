"""What a worker process does for the Unigram pages: train, record, and make the film of it.

Left out: what the runs of all algorithms share (`runs.py`). A run is cut to sizes that keep a small
machine responsive, and its notes say so.
"""

import math
from dataclasses import dataclass, replace

import numpy as np

from pages.figures.film import Film
from pages.figures.phrases import count_of
from pages.figures.runs import Report, Source, bounded, heeding
from pages.figures.unigram_training import unigram_film
from tokenizers.corpus import Corpus, Pipeline, Tick, go_on
from tokenizers.unigram_settings import BY_SEGMENTING, Settings
from tokenizers.unigram_trace import UnigramTrace

LONGEST_TEXT = 300_000  # characters of a text, or of all different words of a table
LONGEST_WEIGHED = 10_000  # the same, where every word is segmented anew without each piece
LONGEST_WORD = 1_000  # characters of a word: its lattice has as many positions
MOST_CANDIDATES = 40_000  # first pieces
MOST_RECORDED = 1_000_000  # first pieces, times E steps
MOST_WEIGHED = 2_500_000  # first pieces, times characters of all words: about four seconds
MOST_ONE_BY_ONE = 150  # prunings of one piece each
FEWEST_TO_PRUNE = 50  # candidates beyond the size asked for
FEWER_BY = 20  # by what factor a vocabulary usually shrinks
FILMING = 0.1  # the share of the time that the film takes


@dataclass(frozen=True, slots=True)
class UnigramRun:
    """A finished run: its record, its film, and what was left out, in sentences."""

    trace: UnigramTrace
    film: Film
    notes: tuple[str, ...]


def train_unigram(
    report: Report, source: Source, pipeline: Pipeline, settings: Settings, follow: str
) -> UnigramRun:
    """Train on a text, or on words with their counts, and film it; `follow` is a word to watch.

    Raises ValueError, in a sentence, for counts that are none and for settings that do not fit.
    """
    asked = settings.seed_size
    corpus, settings, notes = small_enough(source, pipeline, settings, heeding(report))

    def while_training(done: int, total: int) -> bool:
        return report(round(done * (1 - FILMING)), total)

    trace = UnigramTrace.record(corpus, settings, while_training)

    def while_filming(k: int) -> None:
        share = 1 - FILMING + FILMING * k / max(len(trace), 1)
        report(round(1000 * share), 1000)

    most = settings.seed_size
    if most < asked and trace.steps and len(trace.seed.pieces) >= most:
        weighed = f"Only the first {count_of(most, 'candidate')} are weighed"
        notes = (*notes, f"{weighed}: with all of them a run would take too long here.")
    film = unigram_film(trace, watched_word(trace, follow), while_filming)
    return UnigramRun(trace, film, notes)


def small_enough(
    source: Source, pipeline: Pipeline, settings: Settings, tick: Tick = go_on
) -> tuple[Corpus, Settings, tuple[str, ...]]:
    """Return the corpus and the settings, cut to what is done in a moment, and what was cut."""
    longest = LONGEST_WEIGHED if _weighs_by_all_words(settings) else LONGEST_TEXT
    corpus, notes = bounded(source, pipeline, longest, LONGEST_WORD, tick)
    words = list(corpus.word_counts.items())
    lengths = np.cumsum([len(word) for word, _ in words])
    fit = int(np.searchsorted(lengths, longest, side="right"))
    if fit < len(words):
        notes = (*notes, f"The first {fit:,} of {len(words):,} different words are used.")
        corpus = Corpus(dict(words[:fit]), corpus.text, pipeline)
    most = most_candidates(settings, int(lengths[-1]) if len(lengths) else 0)
    return corpus, replace(settings, seed_size=min(settings.seed_size, most)), notes


def most_candidates(settings: Settings, size: int) -> int:
    """Return how many first pieces a run may have; `size` is how long all its words are together.

    Where each piece is weighed by segmenting the corpus without it, time grows with both; and all
    that is recorded grows with the number of pieces and of rounds.
    """
    most = min(MOST_CANDIDATES, MOST_RECORDED // (settings.sub_iterations * rounds(settings)))
    if _weighs_by_all_words(settings):
        most = min(most, MOST_WEIGHED // max(size, 1))
    if settings.schedule == "one":
        most = min(most, settings.desired + MOST_ONE_BY_ONE)
    return max(most, settings.desired + FEWEST_TO_PRUNE)


def _weighs_by_all_words(settings: Settings) -> bool:
    return settings.loss in BY_SEGMENTING and settings.renormalise


def rounds(settings: Settings) -> int:
    """Return about how many rounds a run will take."""
    if settings.schedule == "k_n":
        return settings.prunings + 1
    if settings.schedule == "one":
        return MOST_ONE_BY_ONE
    return math.ceil(math.log(FEWER_BY) / -math.log(settings.shrinking_factor))


def watched_word(trace: UnigramTrace, wanted: str) -> str:
    """Return the word to watch as it stands among the words, or as it was written."""
    known = trace.word_counts if trace.steps else {}
    return next((form for form in (wanted, f"▁{wanted}", f" {wanted}") if form in known), wanted)
