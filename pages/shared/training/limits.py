"""The limits on a Unigram run, and notes on what was left out because of them."""

import math
from dataclasses import replace

import numpy as np

from pages.shared.training.source import CorpusSource, bounded_corpus
from tokenizers.progress import CancelCheck, never_cancel
from tokenizers.text.corpus import Corpus, Pipeline
from tokenizers.unigram.settings import BY_SEGMENTING, Settings

LONGEST_TEXT = 300_000  # characters of a text, or of all different words of a table
LONGEST_SEGMENTED = 10_000  # lower, for losses that segment all words again without each piece
LONGEST_WORD = 1_000  # characters of a word: its lattice has as many positions
MOST_CANDIDATES = 40_000  # first pieces
MOST_RECORDED = 1_000_000  # first pieces, times E steps
MOST_WEIGHED = 2_500_000  # first pieces, times characters of all words: about one second
MOST_ONE_BY_ONE = 150  # prunings of one piece each
FEWEST_TO_PRUNE = 50  # candidates beyond the requested size
FEWER_BY = 20  # by what factor a vocabulary usually shrinks


def limit_run(
    source: CorpusSource,
    pipeline: Pipeline,
    settings: Settings,
    check_cancelled: CancelCheck = never_cancel,
) -> tuple[Corpus, Settings, tuple[str, ...]]:
    """Return the corpus and the settings, reduced to the limits, and notes on the reductions."""
    longest = LONGEST_SEGMENTED if _weighs_by_all_words(settings) else LONGEST_TEXT
    corpus, notes = bounded_corpus(source, pipeline, longest, LONGEST_WORD, check_cancelled)
    words = list(corpus.word_counts.items())
    lengths = np.cumsum([len(word) for word, _ in words])
    fit = int(np.searchsorted(lengths, longest, side="right"))
    if fit < len(words):
        notes = (*notes, f"Only the first {fit:,} of {len(words):,} distinct words are used.")
        corpus = Corpus(dict(words[:fit]), corpus.text, pipeline)
    most = most_candidates(settings, int(lengths[-1]) if len(lengths) else 0)
    return corpus, replace(settings, seed_size=min(settings.seed_size, most)), notes


def most_candidates(settings: Settings, size: int) -> int:
    """Return the maximum number of seeds for a run whose words have `size` characters in total.

    If a piece's loss is computed by segmenting the corpus without it, time grows with seeds times
    `size`. The size of the trace grows with the number of pieces times the number of rounds.
    """
    most = min(
        MOST_CANDIDATES, MOST_RECORDED // (settings.sub_iterations * estimate_rounds(settings))
    )
    if _weighs_by_all_words(settings):
        most = min(most, MOST_WEIGHED // max(size, 1))
    if settings.schedule == "one":
        most = min(most, settings.desired + MOST_ONE_BY_ONE)
    return max(most, settings.desired + FEWEST_TO_PRUNE)


def _weighs_by_all_words(settings: Settings) -> bool:
    return settings.loss in BY_SEGMENTING and settings.renormalise


def estimate_rounds(settings: Settings) -> int:
    """Estimate the number of rounds of a run."""
    if settings.schedule == "k_n":
        return settings.prunings + 1
    if settings.schedule == "one":
        return MOST_ONE_BY_ONE
    return math.ceil(math.log(FEWER_BY) / -math.log(settings.shrinking_factor))
