"""A Unigram model trained here and written as `.model` and `.vocab` is read by SentencePiece."""

import base64
from dataclasses import replace
from functools import cache

import pytest

from tests.call_counts import sample
from tokenizers import unigram
from tokenizers.formats import sentencepiece_writer
from tokenizers.record.unigram_trace import UnigramTrace
from tokenizers.runtime.sentencepiece import model_file
from tokenizers.text.corpus import Corpus, Pipeline
from tokenizers.unigram.sentencepiece_parity.float32 import as_float32
from tokenizers.unigram.settings import convention_settings

from . import ask_sentencepiece, needs_sentencepiece
from .corpora import english_prose, random_strings

versions = pytest.mark.parametrize(
    "version", [pytest.param(v, marks=needs_sentencepiece[v]) for v in ("0.2.3", "0.2.1")]
)
CONVENTIONS = {"0.2.1": "sentencepiece_classic", "0.2.3": "sentencepiece"}
NMT = ("nmt_nfkc", "sentencepiece_spaces")
PIPELINES = {
    "spaces": Pipeline(("sentencepiece_spaces",), "metaspace_whole"),
    "bytes": Pipeline(("sentencepiece_spaces",), "metaspace_whole"),
    "as it is": Pipeline((), "metaspace_whole"),
    "nmt_nfkc": Pipeline(NMT, "metaspace_whole"),
}
names = pytest.mark.parametrize("name", PIPELINES)


@cache
def pieces():
    corpus = Corpus.from_text(english_prose()[:20_000], Pipeline((), "metaspace"))
    trace = UnigramTrace.record(corpus, convention_settings("sentencepiece", 300))
    return trace.state(len(trace))


@cache
def charsmap():
    """Return the map of nmt_nfkc, from a model of the library's."""
    lines = ["a b c d e"] * 3
    run = {"lines": lines, "vocab_size": 9, "hard_vocab_limit": False, "minloglevel": 2}
    trained = ask_sentencepiece("0.2.3", "train", **run)["model"]
    return model_file.read(base64.b64decode(trained)).normalizer.charsmap


def model_of(name, version):
    """Return a model that was trained here, with the arithmetic of that version."""
    logs = {piece: as_float32(log) for piece, log in pieces().items()}
    vocab = unigram.vocabulary(logs, byte_fallback=name == "bytes")
    return unigram.Model(
        vocab,
        logs,
        pipeline=PIPELINES[name],
        byte_fallback=name == "bytes",
        convention=CONVENTIONS[version],
    )


@cache
def texts():
    return random_strings(sample(5_000))


@needs_sentencepiece["0.2.3"]
@versions
@names
def test_5_000_strings(version, name):
    model = model_of(name, version)
    data = sentencepiece_writer.write_model(model, charsmap() if name == "nmt_nfkc" else None)
    written = base64.b64encode(data).decode()
    # The table of nmt_nfkc replaces from left to right, and reorders no marks: see the normalizer.
    strings = texts() if name != "nmt_nfkc" else [t for t in texts() if t.isascii()]
    answers = ask_sentencepiece(version, "encode", model=written, texts=strings)
    ours = [unigram.encode(text, model) for text in strings]
    differing = [
        text
        for text, encoding, (found, ids) in zip(strings, ours, answers, strict=True)
        if (list(encoding.pieces), list(encoding.ids)) != (found, ids)
    ]
    assert differing == []
    many_ids = [list(encoding.ids) for encoding in ours]
    decoded = ask_sentencepiece(version, "decode", model=written, many_ids=many_ids)
    assert [unigram.decode(ids, model) for ids in many_ids] == decoded


@versions
def test_the_vocab_is_that_of_the_library(version):
    model = model_of("bytes", version)
    data = base64.b64encode(sentencepiece_writer.write_model(model)).decode()
    rows = ask_sentencepiece(version, "pieces", model=data)
    assert sentencepiece_writer.write_vocab(model) == "".join(f"{p}\t{s:g}\n" for p, s, _ in rows)


def test_unsupported_models_are_rejected():
    model = model_of("spaces", "0.2.3")
    for pipeline, named in (
        (Pipeline(("lower",), "metaspace_whole"), "lower"),
        (Pipeline((), "gpt2"), "gpt2"),
        (Pipeline(NMT, "metaspace"), "nmt_nfkc"),
    ):
        with pytest.raises(ValueError, match=named):
            sentencepiece_writer.write_model(replace(model, pipeline=pipeline))
    gaps = {piece: 2 * id_ for piece, id_ in model.vocab.items()}
    with pytest.raises(ValueError, match="gaps"):
        sentencepiece_writer.write_model(replace(model, vocab=gaps))
