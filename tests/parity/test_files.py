"""Files of published tokenizers encode and decode as with the libraries that they were made for."""

import random
from pathlib import Path
from unicodedata import category, ucd_3_2_0

import pytest

from lessons.models import read_files
from tests.effort import share
from tokenizers.formats.schemes import SCHEMES
from tokenizers.formats.tiktoken import read_tiktoken
from tokenizers.formats.vocab_merges import read_vocab_merges
from tokenizers.formats.vocab_txt import read_vocab_txt

from . import ask_with_files, needs_library, needs_tiktoken
from .corpora import english_prose, every_character, random_strings

TEXTS = share(share(10_000))
"""How many strings each tokenizer is tried on: 10,000 when thorough, else a few hundred."""


def many_texts(count: int, specials=()) -> list[str]:
    """Return strings of every kind, with special tokens put into some."""
    rng = random.Random(2)
    characters = every_character()[:: 10_000 // count]
    texts = [*characters, english_prose()[:20_000], " " * 300 + "x", "ab" * 700]
    texts += random_strings(max(count - len(texts), 0))
    return [
        _with_special(rng, text, list(specials)) if n % 3 else text for n, text in enumerate(texts)
    ]


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
    texts = many_texts(TEXTS, SCHEMES[scheme].specials)
    theirs = ask_with_files(
        "encode_with_tiktoken", name=scheme, paths=paths, texts=texts, special=special
    )
    assert differences(texts, ids_starts_and_text(tokenizer, texts, special), theirs) == []


def ids_starts_and_text(tokenizer, texts, special):
    found = [tokenizer.encode(text, special=special) for text in texts]
    return [
        [list(e.ids), [start for start, _ in e.offsets], tokenizer.decode(e.ids, False)]
        for e in found
    ]


def answers_of(tokenizer, texts):
    found = map(tokenizer.encode, texts)
    return [
        [list(e.tokens), list(e.ids), list(map(list, e.offsets)), tokenizer.decode(e.ids)]
        for e in found
    ]


@needs_library
def test_gpt2_as_hugging_face_reads_its_two_files(kept):
    files = read_files("gpt2")
    tokenizer = read_vocab_merges(*files.values())
    texts = many_texts(TEXTS)
    theirs = ask_with_files(
        "encode_with_files",
        kind="bpe",
        paths=kept(files),
        texts=texts,
        asked={"add_prefix_space": False},
    )
    assert differences(texts, answers_of(tokenizer, texts), theirs) == []


@needs_tiktoken
@pytest.mark.parametrize("special", ["control", "text"])
def test_gpt2_as_tiktoken_reads_its_two_files(kept, special):
    files = read_files("gpt2")
    tokenizer = read_vocab_merges(*files.values())
    assert tokenizer.specials == {"<|endoftext|>": 50256}
    texts = many_texts(TEXTS, tokenizer.specials)
    theirs = ask_with_files(
        "encode_with_tiktoken", name="gpt2", paths=kept(files), texts=texts, special=special
    )
    assert differences(texts, ids_starts_and_text(tokenizer, texts, special), theirs) == []


@needs_library
@pytest.mark.parametrize("lowercase", [None, False])
def test_bert_as_hugging_face_reads_its_vocabulary(kept, lowercase):
    files = read_files("bert-uncased")
    tokenizer = read_vocab_txt(*files.values(), lowercase=lowercase)
    texts = list(map(known_long, many_texts(TEXTS, tokenizer.specials)))
    theirs = ask_with_files(
        "encode_with_files",
        kind="wordpiece",
        paths=kept(files),
        texts=texts,
        asked={"lowercase": lowercase is None},
    )
    assert differences(texts, answers_of(tokenizer, texts), theirs) == []


def known_long(text: str) -> str:
    """Keep what has not changed since Unicode 3.2: the library normalizes by old tables."""
    return "".join(c for c in text if ucd_3_2_0.category(c) == category(c))
