"""WordPiece training: repeatedly merge the pair with the highest score.

The *score* of a pair (`scores.py`) is its count divided by the product of its two symbols' counts.
`train` yields one `Merge` per step, as `bpe.train` does. Every symbol of a word except the first
starts with a *mark*, usually `##`.

The program that made BERT's vocabulary was never published, so `settings.CONVENTIONS` names what
others do. TensorFlow Text's trainer is in `top_down.py`.
"""

from collections.abc import Generator, Iterable, Mapping, Sequence

from tokenizers.merging.queue import FrequencyQueue
from tokenizers.merging.state import Merge, Pair, State
from tokenizers.merging.training import NO_FORCED_CHOICES, ForcedChoices, train_merges
from tokenizers.progress import CancelCheck, never_cancel
from tokenizers.text.corpus import Corpus, Pipeline
from tokenizers.text.symbols import Split
from tokenizers.wordpiece.encoding import Model
from tokenizers.wordpiece.scores import ScoreQueue
from tokenizers.wordpiece.settings import Settings


def start(corpus: Corpus, settings: Settings, check_cancelled: CancelCheck = never_cancel) -> State:
    """Return the state before the first merge, with every word split into base symbols."""
    splits = [settings.symbols(word) for word in corpus.word_counts]
    vocab = {symbol: n for n, symbol in enumerate(_alphabet(splits, settings), start=1)}
    return State(splits, list(corpus.word_counts.values()), vocab, settings.mark, check_cancelled)


def _alphabet(splits: Iterable[Split], settings: Settings) -> list[str]:
    """Return the initial symbols of a vocabulary, in the order of their ids."""
    firsts = {symbol for split in splits for symbol in split[:1]}
    rest = {symbol for split in splits for symbol in split[1:]}
    if settings.by_score:
        return sorted(firsts | rest)
    plain = firsts | {symbol[len(settings.mark) :] for symbol in rest}
    return [*sorted(plain), *sorted(rest - plain)]


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
    queue = ScoreQueue(state, settings) if settings.by_score else FrequencyQueue(state, settings)
    return train_merges(state, queue, settings, forced_choices)


def model(
    vocab: Mapping[str, int], pairs: Sequence[Pair], settings: Settings, pipeline: Pipeline
) -> Model:
    """Return the tokenizer with `vocab`; `pairs` is ignored, because encoding needs no merges."""
    return Model(vocab, settings, pipeline)
