"""Measure how many tokens each language needs when the training text is a mix of languages.

The passage in lessons/texts is cut in two at the same place in every language. The first four
sentences are for training; the rest is measured. `measure_mixes` runs in a worker. It trains one
tokenizer for every share of a mix, one on English alone, and one on all languages.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from lessons.texts import Passage
from lessons.texts.parallel import (
    PASSAGES,
    equal_shares,
    halves,
    parity_corpora,
    training_texts,
)
from pages.shared.training.source import CorpusSource, bounded_corpus
from pages.shared.training.tokenizer_kinds import KINDS, Model, TrainedTokenizer, train_kind
from tokenizers import bpe
from tokenizers.errors import UserError
from tokenizers.experiments.research.parity import Burden, ParityRun
from tokenizers.progress import ProgressCallback, ignore_progress
from tokenizers.record.trace import Trace
from tokenizers.text.corpus import Corpus, Pipeline
from tokenizers.text.encoding import Encoding

MAX_EXTRA = 300  # learned pieces
SHARES = tuple(range(0, 101, 10))  # of the second language, in percent
OWN = "own"  # the user's language, whose sentences published models split
OTHERS = "rest"  # all languages but the first, in equal parts
PARITY = "parity"  # the language worst off chooses each merge, instead of the most frequent pair
PARITY_KINDS = ("bytes", "bpe")
SPACES = "spaces"  # split at spaces only, instead of by the usual pre-tokenizer
UNSPACED = ("Thai", "Japanese", "Han")
"""Scripts without spaces between words, where whitespace-separated runs are not words."""


def num_words(passage: Passage) -> int | None:
    """Return the number of measured words; None for scripts without spaces."""
    return None if passage.script in UNSPACED else len(halves(passage).unseen.split())


# --- Training texts -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class MixRequest:
    """A kind of tokenizer, how much it learns, and from which languages.

    `extra` is the number of pieces beyond single characters or bytes. `split` is `SPACES`, or empty
    to split words in the usual way; `second` may be `OTHERS`. `rule` is `PARITY`, or empty for the
    most frequent pair, which also chooses the first `together` merges of a run by parity.
    """

    kind: str
    extra: int
    first: str = "en"
    second: str = "hi"
    split: str = ""
    rule: str = ""
    together: int = 0

    @property
    def by_frequency(self) -> "MixRequest":
        """The same request with the most frequent pair merged at every step."""
        return replace(self, rule="", together=0)

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


def mixed_text(parts: Mapping[str, float]) -> str:
    """Return a training text in which every language has its part of `TRAINING_CHARS`."""
    return "\n".join(training_texts(parts).values())


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

    `own` has the user's sentences, if there are any, which `cuts` has under `OWN`. `run` tells
    which language chose each merge, if languages did.
    """

    pieces: int
    alphabet: int
    cuts: Mapping[str, SplitSentences]
    piece_use: PieceUse
    own: str = ""
    run: ParityRun | None = None

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
    mixes = [request.mix(share) for share in SHARES]
    mixes += [{"en": 1.0}, equal_shares(tuple(PASSAGES))]
    found: list[MixResult] = []
    for parts in mixes:
        if report(len(found), len(mixes)):
            raise UserError("You stopped it before all mixes were measured. Run it again.")
        found.append(measure(request, parts))
    return Study(request, tuple(found[: len(SHARES)]), *found[len(SHARES) :])


def measure(request: MixRequest, parts: Mapping[str, float]) -> MixResult:
    """Train on a mix of languages, and split the unseen sentences of all languages."""
    trained = _train_by_parity(request, parts) if request.rule else _train(request, parts)
    model, made = trained.model, trained.made
    first = _used_tokens((request.first,), model) & made
    second = _used_tokens(request.others, model) & made
    piece_use = PieceUse(
        len(first - second), len(first & second), len(second - first), len(made - first - second)
    )
    cuts = {
        code: split_sentences(halves(passage).unseen, model.encode)
        for code, passage in PASSAGES.items()
    }
    return MixResult(trained.size, trained.size - len(made), cuts, piece_use, run=trained.run)


@dataclass(frozen=True, slots=True)
class _Trained:
    """A tokenizer, its vocabulary size, its pieces longer than one character or byte; its run."""

    model: Model
    size: int
    made: set[str]
    run: ParityRun | None = None


def _train(request: MixRequest, parts: Mapping[str, float]) -> _Trained:
    """Train on a mix; training cannot be stopped because one run takes only a moment."""
    pipeline, text = request.pipeline, mixed_text(parts)
    source = CorpusSource(text)
    if request.kind != "unigram":
        smallest = train_kind(ignore_progress, source, request.kind, 0, pipeline)
        wanted = smallest.sizes[0] + request.extra
        # One piece more, for merges that add no new piece.
        trained = train_kind(ignore_progress, source, request.kind, wanted + 1, pipeline)
    else:
        wanted = len(set("".join(pipeline.words(text)))) + request.extra
        trained = train_kind(ignore_progress, source, request.kind, wanted, pipeline)
    return _Trained(trained.model(wanted), trained.size(wanted), _learned_pieces(trained, wanted))


def _train_by_parity(request: MixRequest, parts: Mapping[str, float]) -> _Trained:
    """Train with the language worst off choosing; worst off are the training sentences of one.

    They say the same in all languages. The measured sentences have no part in it.
    """

    def words(text: str) -> Corpus:
        return bounded_corpus(CorpusSource(text), request.pipeline)[0]

    corpora = parity_corpora(parts, words)
    settings = bpe.Settings(base=KINDS[request.kind].base)
    smallest = len(bpe.start(corpora.joint, settings).vocab)
    limited = replace(settings, vocab_size=smallest + request.extra)
    run = ParityRun.record(corpora, limited, request.together)
    made = {turn.token for turn in run.turns}
    return _Trained(run.model, smallest + len(made), made, run)


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


def burden(trained: MixResult, request: MixRequest) -> Burden:
    """Return what the languages that the mix was made for pay, at any share."""
    return Burden({code: trained.tokens(code) for code in (request.first, *request.others)})
