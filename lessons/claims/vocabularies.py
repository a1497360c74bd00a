"""Computations for claims about changed vocabularies: merge residues, and vectors of new tokens."""

import math
from collections.abc import Mapping, Sequence

from lessons.claims.values import Computed, Value, yes_or_no
from lessons.format.words import percent
from lessons.models import open_model
from lessons.texts import TEXTS
from tokenizers.experiments.research.residues import uses_after
from tokenizers.experiments.research.transplant import dot, weighted_sum
from tokenizers.experiments.research.vector_table import EXAMPLE, parse_vectors
from tokenizers.record.trace import Trace
from tokenizers.runtime.inspection.residues import TextResidues


def residue_shares(models: Mapping[str, str], corpus: str, merges: int) -> Computed:
    """Whether merges make tokens that are never left, in published vocabularies and a run of ours.

    `models` maps tokenizers to their names in the claim.
    """
    sample = TEXTS[corpus]
    values: dict[str, Value] = {}
    facts: dict[str, Value] = {"characters": len(sample.text or ""), "merges": merges}
    for name, label in models.items():
        found = TextResidues(open_model(name), sample.text or "")
        number = len(found.residues())
        values[f"with {label}"] = yes_or_no(number > 0)
        key = name.replace("-", "_")
        facts |= {f"{key}_made": percent(number / len(found.uses.made))}
        facts |= {f"{key}_all": percent(number / len(open_model(name).vocab))}
    trace = Trace.record(sample.corpus(), sample.bpe_settings(num_merges=merges))
    uses = uses_after(trace, len(trace))
    values["with our own"] = yes_or_no(bool(uses.residues()))
    return Computed(values, facts | {"own": percent(len(uses.residues()) / len(uses.made))})


def residues_removed(models: Mapping[str, str], corpus: str, share: float) -> Computed:
    """Whether few tokens are added to a text when its residues are removed: under a twentieth."""
    share, text = float(share), TEXTS[corpus].text or ""
    values: dict[str, Value] = {}
    facts: dict[str, Value] = {"limit": percent(share)}
    for name, label in models.items():
        found = TextResidues(open_model(name), text)
        residues = set(found.residues(share))
        changed = found.changed_by_removing(residues)
        more = sum(word.count * (len(word.after) - len(word.before)) for word in changed)
        values[f"little with {label}"] = yes_or_no(20 * more < found.num_tokens)
        facts[name.replace("-", "_")] = percent(more / found.num_tokens)
    return Computed(values, facts)


def transplanted() -> Computed:
    """Whether the rest is at a right angle to the chosen tokens, and falls to nothing."""
    given = parse_vectors(EXAMPLE)
    steps = given.steps
    right = all(dot(given.donor[t], s.residual) == 0 for s in steps for t in s.weights)
    values: dict[str, Value] = {
        "the rest is at a right angle": yes_or_no(right),
        "as many tokens as numbers leave nothing": yes_or_no(not any(steps[-1].residual)),
    }
    chosen = steps[-1].weights
    vector = weighted_sum(chosen, given.base)
    facts: dict[str, Value] = {"token": given.token, "chosen": ", ".join(chosen)}
    return Computed(values, facts | {"vector": ", ".join(str(number) for number in vector)})


def new_token_share(scores: Sequence[float]) -> Computed:
    """The probability that a model gives a new token with a vector of zeros, and with the mean.

    `scores` are the products of the old tokens' vectors with the model's state; the mean of all
    vectors has the mean of all scores.
    """
    old = [float(score) for score in scores]

    def share(score: float) -> float:
        return 1 / (1 + sum(math.exp(one - score) for one in old))

    zeros, mean = share(0), share(sum(old) / len(old))
    fair = 1 / (len(old) + 1)
    values: dict[str, Value] = {
        "zeros get nearly all": yes_or_no(zeros > 0.99),
        "the mean gets no more than its share": yes_or_no(mean <= fair),
    }
    facts: dict[str, Value] = {"zeros": percent(zeros), "mean": percent(mean)}
    facts |= {"fair": percent(fair), "scores": ", ".join(f"{one:g}" for one in old)}
    return Computed(values, {name: _signed(value) for name, value in facts.items()})


def _signed(value: Value) -> Value:
    return value.replace("-", "−") if isinstance(value, str) else value
