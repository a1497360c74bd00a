"""Apply the settings that lie beside a tokenizer in its repository.

The result is what `AutoTokenizer.from_pretrained` of transformers 5.24 makes of the same folder:
its ids, and its text for ids. A `tokenizer.json` says itself how a text is cut, so beside it only
added tokens, special tokens and the few options count that the library takes from elsewhere even
then. What was applied, and what was not and why, is listed in `LoadedTokenizer.settings`.

One thing differs on purpose: where an `added_tokens.json` or an `added_tokens_decoder` lies beside
other files than a `tokenizer.json`, its ids count, even if ids before them stay free.

A `.model` is cut as SentencePiece cuts it, which the library does not always reach with the BPE
that it makes of one, and its control tokens decode to nothing. Of the library's classes that build
a tokenizer anew from its vocabulary, and leave out what else its `tokenizer.json` says, BERT's,
GPT-2's, RoBERTa's and Llama's are imitated where that matters; those that renumber a SentencePiece
`.model` are not.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tokenizers.formats import tokenizer_json, vocab_merges, vocab_txt
from tokenizers.formats.repository_settings import (
    ADDED,
    CONFIG,
    GENERATION,
    NO_ID,
    ROLES,
    RepositorySettings,
)
from tokenizers.formats.schemes import SCHEMES, Scheme
from tokenizers.limits import MAX_ADDED_TOKENS, check_at_most
from tokenizers.runtime.added_tokens import AddedToken, AddedTokens
from tokenizers.runtime.components import ComponentSequence, Decoder, PostProcessor
from tokenizers.runtime.decoders import ByteFallback, CleanUp, Fuse, Replace, Strip
from tokenizers.runtime.models.bpe import BPE
from tokenizers.runtime.models.byte_bpe import ByteBPE
from tokenizers.runtime.normalizers import BertNormalizer
from tokenizers.runtime.patterns import Pattern
from tokenizers.runtime.post_processors import (
    BertProcessing,
    RobertaProcessing,
    Slot,
    TemplateProcessing,
)
from tokenizers.runtime.pre_tokenizers import ByteLevel, Metaspace
from tokenizers.runtime.sentencepiece import loading
from tokenizers.runtime.sentencepiece.bpe import SentencePieceBPE
from tokenizers.runtime.sentencepiece.normalizer import (
    FirstPrefixNormalizer,
    SentencePieceNormalizer,
)
from tokenizers.runtime.tokenizer import FileSetting, LoadedTokenizer
from tokenizers.text.symbols import METASPACE

_BERT = "BertTokenizer"
_ROBERTA = "RobertaTokenizer"
_GPT2 = "GPT2Tokenizer"
_QWEN = "Qwen2Tokenizer"
_LLAMA = "LlamaTokenizer"
_T5 = "T5Tokenizer"
_FAMILIES = {
    _BERT: "DistilBert Electra MobileBert Lxmert LayoutLM ConvBert RetriBert SqueezeBert "
    "DPRContextEncoder DPRQuestionEncoder DPRReader",
    _ROBERTA: "Bart Longformer LED",
    _GPT2: "CodeGen",
}
_FAMILY = {f"{name}Tokenizer": one for one, more in _FAMILIES.items() for name in more.split()}
"""Classes that work as another one does."""
_NAMES = {
    _BERT: "unk [UNK] sep [SEP] pad [PAD] cls [CLS] mask [MASK]",
    _GPT2: "bos <|endoftext|> eos <|endoftext|> unk <|endoftext|>",
    _ROBERTA: "bos <s> eos </s> unk <unk> sep </s> pad <pad> cls <s> mask <mask>",
    _QWEN: "eos <|endoftext|> unk <|endoftext|> pad <|endoftext|>",
    _LLAMA: "bos <s> eos </s> unk <unk>",
    "GemmaTokenizer": "bos <bos> eos <eos> unk <unk> pad <pad> mask <mask>",
    _T5: "eos </s> unk <unk> pad <pad>",
}
"""The special tokens that a class has even if no file names them."""
_RENUMBERED = (
    "XLMRobertaTokenizer",
    "CamembertTokenizer",
    "MBartTokenizer",
    "MBart50Tokenizer",
    "NllbTokenizer",
    "BarthezTokenizer",
    "XGLMTokenizer",
    "M2M100Tokenizer",
    "MarianTokenizer",
    "PegasusTokenizer",
    "DebertaV2Tokenizer",
)
"""Classes that give the pieces of a `.model` other ids than the file."""
_ON_BYTES = {_GPT2: "gpt2", _ROBERTA: "gpt2", _QWEN: "qwen"}
"""The patterns of classes whose tokenizers come as vocab.json and merges.txt."""


def family_of(settings: RepositorySettings) -> str:
    """Return the class in transformers whose rules apply, "" if no file names one."""
    return _FAMILY.get(settings.tokenizer_class, settings.tokenizer_class)


def find_scheme(settings: RepositorySettings) -> Scheme | None:
    """Return the pattern of a vocab.json and a merges.txt by the tokenizer's class, if it says."""
    name = _ON_BYTES.get(family_of(settings))
    return SCHEMES[name] if name else None


def find_lowercase(settings: RepositorySettings) -> bool | None:
    """Return whether a vocab.txt's texts become lower case; None to tell from its pieces."""
    if (chosen := settings.options.get("do_lower_case")) is not None:
        return chosen
    return True if family_of(settings) == _BERT else None


def apply_settings(loaded: LoadedTokenizer, settings: RepositorySettings) -> LoadedTokenizer:
    """Return the tokenizer as the files beside it want it.

    Raises UserError if they name too many tokens, or give two tokens one id.
    """
    if not settings.files:
        return loaded
    return _Application(loaded, settings, list(settings.notes)).apply()


@dataclass
class _Application:
    """Applies one file's settings after the other, and notes what it did."""

    loaded: LoadedTokenizer
    settings: RepositorySettings
    notes: list[FileSetting] = field(default_factory=list[FileSetting])

    def apply(self) -> LoadedTokenizer:
        self._set_case()
        self._set_metaspace()
        self._set_prefix_space()
        self._add_tokens()
        self._set_post_processor()
        self._set_clean_up()
        self._set_ends()
        templates = self.settings.chat_templates
        return replace(
            self.loaded,
            chat_templates=templates,
            template_tokens=self._template_tokens(),
            settings=tuple(self.notes),
        )

    # --- What is known ----------------------------------------------------------------------------

    @property
    def _is_json(self) -> bool:
        return self.loaded.format == tokenizer_json.FORMAT

    @property
    def _is_model(self) -> bool:
        return self.loaded.format == loading.FORMAT

    @property
    def _family(self) -> str:
        """The class, but none for a tokenizer.json over bytes that only calls itself Llama's."""
        family = family_of(self.settings)
        on_bytes = any(isinstance(part, ByteLevel) for part in self._pre_tokenizers)
        return "" if family == _LLAMA and self._is_json and on_bytes else family

    @property
    def _pre_tokenizers(self) -> tuple[object, ...]:
        part = self.loaded.pre_tokenizer
        return part.components if isinstance(part, ComponentSequence) else (part,)

    def _named(self) -> dict[str, AddedToken]:
        """Return the special tokens by role: those of the files, else those of the class."""
        words = _NAMES.get(self._family, "").split()
        by_class = dict(zip(words[::2], words[1::2], strict=True))
        named: dict[str, AddedToken] = {}
        for role in ROLES:
            if role in self.settings.named:
                token = self.settings.named[role]
            else:
                name = by_class.get(role)
                token = AddedToken(name, NO_ID, normalized=False, special=True) if name else None
            if token:
                named[role] = token
        return named

    def _note(self, usual: str, setting: str, value: object, ignored: str = "") -> None:
        self.notes.append(FileSetting(self.settings.files[usual], setting, str(value), ignored))

    def _option(self, name: str) -> bool | None:
        return self.settings.options.get(name)

    # --- Tokens -----------------------------------------------------------------------------------

    def _add_tokens(self) -> None:
        named = self._named()
        names = {token.content for token in named.values()}
        names |= {token.content for token in self.settings.specific.values()}
        tokens = _TokenTable(self.loaded, keeps_ids=not self._is_json)
        moved, has_file = 0, ADDED in self._sources()
        usual = ADDED if has_file else CONFIG
        for token in (*self._sentinels(), *self.settings.added):
            if tokens.has(token) or not token.content:
                continue
            if self._is_json and has_file and (other := tokens.other_with(token)):
                why = f"the tokenizer.json gives this id to {other}"
                self._note(ADDED, token.content, token.id, why)
                continue
            is_special = token.special or token.content in names
            id_ = tokens.add(token, is_special)
            if id_ != token.id:
                moved += 1
            if id_ != token.id and moved <= _MAX_MOVED:
                why = "the next free id counts, as in the library"
                self._note(usual, f"the id of {token.content}", token.id, f"it is {id_}: {why}")
        for token in (*named.values(), *self.settings.specific.values(), *self.settings.extra):
            if token.content and not tokens.knows(token.content):
                tokens.add(token, token.special)
        if moved > _MAX_MOVED:
            self._note(
                usual, "other ids", f"{moved - _MAX_MOVED:,}", "the next free ids count there, too"
            )
        self.loaded = replace(self.loaded, added=tokens.added())

    def _sources(self) -> Mapping[str, str]:
        """The files from which the added tokens came."""
        has_decoder = any(note.setting == "added_tokens_decoder" for note in self.settings.notes)
        return {} if has_decoder else self.settings.files

    def _sentinels(self) -> Iterable[AddedToken]:
        """Yield T5's `<extra_id_…>`: after the pieces of its `.model`, the last one first."""
        if self._family != _T5 or not self._is_model:
            return
        size, count = len(self.loaded.model.vocab), self.settings.extra_ids
        for n in range(count):
            name = f"<extra_id_{count - 1 - n}>"
            yield AddedToken(name, size + n, normalized=False, special=True)

    def _template_tokens(self) -> dict[str, str]:
        """Return the tokens that a chat template may name, by their keys in the settings."""
        named = {f"{role}_token": token.content for role, token in self._named().items()}
        return named | {key: token.content for key, token in self.settings.specific.items()}

    # --- Options ----------------------------------------------------------------------------------

    def _set_case(self) -> None:
        """Set what BERT's normalizer does; the class's defaults replace what a file has."""
        options, part = self.settings.options, self.loaded.normalizer
        names = ("do_lower_case", "strip_accents", "tokenize_chinese_chars")
        given = [name for name in names if name in options]
        is_lines = self.loaded.format == vocab_txt.FORMAT
        if not isinstance(part, BertNormalizer) or not (is_lines or self._family == _BERT):
            why = "the tokenizer has no normalizer of BERT’s that it could change"
            if isinstance(part, BertNormalizer):
                why = "the class of the tokenizer is not BERT’s, so its own file counts"
            for name in given:
                self._note(CONFIG, name, _shown(options[name]), why)
            return
        lowercase = options.get("do_lower_case")
        lowercase = True if lowercase is None else lowercase
        if is_lines:  # it was read with the right one
            lowercase = part.lowercase
        chinese = options.get("tokenize_chinese_chars")
        changed = replace(
            part,
            lowercase=lowercase,
            strip_accents=options.get("strip_accents"),
            handle_chinese_chars=True if chinese is None else chinese,
        )
        self.loaded = replace(self.loaded, normalizer=changed)
        for name in given:
            self._note(CONFIG, name, _shown(options[name]))
        if not given and changed != part and CONFIG in self.settings.files:
            self._note(CONFIG, "do_lower_case", "true, as nothing else is said")

    def _set_metaspace(self) -> None:
        """Write spaces as Llama's class does, which replaces this part of a tokenizer.json."""
        model, legacy = self.loaded.model, self._option("legacy")
        if not (self._is_json and self._family == _LLAMA and isinstance(model, BPE)):
            return
        has_space = self._option("add_prefix_space") is not False
        scheme = "never" if not has_space else "always" if legacy else "first"
        parts: list[Decoder] = [Replace(Pattern(METASPACE, literal=True), " "), ByteFallback()]
        parts += [Fuse(), *([Strip(" ", 1, 0)] if has_space else [])]
        self.loaded = replace(
            self.loaded,
            model=replace(model, unk=None, fuse_unk=True, byte_fallback=True, ignore_merges=False),
            normalizer=None,
            pre_tokenizer=Metaspace(METASPACE, scheme, split=False),
            decoder=ComponentSequence("decoders", tuple(parts)),
        )
        usual = CONFIG if CONFIG in self.settings.files else next(iter(self.settings.files))
        self._note(usual, "spaces", f"{METASPACE}, {_PREFIXES[scheme]}")

    def _set_prefix_space(self) -> None:
        chosen = self._option("add_prefix_space")
        if self._family in _ON_BYTES:
            part, space = self.loaded.pre_tokenizer, bool(chosen)
            if self._family != _QWEN and self.loaded.format == vocab_merges.FORMAT and space:
                part = ByteLevel(add_prefix_space=True)  # the space comes before the split
            changed = _with_prefix_space(part, space, inside=self._family == _QWEN)
            is_same = changed == self.loaded.pre_tokenizer
            self.loaded = replace(self.loaded, pre_tokenizer=changed)
            ignored = _OWN_SPLIT if space and is_same else ""
        elif self._family == _LLAMA and self._is_json:
            ignored = ""
        elif self._is_model and self._family == _LLAMA:
            is_first = not self._option("legacy")
            self.loaded = _with_dummy_prefix(self.loaded, chosen is not False, is_first)
            ignored = ""
        else:
            ignored = _OWN_SPLIT
        if chosen is not None:
            self._note(CONFIG, "add_prefix_space", _shown(chosen), ignored)
        if (legacy := self._option("legacy")) is not None:
            is_used = (self._is_model or self._is_json) and self._family == _LLAMA
            why = "" if is_used else "only Llama’s class asks for it"
            self._note(CONFIG, "legacy", _shown(legacy), why)

    def _set_post_processor(self) -> None:
        """Set which tokens are put around a text; a tokenizer.json says this itself."""
        asked = {role: self._option(f"add_{role}_token") for role in ("bos", "eos")}
        around = None if self._is_json else self._around(asked)
        if around:
            self.loaded = replace(self.loaded, post_processor=around)
        why = "" if isinstance(around, TemplateProcessing) else "the class puts its own tokens"
        why = "the tokenizer.json says which tokens are put around a text" if self._is_json else why
        for role, chosen in asked.items():
            if chosen is not None:
                self._note(CONFIG, f"add_{role}_token", _shown(chosen), why if chosen else "")
        if family_of(self.settings) in _RENUMBERED and self._is_model:
            why = "its ids differ from those of the .model, which are used. Open the tokenizer.json"
            usual = CONFIG if CONFIG in self.settings.files else next(iter(self.settings.files))
            self._note(usual, "tokenizer_class", self.settings.tokenizer_class, why)

    def _around(self, asked: Mapping[str, bool | None]) -> PostProcessor | None:
        """Return what puts tokens around a text, None to leave what is there."""
        named = self._named()
        ids = {role: self.loaded.vocab.get(token.content, -1) for role, token in named.items()}
        found = {role: (named[role].content, id_) for role, id_ in ids.items() if id_ >= 0}
        if self._family == _ROBERTA and "sep" in found and "cls" in found:
            space = bool(self._option("add_prefix_space"))
            return RobertaProcessing(found["sep"], found["cls"], add_prefix_space=space)
        if self.loaded.format == vocab_txt.FORMAT:
            both = "sep" in found and "cls" in found
            return BertProcessing(found["sep"], found["cls"]) if both else None
        first = "bos" if asked["bos"] and "bos" in found else ""
        last = "eos" if (asked["eos"] or self._family == _T5) and "eos" in found else ""
        if not first and not last:
            return None
        parts = [_slots(first, "A", last, 0), _slots(first, "B", last, 1)]
        tokens = {found[role][0]: (found[role],) for role in (first, last) if role}
        renamed = [
            tuple(
                slot if slot.is_text else slot._replace(name=found[slot.name][0]) for slot in slots
            )
            for slots in parts
        ]
        return TemplateProcessing(renamed[0], renamed[0] + renamed[1], tokens)

    def _set_clean_up(self) -> None:
        chosen = self._option("clean_up_tokenization_spaces")
        if chosen is None:
            return
        is_bpe = isinstance(self.loaded.model, BPE | ByteBPE | SentencePieceBPE)
        why = "for BPE the library does not do it either" if chosen and is_bpe else ""
        self._note(CONFIG, "clean_up_tokenization_spaces", _shown(chosen), why)
        if chosen and not is_bpe and self.loaded.decoder:
            parts = (self.loaded.decoder, CleanUp())
            self.loaded = replace(self.loaded, decoder=ComponentSequence("decoders", parts))

    def _set_ends(self) -> None:
        """Note the tokens at which the network stops writing."""
        if not self.settings.ends:
            return
        names = {id_: token for token, id_ in self.loaded.vocab.items()}
        ends = [f"{names.get(id_, 'no token')} {id_}" for id_ in self.settings.ends]
        why = "the network stops writing there; it does not change how a text is cut"
        self._note(GENERATION, "eos_token_id", ", ".join(ends), why)


_PREFIXES = {
    "always": "one before every part between special tokens",
    "first": "one before the whole text",
    "never": "none before a text",
}
_OWN_SPLIT = "the tokenizer’s own file says how words begin"


def _shown(value: bool | None) -> str:
    return "null" if value is None else "true" if value else "false"


def _slots(first: str, text: str, last: str, type_: int) -> tuple[Slot, ...]:
    """Return the slots of one text, with the roles of the tokens around it."""
    names = ((first, False), (text, True), (last, False))
    return tuple(Slot(name, type_, is_text) for name, is_text in names if name)


def _with_prefix_space(part: Any, space: bool, inside: bool) -> Any:
    """Return a pre-tokenizer whose `ByteLevel`, also `inside` a sequence, puts a space or not."""
    if isinstance(part, ByteLevel):
        return replace(part, add_prefix_space=space)
    if inside and isinstance(part, ComponentSequence):
        parts = tuple(_with_prefix_space(one, space, inside) for one in part.components)
        return replace(part, components=parts)
    return part


def _with_dummy_prefix(loaded: LoadedTokenizer, chosen: bool, is_first: bool) -> LoadedTokenizer:
    """Return a `.model`'s tokenizer that puts a space before a text or not, perhaps `is_first`."""
    decoder, normalizer = loaded.decoder, loaded.normalizer
    assert isinstance(decoder, loading.SentencePieceDecoder)
    assert isinstance(normalizer, SentencePieceNormalizer)
    changed = replace(normalizer, add_dummy_prefix=chosen)
    spec = replace(decoder.file.normalizer, add_dummy_prefix=chosen)
    return replace(
        loaded,
        normalizer=FirstPrefixNormalizer(changed) if is_first else changed,
        decoder=replace(decoder, file=replace(decoder.file, normalizer=spec)),
    )


_MAX_MOVED = 20
"""The maximum number of notes on ids that do not count; further ones are only counted."""


def _flags(token: AddedToken) -> tuple[bool, ...]:
    return token.single_word, token.lstrip, token.rstrip, token.normalized, token.special


class _TokenTable:
    """The added tokens of a tokenizer, to which more are added as in the library.

    A token that is there keeps its id and gets the new flags; another gets the next free id or,
    if the table `keeps_ids`, the id that its file gives it.
    """

    def __init__(self, loaded: LoadedTokenizer, keeps_ids: bool) -> None:
        self._vocab, self._keeps_ids = loaded.model.vocab, keeps_ids
        # A .model's normalizer puts a space before every text, so its tokens are matched before it.
        self._is_model = loaded.format == loading.FORMAT
        self._normalizer = None if self._is_model else loaded.normalizer
        self._tokens = {token.content: token for token in loaded.added.tokens}
        self._by_id = {token.id: token.content for token in loaded.added.tokens}
        self._next = max((len(self._vocab), *[id_ + 1 for id_ in self._by_id]))
        if keeps_ids:
            self._next = max(self._next, 1 + max(self._vocab.values(), default=-1))
            self._by_id = {id_: name for name, id_ in self._vocab.items()} | self._by_id

    def knows(self, content: str) -> bool:
        """Whether a token with this content was added already."""
        return content in self._tokens

    def has(self, token: AddedToken) -> bool:
        """Whether the same token was added already, with the same flags."""
        known = self._tokens.get(token.content)
        return known is not None and _flags(known) == _flags(token)

    def other_with(self, token: AddedToken) -> str:
        """Return the other token that has this token's id, or ""."""
        other = self._by_id.get(token.id, "")
        return "" if other == token.content else other

    def add(self, token: AddedToken, special: bool) -> int:
        """Add a token that is `special` or not, or change its flags; return its id."""
        known = self._tokens.get(token.content)
        id_ = known.id if known else self._vocab.get(token.content, NO_ID)
        if id_ == NO_ID:
            is_free = self._keeps_ids and token.id != NO_ID and token.id not in self._by_id
            id_ = token.id if is_free else self._next
            self._next = max(self._next, id_ + 1)
        self._by_id[id_] = token.content
        is_normalized = token.normalized and not self._is_model
        self._tokens[token.content] = AddedToken(
            token.content,
            id_,
            token.single_word,
            token.lstrip,
            token.rstrip,
            is_normalized,
            special,
        )
        check_at_most(len(self._tokens), MAX_ADDED_TOKENS, "added tokens")
        return id_

    def added(self) -> AddedTokens:
        """Return all added tokens."""
        return AddedTokens(tuple(self._tokens.values()), self._normalizer)
