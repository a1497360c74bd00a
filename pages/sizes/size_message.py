"""The message to the browser about a text at every size, and the tables below the slider.

The message has each distinct drawn word with its changes from size to size, so that the browser
can move between any two sizes and update only the words that differ. An exported file contains the
same message.
"""

import zlib
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import orjson

from pages.shared.component import PRESENTER, build_component
from pages.shared.drawing.display_text import show_spaces, tint
from pages.shared.drawing.phrasing import count_of
from pages.shared.drawing.prices import WIDTHS
from pages.shared.training.published import (
    PACK,
    PublishedTokenizer,
    is_published,
    published_tokenizer,
)
from pages.shared.training.source import CorpusSource
from pages.shared.training.tokenizer_kinds import KINDS
from pages.sizes.by_size import (
    TRAINABLE,
    SegmentationsBySize,
    WordBySize,
    segment_by_size,
    train_and_segment,
)
from pages.sizes.published import GREEDY, segment_published
from pages.sizes.sized_runs import pretrained_run
from tokenizers.progress import ProgressCallback
from tokenizers.text.corpus import Pipeline
from tokenizers.text.symbols import Split

MAX_DRAWN = 3_000  # maximum number of characters that are drawn
NEWEST = 24  # pieces that are listed
ROWS = 12  # approximate number of rows of the table of sizes
_HERE = Path(__file__).parent
_HTML = (_HERE / "size_slider.html").read_text("utf-8")
_SCRIPTS = (
    *PRESENTER,
    "../shared/drawing/display_text.js",
    "rows.js",
    "figures.js",
    "size_slider.js",
)
SIZE_SLIDER = build_component("sizes", _HERE, "size_slider.css", *_SCRIPTS, html=_HTML)
NAMES = {kind: KINDS[kind].name for kind in TRAINABLE} | {kind: PACK[kind] for kind in GREEDY}
"""The names of the page's tokenizers, which are trained here or are published BPEs."""


def name_of(kind: str) -> str:
    """Return a tokenizer's name, from `NAMES` or from the user's tokenizer."""
    return NAMES.get(kind) or published_tokenizer(kind).title


@dataclass(frozen=True, slots=True)
class PackedTokenizer:
    """A text segmented by one tokenizer at all its sizes; `packed` is the data for the browser.

    The other fields are explained in `SegmentationsBySize`.
    """

    kind: str
    sizes: tuple[int, ...]
    tokens: tuple[int, ...]
    new: tuple[Split, ...]
    extra_ids: int
    stopped: str
    notes: tuple[str, ...]
    packed: bytes

    def index(self, size: int) -> int:
        """Return the index of the largest recorded size that is at most `size`, or 0."""
        return max(bisect_right(self.sizes, size) - 1, 0)

    def tokens_at(self, size: int, none: str) -> int | str:
        """Return the number of tokens at a size; `none` below the smallest recorded size."""
        return self.tokens[self.index(size)] if size >= self.sizes[0] else none


def pack_by_size(
    report: ProgressCallback, source: CorpusSource | None, kind: str, text: str
) -> PackedTokenizer:
    """Train a tokenizer, segment `text` at all its sizes and pack the result, in a worker process.

    Without a source, the pretrained tokenizer is used.
    """
    if source:
        return _pack(train_and_segment(report, source, kind, text))
    return _pack(segment_by_size(report, pretrained_run(kind), text))


def pack_published(model: PublishedTokenizer, text: str) -> PackedTokenizer:
    """Segment `text` as `segment_published` does, and pack the result."""
    return _pack(segment_published(model, text))


def _pack(segmented: SegmentationsBySize) -> PackedTokenizer:
    fields = (
        segmented.kind,
        segmented.sizes,
        segmented.tokens,
        segmented.new,
        segmented.extra_ids,
        segmented.stopped,
        segmented.notes,
    )
    return PackedTokenizer(*fields, zlib.compress(orjson.dumps(kind_message(segmented))))


@dataclass(frozen=True, slots=True)
class SizeComparison:
    """A text, segmented by several tokenizers at all their sizes.

    `sizes` is the union of their recorded sizes. `words` is the number of words in the text, split
    at spaces for all tokenizers, so that tokens per word can be compared.
    """

    tokenizers: tuple[PackedTokenizer, ...]
    sizes: tuple[int, ...]
    words: int

    @property
    def notes(self) -> list[str]:
        """The notes on all tokenizers, each once."""
        return list(dict.fromkeys(note for one in self.tokenizers for note in one.notes))

    def nearest(self, size: int) -> int:
        """Return the largest of `sizes` that is at most `size`, or the first one."""
        return self.sizes[max(bisect_right(self.sizes, size) - 1, 0)]


def compare_sizes(tokenizers: Sequence[PackedTokenizer], text: str) -> SizeComparison:
    """Combine the segmentations of `text` by several tokenizers."""
    sizes = tuple(sorted({size for one in tokenizers for size in one.sizes}))
    return SizeComparison(tuple(tokenizers), sizes, max(sum(1 for _ in Pipeline().words(text)), 1))


def kind_message(one: SegmentationsBySize) -> dict[str, object]:
    """Return the data for the browser, i.e. the drawn words and the figures for every size."""
    drawn, room = [], MAX_DRAWN
    for number in one.text:
        if room <= 0:
            break
        drawn.append(number)
        room -= len(one.words[number].symbols)
    numbers = list(dict.fromkeys(drawn))
    words = [clipped(one.words[number], MAX_DRAWN) for number in numbers]
    index = {number: n for n, number in enumerate(numbers)}
    display_form = display_form_of(one.kind)
    return {
        "name": name_of(one.kind),
        "legend": "" if is_published(one.kind) else KINDS[one.kind].mark,
        "published": is_published(one.kind),
        "mark": one.mark,
        "shrinks": one.kind == "unigram",
        "sizes": one.sizes,
        "extraIds": one.extra_ids,
        "tokens": one.tokens,
        "new": [[show_spaces(display_form(new[0])) if new else "", len(new)] for new in one.new],
        "tints": [tint(display_form(new[0])) if new else 0 for new in one.new],
        "occurrences": one.occurrences,
        "pieces": _pieces(words, one),
        "words": [[w.symbols, w.cuts, w.changes, w.is_unknown] for w in words],
        "text": [index[number] for number in drawn],
        "more": len(one.text) - len(drawn)
        or sum(len(one.words[n].symbols) > MAX_DRAWN for n in drawn),
    }


def clipped(word: WordBySize, most: int) -> WordBySize:
    """Return the word, or the first `most` symbols of a very long one.

    >>> short = clipped(WordBySize(tuple("abcd"), 1, (1, 2, 3), ((1, (2, 3)),)), 3)
    >>> short.symbols, short.cuts, short.changes
    (('a', 'b', 'c'), (1, 2), ((1, (2,)),))
    """
    if len(word.symbols) <= most:
        return word
    changes = ((i, tuple([p for p in positions if p < most])) for i, positions in word.changes)
    return WordBySize(
        word.symbols[:most],
        word.count,
        tuple([position for position in word.cuts if position < most]),
        tuple([change for change in changes if change[1]]),
        word.is_unknown,
    )


def _pieces(
    words: Sequence[WordBySize], one: SegmentationsBySize
) -> list[tuple[str, str, int, int]]:
    """Return (token, displayed form, tint, first size's index) of every token that can be drawn.

    The index is -1 if the token is unknown, i.e. neither it nor its first symbol is a piece. The
    last token of a clipped word need not be a piece, but its first symbol is one.
    """
    tokens = {
        word.token(span, one.mark) for word in words for _, spans in word.formed() for span in spans
    }
    candidates = tokens.union([token[:1] for token in tokens])
    first_index = {
        piece: index for index, new in enumerate(one.new) for piece in candidates.intersection(new)
    }

    def since(token: str) -> int:
        return first_index.get(token, 0 if token[:1] in first_index else -1)

    display_form = display_form_of(one.kind)
    displayed = [(token, display_form(token)) for token in sorted(tokens)]
    return [(token, show_spaces(form), tint(form), since(token)) for token, form in displayed]


def display_form_of(kind: str) -> Callable[[str], str]:
    """Return the function that maps a tokenizer's piece to its displayed form."""
    return published_tokenizer(kind).token_text if is_published(kind) else str


def message(comparison: SizeComparison, model: tuple[int, str]) -> dict[str, object]:
    """Return the message without the chosen size; `packed` of each tokenizer is sent along with it.

    `model` has the embedding dimension and the number format.
    """
    width, precision = model
    return {
        "width": width,
        "precision": precision,
        "bytes": WIDTHS[precision],
        "words": comparison.words,
    }


# --- The tables below -----------------------------------------------------------------------------


def newest(one: PackedTokenizer, size: int) -> tuple[str, ...]:
    """Return the pieces that the vocabulary of `size` gained last, the newest first."""
    found: list[str] = []
    for index in range(one.index(size), 0, -1):
        found += reversed(one.new[index])
        if len(found) >= NEWEST:
            break
    return tuple(found[:NEWEST])


def some_sizes(comparison: SizeComparison) -> list[int]:
    """Return about `ROWS` sizes from the smallest to the largest, in geometric progression."""
    low, high = comparison.sizes[0], comparison.sizes[-1]
    factor = (high / low) ** (1 / (ROWS - 1))
    wanted = [round(low * factor**n) for n in range(ROWS)]
    return sorted({low, *map(comparison.nearest, wanted), high})


def size_table(
    comparison: SizeComparison, width: int, at: int
) -> tuple[list[str], list[list[str | int]]]:
    """Return the columns and rows of a table of tokens and embedding parameters by size.

    `width` is the embedding dimension; the unknown token, if any, has an embedding vector too. The
    size `at` always has a row.
    """
    names = [f"tokens, {name_of(one.kind)}" for one in comparison.tokenizers]
    extra_ids = max(one.extra_ids for one in comparison.tokenizers)
    ids = f"(V + {extra_ids})" if extra_ids else "V"
    columns = ["pieces, V", *names, f"{ids} · {width:,} parameters"]
    rows: list[list[str | int]] = []
    for size in sorted({*some_sizes(comparison), at}):
        tokens = [one.tokens_at(size, "–") for one in comparison.tokenizers]
        rows.append([size, *tokens, (size + extra_ids) * width])
    return columns, rows


def finding(comparison: SizeComparison) -> str:
    """Summarize the curves, with a sentence for each tokenizer."""
    sentences = (
        f"{name_of(one.kind)}: {count_of(one.tokens[0], 'token')} with {one.sizes[0]:,} pieces, "
        f"{one.tokens[-1]:,} with {one.sizes[-1]:,}"
        for one in comparison.tokenizers
    )
    return ". ".join(sentences) + "."


def describe_sizes(one: PackedTokenizer) -> str:
    """Describe which sizes are recorded for a tokenizer, and why no others are."""
    name, low, high = name_of(one.kind), one.sizes[0], one.sizes[-1]
    sizes = count_of(len(one.sizes), "size")
    if is_published(one.kind):
        return (
            f"{name} starts from {low:,} pieces and has {high - low:,} merges, of which "
            f"{len(one.sizes) - 2:,} change how this text is split. The slider stops at those: "
            "a list that ends between two of them splits it just the same."
        )
    if one.kind == "unigram":
        return (
            f"{name} has {sizes} on record, all from one run that shrinks from {high:,} pieces "
            f"to {low:,}. It starts with substrings that occur at least twice in its text, "
            "so rare words are never one piece."
        )
    return f"{name} has {sizes} on record, from {low:,} to {high:,} pieces: {one.stopped}."
