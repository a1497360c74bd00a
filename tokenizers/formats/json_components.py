"""Read the components of a `tokenizer.json` besides its model; a table maps each type to a reader.

An unknown type is an error that names the type's path; nothing is skipped.
"""

import base64
import binascii
from collections.abc import Callable, Mapping
from typing import Any

from tokenizers.errors import UserError
from tokenizers.formats.json_cursor import MAX_TEXT_LENGTH, JsonCursor
from tokenizers.formats.schemes import PUBLISHED_PATTERNS
from tokenizers.limits import MAX_COMPONENTS, MAX_TEMPLATE_ITEMS, MAX_TEMPLATE_NAMES, check_at_most
from tokenizers.runtime import decoders, normalizers, post_processors, pre_tokenizers
from tokenizers.runtime.components import ComponentSequence
from tokenizers.runtime.patterns import Pattern
from tokenizers.runtime.precompiled import Precompiled
from tokenizers.runtime.scripts import UnicodeScripts
from tokenizers.runtime.sentencepiece.charsmap import CharsMap

MAX_NESTED = 10
"""The maximum nesting depth of sequences."""
Reader = Callable[[JsonCursor], Any]


def read_component(cursor: JsonCursor, readers: Mapping[str, Reader]) -> Any:
    """Return the component at the cursor, or None for null."""
    if cursor.value is None:
        return None
    if cursor.path.count("[") > MAX_NESTED:
        raise UserError(f"{cursor.path} is nested too deeply.")
    type_ = cursor.get("type")
    kind = type_.text()
    if kind not in readers:
        known = ", ".join(sorted(readers))
        raise UserError(f"{type_.path} is “{kind}”, which is not supported. It can be: {known}.")
    return readers[kind](cursor)


# --- Normalizers ----------------------------------------------------------------------------------


def _pattern(cursor: JsonCursor) -> Pattern:
    """Return a pattern, given as {"Regex": "…"} or {"String": "…"}."""
    for key in ("Regex", "String"):
        if key in cursor:
            source = cursor.get(key)
            try:
                text = source.text(MAX_TEXT_LENGTH)
                return Pattern(text, key == "String", is_linear=text in PUBLISHED_PATTERNS)
            except ValueError as error:
                raise source.located(error) from error
    raise cursor.error('{"Regex": "…"} or {"String": "…"}')


def _replace(part: Callable[[Pattern, str], Any]) -> Reader:
    return lambda cursor: part(_pattern(cursor.get("pattern")), cursor.get("content").text())


def _sequence(kind: str, key: str, readers: Mapping[str, Reader]) -> Reader:
    def read(cursor: JsonCursor) -> ComponentSequence:
        parts = cursor.get(key).rows(MAX_COMPONENTS, f"{kind}, one after the other")
        return ComponentSequence(kind, tuple([read_component(part, readers) for part in parts]))

    return read


def _bert_normalizer(cursor: JsonCursor) -> normalizers.BertNormalizer:
    strips = cursor.get("strip_accents")
    return normalizers.BertNormalizer(
        clean_text=cursor.get("clean_text", True).flag(),
        handle_chinese_chars=cursor.get("handle_chinese_chars", True).flag(),
        strip_accents=None if strips.value is None else strips.flag(),
        lowercase=cursor.get("lowercase", True).flag(),
    )


def _strip(cursor: JsonCursor) -> normalizers.Strip:
    return normalizers.Strip(
        cursor.get("strip_left", True).flag(), cursor.get("strip_right", True).flag()
    )


def _precompiled(cursor: JsonCursor) -> Precompiled:
    written = cursor.get("precompiled_charsmap")
    try:
        return Precompiled(
            CharsMap.read(base64.b64decode(written.text(MAX_TEXT_LENGTH), validate=True))
        )
    except binascii.Error as error:
        raise written.error("a character map in base64") from error
    except ValueError as error:
        raise written.located(error) from error


NORMALIZERS: dict[str, Reader] = {
    "BertNormalizer": _bert_normalizer,
    "ByteLevel": lambda cursor: normalizers.ByteLevel(),
    "Lowercase": lambda cursor: normalizers.Lowercase(),
    "NFC": lambda cursor: normalizers.Unicode("NFC"),
    "NFD": lambda cursor: normalizers.Unicode("NFD"),
    "NFKC": lambda cursor: normalizers.Unicode("NFKC"),
    "NFKD": lambda cursor: normalizers.Unicode("NFKD"),
    "Nmt": lambda cursor: normalizers.Nmt(),
    "Precompiled": _precompiled,
    "Prepend": lambda cursor: normalizers.Prepend(cursor.get("prepend").text()),
    "Replace": _replace(normalizers.Replace),
    "Strip": _strip,
    "StripAccents": lambda cursor: normalizers.StripAccents(),
}
NORMALIZERS["Sequence"] = _sequence("normalizers", "normalizers", NORMALIZERS)


# --- Pre-tokenizers -------------------------------------------------------------------------------


def _byte_level(cursor: JsonCursor) -> pre_tokenizers.ByteLevel:
    return pre_tokenizers.ByteLevel(
        cursor.get("add_prefix_space", True).flag(),
        cursor.get("trim_offsets", True).flag(),
        cursor.get("use_regex", True).flag(),
    )


def _prepend_scheme(cursor: JsonCursor) -> str:
    """Return when `▁` is prepended; older files have a flag instead of a scheme."""
    default = "always" if cursor.get("add_prefix_space", True).flag() else "never"
    return cursor.get("prepend_scheme", default).one_of(pre_tokenizers.PREPEND_SCHEMES)


def _metaspace(cursor: JsonCursor) -> pre_tokenizers.Metaspace:
    return pre_tokenizers.Metaspace(
        cursor.get("replacement").character(),
        _prepend_scheme(cursor),
        cursor.get("split", True).flag(),
    )


def _split(cursor: JsonCursor) -> pre_tokenizers.Split:
    return pre_tokenizers.Split(
        _pattern(cursor.get("pattern")),
        cursor.get("behavior").one_of(pre_tokenizers.BEHAVIORS),
        cursor.get("invert", False).flag(),
    )


PRE_TOKENIZERS: dict[str, Reader] = {
    "BertPreTokenizer": lambda cursor: pre_tokenizers.BertPreTokenizer(),
    "ByteLevel": _byte_level,
    "CharDelimiterSplit": lambda cursor: pre_tokenizers.CharDelimiterSplit(
        cursor.get("delimiter").character()
    ),
    "Digits": lambda cursor: pre_tokenizers.Digits(cursor.get("individual_digits", False).flag()),
    "FixedLength": lambda cursor: pre_tokenizers.FixedLength(cursor.get("length", 5).integer(1)),
    "Metaspace": _metaspace,
    "Punctuation": lambda cursor: pre_tokenizers.Punctuation(
        cursor.get("behavior", "Isolated").one_of(pre_tokenizers.BEHAVIORS)
    ),
    "Split": _split,
    "UnicodeScripts": lambda cursor: UnicodeScripts(),
    "Whitespace": lambda cursor: pre_tokenizers.Whitespace(),
    "WhitespaceSplit": lambda cursor: pre_tokenizers.WhitespaceSplit(),
}
PRE_TOKENIZERS["Sequence"] = _sequence("pre-tokenizers", "pretokenizers", PRE_TOKENIZERS)


# --- Post-processors ------------------------------------------------------------------------------


def _slots(cursor: JsonCursor) -> tuple[post_processors.Slot, ...]:
    slots: list[post_processors.Slot] = []
    for item in cursor.rows(MAX_TEMPLATE_ITEMS, "tokens in a template"):
        is_text = "Sequence" in item
        if not is_text and "SpecialToken" not in item:
            raise item.error('{"Sequence": …} or {"SpecialToken": …}')
        slot = item.get("Sequence" if is_text else "SpecialToken")
        name = slot.get("id").one_of(("A", "B")) if is_text else slot.get("id").text()
        slots.append(post_processors.Slot(name, slot.get("type_id", 0).integer(), is_text))
    return tuple(slots)


_OF_A_NAME = ("tokens", "ids")


def _template(cursor: JsonCursor) -> post_processors.TemplateProcessing:
    tokens: dict[str, tuple[tuple[str, int], ...]] = {}
    named = cursor.get("special_tokens", {})
    check_at_most(len(named.object()), MAX_TEMPLATE_NAMES, "names in a template")
    for name, item in named.items():
        rows = [
            item.get(key).rows(MAX_TEMPLATE_ITEMS, "tokens in a template") for key in _OF_A_NAME
        ]
        names, ids = [token.text() for token in rows[0]], [id_.integer() for id_ in rows[1]]
        if len(names) != len(ids):
            raise item.error("as many ids as tokens")
        tokens[name] = tuple(zip(names, ids, strict=True))
    single, pair = _slots(cursor.get("single")), _slots(cursor.get("pair"))
    for key, slots in (("single", single), ("pair", pair)):
        for slot in slots:
            if not slot.is_text and slot.name not in tokens:
                raise UserError(
                    f"{cursor.path}.{key} names “{slot.name}”, which is not in special_tokens."
                )
            if slot.is_text and slot.name == "B" and key == "single":
                raise UserError(f"{cursor.path}.single names a second text, B.")
    return post_processors.TemplateProcessing(single, pair, tokens)


def _token_and_id(cursor: JsonCursor) -> tuple[str, int]:
    items = list(cursor) if isinstance(cursor.value, list) and len(cursor.value) == 2 else []
    if not items:
        raise cursor.error("a token and its id")
    return items[0].text(), items[1].integer()


def _roberta(cursor: JsonCursor) -> post_processors.RobertaProcessing:
    return post_processors.RobertaProcessing(
        _token_and_id(cursor.get("sep")),
        _token_and_id(cursor.get("cls")),
        cursor.get("trim_offsets", True).flag(),
        cursor.get("add_prefix_space", True).flag(),
    )


POST_PROCESSORS: dict[str, Reader] = {
    "BertProcessing": lambda cursor: post_processors.BertProcessing(
        _token_and_id(cursor.get("sep")), _token_and_id(cursor.get("cls"))
    ),
    "ByteLevel": lambda cursor: post_processors.ByteLevel(
        cursor.get("add_prefix_space", True).flag(), cursor.get("trim_offsets", True).flag()
    ),
    "RobertaProcessing": _roberta,
    "TemplateProcessing": _template,
}
POST_PROCESSORS["Sequence"] = _sequence("post-processors", "processors", POST_PROCESSORS)


# --- Decoders -------------------------------------------------------------------------------------


DECODERS: dict[str, Reader] = {
    "BPEDecoder": lambda cursor: decoders.BPEDecoder(cursor.get("suffix", "</w>").text()),
    "ByteFallback": lambda cursor: decoders.ByteFallback(),
    "ByteLevel": lambda cursor: decoders.ByteLevel(),
    "CTC": lambda cursor: decoders.CTC(
        cursor.get("pad_token", "<pad>").text(),
        cursor.get("word_delimiter_token", "|").text(),
        cursor.get("cleanup", True).flag(),
    ),
    "Fuse": lambda cursor: decoders.Fuse(),
    "Metaspace": lambda cursor: decoders.Metaspace(
        cursor.get("replacement").character(), _prepend_scheme(cursor)
    ),
    "Replace": _replace(decoders.Replace),
    "Strip": lambda cursor: decoders.Strip(
        cursor.get("content").character(),
        cursor.get("start").integer(),
        cursor.get("stop").integer(),
    ),
    "WordPiece": lambda cursor: decoders.WordPiece(
        cursor.get("prefix", "##").text(), cursor.get("cleanup", True).flag()
    ),
}
DECODERS["Sequence"] = _sequence("decoders", "decoders", DECODERS)
