"""Two baselines to compare subword tokenizers with: whole words and single characters as tokens.

Training only lists a text's words or characters. Anything not listed becomes `[UNK]`.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tokenizers.bpe.settings import Settings
from tokenizers.errors import UserError
from tokenizers.text.corpus import Pipeline
from tokenizers.text.encoding import UNK, Encoding, decode, encode_words

UNITS = ("words", "characters")
CHARACTERS = Settings(base="characters")


@dataclass(frozen=True, slots=True)
class Model:
    """A list of words or characters with their ids; `[UNK]` has id 0."""

    unit: str
    vocab: Mapping[str, int]
    pipeline: Pipeline
    settings: Settings = CHARACTERS

    @property
    def unk(self) -> str:
        """The piece for a word or character that is not listed."""
        return UNK

    def encode(self, text: str) -> Encoding:
        """Split `text` into pieces: see the function `encode`."""
        return encode(text, self)

    def decode(self, ids: Sequence[int]) -> str:
        """Return the text of `ids`: see `encoding.decode`."""
        return decode(ids, self)


def train(text: str, unit: str, normalizers: Iterable[str] = ()) -> Model:
    """List the words or the characters of `text` in order of first appearance.

    >>> list(train("to be or not to be", "words").vocab)
    ['[UNK]', 'to', 'be', 'or', 'not']

    Raises UserError unless `unit` is one of `UNITS`.
    """
    if unit not in UNITS:
        raise UserError(f"the unit is {unit!r}; it must be one of {', '.join(UNITS)}")
    pipeline = Pipeline(tuple(normalizers), "spaces" if unit == "words" else "none")
    found = (piece for word in pipeline.words(text) for piece in _split(word, unit))
    vocab = {UNK: 0} | {piece: n for n, piece in enumerate(dict.fromkeys(found), start=1)}
    return Model(unit, vocab, pipeline)


def unknown_by_size(learned: Mapping[str, int], words: Sequence[str]) -> list[tuple[int, int]]:
    """Return rows (size, number of `words` missing from a list of the `size` most frequent words).

    The list is made from `learned`, which maps words to counts; tied words keep its order. There is
    a row for the empty list, for every size at which the number changes, and for the full list.

    >>> unknown_by_size({"the": 9, "tide": 1, "low": 2}, ["the", "low", "the", "sea"])
    [(0, 4), (1, 2), (2, 1), (3, 1)]
    """
    ranks = {word: n for n, (word, _) in enumerate(Counter(learned).most_common(), start=1)}
    found = Counter(ranks[word] for word in words if word in ranks)
    rows, unknown = {0: len(words)}, len(words)
    for rank in sorted(found):
        unknown -= found[rank]
        rows[rank] = unknown
    return [*(rows | {len(ranks): unknown}).items()]


def encode(text: str, model: Model) -> Encoding:
    """Split `text` into words or characters; those that are not listed become `[UNK]`."""
    return encode_words(model.pipeline(text), lambda word: _split(word, model.unit), model)


def _split(word: str, unit: str) -> tuple[str, ...]:
    return (word,) if unit == "words" else tuple(word)
