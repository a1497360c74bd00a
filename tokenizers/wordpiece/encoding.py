"""WordPiece encoding: longest match first; a word that cannot be split becomes `[UNK]`.

Encoding needs only the vocabulary, no merges. The matching of a word is in `matching.py`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from tokenizers.text.corpus import Pipeline
from tokenizers.text.encoding import UNK, Encoding, encode_words, pieces_of
from tokenizers.text.encoding import decode as decode_unmarked
from tokenizers.text.symbols import Split, base_symbols
from tokenizers.wordpiece.automaton import Automaton
from tokenizers.wordpiece.matching import Match, longest_matches, match_steps
from tokenizers.wordpiece.settings import Settings

WORDS = Pipeline()


def vocabulary(pieces: Iterable[str]) -> dict[str, int]:
    """Return the ids of a given list of pieces, `[UNK]` first.

    >>> vocabulary(["un", "##able"])
    {'[UNK]': 0, 'un': 1, '##able': 2}
    """
    return {piece: n for n, piece in enumerate(dict.fromkeys([UNK, *pieces]))}


@dataclass(frozen=True, slots=True)
class Model:
    """A vocabulary with its ids; words of over `max_word_length` characters become `[UNK]`."""

    vocab: Mapping[str, int]
    settings: Settings = field(default_factory=Settings)
    pipeline: Pipeline = WORDS
    max_word_length: int = 100

    @property
    def unk(self) -> str:
        """The piece for a word that has no split."""
        return self.settings.unk

    def encode(self, text: str) -> Encoding:
        """Split `text` into pieces: see the function `encode`."""
        return encode(text, self)

    def decode(self, ids: Sequence[int]) -> str:
        """Return the text of `ids`: see the function `decode`."""
        return decode(ids, self)

    def letters(self, word: str) -> str | None:
        """Return `word` as it is matched, with any end mark; None if the word is too long."""
        if len(word) > self.max_word_length:
            return None
        return "".join(base_symbols(word, self.settings.base, self.settings.end_mark))

    def automaton(self) -> Automaton:
        """Return the vocabulary as an automaton for LinMaxMatch."""
        return Automaton(self.vocab, self.settings.mark)


def word_steps(word: str, model: Model) -> list[Match]:
    """Return the matches that split one word; an empty list if the word is too long."""
    letters = model.letters(word)
    return list(match_steps(letters, model.vocab, model.settings.mark)) if letters else []


def split_word(word: str, model: Model) -> Split | None:
    """Return the pieces of `word`; None if it becomes `[UNK]`.

    >>> split_word("unable", Model(vocabulary(["un", "##able", "##a"])))
    ('un', '##able')
    """
    letters = model.letters(word)
    return None if letters is None else longest_matches(letters, model.vocab, model.settings.mark)


def encode(text: str, model: Model) -> Encoding:
    """Split `text` into pieces of `model`; a word that has no split is one `[UNK]` as a whole."""
    split = partial(split_word, model=model)
    return encode_words(model.pipeline(text), split, model, mark=model.settings.mark)


def decode(ids: Sequence[int], model: Model) -> str:
    """Return the text of `ids`, with a space before every piece without the mark.

    The spaces of the raw text are lost: "don't" comes back as "don ' t". Raises UserError for an
    id that is not in the vocabulary.
    """
    mark = model.settings.mark
    if not mark:
        return decode_unmarked(ids, model)
    first, *rest = pieces_of(ids, model.vocab) or [""]
    return first + "".join(
        piece[len(mark) :] if piece.startswith(mark) else f" {piece}" for piece in rest
    )
