"""Files of published tokenizers encode and decode as with the libraries that they were made for."""

import random
from pathlib import Path

import pytest

from lessons.models import read_files
from tests.effort import share
from tokenizers.formats.schemes import SCHEMES
from tokenizers.formats.tiktoken import read_tiktoken

from . import ask_with_files, needs_tiktoken
from .corpora import english_prose, every_character, random_strings


def many_texts(count: int, specials=()) -> list[str]:
    """Return strings of every kind, with special tokens put into some."""
    rng = random.Random(2)
    texts = [*every_character(), english_prose()[:20_000], " " * 300 + "x", "ab" * 700]
    texts += random_strings(max(count - len(texts), 0))
    return [_with_special(rng, text, list(specials)) if n % 3 else text for n, text in enumerate(texts)]


def _with_special(rng, text, specials):
    at = rng.randint(0, len(text))
    return text[:at] + rng.choice(specials) + text[at:] if specials else text


@pytest.fixture
def kept(tmp_path: Path):
    """Return what writes the files of a model to a folder and returns their paths."""

    def keep(files: dict[str, bytes]) -> list[str]:
        for name, data in files.items():
            (tmp_path / name).write_bytes(data)
        return [str(tmp_path / name) for name in files]

    return keep


def differences(texts, ours, theirs):
    return [row for row in zip(texts, ours, theirs, strict=True) if row[1] != row[2]][:3]


@needs_tiktoken
@pytest.mark.parametrize("special", ["control", "text"])
@pytest.mark.parametrize(("name", "scheme"), [("cl100k", "cl100k_base"), ("o200k", "o200k_base")])
def test_ranks_as_tiktoken_reads_them(kept, name, scheme, special):
    files = read_files(name)
    (data,), paths = files.values(), kept(files)
    tokenizer = read_tiktoken(data, SCHEMES[scheme])
    texts = many_texts(share(10_000), SCHEMES[scheme].specials)
    theirs = ask_with_files(
        "encode_with_tiktoken", name=scheme, paths=paths, texts=texts, special=special
    )
    found = [tokenizer.encode(text, special=special) for text in texts]
    ours = [
        [list(e.ids), [start for start, _ in e.offsets], tokenizer.decode(e.ids, False)]
        for e in found
    ]
    assert differences(texts, ours, theirs) == []
