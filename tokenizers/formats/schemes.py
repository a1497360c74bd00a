"""Split patterns and special tokens of published `.tiktoken` files, which hold only the pieces.

Sources: tiktoken 0.14.0 for OpenAI's schemes, Meta's and Alibaba's publications for theirs.

tiktoken's `$` (end of the text) is written `\\z` here. Its `{1,3}+` is written `{1,3}`, which
matches the same there, whereas Oniguruma would read `{1,3}+` as a repetition.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tokenizers.errors import UserError

MAX_PIECES = 600_000
"""The maximum number of pieces or merges in a file of lines."""

_END, _PROMPT = "<|endoftext|>", "<|endofprompt|>"
_FILL = ("<|fim_prefix|>", "<|fim_middle|>", "<|fim_suffix|>")

GPT2 = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++\z|\s+(?!\S)|\s"
CL100K = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}| ?[^\s\p{L}\p{N}]++[\r\n]*+"
    r"|\s++\z|\s*[\r\n]|\s+(?!\S)|\s"
)
_UPPER, _LOWER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
_SHORTENED = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
O200K = (
    rf"[^\r\n\p{{L}}\p{{N}}]?{_UPPER}*{_LOWER}+{_SHORTENED}?"
    rf"|[^\r\n\p{{L}}\p{{N}}]?{_UPPER}+{_LOWER}*{_SHORTENED}?"
    r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
LLAMA3 = (
    rf"{_SHORTENED}|[^\r\n\p{{L}}\p{{N}}]?\p{{L}}+|\p{{N}}{{1,3}}| ?[^\s\p{{L}}\p{{N}}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)
QWEN = LLAMA3.replace(r"\p{N}{1,3}", r"\p{N}")


@dataclass(frozen=True)
class Scheme:
    """The pattern that splits texts into words before a list of pieces is applied, and specials.

    `specials` contains the special tokens. `pieces` is the published list's length, or 0 for a
    custom scheme. With `nfc`, a text is normalized to NFC first.
    """

    name: str
    pattern: str
    specials: Mapping[str, int]
    pieces: int = 0
    nfc: bool = False


def _numbered(names: Iterable[str], first: int) -> dict[str, int]:
    return {name: first + n for n, name in enumerate(names)}


def _llama3() -> dict[str, int]:
    """Return Llama 3's special tokens; Llama 3.1 renamed some of the reserved tokens."""
    reserved = [f"<|reserved_special_token_{n}|>" for n in range(251)]
    header = ["<|start_header_id|>", "<|end_header_id|>"]
    names = ["<|begin_of_text|>", "<|end_of_text|>", *reserved[:4], *header]
    return _numbered([*names, reserved[4], "<|eot_id|>", *reserved[5:]], 128000)


def _qwen() -> dict[str, int]:
    extra = [f"<|extra_{n}|>" for n in range(205)]
    return _numbered([_END, "<|im_start|>", "<|im_end|>", *extra], 151643)


def _harmony() -> dict[str, int]:
    """Return the special tokens of gpt-oss; the id 200018 has two names, as in tiktoken."""
    named = {200002: "return", 200003: "constrain", 200005: "channel", 200006: "start"}
    named |= {200007: "end", 200008: "message", 200012: "call"}
    reserved = {n: f"reserved_{n}" for n in range(200000, 201088)} | named
    first = {"<|startoftext|>": 199998, _END: 199999}
    return first | {f"<|{name}|>": id_ for id_, name in reserved.items()} | {_PROMPT: 200018}


_CL100K = {_END: 100257} | _numbered(_FILL, 100258) | {_PROMPT: 100276}
_ALL = (
    Scheme("gpt2", GPT2, {_END: 50256}, 50256),  # GPT-2 and GPT-3
    Scheme("r50k_base", GPT2, {_END: 50256}, 50256),  # GPT-2 and GPT-3
    Scheme("p50k_base", GPT2, {_END: 50256}, 50280),  # Codex
    Scheme("cl100k_base", CL100K, _CL100K, 100256),  # GPT-4 and GPT-3.5
    Scheme("o200k_base", O200K, {_END: 199999, _PROMPT: 200018}, 199998),  # GPT-4o and o1
    Scheme("o200k_harmony", O200K, _harmony(), 199998),  # gpt-oss
    Scheme("llama3", LLAMA3, _llama3(), 128000),  # Llama 3
    Scheme("qwen", QWEN, _qwen(), 151643, nfc=True),  # the first Qwen
)
SCHEMES: Mapping[str, Scheme] = {scheme.name: scheme for scheme in _ALL}
"""The published schemes by name; OpenAI's are named as in tiktoken."""


def detect_scheme(file: str, pieces: int) -> Scheme:
    """Return a published list's scheme, detected by the list's file name or its length.

    Raises UserError, which lists the schemes, if neither the name nor the length is known.

    >>> detect_scheme("o200k_base.tiktoken", 199998).name, detect_scheme("a", 128000).name
    ('o200k_base', 'llama3')
    """
    named = SCHEMES.get(file.rpartition("/")[2].partition(".")[0])
    if named and named.pieces == pieces:
        return named
    for scheme in SCHEMES.values():
        if scheme.pieces == pieces:
            return scheme
    if named:
        raise UserError(
            f"{file} has {pieces:,} pieces, but {named.name} has {named.pieces:,}. It may have "
            "been cut off: download it again, or rename it and choose a scheme."
        )
    raise UserError(
        f"{file} has {pieces:,} pieces, like no published list, and does not tell how a text is "
        f"cut into words. Choose a scheme: {', '.join(SCHEMES)}."
    )


def refuse_too_long(data: bytes, what: str) -> None:
    """Raise UserError if a file has more than `MAX_PIECES` lines, which would fill the memory."""
    if data.count(b"\n") > MAX_PIECES:
        raise UserError(
            f"The {what} has more than {MAX_PIECES:,} lines, twice as many as any published one. "
            "Check that it is the right file."
        )
