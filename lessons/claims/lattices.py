"""Computations for the claims about Unigram, from a lattice or a recorded run.

A vocabulary is named by its id in `lessons.texts`. Losses that check the lecture slides are in base
10, as on the slides; everything else is in nats.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import pairwise, permutations
from typing import Any

import numpy as np

from lessons.claims.values import Computed, Value, format_value, list_splits, list_values, yes_or_no
from lessons.format.words import percent
from lessons.texts import TEXTS, VOCABULARIES
from tokenizers import bpe
from tokenizers.lattice import TIE_EPS, Lattice, best_by_length, best_path, by_length
from tokenizers.lattice.n_best import segmentations
from tokenizers.merging.state import Pair
from tokenizers.record.unigram_trace import UnigramTrace
from tokenizers.text.symbols import Split
from tokenizers.unigram.em import digamma
from tokenizers.unigram.settings import convention_settings
from tokenizers.unigram.steps import Expectation, Maximization, Prune
from tokenizers.wordpiece.matching import longest_matches

MOST_DENOMINATOR = 10_000
"""Probabilities are simple fractions, recovered from floats with at most this denominator."""


def _lattice(vocabulary: str, text: str = "", without: Sequence[str] = ()) -> Lattice:
    known = VOCABULARIES[vocabulary]
    logs = {piece: math.log(p) for piece, p in known.pieces.items() if piece not in without}
    return Lattice.build(text or known.text, logs)


def ways_to_cut(vocabulary: str, listed: Sequence[str], without: Sequence[str] = ()) -> Computed:
    """How many segmentations a word has, and whether the `listed` ones are among them.

    The pieces in `without` are first removed from the vocabulary.
    """
    lattice = _lattice(vocabulary, without=without)
    found = [lattice.pieces(path) for path in segmentations(lattice)]
    values: dict[str, Value] = {"segmentations": len(found)}
    for cut in listed:
        values[f"{cut} is one"] = yes_or_no(tuple(cut.split()) in found)
    others = [cut for cut in found if " ".join(cut) not in listed]
    return Computed(values, {"others": list_splits(others), "all": list_splits(found)})


def merge_orders(vocabulary: str, likely: str) -> Computed:
    """How BPE splits a word, for every order of the merges that make the vocabulary's pieces.

    A piece of more than two letters is merged from the first two other pieces that spell it.
    """
    known = VOCABULARIES[vocabulary]
    outcomes: Counter[Split] = Counter()
    for order in permutations(_rules(known.pieces)):
        made = {piece for piece in known.pieces if len(piece) == 1}
        if all(_makes(pair, made) for pair in order):
            ranks = {pair: rank for rank, pair in enumerate(order)}
            steps = list(bpe.merge_steps(known.text, ranks))
            outcomes[bpe.split_after(known.text, steps)] += 1
    values: dict[str, Value] = {
        "ways, over all merge orders": len(outcomes),
        f"{likely} is one of them": yes_or_no(tuple(likely.split()) in outcomes),
    }
    values["by the longest match"] = longest_matches(known.text, known.pieces, "") or ()
    outcome_list = ", ".join(f"{format_value(cut)} by {n}" for cut, n in outcomes.most_common())
    return Computed(values, {"orders": outcomes.total(), "outcomes": outcome_list})


def _rules(pieces: Mapping[str, float]) -> list[Pair]:
    """Return a merge for each piece that two others spell, namely the first such pair."""
    rules = []
    for piece in pieces:
        cuts = [(piece[:n], piece[n:]) for n in range(1, len(piece))]
        rules += [pair for pair in cuts if pair[0] in pieces and pair[1] in pieces][:1]
    return rules


def _makes(pair: Pair, made: set[str]) -> bool:
    """Add a merge's piece to `made`; return whether both of its parts were there before."""
    was_there = made.issuperset(pair)
    made.add("".join(pair))
    return was_there


def path_probabilities(vocabulary: str, text: str, paths: Sequence[str]) -> Computed:
    """The segmentations' probabilities, the best one, and the sum of all pieces' probabilities."""
    lattice = _lattice(vocabulary, text)
    shares = {
        piece: Fraction(share).limit_denominator(MOST_DENOMINATOR)
        for piece, share in VOCABULARIES[vocabulary].pieces.items()
    }
    values: dict[str, Value] = {}
    for path in paths:
        values[path] = math.prod((shares[piece] for piece in path.split()), start=Fraction(1))
        values[f"product printed for {path}"] = values[path]
    best = best_path(lattice) or ()
    values["best"] = lattice.pieces(best)
    total = sum(shares.values(), Fraction(0))
    values["sum of all pieces"] = total
    values["sum once each is divided by it"] = sum(
        (p / total for p in shares.values()), Fraction(0)
    )
    logs = {lattice.pieces(path): lattice.log_prob(path) for path in segmentations(lattice)}
    tied = [cut for cut, log in logs.items() if abs(log - lattice.log_prob(best)) < TIE_EPS]
    addends = " + ".join(map(str, shares.values()))
    facts: dict[str, Value] = {"ways": list_splits(list(logs)), "tied": list_splits(tied)}
    return Computed(values, facts | {"addends": addends})


def length_prior(vocabulary: str) -> Computed:
    """The best segmentation with and without a prior on the number of pieces."""
    lattice, prior = _lattice(vocabulary), VOCABULARIES[vocabulary].prior
    by_count = by_length(lattice)
    most = max(cut.log_best for cut in by_count)
    tied = [cut for cut in by_count if most - cut.log_best < TIE_EPS]
    best = best_by_length(by_count, prior)
    values = {"tied without it": len(tied), "pieces with it": best.length if best else 0}
    return Computed(values, {"tied": list_splits([lattice.pieces(cut.best) for cut in tied])})


# --- The lecture slides ---------------------------------------------------------------------------


@cache
def _slides(corpus: str, renormalise: bool = False) -> UnigramTrace:
    settings = convention_settings("slides", 1, renormalise=renormalise)
    return UnigramTrace.record(TEXTS[corpus].corpus(), settings)


def seed_frequencies(corpus: str) -> Computed:
    """The number of occurrences of each substring of the words, and their total."""
    counts = {piece: round(count) for piece, count in _slides(corpus).seed.counts.items()}
    return Computed({**counts, "total": sum(counts.values())})


def corpus_loss(corpus: str, round_: int, digits: int) -> Computed:
    """The loss of the best segmentations in a round, in base 10 and in nats.

    The loss is also computed from probabilities rounded to `digits` decimals.
    """
    trace = _slides(corpus)
    step = next(s for s in trace.steps if isinstance(s, Expectation) and s.round == round_)
    loss = -step.best_log_prob
    logs = step.log_probs.dict()
    rounded = {piece: math.log(round(math.exp(log), digits)) for piece, log in logs.items()}
    by_rounded = 0.0
    for word, count in trace.word_counts.items():
        lattice = Lattice.build(word, rounded)
        by_rounded -= count * lattice.log_prob(best_path(lattice) or ())
    values: dict[str, Value] = {
        "loss": loss / math.log(10),
        "sum of frequencies": round(sum(trace.seed.counts[piece] for piece in logs)),
    }
    return Computed(values, {"nats": loss, "rounded": by_rounded / math.log(10)})


def removal_losses(corpus: str, round_: int) -> Computed:
    """The corpus loss in base 10 after removing each piece, and by how much it grows.

    Other probabilities are kept, as on the slides; the fact `renormalised` rescales them instead.
    """
    values: dict[str, Value] = {}
    for piece, (loss, growth) in _removed(corpus, round_, renormalise=False).items():
        values[piece], values[f"growth {piece}"] = loss, growth
    fair = _removed(corpus, round_, renormalise=True) if round_ == 1 else {}
    losses = list_values({piece: loss for piece, (loss, _) in fair.items()})
    return Computed(values, {"renormalised": losses})


def _removed(corpus: str, round_: int, renormalise: bool) -> dict[str, tuple[float, float]]:
    steps = [s for s in _slides(corpus, renormalise).steps if getattr(s, "round", 0) == round_]
    (before,) = (-s.best_log_prob for s in steps if isinstance(s, Expectation))
    (prune,) = (s for s in steps if isinstance(s, Prune))
    base = math.log(10)
    return {piece: ((before + fall) / base, fall / base) for piece, fall in prune.losses.items()}


# --- Losses ---------------------------------------------------------------------------------------


def _losses(corpus: str, loss: str) -> dict[str, float]:
    """Return the loss of each piece at the first pruning, after one E and one M step."""
    more = {"seed": "strict_substrings", "loss": loss, "schedule": "one"}
    settings = convention_settings("textbook", 1, **more, sub_iterations=1, max_rounds=1)
    steps = UnigramTrace.record(TEXTS[corpus].corpus(), settings).steps
    return next({p: float(x) for p, x in s.losses.items()} for s in steps if isinstance(s, Prune))


def removals(corpus: str) -> Computed:
    """How many pieces lower Q or the log-likelihood L if removed, and how both rank the pieces."""
    by_q, by_likelihood = _losses(corpus, "exact"), _losses(corpus, "likelihood")
    order = sorted(by_q, key=by_q.__getitem__)
    values: dict[str, Value] = {
        "removals that lower Q": sum(loss > 0 for loss in by_q.values()),
        "removals that lower L": sum(loss > 0 for loss in by_likelihood.values()),
    }
    pairs = [(a, b) for a in order for b in order if by_q[a] < by_q[b] - TIE_EPS]
    is_reversed = all(by_likelihood[a] > by_likelihood[b] - TIE_EPS for a, b in pairs)
    facts: dict[str, Value] = {"q": list_values(by_q), "l": list_values(by_likelihood)}
    return Computed(values, facts | {"reversed": "exactly" if is_reversed else "not exactly"})


def pruned_evenly(corpus: str, seeds: int, size: int, rounds: int) -> Computed:
    """How many pieces each round removes if even prunings reach `size` pieces in `rounds`."""
    more = {"sub_iterations": 1, "loss": "best_alternative"}
    settings = convention_settings("textbook", size, **more, prunings=rounds, seed_size=seeds)
    trace = UnigramTrace.record(TEXTS[corpus].corpus(), settings)
    removed = [len(step.removed) for step in trace.steps if isinstance(step, Prune)]
    values: dict[str, Value] = {
        "pieces at first": len(trace.seed.pieces),
        "rounds": len(removed),
        "fewest that go in a round": min(removed),
        "most that go in a round": max(removed),
        "pieces left": len(trace.steps[-1].log_probs),
    }
    return Computed(values)


def own_weights(corpus: str) -> Computed:
    """The piece with the smallest ĉ · log P, and the piece with its smallest absolute value."""
    weights = _losses(corpus, "expected_count")  # with the opposite sign, ĉ · -log P
    smallest = max(weights, key=weights.__getitem__)
    lightest = min(weights, key=weights.__getitem__)
    values: dict[str, Value] = {"the smallest weighs least": yes_or_no(smallest == lightest)}
    signed = {piece: -weight for piece, weight in weights.items()}
    facts = {"signed": list_values(signed), "smallest": smallest, "lightest": lightest}
    return Computed(values, facts)


def damped(counts: Sequence[Any]) -> Computed:
    """The smallest count's share before and after the digamma step, and what the counts keep."""
    given = np.array([float(count) for count in counts])
    after = np.exp(digamma(given) - digamma(given.sum()))
    before = float(given.min() / given.sum())
    kept = np.exp(digamma(given)) / given
    rarest, most = given.argmin(), given.argmax()
    values: dict[str, Value] = {
        "large counts lose the larger part": yes_or_no(bool(kept[most] < kept[rarest])),
        "the rarest gains": yes_or_no(after.min() > before),
    }
    facts: dict[str, Value] = {"before": before, "after": float(after.min())}
    facts |= {"kept": percent(float(kept[rarest])), "kept_largest": percent(float(kept[most]))}
    facts |= {"rarest": f"{given[rarest]:g}", "largest": f"{given[most]:g}"}
    return Computed(values, facts | {"counts": ", ".join(map(str, counts))})


# --- EM -------------------------------------------------------------------------------------------

ROUNDS = 12


@cache
def _em(corpus: str) -> UnigramTrace:
    """Return a run of EM without pruning."""
    settings = convention_settings(
        "textbook", 10_000, sub_iterations=ROUNDS, seed="strict_substrings"
    )
    return UnigramTrace.record(TEXTS[corpus].corpus(), settings)


def em_identity(corpus: str) -> Computed:
    """The maximum difference between the log-likelihood L and Q + H, and how often L falls."""
    steps = [step for step in _em(corpus).steps if isinstance(step, Expectation)]
    falls = sum(b.log_likelihood < a.log_likelihood - TIE_EPS for a, b in pairwise(steps))
    first = steps[0]
    values: dict[str, Value] = {
        "difference at the current probabilities": max(
            abs(s.log_likelihood - s.q - s.entropy) for s in steps
        ),
        "rounds in which Q is higher": sum(s.q > s.log_likelihood + TIE_EPS for s in steps),
        "rounds in which it falls": falls,
    }
    facts: dict[str, Value] = {
        "log_likelihood": first.log_likelihood,
        "q": first.q,
        "entropy": first.entropy,
        "rounds": len(steps),
        "last": steps[-1].log_likelihood,
    }
    return Computed(values, facts)


def em_roles(corpus: str) -> Computed:
    """Which EM step weighs the segmentations of words, and which sets the probabilities."""
    names = {Expectation: "E step", Maximization: "M step"}
    steps = [step for step in _em(corpus).steps if type(step) in names]
    segments = {names[type(s)] for s in steps if isinstance(s, Expectation) and s.num_tokens}
    changes = {
        names[type(after)]
        for before, after in pairwise(steps)
        if dict(before.log_probs) != dict(after.log_probs)
    }
    weighs, sets = (", ".join(sorted(found)) for found in (segments, changes))
    return Computed({"weighs the segmentations": weighs, "sets the probabilities": sets})
