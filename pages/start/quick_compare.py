"""A quick comparison for the start page, which splits a text by trained tokenizers and counts.

It runs in a worker process, and is quick because it keeps only counts and the first tokens.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import prod

from lessons.trained import SIZE
from pages.shared.drawing.phrasing import ways_text
from pages.shared.training import tokenizer_kinds
from pages.shared.training.source import AnySettings, CorpusSource, bounded_corpus
from pages.shared.training.tokenizer_kinds import Model
from tokenizers import baselines, unigram
from tokenizers.lattice import num_segmentations
from tokenizers.measures.metrics import Metrics, measure
from tokenizers.progress import ProgressCallback
from tokenizers.record.trace import Trace
from tokenizers.text.corpus import Pipeline
from tokenizers.unigram import settings as unigram_settings

MAX_TILES = 300  # tokens kept


@dataclass(frozen=True, slots=True)
class TokenizerRequest:
    """A tokenizer's settings, and the pipeline that prepares its text.

    `settings` may also be one of `baselines.UNITS`, or the name of a pretrained kind of tokenizer.
    """

    settings: AnySettings | unigram_settings.Settings | str
    pipeline: Pipeline = field(default_factory=Pipeline)


@dataclass(frozen=True, slots=True)
class QuickResult:
    """The first tokens of a text, and counts of all its tokens; `steps` is the number of merges.

    `unknown` holds the indices of unknown tokens, which are given as the text they stand for.
    `lost_white_space` counts whitespace characters that decoding drops. For Unigram, `num_splits`
    says how many segmentations of the text the pieces allow, and `seed` how the seed vocabulary was
    made. `notes` says which parts of the source were not used.
    """

    tokens: tuple[str, ...]
    unknown: tuple[int, ...]
    metrics: Metrics
    steps: int = 0
    lost_white_space: int = 0
    num_splits: str = ""
    seed: str = ""
    notes: tuple[str, ...] = ()


def train_and_split(
    report: ProgressCallback, source: CorpusSource, text: str, requests: Sequence[TokenizerRequest]
) -> tuple[QuickResult, ...]:
    """Train each tokenizer on a source, and split the text.

    Raises UserError for a lone surrogate, and if training was stopped too early.
    """
    return tuple(_train_and_split(report, source, text, one) for one in requests)


def _train_and_split(
    report: ProgressCallback, source: CorpusSource, text: str, request: TokenizerRequest
) -> QuickResult:
    if isinstance(request.settings, str):
        return _without_training(source, text, request.settings)
    if isinstance(request.settings, unigram_settings.Settings):
        trace, _ = tokenizer_kinds.record_unigram(
            report, source, request.pipeline, request.settings
        )
        model = trace.model()
        result = _summarize(text, model, len(model.log_probs))
        return replace(result, num_splits=_num_splits(text, model), seed=trace.settings.seed)
    corpus, notes = bounded_corpus(source, request.pipeline)
    total = request.settings.num_merges or 1
    trace = Trace.record(corpus, request.settings, lambda done, _: report(done, total))
    result = _summarize(text, trace.model(), trace.vocab_sizes[-1], len(trace))
    return replace(result, notes=notes)


def _without_training(source: CorpusSource, text: str, kind: str) -> QuickResult:
    pretrained = tokenizer_kinds.find_pretrained(source, kind, SIZE)
    model = pretrained.model() if pretrained else baselines.train(source.text, kind)
    result = _summarize(text, model, len(model.vocab) - (model.unk is not None))
    if isinstance(model, unigram.Model):
        return replace(result, num_splits=_num_splits(text, model))
    return result


def _num_splits(text: str, model: unigram.Model) -> str:
    words = Counter(model.pipeline(text).words)
    return ways_text(
        prod(num_segmentations(model.lattice(word)) ** times for word, times in words.items())
    )


def _summarize(text: str, model: Model, vocabulary: int, steps: int = 0) -> QuickResult:
    encoding = model.encode(text)
    metrics = measure(text, encoding, vocabulary)
    lost_white_space = _white_space(text) - _white_space(tokenizer_kinds.decode(encoding, model))
    unknown = tuple(n for n in encoding.unknown() if n < MAX_TILES)
    return QuickResult(
        encoding.pieces[:MAX_TILES], unknown, metrics, steps, lost_white_space.total()
    )


def _white_space(text: str) -> Counter[str]:
    return Counter(filter(str.isspace, text))
