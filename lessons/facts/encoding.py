"""Facts about the encoding of a text, merge by merge or candidate by candidate.

Positions are counted as in the recordings. BPE has a position for each merge and each finished
word, WordPiece for each candidate tried and each finished word.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from lessons.facts.base import PictureFacts, pair_of, require, text_of
from lessons.format.errors import LessonLookupError, among
from lessons.format.words import RichText, Tokens, in_row, join_list, name_list
from tokenizers import bpe, wordpiece
from tokenizers.merging.state import Pair
from tokenizers.wordpiece.matching import pieces_of_matches


@dataclass(frozen=True, slots=True)
class Moment:
    """One step of encoding, with the word that it changes and the word's symbols after it.

    `piece` is the piece made or found; `pair` and `rank` describe the merge that makes it;
    `rejected` is a candidate not in the vocabulary. All are None at the word's finishing step.
    """

    word: str
    split: Tokens
    piece: str | None = None
    pair: Pair | None = None
    rank: int | None = None
    rejected: str | None = None

    @property
    def is_last(self) -> bool:
        """Whether this step finishes the word."""
        return self.piece is None and self.rejected is None


def bpe_moments(words: tuple[str, ...], model: bpe.Model) -> Iterator[Moment]:
    """Yield the steps of BPE, starting at position 1."""
    for word in words:
        symbols, unk = model.settings.symbols(word), model.settings.unk
        steps = list(bpe.merge_steps(symbols, model.ranks))
        for n, step in enumerate(steps, start=1):
            split = bpe.split_after(symbols, steps[:n])
            yield Moment(word, split, "".join(step.pair), step.pair, step.rank)
        final = bpe.split_after(symbols, steps)
        yield Moment(word, tuple(one if one in model.vocab else unk or one for one in final))


def wordpiece_moments(words: tuple[str, ...], model: wordpiece.Model) -> Iterator[Moment]:
    """Yield the steps of WordPiece, starting at position 1."""
    for word in words:
        letters, done = model.letters(word), ()
        steps = wordpiece.word_steps(word, model)
        for match in steps:
            tried = (*match.rejected, *([match.piece] if match.piece else []))
            rest = tuple((letters or "")[match.start :])
            for i, candidate in enumerate(tried):
                split = (*done, candidate, *rest[len(rest) - i :])
                if candidate == match.piece:
                    yield Moment(word, split, candidate)
                else:
                    yield Moment(word, split, rejected=candidate)
            done = (*done, match.piece) if match.piece else done
        split = None if letters is None else pieces_of_matches(steps)
        yield Moment(word, (model.settings.unk,) if split is None else split)


def _value_text(value: str | Pair) -> str:
    """Return a piece as it is, or a pair in the notation of lessons, such as e+s."""
    return value if isinstance(value, str) else "+".join(value)


@dataclass(frozen=True, slots=True)
class EncodingFacts(PictureFacts):
    """The encoding of `words`; `moments[k - 1]` is the step that leads to position k."""

    model: bpe.Model | wordpiece.Model
    words: tuple[str, ...]
    moments: tuple[Moment, ...]

    @classmethod
    def of(cls, text: str, model: bpe.Model | wordpiece.Model) -> "EncodingFacts":
        """Encode a text step by step."""
        words = tuple(model.pipeline(text).words)
        if isinstance(model, wordpiece.Model):
            return cls(model, words, tuple(wordpiece_moments(words, model)))
        return cls(model, words, tuple(bpe_moments(words, model)))

    @property
    def last(self) -> int:
        """The number of steps."""
        return len(self.moments)

    def tokens(self) -> Tokens:
        """Return the vocabulary and the rejected candidates."""
        return (*self.model.vocab, *(moment.rejected for moment in self.moments if moment.rejected))

    def moment(self, at: int) -> Moment:
        """Return the step that leads to a position. Raises LessonLookupError at the start."""
        if not at:
            raise LessonLookupError(
                "At the start nothing has happened yet. Set at to a later moment."
            )
        return self.moments[at - 1]

    def split(self, word: str) -> Tokens:
        """Return the tokens of a word or a text."""
        return self.model.encode(word).tokens

    def _first(self, name: str, value: str | Pair, what: str) -> int:
        """Return the first position at which a moment's attribute `name` equals `value`."""
        values = [getattr(moment, name) for moment in self.moments]
        if value not in values:
            there = name_list(dict.fromkeys(map(_value_text, filter(None, values))), 12)
            raise LessonLookupError(f"“{_value_text(value)}” is {what} here. There are: {there}.")
        return values.index(value) + 1

    def find_token(self, value: Any) -> int:
        """The first step that makes or finds a piece."""
        return self._first("piece", text_of(value, 'token = "est"'), "never made or found")

    def find_pair(self, value: Any) -> int:
        """The first merge of a pair."""
        return self._first("pair", pair_of(value), "never merged")

    def find_rejected(self, value: Any) -> int:
        """The first step that rejects a candidate."""
        tried = text_of(value, 'rejected = "fun"')
        return self._first("rejected", tried, "never tried without a match")

    def find_word(self, value: Any) -> int:
        """The step that finishes a word."""
        ends = [k for k, moment in enumerate(self.moments, 1) if moment.is_last]
        word = among(text_of(value, 'word = "lowest"'), self.words, "is not a word of this text", 8)
        return ends[self.words.index(word)]

    def field_word(self, at: int, argument: str) -> RichText:
        """The word that this step is about."""
        return (("word", self.moment(at).word),)

    def field_token(self, at: int, argument: str) -> RichText:
        """The piece that this step makes or finds."""
        piece = self.moment(at).piece
        if piece is None:
            raise LessonLookupError(
                "This step makes no piece. Set at to one that does: { token = … }"
            )
        return (("token", piece),)

    def field_pair(self, at: int, argument: str) -> RichText:
        """The pair that is merged at this step."""
        pair = self.moment(at).pair
        if pair is None:
            raise LessonLookupError(
                "This step merges nothing. Set at to one that does: { pair = […] }"
            )
        return in_row(pair)

    def field_rank(self, at: int, argument: str) -> RichText:
        """The rank of this step's merge, or with `{rank:e+s}` of any learned merge."""
        ranks = {"+".join(pair): rank for pair, rank in getattr(self.model, "ranks", {}).items()}
        if argument and argument not in ranks:
            raise LessonLookupError(
                f"No merge “{argument}” was learned. There are: {name_list(ranks)}."
            )
        rank = ranks[argument] if argument else self.moment(at).rank
        if rank is None:
            raise LessonLookupError(
                "This step merges nothing. Set at to one that does: { pair = […] }"
            )
        return (f"{rank:,}",)

    def field_tried(self, at: int, argument: str) -> RichText:
        """The candidates rejected before the piece of this step, longest first."""
        tried: list[RichText] = []
        for moment in reversed(self.moments[: max(at - 1, 0)]):
            if moment.rejected is None:
                break
            tried.insert(0, (("token", moment.rejected),))
        return join_list(tried) or ("none",)

    def field_split(self, at: int, argument: str) -> RichText:
        """The word's symbols after this step, or with `{split:newest}` any word's tokens."""
        return in_row(self.split(argument) if argument else self.moment(at).split)

    def field_tokens(self, at: int, argument: str) -> RichText:
        """How many tokens the text has at the end, or with `{tokens:newest}` any word."""
        return (f"{len(self.split(argument or ' '.join(self.words))):,}",)

    def field_vocabulary(self, at: int, argument: str) -> RichText:
        """How many pieces the vocabulary has, `[UNK]` not counted."""
        return (f"{len(self.model.vocab) - (self.model.settings.unk in self.model.vocab):,}",)

    def field_id(self, at: int, argument: str) -> RichText:
        """`{id:est}`: the id of a piece."""
        if require(argument, "id:est") not in self.model.vocab:
            raise LessonLookupError(f"“{argument}” is not in the vocabulary.")
        return (f"{self.model.vocab[argument]:,}",)
