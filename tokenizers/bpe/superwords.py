"""Pieces beyond words: BPE in two stages, the first inside words, the second across spaces.

This is SuperBPE (Liu and others, "SuperBPE: Space Travel for Language Models", 2025). At first the
text is cut into words, as usual. After a given merge, training keeps the merges and continues on
whole lines, where pairs may include a space. A space is written `▁` and precedes its word. The
paper's limits on the content of pieces that span several words are not implemented.
"""

from collections import Counter
from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace

from tokenizers.bpe.encoding import Model
from tokenizers.bpe.settings import Settings
from tokenizers.bpe.training import model, start, train
from tokenizers.merging.state import Merge, Pair, State
from tokenizers.text.corpus import Corpus, Pipeline
from tokenizers.text.symbols import METASPACE

WORDS = Pipeline((), "metaspace")
LINES = Pipeline((), "metaspace_whole")


@dataclass(frozen=True, slots=True)
class StagedCorpus:
    """One text as counted words and as counted lines; no line begins or ends with a space."""

    words: Corpus
    lines: Corpus

    @classmethod
    def from_text(cls, text: str) -> "StagedCorpus":
        """Count the words and the lines of a text. Raises UserError for a lone surrogate.

        >>> staged = StagedCorpus.from_text("low tide")
        >>> staged.words.word_counts, staged.lines.word_counts
        ({'▁low': 1, '▁tide': 1}, {'▁low▁tide': 1})
        """
        lines = [line.strip() for line in text.splitlines()]
        words = Counter(word for line in lines for word in WORDS(line).words)
        whole = Counter(word for line in lines for word in LINES(line).words)
        return cls(Corpus(dict(words), None, WORDS), Corpus(dict(whole), None, LINES))


def train_in_stages(
    stages: StagedCorpus, settings: Settings, until: int, state: State | None = None
) -> Generator[Merge, None, str]:
    """Yield one `Merge` per step, from step `until` + 1 also across spaces; return why it stops.

    Every `Merge` applies to the lines, where a pair inside words has the same count as in words.
    To observe the run, pass as `state` a fresh result of `start` for `stages.lines`.
    """
    state = start(stages.lines, settings) if state is None else state
    total = settings.num_merges
    first = until if total is None else min(until, total)
    inside = list(train(stages.words, replace(settings, num_merges=first)))
    for learned in inside:
        step = state.merge(learned.pair)
        state.apply(step)
        yield step
    rest = None if total is None else total - len(inside)
    return (yield from train(stages.lines, replace(settings, num_merges=rest), state))


def line_model(state: State, pairs: Sequence[Pair], settings: Settings) -> Model:
    """Return the tokenizer with the pieces of `state` and the merges `pairs`; a line is a word."""
    unknown = {} if settings.unk is None else {settings.unk: 0}
    return model(unknown | state.vocab, pairs, settings, LINES)


def is_superword(piece: str) -> bool:
    """Return whether a piece contains a space other than a leading one.

    >>> [is_superword(piece) for piece in ("▁low▁tide", "▁low", "▁")]
    [True, False, False]
    """
    return METASPACE in piece[1:]
