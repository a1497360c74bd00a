"""The tokenizers that were trained ahead: what their files hold is what training gives."""

import hashlib
import json
import lzma
import math

import pytest

from lessons.texts import PYTHON_TEXT, TEXTS
from lessons.trained import (
    FOLDER,
    LEARNED_FROM,
    SETTINGS,
    SIZE,
    TABLE,
    make,
    open_trained,
    prefix_models,
    pydoc_corpus,
    tokenizer_json,
)
from pages.shared.training.source import CorpusSource
from pages.shared.training.tokenizer_kinds import KINDS, find_pretrained, train_kind
from tests.call_counts import share
from tests.parity.corpora import random_strings
from tokenizers import baselines, bpe, unigram
from tokenizers.formats.tokenizer_json import read_tokenizer_json
from tokenizers.formats.tokenizer_json_writer import END, write_tokenizer_json
from tokenizers.progress import ignore_progress

TEXT = TEXTS[LEARNED_FROM].text or ""
OTHERS = [
    "",
    "Tokenization isn't unbelievably hard.",
    "Die Größe 🧑‍🚀 привет 你好",
    "x = {'a': 1}\n\t",
]
every_kind = pytest.mark.parametrize("kind", SETTINGS)


def test_each_file_is_the_one_in_the_table():
    files = {PYTHON_TEXT.name: TEXT.encode()}
    files |= {f"{kind}.json.xz": tokenizer_json(kind) for kind in SETTINGS}
    files[prefix_models.FILE.name] = lzma.decompress(prefix_models.FILE.read_bytes())
    found = {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}
    assert found == TABLE["sha256"]
    kept = {path.name for path in FOLDER.glob("*.xz")} | {PYTHON_TEXT.name}
    assert kept == set(found)
    assert "PYTHON SOFTWARE FOUNDATION LICENSE" in (FOLDER / "LICENSE").read_text(encoding="utf-8")


def test_the_text_is_large_and_running_english():
    assert len(TEXT) >= 300_000
    lines = TEXT.splitlines()
    assert len(lines) == len(set(lines))
    assert all(pydoc_corpus.prose(line) == line for line in lines)
    assert sum(map(str.isascii, TEXT)) > 0.999 * len(TEXT)
    assert " the " in TEXT
    assert ">>> " not in TEXT


def test_a_paragraph_without_running_text_is_left_out():
    words = "word " * pydoc_corpus.LEAST_WORDS
    assert pydoc_corpus.prose(f"A {words}\n  ends.") == f"A {words}ends."
    for paragraph in (
        "",
        "Short.",
        f"A {words}",
        f"- {words}.",
        f"A {words * 2}e\u0301 ends.",
        f"A {'x=1 ' * 99}.",
    ):
        assert not pydoc_corpus.prose(paragraph)


@pytest.mark.skipif(share(100) < 100 or not make.is_the_python(), reason="takes half a minute")
def test_the_text_is_what_this_python_says_in_its_help():
    assert pydoc_corpus.text() == TEXT


@pytest.mark.skipif(share(100) < 100, reason="takes half a minute")
@every_kind
def test_training_again_gives_the_file(kind):
    """Merges to the last byte; sums of EM but for the last digits, which are the processor's."""
    model, kept = make.train(kind, TEXT), open_trained(kind)
    if not isinstance(model, unigram.Model):
        assert write_tokenizer_json(model).encode() == tokenizer_json(kind)
        assert model == kept
        return
    assert isinstance(kept, unigram.Model)
    assert dict(model.log_probs) == pytest.approx(dict(kept.log_probs), abs=1e-12)
    again, file = (json.loads(text) for text in (write_tokenizer_json(model), tokenizer_json(kind)))
    assert len(again["model"].pop("vocab")) == len(file["model"].pop("vocab"))
    assert again == file


@pytest.mark.skipif(share(100) < 100, reason="takes half a minute")
def test_pruning_again_gives_the_file():
    assert prefix_models.to_json(prefix_models.shrink()).encode() == lzma.decompress(
        prefix_models.FILE.read_bytes()
    )


def test_pruned_further_unigram_has_fewer_and_fewer_of_its_pieces():
    found, model = prefix_models.open_prefix_models(), open_trained("unigram")
    assert isinstance(model, unigram.Model)
    assert list(found.sizes) == sorted(set(found.sizes))
    assert set(found.pieces) < model.log_probs.keys()
    assert len(found.pieces) == found.sizes[-1] < SIZE
    letters = {piece for piece in model.log_probs if len(piece) == 1}
    for n, size in enumerate(found.sizes):
        one = found.model(n)
        assert len(one.log_probs) == size
        assert letters <= one.log_probs.keys()
        assert math.fsum(map(math.exp, one.log_probs.values())) == pytest.approx(1, abs=1e-4)
    assert set(found.model(0).log_probs) - letters < set(found.pieces)


@every_kind
def test_the_first_merges_are_those_of_training(kind):
    """The cheap check: BPE and WordPiece are greedy, so a few merges are the first of many."""
    if kind == "unigram":
        pytest.skip("Unigram shrinks: its pieces are known at the end alone")
    few = make.train(kind, TEXT, 400)
    vocab = open_trained(kind).vocab
    assert list(few.vocab) == list(vocab)[: len(few.vocab)]
    assert len(vocab) - (open_trained(kind).unk is not None) == SIZE


@every_kind
def test_the_model_is_written_as_the_file_it_was_opened_from(kind):
    assert write_tokenizer_json(open_trained(kind)).encode() == tokenizer_json(kind)


@every_kind
def test_opened_as_a_file_it_gives_the_same_ids(kind):
    ours, theirs = open_trained(kind), read_tokenizer_json(tokenizer_json(kind))
    for text in (*OTHERS, *random_strings(share(400))):
        assert ours.encode(text.replace(END, "")).ids == theirs.encode(text.replace(END, "")).ids


@every_kind
def test_it_is_split_and_made_as_its_kind_usually_is(kind):
    training = SETTINGS[kind]
    assert training.pipeline.pre_tokenizer == KINDS[kind].split
    assert not training.pipeline.normalizers
    if isinstance(training.settings, bpe.Settings):
        assert training.settings.base == KINDS[kind].base


@every_kind
def test_a_page_gets_it_for_its_text_and_its_size_alone(kind):
    found = find_pretrained(CorpusSource(text=TEXT), kind, SIZE)
    assert found is not None
    assert found.model(SIZE) == open_trained(kind)
    assert (found.sizes, found.size(300), found.step()) == ((SIZE,), SIZE, 0)
    assert find_pretrained(CorpusSource(text=TEXT), kind, 300) is None
    assert find_pretrained(CorpusSource(text=TEXT[:-1]), kind, SIZE) is None


@pytest.mark.parametrize("kind", baselines.UNITS)
def test_words_and_characters_are_listed_without_a_worker(kind):
    found, learned = (
        find_pretrained(CorpusSource(text=TEXT), kind, 300),
        train_kind(ignore_progress, CorpusSource(text=TEXT), kind, 300),
    )
    assert found is not None
    assert found.model() == learned.model()
    assert find_pretrained(CorpusSource(text="a"), kind, 300) is None


def test_another_kind_is_an_error():
    with pytest.raises(KeyError):
        open_trained("words")
