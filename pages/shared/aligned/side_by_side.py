"""Split one text by several tokenizers, count how far they agree, and lay out their tokens.

`compare` runs in a worker process. It encodes the text with every tokenizer, counts, and lays out a
part of the text (layout.py), which the browser draws (aligned_view.js).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from pages.shared.aligned.layout import AlignedLayout, Chunk
from pages.shared.drawing.phrasing import count_of
from pages.shared.training.published import PublishedTokenizer
from pages.shared.training.tokenizer_kinds import Model, decode
from tokenizers.baselines import UNITS
from tokenizers.measures import agreement
from tokenizers.measures.metrics import Metrics, Span, measure, word_spans
from tokenizers.progress import ProgressCallback
from tokenizers.runtime.components import LoadedEncoding
from tokenizers.text.encoding import Encoding

MAX_DRAWN_WORDS = 100
MAX_DRAWN_CHARS = 1_000
"""At most this many characters are drawn at once; a longer word is cut off there."""


@dataclass(frozen=True, slots=True)
class NamedTokenizer:
    """A tokenizer in a comparison, its name and its kind (of `KINDS`, or `real.` + name)."""

    name: str
    kind: str
    model: Model | PublishedTokenizer

    @property
    def num_pieces(self) -> int:
        """The number of pieces in its vocabulary, not counting the unknown token."""
        if isinstance(self.model, PublishedTokenizer):
            return len(self.model.vocab) - (self.model.unk is not None)
        return sum(piece not in ("[UNK]", "<unk>") for piece in self.model.vocab)

    def encode(self, text: str) -> Encoding:
        """Encode a text. Raises UserError for a lone surrogate."""
        return self.model.encode(text)


@dataclass(frozen=True, slots=True)
class TokenizerFigures:
    """The figures of a tokenized text; `num_ids` is how many rows an embedding table needs.

    `first_loss` is the offset of the first character that decoding does not give back, -1 for none.
    """

    name: str
    kind: str
    metrics: Metrics
    num_ids: int
    first_loss: int


@dataclass(frozen=True, slots=True)
class TokenizedText:
    """A text split by a tokenizer; `readable` has the same tokens in human-readable form."""

    encoding: Encoding
    readable: Encoding
    figures: TokenizerFigures


def tokenize(text: str, one: NamedTokenizer) -> TokenizedText:
    """Split a text. Raises UserError for a lone surrogate."""
    encoding = one.encode(text)
    readable = encoding
    if isinstance(one.model, PublishedTokenizer) and isinstance(encoding, LoadedEncoding):
        readable = one.model.with_readable_tokens(encoding)
    loss_offset = first_loss(text, decode(encoding, one.model))
    metrics = measure(text, encoding, one.num_pieces)
    return TokenizedText(
        encoding,
        readable,
        TokenizerFigures(one.name, one.kind, metrics, len(one.model.vocab), loss_offset),
    )


@dataclass(frozen=True, slots=True)
class Comparison:
    """The results that the page shows at first.

    `counted` has the indices of the tokenizers whose agreement counts; words and characters only
    count if fewer than two others are left. `pairs` maps two indices to their agreement. All
    counted tokenizers split `alike` of the text's `words` alike; they also agree on `alike_unknown`
    more, which contain something unknown. The chunks show words `first` to `last`, without the last
    `hidden` characters of word `last`.
    """

    figures: tuple[TokenizerFigures, ...]
    counted: tuple[int, ...]
    pairs: Mapping[tuple[int, int], agreement.Agreement]
    words: int
    alike: int
    alike_unknown: int
    first: int
    last: int
    hidden: int
    chunks: tuple[Chunk, ...]

    @property
    def has_uncounted(self) -> bool:
        """Whether some tokenizers' agreement is not counted (see `counted_indices`)."""
        return len(self.counted) < len(self.figures)

    def ids(self, row: int) -> set[int]:
        """Return the ids that are drawn in a row."""
        return {tile.id for one in self.chunks for cell in one.rows[row] for tile in cell.tiles}


def compare(
    report: ProgressCallback,
    text: str,
    tokenizers: Sequence[NamedTokenizer | TokenizedText],
    first: int,
) -> Comparison:
    """Split a text by every tokenizer and lay out its words, starting at number `first` (from 0).

    Texts that are already tokenized are used as they are. Raises UserError for a lone surrogate.
    """
    texts = [one if isinstance(one, TokenizedText) else tokenize(text, one) for one in tokenizers]
    words = word_spans(text)
    parts = [agreement.tokens_by_word(words, one.encoding) for one in texts]
    figures = tuple([one.figures for one in texts])
    counted = counted_indices(figures)
    first = min(first, max(len(words) - 1, 0))
    start, end, last = window(words, len(text), first)
    readable = [one.readable for one in texts]
    counted_parts = [parts[n] for n in counted]
    layout = AlignedLayout(text, (start, end), readable, counted, words, counted_parts)
    return Comparison(
        figures=figures,
        counted=counted,
        pairs={
            (a, b): agreement.compare(words, parts[a], parts[b])
            for a, b in combinations(range(len(texts)), 2)
        },
        words=len(words),
        alike=sum(agreement.same_in_all(counted_parts)),
        alike_unknown=sum(
            len(set(word)) == 1 and agreement.has_unknown(word[0])
            for word in zip(*counted_parts, strict=True)
        ),
        first=first,
        last=last,
        hidden=max(words[last][1] - end, 0) if words else 0,
        chunks=tuple(layout.chunk(*span) for span in layout.spans()),
    )


def counted_indices(rows: Sequence[TokenizerFigures]) -> tuple[int, ...]:
    """Return the indices of the tokenizers whose agreement is counted.

    Excludes words and characters, the two extremes, which would rule out any agreement.
    """
    between = tuple(n for n, row in enumerate(rows) if row.kind not in UNITS)
    return between if len(between) > 1 else tuple(range(len(rows)))


def first_loss(text: str, decoded: str) -> int:
    """Return the first offset at which the decoded text differs from the raw one; -1 if none does.

    >>> first_loss("low tide", "low tide"), first_loss("low  tide", "low tide")
    (-1, 4)
    """
    if text == decoded:
        return -1
    both = zip(text, decoded, strict=False)
    return next((n for n, (a, b) in enumerate(both) if a != b), min(len(text), len(decoded)))


def window(words: Sequence[Span], length: int, first: int) -> tuple[int, int, int]:
    """Return the start and end of the text that is drawn, and the index of its last word.

    `length` is the text's length in characters, `first` the index of the first word to draw.
    """
    if not words:
        return 0, min(length, MAX_DRAWN_CHARS), 0
    start = words[first - 1][1] if first else 0
    last = first
    while last + 1 < min(len(words), first + MAX_DRAWN_WORDS):
        if words[last + 1][1] - start > MAX_DRAWN_CHARS:
            break
        last += 1
    end = length if last == len(words) - 1 else words[last][1]
    return start, min(end, start + MAX_DRAWN_CHARS), last


# --- In words -------------------------------------------------------------------------------------

NOT_COUNTED = " Whole words and single characters, the two extremes, are not counted."


NUMBERS = dict(enumerate(("three", "four", "five", "six", "seven", "eight"), start=3))


def describe_agreement(comparison: Comparison) -> str:
    """Return sentences on how many words all tokenizers split alike, and which two agree most."""
    names = [one.name for one in comparison.figures]
    if len(comparison.counted) < 2 or not comparison.words:
        return ""
    counted = [names[n] for n in comparison.counted]
    who = " and ".join(counted) if len(counted) == 2 else f"The {NUMBERS[len(counted)]} tokenizers"
    words = f"agree on {comparison.alike:,} of the {comparison.words:,} words"
    if comparison.words == 1:
        words = "agree on the one word" if comparison.alike else "do not agree on the one word"
    sentences = [f"{who} {words}."]
    if comparison.alike_unknown:
        unknown = count_of(comparison.alike_unknown, "more word")
        sentences.append(f"In {unknown}, all of them have the same [UNK], which is no agreement.")
    return " ".join(sentences + _describe_most_alike(comparison, names))


def _describe_most_alike(comparison: Comparison, names: Sequence[str]) -> list[str]:
    """Describe the two tokenizers that agree most, unless there is a tie or all agree as often."""
    counted = set(comparison.counted)
    alike = {pair: one.alike for pair, one in comparison.pairs.items() if counted.issuperset(pair)}
    among = sorted(alike, key=lambda pair: -alike[pair])
    if len(among) < 2 or alike[among[0]] in (comparison.alike, alike[among[1]]):
        return []
    one, other = (names[n] for n in among[0])
    return [f"{one} and {other} agree most: on {alike[among[0]]:,}."]
