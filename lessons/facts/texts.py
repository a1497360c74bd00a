"""Facts about a text without steps, sent through a pipeline or split by several tokenizers.

The facts hold results only; the tokenizers stay in pages/lesson/pictures/build_pictures.py. In a
pipeline, position k selects token k, from 1; tokenizers side by side have only position 0.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lessons.facts.base import PictureFacts, TextFacts, require, text_of, whole_number
from lessons.format.errors import LessonLookupError, among, entry
from lessons.format.words import RichText, Tokens, decimal, in_row, join_list, name_list
from tokenizers.measures.metrics import attention_pairs, embedding_bytes, embedding_parameters
from tokenizers.text.sequences import input_target_pairs, num_sequences

FLOAT32 = 4  # bytes per number


@dataclass(frozen=True, slots=True)
class PipelineFacts(PictureFacts):
    """A text in a pipeline; `stages` maps each stage's name to the text after the stage.

    `unit_tokens` are the tokens, `pieces` the tokens before unknown ones are replaced, `words` the
    pre-tokens. For each token, `in_word` has the index of its pre-token, and `offsets` has its
    (start, end) in the original text, in characters from 0.
    """

    stages: Mapping[str, str]
    unit_tokens: Tokens
    pieces: Tokens
    ids: tuple[int, ...]
    words: Tokens
    in_word: tuple[int, ...]
    decoded: str
    vocabulary: int
    offsets: tuple[tuple[int, int], ...] = ()

    @property
    def last(self) -> int:
        """The number of tokens."""
        return len(self.unit_tokens)

    @property
    def raw(self) -> str:
        """The original text."""
        return next(iter(self.stages.values()))

    def tokens(self) -> Tokens:
        """Return the tokens and the pre-tokens."""
        return (*self.unit_tokens, *self.pieces, *self.words)

    def split(self, word: str) -> Tokens:
        """Return the tokens of a pre-token. Raises LessonLookupError for another word."""
        n = self.words.index(among(word, self.words, "is not a pre-token here", 8))
        pairs = zip(self.unit_tokens, self.in_word, strict=True)
        return tuple([token for token, at in pairs if at == n])

    def number(self, at: int, token: str) -> int:
        """Return a token's number, by default `at`. Raises LessonLookupError if there is none."""
        if not token and not at:
            raise LessonLookupError("No token is marked. Write: at = { token = … }")
        return self.find_token(token) if token else at

    def find_token(self, value: Any) -> int:
        """The first token with this text, or else the first piece that became unknown."""
        token = text_of(value, 'token = "movie"')
        for names in (self.unit_tokens, self.pieces):
            if token in names:
                return names.index(token) + 1
        raise LessonLookupError(
            f"“{token}” is not a token here. There are: {name_list(self.unit_tokens, 12)}."
        )

    def field_text(self, at: int, argument: str) -> RichText:
        """The original text."""
        return (("word", self.raw),)

    def field_stage(self, at: int, argument: str) -> RichText:
        """`{stage:lower}`: the text after a stage."""
        return (
            ("word", entry(self.stages, require(argument, "stage:lower"), "there is no stage")),
        )

    def field_words(self, at: int, argument: str) -> RichText:
        """The pre-tokens."""
        return in_row(self.words)

    def field_split(self, at: int, argument: str) -> RichText:
        """The tokens of the text, or with `{split:movie}` of a pre-token."""
        return in_row(self.split(argument) if argument else self.unit_tokens)

    def field_tokens(self, at: int, argument: str) -> RichText:
        """How many tokens the text has, or with `{tokens:movie}` a pre-token."""
        return (f"{len(self.split(argument) if argument else self.unit_tokens):,}",)

    def field_token(self, at: int, argument: str) -> RichText:
        """The selected token."""
        return (("token", self.unit_tokens[self.number(at, "") - 1]),)

    def field_id(self, at: int, argument: str) -> RichText:
        """The id of the selected token, or with `{id:movie}` of any token."""
        return (f"{self.ids[self.number(at, argument) - 1]:,}",)

    def field_raw(self, at: int, argument: str) -> RichText:
        """The original text of the selected token, or with `{raw:resume}` of any token."""
        start, end = self.offsets[self.number(at, argument) - 1]
        return (("word", self.raw[start:end]),)

    def field_start(self, at: int, argument: str) -> RichText:
        """The start offset, from 0, of the selected token in the original text."""
        return (f"{self.offsets[self.number(at, argument) - 1][0]:,}",)

    def field_end(self, at: int, argument: str) -> RichText:
        """The end offset of the selected token in the original text."""
        return (f"{self.offsets[self.number(at, argument) - 1][1]:,}",)

    def field_x(self, at: int, argument: str) -> RichText:
        """`{x:4}`: the input ids of a language model's first training sequence of length 4."""
        return (", ".join(f"{one:,}" for one in self._first(argument, "x")[0]),)

    def field_y(self, at: int, argument: str) -> RichText:
        """`{y:4}`: the target ids of the first sequence, each the successor of an input id."""
        return (", ".join(f"{one:,}" for one in self._first(argument, "y")[1]),)

    def field_given(self, at: int, argument: str) -> RichText:
        """`{given:3}`: the input id at a position, counted from 1."""
        return (f"{self._first(argument, 'given')[0][-1]:,}",)

    def field_next(self, at: int, argument: str) -> RichText:
        """`{next:3}`: the target id at a position, counted from 1."""
        return (f"{self._first(argument, 'next')[1][-1]:,}",)

    def field_sequences(self, at: int, argument: str) -> RichText:
        """`{sequences:2}`: the number of training sequences of length 2 without overlap."""
        length = self._length(argument, "sequences")
        return (f"{num_sequences(len(self.ids), length, length):,}",)

    def field_overlapping(self, at: int, argument: str) -> RichText:
        """`{overlapping:2}`: the number of training sequences if one starts at every id."""
        return (f"{num_sequences(len(self.ids), self._length(argument, 'overlapping'), 1):,}",)

    def field_fitting(self, at: int, argument: str) -> RichText:
        """`{fitting:2}`: the number of ids divided by 2, rounded down."""
        return (f"{len(self.ids) // self._length(argument, 'fitting'):,}",)

    def _first(self, argument: str, field: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
        length = self._length(argument, field)
        return next(input_target_pairs(self.ids, length, length))

    def _length(self, argument: str, field: str) -> int:
        """Parse a sequence length. Raises LessonLookupError unless it leaves a target id."""
        length = whole_number(require(argument, f"{field}:3"), f"{field}:3")
        if not 0 < length < len(self.ids):
            raise LessonLookupError(
                f"There are {len(self.ids)} ids: something follows 1 to one less."
            )
        return length

    def field_unknown(self, at: int, argument: str) -> RichText:
        """How many tokens are unknown."""
        return (f"{self.unknown():,}",)

    def unknown(self) -> int:
        """Return how many tokens are unknown."""
        return sum(a != b for a, b in zip(self.unit_tokens, self.pieces, strict=True))

    def field_characters(self, at: int, argument: str) -> RichText:
        """How many characters the text has."""
        return (f"{len(self.raw):,}",)

    def field_bytes(self, at: int, argument: str) -> RichText:
        """How many UTF-8 bytes the text has."""
        return (f"{len(self.raw.encode()):,}",)

    def field_decoded(self, at: int, argument: str) -> RichText:
        """The text that the ids are decoded to."""
        return (("word", self.decoded),)

    def field_vocabulary(self, at: int, argument: str) -> RichText:
        """How many pieces the vocabulary has."""
        return (f"{self.vocabulary:,}",)


@dataclass(frozen=True, slots=True)
class Segmentation:
    """One tokenizer's tokens of the text, how many are unknown, and the tokenizer's size."""

    name: str
    tokens: Tokens
    unknown: int
    vocabulary: int


@dataclass(frozen=True, slots=True)
class SegmentationsFacts(TextFacts):
    """One text split by several tokenizers; `cuts` maps a kind of tokenizer to its tokens."""

    cuts: Mapping[str, Segmentation]

    def tokens(self) -> Tokens:
        """Return all tokens."""
        return tuple([token for cut in self.cuts.values() for token in cut.tokens])

    def cut(self, kind: str, field: str = "tokens") -> Segmentation:
        """Return the segmentation by a tokenizer. Raises LessonLookupError if it is not shown."""
        require(kind, f"{field}:{next(iter(self.cuts))}")
        return entry(self.cuts, kind, "there is no tokenizer")

    def field_characters(self, at: int, argument: str) -> RichText:
        """How many characters the text has."""
        return (f"{len(self.text):,}",)

    def field_tokens(self, at: int, argument: str) -> RichText:
        """`{tokens:bpe}`: how many tokens a tokenizer makes of the text."""
        return (f"{len(self.cut(argument).tokens):,}",)

    def field_split(self, at: int, argument: str) -> RichText:
        """`{split:bpe}`: the tokens that a tokenizer makes of the text."""
        return in_row(self.cut(argument, "split").tokens)

    def field_unknown(self, at: int, argument: str) -> RichText:
        """`{unknown:bpe}`: how many of a tokenizer's tokens are unknown."""
        return (f"{self.cut(argument, 'unknown').unknown:,}",)

    def field_vocabulary(self, at: int, argument: str) -> RichText:
        """`{vocabulary:bpe}`: how many pieces the tokenizer has."""
        return (f"{self.cut(argument, 'vocabulary').vocabulary:,}",)

    def field_per_token(self, at: int, argument: str) -> RichText:
        """`{per_token:bpe}`: the average number of characters per token."""
        return (decimal(len(self.text) / max(len(self.cut(argument).tokens), 1), 1),)

    def field_per_word(self, at: int, argument: str) -> RichText:
        """`{per_word:bpe}`: the average number of tokens per word between spaces (fertility)."""
        words = max(len(self.text.split()), 1)
        return (decimal(len(self.cut(argument, "per_word").tokens) / words),)

    def field_pairs(self, at: int, argument: str) -> RichText:
        """`{pairs:bpe}`: the number of pairs in full self-attention, i.e. tokens squared."""
        return (f"{attention_pairs(len(self.cut(argument, 'pairs').tokens)):,}",)

    def field_parameters(self, at: int, argument: str) -> RichText:
        """`{parameters:bpe 768}`: how many parameters an embedding table of width 768 has."""
        return (f"{embedding_parameters(*self.table(argument, 'parameters')):,}",)

    def field_megabytes(self, at: int, argument: str) -> RichText:
        """`{megabytes:bpe 768}`: an embedding table's size in float32, in millions of bytes."""
        rows, width = self.table(argument, "megabytes")
        return (decimal(embedding_bytes(rows, width, FLOAT32) / 1e6, 1),)

    def table(self, argument: str, field: str) -> tuple[int, int]:
        """Return the rows and width for "bpe 768". Raises LessonLookupError for another form."""
        kind, _, width = argument.partition(" ")
        row = whole_number(width, f"{field}:bpe 768")
        return self.cut(kind, field).vocabulary, row

    def field_fewest(self, at: int, argument: str) -> RichText:
        """The tokenizer with the fewest tokens; several if they tie."""
        least = min(len(cut.tokens) for cut in self.cuts.values())
        return join_list([(c.name,) for c in self.cuts.values() if len(c.tokens) == least])
