"""Split patterns and special tokens of published `.tiktoken` files, which hold only the pieces.

Sources: tiktoken 0.14.0 and openai-whisper 20250625 for OpenAI's schemes, llama-models 0.3.0 for
Meta's, Alibaba's publications and transformers 5.24.0 for theirs.

tiktoken's `$` (end of the text) is written `\\z` here. Its `{1,3}+` is written `{1,3}`, which
matches the same there, whereas Oniguruma would read `{1,3}+` as a repetition.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

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
QWEN35 = QWEN.replace(r"?\p{L}+", r"?[\p{L}\p{M}]+").replace(r"[^\s\p{L}", r"[^\s\p{L}\p{M}")
WHISPER = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"


@dataclass(frozen=True)
class Scheme:
    """The pattern that splits texts into words before a list of pieces is applied, and specials.

    `specials` contains the special tokens. `pieces` is the published list's length, or 0 for a
    custom scheme. A text is normalized to `form` first, if there is one. `used_by` names models.
    """

    name: str
    pattern: str
    specials: Mapping[str, int]
    pieces: int = 0
    form: Literal["NFC", "NFKC"] | None = None
    used_by: str = ""


def _numbered(names: Iterable[str], first: int) -> dict[str, int]:
    return {name: first + n for n, name in enumerate(names)}


def _reserved(first: int, end: int, of: str = "") -> list[str]:
    return [f"<|{of}reserved_special_token_{n}|>" for n in range(first, end)]


_HEADER = ("<|start_header_id|>", "<|end_header_id|>")


def _llama3() -> dict[str, int]:
    names = ["<|begin_of_text|>", "<|end_of_text|>", *_reserved(0, 4), *_HEADER]
    return _numbered([*names, *_reserved(4, 5), "<|eot_id|>", *_reserved(5, 251)], 128000)


def _llama31() -> dict[str, int]:
    """Return Llama 3's special tokens as Meta named them later; the list of pieces is the same."""
    first = ["<|begin_of_text|>", "<|end_of_text|>", *_reserved(0, 2), "<|finetune_right_pad_id|>"]
    named = ["<|step_id|>", *_HEADER, "<|eom_id|>", "<|eot_id|>", "<|python_tag|>", "<|image|>"]
    return _numbered([*first, *named, *_reserved(2, 246)], 128000)


def _llama4() -> dict[str, int]:
    def after(of: str, first: int, end: int) -> list[str]:
        return _reserved(first, end, f"{of}_")

    text = ["<|header_start|>", "<|header_end|>", "<|eom|>", "<|eot|>", "<|step|>"]
    text += after("text_post_train", 0, 6)
    text += ["<|python_start|>", "<|python_end|>", "<|finetune_right_pad|>"]
    text += after("text_post_train", 8, 69)
    image = ["<|image_start|>", "<|image_end|>", *after("vision", 0, 2)]
    image += ["<|tile_x_separator|>", "<|tile_y_separator|>", *after("vision", 2, 6), "<|image|>"]
    image += [*after("vision", 6, 7), "<|patch|>", *after("vision", 7, 1048)]
    thinking = ["<|reasoning_thinking_start|>", "<|reasoning_thinking_end|>"]
    names = ["<|begin_of_text|>", "<|end_of_text|>", *_FILL]
    names += [*text, *image, *after("reasoning", 0, 8), *thinking]
    return _numbered([*names, *_reserved(0, 2048 - len(names))], 200000)


def _qwen() -> dict[str, int]:
    extra = [f"<|extra_{n}|>" for n in range(205)]
    return _numbered([_END, "<|im_start|>", "<|im_end|>", *extra], 151643)


def _qwen3(first: int, more: Iterable[str] = ()) -> dict[str, int]:
    pairs = [f"<|{of}_{side}|>" for of in _BOXES for side in ("start", "end")]
    names = [_END, "<|im_start|>", "<|im_end|>", *pairs]
    names += [f"<|{of}_pad|>" for of in ("vision", "image", "video")]
    names += ["<tool_call>", "</tool_call>", *_FILL, "<|fim_pad|>", "<|repo_name|>", "<|file_sep|>"]
    names += ["<tool_response>", "</tool_response>", "<think>", "</think>"]
    return _numbered([*names, *more], first)


_BOXES = ("object_ref", "box", "quad", "vision")
_AUDIO = (
    "<|audio_start|>", "<|audio_end|>", "<tts_pad>", "<tts_text_bos>", "<tts_text_eod>",
    "<tts_text_bos_single>", "<|audio_pad|>",
)  # fmt: skip


def _harmony() -> dict[str, int]:
    """Return the special tokens of gpt-oss; the id 200018 has two names, as in tiktoken."""
    named = {200002: "return", 200003: "constrain", 200005: "channel", 200006: "start"}
    named |= {200007: "end", 200008: "message", 200012: "call"}
    reserved = {n: f"reserved_{n}" for n in range(200000, 201088)} | named
    first = {"<|startoftext|>": 199998, _END: 199999}
    return first | {f"<|{name}|>": id_ for id_, name in reserved.items()} | {_PROMPT: 200018}


_LANGUAGES = (
    "en zh de es ru ko fr ja pt tr pl ca nl ar sv it id hi fi vi he uk el ms cs ro da hu ta no th "
    "ur hr bg lt la mi ml cy sk te fa lv bn sr az sl kn et mk br eu is hy ne mn bs kk sq sw gl mr "
    "pa si km sn yo so af oc ka be tg sd gu am yi lo uz fo ht ps tk nn mt sa lb my bo tl mg as tt "
    "haw ln ha ba jw su yue"
)


def _whisper(first: int, languages: int = 99) -> dict[str, int]:
    """Return Whisper's special tokens: languages, tasks, and the time in steps of 0.02 seconds."""
    tasks = ("translate", "transcribe", "startoflm", "startofprev", "nospeech", "notimestamps")
    times = [f"{n * 0.02:.2f}" for n in range(1501)]
    names = ("endoftext", "startoftranscript", *_LANGUAGES.split()[:languages], *tasks, *times)
    return _numbered([f"<|{name}|>" for name in names], first)


_EDIT = {_END: 50256} | _numbered(_FILL, 50281)
_CL100K = {_END: 100257} | _numbered(_FILL, 100258) | {_PROMPT: 100276}
_O200K = {_END: 199999, _PROMPT: 200018}
_ALL = (
    Scheme("gpt2", GPT2, {_END: 50256}, 50256, used_by="GPT-2, GPT-3"),
    Scheme("r50k_base", GPT2, {_END: 50256}, 50256, used_by="GPT-3"),
    Scheme("p50k_base", GPT2, {_END: 50256}, 50280, used_by="Codex"),
    Scheme("p50k_edit", GPT2, _EDIT, 50280, used_by="Codex, editing"),
    Scheme("cl100k_base", CL100K, _CL100K, 100256, used_by="GPT-4, GPT-3.5"),
    Scheme("o200k_base", O200K, _O200K, 199998, used_by="GPT-4o, o1"),
    Scheme("o200k_harmony", O200K, _harmony(), 199998, used_by="gpt-oss"),
    Scheme("llama3", LLAMA3, _llama3(), 128000, used_by="Llama 3"),
    Scheme("llama3.1", LLAMA3, _llama31(), 128000, used_by="Llama 3.1, 3.2, 3.3"),
    Scheme("llama4", O200K, _llama4(), 200000, used_by="Llama 4"),
    Scheme("qwen", QWEN, _qwen(), 151643, form="NFC", used_by="the first Qwen"),
    Scheme("qwen3", QWEN, _qwen3(151643), 151643, form="NFC", used_by="Qwen 2, 2.5, 3"),
    Scheme("qwen3.5", QWEN35, _qwen3(248044, _AUDIO), 248044, form="NFC", used_by="Qwen 3.5, 3.6"),
    Scheme("whisper", WHISPER, _whisper(50257), 50257, used_by="Whisper"),
    Scheme("whisper-v3", WHISPER, _whisper(50257, 100), 50257, used_by="Whisper large-v3"),
    Scheme("whisper.en", WHISPER, _whisper(50256), 50256, used_by="Whisper, English only"),
)
SCHEMES: Mapping[str, Scheme] = {scheme.name: scheme for scheme in _ALL}
"""The published schemes by name; OpenAI's are named as in tiktoken. Of two with the same number of
pieces the first is detected."""
PUBLISHED_PATTERNS = frozenset(scheme.pattern for scheme in _ALL)
"""Patterns whose search is known to take time in proportion to the text."""
CUSTOM = "your choice"
"""The name of a scheme by hand."""
_ID_AT_END = re.compile(r"[0-9]{1,9}\Z")
_MAX_SPECIALS, _MAX_SPECIALS_LENGTH = 5_000, 500_000


def read_specials(text: str) -> dict[str, int]:
    """Return special tokens written one per line, as a name and an id, or as in Python.

    Raises UserError, which says in which line, if it is written in another way.

    >>> read_specials('<s> 0\\n"<|end of text|>": 100257,')
    {'<s>': 0, '<|end of text|>': 100257}
    """
    lines = text.splitlines()
    if len(lines) > _MAX_SPECIALS or len(text) > _MAX_SPECIALS_LENGTH:
        raise UserError(
            f"These are more than {_MAX_SPECIALS:,} lines or {_MAX_SPECIALS_LENGTH:,} characters "
            "of special tokens. Leave some out."
        )
    specials: dict[str, int] = {}
    for number, line in enumerate(map(str.strip, lines), start=1):
        line = line.removesuffix(",")
        id_ = _ID_AT_END.search(line[-10:])
        written = line[: -len(id_[0])] if id_ else line
        name = written.rstrip(": \t")
        is_separate = name != written
        if len(name) > 2 and name[0] == name[-1] and name[0] in "\"'":
            name = name[1:-1]
        if id_ and name and is_separate and name not in specials:
            specials[name] = int(id_[0])
        elif name in specials:
            raise UserError(
                f"Line {number:,} of the special tokens repeats “{name[:60]}”. Name each once."
            )
        elif line:
            raise UserError(
                f"Line {number:,} of the special tokens is “{line[:60]}”. Each line must be a "
                "token and its id, such as <|endoftext|> 50256."
            )
    return specials


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
