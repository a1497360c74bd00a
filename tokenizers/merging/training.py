"""Training by merging: what BPE and WordPiece do alike, whichever pair either of them takes.

Which pairs may be merged, and which is the best, says a queue: of the most frequent pairs
(`queue.py`), or of those with the highest score (`wordpiece/scores.py`).
"""

from collections.abc import Generator, Mapping
from typing import Protocol

from tokenizers.errors import UserError
from tokenizers.merging.queue import MergeSettings
from tokenizers.merging.state import Merge, Pair, State

ForcedChoices = Mapping[int, Pair]
"""At the step of that number, from 1, the pair that is taken in place of the tie rule's."""
NO_FORCED_CHOICES: ForcedChoices = {}


class PairQueue(Protocol):
    """The pairs that may be merged, the best first: what is asked of a queue, see `FrequencyQueue`."""

    def best(self) -> Pair | None: ...
    def is_tied(self, pair: Pair) -> bool: ...
    def num_tied(self) -> int: ...
    def update(self, step: Merge) -> None: ...
    def why_empty(self) -> str: ...


def train_merges(
    state: State, queue: PairQueue, settings: MergeSettings, forced_choices: ForcedChoices
) -> Generator[Merge, None, str]:
    """Yield one `Merge` per training step, which changes `state`; return why there are no more."""
    num_merges = 0
    while not (limit := reached_limit(settings, num_merges, len(state.vocab))):
        # Which pair, and what merging it changes.
        step = next_merge(state, queue, forced_choices.get(num_merges + 1))
        if step is None:
            return queue.why_empty()
        state.apply(step)  # the only code that changes a state; replay uses it too
        queue.update(step)
        yield step  # the whole of the instrumentation
        num_merges += 1
    return limit


def next_merge(state: State, queue: PairQueue, forced: Pair | None) -> Merge | None:
    """Decide which pair is merged next, and what that changes; None when no pair is left.

    With a `forced`, that pair is taken in place of the one that the tie rule says. Raises
    ValueError, in a sentence, for a pair that does not tie.
    """
    pair = queue.best()
    if pair is None:
        return None
    if forced is not None and not queue.is_tied(forced):
        raise UserError(f"The pair {' + '.join(forced)} does not tie. Choose one that does.")
    return state.merge(forced or pair, num_tied=queue.num_tied())


def reached_limit(settings: MergeSettings, num_merges: int, vocab_size: int) -> str | None:
    """Return which limit a run has reached, in words; None while it may go on."""
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
