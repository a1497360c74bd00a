"""What was trained here and written as a `tokenizer.json` gives the library the same ids."""

import json
import random
from functools import cache, reduce

import pytest

from tests.call_counts import sample
from tokenizers import bpe, unigram, wordpiece
from tokenizers.formats.tokenizer_json import read_tokenizer_json
from tokenizers.formats.tokenizer_json_writer import write_tokenizer_json
from tokenizers.record.trace import Trace
from tokenizers.text import encoding
from tokenizers.text.corpus import Corpus, Pipeline
from tokenizers.unigram.sentencepiece_parity.float32 import as_float32

from . import ask, needs_library
from .corpora import many_scripts
from .families import texts

pytestmark = needs_library

PIPELINES = [
    ("characters", Pipeline((), "spaces")),
    ("characters", Pipeline(("html", "accents", "lower", "spaces"), "punctuation")),
    ("characters", Pipeline(("bert",), "bert")),
    ("end_of_word", Pipeline((), "spaces")),
    ("end_of_word", Pipeline(("nfkc", "lower"), "punctuation")),
    ("bytes", Pipeline((), "gpt2")),
    ("bytes", Pipeline(("nfc",), "spaces")),
    ("bytes", Pipeline((), "digits")),
    ("bytes", Pipeline((), "threes")),
    ("bytes", Pipeline((), "threes_right")),
    ("characters", Pipeline(("quotes",), "penn")),
    ("metaspace", Pipeline((), "metaspace")),
    ("metaspace", Pipeline(("lower", "sentencepiece_spaces"), "metaspace_whole")),
    ("metaspace", Pipeline((), "punctuation")),
]


NAMES = ("<unk>", "<0xC3>")


@cache
def strings():
    """Random strings; none names a piece that the library would find in it, and we would not."""
    found = texts(sample(5_000))
    while any(name in text for text in found for name in NAMES):  # one may be left of another
        found = [reduce(lambda text, name: text.replace(name, ""), NAMES, t) for t in found]
    return ["a <b>bold</b> word <!-- c", "</w> low</w>er", *found]


def corpus(pipeline):
    return Corpus.from_text(many_scripts(15_000), pipeline)


def check(model, encode, decode, texts=None):
    written, texts = write_tokenizer_json(model), strings() if texts is None else texts
    nothing = [None] * len(texts)
    (theirs,) = ask("encode_by_files", files=[written], texts=texts, pairs=nothing)
    again = read_tokenizer_json(written)
    wrong = []
    for text, (ids, _, _, _, decoded) in zip(texts, theirs, strict=True):
        mine = encode(text, model).ids
        if (list(mine), decode(mine, model)) != (ids, decoded) or again.encode(text).ids != mine:
            wrong.append((text, list(mine), ids, decode(mine, model), decoded))
    assert wrong == []


@pytest.mark.parametrize(("base", "pipeline"), PIPELINES, ids=str)
def test_bpe(base, pipeline):
    model = Trace.record(corpus(pipeline), bpe.Settings(base=base, num_merges=300)).model()
    check(model, bpe.encode, encoding.decode)


@pytest.mark.parametrize(
    ("mark", "base", "pipeline"),
    [
        ("##", "characters", Pipeline(("bert",), "bert")),
        ("", "characters", Pipeline((), "spaces")),
        ("##", "end_of_word", Pipeline((), "punctuation")),
    ],
    ids=str,
)
def test_wordpiece(mark, base, pipeline):
    settings = wordpiece.Settings(mark=mark, base=base, num_merges=300)
    model = Trace.record(corpus(pipeline), settings).model()
    check(model, wordpiece.encode, wordpiece.decode)


MARKS = ("</w>", "_", "$", "er")
WITH_MARKS = ["low", "er", "</w>", "_", "$", "w>", "</", " ", "\ue000", "\ue001", "##", "x" * 98]


@cache
def texts_with_marks():
    """Return texts in which end marks occur, whole and in parts, and what replaces them."""
    rng = random.Random(1)
    return ["".join(rng.choices(WITH_MARKS, k=rng.randint(1, 7))) for _ in range(sample(5_000))]


@pytest.mark.parametrize("learned", ["low lower w/o $ a_b </ w>", "a </w> low</w>er $_ _ er"])
@pytest.mark.parametrize("pre_tokenizer", ["spaces", "punctuation"])
@pytest.mark.parametrize("mark", ["##", ""])
@pytest.mark.parametrize("end_mark", MARKS)
def test_wordpiece_reads_end_marks_in_a_text(end_mark, mark, pre_tokenizer, learned):
    corpus = Corpus.from_text(f"{learned} low low lowest newer newer", Pipeline((), pre_tokenizer))
    settings = wordpiece.Settings(mark=mark, base="end_of_word", end_mark=end_mark, num_merges=30)
    model = Trace.record(corpus, settings).model()
    check(model, wordpiece.encode, wordpiece.decode, texts_with_marks())


@pytest.mark.parametrize("pre_tokenizer", ["spaces", "punctuation"])
@pytest.mark.parametrize("end_mark", MARKS[:3])
def test_bpe_reads_end_marks_in_a_text_if_they_are_one_character(end_mark, pre_tokenizer):
    text = "low lower w/o $ a_b \ue000 </ w> low low lowest newer newer"
    corpus = Corpus.from_text(text, Pipeline((), pre_tokenizer))
    settings = bpe.Settings(base="end_of_word", end_mark=end_mark, num_merges=30)
    check(Trace.record(corpus, settings).model(), bpe.encode, encoding.decode, texts_with_marks())


@pytest.mark.parametrize("byte_fallback", [False, True])
def test_unigram(byte_fallback):
    pipeline = Pipeline((), "metaspace")
    pieces = {}
    for word, count in corpus(pipeline).word_counts.items():
        for length in range(1, 6):
            for start in range(len(word) - length + 1):
                piece = word[start : start + length]
                pieces[piece] = pieces.get(piece, 0) + count * length
    best = sorted(pieces, key=pieces.__getitem__, reverse=True)[:800]
    total = sum(map(pieces.__getitem__, best))
    logs = {piece: as_float32(pieces[piece] / total) - 12.0 for piece in best}
    vocab = unigram.vocabulary(logs, byte_fallback)
    check(
        unigram.Model(vocab, logs, pipeline=pipeline, byte_fallback=byte_fallback),
        unigram.encode,
        unigram.decode,
    )


def test_a_pipeline_that_the_format_cannot_express():
    model = Trace.record(corpus(Pipeline(("nmt_nfkc",))), bpe.Settings(num_merges=1)).model()
    with pytest.raises(ValueError, match="no normalizer that does what nmt_nfkc does"):
        write_tokenizer_json(model)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (
            Trace.record(
                Corpus.from_text("a</w> a</w> a</w>", Pipeline()),
                bpe.Settings(base="end_of_word", num_merges=9),
            ).model(),
            "has the end mark “</w>” in its words",
        ),
        (
            wordpiece.Model({"[UNK]": 0}, wordpiece.Settings(base="end_of_word", end_mark="a b")),
            "an end mark that holds white space",
        ),
    ],
    ids=["in the text", "white space"],
)
def test_an_end_mark_that_the_format_cannot_express(model, message):
    with pytest.raises(ValueError, match=message):
        write_tokenizer_json(model)


def test_the_file_says_what_it_is():
    model = Trace.record(corpus(Pipeline()), bpe.Settings(num_merges=1)).model()
    assert json.loads(write_tokenizer_json(model))["version"] == "1.0"
