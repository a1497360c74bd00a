"""A tokenizer from a file beside those that are trained here: it cuts, decodes, and is read.

It is one of the pack, or a visitor's own. Covers what pages need that set it beside others: its
name, its tokens as text, what is said of one of them. Leaves out what is inside it, which the page
Real tokenizers shows.
"""

import pickle
from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, lru_cache
from typing import TypeVar
from weakref import WeakValueDictionary

from lessons.models import MODELS, open_model
from pages.shared.drawing.display_text import shorten_filename
from pages.shared.training.isolation import check_in_worker, limit_time
from pages.shared.training.tokens import describe_token, readable
from tokenizers.runtime.bpe import BPE
from tokenizers.runtime.byte_bpe import ByteBPE
from tokenizers.runtime.components import LoadedEncoding
from tokenizers.runtime.sentencepiece.bpe import SentencePieceBPE
from tokenizers.runtime.tokenizer import LoadedTokenizer, Special, WordCache

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
T = TypeVar("T")
REAL = "real."
LONGEST_TITLE = 24  # characters of a file's name
PACK = {REAL + name: title for name, title in SHORT_NAMES.items()}
"""The same by their kind, which tells them from the kinds that are trained here."""
USER_PREFIX = "own"
"""What the names of visitors' own tokenizers begin with; once the name of the only one."""
READ_AS_TEXT = (
    "Tokens of published models are shown as the text they stand for; hexadecimal numbers in ⟨⟩ "
    "are bytes of a part of a character."
)


@dataclass(frozen=True, slots=True)
class TokenizerInfo:
    """What a page knows of a tokenizer that a worker has read: plain data.

    `model` is the class of its model, `size` how many tokens there are, `packed` the tokenizer as a
    pickle, which only workers load.
    """

    name: str
    format: str
    model: type
    has_merges: bool
    size: int
    unk: str | None
    specials: tuple[str, ...]
    warnings: tuple[str, ...]
    adds_tokens: bool
    pickled: bytes = field(repr=False)


def has_merges(model: object) -> bool:
    """Whether the merges of a model can be cut off at any rank."""
    by_pairs = isinstance(model, BPE) and not model.prefix
    return by_pairs or isinstance(model, ByteBPE | SentencePieceBPE)


def tokenizer_info(loaded: LoadedTokenizer) -> TokenizerInfo:
    """Return what a page may know of a tokenizer."""
    return TokenizerInfo(
        loaded.name,
        loaded.format,
        type(loaded.model),
        has_merges(loaded.model),
        len(loaded.vocab),
        loaded.unk,
        tuple(loaded.specials),
        loaded.caveats,
        loaded.post_processor is not None,
        pickle.dumps(loaded),
    )


@dataclass(frozen=True, eq=False)
class UserTokenizer:
    """A tokenizer that a visitor brought; `name` tells it from any other, `about` says whence.

    The name comes of what is in it: in an address it means the same file, and no other.
    """

    name: str
    info: TokenizerInfo
    origin: str

    @property
    def title(self) -> str:
        """Its name on the screen, which may be long."""
        return self.info.name or "your file"

    @cached_property
    def loaded(self) -> LoadedTokenizer:
        """The tokenizer itself: in a worker, or RuntimeError."""
        check_in_worker()
        return pickle.loads(self.info.pickled)

    @cached_property
    def word_cache(self) -> WordCache:
        """The words that its model has cut: in a worker, or RuntimeError."""
        return WordCache(self.loaded.model)

    def __reduce__(self) -> tuple[object, ...]:
        return UserTokenizer, (self.name, self.info, self.origin)


_user_tokenizers: WeakValueDictionary[str, UserTokenizer] = WeakValueDictionary()
_unpickled: deque[UserTokenizer] = deque(maxlen=2)  # in a worker, where nobody else holds them


def register(tokenizer: UserTokenizer) -> None:
    """Let `Published` find a visitor's tokenizer by its name, for as long as somebody holds it."""
    _user_tokenizers[tokenizer.name] = tokenizer


def _unpickle(
    name: str, special: Special, added: bool, own: UserTokenizer | None
) -> "PublishedTokenizer":
    if own:
        limit_time()
        if name not in _user_tokenizers:
            _unpickled.append(own)
            register(own)
    return PublishedTokenizer(name, special, added)


@dataclass(frozen=True, slots=True)
class PublishedTokenizer:
    """A tokenizer by its name: one of the pack, opened where it is used, or a visitor's own.

    To a worker goes the name, and a visitor's own as a whole. `special` says how to read special
    tokens that stand in a text, `added` whether a text gets those that the model puts around it.
    """

    name: str
    special: Special = "control"
    added: bool = False

    def __reduce__(self) -> tuple[object, ...]:
        return _unpickle, (self.name, self.special, self.added, _user_tokenizers.get(self.name))

    @property
    def info(self) -> TokenizerInfo | None:
        """What is known of a visitor's own; None for one of the pack."""
        return own.info if (own := _user_tokenizers.get(self.name)) else None

    @property
    def loaded(self) -> LoadedTokenizer:
        """The tokenizer itself; RuntimeError for a visitor's own outside of a worker."""
        if own := _user_tokenizers.get(self.name):
            check_in_worker()
            return own.loaded
        return open_model(self.name)

    @property
    def vocab(self) -> Mapping[str, int]:
        """All tokens with their ids."""
        return self.loaded.vocab

    @property
    def kind(self) -> type:
        """The class of its model."""
        return opened.model if (opened := self.info) else type(self.loaded.model)

    @property
    def size(self) -> int:
        """The number of its tokens."""
        return opened.size if (opened := self.info) else len(self.vocab)

    @property
    def unk(self) -> str | None:
        """The token that stands for what is not in the vocabulary, if there is one."""
        return opened.unk if (opened := self.info) else self.loaded.unk

    @property
    def specials(self) -> Collection[str]:
        """The names of its special tokens."""
        return opened.specials if (opened := self.info) else self.loaded.specials

    @property
    def warnings(self) -> tuple[str, ...]:
        """Sentences on what the file cannot tell."""
        return opened.warnings if (opened := self.info) else self.loaded.caveats

    @property
    def title(self) -> str:
        """Its name on the screen."""
        own = _user_tokenizers.get(self.name)
        return shorten_filename(own.title, LONGEST_TITLE) if own else SHORT_NAMES[self.name]

    @property
    def owner(self) -> str:
        """Whose tokenizer it is."""
        return "yours" if self.name in _user_tokenizers else MODELS[self.name].owner

    def encode(self, text: str) -> LoadedEncoding:
        """Return the tokens of a text; with `added`, also those that the model puts around it."""
        own = _user_tokenizers.get(self.name)
        cuts = own.word_cache if own else _word_cache(self.name)
        found = self.loaded.encode(
            text, special=self.special, add_special_tokens=self.added, cache=cuts
        )
        if not self.added or not (first := self._begins_with):
            return found
        return LoadedEncoding.concatenate(
            [LoadedEncoding.special_token(first, self.vocab[first]), found]
        )

    @property
    def adds(self) -> str:
        """The tokens that it puts around a text, as Markdown; empty if there are none.

        Of a visitor's own file, which can make thousands, it tells only that it may.
        """
        if opened := self.info:
            return "its own" if opened.adds_tokens else ""
        return " ".join(f"`{token}`" for token in _added(self.name))

    @property
    def _begins_with(self) -> str:
        return "" if self.name in _user_tokenizers else MODELS[self.name].begins_with

    def decode(self, ids: Sequence[int]) -> str:
        """Return the text of ids, special tokens left out. ValueError for an id that none has."""
        return self.loaded.decode(ids)

    def with_readable_tokens(self, found: LoadedEncoding) -> LoadedEncoding:
        """Return an encoding with tokens as text; the unknown keeps a piece unlike its token."""
        tokens = tuple(map(cache(self.token_text), found.tokens))
        both = zip(tokens, found.tokens, found.pieces, strict=True)
        pieces = tuple([shown if token == piece else "" for shown, token, piece in both])
        return replace(found, tokens=tokens, pieces=pieces)

    def encode_readable(self, text: str) -> LoadedEncoding:
        """Return the tokens of a text, as text."""
        return self.with_readable_tokens(self.encode(text))

    def token_text(self, token: str) -> str:
        """Return a token as text; bytes that are no whole character are hex, in angle brackets."""
        return readable(self.loaded, token)

    def token_texts(self, tokens: Iterable[str]) -> list[str]:
        """Return each of these tokens as text."""
        return [self.token_text(token) for token in tokens]

    def describe_ids(self, ids: Iterable[int]) -> dict[int, str]:
        """Return of each id what its token is and how it comes about."""
        return {id_: _describe_id(self.name, id_) for id_ in sorted(set(ids))}


@lru_cache(16)  # a text that is typed is cut again at every key, and a class has words in common
def _word_cache(name: str) -> WordCache:
    return WordCache(PublishedTokenizer(name).loaded.model)


@cache
def _added(name: str) -> tuple[str, ...]:
    return PublishedTokenizer(name, added=True).encode("").tokens


@lru_cache(50_000)  # the words of a class, and of a text that grows, are much the same
def _describe_id(name: str, id_: int) -> str:
    loaded = PublishedTokenizer(name).loaded
    return describe_token(loaded, loaded.token_of(id_))


def published_of(
    kind: str, special: Special = "control", added: bool = False
) -> PublishedTokenizer:
    """Return the tokenizer of a kind of `PACK`, or of that of a visitor's own."""
    return PublishedTokenizer(kind.removeprefix(REAL), special, added)


def apply_to_loaded(model: PublishedTokenizer, function: Callable[..., T], *arguments: object) -> T:
    """Return what a function makes of the tokenizer itself: to be asked for by `results.ask`."""
    return function(model.loaded, *arguments)


def is_published(kind: str) -> bool:
    """Whether a tokenizer comes from a file: those that are trained here have other kinds."""
    return kind.startswith(REAL)


def names_user_file(name: str, value: str) -> bool:
    """Whether what an address has under a name is, or has among others, a visitor's own file.

    >>> means_own("with", "words.own,real.own-0123456789ab"), means_own("corpus", "own")
    (True, False)
    """
    parts = [part.removeprefix(REAL) for part in value.split(",")]
    before = (REAL + USER_PREFIX) in value.split(",") or (
        name in ("model", "tokenizer") and value == USER_PREFIX
    )
    return before or any(part.startswith(f"{USER_PREFIX}-") for part in parts)


def specials_in(text: str, names: Iterable[str]) -> list[str]:
    """Return the special tokens of any of the tokenizers that a text holds and that matter there.

    Of a visitor's own, all that the text holds are taken to matter.

    >>> specials_in("a [SEP] b", SHORT_NAMES), specials_in("a b", SHORT_NAMES)
    (['[SEP]'], [])
    """
    models = [PublishedTokenizer(name) for name in names]
    found = dict.fromkeys(
        token for model in models for token in model.specials if token and token in text
    )
    return [token for token in found if any(_reads_in_two_ways(m, token) for m in models)]


def _reads_in_two_ways(published: PublishedTokenizer, token: str) -> bool:
    if token not in published.specials:
        return False
    if published.info:
        return True
    model = published.loaded
    return model.encode(token, special="control").ids != model.encode(token, special="text").ids
