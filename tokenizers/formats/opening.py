"""Open a tokenizer's files, after detecting their format by names and content.

For any other file, the error says what it probably is and what to open instead.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Literal

from tokenizers.errors import UserError
from tokenizers.formats.bpe_ranks import read_bpe_ranks
from tokenizers.formats.clip import read_clip
from tokenizers.formats.compressed import decompress_files
from tokenizers.formats.other_programs import OTHER_PROGRAMS, incomplete_half
from tokenizers.formats.repository import apply_settings, find_lowercase, find_scheme
from tokenizers.formats.repository_settings import ABOUT_NETWORK, read_settings, settings_name
from tokenizers.formats.schemes import Scheme
from tokenizers.formats.tekken import read_tekken
from tokenizers.formats.tiktoken import read_tiktoken
from tokenizers.formats.tokenizer_json import read_tokenizer_json
from tokenizers.formats.vocab_merges import read_vocab_merges
from tokenizers.formats.vocab_txt import read_vocab_txt
from tokenizers.limits import check_file_size
from tokenizers.runtime.sentencepiece import loading
from tokenizers.runtime.tokenizer import FileSetting, LoadedTokenizer
from tokenizers.text.file_text import detect_encoding, to_utf8

JSON, RANKS, LINES = "tokenizer.json", ".tiktoken", "vocab.txt"
VOCAB, MERGES = "vocab.json", "merges.txt"
TEKKEN, RANKS_JSON = "tekken.json", "bpe_ranks"
SENTENCEPIECE, CLIP = ".model", "bpe_simple_vocab_16e6.txt"
LeftOpen = Literal["scheme", "pattern", "case"]
"""What files may leave open: see `setting_left_open`."""

_NAMED = {name: name for name in (JSON, TEKKEN, VOCAB, MERGES, LINES, CLIP)} | {
    "encoder.json": VOCAB,
    "vocab.bpe": MERGES,
}
_MODELS = (".model", ".spm", ".fb")
_MODEL_NAMES = ("tokenizer.model.v1", "tokenizer.model.v2", "tokenizer.model.v3")
_USUAL = re.compile(
    r"(.*?)("
    r"tokenizer\.json|vocab\.json|merges\.txt|vocab\.txt|encoder\.json|vocab\.bpe|tekken\.json"
    r"|(?:tokenizer|spiece|sentencepiece(?:\.bpe)?|spm|tiktoken)\.model|source\.spm"
    r"|tokenizer\.model\.v[123])",
    re.DOTALL | re.IGNORECASE,
)
"""Matches the usual names of published files, with an optional prefix."""
_COMPANION = re.compile(
    r"(?:.*/)?(?:readme\b.*|licen[cs]e\b.*|notice\b.*|\.git\w+|use_policy.*|[^/]*_config\.json"
    r"|configuration\.json|[^/]*\.index\.json|[^/]*\.(?:safetensors|bin|pt|pth|h5|msgpack|onnx))",
    re.DOTALL | re.IGNORECASE,
)
"""Matches the names of other files in a repository, which are no tokenizers."""
MAX_NOTES = 200
"""How many notes on the settings of files are kept; further ones are only counted."""
_BEGINNING = 65_536
"""How many bytes of a file show which half of a tokenizer it is."""
_CONTENT: tuple[tuple[str, re.Pattern[bytes]], ...] = (
    (RANKS, re.compile(rb"\s*+[A-Za-z0-9+/]++={0,2} [0-9]{1,9}\r?(?:\n|\Z)")),
    (TEKKEN, re.compile(rb'\s*+\{(?s:.{0,500000}?)"token_bytes"\s*:\s*"')),
    (RANKS_JSON, re.compile(rb'\s*+\{(?s:.{0,500000}?)"bpe_ranks"\s*:\s*"')),
    (JSON, re.compile(rb'\s*+\{(?s:.*)"model"\s*:\s*\{')),
    (VOCAB, re.compile(rb'\s*+\{\s*"(?:[^"\\]|\\.)*+"\s*:\s*[0-9]+\s*[,}]')),
    (CLIP, re.compile(rb'"bpe_simple_vocab_16e6\.txt#version: ')),
    (MERGES, re.compile(rb"#version: ")),
    (LINES, re.compile(rb"(?s:.*\n)?\[UNK\]\r?(?:\n|\Z)")),
    (SENTENCEPIECE, re.compile(rb"\n(?s:..?)\n")),  # the first piece is a field 1 in a field 1
)
_OTHERS: tuple[tuple[re.Pattern[bytes], str], ...] = tuple(
    (re.compile(start), what)
    for start, what in (
        (
            rb"GGUF[\x00-\x1f]",
            "a GGUF file, which has a network's weights. Open the tokenizer.json of the model that "
            "it was made from",
        ),
        (rb"PK\x03\x04", "a zip archive. Unpack it and open the tokenizer's file"),
        (rb"\xfd7zXZ|BZh|\x28\xb5\x2f\xfd", "compressed. Unpack it first"),
        (rb"version https://git-lfs", "a pointer of Git LFS. Download the file that it stands for"),
        (rb"\s*+<(?i:!doctype|html|\?xml)", "a web page. Download the tokenizer's file itself"),
        (rb"\x80[\x02-\x05]", "a Python pickle, which can run programs. Open a tokenizer.json"),
        *OTHER_PROGRAMS,
        (rb"[^\t\n]*+\t-?[0-9][^\t\n]*+\n", "a list of pieces. Open the .model that it comes with"),
        (rb"\s*+\{", "JSON, but no tokenizer: there is no model in it. Open the tokenizer.json"),
    )
)
"""The beginnings of files that are often mistaken for a tokenizer, with a message for each."""


def open_tokenizer(
    files: Mapping[str, bytes], scheme: Scheme | None = None, lowercase: bool | None = None
) -> LoadedTokenizer:
    """Return the tokenizer in `files`, which maps names to contents.

    Settings files may be among them, and are applied (see `repository.py`). Of several tokenizers,
    those with a usual name and then the most complete format come first; the order of `files` does
    not matter. `scheme` provides the split pattern that a `.tiktoken` or `merges.txt` lacks;
    `lowercase` is for `vocab.txt`. None takes either from the settings, or infers it from the
    pieces. Raises UserError if the files are invalid.
    """
    files = decompress_files(files)
    settings, found = read_settings(files), _by_format(files)
    case = find_lowercase(settings) if lowercase is None else lowercase
    loaded = _open(files, found, scheme or find_scheme(settings), case)
    loaded = apply_settings(loaded, settings)
    read = found.read | {note.file for note in loaded.settings}
    rest = [
        FileSetting(name, "the file", "", _why_unused(name, files[name], loaded.format))
        for name in sorted(files)
        if name not in read
    ]
    notes = (*loaded.settings, *rest)
    if more := notes[MAX_NOTES:]:
        notes = (*notes[:MAX_NOTES], FileSetting("", "more", f"{len(more):,} more settings"))
    return replace(loaded, settings=notes)


def main_names(names: Iterable[str]) -> list[str]:
    """Return the names of the tokenizer's own files, without those that only lie beside it.

    >>> main_names(["tokenizer_config.json", "vocab.json", "merges.txt", "README.md"])
    ['vocab.json', 'merges.txt']
    """
    all_names = list(names)
    return [name for name in all_names if not is_companion(name)] or all_names


class _Found(dict[str | None, tuple[str, bytes]]):
    """Maps each format to a file's name and content; `read` has the names of those looked up."""

    def __init__(self) -> None:
        self.read: set[str] = set()

    def __getitem__(self, kind: str | None) -> tuple[str, bytes]:
        name, data = super().__getitem__(kind)
        check_file_size(len(data), name)
        self.read.add(name)
        return name, data

    @property
    def is_whole(self) -> bool:
        """Whether a tokenizer is in it, not just one of two files."""
        kinds = self.keys() - {None}
        return bool(kinds - {VOCAB, MERGES}) or {VOCAB, MERGES} <= kinds


def _by_format(files: Mapping[str, bytes]) -> _Found:
    """Return one file of each format, only files with a usual name if they are a tokenizer."""
    found = _Found()
    others = [name for name in sorted(files, key=_depth) if not settings_name(name)]
    for names in ([name for name in others if _is_usual(name)], others):
        for name in names:
            data = to_utf8(files[name])
            found.setdefault(detect_format(name, data), (name, data))
        if found.is_whole:
            break
    return found


def _depth(name: str) -> tuple[int, str]:
    return name.count("/"), name


def _is_usual(name: str) -> bool:
    """Return whether a file has the name of a tokenizer's file, or its extension."""
    base = name.rpartition("/")[2].lower()
    return base in _NAMED or base in _MODEL_NAMES or base.endswith((*_MODELS, RANKS))


def _why_unused(name: str, data: bytes, chosen: str) -> str:
    """Return why a file beside the tokenizer was not read."""
    for start, what in _OTHERS[:-1]:
        if start.match(data):
            return f"it is {what}"
    if detect_format(name, data):
        return f"the tokenizer was read from {chosen}"
    return "it has nothing about cutting a text"


def _open(
    files: Mapping[str, bytes],
    found: Mapping[str | None, tuple[str, bytes]],
    scheme: Scheme | None,
    lowercase: bool | None,
) -> LoadedTokenizer:
    """Read the tokenizer from the most complete format that was found."""
    if JSON in found:
        return read_tokenizer_json(found[JSON][1])
    if TEKKEN in found:
        return read_tekken(found[TEKKEN][1])
    if RANKS_JSON in found:
        return read_bpe_ranks(found[RANKS_JSON][1])
    if SENTENCEPIECE in found:
        name, data = found[SENTENCEPIECE]
        return loading.load(data, name)
    if RANKS in found:
        name, data = found[RANKS]
        return read_tiktoken(data, scheme, name)
    if CLIP in found:
        return read_clip(found[CLIP][1])
    if VOCAB in found and MERGES in found:
        return read_vocab_merges(found[VOCAB][1], found[MERGES][1], scheme)
    if LINES in found:
        return read_vocab_txt(found[LINES][1], lowercase)
    for has, lacks in ((VOCAB, MERGES), (MERGES, VOCAB)):
        if has in found:
            name, data = found[has]
            if what := incomplete_half(has == VOCAB, data):
                raise UserError(f"{name} is {what}.")
            raise UserError(f"{name} is one of two files. Open it together with {lacks}.")
    raise UserError(_unsupported_message(files))


def setting_left_open(files: Mapping[str, bytes]) -> LeftOpen | None:
    """Return what the files of a tokenizer don't tell, and `open_tokenizer` infers; else None.

    "scheme" is the split pattern with the special tokens, "pattern" the pattern alone, and "case"
    whether texts are lower-cased.

    >>> setting_left_open({"vocab.txt": b""}), setting_left_open({"tokenizer.json": b""})
    ('case', None)
    """
    found = _by_format(files).keys()
    if found & {JSON, TEKKEN, RANKS_JSON, SENTENCEPIECE}:
        return None
    if RANKS in found:
        return "scheme"
    if {VOCAB, MERGES} <= found:
        return "pattern"
    return "case" if LINES in found else None


def group_files(files: Sequence[tuple[str, bytes]]) -> list[list[int]]:
    """Group files, given by name and content, into tokenizers; return lists of indices.

    Files with the usual names belong together, as in a model's folder, if they have the same prefix
    or none, and each name occurs once; so do its settings and what else a repository has. A
    `vocab.json` and a `merges.txt` under any names belong together too, and settings to the only
    tokenizer. Every other file is a separate tokenizer.

    >>> group_files([("tokenizer.json", b""), ("vocab.txt", b""), ("b.json", b"")])
    [[0, 1], [2]]
    >>> group_files([("tokenizer.json", b""), ("tokenizer.json", b"")])
    [[0], [1]]
    >>> group_files([("x-vocab.json", b""), ("y.json", b""), ("x-merges.txt", b"")])
    [[0, 2], [1]]
    """
    groups: dict[tuple[str, int], list[int]] = {}
    seen: dict[str, int] = {}
    for number, (name, _) in enumerate(files):
        before = seen[name] = seen.get(name, -1) + 1
        prefix = _prefix(name)
        key = (f"{name}/", before) if prefix is None else (prefix, before)
        groups.setdefault(key, []).append(number)
    half_of = {n: _half(*files[n]) for n, *more in groups.values() if not more}
    vocabs, merges = ([n for n in half_of if half_of[n] == half] for half in (VOCAB, MERGES))
    joined = [[n for n in pair if n is not None] for pair in zip_longest(vocabs, merges)]
    whole = [group for group in groups.values() if not half_of.get(group[0])]
    return sorted(map(sorted, _with_settings([*whole, *joined], files)))


def _prefix(name: str) -> str | None:
    """Return what precedes a file's usual name, in lower case; None if the name is unusual."""
    if usual := _USUAL.fullmatch(name):
        return usual[1].lower()
    if usual := settings_name(name):
        return name[: -len(usual)].lower() if not usual.lower().endswith(".jinja") else ""
    return "" if _COMPANION.fullmatch(name) else None


def _with_settings(groups: list[list[int]], files: Sequence[tuple[str, bytes]]) -> list[list[int]]:
    """Join groups without a tokenizer to the only one that has a tokenizer, if there is one."""
    bare = [group for group in groups if all(is_companion(files[n][0]) for n in group)]
    others = [group for group in groups if group not in bare]
    return [[*others[0], *(n for group in bare for n in group)]] if len(others) == 1 else groups


def is_companion(name: str) -> bool:
    """Return whether a file is no tokenizer, but lies beside one in its repository."""
    return bool(settings_name(name) or _COMPANION.fullmatch(name))


def _half(name: str, data: bytes) -> str:
    """Return VOCAB or MERGES if the file is that half of a tokenizer, "" for any other file."""
    if usual := _USUAL.fullmatch(name):
        kind = _NAMED.get(usual[2].lower(), "")
        return kind if kind in (VOCAB, MERGES) else ""
    starts, beginning = dict(_CONTENT), _beginning(data)
    return next((half for half in (VOCAB, MERGES) if starts[half].match(beginning)), "")


def _beginning(data: bytes) -> bytes:
    """Return the first characters of a file as UTF-8 without a byte order mark."""
    encoding = detect_encoding(data)
    if encoding == "UTF-8":
        return to_utf8(data[:_BEGINNING])
    return data[:_BEGINNING].decode(encoding, "ignore").encode(errors="ignore")


def detect_format(name: str, data: bytes) -> str | None:
    """Return a file's format by its name, or by its content if the name is unusual; else None.

    >>> detect_format("a.txt", b"[PAD]\\n[UNK]\\n"), detect_format("tokenizer.model", b"IQ== 0\\n")
    ('vocab.txt', '.tiktoken')
    """
    if any(start.match(data) for start, _ in _OTHERS[:-1]):
        return None
    base = name.rpartition("/")[2].lower()
    if base.endswith(".tiktoken"):
        return RANKS
    if base in _NAMED:
        return _NAMED[base]
    by_content = next((kind for kind, start in _CONTENT if start.match(data)), None)
    is_model = base.endswith(_MODELS) or base in _MODEL_NAMES
    return by_content or (SENTENCEPIECE if is_model else None)


def _unsupported_message(files: Mapping[str, bytes]) -> str:
    names = {name: settings_name(name) for name in sorted(files)}
    if settings := [name for name, usual in names.items() if usual not in ("", *ABOUT_NETWORK)]:
        have = "has" if len(settings) == 1 else "have"
        return (
            f"{', '.join(settings)} {have} settings of a tokenizer. Open the tokenizer’s own file "
            "together with it, such as tokenizer.json."
        )
    for name, data in sorted(files.items()):
        for start, what in _OTHERS:
            if start.match(data):
                return f"{name} is {what}."
    if not files:
        return "There is no file to open. Choose one, such as a tokenizer.json."
    return (
        f"{', '.join(files)} is no tokenizer that can be opened here. These can: tokenizer.json, "
        "SentencePiece's .model, .tiktoken, tekken.json, vocab.json with merges.txt, and vocab.txt."
    )
