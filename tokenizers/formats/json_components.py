"""The parts of a `tokenizer.json` besides its model: each type has one function in a table.

A type that is in no table is an error that names its place; nothing is skipped.
"""

import base64
import binascii
from collections.abc import Callable, Mapping
from typing import Any

from tokenizers.errors import UserError
from tokenizers.formats.json_cursor import MAX_TEXT_LENGTH, JsonCursor
from tokenizers.limits import MAX_COMPONENTS, MAX_TEMPLATE_ITEMS, MAX_TEMPLATE_NAMES, check_at_most
from tokenizers.runtime import decoders, normalizers, post_processors, pre_tokenizers
from tokenizers.runtime.components import ComponentSequence
from tokenizers.runtime.patterns import Pattern
from tokenizers.runtime.precompiled import Precompiled
from tokenizers.runtime.scripts import UnicodeScripts
from tokenizers.runtime.sentencepiece.charsmap import CharsMap

MAX_NESTED = 10
"""How many sequences may stand in each other."""
Reader = Callable[[JsonCursor], Any]


def read_component(place: JsonCursor, readers: Mapping[str, Reader]) -> Any:
    """Return the part that stands at a place, None for null."""
    if place.value is None:
        return None
    if place.path.count("[") > MAX_NESTED:
        raise UserError(f"{place.path} is nested too deeply.")
    type_ = place.get("type")
    kind = type_.text()
    if kind not in readers:
        known = ", ".join(sorted(readers))
        raise UserError(f"{type_.path} is “{kind}”, which is not supported. It can be: {known}.")
    return readers[kind](place)


# --- Normalizers ----------------------------------------------------------------------------------


def _pattern(place: JsonCursor) -> Pattern:
    """Return a pattern, which is written as {"Regex": "…"} or {"String": "…"}."""
    for key in ("Regex", "String"):
        if key in place:
            source = place.get(key)
            try:
                return Pattern(source.text(MAX_TEXT_LENGTH), literal=key == "String")
            except ValueError as error:
                raise UserError(f"{source.path}: {error}.") from error
    raise place.error('{"Regex": "…"} or {"String": "…"}')


def _replace(part: Callable[[Pattern, str], Any]) -> Reader:
    return lambda place: part(_pattern(place.get("pattern")), place.get("content").text())


def _sequence(kind: str, key: str, readers: Mapping[str, Reader]) -> Reader:
    def read(place: JsonCursor) -> ComponentSequence:
        parts = place.get(key).rows(MAX_COMPONENTS, f"{kind}, one after the other")
        return ComponentSequence(kind, tuple([read_component(part, readers) for part in parts]))

    return read


def _bert_normalizer(place: JsonCursor) -> normalizers.BertNormalizer:
    strips = place.get("strip_accents")
    return normalizers.BertNormalizer(
        clean_text=place.get("clean_text", True).flag(),
        handle_chinese_chars=place.get("handle_chinese_chars", True).flag(),
        strip_accents=None if strips.value is None else strips.flag(),
        lowercase=place.get("lowercase", True).flag(),
    )


def _strip(place: JsonCursor) -> normalizers.Strip:
    return normalizers.Strip(
        place.get("strip_left", True).flag(), place.get("strip_right", True).flag()
    )


def _precompiled(place: JsonCursor) -> Precompiled:
    written = place.get("precompiled_charsmap")
    try:
        return Precompiled(
            CharsMap.read(base64.b64decode(written.text(MAX_TEXT_LENGTH), validate=True))
        )
    except binascii.Error as error:
        raise written.error("a character map in base64") from error
    except ValueError as error:
        raise UserError(f"{written.path}: {error}") from error


NORMALIZERS: dict[str, Reader] = {
    "BertNormalizer": _bert_normalizer,
    "ByteLevel": lambda place: normalizers.ByteLevel(),
    "Lowercase": lambda place: normalizers.Lowercase(),
    "NFC": lambda place: normalizers.Unicode("NFC"),
    "NFD": lambda place: normalizers.Unicode("NFD"),
    "NFKC": lambda place: normalizers.Unicode("NFKC"),
    "NFKD": lambda place: normalizers.Unicode("NFKD"),
    "Nmt": lambda place: normalizers.Nmt(),
    "Precompiled": _precompiled,
    "Prepend": lambda place: normalizers.Prepend(place.get("prepend").text()),
    "Replace": _replace(normalizers.Replace),
    "Strip": _strip,
    "StripAccents": lambda place: normalizers.StripAccents(),
}
NORMALIZERS["Sequence"] = _sequence("normalizers", "normalizers", NORMALIZERS)


# --- Pre-tokenizers -------------------------------------------------------------------------------


def _byte_level(place: JsonCursor) -> pre_tokenizers.ByteLevel:
    return pre_tokenizers.ByteLevel(
        place.get("add_prefix_space", True).flag(),
        place.get("trim_offsets", True).flag(),
        place.get("use_regex", True).flag(),
    )


def _prepend_scheme(place: JsonCursor) -> str:
    """Return when `▁` is put in front: older files only say whether."""
    default = "always" if place.get("add_prefix_space", True).flag() else "never"
    return place.get("prepend_scheme", default).one_of(pre_tokenizers.PREPEND_SCHEMES)


def _metaspace(place: JsonCursor) -> pre_tokenizers.Metaspace:
    return pre_tokenizers.Metaspace(
        place.get("replacement").character(),
        _prepend_scheme(place),
        place.get("split", True).flag(),
    )


def _split(place: JsonCursor) -> pre_tokenizers.Split:
    return pre_tokenizers.Split(
        _pattern(place.get("pattern")),
        place.get("behavior").one_of(pre_tokenizers.BEHAVIORS),
        place.get("invert", False).flag(),
    )


PRE_TOKENIZERS: dict[str, Reader] = {
    "BertPreTokenizer": lambda place: pre_tokenizers.BertPreTokenizer(),
    "ByteLevel": _byte_level,
    "CharDelimiterSplit": lambda place: pre_tokenizers.CharDelimiterSplit(
        place.get("delimiter").character()
    ),
    "Digits": lambda place: pre_tokenizers.Digits(place.get("individual_digits", False).flag()),
    "FixedLength": lambda place: pre_tokenizers.FixedLength(place.get("length", 5).integer(1)),
    "Metaspace": _metaspace,
    "Punctuation": lambda place: pre_tokenizers.Punctuation(
        place.get("behavior", "Isolated").one_of(pre_tokenizers.BEHAVIORS)
    ),
    "Split": _split,
    "UnicodeScripts": lambda place: UnicodeScripts(),
    "Whitespace": lambda place: pre_tokenizers.Whitespace(),
    "WhitespaceSplit": lambda place: pre_tokenizers.WhitespaceSplit(),
}
PRE_TOKENIZERS["Sequence"] = _sequence("pre-tokenizers", "pretokenizers", PRE_TOKENIZERS)


# --- Post-processors ------------------------------------------------------------------------------


def _slots(place: JsonCursor) -> tuple[post_processors.Slot, ...]:
    slots: list[post_processors.Slot] = []
    for item in place.rows(MAX_TEMPLATE_ITEMS, "tokens in a template"):
        is_text = "Sequence" in item
        if not is_text and "SpecialToken" not in item:
            raise item.error('{"Sequence": …} or {"SpecialToken": …}')
        slot = item.get("Sequence" if is_text else "SpecialToken")
        name = slot.get("id").one_of(("A", "B")) if is_text else slot.get("id").text()
        slots.append(post_processors.Slot(name, slot.get("type_id", 0).integer(), is_text))
    return tuple(slots)


_OF_A_NAME = ("tokens", "ids")


def _template(place: JsonCursor) -> post_processors.TemplateProcessing:
    tokens: dict[str, tuple[tuple[str, int], ...]] = {}
    named = place.get("special_tokens", {})
    check_at_most(len(named.object()), MAX_TEMPLATE_NAMES, "names in a template")
    for name, item in named.items():
        rows = [
            item.get(key).rows(MAX_TEMPLATE_ITEMS, "tokens in a template") for key in _OF_A_NAME
        ]
        names, ids = [token.text() for token in rows[0]], [id_.integer() for id_ in rows[1]]
        if len(names) != len(ids):
            raise item.error("as many ids as tokens")
        tokens[name] = tuple(zip(names, ids, strict=True))
    single, pair = _slots(place.get("single")), _slots(place.get("pair"))
    for key, slots in (("single", single), ("pair", pair)):
        for slot in slots:
            if not slot.is_text and slot.name not in tokens:
                raise UserError(
                    f"{place.path}.{key} names “{slot.name}”, which is not in special_tokens."
                )
            if slot.is_text and slot.name == "B" and key == "single":
                raise UserError(f"{place.path}.single names a second text, B.")
    return post_processors.TemplateProcessing(single, pair, tokens)


def _token_and_id(place: JsonCursor) -> tuple[str, int]:
    items = list(place) if isinstance(place.value, list) and len(place.value) == 2 else []
    if not items:
        raise place.error("a token and its id")
    return items[0].text(), items[1].integer()


def _roberta(place: JsonCursor) -> post_processors.RobertaProcessing:
    return post_processors.RobertaProcessing(
        _token_and_id(place.get("sep")),
        _token_and_id(place.get("cls")),
        place.get("trim_offsets", True).flag(),
        place.get("add_prefix_space", True).flag(),
    )


POST_PROCESSORS: dict[str, Reader] = {
    "BertProcessing": lambda place: post_processors.BertProcessing(
        _token_and_id(place.get("sep")), _token_and_id(place.get("cls"))
    ),
    "ByteLevel": lambda place: post_processors.ByteLevel(
        place.get("add_prefix_space", True).flag(), place.get("trim_offsets", True).flag()
    ),
    "RobertaProcessing": _roberta,
    "TemplateProcessing": _template,
}
POST_PROCESSORS["Sequence"] = _sequence("post-processors", "processors", POST_PROCESSORS)


# --- Decoders -------------------------------------------------------------------------------------


DECODERS: dict[str, Reader] = {
    "BPEDecoder": lambda place: decoders.BPEDecoder(place.get("suffix", "</w>").text()),
    "ByteFallback": lambda place: decoders.ByteFallback(),
    "ByteLevel": lambda place: decoders.ByteLevel(),
    "CTC": lambda place: decoders.CTC(
        place.get("pad_token", "<pad>").text(),
        place.get("word_delimiter_token", "|").text(),
        place.get("cleanup", True).flag(),
    ),
    "Fuse": lambda place: decoders.Fuse(),
    "Metaspace": lambda place: decoders.Metaspace(
        place.get("replacement").character(), _prepend_scheme(place)
    ),
    "Replace": _replace(decoders.Replace),
    "Strip": lambda place: decoders.Strip(
        place.get("content").character(), place.get("start").integer(), place.get("stop").integer()
    ),
    "WordPiece": lambda place: decoders.WordPiece(
        place.get("prefix", "##").text(), place.get("cleanup", True).flag()
    ),
}
DECODERS["Sequence"] = _sequence("decoders", "decoders", DECODERS)
