"""Beliefs about what research asks: see `beliefs.py`."""

from collections.abc import Callable, Mapping
from typing import Any

from lessons.format.words import Text, count_of, percent
from lessons.questions.asking import Asked
from lessons.records.best_merges import BestMergesRecord
from lessons.records.efficiency import EfficiencyRecord

Held = tuple[bool, Text]
"""Whether it holds, and why or why not."""


def _greedy_is_best(asked: Asked[BestMergesRecord]) -> Held:
    """BPE's merges leave the fewest tokens."""
    greedy, best = (asked.record.taken[name].tokens[-1] for name in ("greedy", "best"))
    if greedy == best:
        return True, (f"No order of merges leaves fewer than {best:,} tokens.",)
    return False, (f"They leave {greedy:,} tokens. The best order of merges leaves {best:,}.",)


def _even_is_short(asked: Asked[EfficiencyRecord]) -> Held:
    """The row with the highest efficiency has the fewest tokens."""
    rows = asked.record.rows.values()
    even, short = max(rows, key=lambda row: row.efficiency), min(rows, key=lambda row: row.tokens)
    if even.tokens == short.tokens:
        return True, (f"{even.title} has {count_of(even.tokens, 'token')}. No row has fewer.",)
    said = f"{even.title}: {percent(even.efficiency)}, and {count_of(even.tokens, 'token')}. "
    return False, (f"{said}{short.title} has only {short.tokens:,}.",)


STUDY_BELIEFS: Mapping[type, Mapping[str, Callable[[Any], Held]]] = {
    BestMergesRecord: {"greedy_is_best": _greedy_is_best},
    EfficiencyRecord: {"even_is_short": _even_is_short},
}
"""By kind of record: its beliefs."""
