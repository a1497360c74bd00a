"""A tokenizer of the pack beside those that are trained here: it cuts, decodes, and is read.

Covers what pages need that set it beside others: its name, its tokens as text, what is said of one
of them. Leaves out what is inside it, which the page Real tokenizers shows.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from lessons.models import MODELS, open_model
from pages.shared.learning.tokens import ReadTokens, readable, told
from tokenizers.loaded.tokenizer import Cuts, Loaded, LoadedEncoding, Special

SHORT_NAMES = {
    "o200k": "GPT-4o (o200k)",
    "cl100k": "GPT-4 (cl100k)",
    "gpt2": "GPT-2",
    "mistral-v1": "Mistral 7B v0.1",
    "bert-uncased": "BERT, uncased",
    "unigram-english": "English Unigram",
    "unigram-japanese": "Japanese Unigram",
}
"""The tokenizers of the pack, as narrow as a row is, those first that most people know."""
REAL = "real."
PACK = {REAL + name: title for name, title in SHORT_NAMES.items()}
"""The same by their kind, which tells them from the kinds that are trained here."""
READ_AS_TEXT = (
    "Tokens of published models are shown as the text they stand for; hexadecimal numbers in ⟨⟩ "
    "are bytes of a part of a character."
)


@dataclass(frozen=True, slots=True)
class Published:
    """A tokenizer of the pack by its name: so it goes to a worker, and is opened where it is used.

    `special` says how to read special tokens that stand in a text.
    """

    name: str
    special: Special = "control"

    @property
    def loaded(self) -> Loaded:
        """The tokenizer itself."""
        return open_model(self.name)

    @property
    def vocab(self) -> Mapping[str, int]:
        """All tokens with their ids."""
        return self.loaded.vocab

    @property
    def unk(self) -> str | None:
        """The token that stands for what is not in the vocabulary, if there is one."""
        return self.loaded.unk

    @property
    def title(self) -> str:
        """Its name on the screen."""
        return SHORT_NAMES[self.name]

    @property
    def owner(self) -> str:
        """Whose tokenizer it is."""
        return MODELS[self.name].owner

    def encode(self, text: str) -> LoadedEncoding:
        """Return the tokens of a text, with those that the model puts around it."""
        return self.loaded.encode(text, special=self.special, cuts=_cuts(self.name))

    def decode(self, ids: Sequence[int]) -> str:
        """Return the text of ids, special tokens left out. ValueError for an id that none has."""
        return self.loaded.decode(ids)

    def readable(self, found: LoadedEncoding) -> LoadedEncoding:
        """Return an encoding with tokens as text; the unknown keeps a piece unlike its token."""
        read = ReadTokens(self.loaded)
        tokens = tuple([read[token] for token in found.tokens])
        both = zip(tokens, found.tokens, found.pieces, strict=True)
        pieces = tuple([shown if token == piece else "" for shown, token, piece in both])
        return replace(found, tokens=tokens, pieces=pieces)

    def read(self, token: str) -> str:
        """Return a token as text; bytes that are no whole character are hex, in angle brackets."""
        return readable(self.loaded, token)

    def told(self, ids: Iterable[int]) -> dict[int, str]:
        """Return of each id what its token is and how it comes about."""
        return {id_: _told(self.name, id_) for id_ in sorted(set(ids))}


@cache  # a text that is typed is cut again at every key, and a class has words in common
def _cuts(name: str) -> Cuts:
    return Cuts(open_model(name).model)


@lru_cache(50_000)  # the words of a class, and of a text that grows, are much the same
def _told(name: str, id_: int) -> str:
    loaded = open_model(name)
    return told(loaded, loaded.token_of(id_))


def published_of(kind: str, special: Special = "control") -> Published:
    """Return the published tokenizer of a kind that is in `PACK`."""
    return Published(kind.removeprefix(REAL), special)


def specials_in(text: str, names: Iterable[str]) -> list[str]:
    """Return the special tokens of any of the tokenizers that a text holds and that matter there.

    >>> specials_in("a [SEP] b", SHORT_NAMES), specials_in("a b", SHORT_NAMES)
    (['[SEP]'], [])
    """
    models = [open_model(name) for name in names]
    found = dict.fromkeys(token for model in models for token in model.specials if token in text)
    return [token for token in found if any(_reads_in_two_ways(m, token) for m in models)]


def _reads_in_two_ways(model: Loaded, token: str) -> bool:
    return token in model.specials and (
        model.encode(token, special="control").ids != model.encode(token, special="text").ids
    )
