"""BPE, WordPiece and Unigram give what the libraries gave when fixtures/*.json were made.

No library is needed here, but for the test that the fixtures are still up to date.
"""

import json

import pytest

from tokenizers import unigram, wordpiece
from tokenizers.bpe import Settings, encode
from tokenizers.record.trace import Trace
from tokenizers.text.corpus import Corpus, Pipeline
from tokenizers.text.symbols import BYTE_OF_GLYPH
from tokenizers.unigram.sentencepiece_parity.n_best import sentencepiece_n_best

from . import needs_sentencepiece, needs_tiktoken
from .make_fixtures import FOLDER, made, stored
from .test_bpe import lists, ours_for
from .test_unigram_encoding import CONVENTIONS, fused, model_of

HUGGING_FACE = stored("hugging_face.json")
WORDPIECE = stored("wordpiece.json")
TIKTOKEN = stored("tiktoken.json")
SENTENCEPIECE = stored("sentencepiece.json")
ANSWERS = ("name", "merges", "vocab", "encodings")


@pytest.mark.parametrize("case", HUGGING_FACE, ids=[case["name"] for case in HUGGING_FACE])
def test_hugging_face(case):
    trace = ours_for(**{"min_frequency": 0} | {k: case[k] for k in case if k not in ANSWERS})
    model = trace.model()
    assert lists(trace.pairs) == case["merges"]
    assert model.vocab == {piece: n for n, piece in enumerate(case["vocab"])}
    for text, *expected in case["encodings"]:
        encoding = encode(text, model)
        assert [list(encoding.tokens), list(encoding.ids), lists(encoding.offsets)] == expected


@pytest.mark.parametrize("case", WORDPIECE, ids=[case["name"] for case in WORDPIECE])
def test_wordpiece(case):
    corpus = Corpus.from_text(case["text"], Pipeline((), "bert"))
    settings = wordpiece.Settings(
        vocab_size=case["vocab_size"] - 1, ties="smallest_ids", convention="hugging_face"
    )
    assert list(Trace.record(corpus, settings).model().vocab) == case["vocab"]
    vocab = {piece: n for n, piece in enumerate(case["vocab"])}
    model = wordpiece.Model(vocab, pipeline=Pipeline(("bert",), "bert"))
    for text, *expected in case["encodings"]:
        encoding = wordpiece.encode(text, model)
        assert [list(encoding.tokens), list(encoding.ids), lists(encoding.offsets)] == expected


def test_tiktoken():
    corpus = Corpus.from_text(TIKTOKEN["text"], Pipeline((), "gpt2"))
    trace = Trace.record(corpus, Settings("bytes", num_merges=len(TIKTOKEN["merged"])))
    assert [as_bytes(token).hex() for token in trace.tokens] == TIKTOKEN["merged"]
    ranks = {bytes([byte]): byte for byte in range(256)}
    ranks |= {as_bytes(token): rank for rank, token in enumerate(trace.tokens, start=256)}
    for text, ids in TIKTOKEN["encodings"]:
        assert [ranks[as_bytes(token)] for token in encode(text, trace.model()).tokens] == ids


def as_bytes(token):
    return bytes(BYTE_OF_GLYPH[glyph] for glyph in token)


@pytest.mark.parametrize("case", SENTENCEPIECE, ids=[case["version"] for case in SENTENCEPIECE])
def test_sentencepiece(case):
    model = model_of(case["pieces"], CONVENTIONS[case["version"]])
    for text, ids in case["encodings"]:
        assert list(unigram.encode(text, model).ids) == ids
    for (text, _), expected in zip(case["encodings"], case["n_best"], strict=False):
        lattice = model.lattice(*model.pipeline(text).words)
        paths = sentencepiece_n_best(lattice, 5, is_classic=case["version"] == "0.2.1")
        assert [" ".join(fused(lattice, path, model)) for path in paths] == expected


def test_fixtures_are_small():
    sizes = {path.name: path.stat().st_size for path in FOLDER.glob("*.json")}
    assert max(sizes.values()) < 160_000
    assert sum(sizes.values()) < 600_000


@needs_tiktoken
@needs_sentencepiece["0.2.1"]
@needs_sentencepiece["0.2.3"]
def test_fixtures_are_what_the_libraries_answer():
    for name, contents in made().items():
        assert stored(name) == json.loads(json.dumps(contents))
