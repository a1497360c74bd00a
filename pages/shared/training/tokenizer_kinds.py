"""The tokenizers that pages compare; each has an algorithm, a training text, and a size.

`train_kind` runs in a worker and returns a model for every vocabulary size that the run reached.
Sizes grow for BPE and WordPiece and shrink for Unigram; words and characters have only one size.
The unknown token is not counted in a size.
"""

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from lessons import trained
from lessons.texts import TEXTS
from lessons.trained import usual_unigram
from pages.shared.limits import MAX_TEXT_CHARS, MAX_WORD_CHARS
from pages.shared.training.limits import limit_run
from pages.shared.training.published import PublishedTokenizer
from pages.shared.training.run_and_record import stop_check
from pages.shared.training.source import NO_WORDS, AnySettings, CorpusSource, bounded_corpus
from tokenizers import baselines, bpe, unigram, wordpiece
from tokenizers.errors import UserError
from tokenizers.progress import ProgressCallback
from tokenizers.record.trace import Trace
from tokenizers.record.unigram_trace import UnigramTrace
from tokenizers.text.corpus import Corpus, Pipeline
from tokenizers.text.encoding import UNK, Encoding
from tokenizers.text.symbols import BYTE_OF_GLYPH, text_of_glyphs
from tokenizers.unigram.settings import Settings as UnigramSettings

Model = baselines.Model | bpe.Model | wordpiece.Model | unigram.Model
"""The models that the app trains."""


def decode(found: Encoding, model: Model | PublishedTokenizer) -> str:
    """Return the text of the tokens; `[UNK]` decodes to itself, even if the model has none."""
    if UNK in model.vocab or UNK not in found.tokens:
        return model.decode(found.ids)
    known = (text_of_glyphs(token) if _is_glyphs(token) else token for token in found.tokens)
    return "".join(known)


def _is_glyphs(token: str) -> bool:
    return token != UNK and all(glyph in BYTE_OF_GLYPH for glyph in token)


PRUNINGS = 24  # for charts over one run's sizes, which need more than the usual eight prunings


@dataclass(frozen=True, slots=True)
class Kind:
    """An algorithm in its usual form; `split` is its pre-tokenizer."""

    name: str
    split: str
    base: str = "characters"
    mark: str = ""
    """A legend of the characters in its pieces that are not in the text."""


KINDS: Mapping[str, Kind] = {
    "words": Kind("Whole words", "spaces"),
    "characters": Kind("Single characters", "none"),
    "bpe": Kind("BPE on characters", "punctuation", "end_of_word", "</w> ends a word"),
    "bytes": Kind("BPE on bytes", "gpt2", "bytes", "Ġ is a space, á º ¸ and the like are bytes"),
    "wordpiece": Kind("WordPiece", "bert", mark="## continues a word"),
    "unigram": Kind("Unigram", "metaspace", mark="▁ is a space"),
}


@dataclass(frozen=True, slots=True)
class TrainedTokenizer:
    """A tokenizer at every recorded size, with notes on what was left out of the training.

    `sizes` are in ascending order; for each, `_steps` has the last step of `trace` with that size.
    A pretrained tokenizer or a baseline has only one size; its `trace` is the model.
    """

    kind: str
    pipeline: Pipeline
    trace: "Trace[Any] | UnigramTrace | Model"
    sizes: tuple[int, ...]
    notes: tuple[str, ...]
    _steps: tuple[int, ...] = field(repr=False)

    def size(self, wanted: int | None = None) -> int:
        """Return the largest recorded size up to `wanted`, or else the smallest."""
        return self.sizes[self._at(wanted)]

    def step(self, wanted: int | None = None) -> int:
        """Return the step of the trace after which the vocabulary has the size `size(wanted)`."""
        return self._steps[self._at(wanted)]

    def _at(self, wanted: int | None) -> int:
        last = len(self.sizes) - 1
        return last if wanted is None else max(bisect_right(self.sizes, wanted) - 1, 0)

    def model(self, wanted: int | None = None) -> Model:
        """Return the tokenizer's model with the size `size(wanted)`."""
        if isinstance(self.trace, Model):
            return self.trace
        return self.trace.model(self.step(wanted))


def find_pretrained(source: CorpusSource, kind: str, size: int) -> TrainedTokenizer | None:
    """Return a pretrained tokenizer, or a baseline for the pretraining text; None if none fits."""
    if not is_pretraining_text(source):
        return None
    if kind in baselines.UNITS:
        return _pretrained_baseline(kind)
    if size != trained.SIZE:
        return None
    model = trained.open_trained(kind)
    return TrainedTokenizer(kind, model.pipeline, model, (size,), (), (0,))


def pretrained_kind(source: CorpusSource, pipeline: Pipeline, settings: AnySettings) -> str:
    """Return the kind of the pretrained tokenizer with these settings; "" if there is none."""
    enough = settings.num_merges is None or settings.num_merges >= trained.SIZE
    wanted = trained.TrainingRecipe(pipeline, replace(settings, num_merges=None))
    if not enough or not is_pretraining_text(source):
        return ""
    return next((kind for kind, one in trained.SETTINGS.items() if one == wanted), "")


@cache
def _pretrained_baseline(kind: str) -> TrainedTokenizer:
    source = CorpusSource(text=TEXTS[trained.LEARNED_FROM].text or "")
    return _baseline(source, kind, Pipeline((), KINDS[kind].split))


def is_pretraining_text(source: CorpusSource) -> bool:
    """Return whether `source` is the text that the pretrained tokenizers were trained on."""
    return source.text == TEXTS[trained.LEARNED_FROM].text


def pretraining_text_label() -> str:
    """Return the length and the copyright of the pretraining text."""
    size = len(TEXTS[trained.LEARNED_FROM].text or "")
    return f"{size:,} characters, © {trained.TABLE['owner']}"


def train_kind(
    report: ProgressCallback,
    source: CorpusSource,
    kind: str,
    size: int,
    pipeline: Pipeline | None = None,
    prunings: int | None = None,
) -> TrainedTokenizer:
    """Train a tokenizer of one of `KINDS` to `size` pieces, or as near as the text allows.

    The trace's sizes grow to `size`, or shrink to it for Unigram. `pipeline` overrides the kind's
    usual one, and `prunings` the usual number of sizes in Unigram's trace. Raises UserError if the
    counts are invalid or the text has no words.
    """
    pipeline = pipeline or Pipeline((), KINDS[kind].split)
    if kind in baselines.UNITS:
        return _baseline(source, kind, pipeline)
    if kind == "unigram":
        usual = usual_unigram(size)
        unigram_settings = replace(usual, prunings=prunings or usual.prunings)
        return _unigram(report, source, pipeline, unigram_settings)
    corpus, notes = bounded_corpus(source, pipeline, check_cancelled=stop_check(report))
    _check_has_words(corpus)
    if kind == "wordpiece":
        # In a large text, the score would pick rare letters, and no pieces of common words.
        rule = "hugging_face" if is_pretraining_text(source) else "score"
        settings: Any = wordpiece.Settings(vocab_size=size, convention=rule)
    else:
        settings = bpe.Settings(base=KINDS[kind].base, vocab_size=size)
    trace = Trace.record(corpus, settings, lambda done, _: report(done, size))
    steps = {pieces: k for k, pieces in enumerate(trace.vocab_sizes)}
    return TrainedTokenizer(kind, pipeline, trace, tuple(steps), notes, tuple(steps.values()))


def _unigram(
    report: ProgressCallback, source: CorpusSource, pipeline: Pipeline, settings: UnigramSettings
) -> TrainedTokenizer:
    trace, notes = record_unigram(report, source, pipeline, settings)
    steps = dict(sorted((len(step.log_probs), k) for k, step in enumerate(trace.steps, start=1)))
    return TrainedTokenizer("unigram", pipeline, trace, tuple(steps), notes, tuple(steps.values()))


def record_unigram(
    report: ProgressCallback, source: CorpusSource, pipeline: Pipeline, settings: UnigramSettings
) -> tuple[UnigramTrace, tuple[str, ...]]:
    """Return the trace of a Unigram run, and notes on what was left out.

    If the text has fewer repeated substrings than requested pieces, as a text of a few words does,
    all substrings are the seeds. Raises UserError if `train_kind` would, or if stopped too early.
    """
    corpus, smaller, notes = limit_run(source, pipeline, settings, stop_check(report))
    _check_has_words(corpus)
    trace = UnigramTrace.record(corpus, smaller, report)
    if not trace.steps:
        raise UserError("You stopped it before there was anything to show. Run it again.")
    if settings.seed == "repeats" and len(trace.seed.pieces) < settings.desired:
        return record_unigram(report, source, pipeline, replace(settings, seed="substrings"))
    return trace, notes


def _baseline(source: CorpusSource, kind: str, pipeline: Pipeline) -> TrainedTokenizer:
    """Return a tokenizer whose tokens are whole words, or single characters."""
    # For single characters, the text is one long word, which must not be truncated.
    longest = MAX_WORD_CHARS if kind == "words" else MAX_TEXT_CHARS
    corpus, notes = bounded_corpus(source, pipeline, longest_word=longest)
    _check_has_words(corpus)
    words = corpus.word_counts
    found = words if kind == "words" else (letter for word in words for letter in word)
    vocab = {UNK: 0} | {piece: n for n, piece in enumerate(dict.fromkeys(found), start=1)}
    model = baselines.Model(kind, vocab, pipeline)
    return TrainedTokenizer(kind, pipeline, model, (len(vocab) - 1,), notes, (0,))


def _check_has_words(corpus: Corpus) -> None:
    if not corpus.word_counts:
        raise UserError(NO_WORDS)
