"""Published tokenizers, read from files, for comparison with the tokenizers trained in the app.

A published tokenizer is either bundled with the app (in the pack) or loaded by the user. It
encodes and decodes, has a title, and can show tokens as text and describe them. The page Real
tokenizers shows its internals.
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
from tokenizers.runtime.components import LoadedEncoding
from tokenizers.runtime.models.bpe import BPE
from tokenizers.runtime.models.byte_bpe import ByteBPE
from tokenizers.runtime.sentencepiece.bpe import SentencePieceBPE
from tokenizers.runtime.tokenizer import FileSetting, LoadedTokenizer, Special, WordCache

SHORT_NAMES = {
    "o200k": "GPT-4o (o200k)",
    "cl100k": "GPT-4 (cl100k)",
    "gpt2": "GPT-2",
    "qwen3": "Qwen 3",
    "deepseek-v3": "DeepSeek V3",
    "gpt-oss": "gpt-oss",
    "mistral-tekken": "Mistral Tekken",
    "mistral-v1": "Mistral 7B v0.1",
    "bert-uncased": "BERT, uncased",
    "unigram-english": "English Unigram",
    "unigram-japanese": "Japanese Unigram",
}
"""Titles of the pack's tokenizers, short enough for a table row, the best known first."""
T = TypeVar("T")
REAL = "real."
LONGEST_TITLE = 24  # characters of a file's name
PACK = {REAL + name: title for name, title in SHORT_NAMES.items()}
"""The same titles by kind; the prefix distinguishes them from the kinds trained in the app."""
USER_PREFIX = "own"
"""The prefix of users' tokenizers in URLs; the whole name in old links, with only one of them."""
READ_AS_TEXT = (
    "Tokens of published models are shown as the text they stand for; hexadecimal numbers in ⟨⟩ "
    "are bytes of a part of a character."
)


@dataclass(frozen=True, slots=True)
class TokenizerInfo:
    """Plain data about a tokenizer that a worker has read.

    `model` is the class of its model, `size` is its number of tokens, `settings` is what the files
    beside it say, and `chat_templates` are the names of its chat templates. `pickled` is the
    tokenizer itself, which only workers unpickle.
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
    settings: tuple[FileSetting, ...]
    chat_templates: tuple[str, ...]
    pickled: bytes = field(repr=False)


def has_merges(model: object) -> bool:
    """Return whether a model has merges that can be truncated at any rank."""
    by_pairs = isinstance(model, BPE) and not model.prefix
    return by_pairs or isinstance(model, ByteBPE | SentencePieceBPE)


def tokenizer_info(loaded: LoadedTokenizer) -> TokenizerInfo:
    """Return the plain data about a tokenizer."""
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
        loaded.settings,
        tuple(loaded.chat_templates),
        pickle.dumps(loaded),
    )


@dataclass(frozen=True, eq=False)
class UserTokenizer:
    """A tokenizer loaded by the user; `origin` describes where it comes from.

    The unique `name` is derived from its content: in a URL it always means the same file.
    """

    name: str
    info: TokenizerInfo
    origin: str

    @property
    def title(self) -> str:
        """The title, which may be long."""
        return self.info.name or "your file"

    @cached_property
    def loaded(self) -> LoadedTokenizer:
        """The tokenizer itself. Raises RuntimeError if this process isn't a worker."""
        check_in_worker()
        return pickle.loads(self.info.pickled)

    @cached_property
    def word_cache(self) -> WordCache:
        """A cache of segmented words. Raises RuntimeError if this process isn't a worker."""
        return WordCache(self.loaded.model)

    def __reduce__(self) -> tuple[object, ...]:
        return UserTokenizer, (self.name, self.info, self.origin)


_user_tokenizers: WeakValueDictionary[str, UserTokenizer] = WeakValueDictionary()
_unpickled: deque[UserTokenizer] = deque(maxlen=2)  # references of a worker


def register(tokenizer: UserTokenizer) -> None:
    """Make a tokenizer available to `PublishedTokenizer` by name, as long as it is referenced."""
    _user_tokenizers[tokenizer.name] = tokenizer


def _unpickle(
    name: str, special: Special, added: bool, tokenizer: UserTokenizer | None
) -> "PublishedTokenizer":
    if tokenizer:
        limit_time()
        if name not in _user_tokenizers:
            _unpickled.append(tokenizer)
            register(tokenizer)
    return PublishedTokenizer(name, special, added)


@dataclass(frozen=True, slots=True)
class PublishedTokenizer:
    """A reference by name to a bundled tokenizer, which is loaded on use, or to a user's tokenizer.

    When it is pickled for a worker, a user's tokenizer is included. `special` says how special
    tokens in a text are read, `added` whether the tokens that a model puts around it are included.
    """

    name: str
    special: Special = "control"
    added: bool = False

    def __reduce__(self) -> tuple[object, ...]:
        return _unpickle, (self.name, self.special, self.added, _user_tokenizers.get(self.name))

    @property
    def info(self) -> TokenizerInfo | None:
        """The plain data about a user's tokenizer; None for a bundled tokenizer."""
        return user_tokenizer.info if (user_tokenizer := _user_tokenizers.get(self.name)) else None

    @property
    def loaded(self) -> LoadedTokenizer:
        """The tokenizer itself. Raises RuntimeError if it is a user's and this isn't a worker."""
        if user_tokenizer := _user_tokenizers.get(self.name):
            check_in_worker()
            return user_tokenizer.loaded
        return open_model(self.name)

    @property
    def vocab(self) -> Mapping[str, int]:
        """The ids of all tokens."""
        return self.loaded.vocab

    @property
    def kind(self) -> type:
        """The class of the tokenizer's model."""
        return info.model if (info := self.info) else type(self.loaded.model)

    @property
    def size(self) -> int:
        """The number of its tokens."""
        return info.size if (info := self.info) else len(self.vocab)

    @property
    def unk(self) -> str | None:
        """The unknown token, if there is one."""
        return info.unk if (info := self.info) else self.loaded.unk

    @property
    def specials(self) -> Collection[str]:
        """The names of its special tokens."""
        return info.specials if (info := self.info) else self.loaded.specials

    @property
    def chat_templates(self) -> Collection[str]:
        """The names of the chat templates in its files."""
        return info.chat_templates if (info := self.info) else self.loaded.chat_templates.keys()

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings about information missing from the file."""
        return info.warnings if (info := self.info) else self.loaded.caveats

    @property
    def title(self) -> str:
        """The title, shortened for a user's file."""
        if user_tokenizer := _user_tokenizers.get(self.name):
            return shorten_filename(user_tokenizer.title, LONGEST_TITLE)
        return SHORT_NAMES[self.name]

    @property
    def owner(self) -> str:
        """The owner of the tokenizer."""
        return "yours" if self.name in _user_tokenizers else MODELS[self.name].owner

    def encode(self, text: str) -> LoadedEncoding:
        """Return a text's tokens; with `added`, also the tokens that the model puts around it."""
        user_tokenizer = _user_tokenizers.get(self.name)
        cuts = user_tokenizer.word_cache if user_tokenizer else _word_cache(self.name)
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
        """The tokens that the model adds around a text, as Markdown; "" if there are none.

        A user's file might add thousands of tokens, so its tokens are not named.
        """
        if info := self.info:
            return "its own" if info.adds_tokens else ""
        return " ".join(f"`{token}`" for token in _added(self.name))

    @property
    def _begins_with(self) -> str:
        return "" if self.name in _user_tokenizers else MODELS[self.name].begins_with

    def decode(self, ids: Sequence[int]) -> str:
        """Return the text of ids without special tokens. Raises ValueError for an unknown id."""
        return self.loaded.decode(ids)

    def with_readable_tokens(self, found: LoadedEncoding) -> LoadedEncoding:
        """Replace tokens by their text; an unknown token's piece becomes "", to differ from it."""
        tokens = tuple(map(cache(self.token_text), found.tokens))
        both = zip(tokens, found.tokens, found.pieces, strict=True)
        pieces = tuple([shown if token == piece else "" for shown, token, piece in both])
        return replace(found, tokens=tokens, pieces=pieces)

    def encode_readable(self, text: str) -> LoadedEncoding:
        """Encode a text and replace the tokens by their text."""
        return self.with_readable_tokens(self.encode(text))

    def token_text(self, token: str) -> str:
        """Return a token as text, with bytes of a partial character in hex in angle brackets."""
        return readable(self.loaded, token)

    def token_texts(self, tokens: Iterable[str]) -> list[str]:
        """Return these tokens as text."""
        return [self.token_text(token) for token in tokens]

    def describe_ids(self, ids: Iterable[int]) -> dict[int, str]:
        """Return, by id, a description of what each token is and how it is made."""
        return {id_: _describe_id(self.name, id_) for id_ in sorted(set(ids))}


@lru_cache(16)  # a typed text is encoded at every key, and users share words
def _word_cache(name: str) -> WordCache:
    return WordCache(PublishedTokenizer(name).loaded.model)


@cache
def _added(name: str) -> tuple[str, ...]:
    return PublishedTokenizer(name, added=True).encode("").tokens


@lru_cache(50_000)  # texts of a class, and of one being typed, share most words
def _describe_id(name: str, id_: int) -> str:
    loaded = PublishedTokenizer(name).loaded
    return describe_token(loaded, loaded.token_of(id_))


def published_tokenizer(
    kind: str, special: Special = "control", added: bool = False
) -> PublishedTokenizer:
    """Return the published tokenizer of this kind, which is in `PACK` or is the user's."""
    return PublishedTokenizer(kind.removeprefix(REAL), special, added)


def apply_to_loaded(model: PublishedTokenizer, function: Callable[..., T], *arguments: object) -> T:
    """Call a function with the tokenizer itself; to be used with `results.call_or_end_page`."""
    return function(model.loaded, *arguments)


def is_published(kind: str) -> bool:
    """Return whether tokenizers of this kind are published, not trained in the app."""
    return kind.startswith(REAL)


def names_user_file(name: str, value: str) -> bool:
    """Return whether the URL parameter `name` has a `value` that names a user's file.

    >>> names_user_file("with", "words.own,real.own-0123456789ab"), names_user_file("corpus", "own")
    (True, False)
    """
    parts = [part.removeprefix(REAL) for part in value.split(",")]
    before = (REAL + USER_PREFIX) in value.split(",") or (
        name in ("model", "tokenizer") and value == USER_PREFIX
    )
    return before or any(part.startswith(f"{USER_PREFIX}-") for part in parts)


def specials_in(text: str, names: Iterable[str]) -> list[str]:
    """Return the special tokens in a text that any of the tokenizers can read in two ways.

    For a user's tokenizer, this is assumed of all special tokens in the text.

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
