"""Measure how many tokens each language needs when the training text is a mix of languages.

The passage in lessons/texts is cut in two at the same place in every language. The first four
sentences are for training; the rest is measured. `measure_mixes` runs in a worker. It trains one
tokenizer for every share of a mix, one on English alone, and one on all languages.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import regex

from lessons.texts import LANGUAGES, Passage
from pages.shared.training.source import CorpusSource
from pages.shared.training.tokenizer_kinds import KINDS, Model, TrainedTokenizer, train_kind
from tokenizers.errors import UserError
from tokenizers.progress import ProgressCallback, ignore_progress
from tokenizers.record.trace import Trace
from tokenizers.text.corpus import Pipeline
from tokenizers.text.encoding import Encoding

TRAINING_SENTENCES = 4
TRAINING_CHARS = 12_000  # of a training text; a tenth of them has room for any language's sentences
SHARES = tuple(range(0, 101, 10))  # of the second language, in percent
OWN = "own"  # the user's language, whose sentences published models split
OTHERS = "rest"  # all languages but the first, in equal parts
SPACES = "spaces"  # split at spaces only, instead of by the usual pre-tokenizer
PASSAGES: Mapping[str, Passage] = {passage.code: passage for passage in LANGUAGES}
UNSPACED = ("Thai", "Japanese", "Han")
"""Scripts without spaces between words, where whitespace-separated runs are not words."""

_SENTENCE = regex.compile(r".+?(?:[.।。]\s*|$)")
_SECOND_PART = {"th": "เด็กชายคนหนึ่ง"}  # start of the fifth sentence: Thai has no full stop


@dataclass(frozen=True, slots=True)
class Halves:
    """A passage in two: the sentences to train on, and those to measure."""

    training: str
    unseen: str


@cache
def halves(passage: Passage) -> Halves:
    """Split a passage after its fourth sentence, which is the same place in every language."""
    begins = _SECOND_PART.get(passage.code)
    if begins:
        at = passage.text.index(begins)
    else:
        at = sum(map(len, _SENTENCE.findall(passage.text)[:TRAINING_SENTENCES]))
    return Halves(passage.text[:at].strip(), passage.text[at:].strip())


def num_words(passage: Passage) -> int | None:
    """Return the number of measured words; None for scripts without spaces."""
    return None if passage.script in UNSPACED else len(halves(passage).unseen.split())


# --- Training texts -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class MixRequest:
    """A kind of tokenizer, how much it learns, and from which languages.

    `extra` is the number of pieces beyond single characters or bytes. `split` is `SPACES`, or empty
    to split words in the usual way; `second` may be `OTHERS`.
    """

    kind: str
    extra: int
    first: str = "en"
    second: str = "hi"
    split: str = ""

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages chosen by name."""
        return (self.first,) if self.second == OTHERS else (self.first, self.second)

    @property
    def others(self) -> tuple[str, ...]:
        """The languages that share the second part of the mix."""
        if self.second != OTHERS:
            return (self.second,)
        return tuple(code for code in PASSAGES if code != self.first)

    @property
    def pipeline(self) -> Pipeline:
        """How texts are split into words."""
        return Pipeline((), self.split or KINDS[self.kind].split)

    def mix(self, share: int) -> dict[str, float]:
        """Return each language's fraction of the text; the first one's is 100 - `share` percent."""
        parts = {self.first: 1 - share / 100}
        parts |= {code: share / 100 / len(self.others) for code in self.others}
        return {code: part for code, part in parts.items() if part}


def repeated(text: str, length: int) -> str:
    """Return the text over and over, cut to a length in characters.

    >>> repeated("low tide", 12)
    'low tide low'
    """
    return (f"{text} " * (length // (len(text) + 1) + 1))[:length]


def mixed_text(parts: Mapping[str, float]) -> str:
    """Return a training text in which every language has its part of `TRAINING_CHARS`."""
    return "\n".join(
        repeated(halves(PASSAGES[code]).training, round(part * TRAINING_CHARS))
        for code, part in parts.items()
    )


# --- Training and measuring -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SplitSentences:
    """The unseen sentences of one language, split into tokens.

    `originals` has the text that each token stands for, empty for a part of a character. `unknown`
    holds the indices of the tokens that are not pieces.
    """

    tokens: tuple[str, ...]
    originals: tuple[str, ...]
    unknown: frozenset[int]

    @property
    def unknown_share(self) -> float:
        """The fraction of the characters that are unknown."""
        lengths = [len(text.strip()) for text in self.originals]
        return sum(lengths[n] for n in self.unknown) / max(sum(lengths), 1)


@dataclass(frozen=True, slots=True)
class PieceUse:
    """How many learned pieces the training sentences of one language, both or neither use."""

    first: int
    both: int
    second: int
    neither: int


@dataclass(frozen=True, slots=True)
class MixResult:
    """The vocabulary size of a tokenizer trained on one mix, and the sentences that it split.

    `own` has the user's sentences, if there are any, which `cuts` has under `OWN`.
    """

    pieces: int
    alphabet: int
    cuts: Mapping[str, SplitSentences]
    piece_use: PieceUse
    own: str = ""

    def tokens(self, code: str) -> int:
        """Return how many tokens a language needs."""
        return len(self.cuts[code].tokens)


@dataclass(frozen=True, slots=True)
class Study:
    """One kind of tokenizer's results on every mix, on English alone, and on all languages.

    `mixes` has the order of `SHARES`.
    """

    request: MixRequest
    mixes: tuple[MixResult, ...]
    english: MixResult
    everything: MixResult


def measure_mixes(report: ProgressCallback, request: MixRequest) -> Study:
    """Train and measure at every share, on English alone, and on all languages in equal parts.

    Raises UserError if the user stops it.
    """
    texts = [mixed_text(request.mix(share)) for share in SHARES]
    texts += [mixed_text({"en": 1.0}), mixed_text({code: 1 / len(PASSAGES) for code in PASSAGES})]
    found: list[MixResult] = []
    for text in texts:
        if report(len(found), len(texts)):
            raise UserError("You stopped it before all mixes were measured. Run it again.")
        found.append(measure(request, text))
    return Study(request, tuple(found[: len(SHARES)]), *found[len(SHARES) :])


def measure(request: MixRequest, text: str) -> MixResult:
    """Train on a text, and split the unseen sentences of all languages."""
    learned, wanted = _train(request, text)
    model = learned.model(wanted)
    made = _learned_pieces(learned, wanted)
    first = _used_tokens((request.first,), model) & made
    second = _used_tokens(request.others, model) & made
    piece_use = PieceUse(
        len(first - second), len(first & second), len(second - first), len(made - first - second)
    )
    size = learned.size(wanted)
    cuts = {
        code: split_sentences(halves(passage).unseen, model.encode)
        for code, passage in PASSAGES.items()
    }
    return MixResult(size, size - len(made), cuts, piece_use)


def _train(request: MixRequest, text: str) -> tuple[TrainedTokenizer, int]:
    """Train on a text; return the result, and the vocabulary size to use.

    Training cannot be stopped because one run takes only a moment.
    """
    pipeline, source = request.pipeline, CorpusSource(text)
    if request.kind != "unigram":
        wanted = (
            train_kind(ignore_progress, source, request.kind, 0, pipeline).sizes[0] + request.extra
        )
        # One piece more, for merges that add no new piece.
        return train_kind(ignore_progress, source, request.kind, wanted + 1, pipeline), wanted
    size = len(set("".join(pipeline.words(text)))) + request.extra
    return train_kind(ignore_progress, source, request.kind, size, pipeline), size


def _learned_pieces(trained: TrainedTokenizer, wanted: int) -> set[str]:
    """Return the pieces longer than a single character or byte."""
    if isinstance(trained.trace, Trace):
        return set(trained.trace.tokens[: trained.step(wanted)])
    model = trained.model(wanted)
    return {piece for piece in model.vocab if len(piece) > 1 and not piece.startswith("<")}


def _used_tokens(codes: Sequence[str], model: Model) -> set[str]:
    """Return the tokens of the training sentences of some languages."""
    texts = [halves(PASSAGES[code]).training for code in codes]
    return {token for text in texts for token in model.encode(text).tokens}


def split_sentences(text: str, encode: Callable[[str], Encoding]) -> SplitSentences:
    """Split a text, and find what each token stands for."""
    encoding = encode(text)
    spans = encoding.offsets
    overlaps = (max(a, c) < min(b, d) for (a, b), (c, d) in pairwise(spans))
    shared = [False, *overlaps, False]  # whether two neighbours are parts of one character
    originals = [
        "" if shared[n] or shared[n + 1] else text[start:end]
        for n, (start, end) in enumerate(spans)
    ]
    both = zip(encoding.tokens, encoding.pieces, strict=True)
    unknown = frozenset(n for n, (token, piece) in enumerate(both) if token != piece)
    return SplitSentences(encoding.tokens, tuple(originals), unknown)


# --- What it costs --------------------------------------------------------------------------------

MEASURES = {
    "tokens": "Tokens for the same sentences",
    "premium": "Tokens for each English token",
    "words": "Tokens per word (fertility)",
    "characters": "Tokens per character",
    "bytes": "Tokens per UTF-8 byte",
}


def cost(trained: MixResult, code: str, measure: str) -> float | None:
    """Return the cost of a language by one of `MEASURES`; None if it has no words to count."""
    unseen = trained.own if code == OWN else halves(PASSAGES[code]).unseen
    words = len(unseen.split()) if code == OWN else num_words(PASSAGES[code])
    by = {
        "tokens": 1,
        "premium": trained.tokens("en"),
        "words": words,
        "characters": len(unseen),
        "bytes": len(unseen.encode()),
    }[measure]
    return trained.tokens(code) / by if by else None


def ratio(trained: MixResult, request: MixRequest) -> float:
    """Return how many tokens the other languages need, on average, for each of the first's."""
    tokens = [trained.tokens(code) for code in request.others]
    return sum(tokens) / len(tokens) / trained.tokens(request.first)
