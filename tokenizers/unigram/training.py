"""Unigram training: fit the probabilities of too many pieces, remove the least useful, repeat.

`train` yields a `Seed`, then rounds of `Expectation` and `Maximization` steps with a `Prune` step
between them, then a `Finalize` step. Equations are numbered as in C. Meister, "UnigramLM: An
Attempt at Writing The Missing Manual"; the algorithm is that of Kudo (2018). What each convention
chooses stands in `settings.py`.

Left out: where candidates come from (`seeds.py`), sums over segmentations (`batch.py`), what a
piece is worth (`losses.py`), encoding (`encoding.py`).
"""

from collections.abc import Generator
from dataclasses import dataclass
from itertools import count

import numpy as np

from tokenizers.text.corpus import Corpus
from tokenizers.unigram import losses as unigram_losses
from tokenizers.unigram import seeds
from tokenizers.unigram.batch import Lattices
from tokenizers.unigram.final import finalize
from tokenizers.unigram.losses import Tick
from tokenizers.unigram.pieces import Model, Split
from tokenizers.unigram.sentencepiece import arithmetic, text
from tokenizers.unigram.sentencepiece.text import Loaded
from tokenizers.unigram.settings import CONVENTIONS, Settings, convention_settings
from tokenizers.unigram.steps import (
    KEPT,
    REMOVED,
    Expectation,
    Finalize,
    Labels,
    Maximization,
    Names,
    Prune,
    Seed,
    Splits,
    Step,
    Table,
)

__all__ = [
    "CONVENTIONS",
    "Expectation",
    "Finalize",
    "Maximization",
    "Prune",
    "Seed",
    "Settings",
    "Step",
    "convention_settings",
    "train",
]

RAREST = {"maximum_likelihood": 1e-30, "digamma": 0.01}
"""What a piece counts at least, so that none is ever impossible.

Plain EM drives many counts to zero, soon below what a float can hold. With so little they are as
good as gone, but a character that is needed once more pieces are pruned is still there.
"""


def _untold(_: float) -> None:
    """Ignore how far a step is."""


def train(corpus: Corpus, settings: Settings, tick: Tick = _untold) -> Generator[Step, None, str]:
    """Yield the steps of a run; return in words why it ended.

    `tick` is called now and then within a step with the share of it that is done; it may raise.
    """
    # 1. Initialization: a vocabulary that is too large, and first probabilities.
    loaded = load(corpus, settings)
    seed = start(loaded, settings, tick)
    yield seed
    if not len(seed.pieces):
        return "there are no words to train on"
    run = Run(seed, settings)
    for round_ in count(1):
        # 2. EM, a few times: i. the expected counts, ii. the probabilities that fit them best.
        for sub_iteration in range(1, settings.sub_iterations + 1):
            tick(0.0)
            expectation = run.expect(round_, sub_iteration)
            yield expectation
            if settings.m_step != "none":
                yield run.maximize(expectation)
        if reason := run.why_stop(round_) if not settings.prune_last else "":
            break
        # 3. Pruning: remove the pieces whose loss is smallest.
        step = run.prune(round_, tick)
        yield step
        if not step.removed and not run.is_small_enough():
            reason = "no remaining piece may be removed"
            break
        if not step.size_after:
            reason = "no piece is left"
            break
        if reason := run.why_stop(round_ + 1) if settings.prune_last else "":
            break
    final = finalize(run.model, seed, settings, round_)
    yield final
    return _reached(len(final.pieces), settings, round_ > 1) or reason


def _reached(size: int, settings: Settings, pruned: bool) -> str:
    """Say whether the vocabulary has the size asked for; nothing if the reason is another one."""
    if size == settings.num_pieces:
        return f"the vocabulary has reached its {settings.vocab_size:,} pieces"
    if size < settings.num_pieces and (not pruned or settings.restore_characters):
        return f"only {size + len(settings.reserved):,} pieces were worth keeping"
    return ""


# --- 1. Initialization ----------------------------------------------------------------------------


def load(corpus: Corpus, settings: Settings) -> Loaded:
    """Return the words to train on, and the text in which pieces are looked for."""
    if settings.seed in ("repeats_in_lines", "repeats_by_bytes"):
        return text.load(corpus, settings.character_coverage, settings.reserved)
    return text.from_words(corpus, settings.character_coverage)


def start(loaded: Loaded, settings: Settings, tick: Tick = _untold) -> Seed:
    """Return the candidates with their first log probabilities."""
    weights = seeds.find(loaded, settings, lambda: tick(0.0))
    names = Names(weights)
    ids = np.arange(len(names))
    counts = np.array(list(weights.values()), float)
    shares = np.ones(len(names)) if settings.start == "uniform" else counts
    log_probs = np.log(shares) - np.log(shares.sum()) if len(names) else shares
    if settings.arithmetic != "double" and len(names):
        log_probs = arithmetic.start(shares, settings.arithmetic == "single_throughout")
    return Seed(
        Table(names, ids, log_probs),
        Table(names, ids, counts),
        loaded.word_counts,
        loaded.required,
        loaded.left_out,
    )


class Run:
    """A run between two steps: the model, the one before it, and the lattices of all words.

    The lattices are looked for once; pieces that go are taken out of them.
    """

    def __init__(self, seed: Seed, settings: Settings) -> None:
        self.seed, self.settings = seed, settings
        names = seed.pieces.names
        self.model = self.before = Model(names, seed.pieces.ids, seed.pieces.array)
        words, counts = list(seed.word_counts), list(seed.word_counts.values())
        self.lattices = Lattices.build(words, counts, names)
        self.num_words = float(sum(counts))
        self.is_character = np.array([len(name) == 1 for name in names])
        self.expected = np.zeros(len(names))

    def table(self, values: np.ndarray) -> Table:
        """Return a table of the pieces that there are now; `values` has one for each name."""
        return Table(self.model.names, self.model.ids, values[self.model.ids])

    def is_small_enough(self) -> bool:
        """Tell whether nothing more needs to be pruned."""
        return self.size() <= self.settings.desired

    def size(self) -> int:
        """Return how many pieces there are to be pruned, as the schedule counts them."""
        return len(self.model.ids) + self.settings.counts_unknown

    def why_stop(self, round_: int) -> str:
        """Say why there is no round of pruning `round_`; nothing if there is one."""
        limit = self.settings.max_rounds
        if self.is_small_enough():
            return f"{len(self.model.ids):,} pieces are left"
        if limit is not None and round_ > limit:
            return f"all {limit:,} rounds are done"
        return ""

    # --- 2. EM ------------------------------------------------------------------------------------

    def expect(self, round_: int, sub_iteration: int) -> Expectation:
        """i. E step: run forward–backward over all words, and Viterbi beside it."""
        model, lattices, settings = self.model, self.lattices, self.settings
        weights = model.weights(lattices)
        values, path = unigram_losses.best_paths(lattices, weights)
        viterbi, unknown = unigram_losses.counts_of_paths(model, lattices, path)
        counts, sums = viterbi, lattices.sums(weights.astype(float))
        if settings.e_step == "sum":
            counts, unknown = self._expected_counts(weights)
        elif settings.unknown == "first_piece":
            counts = counts.copy()
            counts[model.ids[0]] += unknown
        self.before, self.expected = model, counts
        log_likelihood = float(lattices.counts @ sums.log_z)
        return Expectation(
            round_,
            sub_iteration,
            self.table(model.log_probs),
            self.table(counts),
            self.table(viterbi),
            log_likelihood=log_likelihood,
            q=float(lattices.counts @ sums.expected),
            entropy=float(lattices.counts @ sums.entropy),
            best_log_prob=float(lattices.counts @ values[lattices.last_nodes]),
            objective=-log_likelihood / self.num_words,
            num_tokens=round(lattices.counts[lattices.words[path]].sum()),
            num_tokens_of_words=len(path),
            unknown=unknown,
        )

    def _expected_counts(self, weights: np.ndarray) -> tuple[np.ndarray, float]:
        """Return how often each name is expected, and how often characters that are no piece."""
        model, lattices, settings = self.model, self.lattices, self.settings
        if settings.arithmetic == "double":
            times = lattices.shares(weights) * lattices.counts[lattices.words]
            sums = np.bincount(lattices.pieces + 1, times, minlength=len(model.names) + 1)
            unknown, counts = float(sums[0]), sums[1:]
            if settings.unknown == "first_piece":
                counts[model.ids[0]] += unknown
            return counts, unknown
        first = int(model.ids[0]) if settings.unknown == "first_piece" else None
        return arithmetic.expected_counts(lattices, weights, len(model.names), first)

    def maximize(self, step: Expectation) -> Maximization:
        """ii. M step: make the probabilities proportional to the expected counts (eq. 14).

        With `digamma` it is exp(digamma(count)): the counts of rare pieces are damped.
        """
        settings, ids = self.settings, self.model.ids
        expected = step.expected_counts.array
        counts = np.maximum(expected, RAREST[settings.m_step]).astype(expected.dtype)
        enough = expected >= settings.min_expected
        if not enough.any():
            enough[:] = True
        spared = self.is_character[ids] & ~enough & settings.keep_characters
        kept = enough | spared
        before = self.table(self.model.log_probs)
        dropped = Table(self.model.names, ids[~kept], expected[~kept])
        log = digamma if settings.m_step == "digamma" else np.log
        log_probs = self.model.log_probs.copy()
        if settings.arithmetic == "double":
            log_probs[ids[kept]] = log(counts[kept]) - log(counts[kept].sum())
        else:
            whole = log(np.asarray(arithmetic.total(counts[kept]))).astype(np.float32)
            log_probs[ids[kept]] = log(counts[kept]) - whole
        self._become(ids[kept], log_probs)
        after = self.table(log_probs)
        given = Table(self.model.names, ids[spared], counts[spared])
        return Maximization(step.round, step.sub_iteration, before, after, dropped, given)

    def _become(self, ids: np.ndarray, log_probs: np.ndarray) -> None:
        """Take these pieces, in this order, with these log probabilities."""
        fewer = len(ids) < len(self.model.ids)
        self.model = Model(self.model.names, ids, log_probs)
        if fewer:
            self.lattices = self.lattices.keep(self.model.is_there())

    # --- 3. Pruning -------------------------------------------------------------------------------

    def prune(self, round_: int, tick: Tick) -> Prune:
        """Remove the pieces whose loss is smallest, as many as the schedule says."""
        before = self.table(self.model.log_probs)
        weighed = self._weigh(tick)
        ranked = self._ranked(weighed)
        room = self._room(len(weighed.kept), len(ranked))
        kept, lost = ranked[:room], ranked[room:]
        if self.settings.schedule == "fraction":  # the libraries go on in this order
            ids = np.concatenate([weighed.kept, kept])
        else:
            ids = self.model.ids[np.isin(self.model.ids, np.concatenate([weighed.kept, kept]))]
        names = self.model.names
        gone = np.concatenate([weighed.removed, lost])
        self._become(ids, self._without(ids))
        return Prune(
            round_,
            before,
            self.table(self.model.log_probs),
            Table(names, weighed.split.ids, weighed.losses),
            Table(names, before.ids, weighed.frequencies[before.ids]),
            Splits(names, weighed.split.ids, weighed.split.parts, weighed.split.bounds),
            order=tuple([names[number] for number in ranked.tolist()]),
            removed=tuple([names[number] for number in gone.tolist()]),
            kept_because=_labels(names, weighed.kept, weighed.why_kept, kept, KEPT),
            removed_because=_labels(names, weighed.removed, weighed.why_removed, lost, REMOVED),
        )

    def _weigh(self, tick: Tick) -> "Weighed":
        if self.settings.loss == "best_alternative":
            return self._weigh_by_alternative()
        ids, settings = self.model.ids, self.settings
        spared = self.is_character[ids] & settings.keep_characters
        split = unigram_losses.best_splits(self.model, ids[~spared])
        frequencies = self.expected
        if settings.loss == "expected_count":
            # A log probability is negative: with the sign turned, frequent pieces are worth most.
            losses = -(self.expected * self.before.log_probs)[split.ids]
        else:
            losses = unigram_losses.removal_losses(
                self.model, self.before, self.lattices, split.ids, settings, tick
            )
        nothing = np.zeros(0, np.int64)
        why = np.zeros(spared.sum(), np.int64)
        return Weighed(ids[spared], why, nothing, nothing, split, losses, frequencies)

    def _weigh_by_alternative(self) -> "Weighed":
        """Tell the pieces that need not be weighed from those that must, and weigh these.

        A piece in no best segmentation goes, and so does one better split than whole. A piece that
        cannot be split stays. Hugging Face keeps all characters and pieces better split that are
        used. With a schedule of another kind nothing but the loss decides.
        """
        ids, settings = self.model.ids, self.settings
        counts, unknown = unigram_losses.viterbi_counts(self.model, self.lattices)
        if settings.unknown == "first_piece":
            counts[ids[0]] += unknown
        weigh_all = settings.schedule != "fraction"
        spared = self.is_character[ids] & (settings.keep_split | settings.keep_characters)
        used = ids[(counts[ids] > 0) | spared | weigh_all]
        split = unigram_losses.best_splits(self.model, used)
        alone = self.is_character[used]
        shadowed = (split.log_probs > self.model.log_probs[used]) & (not weigh_all)
        stays = alone | (shadowed & settings.keep_split)
        unused = ids[~np.isin(ids, used)]
        goes = np.concatenate([unused, used[shadowed & ~stays]])
        rest = split.of(~stays & ~shadowed)
        losses = self._alternative_losses(rest, counts, unknown)
        why_kept = np.where(alone, KEPT.index("no alternative"), KEPT.index("better split"))
        why_removed = (np.arange(len(goes)) >= len(unused)).astype(np.int64)
        return Weighed(used[stays], why_kept[stays], goes, why_removed, rest, losses, counts)

    def _alternative_losses(self, split: Split, counts: np.ndarray, unknown: float) -> np.ndarray:
        settings, ids = self.settings, self.model.ids
        is_apart = settings.unknown == "apart"
        total = counts.sum() + (unknown if is_apart else 0.0)
        counts = np.append(counts, unknown if is_apart else counts[ids[0]])
        words = total if settings.share_of == "tokens" else self.num_words
        if settings.arithmetic != "double":
            return arithmetic.alternative_losses(split, counts, total, words)
        # The published slip of Hugging Face's library: the number of all pieces for that of parts.
        more = np.full(len(split.ids), len(ids)) if settings.slip else split.sizes - 1
        return unigram_losses.alternative_losses(split, counts, total, more, words)

    def _ranked(self, weighed: "Weighed") -> np.ndarray:
        """Return the pieces that were weighed, the highest loss first."""
        ids, losses, ties = weighed.split.ids, weighed.losses, self.settings.ties
        if ties == "first":
            return ids[np.argsort(losses, kind="stable")[::-1]]
        if ties == "string":
            names = self.model.names
            spelled = sorted(range(len(ids)), key=lambda n: names[ids[n]])
            ids, losses = ids[spelled], losses[spelled]
        return ids[np.argsort(-losses, kind="stable")]

    def _room(self, num_kept: int, num_ranked: int) -> int:
        """Return how many of the ranked pieces may stay."""
        settings, size = self.settings, self.size()
        if settings.schedule == "fraction":
            target = max(settings.desired, int(settings.shrinking_factor * size))
            room = target - num_kept - settings.counts_unknown
            return room if room >= 0 else num_ranked  # too many kept: the libraries never stop
        if settings.schedule == "share":
            number = int(size * round(1 - settings.shrinking_factor, 12))
        elif settings.schedule == "k_n":  # eq. 16, rounded up
            number = -(-(len(self.seed.pieces) - settings.desired) // settings.prunings)
            number = min(number, max(0, size - settings.desired))
        else:
            number = min(1, max(0, size - settings.desired))
        return max(num_ranked - number, 0)

    def _without(self, ids: np.ndarray) -> np.ndarray:
        """Return the log probabilities once only these pieces are left."""
        log_probs = self.model.log_probs.copy()
        if self.settings.m_step == "none":  # the frequencies of the start, by their new sum
            log_probs[ids] = self.seed.pieces.array[ids]
        if len(ids) and (self.settings.m_step == "none" or self.settings.renormalise):
            log_probs[ids] -= np.log(np.exp(log_probs[ids]).sum())
        return log_probs


@dataclass(frozen=True, slots=True, eq=False)
class Weighed:
    """The pieces before pruning: those that stay and go in any case, and those that have a loss.

    `why_kept` and `why_removed` are places in `KEPT` and `REMOVED`; `losses` belong to the pieces
    of `split`, `frequencies` to all names.
    """

    kept: np.ndarray
    why_kept: np.ndarray
    removed: np.ndarray
    why_removed: np.ndarray
    split: Split
    losses: np.ndarray
    frequencies: np.ndarray


def _labels(
    names: Names, ids: np.ndarray, why: np.ndarray, by_rank: np.ndarray, labels: tuple[str, ...]
) -> Labels:
    ranked = np.full(len(by_rank), labels.index("rank"))
    codes = np.concatenate([why, ranked]).astype(np.uint8)
    return Labels(names, np.concatenate([ids, by_rank]), codes, labels)


def digamma(counts: np.ndarray) -> np.ndarray:
    """Return the digamma function, as near as both libraries come to it.

    >>> float(digamma(np.array(1.0)).round(6))
    -0.577216
    """
    x = np.asarray(counts, float).copy()
    result = np.zeros_like(x)
    for _ in range(7):  # digamma(x) = digamma(x + 1) - 1 / x, until the series below is exact
        small = x < 7
        result[small] -= 1 / x[small]
        x[small] += 1
    x -= 0.5
    inverse = 1 / (x * x)
    series = 1 / 24 - inverse * (7 / 960 - inverse * (31 / 8064 - inverse * 127 / 30720))
    return result + np.log(x) + inverse * series
