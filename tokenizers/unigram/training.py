"""Unigram training: fit the probabilities of too many pieces, remove the least useful, repeat.

`train` yields a `Seed`, then rounds of `Expectation` and `Maximization` steps with a `Prune` step
between them, then a `Finalize` step. Equations are numbered as in C. Meister, "UnigramLM: An
Attempt at Writing The Missing Manual"; the algorithm is Kudo's (2018). `settings.py` lists the
choices of each convention, `seeds.py` finds candidates, and `em.py`, `pruning.py` and `final.py`
compute the steps.
"""

from collections.abc import Generator, Iterable

import numpy as np

from tokenizers.text.corpus import Corpus
from tokenizers.unigram import seeds
from tokenizers.unigram.em import expect, maximize
from tokenizers.unigram.final import finalize
from tokenizers.unigram.losses import FractionCallback
from tokenizers.unigram.pieces import TrainingState
from tokenizers.unigram.pruning import prune
from tokenizers.unigram.sentencepiece_parity import arithmetic, text
from tokenizers.unigram.sentencepiece_parity.text import TrainingText
from tokenizers.unigram.settings import Settings
from tokenizers.unigram.steps import Names, PieceTable, Seed, Step

NOTHING_TO_REMOVE = "no remaining piece may be removed"
"""Why a run stops above its size; Hugging Face's trainer goes on without end there."""


def _ignore_progress(_: float) -> None:
    """Default progress callback: do nothing."""


def train(
    corpus: Corpus, settings: Settings, on_progress: FractionCallback = _ignore_progress
) -> Generator[Step, None, str]:
    """Yield the steps of a run; return a text that says why the run ended.

    `on_progress` is called now and then with a step's completed fraction; it may raise to cancel.
    """
    # 1. Initialization: a vocabulary that is too large, and first probabilities.
    training_text = load(corpus, settings)
    seed = start(training_text, settings, on_progress)
    yield seed
    if not len(seed.pieces):
        return "there are no words to train on"
    run = TrainingState(seed, settings)
    round_ = 0
    while True:
        round_ += 1
        # 2. EM, a few times: i. the expected counts, ii. the probabilities that fit them best.
        for sub_iteration in range(1, settings.sub_iterations + 1):
            on_progress(0.0)
            expectation = expect(run, round_, sub_iteration)
            yield expectation
            if settings.m_step != "none":
                yield maximize(run, expectation)
        if reason := _stop_reason(run, round_) if not settings.prune_last else "":
            break
        # 3. Pruning: remove the pieces whose loss is smallest.
        step = prune(run, round_, on_progress)
        yield step
        if not step.removed and not run.is_small_enough():
            reason = NOTHING_TO_REMOVE
            break
        if not step.size_after:
            reason = "no piece is left"
            break
        if reason := _stop_reason(run, round_ + 1) if settings.prune_last else "":
            break
    # 4. The end: the vocabulary in the order of its ids.
    final = finalize(run.model, seed, settings, round_)
    yield final
    return _size_reason(len(final.pieces), len(seed.pieces), settings, round_ > 1) or reason


def _stop_reason(run: TrainingState, round_: int) -> str:
    """Return why there is no pruning round `round_`; "" if there is one."""
    limit = run.settings.max_rounds
    if run.is_small_enough():
        return f"{len(run.model.ids):,} pieces are left"
    if limit is not None and round_ > limit:
        return f"all {limit:,} rounds are done"
    return ""


def _size_reason(size: int, candidates: int, settings: Settings, pruned: bool) -> str:
    """Return how the final size was or was not reached; "" if the run ended for another reason."""
    if size == settings.num_pieces:
        return f"the vocabulary has reached its {settings.vocab_size:,} pieces"
    if candidates < settings.num_pieces:
        besides = f" besides the {len(settings.reserved):,} reserved" if settings.reserved else ""
        are_few = f"the seed has only {candidates:,} candidates, fewer than the "
        end = "" if pruned or settings.prune_last else ", so none had to be pruned"
        return f"{are_few}{settings.num_pieces:,} pieces asked for{besides}{end}"
    if size < settings.num_pieces and (not pruned or settings.restore_characters):
        return f"only {size + len(settings.reserved):,} pieces were worth keeping"
    return ""


# --- 1. Initialization ----------------------------------------------------------------------------


def load(corpus: Corpus, settings: Settings) -> TrainingText:
    """Return the words to train on, and the lines in which seeds are sought."""
    if settings.seed in ("repeats_in_lines", "repeats_by_bytes"):
        return text.load(corpus, settings.character_coverage, settings.reserved)
    return text.from_words(corpus, settings.character_coverage)


def start(
    training_text: TrainingText,
    settings: Settings,
    on_progress: FractionCallback = _ignore_progress,
) -> Seed:
    """Return the candidates with their first log probabilities."""
    weights = seeds.find(training_text, settings, lambda: on_progress(0.0))
    counts = np.array(list(weights.values()), float)
    shares = np.ones(len(counts)) if settings.start == "uniform" else counts
    log_probs = np.log(shares) - np.log(shares.sum()) if len(counts) else shares
    if settings.arithmetic != "double" and len(counts):
        log_probs = arithmetic.start(shares, settings.arithmetic == "single_throughout")
    return seed_of(training_text, weights, log_probs, counts)


def seed_of(
    training_text: TrainingText, pieces: Iterable[str], log_probs: np.ndarray, counts: np.ndarray
) -> Seed:
    """Return a seed of these pieces with their log probabilities and counts."""
    names = Names(pieces)
    ids = np.arange(len(names))
    return Seed(
        PieceTable(names, ids, log_probs),
        PieceTable(names, ids, counts),
        training_text.word_counts,
        training_text.required,
        training_text.left_out,
    )
