"""Training by merging: the loop that BPE and WordPiece share.

A queue chooses the next pair: the most frequent one (`queue.py`), or the one with the highest
score (`wordpiece/scores.py`).
"""

from collections.abc import Generator, Mapping
from typing import Protocol

from tokenizers.errors import UserError
from tokenizers.merging.queue import MergeSettings
from tokenizers.merging.state import Merge, Pair, State

ForcedChoices = Mapping[int, Pair]
"""Maps step numbers, counted from 1, to pairs to merge instead of the tie rule's choice."""
NO_FORCED_CHOICES: ForcedChoices = {}


class PairQueue(Protocol):
    """The pairs that may be merged, the best first: see `FrequencyQueue`."""

    def best(self) -> Pair | None: ...
    def is_tied(self, pair: Pair) -> bool: ...
    def num_tied(self) -> int: ...
    def update(self, step: Merge) -> None: ...
    def why_empty(self) -> str: ...


def train_merges(
    state: State, queue: PairQueue, settings: MergeSettings, forced_choices: ForcedChoices
) -> Generator[Merge, None, str]:
    """Yield one `Merge` per training step, already applied to `state`; return why it stops."""
    num_merges = 0
    while not (limit := reached_limit(settings, num_merges, len(state.vocab))):
        step = next_merge(state, queue, forced_choices.get(num_merges + 1))
        if step is None:
            return queue.why_empty()
        state.apply(step)  # the only code that changes a state; replay uses it too
        queue.update(step)
        yield step  # all the instrumentation there is
        num_merges += 1
    return limit


def next_merge(state: State, queue: PairQueue, forced: Pair | None) -> Merge | None:
    """Choose the pair to merge next, and return the step; None when no pair is left.

    A `forced` pair overrides the tie rule. Raises UserError if it does not tie for best.
    """
    pair = queue.best()
    if pair is None:
        return None
    if forced is not None and not queue.is_tied(forced):
        raise UserError(f"The pair {' + '.join(forced)} does not tie. Choose one that does.")
    return state.merge(forced or pair, num_tied=queue.num_tied())


def reached_limit(settings: MergeSettings, num_merges: int, vocab_size: int) -> str | None:
    """Describe the limit that a run has reached, or return None if it has not reached any."""
    if num_merges == settings.num_merges:
        if num_merges == 1:
            return "the one merge you asked for is done"
        return f"all {num_merges:,} merges are done" if num_merges else "you asked for 0 merges"
    if settings.vocab_size is not None and vocab_size >= settings.vocab_size:
        if vocab_size == settings.vocab_size:
            return f"the vocabulary has reached {vocab_size:,} pieces"
        return (
            f"the vocabulary already has {vocab_size:,} pieces, "
            f"more than the {settings.vocab_size:,} you asked for"
        )
    return None
