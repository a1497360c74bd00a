"""What the figures of the essay hold: records of the core, and a sentence about each of them.

Of the reader's text, and of one word of it, everything is computed here; what is drawn of it is in
panels.py. The tokenizers are published ones, so that nothing need be trained, but for BPE, which
learns from the reader's own text: of at most `MAX_IN_URL` characters, that takes milliseconds.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from lessons.models import open_model
from lessons.texts import TEXTS
from pages.compare.layout import AlignedLayout, Chunk
from pages.compare.side_by_side import NamedTokenizer, tokenize, window
from pages.essay.best_split_figure import best_splits_recording
from pages.languages.findings import name_of
from pages.languages.published import measure_published
from pages.languages.study import MixResult, cost
from pages.shared.drawing.display_text import shorten
from pages.shared.drawing.phrasing import RichText, count_of, times, word_segment
from pages.shared.recording.frame_types import Recording
from pages.shared.training.published import PublishedTokenizer
from pages.shared.training.words import SegmentedWord, words_of
from tokenizers import baselines, bpe
from tokenizers.lattice import Lattice
from tokenizers.measures.metrics import Metrics, word_spans
from tokenizers.record.trace import Trace
from tokenizers.runtime.components import LoadedEncoding
from tokenizers.runtime.sentencepiece.unigram import SentencePieceUnigram
from tokenizers.runtime.wordpiece import WordPiece
from tokenizers.text.corpus import Corpus, Pipeline
from tokenizers.wordpiece.matching import Match

FIRST_TEXT = "She sells seashells on the seashore, and the shells she sells are unbelievably small."
FIRST_WORD = "unbelievably"
READS, MATCHES, WEIGHS, OLDER = "o200k", "bert-uncased", "unigram-english", "gpt2"
LONGEST_WORD = 40
LEFT = 18  # characters of what is left of a word, which a phone has room for
AROUND = ".,;:!?“”\"'()"
UNITS = ("words.prose", "characters.prose", "bytes.prose.256", f"real.{READS}")
"""The rows of the second figure, as Side by side has them in its address."""
GPT2 = Pipeline((), "gpt2")
MOST_CHUNKS = 6  # words that the second figure draws
MOST_DRAWN = 120  # characters of them
LANGUAGES = ("en", "es", "zh-Hans", "ar", "ta")


# --- A text is numbers ----------------------------------------------------------------------------


def read(text: str) -> LoadedEncoding:
    """Cut a text as GPT-4o does. Raises ValueError as its tokenizer does."""
    return PublishedTokenizer(READS).encode(text)


def describe_numbers(text: str, found: LoadedEncoding) -> RichText:
    """Say what a model reads in place of a text."""
    size = len(PublishedTokenizer(READS).vocab)
    numbers = ("strong", count_of(len(found.ids), "number"))
    each = f". Each stands for one of the {size:,} tokens in its vocabulary."
    return f"GPT-4o reads {count_of(len(text), 'character')} as ", numbers, each


# --- Words, characters, bytes ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Units:
    """A text in units of several kinds: of each its name and its counts, and the chunks of a strip.

    `goes_on` tells whether the text is longer than they are; `listed` is how many words the list of
    whole words has.
    """

    names: tuple[str, ...]
    metrics: tuple[Metrics, ...]
    chunks: tuple[Chunk, ...]
    is_cut_off: bool
    num_listed: int


def units(text: str) -> Units:
    """Cut a text into words, characters, bytes, and the tokens of a model that people use.

    The words and characters are those of a page of prose; what it does not have is unknown.
    """
    prose = TEXTS["prose"].text or ""
    bytes_alone = bpe.Settings(base="bytes", num_merges=0)
    words = baselines.train(prose, "words")
    tokenizers = (
        NamedTokenizer("Whole words", "words", words),
        NamedTokenizer("Characters", "characters", baselines.train(prose, "characters")),
        NamedTokenizer("Bytes", "bytes", Trace.record(Corpus({}, None, GPT2), bytes_alone).model()),
        NamedTokenizer("GPT-4o", f"real.{READS}", PublishedTokenizer(READS)),
    )
    cuts = [tokenize(text, one) for one in tokenizers]
    spans = word_spans(text)
    start, end, _ = window(spans, len(text), 0)
    end = min(end, MOST_DRAWN)
    layout = AlignedLayout(text, (start, end), [one.readable for one in cuts], (), spans, ())
    drawn = list(islice(layout.spans(), MOST_CHUNKS + 1))
    return Units(
        tuple(one.name for one in tokenizers),
        tuple(one.figures.metrics for one in cuts),
        tuple(layout.chunk(*span) for span in drawn[:MOST_CHUNKS]),
        len(drawn) > MOST_CHUNKS or end < len(text),
        len(words.vocab) - 1,
    )


def describe_units(found: Units) -> RichText:
    """Say what is wrong with words, and what with characters and bytes."""
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
    """Return the last merge whose pair occurred more than once."""
    return sum(count > 1 for count in trace.counts)


def describe_merge(trace: Trace, k: int) -> RichText:
    """Say what merge `k` did, and what all of them have done to the text so far."""
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
    """Return the longest word of a text, the first of those; of a very long one the beginning.

    >>> longest_word("the shells, unbelievably."), longest_word(" ")
    ('unbelievably', '')
    """
    words = [text[start:end].strip(AROUND) for start, end in word_spans(text)]
    return max(words, key=len, default="")[:LONGEST_WORD]


def word_number(name: str, text: str, word: str) -> int:
    """Return the number, from 1, of a word of a text as a tokenizer reads both; 0 if it has none.

    Raises ValueError as the tokenizer does.
    """
    words = words_of(open_model(name), text)
    return next((n for n, one in enumerate(words, start=1) if one.text == word), 0)


def read_word(name: str, written: str) -> SegmentedWord | None:
    """Return a word as a published tokenizer reads it; the longest, if it reads several.

    None where it leaves nothing to step through. Raises ValueError as the tokenizer does.
    """
    words = [word for word in words_of(open_model(name), written) if not word.is_added]
    return max(words, key=lambda word: len(word.text), default=None)


def matches(word: str) -> tuple[Match, ...]:
    """Return the steps by which BERT's tokenizer matches a word."""
    model = open_model(MATCHES).model
    assert isinstance(model, WordPiece)
    return tuple(model.steps(word))


def match_rows(word: str, steps: Sequence[Match]) -> list[tuple[str, str | int, str]]:
    """Return for each step what is left of the word, what was tried in vain, what was taken."""
    marks = ["##" if step.start else "" for step in steps]
    return [
        (shorten(mark + word[step.start :], LEFT), len(step.rejected), step.piece or "nothing")
        for mark, step in zip(marks, steps, strict=True)
    ]


def describe_match(word: str, steps: Sequence[Match]) -> RichText:
    """Say what becomes of a word, and how much trying that took."""
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
    """Return the film of the ways to cut a word."""
    return best_splits_recording(lattice_of(word))


def lattice_of(word: str) -> Lattice:
    """Return all ways to cut a word by the pieces of a small English Unigram model."""
    model = open_model(WEIGHS).model
    assert isinstance(model, SentencePieceUnigram)
    return model.lattice(word)


# --- Cost -----------------------------------------------------------------------------------------


def language_costs() -> dict[str, MixResult]:
    """Cut the same sentences of every language by an older tokenizer and by a newer one."""
    return {
        model.title: measure_published(model)
        for model in (PublishedTokenizer(OLDER), PublishedTokenizer(READS))
    }


def describe_cost(found: dict[str, MixResult], code: str) -> RichText:
    """Say how many tokens a language pays for each one of English, by both tokenizers."""
    (old, older), (new, newer) = found.items()
    before, now = (cost(one, code, "premium") or 0.0 for one in (older, newer))
    return (
        f"The same sentences take {newer.tokens('en'):,} tokens of {new} in English, and ",
        ("strong", f"{newer.tokens(code):,}"),
        f" in {name_of(code)}: {now:.2f} times as many. With {old}, it was {before:.2f} times.",
    )


def describe_window(tokens: int, window: int) -> RichText:
    """Say how much of a context window a text takes."""
    if not tokens:
        return ()
    return (
        f"Your own text takes {count_of(tokens, 'token')} of GPT-4o. A context window of "
        f"{window:,} has room for it ",
        ("strong", times(window // tokens)),
        ".",
    )


def languages_with(found: dict[str, MixResult], code: str) -> list[str]:
    """Return the languages that are drawn, `code` among them, those first that pay least."""
    older = next(iter(found.values()))
    return sorted({*LANGUAGES, code}, key=older.tokens)
