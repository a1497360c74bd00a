"""Facts about published tokenizers, which split texts side by side or merge one word.

The facts hold results only; the tokenizers stay in pages/lesson/pictures/build_pictures.py. As on
the Real tokenizers page, byte-level BPE tokens are shown as text, or as bytes. Texts side by side
have only position 0. For a word, position k shows the state after merge k, and the last position
the final tokens. For the content of vocabularies, see `vocabularies.py`.
"""

from dataclasses import dataclass
from typing import Any

from lessons.facts.base import PictureFacts, pair_of, text_of
from lessons.format.errors import LessonLookupError, among
from lessons.format.words import RichText, Tokens, decimal, in_row, name_list, rounded_number


@dataclass(frozen=True, slots=True)
class PublishedRow:
    """One text encoded by one model and one encoder, under the title shown on the screen.

    `words` are the pre-tokens; `vocabulary` counts the model's pieces, special tokens included.
    `ways` is the number of segmentations of the text, 0 if the picture has only the usual encoders.
    """

    model: str
    name: str
    encoder: str
    title: str
    text: str
    tokens: Tokens
    ids: tuple[int, ...]
    words: Tokens
    vocabulary: int
    decoded: str
    ways: int = 0

    @property
    def names(self) -> tuple[str, str, str]:
        """The names by which a lesson can refer to the row."""
        return self.model, self.name, self.encoder


@dataclass(frozen=True, slots=True)
class PublishedFacts(PictureFacts):
    """Texts split by published tokenizers, with one row per model, text and encoder."""

    rows: tuple[PublishedRow, ...]

    def tokens(self) -> Tokens:
        """Return all tokens."""
        return tuple([token for row in self.rows for token in row.tokens])

    def found(self, argument: str) -> list[PublishedRow]:
        """Return the rows with all names in `argument`. Raises LessonLookupError if none."""
        rows = [row for row in self.rows if set(argument.split()) <= set(row.names)]
        if not rows:
            known = dict.fromkeys(name for row in self.rows for name in row.names)
            message = f"No row is called “{argument}”. Rows have the names {name_list(known, 20)}."
            raise LessonLookupError(message)
        return rows

    def row(self, argument: str) -> PublishedRow:
        """Return the row with all names in `argument`. Raises LessonLookupError unless unique."""
        rows = self.found(argument)
        if len(rows) > 1:
            names = " ".join(dict.fromkeys(rows[0].names))
            raise LessonLookupError(
                f"Say which row is meant, by model, text and encoder such as: {names}."
            )
        return rows[0]

    def texts(self) -> dict[str, str]:
        """Return the texts by name."""
        return {row.name: row.text for row in self.rows}

    def field_text(self, at: int, argument: str) -> RichText:
        """The text of the first row, or with `{text:hindi}` of a row with that name."""
        return (("word", self.found(argument)[0].text),)

    def field_tokens(self, at: int, argument: str) -> RichText:
        """`{tokens:cl100k}`: how many tokens a row has."""
        return (f"{len(self.row(argument).tokens):,}",)

    def field_split(self, at: int, argument: str) -> RichText:
        """`{split:cl100k}`: the tokens of a row."""
        return in_row(self.row(argument).tokens)

    def field_words(self, at: int, argument: str) -> RichText:
        """`{words:cl100k}`: the pre-tokens of a row."""
        return in_row(self.row(argument).words)

    def field_pre_tokens(self, at: int, argument: str) -> RichText:
        """`{pre_tokens:cl100k}`: how many pre-tokens a row has."""
        return (f"{len(self.row(argument).words):,}",)

    def field_ids(self, at: int, argument: str) -> RichText:
        """`{ids:cl100k}`: the ids of a row, with spaces between them."""
        return (" ".join(map(str, self.row(argument).ids)),)

    def field_id(self, at: int, argument: str) -> RichText:
        """`{id:cl100k}`: the first id of a row."""
        if not (ids := self.row(argument).ids):
            raise LessonLookupError("There is no token in this row, so there is no id.")
        return (str(ids[0]),)

    def field_characters(self, at: int, argument: str) -> RichText:
        """`{characters:hindi}`: how many characters the text of a row has."""
        return (f"{len(self.found(argument)[0].text):,}",)

    def field_bytes(self, at: int, argument: str) -> RichText:
        """`{bytes:hindi}`: how many UTF-8 bytes the text of a row has."""
        return (f"{len(self.found(argument)[0].text.encode()):,}",)

    def field_vocabulary(self, at: int, argument: str) -> RichText:
        """`{vocabulary:cl100k}`: the size of a model's vocabulary, special tokens included."""
        return (f"{self.found(argument)[0].vocabulary:,}",)

    def field_ways(self, at: int, argument: str) -> RichText:
        """`{ways:cl100k}`: in how many ways the vocabulary can write the text of a row."""
        if not (number := self.found(argument)[0].ways):
            raise LessonLookupError(
                'Ways are counted in a picture that shows another one: encoders = ["own", "most"]'
            )
        return (rounded_number(number),)

    def field_per_token(self, at: int, argument: str) -> RichText:
        """`{per_token:cl100k}`: the average number of characters per token."""
        row = self.row(argument)
        return (decimal(len(row.text) / max(len(row.tokens), 1), 1),)

    def field_times(self, at: int, argument: str) -> RichText:
        """`{times:hindi over english}`: how many times as many tokens one row has as another."""
        above, over, below = argument.partition(" over ")
        if not over:
            raise LessonLookupError("Name two rows. Write: {times:hindi over english}")
        return (decimal(len(self.row(above).tokens) / max(len(self.row(below).tokens), 1)),)

    def prefix(self, argument: str, field: str) -> tuple[PublishedRow, int]:
        """Parse "cut of whole"; return the row `cut` and how many leading tokens both share."""
        one, of, other = argument.partition(" of ")
        if not of:
            raise LessonLookupError(f"Name two rows. Write: {{{field}:cut of whole}}")
        row = self.row(one)
        pairs = zip(row.ids, self.row(other).ids, strict=False)
        return row, next((n for n, (a, b) in enumerate(pairs) if a != b), len(row.ids))

    def field_prefix(self, at: int, argument: str) -> RichText:
        """`{prefix:cut of whole}`: the number of leading tokens two rows share."""
        return (f"{self.prefix(argument, 'prefix')[1]:,}",)

    def field_back(self, at: int, argument: str) -> RichText:
        """`{back:cut of whole}`: the number of the first row's tokens after that prefix."""
        row, same = self.prefix(argument, "back")
        return (f"{len(row.tokens) - same:,}",)

    def field_decoded(self, at: int, argument: str) -> RichText:
        """`{decoded:cl100k}`: the text that the ids of a row are decoded to."""
        return (("word", self.row(argument).decoded),)


@dataclass(frozen=True, slots=True)
class WordMerge:
    """A merge in a word, with its pair, piece and rank, and the word's symbols after it."""

    pair: tuple[str, str]
    piece: str
    rank: int
    split: Tokens


@dataclass(frozen=True, slots=True)
class MergedWordFacts(PictureFacts):
    """How a published model merges one word, with the ranks from the model's file.

    `symbols` is the initial split. `waiting[k]` lists the pairs that could be merged after k
    merges, each with its rank, lowest first. `longest` is the split by the longest match.
    """

    word: str
    symbols: Tokens
    merges: tuple[WordMerge, ...]
    waiting: tuple[tuple[tuple[Tokens, int], ...], ...]
    final: Tokens
    ids: tuple[int, ...]
    longest: Tokens

    @property
    def last(self) -> int:
        """The number of merges plus one, for the end."""
        return len(self.merges) + 1

    def tokens(self) -> Tokens:
        """Return the symbols, the merged pieces and the final tokens."""
        return (*self.symbols, *(merge.piece for merge in self.merges), *self.final)

    def split(self, at: int) -> Tokens:
        """Return the symbols of the word at a position."""
        if at == self.last:
            return self.final
        return self.merges[at - 1].split if at else self.symbols

    def merge(self, at: int) -> WordMerge:
        """Return the merge that leads to a position. Raises LessonLookupError if none."""
        if not 0 < at <= len(self.merges):
            raise LessonLookupError("Nothing is merged here. Set at to a merge: { token = … }")
        return self.merges[at - 1]

    def find_token(self, value: Any) -> int:
        """The first merge that makes a piece."""
        made = [merge.piece for merge in self.merges]
        token = among(text_of(value, 'token = "est"'), made, "is never made here")
        return made.index(token) + 1

    def find_pair(self, value: Any) -> int:
        """The first merge of a pair."""
        pair, pairs = pair_of(value), [merge.pair for merge in self.merges]
        if pair not in pairs:
            there = name_list(map("+".join, pairs), 12)
            raise LessonLookupError(f"“{'+'.join(pair)}” is never merged here. There are: {there}.")
        return pairs.index(pair) + 1

    def field_word(self, at: int, argument: str) -> RichText:
        """The word."""
        return (("word", self.word),)

    def field_pair(self, at: int, argument: str) -> RichText:
        """The pair merged at this step."""
        return in_row(self.merge(at).pair)

    def field_token(self, at: int, argument: str) -> RichText:
        """The piece that the merge makes."""
        return (("token", self.merge(at).piece),)

    def field_rank(self, at: int, argument: str) -> RichText:
        """The rank of the merge."""
        return (f"{self.merge(at).rank:,}",)

    def field_next_rank(self, at: int, argument: str) -> RichText:
        """The rank of the merge after this position."""
        return (f"{self.merge(at + 1).rank:,}",)

    def field_split(self, at: int, argument: str) -> RichText:
        """The symbols of the word at this position."""
        return in_row(self.split(at))

    def field_waiting(self, at: int, argument: str) -> RichText:
        """How many pairs could be merged next."""
        return (f"{len(self.waiting[at]) if at < len(self.waiting) else 0:,}",)

    def field_symbols(self, at: int, argument: str) -> RichText:
        """How many symbols the word has at this position."""
        return (f"{len(self.split(at)):,}",)

    def field_tokens(self, at: int, argument: str) -> RichText:
        """How many tokens the word has in the end."""
        return (f"{len(self.final):,}",)

    def field_steps(self, at: int, argument: str) -> RichText:
        """How many merges there are in total."""
        return (f"{len(self.merges):,}",)

    def field_ids(self, at: int, argument: str) -> RichText:
        """The ids of the word's tokens, with spaces between them."""
        return (" ".join(map(str, self.ids)),)

    def field_longest(self, at: int, argument: str) -> RichText:
        """The split of the word by the longest match."""
        return in_row(self.longest)
