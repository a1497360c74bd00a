"""Files of byte pieces encode and decode as in the programs that they were made for.

The files are published ones, cut by make_file_fixtures.py. With FULL_FILES, a folder that has whole
ones under the same names, those are read instead.
"""

import json
import os
from pathlib import Path

import pytest

from tokenizers.formats.opening import open_tokenizer
from tokenizers.formats.schemes import SCHEMES, Scheme

from . import ask_with_files, needs_tiktoken
from .test_files import TEXTS, differences, ids_starts_and_text, kept, many_texts

__all__ = ["kept"]

FOLDER = Path(os.environ.get("FULL_FILES") or Path(__file__).with_name("fixtures") / "files")


def read(name: str) -> bytes:
    return (FOLDER / name).read_bytes()


def tekken(version: str) -> bytes:
    """Return the file as one of another version, which names its special tokens itself."""
    file = json.loads(read("tekken.json"))
    file["config"]["version"] = version
    if version != "v3":
        names = ["<unk>", "<s>", "</s>", "[INST]", "[/INST]", "[ARGS]", "[CALL_ID]", "<pad>"]
        rows = [{"rank": n, "token_str": one, "is_control": True} for n, one in enumerate(names)]
        file["special_tokens"] = rows
    return json.dumps(file).encode()


@needs_tiktoken
@pytest.mark.parametrize("version", ["v3", "v7", "v11"])
def test_tekken_as_mistral_reads_it(kept, version):
    files = {"tekken.json": tekken(version)}
    tokenizer = open_tokenizer(files)
    assert len(tokenizer.specials) == 1_000
    texts = many_texts(TEXTS, [*tokenizer.specials][:30])
    (path,) = kept(files)
    theirs = ask_with_files("encode_byte_pieces", kind="tekken", path=path, texts=texts)
    for special, answers in theirs.items():
        assert differences(texts, ids_starts_and_text(tokenizer, texts, special), answers) == []


@needs_tiktoken
def test_claude_as_its_package_reads_it(kept):
    files = {"claude.json": read("claude.json")}
    tokenizer = open_tokenizer(files)
    texts = many_texts(TEXTS, tokenizer.specials)
    (path,) = kept(files)
    theirs = ask_with_files(
        "encode_byte_pieces", kind="bpe_ranks", path=path, texts=texts, form="NFKC"
    )
    for special, answers in theirs.items():
        ours = ids_starts_and_text(tokenizer, texts, special)
        # The places are those in the text before it was normalized.
        without = [[[ids, text] for ids, _, text in rows] for rows in (ours, answers)]
        assert differences(texts, *without) == []


@needs_tiktoken
@pytest.mark.parametrize(("name", "languages"), [("whisper", 99), ("whisper-v3", 100)])
def test_whisper_as_its_package_reads_it(kept, name, languages):
    files = {"multilingual.tiktoken": read("multilingual.tiktoken")}
    tokenizer = open_tokenizer(files, scheme=SCHEMES[name])
    texts = many_texts(TEXTS, [*tokenizer.specials][:120])
    (path,) = kept(files)
    theirs = ask_with_files(
        "encode_byte_pieces", kind="whisper", path=path, texts=texts, options=[languages]
    )
    for special, answers in theirs.items():
        assert differences(texts, ids_starts_and_text(tokenizer, texts, special), answers) == []
    assert tokenizer.vocab["<|0.00|>"] == 50_364 + languages - 99
    assert tokenizer.decode([50_256]) == ""


@needs_tiktoken
@pytest.mark.parametrize(
    "pattern",
    [
        r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|"
        r"\s++$|\s*[\r\n]|\s+(?!\S)|\s",
        r"\p{L}+",
        r"^\p{L}{1,2}+|(?:\p{L}|\p{N}){2}+|[^\s$^]",
    ],
    ids=["cl100k", "letters", "pairs"],
)
def test_a_pattern_by_hand_as_tiktoken_reads_it(kept, pattern):
    lines = read("multilingual.tiktoken").splitlines(keepends=True)[:-1]
    files = {"own.tiktoken": b"".join(lines)}
    tokenizer = open_tokenizer(files, scheme=Scheme("own", pattern, {}))
    texts = many_texts(TEXTS)
    theirs = ask_with_files(
        "encode_with_tiktoken", name="own", paths=kept(files), texts=texts, pattern=pattern
    )["text"]
    ours = ids_starts_and_text(tokenizer, texts, "text")
    # tiktoken tells places in the text that is left when what doesn't match is dropped.
    without = [[[ids, text] for ids, _, text in rows] for rows in (ours, theirs)]
    assert differences(texts, *without) == []
