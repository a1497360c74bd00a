"""Read the settings files that lie beside a tokenizer in its repository.

`tokenizer_config.json`, `special_tokens_map.json` and `added_tokens.json` name tokens and options,
`chat_template.jinja` and its like hold chat templates, `config.json` names the kind of network and
`generation_config.json` the tokens at which its texts end. They are read as transformers 5.24 reads
them: where `tokenizer_config.json` lists the added tokens, it alone counts, and a template in a
file of its own replaces those in `tokenizer_config.json`. `repository.py` applies them.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from tokenizers.errors import UserError
from tokenizers.formats.json_cursor import MAX_ID, MAX_TEXT_LENGTH, JsonCursor, parse
from tokenizers.formats.tokenizer_json import read_added_token
from tokenizers.limits import MAX_ADDED_TOKENS, check_at_most, check_file_size
from tokenizers.runtime.added_tokens import AddedToken
from tokenizers.runtime.tokenizer import FileSetting
from tokenizers.text.file_text import to_utf8

CONFIG, SPECIALS, ADDED = "tokenizer_config.json", "special_tokens_map.json", "added_tokens.json"
GENERATION, NETWORK = "generation_config.json", "config.json"
TEMPLATES = "additional_chat_templates"
"""The folder of a repository that has more chat templates."""
TEMPLATE, TEMPLATE_JSON = "chat_template.jinja", "chat_template.json"
ABOUT_NETWORK = (GENERATION, NETWORK)
"""Files that are about the network, and only in passing about its tokenizer."""
NO_ID = -1
"""The id of a token that a file names without one."""
ROLES = ("bos", "eos", "unk", "sep", "pad", "cls", "mask")
"""What special tokens are for, in the order in which the library adds their tokens."""
OPTIONS = (
    "do_lower_case",
    "strip_accents",
    "tokenize_chinese_chars",
    "add_prefix_space",
    "add_bos_token",
    "add_eos_token",
    "clean_up_tokenization_spaces",
    "legacy",
)
"""The switches of a `tokenizer_config.json` that change ids or texts."""
MAX_TEMPLATES = 100
MAX_TEMPLATE_LENGTH = 1_000_000
"""In characters; the longest published templates have some twenty thousand."""

_EXTRA = ("additional_special_tokens", "extra_special_tokens")
_SETTINGS = re.compile(
    r"(?:.*/)?(?P<prefix>[^/]*?)(?P<name>tokenizer_config\.json|special_tokens_map\.json"
    r"|added_tokens\.json|generation_config\.json|(?<![A-Za-z_])config\.json"
    r"|chat_template\.json|[^/]*\.jinja)",
    re.DOTALL | re.IGNORECASE,
)
_CLASS_OF_NETWORK = {
    "bert": "BertTokenizer",
    "distilbert": "DistilBertTokenizer",
    "electra": "ElectraTokenizer",
    "gpt2": "GPT2Tokenizer",
    "roberta": "RobertaTokenizer",
    "qwen2": "Qwen2Tokenizer",
    "qwen3": "Qwen2Tokenizer",
    "llama": "LlamaTokenizer",
    "gemma": "GemmaTokenizer",
    "t5": "T5Tokenizer",
}
"""The tokenizer's class where no file names it, for the kinds of networks that this affects."""


@dataclass(frozen=True)
class RepositorySettings:
    """What the files beside a tokenizer say.

    `tokenizer_class` is the class in transformers, without "Fast". `added` has the tokens with ids,
    `named` the special tokens by what they are for (such as "bos"; None for an explicit null),
    `specific` those of this model alone, by their keys, and `extra` the others. `options` has the
    switches that are set. `notes` lists what each file says; `ignored` there has the reasons.
    """

    tokenizer_class: str = ""
    added: tuple[AddedToken, ...] = ()
    named: Mapping[str, AddedToken | None] = field(default_factory=dict[str, AddedToken | None])
    specific: Mapping[str, AddedToken] = field(default_factory=dict[str, AddedToken])
    extra: tuple[AddedToken, ...] = ()
    options: Mapping[str, bool | None] = field(default_factory=dict[str, bool | None])
    extra_ids: int = 100
    chat_templates: Mapping[str, str] = field(default_factory=dict[str, str])
    ends: tuple[int, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict[str, str])
    notes: tuple[FileSetting, ...] = ()


def settings_name(name: str) -> str:
    """Return the usual name of a settings file, "" for any other file.

    >>> settings_name("model/Tokenizer_Config.json"), settings_name("tokenizer.json")
    ('tokenizer_config.json', '')
    >>> settings_name("additional_chat_templates/rag.jinja")
    'rag.jinja'
    """
    found = _SETTINGS.fullmatch(name)
    if not found:
        return ""
    usual = found["name"]
    return usual if usual.lower().endswith(".jinja") else usual.lower()


def read_settings(files: Mapping[str, bytes]) -> RepositorySettings:
    """Return what the settings files among `files` say; others are passed over.

    The order of `files` does not matter: of two files with one usual name the first by name counts.
    Raises UserError, which names the file, if one that is needed is invalid.
    """
    found: dict[str, str] = {}
    notes: list[FileSetting] = []
    for name in sorted(files, key=lambda name: (name.count("/"), name)):
        if usual := settings_name(name):
            if usual in found:
                notes.append(FileSetting(name, "the file", "", f"{found[usual]} counts"))
            found.setdefault(usual, name)
    reader = _Reader(files, found, notes)
    return reader.read()


@dataclass
class _Reader:
    """Collects the settings, file by file."""

    files: Mapping[str, bytes]
    found: Mapping[str, str]
    notes: list[FileSetting]
    settings: RepositorySettings = field(default_factory=RepositorySettings)
    special_extra: set[str] = field(default_factory=set[str])

    def read(self) -> RepositorySettings:
        config = self._object(CONFIG)
        self._class(config)
        self._tokens(config)
        self._options(config)
        self._templates(config)
        self._generation()
        files = {usual: name for usual, name in self.found.items() if "." in usual}
        return replace(self.settings, files=files, notes=tuple(self.notes))

    def _note(self, usual: str, setting: str, value: object = "", ignored: str = "") -> None:
        self.notes.append(FileSetting(self.found[usual], setting, str(value), ignored))

    def _set(self, **changes: Any) -> None:
        self.settings = replace(self.settings, **changes)

    def _object(self, usual: str) -> JsonCursor:
        """Return a file's object, an empty one if there is no such file."""
        if usual not in self.found:
            return JsonCursor({}, "")
        return in_file(self.found[usual], lambda: parse(self.files[self.found[usual]], "an object"))

    # --- The class --------------------------------------------------------------------------------

    def _class(self, config: JsonCursor) -> None:
        named = config.get("tokenizer_class")
        if isinstance(named.value, str):
            self._set(tokenizer_class=_without_fast(named.value))
            self._note(CONFIG, "tokenizer_class", named.value)
        if NETWORK not in self.found:
            return
        try:
            network = self._object(NETWORK)
        except UserError as error:
            self._note(NETWORK, "the file", "", f"it cannot be read: {error}")
            return
        kind, own = network.get("model_type").value, network.get("tokenizer_class").value
        known = _CLASS_OF_NETWORK.get(kind, "") if isinstance(kind, str) else ""
        tokenizer_class = _without_fast(own) if isinstance(own, str) else known
        if self.settings.tokenizer_class or not tokenizer_class:
            why = f"{CONFIG} names the class" if self.settings.tokenizer_class else _NO_CUTTING
            self._note(NETWORK, "model_type", kind or "", why)
        else:
            self._set(tokenizer_class=tokenizer_class)
            self._note(NETWORK, "tokenizer_class" if own else "model_type", own or kind)

    # --- Tokens -----------------------------------------------------------------------------------

    def _tokens(self, config: JsonCursor) -> None:
        if CONFIG in self.found:
            in_file(self.found[CONFIG], lambda: self._named(config, CONFIG))
        if "added_tokens_decoder" in config:
            decoder = config.get("added_tokens_decoder")
            self._set(added=in_file(self.found[CONFIG], lambda: tuple(_decoder_tokens(decoder))))
            self._note(CONFIG, "added_tokens_decoder", _listed(self.settings.added))
            for usual in (SPECIALS, ADDED):
                if usual in self.found:
                    self._note(usual, "the file", "", f"{CONFIG} lists the added tokens")
            return
        if SPECIALS in self.found:
            specials = self._object(SPECIALS)
            in_file(self.found[SPECIALS], lambda: self._named(specials, SPECIALS))
        if ADDED in self.found:
            ids = self._object(ADDED)
            self._set(added=in_file(self.found[ADDED], lambda: tuple(self._added(ids))))
            self._note(ADDED, "added tokens", _listed(self.settings.added))

    def _named(self, cursor: JsonCursor, usual: str) -> None:
        """Read the special tokens that an object names by what they are for."""
        named, specific = dict(self.settings.named), dict(self.settings.specific)
        extra = self.settings.extra
        for key, value in cursor.object().items():
            at = cursor.get(key)
            role = key.removesuffix("_token")
            if key in _EXTRA:
                if isinstance(value, dict):
                    by_key = {name: _token(token) for name, token in at.items()}
                    specific |= by_key
                    tokens = list(by_key.values())
                elif isinstance(value, list):
                    rows = at.rows(MAX_ADDED_TOKENS, "special tokens")
                    tokens = list(map(_token, rows))
                    extra = tuple(dict.fromkeys((*extra, *tokens)))
                    # In a special_tokens_map.json the library overlooks the older name here.
                    if usual == CONFIG or key == "extra_special_tokens":
                        self.special_extra.update(token.content for token in tokens)
                else:
                    continue
                self._note(usual, key, _named_first(tokens))
            elif not key.endswith("_token") or not isinstance(value, str | dict | None):
                continue
            elif role in ROLES:
                named[role] = None if value is None else _token(at)
                self._note(usual, key, "none" if value is None else _token(at).content)
            elif value is not None:
                specific[key] = _token(at)
                self._note(usual, key, specific[key].content)
        check_at_most(len(specific) + len(extra), MAX_ADDED_TOKENS, "special tokens")
        self._set(named=named, specific=specific, extra=extra)

    def _added(self, ids: JsonCursor) -> Iterable[AddedToken]:
        """Yield the tokens of an `added_tokens.json`, in the order of their ids."""
        special = {token.content for token in self.settings.named.values() if token}
        special |= self.special_extra
        check_at_most(len(ids.object()), MAX_ADDED_TOKENS, "added tokens")
        rows = [(id_.integer(), JsonCursor(name, "a token").text()) for name, id_ in ids.items()]
        for id_, name in sorted(rows):
            is_special = name in special
            yield AddedToken(name, id_, normalized=not is_special, special=is_special)

    # --- Options ----------------------------------------------------------------------------------

    def _options(self, config: JsonCursor) -> None:
        options: dict[str, bool | None] = {}
        for name in OPTIONS:
            if name in config.object():
                at = config.get(name)
                if at.value is not None:
                    in_file(self.found[CONFIG], at.flag)
                options[name] = at.value if isinstance(at.value, bool) else None
        number = config.get("extra_ids", 100)
        extra_ids = in_file(self.found.get(CONFIG, ""), number.integer)
        in_file(
            self.found.get(CONFIG, ""),
            lambda: check_at_most(extra_ids, MAX_ADDED_TOKENS, "extra ids"),
        )
        self._set(options=options, extra_ids=extra_ids)
        if "model_max_length" in config:
            length = config.get("model_max_length").value
            self._note(
                CONFIG, "model_max_length", _number(length), "no text is cut to a length here"
            )
        rest = [key for key in config.object().keys() - _KNOWN if not key.endswith("_token")]
        if rest:
            self._note(CONFIG, f"{len(rest):,} other key{'s' * (len(rest) > 1)}", "", _NO_CUTTING)

    # --- Chat templates ---------------------------------------------------------------------------

    def _templates(self, config: JsonCursor) -> None:
        """Read the chat templates; those in files of their own replace those of the settings."""
        own = {
            _template_name(usual): usual for usual in self.found if usual.lower().endswith(".jinja")
        }
        sources = [(CONFIG, config)]
        if TEMPLATE_JSON in self.found:
            sources.append((TEMPLATE_JSON, self._object(TEMPLATE_JSON)))
        templates: dict[str, str] = {}
        for usual, cursor in sources:
            if "chat_template" not in cursor:
                continue
            at = cursor.get("chat_template")
            found = in_file(self.found[usual], lambda at=at: dict(_templates_in(at)))
            why = "the .jinja files count" if own else f"{CONFIG} has one" if templates else ""
            self._note(usual, "chat_template", ", ".join(found), why)
            if not why:
                templates = found
        check_at_most(len(own), MAX_TEMPLATES, "chat templates")
        for name, usual in sorted(own.items()):
            templates[name] = self._text(usual)
            self._note(usual, "chat template", name)
        self._set(chat_templates=templates)

    def _text(self, usual: str) -> str:
        file = self.found[usual]

        def read() -> str:
            check_file_size(len(self.files[file]))
            try:
                text = to_utf8(self.files[file]).decode()
            except UnicodeDecodeError as error:
                raise UserError(f"Byte {error.start:,} is not UTF-8.") from error
            check_at_most(len(text), MAX_TEMPLATE_LENGTH, "characters in a chat template")
            return text

        return in_file(file, read)

    # --- Generation -------------------------------------------------------------------------------

    def _generation(self) -> None:
        if GENERATION not in self.found:
            return
        try:
            ends = self._object(GENERATION).get("eos_token_id")
        except UserError as error:
            self._note(GENERATION, "the file", "", f"it cannot be read: {error}")
            return
        ids = ends.value if isinstance(ends.value, list) else [ends.value]
        numbers = tuple(id_ for id_ in ids[:_MAX_ENDS] if type(id_) is int and id_ >= 0)
        self._set(ends=numbers)


_T = TypeVar("_T")
_MAX_ENDS = 20
_NO_CUTTING = "that does not change how a text is cut"
_KNOWN = {
    *OPTIONS,
    *_EXTRA,
    "added_tokens_decoder",
    "chat_template",
    "extra_ids",
    "model_max_length",
    "tokenizer_class",
}


def in_file(name: str, read: Callable[[], _T]) -> _T:
    """Return what `read` returns; a UserError that it raises gets the name of the file."""
    try:
        return read()
    except UserError as error:
        raise UserError(f"{name}: {error}") from error


def _without_fast(name: str) -> str:
    return name if name == "PreTrainedTokenizerFast" else name.removesuffix("Fast")


def _token(cursor: JsonCursor) -> AddedToken:
    """Return a special token, given as its text or as an object with its flags."""
    if isinstance(cursor.value, dict):
        return replace(read_added_token(cursor, NO_ID), special=True)
    return AddedToken(cursor.text(), NO_ID, normalized=False, special=True)


def _decoder_tokens(cursor: JsonCursor) -> Iterable[AddedToken]:
    """Yield the tokens of an `added_tokens_decoder`, in the order of their ids."""
    check_at_most(len(cursor.object()), MAX_ADDED_TOKENS, "added tokens")
    rows: list[tuple[int, AddedToken]] = []
    for key, item in cursor.items():
        if not key.isascii() or not key.isdecimal() or len(key) > 10 or int(key) > MAX_ID:
            raise UserError(f"{item.path} must be a token’s id, a whole number up to {MAX_ID:,}.")
        rows.append((int(key), read_added_token(item, int(key))))
    return [token for _, token in sorted(rows, key=lambda row: row[0])]


def _templates_in(cursor: JsonCursor) -> Iterable[tuple[str, str]]:
    """Yield the names and sources of a template, of a list of named ones, or of an object."""
    if isinstance(cursor.value, dict):
        check_at_most(len(cursor.value), MAX_TEMPLATES, "chat templates")
        for name, source in cursor.items():
            yield name, source.text(MAX_TEMPLATE_LENGTH)
    elif isinstance(cursor.value, list):
        for item in cursor.rows(MAX_TEMPLATES, "chat templates"):
            source = item.get("template").text(MAX_TEMPLATE_LENGTH)
            yield item.get("name").text(), source
    else:
        yield "default", cursor.text(min(MAX_TEMPLATE_LENGTH, MAX_TEXT_LENGTH))


def _template_name(usual: str) -> str:
    stem = usual[: -len(".jinja")]
    return "default" if stem.lower().endswith("chat_template") else stem


def _named_first(tokens: Sequence[AddedToken]) -> str:
    """Return the first tokens, and how many more there are."""
    more = f" and {len(tokens) - 3:,} more" if len(tokens) > 3 else ""
    return (", ".join([token.content for token in tokens[:3]]) or "none") + more


def _listed(tokens: Iterable[AddedToken]) -> str:
    """Return the first tokens with their ids, and how many more there are."""
    found = list(tokens)
    more = f" and {len(found) - 3:,} more" if len(found) > 3 else ""
    return ", ".join([f"{token.content} {token.id}" for token in found[:3]]) + more


def _number(value: object) -> str:
    """Return a maximum length; transformers writes 10^30 for none."""
    if type(value) is int and value < 10**12:
        return f"{value:,}"
    return "none" if isinstance(value, int | float) else "no number"
