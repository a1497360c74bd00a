"""The content of the essay's figures: data from the core, and a sentence about each.

Most of it is computed from the reader's text, or from one word of it; panels.py draws it. The
tokenizers are published ones, which need no training. Only BPE is trained on the reader's text, of
which it gets at most `MAX_IN_URL` characters; that takes milliseconds.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

import regex

from lessons.format.words import RichText
from lessons.models import open_model
from lessons.texts import TEXTS
from pages.essay.best_split_figure import best_splits_recording
from pages.languages.findings import name_of
from pages.languages.published import measure_published
from pages.languages.study import MixResult, cost
from pages.shared.aligned.layout import AlignedLayout, Chunk
from pages.shared.aligned.side_by_side import NamedTokenizer, tokenize, window
from pages.shared.drawing.display_text import shorten
from pages.shared.drawing.phrasing import count_of, times, word_segment
from pages.shared.recording.frame_types import Recording
from pages.shared.training.published import PublishedTokenizer
from pages.shared.training.words import TokenizedWord, words_of
from tokenizers import baselines, bpe
from tokenizers.lattice import Lattice
from tokenizers.measures.metrics import Metrics, word_spans
from tokenizers.record.trace import Trace
from tokenizers.runtime.components import LoadedEncoding
from tokenizers.runtime.models.wordpiece import WordPiece
from tokenizers.runtime.sentencepiece.unigram import SentencePieceUnigram
from tokenizers.text.bert_punctuation import PUNCTUATION
from tokenizers.text.corpus import Corpus, Pipeline
from tokenizers.wordpiece.matching import Match

FIRST_TEXT = "She sells seashells on the seashore, and the shells she sells are unbelievably small."
FIRST_WORD = "unbelievably"
NEWER_MODEL, WORDPIECE_MODEL, UNIGRAM_MODEL, OLDER_MODEL = (
    "o200k",
    "bert-uncased",
    "unigram-english",
    "gpt2",
)
MAX_WORD_CHARS = 40
MAX_REST_CHARS = 18  # characters of the rest of a word that fit on a phone
_BETWEEN_WORDS = regex.compile(rf"[\s{PUNCTUATION}]+")
UNITS = ("words.prose", "characters.prose", "bytes.prose.256", f"real.{NEWER_MODEL}")
"""The rows of the second figure, as the URL of the page Side by side writes them."""
GPT2 = Pipeline((), "gpt2")
MAX_CHUNKS = 6  # words that the second figure draws
MAX_DRAWN_CHARS = 120  # characters of these words
LANGUAGES = ("en", "es", "zh-Hans", "ar", "ta")


# --- A text is numbers ----------------------------------------------------------------------------


def read(text: str) -> LoadedEncoding:
    """Encode a text as GPT-4o does. Raises what its tokenizer raises."""
    return PublishedTokenizer(NEWER_MODEL).encode(text)


def describe_numbers(text: str, found: LoadedEncoding) -> RichText:
    """Return a sentence on the numbers that a model reads instead of a text."""
    size = len(PublishedTokenizer(NEWER_MODEL).vocab)
    numbers = ("strong", count_of(len(found.ids), "number"))
    each = f". Each stands for one of the {size:,} tokens in its vocabulary."
    return f"GPT-4o reads {count_of(len(text), 'character')} as ", numbers, each


# --- Words, characters, bytes ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Units:
    """A text split into several kinds of units, with each kind's name and metrics, and chunks.

    `is_cut_off` if the text is longer than the chunks; `num_listed` is the word list's size.
    """

    names: tuple[str, ...]
    metrics: tuple[Metrics, ...]
    chunks: tuple[Chunk, ...]
    is_cut_off: bool
    num_listed: int


def units(text: str) -> Units:
    """Split a text into words, characters, bytes, and the tokens of a well-known model.

    Words and characters that do not occur in a certain page of prose are unknown.
    """
    prose = TEXTS["prose"].text or ""
    bytes_alone = bpe.Settings(base="bytes", num_merges=0)
    words = baselines.train(prose, "words")
    tokenizers = (
        NamedTokenizer("Whole words", "words", words),
        NamedTokenizer("Characters", "characters", baselines.train(prose, "characters")),
        NamedTokenizer("Bytes", "bytes", Trace.record(Corpus({}, None, GPT2), bytes_alone).model()),
        NamedTokenizer("GPT-4o", f"real.{NEWER_MODEL}", PublishedTokenizer(NEWER_MODEL)),
    )
    cuts = [tokenize(text, one) for one in tokenizers]
    spans = word_spans(text)
    start, end, _ = window(spans, len(text), 0)
    end = min(end, MAX_DRAWN_CHARS)
    layout = AlignedLayout(text, (start, end), [one.readable for one in cuts], (), spans, ())
    drawn = list(islice(layout.spans(), MAX_CHUNKS + 1))
    return Units(
        tuple(one.name for one in tokenizers),
        tuple(one.figures.metrics for one in cuts),
        tuple(layout.chunk(*span) for span in drawn[:MAX_CHUNKS]),
        len(drawn) > MAX_CHUNKS or end < len(text),
        len(words.vocab) - 1,
    )


def describe_units(found: Units) -> RichText:
    """Return sentences on the drawbacks of words, of characters and of bytes as units."""
    words, characters, in_bytes, real = found.metrics
    lost = f" ({characters.unknown:,} of them unknown)" if characters.unknown else ""
    return (
        f"Of {count_of(words.tokens, 'word')}, ",
        ("strong", f"{words.unknown:,}"),
        f" {'is' if words.unknown == 1 else 'are'} missing from a list of the {found.num_listed:,} "
        "words on a page of English. With single characters, your text takes "
        f"{count_of(characters.tokens, 'token')}{lost}, with bytes {in_bytes.tokens:,}. With "
        f"GPT-4o’s pieces, it takes {real.tokens:,}.",
    )


# --- BPE ------------------------------------------------------------------------------------------


def merges(text: str, pipeline: Pipeline, settings: bpe.Settings) -> Trace:
    """Train BPE on a text, and record it."""
    return Trace.record(Corpus.from_text(text, pipeline), settings)


def last_repeated(trace: Trace) -> int:
    """Return the number of the last merge whose pair occurred more than once."""
    return sum(count > 1 for count in trace.counts)


def describe_merge(trace: Trace, k: int) -> RichText:
    """Describe merge `k`, and the effect of all merges so far."""
    first, now = trace.num_tokens[0], trace.num_tokens[k]
    if not k:
        start = f"At the start, your text is {count_of(first, 'single symbol')}."
        more = " No two of them stand side by side: there is nothing to merge."
        return (start,) if len(trace) else (start, more)
    one, other = trace.pairs[k - 1]
    return (
        f"Merge {k:,} of {len(trace):,}: ",
        ("token", one),
        " and ",
        ("token", other),
        f" stand side by side {times(trace.counts[k - 1])}, so they become ",
        ("new", trace.tokens[k - 1]),
        f". Your text is down from {first:,} symbols to ",
        ("strong", count_of(now, "token")),
        ".",
    )


# --- One word: WordPiece and Unigram --------------------------------------------------------------


def longest_word(text: str) -> str:
    """Return the first of a text's longest words, cut to `MAX_WORD_CHARS` characters.

    A word ends at punctuation within it, as BERT's tokenizer reads it.

    >>> longest_word("the shells, unbelievably."), longest_word(" ")
    ('unbelievably', '')
    >>> longest_word("see https://x.org/a-b")
    'https'
    """
    return max(_BETWEEN_WORDS.split(text), key=len)[:MAX_WORD_CHARS]


def word_number(name: str, text: str, word: str) -> int:
    """Return a word's number, from 1, in a text as a tokenizer reads it; 0 if it is not there.

    Raises what the tokenizer raises.
    """
    words = words_of(open_model(name), text)
    return next((n for n, one in enumerate(words, start=1) if one.text == word), 0)


def read_word(name: str, written: str) -> TokenizedWord | None:
    """Return what a published tokenizer reads as a word; the longest word if it reads several.

    Returns None if nothing is left to step through. Raises what the tokenizer raises.
    """
    return max(read_words(name, written), key=lambda word: len(word.text), default=None)


def read_words(name: str, written: str) -> list[TokenizedWord]:
    """Return what a published tokenizer reads as words; raise what it raises."""
    return [word for word in words_of(open_model(name), written) if not word.is_added]


def matches(word: str) -> tuple[Match, ...]:
    """Return the steps by which BERT's tokenizer matches a word."""
    model = open_model(WORDPIECE_MODEL).model
    assert isinstance(model, WordPiece)
    return tuple(model.steps(word))


def match_rows(word: str, steps: Sequence[Match]) -> list[tuple[str, str | int, str]]:
    """Return for each step what is left of the word, the number of rejections, and the match."""
    marks = ["##" if step.start else "" for step in steps]
    return [
        (
            shorten(mark + word[step.start :], MAX_REST_CHARS),
            len(step.rejected),
            step.piece or "nothing",
        )
        for mark, step in zip(marks, steps, strict=True)
    ]


def describe_match(word: str, steps: Sequence[Match]) -> RichText:
    """Describe how BERT's tokenizer splits a word, and the number of look-ups."""
    tried = sum(len(step.rejected) + bool(step.piece) for step in steps)
    if steps and all(step.piece for step in steps):
        pieces = ("strong", count_of(len(steps), "piece"))
        return (
            "BERT cuts ",
            word_segment(word),
            " into ",
            pieces,
            f" after {count_of(tried, 'look-up')}.",
        )
    if not steps:
        return word_segment(word), " is too long for BERT: it becomes ", ("new", "[UNK]"), "."
    at = f" No piece fits at letter {steps[-1].start + 1:,}, so all of "
    return (
        f"After {count_of(tried, 'look-up')}:",
        at,
        word_segment(word),
        " is ",
        ("new", "[UNK]"),
        ".",
    )


def best_splits(word: str) -> Recording:
    """Return the recording of the best segmentations of a word."""
    return best_splits_recording(lattice_of(word))


def lattice_of(word: str) -> Lattice:
    """Return a word's lattice, built from the pieces of a small English Unigram model."""
    model = open_model(UNIGRAM_MODEL).model
    assert isinstance(model, SentencePieceUnigram)
    return model.lattice(word)


# --- Cost -----------------------------------------------------------------------------------------


def language_costs() -> dict[str, MixResult]:
    """Split the same sentences of every language by an older and a newer tokenizer."""
    return {
        model.title: measure_published(model)
        for model in (PublishedTokenizer(OLDER_MODEL), PublishedTokenizer(NEWER_MODEL))
    }


def describe_cost(found: dict[str, MixResult], code: str) -> RichText:
    """Return sentences on how many tokens a language needs, compared with English."""
    (old, older), (new, newer) = found.items()
    before, now = (cost(one, code, "premium") or 0.0 for one in (older, newer))
    return (
        f"The same sentences take {newer.tokens('en'):,} tokens of {new} in English, and ",
        ("strong", f"{newer.tokens(code):,}"),
        f" in {name_of(code)}: {now:.2f} times as many. With {old}, it was {before:.2f} times.",
    )


def describe_window(tokens: int, window: int) -> RichText:
    """Return how often a text fits into a context window."""
    if not tokens:
        return ()
    return (
        f"Your own text takes {count_of(tokens, 'token')} of GPT-4o. A context window of "
        f"{window:,} has room for it ",
        ("strong", times(window // tokens)),
        ".",
    )


def languages_with(found: dict[str, MixResult], code: str) -> list[str]:
    """Return the languages to draw, including `code`, from cheapest to most expensive."""
    older = next(iter(found.values()))
    return sorted({*LANGUAGES, code}, key=older.tokens)
