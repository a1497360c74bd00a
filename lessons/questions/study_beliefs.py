"""Beliefs about what research asks: see `beliefs.py`."""

from collections.abc import Callable, Mapping
from typing import Any

from lessons.format.words import Text
from lessons.questions.asking import Asked
from lessons.records.best_merges import BestMergesRecord

Held = tuple[bool, Text]
"""Whether it holds, and why or why not."""


def _greedy_is_best(asked: Asked[BestMergesRecord]) -> Held:
    """BPE's merges leave the fewest tokens."""
    greedy, best = (asked.record.taken[name].tokens[-1] for name in ("greedy", "best"))
    if greedy == best:
        return True, (f"No order of merges leaves fewer than {best:,} tokens.",)
    return False, (f"They leave {greedy:,} tokens. The best order of merges leaves {best:,}.",)


STUDY_BELIEFS: Mapping[type, Mapping[str, Callable[[Any], Held]]] = {
    BestMergesRecord: {"greedy_is_best": _greedy_is_best},
}
"""By kind of record: its beliefs."""
