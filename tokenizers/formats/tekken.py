"""Mistral's `tekken.json` lists byte pieces in base64, the split pattern, and special tokens.

The special tokens have the first ids, and a piece's id is its rank plus their number. The file may
list more pieces than the vocabulary has: the rest is not used. mistral-common reads special tokens
in a text as plain text, as here with `special="text"`, and puts them around it by itself.
Source of the format: `Tekkenizer` in mistral-common 1.13.1.
"""

import re

from tokenizers.errors import UserError
from tokenizers.formats.byte_pieces import read_base64_pieces, tokenizer_of_bytes
from tokenizers.formats.json_cursor import MAX_TEXT_LENGTH, JsonCursor, parse
from tokenizers.formats.schemes import MAX_PIECES, Scheme
from tokenizers.formats.tiktoken import MERGES_AND_COUNTS
from tokenizers.limits import MAX_ADDED_TOKENS
from tokenizers.runtime.tokenizer import LoadedTokenizer

FORMAT = "tekken.json"
_AROUND = "Which tokens are put around a text: none are here; Mistral's programs put <s> in front."
_RANKS = "The ranks shown here are ids: each is {count:,} more than the rank in the file."
_OLD_SPECIALS = (
    "<unk>", "<s>", "</s>", "[INST]", "[/INST]", "[AVAILABLE_TOOLS]", "[/AVAILABLE_TOOLS]",
    "[TOOL_RESULTS]", "[/TOOL_RESULTS]", "[TOOL_CALLS]", "[IMG]", "<pad>", "[IMG_BREAK]",
    "[IMG_END]", "[PREFIX]", "[MIDDLE]", "[SUFFIX]", "[SYSTEM_PROMPT]", "[/SYSTEM_PROMPT]",
    "[TOOL_CONTENT]",
)  # fmt: skip
"""The special tokens of files up to version 7 that list none."""
_LAST_WITHOUT_LIST = 7
_VERSION = re.compile(r"v([0-9]{1,3})")


def read_tekken(data: bytes) -> LoadedTokenizer:
    """Return the tokenizer of a `tekken.json`, with its pieces written as byte-level glyphs.

    Raises UserError, which says where, if the file is invalid.
    """
    file = parse(data)
    config = file.get("config")
    count = config.get("default_num_special_tokens").integer()
    if count > MAX_ADDED_TOKENS:
        raise UserError(f"{FORMAT} has {count:,} special tokens, more than {MAX_ADDED_TOKENS:,}.")
    size = config.get("default_vocab_size").integer(count)
    version = config.get("version")
    specials = _specials(file.get("special_tokens"), count, version)
    pieces = _pieces(file.get("vocab"), size - count)
    vocab = read_base64_pieces(pieces, range(count, size), FORMAT, count)
    pattern = config.get("pattern").text(MAX_TEXT_LENGTH)
    scheme = Scheme(f"Tekken {version.text()}", pattern, specials)
    caveats = (_AROUND, *MERGES_AND_COUNTS, _RANKS.format(count=count))
    return tokenizer_of_bytes(vocab, scheme, FORMAT, caveats)


def _pieces(vocab: JsonCursor, count: int) -> list[bytes]:
    """Return the first `count` pieces in base64; their ranks must count up from 0."""
    rows = list(vocab.rows(MAX_PIECES, "pieces"))
    if len(rows) < count:
        raise UserError(
            f"{FORMAT} lists {len(rows):,} pieces, but its config speaks of {count:,}. It may have "
            "been cut off: download it again."
        )
    pieces: list[bytes] = []
    for rank, row in enumerate(rows[:count]):
        if (given := row.get("rank")).integer() != rank:
            raise given.error(f"{rank}, as many as there are pieces before it")
        pieces.append(row.get("token_bytes").text().encode())
    return pieces


def _specials(listed: JsonCursor, count: int, version: JsonCursor) -> dict[str, int]:
    """Return `count` special tokens with their ids; those that the file doesn't name are numbered.

    Raises UserError if a newer file has no list, or if its list is longer or repeats a token.
    """
    if listed.value is None:
        number = _VERSION.fullmatch(version.text())
        if not number or int(number[1]) > _LAST_WITHOUT_LIST:
            raise UserError(
                f"{FORMAT} is of version {version.text()[:20]} and lists no special_tokens, as "
                f"files after version {_LAST_WITHOUT_LIST} must. Download it again."
            )
        names = list(_OLD_SPECIALS)
    else:
        names: list[str] = []
        for id_, row in enumerate(listed.rows(MAX_ADDED_TOKENS, "special tokens")):
            if (given := row.get("rank")).integer() != id_:
                raise given.error(f"{id_}, as many as there are special tokens before it")
            names.append(row.get("token_str").text())
    names += [f"<SPECIAL_{id_}>" for id_ in range(len(names), count)]
    specials = {name: id_ for id_, name in enumerate(names)}
    if len(names) > count or len(specials) < len(names):
        raise UserError(
            f"{FORMAT} must have {count:,} special tokens, each with its own name, but it names "
            f"{len(names):,}, of which {len(specials):,} differ."
        )
    return specials
