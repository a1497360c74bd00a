"""A tokenizer from a file beside those that are trained here: it cuts, decodes, and is read.

It is one of the pack, or a visitor's own. Covers what pages need that set it beside others: its
name, its tokens as text, what is said of one of them. Leaves out what is inside it, which the page
Real tokenizers shows.
"""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from weakref import WeakValueDictionary

from lessons.models import MODELS, open_model
from pages.shared.drawing.tiles import cut_short
from pages.shared.learning.tokens import readable, told
from tokenizers.loaded.parts import LoadedEncoding
from tokenizers.loaded.tokenizer import Cuts, Loaded, Special

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
LONGEST_TITLE = 24  # characters of a file's name
PACK = {REAL + name: title for name, title in SHORT_NAMES.items()}
"""The same by their kind, which tells them from the kinds that are trained here."""
OWN = "own"
"""What a visitor's own tokenizer is called in an address that leads to it."""
READ_AS_TEXT = (
    "Tokens of published models are shown as the text they stand for; hexadecimal numbers in ⟨⟩ "
    "are bytes of a part of a character."
)


@dataclass(frozen=True, eq=False)
class Own:
    """A tokenizer that a visitor brought; `name` tells it from any other, `about` says whence."""

    name: str
    loaded: Loaded
    about: str

    @property
    def title(self) -> str:
        """Its name on the screen, which may be long."""
        return self.loaded.name or "your file"


_own: WeakValueDictionary[str, Own] = WeakValueDictionary()
_arrived: deque[Own] = deque(maxlen=2)  # in a worker, where nobody else holds them


def bring(own: Own) -> None:
    """Let `Published` find a visitor's tokenizer by its name, for as long as somebody holds it."""
    _own[own.name] = own


def _arrive(name: str, special: Special, added: bool, own: Own | None) -> "Published":
    if own and name not in _own:
        _arrived.append(own)
        bring(own)
    return Published(name, special, added)


@dataclass(frozen=True, slots=True)
class Published:
    """A tokenizer by its name: one of the pack, opened where it is used, or a visitor's own.

    To a worker goes the name, and a visitor's own as a whole. `special` says how to read special
    tokens that stand in a text, `added` whether a text gets those that the model puts around it.
    """

    name: str
    special: Special = "control"
    added: bool = False

    def __reduce__(self) -> tuple[object, ...]:
        return _arrive, (self.name, self.special, self.added, _own.get(self.name))

    @property
    def loaded(self) -> Loaded:
        """The tokenizer itself."""
        return own.loaded if (own := _own.get(self.name)) else open_model(self.name)

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
        own = _own.get(self.name)
        return cut_short(own.title, LONGEST_TITLE) if own else SHORT_NAMES[self.name]

    @property
    def owner(self) -> str:
        """Whose tokenizer it is."""
        return "yours" if self.name in _own else MODELS[self.name].owner

    @property
    def address(self) -> str:
        """What the page Real tokenizers calls it."""
        return OWN if self.name in _own else self.name

    def encode(self, text: str) -> LoadedEncoding:
        """Return the tokens of a text; with `added`, also those that the model puts around it."""
        found = self.loaded.encode(
            text, special=self.special, add_special_tokens=self.added, cuts=_cuts(self.name)
        )
        if not self.added or not (first := self._begins_with):
            return found
        return LoadedEncoding.joined([LoadedEncoding.inserted(first, self.vocab[first]), found])

    @property
    def adds(self) -> str:
        """The tokens that it puts around a text, as Markdown; empty if there are none.

        Of a visitor's own file, which can make thousands, it tells only that it may.
        """
        if self.name in _own:
            return "its own" if self.loaded.post_processor else ""
        return " ".join(f"`{token}`" for token in _added(self.name))

    @property
    def _begins_with(self) -> str:
        return "" if self.name in _own else MODELS[self.name].begins_with

    def decode(self, ids: Sequence[int]) -> str:
        """Return the text of ids, special tokens left out. ValueError for an id that none has."""
        return self.loaded.decode(ids)

    def readable(self, found: LoadedEncoding) -> LoadedEncoding:
        """Return an encoding with tokens as text; the unknown keeps a piece unlike its token."""
        tokens = tuple(map(cache(self.read), found.tokens))
        both = zip(tokens, found.tokens, found.pieces, strict=True)
        pieces = tuple([shown if token == piece else "" for shown, token, piece in both])
        return replace(found, tokens=tokens, pieces=pieces)

    def read(self, token: str) -> str:
        """Return a token as text; bytes that are no whole character are hex, in angle brackets."""
        return readable(self.loaded, token)

    def told(self, ids: Iterable[int]) -> dict[int, str]:
        """Return of each id what its token is and how it comes about."""
        return {id_: _told(self.name, id_) for id_ in sorted(set(ids))}


@lru_cache(16)  # a text that is typed is cut again at every key, and a class has words in common
def _cuts(name: str) -> Cuts:
    return Cuts(Published(name).loaded.model)


@cache
def _added(name: str) -> tuple[str, ...]:
    return Published(name, added=True).encode("").tokens


@lru_cache(50_000)  # the words of a class, and of a text that grows, are much the same
def _told(name: str, id_: int) -> str:
    loaded = Published(name).loaded
    return told(loaded, loaded.token_of(id_))


def published_of(kind: str, special: Special = "control", added: bool = False) -> Published:
    """Return the tokenizer of a kind of `PACK`, or of that of a visitor's own."""
    return Published(kind.removeprefix(REAL), special, added)


def is_published(kind: str) -> bool:
    """Whether a tokenizer comes from a file: those that are trained here have other kinds."""
    return kind.startswith(REAL)


def specials_in(text: str, names: Iterable[str]) -> list[str]:
    """Return the special tokens of any of the tokenizers that a text holds and that matter there.

    >>> specials_in("a [SEP] b", SHORT_NAMES), specials_in("a b", SHORT_NAMES)
    (['[SEP]'], [])
    """
    models = [Published(name).loaded for name in names]
    found = dict.fromkeys(token for model in models for token in model.specials if token in text)
    return [token for token in found if any(_reads_in_two_ways(m, token) for m in models)]


def _reads_in_two_ways(model: Loaded, token: str) -> bool:
    return token in model.specials and (
        model.encode(token, special="control").ids != model.encode(token, special="text").ids
    )
