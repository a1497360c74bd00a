"""Hugging Face's `tokenizer.json`, read into a `Loaded`.

`read_tokenizer_json` reads the whole file: added tokens and the five parts of the way from a text
to ids and back. The models are read in `json_models`, the other parts here: each type has one
function in one of the tables. A type that is in no table is an error that names its place; nothing
is skipped. Truncation and padding are not done; `Loaded.untold` says so where a file asks for them.
"""

import base64
import binascii
import gc
from collections.abc import Callable, Mapping
from typing import Any

from tokenizers.formats.json_models import read_model
from tokenizers.formats.json_places import Place, parse
from tokenizers.loaded import decoders, normalizers, post_processors, pre_tokenizers
from tokenizers.loaded.added_tokens import AddedToken, AddedTokens
from tokenizers.loaded.patterns import Pattern
from tokenizers.loaded.precompiled import Precompiled
from tokenizers.loaded.scripts import UnicodeScripts
from tokenizers.loaded.sentencepiece.charsmap import CharsMap
from tokenizers.loaded.tokenizer import Loaded, Model
from tokenizers.refusal import Refusal

FORMAT = "tokenizer.json"
_NO_COUNTS = "The file does not tell how often anything occurred in the training text."
_KEYS = (
    *("version", "truncation", "padding", "added_tokens", "normalizer", "pre_tokenizer"),
    *("post_processor", "decoder", "model"),
)
MOST_NESTED = 20
"""How many sequences may stand in each other."""
Reader = Callable[[Place], Any]


def read_tokenizer_json(data: bytes | str, name: str = FORMAT) -> Loaded:
    """Return the tokenizer that a `tokenizer.json` describes, under a `name` to show.

    Raises ValueError, in a sentence that names the place in the file, for anything that is not as
    it must be or that is not supported.
    """
    collects = gc.isenabled()
    gc.disable()  # a million lists are looked through again and again, and none is garbage
    try:
        return _read(parse(data.encode() if isinstance(data, str) else data), name)
    except RecursionError as error:
        raise Refusal("The file is nested too deeply to be read.") from error
    finally:
        if collects:
            gc.enable()


def _read(file: Place, name: str) -> Loaded:
    if unknown := sorted(file.value.keys() - set(_KEYS)):
        raise Refusal(f"{unknown[0]} is not a part of a tokenizer.json that can be read here.")
    if "model" not in file:
        raise Refusal("The file has no model; it is not a tokenizer.json.")
    model = read_model(file.get("model"))
    normalizer = read_part(file.get("normalizer"), NORMALIZERS)
    added, moved = _added_tokens(file.get("added_tokens", []), model, normalizer)
    return Loaded(
        name=name,
        format=FORMAT,
        model=model,
        added=added,
        normalizer=normalizer,
        pre_tokenizer=read_part(file.get("pre_tokenizer"), PRE_TOKENIZERS),
        post_processor=read_part(file.get("post_processor"), POST_PROCESSORS),
        decoder=read_part(file.get("decoder"), DECODERS),
        untold=(_NO_COUNTS, *moved, *_not_done(file, model)),
    )


def _not_done(file: Place, model: Model) -> list[str]:
    """Return what the file asks for and is not done, in sentences."""
    asked = [key for key in ("truncation", "padding") if key in file]
    said = [
        f"The file asks for {key}, which is not done here: it fits texts to a network, "
        "and cuts none into pieces."
        for key in asked
    ]
    if dropout := getattr(model, "dropout", None):
        said.append(
            f"The file asks for BPE-dropout: to pass over each merge with probability {dropout}. "
            "That is for training; here no merge is passed over."
        )
    return said


def read_part(place: Place, readers: Mapping[str, Reader]) -> Any:
    """Return the part that stands at a place, None for null."""
    if place.value is None:
        return None
    if place.place.count("[") > MOST_NESTED:
        raise Refusal(f"{place.place} is nested too deeply.")
    type_ = place.get("type")
    kind = type_.text()
    if kind not in readers:
        known = ", ".join(sorted(readers))
        raise Refusal(f"{type_.place} is “{kind}”, which is not supported. It can be: {known}.")
    return readers[kind](place)


# --- Added tokens ---------------------------------------------------------------------------------


def _added_tokens(place: Place, model: Model, normalizer: Any) -> tuple[AddedTokens, list[str]]:
    """Return the added tokens, and sentences on those whose id in the file does not count.

    As in the library, a token has the id that it has in the vocabulary; those that are not in it
    are numbered behind it, in their order.
    """
    found: dict[str, AddedToken] = {}
    content_of: dict[int, str] = {}
    new: dict[str, int] = {}
    moved: list[str] = []
    for item in place:
        token = _added_token(item)
        content, known = token.content, model.vocab.get(token.content)
        id_ = token.id if known is None else known
        if content_of.setdefault(id_, content) != content:
            raise Refusal(
                f"{item.place} gives “{content}” the id {id_}, which “{content_of[id_]}” has."
            )
        if known is None and content:
            id_ = new.setdefault(content, len(model.vocab) + len(new))
        if id_ != token.id:
            moved.append(
                f"{item.place} gives “{content}” the id {token.id}, but it has {id_}: its place "
                f"{'behind' if known is None else 'in'} the vocabulary counts."
            )
        found[content] = _added_token(item, id_)
    return AddedTokens(tuple(found.values()), normalizer), moved


def _added_token(place: Place, id_: int | None = None) -> AddedToken:
    names = ("single_word", "lstrip", "rstrip", "special")
    flags = {name: place.get(name, False).flag() for name in names}
    return AddedToken(
        content=place.get("content").text(),
        id=place.get("id").whole() if id_ is None else id_,
        normalized=place.get("normalized", not flags["special"]).flag(),
        **flags,
    )


# --- Normalizers ----------------------------------------------------------------------------------


def _pattern(place: Place) -> Pattern:
    """Return a pattern, which is written as {"Regex": "…"} or {"String": "…"}."""
    for key in ("Regex", "String"):
        if key in place:
            source = place.get(key)
            try:
                return Pattern(source.text(), literal=key == "String")
            except ValueError as error:
                raise Refusal(f"{source.place}: {error}.") from error
    raise place.wrong('{"Regex": "…"} or {"String": "…"}')


def _replace(part: Callable[[Pattern, str], Any]) -> Reader:
    return lambda place: part(_pattern(place.get("pattern")), place.get("content").text())


def _sequence(
    part: Callable[[tuple[Any, ...]], Any], key: str, readers: Mapping[str, Reader]
) -> Reader:
    return lambda place: part(tuple([read_part(item, readers) for item in place.get(key)]))


def _bert_normalizer(place: Place) -> normalizers.BertNormalizer:
    strips = place.get("strip_accents")
    return normalizers.BertNormalizer(
        clean_text=place.get("clean_text", True).flag(),
        handle_chinese_chars=place.get("handle_chinese_chars", True).flag(),
        strip_accents=None if strips.value is None else strips.flag(),
        lowercase=place.get("lowercase", True).flag(),
    )


def _strip(place: Place) -> normalizers.Strip:
    return normalizers.Strip(
        place.get("strip_left", True).flag(), place.get("strip_right", True).flag()
    )


def _precompiled(place: Place) -> Precompiled:
    written = place.get("precompiled_charsmap")
    try:
        return Precompiled(CharsMap.read(base64.b64decode(written.text(), validate=True)))
    except binascii.Error as error:
        raise written.wrong("a character map in base64") from error
    except ValueError as error:
        raise Refusal(f"{written.place}: {error}") from error


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
NORMALIZERS["Sequence"] = _sequence(normalizers.Sequence, "normalizers", NORMALIZERS)


# --- Pre-tokenizers -------------------------------------------------------------------------------


def _byte_level(place: Place) -> pre_tokenizers.ByteLevel:
    return pre_tokenizers.ByteLevel(
        place.get("add_prefix_space", True).flag(),
        place.get("trim_offsets", True).flag(),
        place.get("use_regex", True).flag(),
    )


def _prepend_scheme(place: Place) -> str:
    """Return when `▁` is put in front: older files only say whether."""
    default = "always" if place.get("add_prefix_space", True).flag() else "never"
    return place.get("prepend_scheme", default).one_of(pre_tokenizers.PREPEND_SCHEMES)


def _metaspace(place: Place) -> pre_tokenizers.Metaspace:
    return pre_tokenizers.Metaspace(
        place.get("replacement").character(),
        _prepend_scheme(place),
        place.get("split", True).flag(),
    )


def _split(place: Place) -> pre_tokenizers.Split:
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
    "FixedLength": lambda place: pre_tokenizers.FixedLength(place.get("length", 5).whole(1)),
    "Metaspace": _metaspace,
    "Punctuation": lambda place: pre_tokenizers.Punctuation(
        place.get("behavior", "Isolated").one_of(pre_tokenizers.BEHAVIORS)
    ),
    "Split": _split,
    "UnicodeScripts": lambda place: UnicodeScripts(),
    "Whitespace": lambda place: pre_tokenizers.Whitespace(),
    "WhitespaceSplit": lambda place: pre_tokenizers.WhitespaceSplit(),
}
PRE_TOKENIZERS["Sequence"] = _sequence(pre_tokenizers.Sequence, "pretokenizers", PRE_TOKENIZERS)


# --- Post-processors ------------------------------------------------------------------------------


def _slots(place: Place) -> tuple[post_processors.Slot, ...]:
    """Return the places of a template."""
    slots = []
    for item in place:
        is_text = "Sequence" in item
        if not is_text and "SpecialToken" not in item:
            raise item.wrong('{"Sequence": …} or {"SpecialToken": …}')
        slot = item.get("Sequence" if is_text else "SpecialToken")
        name = slot.get("id").one_of(("A", "B")) if is_text else slot.get("id").text()
        slots.append(post_processors.Slot(name, slot.get("type_id", 0).whole(), is_text))
    return tuple(slots)


def _template(place: Place) -> post_processors.TemplateProcessing:
    tokens = {}
    for name, item in place.get("special_tokens", {}).items():
        names = [token.text() for token in item.get("tokens")]
        ids = [id_.whole() for id_ in item.get("ids")]
        if len(names) != len(ids):
            raise item.wrong("as many ids as tokens")
        tokens[name] = tuple(zip(names, ids, strict=True))
    single, pair = _slots(place.get("single")), _slots(place.get("pair"))
    for key, slots in (("single", single), ("pair", pair)):
        for slot in slots:
            if not slot.is_text and slot.name not in tokens:
                raise Refusal(
                    f"{place.place}.{key} names “{slot.name}”, which is not in special_tokens."
                )
            if slot.is_text and slot.name == "B" and key == "single":
                raise Refusal(f"{place.place}.single names a second text, B.")
    return post_processors.TemplateProcessing(single, pair, tokens)


def _token_and_id(place: Place) -> tuple[str, int]:
    items = list(place)
    if len(items) != 2:
        raise place.wrong("a token and its id")
    return items[0].text(), items[1].whole()


def _roberta(place: Place) -> post_processors.RobertaProcessing:
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
POST_PROCESSORS["Sequence"] = _sequence(post_processors.Sequence, "processors", POST_PROCESSORS)


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
        place.get("content").character(), place.get("start").whole(), place.get("stop").whole()
    ),
    "WordPiece": lambda place: decoders.WordPiece(
        place.get("prefix", "##").text(), place.get("cleanup", True).flag()
    ),
}
DECODERS["Sequence"] = _sequence(decoders.Sequence, "decoders", DECODERS)
