"""Hugging Face's `tokenizer.json`, read into a `Loaded`.

`read_tokenizer_json` reads the whole file: added tokens and the five parts of the way from a text
to ids and back. The models are read in `json_models`, the other parts in `json_parts`. Truncation
and padding are not done; `Loaded.untold` says so where a file asks for them.
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
from tokenizers.runtime.bpe import BPE
from tokenizers.runtime.components import RuntimeModel
from tokenizers.runtime.tokenizer import LoadedTokenizer

FORMAT = "tokenizer.json"
_NO_COUNTS = "The file does not tell how often anything occurred in the training text."
_UNSUPPORTED = ("truncation", "padding")
_READERS = {
    "normalizer": NORMALIZERS,
    "pre_tokenizer": PRE_TOKENIZERS,
    "post_processor": POST_PROCESSORS,
    "decoder": DECODERS,
}
_PARTS = ("added_tokens", *_READERS, "model")
_MAX_ID_CAVEATS = 20
"""Tokens whose id is told to be another; of more, only how many."""


def read_tokenizer_json(data: bytes | str) -> LoadedTokenizer:
    """Return the tokenizer that a `tokenizer.json` describes.

    Raises UserError, which names the place in the file, for anything that is not as
    it must be or that is not supported.
    """
    try:
        with gc_disabled():
            return _read(parse(data.encode() if isinstance(data, str) else data))
    except RecursionError as error:
        raise UserError("The file is nested too deeply to be read.") from error


def _read(file: JsonCursor) -> LoadedTokenizer:
    if unknown := sorted(file.object().keys() - {"version", *_UNSUPPORTED, *_PARTS}):
        raise UserError(f"{unknown[0]} is not a part of a tokenizer.json that can be read here.")
    if "model" not in file:
        raise UserError("The file has no model; it is not a tokenizer.json.")
    model = read_model(file.get("model"))
    with time_limit(""):  # all patterns together must not take long to compile
        parts = {key: read_component(file.get(key), readers) for key, readers in _READERS.items()}
    added, moved = _added_tokens(file.get("added_tokens", []), model, parts["normalizer"])
    return LoadedTokenizer(
        name=FORMAT,
        format=FORMAT,
        model=model,
        added=added,
        **parts,
        caveats=(_NO_COUNTS, *moved, *_unsupported_caveats(file, model)),
    )


def _unsupported_caveats(file: JsonCursor, model: RuntimeModel) -> list[str]:
    """Return what the file asks for and is not done, in sentences."""
    said = [
        f"The file asks for {key}, which is not done here: it fits texts to a network, "
        "and cuts none into pieces."
        for key in _UNSUPPORTED
        if key in file
    ]
    if isinstance(model, BPE) and model.dropout:
        said.append(
            "The file asks for BPE-dropout: to pass over each merge with probability "
            f"{model.dropout}. That is for training; here no merge is passed over."
        )
    return said


# --- Added tokens ---------------------------------------------------------------------------------


def _added_tokens(
    place: JsonCursor, model: RuntimeModel, normalizer: Any
) -> tuple[AddedTokens, list[str]]:
    """Return the added tokens, and sentences on those whose id in the file does not count.

    As in the library, a token has the id that it has in the vocabulary; those that are not in it
    are numbered behind it, in their order.
    """
    found: dict[str, AddedToken] = {}
    content_of: dict[int, str] = {}
    new: dict[str, int] = {}
    moved: list[str] = []
    for item in place.rows(MAX_ADDED_TOKENS, "added tokens"):
        token = _added_token(item)
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


def _added_token(place: JsonCursor) -> AddedToken:
    names = ("single_word", "lstrip", "rstrip", "special")
    flags = {name: place.get(name, False).flag() for name in names}
    return AddedToken(
        content=place.get("content").text(),
        id=place.get("id").integer(),
        normalized=place.get("normalized", not flags["special"]).flag(),
        **flags,
    )
