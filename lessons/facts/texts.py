"""The records of a text that is not stepped: sent through a pipeline, or cut by several tokenizers.

They hold what came out; the tokenizers themselves stay with the pictures
(pages/lessons/pictures/build_pictures.py). Position k of a pipeline is its token k, from 1; side by side
there is only position 0.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lessons.facts.base import PictureFacts, TextFacts, needs, text_of, whole_number
from lessons.format.errors import LessonLookupError, among, entry
from lessons.format.words import Text, Tokens, decimal, in_row, listed, named
from tokenizers.measures.metrics import attention_pairs, embedding_bytes, embedding_parameters
from tokenizers.text.sequences import input_target_pairs, num_sequences

FLOAT32 = 4  # bytes of a number


@dataclass(frozen=True, slots=True)
class PipelineFacts(PictureFacts):
    """A text at every stage: `stages` has the text after each one, by its name.

    `unit_tokens` are the tokens, `pieces` the same before the unknown were replaced, `words` the
    pre-tokens, and `in_word` tells of each token which pre-token it belongs to. `offsets` are the
    places of the tokens in the text as it was written: (start, end), counted in characters from 0.
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
        """The text as it was written."""
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
        """Return the number, from 1, of a token, or of the marked one. Raises LessonLookupError."""
        if not token and not at:
            raise LessonLookupError("No token is marked. Write: at = { token = … }")
        return self.find_token(token) if token else at

    def find_token(self, value: Any) -> int:
        """The first token that is, or was before it became unknown, this one."""
        token = text_of(value, 'token = "movie"')
        for names in (self.unit_tokens, self.pieces):
            if token in names:
                return names.index(token) + 1
        raise LessonLookupError(
            f"“{token}” is not a token here. There are: {named(self.unit_tokens, 12)}."
        )

    def field_text(self, at: int, argument: str) -> Text:
        """The text as it was written."""
        return (("word", self.raw),)

    def field_stage(self, at: int, argument: str) -> Text:
        """`{stage:lower}`: the text after a stage."""
        return (("word", entry(self.stages, needs(argument, "stage:lower"), "there is no stage")),)

    def field_words(self, at: int, argument: str) -> Text:
        """The pre-tokens."""
        return in_row(self.words)

    def field_split(self, at: int, argument: str) -> Text:
        """The tokens; `{split:movie}`: those of a pre-token."""
        return in_row(self.split(argument) if argument else self.unit_tokens)

    def field_tokens(self, at: int, argument: str) -> Text:
        """How many tokens there are; `{tokens:movie}`: in a pre-token."""
        return (f"{len(self.split(argument) if argument else self.unit_tokens):,}",)

    def field_token(self, at: int, argument: str) -> Text:
        """The token that is marked."""
        return (("token", self.unit_tokens[self.number(at, "") - 1]),)

    def field_id(self, at: int, argument: str) -> Text:
        """The id of the marked token; `{id:movie}`: of any token."""
        return (f"{self.ids[self.number(at, argument) - 1]:,}",)

    def field_raw(self, at: int, argument: str) -> Text:
        """What the marked token was as it was written; `{raw:resume}`: any token."""
        start, end = self.offsets[self.number(at, argument) - 1]
        return (("word", self.raw[start:end]),)

    def field_start(self, at: int, argument: str) -> Text:
        """The place, from 0, where the marked token begins in the text as it was written."""
        return (f"{self.offsets[self.number(at, argument) - 1][0]:,}",)

    def field_end(self, at: int, argument: str) -> Text:
        """The place just behind the marked token in the text as it was written."""
        return (f"{self.offsets[self.number(at, argument) - 1][1]:,}",)

    def field_x(self, at: int, argument: str) -> Text:
        """`{x:4}`: the ids that a language model is given, as the first sequence of 4."""
        return (", ".join(f"{one:,}" for one in self._first(argument, "x")[0]),)

    def field_y(self, at: int, argument: str) -> Text:
        """`{y:4}`: the ids that follow at each place of that sequence."""
        return (", ".join(f"{one:,}" for one in self._first(argument, "y")[1]),)

    def field_given(self, at: int, argument: str) -> Text:
        """`{given:3}`: the id at a place, from 1."""
        return (f"{self._first(argument, 'given')[0][-1]:,}",)

    def field_next(self, at: int, argument: str) -> Text:
        """`{next:3}`: the id that follows at a place."""
        return (f"{self._first(argument, 'next')[1][-1]:,}",)

    def field_sequences(self, at: int, argument: str) -> Text:
        """`{sequences:2}`: how many sequences of 2 there are that share no place of x."""
        length = self._length(argument, "sequences")
        return (f"{num_sequences(len(self.ids), length, length):,}",)

    def field_overlapping(self, at: int, argument: str) -> Text:
        """`{overlapping:2}`: how many there are if one begins at every id."""
        return (f"{num_sequences(len(self.ids), self._length(argument, 'overlapping'), 1):,}",)

    def field_fitting(self, at: int, argument: str) -> Text:
        """`{fitting:2}`: how many times 2 ids there are, whatever follows them."""
        return (f"{len(self.ids) // self._length(argument, 'fitting'):,}",)

    def _first(self, argument: str, field: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
        length = self._length(argument, field)
        return next(input_target_pairs(self.ids, length, length))

    def _length(self, argument: str, field: str) -> int:
        """Return a length that has an id behind it. Raises LessonLookupError for another."""
        length = whole_number(needs(argument, f"{field}:3"), f"{field}:3")
        if not 0 < length < len(self.ids):
            raise LessonLookupError(
                f"There are {len(self.ids)} ids: something follows 1 to one less."
            )
        return length

    def field_unknown(self, at: int, argument: str) -> Text:
        """How many tokens are unknown."""
        return (f"{self.unknown():,}",)

    def unknown(self) -> int:
        """Return how many tokens are unknown."""
        return sum(a != b for a, b in zip(self.unit_tokens, self.pieces, strict=True))

    def field_characters(self, at: int, argument: str) -> Text:
        """How many characters the text has."""
        return (f"{len(self.raw):,}",)

    def field_bytes(self, at: int, argument: str) -> Text:
        """How many UTF-8 bytes the text has."""
        return (f"{len(self.raw.encode()):,}",)

    def field_decoded(self, at: int, argument: str) -> Text:
        """The text that the ids are decoded to."""
        return (("word", self.decoded),)

    def field_vocabulary(self, at: int, argument: str) -> Text:
        """How many pieces the vocabulary has."""
        return (f"{self.vocabulary:,}",)


@dataclass(frozen=True, slots=True)
class Cut:
    """What one tokenizer made of the text; `vocabulary` counts its pieces."""

    name: str
    tokens: Tokens
    unknown: int
    vocabulary: int


@dataclass(frozen=True, slots=True)
class SegmentationsFacts(TextFacts):
    """One text, cut by several tokenizers: `cuts` by kind."""

    cuts: Mapping[str, Cut]

    def tokens(self) -> Tokens:
        """Return all tokens."""
        return tuple([token for cut in self.cuts.values() for token in cut.tokens])

    def cut(self, kind: str, field: str = "tokens") -> Cut:
        """Return what a tokenizer made of the text. Raises LessonLookupError for one that is not shown."""
        needs(kind, f"{field}:{next(iter(self.cuts))}")
        return entry(self.cuts, kind, "there is no tokenizer")

    def field_characters(self, at: int, argument: str) -> Text:
        """How many characters the text has."""
        return (f"{len(self.text):,}",)

    def field_tokens(self, at: int, argument: str) -> Text:
        """`{tokens:bpe}`: how many tokens a tokenizer makes of it."""
        return (f"{len(self.cut(argument).tokens):,}",)

    def field_split(self, at: int, argument: str) -> Text:
        """`{split:bpe}`: the tokens of a tokenizer."""
        return in_row(self.cut(argument, "split").tokens)

    def field_unknown(self, at: int, argument: str) -> Text:
        """`{unknown:bpe}`: how many of them are unknown."""
        return (f"{self.cut(argument, 'unknown').unknown:,}",)

    def field_vocabulary(self, at: int, argument: str) -> Text:
        """`{vocabulary:bpe}`: how many pieces the tokenizer has."""
        return (f"{self.cut(argument, 'vocabulary').vocabulary:,}",)

    def field_per_token(self, at: int, argument: str) -> Text:
        """`{per_token:bpe}`: how many characters a token stands for, on average."""
        return (decimal(len(self.text) / max(len(self.cut(argument).tokens), 1), 1),)

    def field_per_word(self, at: int, argument: str) -> Text:
        """`{per_word:bpe}`: tokens for each word between spaces (fertility)."""
        words = max(len(self.text.split()), 1)
        return (decimal(len(self.cut(argument, "per_word").tokens) / words),)

    def field_pairs(self, at: int, argument: str) -> Text:
        """`{pairs:bpe}`: the pairs of positions that full self-attention weighs: tokens squared."""
        return (f"{attention_pairs(len(self.cut(argument, 'pairs').tokens)):,}",)

    def field_parameters(self, at: int, argument: str) -> Text:
        """`{parameters:bpe 768}`: the numbers of an embedding table with rows of that width."""
        return (f"{embedding_parameters(*self.table(argument, 'parameters')):,}",)

    def field_megabytes(self, at: int, argument: str) -> Text:
        """`{megabytes:bpe 768}`: such a table as float32, in millions of bytes."""
        rows, width = self.table(argument, "megabytes")
        return (decimal(embedding_bytes(rows, width, FLOAT32) / 1e6, 1),)

    def table(self, argument: str, field: str) -> tuple[int, int]:
        """Return the rows and the width of an embedding table. Raises LessonLookupError for no width."""
        kind, _, width = argument.partition(" ")
        row = whole_number(width, f"{field}:bpe 768")
        return self.cut(kind, field).vocabulary, row

    def field_fewest(self, at: int, argument: str) -> Text:
        """Who makes the fewest tokens; all of them where they tie."""
        least = min(len(cut.tokens) for cut in self.cuts.values())
        return listed([(c.name,) for c in self.cuts.values() if len(c.tokens) == least])
