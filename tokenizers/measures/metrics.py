"""The cost of a segmentation, as figures counted from an `Encoding` of a text.

A *word* is a run of characters without white space (Unicode's White_Space), whatever the tokenizer
itself calls a word, because only then can tokenizers be compared. A token belongs to every word
that it overlaps. A token with an empty span (`</w>`, an inserted `▁`) belongs to the word that it
touches, and a token added around the text (`[CLS]`) to no word.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import ne

import regex

from tokenizers.text.encoding import Encoding

Span = tuple[int, int]
_WORD = regex.compile(r"\S+")
_LINE = regex.compile(r"\S.*")


@dataclass(frozen=True, slots=True)
class Metrics:
    """Counts of one text split into tokens, and ratios of these counts.

    `characters` counts raw code points, including spaces, `unknown` the unknown tokens, and `lost`
    the characters in unknown tokens. `in_words` sums each word's number of tokens, so a token that
    overlaps two words counts twice, and a token of white space alone does not count.
    """

    tokens: int
    characters: int
    unknown: int
    vocabulary: int
    lost: int = 0
    words: int = 0
    in_words: int = 0

    @property
    def characters_per_token(self) -> float | None:
        """The number of raw characters per token, including spaces; None if there is no token."""
        return self.characters / self.tokens if self.tokens else None

    @property
    def tokens_per_character(self) -> float | None:
        """The number of tokens per raw character; None if the text is empty."""
        return self.tokens / self.characters if self.characters else None

    @property
    def fertility(self) -> float | None:
        """The mean number of tokens per word; None if there is no word."""
        return self.in_words / self.words if self.words else None

    @property
    def unknown_rate(self) -> float | None:
        """The fraction of tokens that are unknown; None if there is no token."""
        return self.unknown / self.tokens if self.tokens else None

    @property
    def lost_rate(self) -> float | None:
        """The fraction of characters in unknown tokens; None if the text is empty."""
        return self.lost / self.characters if self.characters else None


def measure(text: str, encoding: Encoding, vocabulary: int) -> Metrics:
    """Count the tokens of `encoding`, the encoding of the raw `text`.

    `vocabulary` is the model's number of pieces, without the unknown piece.
    """
    held = [len(tokens) for tokens in tokens_of_words(word_spans(text), encoding)]
    return Metrics(
        tokens=len(encoding.tokens),
        characters=len(text),
        unknown=sum(map(ne, encoding.tokens, encoding.pieces)),  # what became [UNK] or <unk>
        vocabulary=vocabulary,
        lost=len(unknown_characters(encoding)),
        words=len(held),
        in_words=sum(held),
    )


def word_spans(text: str) -> list[Span]:
    """Return the spans of a text's words, i.e. of its runs without white space.

    >>> word_spans(" low  tide.")
    [(1, 4), (6, 11)]
    """
    return [match.span() for match in _WORD.finditer(text)]


def line_spans(text: str) -> list[Span]:
    """Return the spans of a text's lines that are not blank, starting after leading spaces.

    >>> line_spans("one line\\n\\n  another")
    [(0, 8), (12, 19)]
    """
    return [match.span() for match in _LINE.finditer(text)]


def padding(lengths: Sequence[int]) -> float | None:
    """Return the fraction of padding in a batch that is padded to its longest sequence.

    It is None if the batch has no tokens. `lengths` contains each sequence's number of tokens.

    >>> padding([2, 4])
    0.25
    """
    longest = max(lengths, default=0)
    return 1 - sum(lengths) / (len(lengths) * longest) if longest else None


def tokens_of_words(words: Sequence[Span], found: Encoding) -> Iterator[range]:
    """Yield for each word the indices of its tokens; words and tokens must be in order.

    A token added around the text, such as `[CLS]`, belongs to no word.

    >>> spans = (0, 2), (2, 3), (3, 8), (8, 8)
    >>> found = Encoding(("lo", "w", " tide", "</w>"), (0, 1, 2, 3), spans, (), (0, 0, 1, 1))
    >>> [list(held) for held in tokens_of_words([(0, 3), (4, 8)], found)]
    [[0, 1], [2, 3]]
    """
    offsets, numbers, first = found.offsets, found.words, 0
    for start, end in words:
        while first < len(offsets) and (numbers[first] < 0 or _lies_before(offsets[first], start)):
            first += 1
        last = first
        while last < len(offsets) and numbers[last] >= 0 and _begins_in(offsets[last], end):
            last += 1
        yield range(first, last)


def _lies_before(token: Span, start: int) -> bool:
    return token[1] < start or (token[1] == start and token[0] < start)


def _begins_in(token: Span, end: int) -> bool:
    return token[0] < end or token[0] == token[1] == end


def unknown_characters(encoding: Encoding) -> set[int]:
    """Return the positions of the raw characters in unknown tokens."""
    rows = zip(encoding.tokens, encoding.pieces, encoding.offsets, strict=True)
    return {position for token, piece, span in rows if token != piece for position in range(*span)}


# --- The cost of a vocabulary and of a length in a model ------------------------------------------


def embedding_parameters(rows: int, width: int) -> int:
    """Return an embedding table's number of parameters: each id has a row of `width` numbers.

    >>> embedding_parameters(100_000, 4096)
    409600000
    """
    return rows * width


def embedding_bytes(rows: int, width: int, bytes_per_number: int) -> int:
    """Return an embedding table's size; float32 takes four bytes per number, float16 two.

    >>> embedding_bytes(50_257, 768, 4)  # GPT-2: 154.4 MB
    154389504
    """
    return embedding_parameters(rows, width) * bytes_per_number


def attention_pairs(tokens: int) -> int:
    """Return the number of position pairs in one head of full self-attention, which is T².

    >>> attention_pairs(1024)
    1048576
    """
    return tokens * tokens


def logits(tokens: int, rows: int) -> int:
    """Return the output layer's number of logits for one sequence, which is T · V.

    There is one logit for each id at each position; the softmax runs over a position's V logits.

    >>> logits(1024, 50_257)
    51463168
    """
    return tokens * rows


def gini(costs: Sequence[int]) -> float:
    """Return the Gini coefficient of what several languages pay: 0 if all pay the same.

    It is half the mean difference between two languages, divided by the mean cost.

    >>> gini([1, 3]), gini([2, 2])
    (0.25, 0.0)
    """
    differences = sum(abs(a - b) for a in costs for b in costs)
    return differences / (2 * len(costs) * sum(costs)) if sum(costs) else 0.0
