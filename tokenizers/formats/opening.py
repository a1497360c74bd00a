"""Open a tokenizer's files, after detecting their format by names and content.

For any other file, the error says what it probably is and what to open instead.
"""

import re
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Literal

from tokenizers.errors import UserError
from tokenizers.formats.bpe_ranks import read_bpe_ranks
from tokenizers.formats.clip import read_clip
from tokenizers.formats.compressed import decompress_files
from tokenizers.formats.other_programs import OTHER_PROGRAMS, incomplete_half
from tokenizers.formats.schemes import Scheme
from tokenizers.formats.tekken import read_tekken
from tokenizers.formats.tiktoken import read_tiktoken
from tokenizers.formats.tokenizer_json import read_tokenizer_json
from tokenizers.formats.vocab_merges import read_vocab_merges
from tokenizers.formats.vocab_txt import read_vocab_txt
from tokenizers.runtime.sentencepiece import loading
from tokenizers.runtime.tokenizer import LoadedTokenizer

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
_USUAL = re.compile(
    r"(.*?)("
    r"tokenizer\.json|tekken\.json|vocab\.json|merges\.txt|vocab\.txt|encoder\.json|vocab\.bpe"
    r"|(?:tokenizer|spiece|sentencepiece(?:\.bpe)?)\.model"
    r"|(?:tokenizer_|generation_)?config\.json|special_tokens_map\.json|added_tokens\.json)",
    re.DOTALL | re.IGNORECASE,
)
"""Matches the usual names of published files, with an optional prefix."""
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

    Settings files may be among them; of several tokenizers, the most complete format is used.
    `scheme` provides the split pattern that a `.tiktoken` or `merges.txt` lacks; `lowercase` is for
    `vocab.txt`. None infers either from the pieces. Raises UserError if the files are invalid.
    """
    files = decompress_files(files)
    found = {detect_format(*file): file for file in reversed([*files.items()])}
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
    found = {detect_format(*file) for file in files.items()}
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
    or none, and each name occurs once. A `vocab.json` and a `merges.txt` under any names belong
    together too. Every other file is a separate tokenizer.

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
        usual = _USUAL.fullmatch(name)
        before = seen[name] = seen.get(name, -1) + 1
        key = (usual[1].lower(), before) if usual else (f"{name}/", before)
        groups.setdefault(key, []).append(number)
    half_of = {n: _half(*files[n]) for n, *more in groups.values() if not more}
    vocabs, merges = ([n for n in half_of if half_of[n] == half] for half in (VOCAB, MERGES))
    joined = [[n for n in pair if n is not None] for pair in zip_longest(vocabs, merges)]
    whole = [group for group in groups.values() if not half_of.get(group[0])]
    return sorted(map(sorted, [*whole, *joined]))


def _half(name: str, data: bytes) -> str:
    """Return VOCAB or MERGES if the file is that half of a tokenizer, "" for any other file."""
    if usual := _USUAL.fullmatch(name):
        kind = _NAMED.get(usual[2].lower(), "")
        return kind if kind in (VOCAB, MERGES) else ""
    starts = dict(_CONTENT)
    return next((half for half in (VOCAB, MERGES) if starts[half].match(data)), "")


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
    by_content = next((kind for kind, start in _CONTENT if start.match(data)), None)
    return _NAMED.get(base) or by_content or (SENTENCEPIECE if base.endswith(_MODELS) else None)


def _unsupported_message(files: Mapping[str, bytes]) -> str:
    for name, data in files.items():
        for start, what in _OTHERS:
            if start.match(data):
                return f"{name} is {what}."
    if not files:
        return "There is no file to open. Choose one, such as a tokenizer.json."
    return (
        f"{', '.join(files)} is no tokenizer that can be opened here. These can: tokenizer.json, "
        "SentencePiece's .model, .tiktoken, tekken.json, vocab.json with merges.txt, and vocab.txt."
    )
