"""Byte-pair encoding training: repeatedly merge the most frequent pair.

`train` yields one `Merge` per step, using the loop in `merging/training.py`. Terms:

* a *pair* is two neighbouring symbols; its *rank* is the number of its merge, counted from 0;
* the *tie rule* picks one pair when several are the most frequent (`merging/queue.py`).
"""

from collections.abc import Generator, Mapping, Sequence

from tokenizers.bpe.encoding import Model
from tokenizers.bpe.settings import Settings
from tokenizers.merging.queue import FrequencyQueue
from tokenizers.merging.state import Merge, Pair, State
from tokenizers.merging.training import NO_FORCED_CHOICES, ForcedChoices, train_merges
from tokenizers.progress import CancelCheck, never_cancel
from tokenizers.text.corpus import Corpus, Pipeline
from tokenizers.text.symbols import alphabet


def start(corpus: Corpus, settings: Settings, check_cancelled: CancelCheck = never_cancel) -> State:
    """Return the state before the first merge, with every word split into base symbols."""
    splits = [settings.symbols(word) for word in corpus.word_counts]
    first_id = 0 if settings.unk is None else 1
    vocab = {s: first_id + n for n, s in enumerate(alphabet(splits, settings.base))}
    return State(splits, list(corpus.word_counts.values()), vocab, check_cancelled=check_cancelled)


def train(
    corpus: Corpus,
    settings: Settings,
    state: State | None = None,
    forced_choices: ForcedChoices = NO_FORCED_CHOICES,
) -> Generator[Merge, None, str]:
    """Yield one `Merge` per training step; return why it stops.

    To observe the run, pass a fresh `state` from `start`, which every step updates.
    `forced_choices` override the tie rule; raises UserError for a pair that does not tie.
    """
    state = start(corpus, settings) if state is None else state
    return train_merges(state, FrequencyQueue(state, settings), settings, forced_choices)


def model(
    vocab: Mapping[str, int], pairs: Sequence[Pair], settings: Settings, pipeline: Pipeline
) -> Model:
    """Return the tokenizer whose merges are `pairs`, in this order."""
    return Model(vocab, {pair: rank for rank, pair in enumerate(pairs)}, settings, pipeline)
