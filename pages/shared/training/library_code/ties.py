"""Whether another tie rule would have trained something else."""

from dataclasses import replace
from typing import Any

from pages.shared.drawing.display_text import show_spaces
from tokenizers.experiments.research.corpus_edit import first_difference
from tokenizers.merging.state import Pair
from tokenizers.record.trace import ALGORITHMS, Trace


def other_tie(trace: Trace[Any], ties: str, rule: str) -> str:
    """Say where the rule `ties` would merge another pair than this run did; "" if nowhere.

    `rule` names the pair that the rule takes.
    """
    settings = trace.settings
    if settings.ties == ties or max(trace.num_tied, default=1) == 1:
        return ""
    run = ALGORITHMS[type(settings)].train(trace.corpus, replace(settings, ties=ties))
    others: list[Pair] = []
    for step, pair in zip(run, trace.pairs, strict=False):
        others.append(step.pair)
        if step.pair != pair:
            break
    k = first_difference(others, trace.pairs[: len(others)])
    if k is None:
        return ""
    mine, theirs = (" + ".join(map(show_spaces, run[k - 1])) for run in (trace.pairs, others))
    return (
        f"Of the pairs that tie, this library merges {rule}. At step {k:,} that is “{theirs}”; "
        f"this run merged “{mine}”."
    )
