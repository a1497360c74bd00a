"""The short form of a comparison: train one tokenizer or list words, cut a text, keep the counts.

It is what a worker process does for the start page. No step is filmed, and of the tokens only the
first are kept: that is what makes it quick.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import prod

from lessons.trained import SIZE
from pages.shared.drawing.phrasing import ways
from pages.shared.training import tokenizer_kinds
from pages.shared.training.source import AnySettings, Report, Source, bounded
from pages.shared.training.tokenizer_kinds import Model
from tokenizers import baselines, unigram
from tokenizers.lattice import num_segmentations
from tokenizers.measures.metrics import Metrics, measure
from tokenizers.record.trace import Trace
from tokenizers.text.corpus import Pipeline
from tokenizers.unigram import settings as unigram_settings

MOST_TILES = 300  # tokens that are kept


@dataclass(frozen=True, slots=True)
class Asked:
    """A tokenizer: its settings, and the splitting before it.

    In place of the settings stands one of `baselines.UNITS`, or the kind of one trained ahead.
    """

    settings: AnySettings | unigram_settings.Settings | str
    pipeline: Pipeline = field(default_factory=Pipeline)


@dataclass(frozen=True, slots=True)
class Short:
    """The first tokens of a text and the counts of all; `steps` are merges, where there are some.

    Of a token that is `unknown`, by its number, there is what it stands for.
    `white` counts the characters of white space that do not come back on decoding. `ways` says in
    how many ways the pieces of a Unigram model could cut the text, `seed` which of its first pieces
    it began with, `notes` what of the source was left out.
    """

    tokens: tuple[str, ...]
    unknown: tuple[int, ...]
    metrics: Metrics
    steps: int = 0
    white: int = 0
    ways: str = ""
    seed: str = ""
    notes: tuple[str, ...] = ()


def cut(report: Report, source: Source, shown: str, asked: Sequence[Asked]) -> tuple[Short, ...]:
    """Train each tokenizer on a source, and cut the text that is shown.

    Raises ValueError, in a sentence, for a lone surrogate, and where it was stopped too early.
    """
    return tuple(_cut(report, source, shown, one) for one in asked)


def _cut(report: Report, source: Source, shown: str, asked: Asked) -> Short:
    if isinstance(asked.settings, str):
        return _without_training(source, shown, asked.settings)
    if isinstance(asked.settings, unigram_settings.Settings):
        trace, _ = tokenizer_kinds.record_unigram(report, source, asked.pipeline, asked.settings)
        model = trace.model()
        short = _short(shown, model, len(model.log_probs))
        return replace(short, ways=_ways(shown, model), seed=trace.settings.seed)
    corpus, notes = bounded(source, asked.pipeline)
    total = asked.settings.num_merges or 1
    trace = Trace.record(corpus, asked.settings, lambda done, _: report(done, total))
    short = _short(shown, trace.model(), trace.vocab_sizes[-1], len(trace))
    return replace(short, notes=notes)


def _without_training(source: Source, shown: str, kind: str) -> Short:
    ready = tokenizer_kinds.ahead(source, kind, SIZE)
    model = ready.model() if ready else baselines.train(source.text, kind)
    short = _short(shown, model, len(model.vocab) - (model.unk is not None))
    if isinstance(model, unigram.Model):
        return replace(short, ways=_ways(shown, model))
    return short


def _ways(shown: str, model: unigram.Model) -> str:
    words = Counter(model.pipeline(shown).words)
    return ways(
        prod(num_segmentations(model.lattice(word)) ** times for word, times in words.items())
    )


def _short(shown: str, model: Model, vocabulary: int, steps: int = 0) -> Short:
    found = model.encode(shown)
    metrics = measure(shown, found, vocabulary)
    white = _white(shown) - _white(tokenizer_kinds.decode(found, model))
    unknown = tuple(n for n in found.unknown() if n < MOST_TILES)
    return Short(found.pieces[:MOST_TILES], unknown, metrics, steps, white.total())


def _white(text: str) -> Counter[str]:
    return Counter(filter(str.isspace, text))
