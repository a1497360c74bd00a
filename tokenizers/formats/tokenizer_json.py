"""Read Hugging Face's `tokenizer.json` into a `LoadedTokenizer`.

`read_tokenizer_json` reads the whole file, including added tokens and all components. Models are
read in `json_models`, other components in `json_components`. Truncation and padding are read too;
`LoadedTokenizer.caveats` says what they do, because `LoadedTokenizer.encode` returns all tokens.
"""

from dataclasses import replace
from typing import Any

from tokenizers.errors import UserError
from tokenizers.formats.json_components import (
    DECODERS,
    NORMALIZERS,
    POST_PROCESSORS,
    PRE_TOKENIZERS,
    read_component,
)
from tokenizers.formats.json_cursor import JsonCursor, parse
from tokenizers.formats.json_models import read_model
from tokenizers.limits import MAX_ADDED_TOKENS, gc_disabled, time_limit
from tokenizers.runtime.added_tokens import AddedToken, AddedTokens
from tokenizers.runtime.components import RuntimeModel
from tokenizers.runtime.models.bpe import BPE
from tokenizers.runtime.tokenizer import LoadedTokenizer
from tokenizers.runtime.truncation import DIRECTIONS, STRATEGIES, Padding, Truncation

FORMAT = "tokenizer.json"
_NO_COUNTS = "The file does not tell how often anything occurred in the training text."
_LENGTHS = ("truncation", "padding")
_READERS = {
    "normalizer": NORMALIZERS,
    "pre_tokenizer": PRE_TOKENIZERS,
    "post_processor": POST_PROCESSORS,
    "decoder": DECODERS,
}
_PARTS = ("added_tokens", *_READERS, "model")
_MAX_ID_CAVEATS = 20
"""The maximum number of caveats about changed ids; further changes are only counted."""


def read_tokenizer_json(data: bytes | str) -> LoadedTokenizer:
    """Return the tokenizer that a `tokenizer.json` describes.

    Raises UserError, which names the path in the file, if anything is invalid or not supported.
    """
    try:
        with gc_disabled():
            return _read(parse(data.encode() if isinstance(data, str) else data))
    except RecursionError as error:
        raise UserError("The file is nested too deeply to be read.") from error


def _read(file: JsonCursor) -> LoadedTokenizer:
    if unknown := sorted(file.object().keys() - {"version", *_LENGTHS, *_PARTS}):
        raise UserError(f"{unknown[0]} is not a part of a tokenizer.json that can be read here.")
    if "model" not in file:
        raise UserError("The file has no model; it is not a tokenizer.json.")
    model = read_model(file.get("model"))
    with time_limit(""):  # for compiling all patterns together
        parts = {key: read_component(file.get(key), readers) for key, readers in _READERS.items()}
    added, moved = _added_tokens(file.get("added_tokens", []), model, parts["normalizer"])
    truncation = _truncation(file.get("truncation")) if "truncation" in file else None
    padding = _padding(file.get("padding")) if "padding" in file else None
    lengths = [
        f"{part.describe()} All tokens are shown here; *Ids* shows what is kept."
        for part in (truncation, padding)
        if part
    ]
    return LoadedTokenizer(
        name=FORMAT,
        format=FORMAT,
        model=model,
        added=added,
        **parts,
        caveats=(_NO_COUNTS, *moved, *lengths, *_unsupported_caveats(model)),
        truncation=truncation,
        padding=padding,
    )


def _truncation(cursor: JsonCursor) -> Truncation:
    return Truncation(
        cursor.get("max_length").integer(),
        cursor.get("stride").integer(),
        cursor.get("strategy").one_of(STRATEGIES),
        cursor.get("direction", "Right").one_of(DIRECTIONS),
    )


def _padding(cursor: JsonCursor) -> Padding:
    strategy = cursor.get("strategy")
    is_fixed = strategy.value != "BatchLongest"
    if is_fixed and not isinstance(strategy.value, dict):
        raise strategy.error('BatchLongest or {"Fixed": …}')
    return Padding(
        strategy.get("Fixed").integer() if is_fixed else None,
        cursor.get("direction").one_of(DIRECTIONS),
        cursor.get("pad_to_multiple_of", 0).integer(),
        cursor.get("pad_id").integer(),
        cursor.get("pad_type_id").integer(),
        cursor.get("pad_token").text(),
    )


def _unsupported_caveats(model: RuntimeModel) -> list[str]:
    """Return sentences on features that the file asks for but that are not supported."""
    caveats: list[str] = []
    if isinstance(model, BPE) and model.dropout:
        caveats.append(
            "The file asks for BPE-dropout: to pass over each merge with probability "
            f"{model.dropout}. That is for training; here no merge is passed over."
        )
    return caveats


# --- Added tokens ---------------------------------------------------------------------------------


def _added_tokens(
    cursor: JsonCursor, model: RuntimeModel, normalizer: Any
) -> tuple[AddedTokens, list[str]]:
    """Return the added tokens, and caveats for those whose id in the file is ignored.

    As in the library, a token in the vocabulary keeps its id there; the other tokens get the ids
    after the vocabulary, in order.
    """
    found: dict[str, AddedToken] = {}
    content_of: dict[int, str] = {}
    new: dict[str, int] = {}
    moved: list[str] = []
    for item in cursor.rows(MAX_ADDED_TOKENS, "added tokens"):
        token = read_added_token(item, item.get("id").integer())
        content, known = token.content, model.vocab.get(token.content)
        id_ = token.id if known is None else known
        if content_of.setdefault(id_, content) != content:
            raise UserError(
                f"{item.path} gives “{content}” the id {id_}, which “{content_of[id_]}” has."
            )
        if known is None and content:
            id_ = new.setdefault(content, len(model.vocab) + len(new))
        if id_ != token.id:
            moved.append(
                f"{item.path} gives “{content}” the id {token.id}, but it has {id_}: its place "
                f"{'behind' if known is None else 'in'} the vocabulary counts."
            )
        found[content] = replace(token, id=id_)
    if more := moved[_MAX_ID_CAVEATS:]:
        moved[_MAX_ID_CAVEATS:] = [f"So it is with {len(more):,} more added tokens."]
    return AddedTokens(tuple(found.values()), normalizer), moved


def read_added_token(cursor: JsonCursor, id_: int) -> AddedToken:
    """Return the added token at the cursor: its content and its flags."""
    found = cursor.object()
    flags = {name: value for name in _FLAGS if (value := found.get(name)) is not None}
    if not {*map(type, flags.values())} <= {bool}:  # a cursor for each would take most of the time
        for name in flags:
            cursor.get(name).flag()
    flags.setdefault("normalized", not flags.get("special", False))
    return AddedToken(cursor.get("content").text(), id_, **flags)


_FLAGS = ("single_word", "lstrip", "rstrip", "normalized", "special")
