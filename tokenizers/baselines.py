"""The two tokenizers that subwords are weighed against: whole words, and single characters.

Both learn nothing but a list: the words, or the characters, of a text. What is not on the list
becomes `[UNK]`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tokenizers.bpe.settings import Settings
from tokenizers.refusal import Refusal
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
        """What stands for a word or character that is not on the list."""
        return UNK

    def encode(self, text: str) -> Encoding:
        """Split `text` into pieces: see the function `encode`."""
        return encode(text, self)

    def decode(self, ids: Sequence[int]) -> str:
        """Return the text of `ids`: see `encoding.decode`."""
        return decode(ids, self)


def train(text: str, unit: str, normalizers: Iterable[str] = ()) -> Model:
    """List the words or the characters of `text`, in the order in which they appear.

    >>> list(train("to be or not to be", "words").vocab)
    ['[UNK]', 'to', 'be', 'or', 'not']

    Raises ValueError unless `unit` is one of `UNITS`.
    """
    if unit not in UNITS:
        raise Refusal(f"the unit is {unit!r}; it must be one of {', '.join(UNITS)}")
    pipeline = Pipeline(tuple(normalizers), "spaces" if unit == "words" else "none")
    found = (piece for word in pipeline.words(text) for piece in _split(word, unit))
    vocab = {UNK: 0} | {piece: n for n, piece in enumerate(dict.fromkeys(found), start=1)}
    return Model(unit, vocab, pipeline)


def encode(text: str, model: Model) -> Encoding:
    """Split `text` into words or characters; what the model does not list becomes `[UNK]`."""
    return encode_words(model.pipeline(text), lambda word: _split(word, model.unit), model)


def _split(word: str, unit: str) -> tuple[str, ...]:
    return (word,) if unit == "words" else tuple(word)
