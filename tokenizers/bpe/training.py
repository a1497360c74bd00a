"""Byte-pair encoding: train by merging the most frequent pair, encode by replaying the merges.

Training (`train`) yields one `Merge` per step; encoding is in `encoding.py`. The names:

* a *pair* is two neighbouring symbols, its *rank* the number of its merge, counted from 0;
* the *tie rule* says which pair is taken when several are the most frequent (`merging/queue.py`).

Left out: pre-tokenization (`pre_tokenizers.py`), base symbols (`symbols.py`), file formats.
"""

from collections.abc import Generator, Mapping, Sequence

from tokenizers.bpe.encoding import Model
from tokenizers.bpe.settings import Settings
from tokenizers.merging import queue as merging_queue
from tokenizers.merging.queue import (
    NO_BRANCHES,
    NO_PAIR_LEFT,
    Branches,
    next_merge,
    reached,
    tie_key,
    too_rare,
)
from tokenizers.merging.state import Merge, Pair, State
from tokenizers.text.corpus import Corpus, Pipeline, Tick, go_on
from tokenizers.text.symbols import alphabet


def start(corpus: Corpus, settings: Settings, tick: Tick = go_on) -> State:
    """Return the state before the first merge: every word in base symbols."""
    splits = [settings.symbols(word) for word in corpus.word_counts]
    first_id = 0 if settings.unk is None else 1
    vocab = {s: first_id + n for n, s in enumerate(alphabet(splits, settings.base))}
    return State(splits, list(corpus.word_counts.values()), vocab, tick=tick)


def train(
    corpus: Corpus, settings: Settings, state: State | None = None, branches: Branches = NO_BRANCHES
) -> Generator[Merge, None, str]:
    """Yield one `Merge` per training step; return why there are no more.

    To look on, give a `state` fresh from `start`: every step changes it. With `branches`, some ties
    are decided otherwise; ValueError for one that is none.
    """
    if state is None:
        state = start(corpus, settings)
    queue = Queue(state, settings)
    num_merges = 0
    while not (limit := reached(settings, num_merges, len(state.vocab))):
        # Which pair, and what merging it changes.
        step = next_merge(state, queue, branches.get(num_merges + 1))
        if step is None:
            return queue.why_empty()
        state.apply(step)  # the only code that changes a state; replay uses it too
        queue.update(step)
        yield step  # the whole of the instrumentation
        num_merges += 1
    return limit


def model(
    vocab: Mapping[str, int], pairs: Sequence[Pair], settings: Settings, pipeline: Pipeline
) -> Model:
    """Return the tokenizer that the merges of `pairs` give, in this order."""
    return Model(vocab, {pair: rank for rank, pair in enumerate(pairs)}, settings, pipeline)


class Queue(merging_queue.Queue):
    """The pairs that may be merged, most frequent first: a pair is worth its count."""

    def __init__(self, state: State, settings: Settings) -> None:
        super().__init__(state.pair_counts, tie_key(state, settings.ties), settings.min_count)
        self._settings = settings
        for pair, count in state.pair_counts.items():
            if settings.allows(pair):
                self.tally[count] += 1
                self.file(pair, count)

    def update(self, step: Merge) -> None:
        """Update the queue with the counts that `step` changed."""
        counts, tally = self.worth, self.tally
        unlimited = self._settings.max_token_length is None
        for pair, change in step.recount.items():
            if unlimited or self._settings.allows(pair):
                count = counts.get(pair, 0)
                tally[count - change] -= 1
                tally[count] += 1
                if count:
                    self.file(pair, count)

    def why_empty(self) -> str:
        """Say why `best` has found nothing."""
        counts, settings = self.worth, self._settings
        if not counts:
            return NO_PAIR_LEFT
        allowed = [count for pair, count in counts.items() if settings.allows(pair)]
        if not allowed:
            limit = settings.max_token_length
            symbols = "symbol" if limit == 1 else "symbols"
            return f"every remaining pair would make a piece longer than {limit:,} {symbols}"
        return too_rare(max(allowed), settings.min_count)
