"""Files of published tokenizers encode and decode as with the libraries that they were made for."""

import random
from pathlib import Path

import pytest

from lessons.models import read_files
from tests.call_counts import sample
from tokenizers import bpe, wordpiece
from tokenizers.formats.opening import open_tokenizer
from tokenizers.formats.schemes import SCHEMES, Scheme
from tokenizers.formats.tiktoken import read_tiktoken, write_tiktoken
from tokenizers.formats.vocab_merges import read_vocab_merges, write_vocab_merges
from tokenizers.formats.vocab_txt import read_vocab_txt, write_vocab_txt
from tokenizers.record.trace import Trace
from tokenizers.text.corpus import Corpus, Pipeline
from tokenizers.text.encoding import decode

from . import ask_with_files, needs_library, needs_tiktoken
from .corpora import english_prose, every_character, random_strings

EDGES = (
    "end\n  ",
    "end  \n",
    "a \r\n\t",
    "  \n\n  x",
    "IT'S 12345 we'LL don'tx",
    "a/\n/b",
    "HTMLPage",
)
"""What published patterns cut in different ways."""

WRITTEN, TEXTS = 5_000, 10_000
"""How many strings each tokenizer is tried on when exhaustive: see tests/call_counts.py."""


def many_texts(most: int, specials=()) -> list[str]:
    """Return strings of every kind, with special tokens put into some."""
    count = sample(most)
    rng = random.Random(2)
    characters = every_character()[:: 10_000 // count]
    texts = [*characters, english_prose()[:20_000], " " * 300 + "x", "ab" * 700]
    texts += random_strings(max(count - len(texts), 0))
    return [*EDGES] + [
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
@pytest.mark.parametrize(
    ("name", "scheme"),
    [("cl100k", "cl100k_base"), ("o200k", "o200k_base"), ("gpt-oss", "o200k_harmony")],
)
def test_ranks_as_tiktoken_reads_them(kept, name, scheme):
    files = read_files(name)
    (data,), paths = files.values(), kept(files)
    tokenizer = read_tiktoken(data, SCHEMES[scheme])
    specials = SCHEMES[scheme].specials
    ids = list(specials.values())  # tiktoken decodes an id with two names to any of them
    texts = many_texts(TEXTS, [token for token, id_ in specials.items() if ids.count(id_) == 1])
    theirs = ask_with_files("encode_with_tiktoken", name=scheme, paths=paths, texts=texts)
    for special, answers in theirs.items():
        assert differences(texts, ids_starts_and_text(tokenizer, texts, special), answers) == []


@needs_tiktoken
def test_tekken_as_mistrals_program_reads_it(kept):
    files = read_files("mistral-tekken")
    tokenizer = open_tokenizer(files)
    texts = many_texts(TEXTS, tokenizer.specials)
    (path,) = kept(files)
    theirs = ask_with_files("encode_byte_pieces", kind="tekken", path=path, texts=texts)
    for special, answers in theirs.items():
        assert differences(texts, ids_starts_and_text(tokenizer, texts, special), answers) == []


def ids_starts_and_text(tokenizer, texts, special):
    found = [tokenizer.encode(text, special=special) for text in texts]
    return [
        [list(e.ids), [start for start, _ in e.offsets], tokenizer.decode(e.ids, False)]
        for e in found
    ]


def answers_of(tokenizer, texts):
    found = map(tokenizer.encode, texts)
    return [[list(e.tokens), list(e.ids), list(e.offsets), tokenizer.decode(e.ids)] for e in found]


@needs_library
def test_gpt2_as_hugging_face_reads_its_two_files(kept):
    files = read_files("gpt2")
    tokenizer = open_tokenizer(files)
    texts = many_texts(TEXTS)
    theirs = ask_with_files(
        "encode_with_files",
        kind="bpe",
        paths=kept(files),
        texts=texts,
        options={"add_prefix_space": False},
    )
    assert differences(texts, answers_of(tokenizer, texts), theirs) == []


@needs_tiktoken
def test_gpt2_as_tiktoken_reads_its_two_files(kept):
    files = read_files("gpt2")
    tokenizer = open_tokenizer(files)
    assert tokenizer.specials == {"<|endoftext|>": 50256}
    texts = many_texts(TEXTS, tokenizer.specials)
    theirs = ask_with_files("encode_with_tiktoken", name="gpt2", paths=kept(files), texts=texts)
    for special, answers in theirs.items():
        assert differences(texts, ids_starts_and_text(tokenizer, texts, special), answers) == []


@needs_library
@pytest.mark.parametrize("lowercase", [None, False])
def test_bert_as_hugging_face_reads_its_vocabulary(kept, lowercase):
    files = read_files("bert-uncased")
    tokenizer = open_tokenizer(files, lowercase=lowercase)
    texts = many_texts(TEXTS, tokenizer.specials)
    theirs = ask_with_files(
        "encode_with_files",
        kind="wordpiece",
        paths=kept(files),
        texts=texts,
        options={"lowercase": lowercase is None},
    )
    assert differences(texts, answers_of(tokenizer, texts), theirs) == []


# --- Writing --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def trained_on_bytes() -> bpe.Model:
    corpus = Corpus.from_text(english_prose()[:60_000], Pipeline((), "gpt2"))
    return Trace.record(corpus, bpe.Settings(base="bytes", vocab_size=900)).model()


def our_ids_and_text(model, texts, encode, decode):
    return [[ids := list(encode(text, model).ids), decode(ids, model)] for text in texts]


@needs_tiktoken
@pytest.mark.parametrize("scheme", ["gpt2", "cl100k_base", "o200k_base", "llama3", "qwen"])
def test_tiktoken_reads_our_ranks(kept, trained_on_bytes, scheme):
    data, pattern = write_tiktoken(trained_on_bytes), SCHEMES[scheme].pattern
    texts = many_texts(WRITTEN)
    theirs = ask_with_files(
        "encode_with_tiktoken",
        name="ours",
        paths=kept({"ours.tiktoken": data}),
        texts=texts,
        pattern=pattern.replace(r"\z", "$"),
    )["text"]
    again = read_tiktoken(data, Scheme("ours", pattern, {}))
    assert differences(texts, ids_starts_and_text(again, texts, "control"), theirs) == []
    if scheme == "gpt2":  # how it was trained
        ours = our_ids_and_text(trained_on_bytes, texts, bpe.encode, decode)
        assert differences(texts, ours, [[ids, text] for ids, _, text in theirs]) == []


@needs_library
def test_hugging_face_reads_our_merges(kept, trained_on_bytes):
    vocab, merges = write_vocab_merges(trained_on_bytes)
    texts = many_texts(WRITTEN)
    ours = our_ids_and_text(trained_on_bytes, texts, bpe.encode, decode)
    theirs = ask_with_files(
        "encode_with_files",
        kind="bpe",
        paths=kept({"vocab.json": vocab, "merges.txt": merges}),
        texts=texts,
        options={"add_prefix_space": False},
    )
    assert differences(texts, ours, [[ids, text] for _, ids, _, text in theirs]) == []
    assert differences(texts, answers_of(read_vocab_merges(vocab, merges), texts), theirs) == []


@needs_library
@pytest.mark.parametrize("normalizer", ["bert", "bert_cased"])
def test_hugging_face_reads_our_vocabulary(kept, normalizer):
    corpus = Corpus.from_text(english_prose()[:30_000], Pipeline((normalizer,), "bert"))
    model = Trace.record(corpus, wordpiece.Settings(vocab_size=700)).model()
    data = write_vocab_txt(model)
    texts = many_texts(WRITTEN)
    ours = our_ids_and_text(model, texts, wordpiece.encode, wordpiece.decode)
    theirs = ask_with_files(
        "encode_with_files",
        kind="bare wordpiece",
        paths=kept({"vocab.txt": data}),
        texts=texts,
        options={"lowercase": normalizer == "bert"},
    )
    assert differences(texts, ours, [[ids, text] for _, ids, _, text in theirs]) == []
    again = read_vocab_txt(data)
    ids = [list(again.encode(text, special="text").ids) for text in texts]
    assert differences(texts, ids, [ids for ids, _ in ours]) == []
