"""Compare the losses that a pruning can use, and find where two Unigram runs differ.

The training code recomputes a pruning's losses from the state that the trace recorded just before
it. This runs in a worker process, because exact losses take long.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from pages.unigram.frames.tables import e_steps
from tokenizers.progress import ProgressCallback
from tokenizers.record.unigram_trace import UnigramTrace
from tokenizers.unigram.losses import viterbi_counts
from tokenizers.unigram.pieces import TrainingModel, TrainingState
from tokenizers.unigram.pruning import prune
from tokenizers.unigram.settings import Settings
from tokenizers.unigram.steps import Expectation, Finalize, PieceTable, Prune, Seed

LOSSES = {
    "exact": "Exact (Q)",
    "viterbi": "Best segmentations",
    "expected_count": "Expected count",
    "best_alternative": "Best alternative",
}
MOST_WEIGHED = 10_000_000
"""Pieces times characters of all words; above it, remaining probabilities are not rescaled."""


class _Cancelled(Exception):
    """Raised to stop while a loss is being computed."""


@dataclass(frozen=True, slots=True, eq=False)
class PruningInput:
    """The state just before a pruning, from which each piece's loss can be recomputed."""

    seed: Seed
    expected: Expectation
    prune: Prune

    def run(self, settings: Settings) -> TrainingState:
        """Return the training state just before the pruning, in double precision."""
        run, step = TrainingState(self.seed, replace(settings, arithmetic="double")), self.prune
        run.previous_model = _model(self.expected.log_probs)
        run.model = _model(step.before)
        run.expected_counts = np.zeros(len(step.before.names))
        run.expected_counts[self.expected.expected_counts.ids] = self.expected.expected_counts.array
        run.lattices = run.lattices.filter_pieces(run.model.is_piece())
        return run


def _model(table: PieceTable) -> TrainingModel:
    log_probs = np.zeros(len(table.names))
    log_probs[table.ids] = table.array
    return TrainingModel(table.names, table.ids, log_probs)


def find_pruning(trace: UnigramTrace, k: int) -> PruningInput | None:
    """Return the input of the pruning nearest to step `k`; None if the run has none.

    It is the pruning at `k`, or the last one before it, or the first one after it.
    """
    prunings = [n for n, step in enumerate(trace.steps, start=1) if isinstance(step, Prune)]
    if not prunings:
        return None
    at = max([n for n in prunings if n <= k], default=prunings[0])
    prune = trace.steps[at - 1]
    assert isinstance(prune, Prune)
    return PruningInput(trace.seed, e_steps(trace, at)[-1], prune)


def prune_by_each_loss(
    report: ProgressCallback, before: PruningInput, settings: Settings
) -> dict[str, Prune]:
    """Prune by each of the `LOSSES`; return the results by loss, fewer if cancelled."""
    size = sum(map(len, before.seed.word_counts)) * before.prune.size_before
    settings = replace(settings, renormalise=settings.renormalise and size <= MOST_WEIGHED)
    found: dict[str, Prune] = {}

    def tick(share: float) -> None:
        if report(round(1000 * (len(found) + share)), 1000 * len(LOSSES)):
            raise _Cancelled

    for loss in LOSSES:
        try:
            run = before.run(replace(settings, loss=loss))
            found[loss] = prune(run, before.prune.round, tick)
        except _Cancelled:
            break
    return found


def corpus_value(before: PruningInput, settings: Settings) -> float:
    """Return Q, L or log P of the best paths, with all pieces, in nats; a loss is its decrease."""
    run = before.run(settings)
    lattices = run.lattices
    old, new = run.previous_model.weights(lattices), run.model.weights(lattices)
    if settings.loss == "exact":
        return float(lattices.counts[lattices.words] @ (lattices.shares(old) * new))
    if settings.loss == "likelihood":
        return float(lattices.counts @ lattices.forward(new)[lattices.last_nodes])
    return float(lattices.counts @ lattices.viterbi(new)[0][lattices.last_nodes])


@dataclass(frozen=True, slots=True)
class AlternativeTerms:
    """The terms from which a piece's loss by its best alternative is computed.

    In the best segmentations, the piece occurs `used` times and its parts as often as `parts` says,
    among `total` tokens. Without the piece, each of its uses takes `more` additional tokens. The
    loss is divided by `words`, the number of words or tokens.
    """

    used: float
    parts: tuple[float, ...]
    total: float
    more: int
    words: float

    @property
    def loss(self) -> float:
        """The loss, in nats."""
        log_total = math.log(self.total + self.used * self.more)
        apart = math.fsum(math.log(part + self.used) - log_total for part in self.parts)
        return self.used / self.words * (math.log(self.used) - math.log(self.total) - apart)


def alternative_terms(
    before: PruningInput, piece: str, settings: Settings
) -> AlternativeTerms | None:
    """Return the terms of a measured piece's loss; None if the piece is never used."""
    step, run = before.prune, before.run(settings)
    used, unknown = step.frequencies[piece], viterbi_counts(run.model, run.lattices)[1]
    if not used:
        return None
    is_apart, parts = settings.unknown == "apart", step.alternatives[piece]
    first = float(step.frequencies.array[0]) if len(step.frequencies) else 0.0
    of_unknown = unknown if is_apart else first
    total = float(step.frequencies.array.sum()) + (unknown if is_apart else 0.0)
    return AlternativeTerms(
        used,
        tuple([step.frequencies.get(part, of_unknown) for part in parts]),
        total,
        step.size_before if settings.slip else len(parts) - 1,
        total if settings.share_of == "tokens" else float(sum(before.seed.word_counts.values())),
    )


# --- Agreement of rankings ------------------------------------------------------------------------


def ranks(values: Sequence[float]) -> list[float]:
    """Return the rank of each value, 1 for the highest; tied values share their mean rank.

    >>> ranks([0.5, 2.0, 0.5])
    [2.5, 1.0, 2.5]
    """
    _, inverse, counts = np.unique(-np.array(values), return_inverse=True, return_counts=True)
    return (np.cumsum(counts) - (counts - 1) / 2)[inverse].tolist()


def spearman(some: Sequence[float], others: Sequence[float]) -> float | None:
    """Return Spearman's rank correlation, which is 1 for equal orders and -1 for reversed ones.

    It is None if there are fewer than two values, or if one side's values are all equal.

    >>> spearman([1, 2, 3], [10, 20, 40]), spearman([1, 2, 3], [3, 2, 1]), spearman([1], [1])
    (1.0, -1.0, None)
    """
    if len(some) < 2:
        return None
    a, b = (np.array(ranks(values)) - (len(values) + 1) / 2 for values in (some, others))
    spread = float(np.sqrt((a @ a) * (b @ b)))
    return round(float(a @ b) / spread, 12) if spread else None


def pieces_in_all(found: Mapping[str, Prune]) -> list[str]:
    """Return the pieces that every loss measures, in the order of the first loss's ranking."""
    if not found:
        return []
    first, *others = found.values()
    weighed = [set(step.losses) for step in others]
    return [piece for piece in first.order if all(piece in pieces for pieces in weighed)]


# --- Two runs -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RoundComparison:
    """The numbers of pieces of two runs after round `number`; `both` counts common pieces."""

    number: int
    here: int
    there: int
    both: int
    log_likelihoods: tuple[float | None, float | None]


def _vocabularies(trace: UnigramTrace) -> dict[int, frozenset[str]]:
    """Return the pieces after each round; round 0 is the seed."""
    ends = {step.round: step for step in trace.steps if not isinstance(step, Finalize)}
    return {round_: frozenset(step.log_probs) for round_, step in ends.items()}


def compare_rounds(here: UnigramTrace, there: UnigramTrace) -> list[RoundComparison]:
    """Return a comparison for every round that both runs have."""
    mine, theirs = _vocabularies(here), _vocabularies(there)
    values = [
        {step.round: step.log_likelihood for step in e_steps(trace)} for trace in (here, there)
    ]  # the last one of every round
    return [
        RoundComparison(
            number,
            len(mine[number]),
            len(theirs[number]),
            len(mine[number] & theirs[number]),
            (values[0].get(number), values[1].get(number)),
        )
        for number in mine
        if number in theirs
    ]


def first_difference(rounds: Sequence[RoundComparison]) -> RoundComparison | None:
    """Return the first round after which the two vocabularies differ."""
    return next((r for r in rounds if not r.here == r.there == r.both), None)
