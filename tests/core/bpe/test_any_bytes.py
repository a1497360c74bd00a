"""BPE on bytes that need not be text: everything comes back, and text is split as text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.call_counts import examples
from tokenizers import bpe
from tokenizers.bpe.any_bytes import bytes_of_glyphs, encode_bytes
from tokenizers.plain import merge
from tokenizers.record.trace import Trace
from tokenizers.text.corpus import Corpus, Pipeline
from tokenizers.text.symbols import GLYPH_OF_BYTE

many = examples(1_000)
TEXT = "née né nés résumé, the lower the tide; \x89PNG\r\n\x1a\n ÿÿÿ"
MODEL = Trace.record(
    Corpus.from_text(TEXT, Pipeline((), "gpt2")), bpe.Settings(base="bytes", num_merges=40)
).model()
SOME = st.one_of(
    st.binary(max_size=30),
    st.lists(
        st.sampled_from([b"\x89PNG\r\n", "é".encode(), b"\xc3", b"\xa9", b"\xbf\xff", b" the"])
    ).map(b"".join),
)


@many
@given(SOME)
def test_all_bytes_come_back(data):
    assert b"".join(map(bytes_of_glyphs, encode_bytes(data, MODEL))) == data


@many
@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=20))
def test_text_is_split_as_text(text):
    assert encode_bytes(text.encode(), MODEL) == bpe.encode(text, MODEL).tokens


@many
@given(st.lists(st.sampled_from([0x80, 0xBF, 0xFF]), max_size=12).map(bytes))
def test_what_is_no_text_is_merged_rule_by_rule(data):
    ranks = {("ÿ", "¿"): 0, ("¿", "ÿ"): 1, ("ÿ", "ÿ"): 2, ("ÿ¿", "ÿ"): 3}
    model = bpe.Model(MODEL.vocab, ranks, MODEL.settings, MODEL.pipeline)
    split = tuple(GLYPH_OF_BYTE[byte] for byte in data)
    for pair in ranks:
        split = merge(split, pair)
    assert encode_bytes(data, model) == split


def test_half_a_letter():
    assert encode_bytes("né".encode()[:-1], MODEL)[-1] == "Ã"
    assert encode_bytes(b"\xff\xff", MODEL) == ("ÿ", "ÿ")


def test_characters_cannot_take_bytes():
    model = Trace.record(Corpus.from_text("low"), bpe.Settings(num_merges=1)).model()
    with pytest.raises(ValueError, match="Only BPE on bytes"):
        encode_bytes(b"low", model)
