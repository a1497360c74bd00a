"""The four rulers: their marks, what is split, and that nothing is left out."""

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from pages.pipeline.ruler_strip import MAX_BYTES, html_rulers, visible_bytes
from tokenizers import bpe, unigram
from tokenizers.measures.rulers import RulerMark, Rulers, SplitMark, rulers
from tokenizers.record.trace import Trace
from tokenizers.text.corpus import Corpus, Pipeline
from tokenizers.text.encoding import Encoding
from tokenizers.text.symbols import GLYPH_OF_BYTE

TEXTS = st.text(
    st.one_of(
        st.characters(exclude_categories=("Cs",)),
        st.sampled_from("ab é\u0301\u200d👩🚀🏽ﬁि्न\r\n\0"),
    ),
    max_size=25,
)
SEEN = "the lowest tide 👩🏽 é é नि नि"


def byte_model(*normalizers: str) -> bpe.Model:
    pipeline = Pipeline(normalizers, "gpt2")
    settings = bpe.Settings(base="bytes", num_merges=12)
    return Trace.record(Corpus.from_text(SEEN, pipeline), settings).model()


MODEL, CHANGING = byte_model(), byte_model("nfkc", "accents")


def of(text: str, model: bpe.Model = MODEL) -> Rulers:
    return rulers(text, bpe.encode(text, model))


def test_one_emoji_by_all_four():
    found = of("👩🏽")
    assert found.clusters == (RulerMark(0, 8, "👩🏽"),)
    assert found.code_points == (RulerMark(0, 4, "👩"), RulerMark(4, 8, "🏽"))
    assert [mark.text for mark in found.utf8] == ["F0", "9F", "91", "A9", "F0", "9F", "8F", "BD"]
    assert [mark.text for mark in found.glyphs] == ["ð", "Ł", "ĳ", "©", "ð", "Ł", "ı", "½"]
    assert "".join(mark.text for mark in found.tokens) == "ðŁĳ©ðŁı½"


def test_a_token_ends_inside_a_character():
    """Two characters that share their first byte: tokens may be (C3 A9)(C3)(A8)."""
    encoding = Encoding(("Ã©Ã", "¨"), (0, 1), ((0, 2), (1, 2)), ("Ã©Ã", "¨"), (0, 0))
    found = rulers("éè", encoding)
    assert found.tokens == (RulerMark(0, 3, "Ã©Ã"), RulerMark(3, 4, "¨"))
    assert found.split_code_points == (SplitMark(RulerMark(2, 4, "è"), (0, 1)),)
    assert found.split_clusters == (SplitMark(RulerMark(2, 4, "è"), (0, 1)),)


def test_a_cluster_can_be_cut_between_its_code_points():
    encoding = Encoding(("न", "ि"), (0, 1), ((0, 1), (1, 2)), ("न", "ि"), (0, 0))
    found = rulers("नि", encoding)
    assert found.split_clusters == (SplitMark(RulerMark(0, 6, "नि"), (0, 1)),)
    assert found.split_code_points == ()


@pytest.mark.parametrize(("text", "spelled"), [("ﬁ", "fi"), ("ĳ", "ij")])
def test_tokens_share_all_bytes_of_a_changed_character(text, spelled):
    """`ĳ` has two bytes and becomes two tokens of one byte each: that would be a coincidence."""
    model = Trace.record(
        Corpus.from_text("x", Pipeline(("nfkc",), "gpt2")), bpe.Settings(base="bytes")
    ).model()
    found = of(text, model)
    length = len(text.encode())
    assert found.tokens == tuple(RulerMark(0, length, letter) for letter in spelled)
    assert found.split_code_points == (SplitMark(RulerMark(0, length, text), (0, 1)),)


def test_byte_fallback_is_distinguished_by_bytes():
    logs = {"▁a": -1.0, "b": -2.0}
    model = unigram.Model(unigram.vocabulary(logs, byte_fallback=True), logs, byte_fallback=True)
    found = rulers("aéb", unigram.encode("aéb", model))
    assert found.tokens == (
        RulerMark(0, 1, "▁a"),
        RulerMark(1, 2, "<0xC3>"),
        RulerMark(2, 3, "<0xA9>"),
        RulerMark(3, 4, "b"),
    )


def test_a_mark_that_was_put_in_is_empty_and_cuts_nothing():
    found = rulers("é", Encoding(("▁", "é"), (0, 1), ((0, 0), (0, 1)), ("▁", "é"), (0, 0)))
    assert found.tokens == (RulerMark(0, 0, "▁"), RulerMark(0, 2, "é"))
    assert found.split_clusters == ()


def test_empty_text():
    assert of("") == Rulers((), (), (), ())


def test_a_lone_surrogate_is_rejected():
    with pytest.raises(ValueError, match="surrogates not allowed"):
        rulers("\ud800", Encoding((), (), (), (), ()))


@given(TEXTS, st.sampled_from([MODEL, CHANGING]))
def test_the_first_rulers_cover_the_text_without_a_gap(text, model):
    found = of(text, model)
    raw = text.encode()
    for ruler in (found.clusters, found.code_points, found.utf8, found.glyphs):
        places = [0, *(mark.end for mark in ruler)]
        assert [mark.start for mark in ruler] == places[:-1]
        assert places[-1] == len(raw)
        assert all(mark.start < mark.end for mark in ruler)
    for ruler in (found.clusters, found.code_points):
        assert all(raw[mark.start : mark.end].decode() == mark.text for mark in ruler)
    assert [mark.text for mark in found.clusters] == regex.findall(r"\X", text)
    assert [mark.text for mark in found.glyphs] == [GLYPH_OF_BYTE[byte] for byte in raw]


@given(TEXTS)
def test_tokens_of_bytes_cover_them_too_and_spell_them(text):
    found = of(text)
    places = [0, *(mark.end for mark in found.tokens)]
    assert [mark.start for mark in found.tokens] == places[:-1]
    assert places[-1] == len(text.encode())
    glyphs = "".join(mark.text for mark in found.glyphs)
    assert all(glyphs[mark.start : mark.end] == mark.text for mark in found.tokens)


@given(TEXTS, st.sampled_from([MODEL, CHANGING]))
def test_cut_is_what_several_tokens_hold_and_nothing_else(text, model):
    found = of(text, model)
    for ruler, cuts in (
        (found.clusters, found.split_clusters),
        (found.code_points, found.split_code_points),
    ):
        expected = []
        for mark in ruler:
            held = [
                n
                for n, token in enumerate(found.tokens)
                if max(token.start, mark.start) < min(token.end, mark.end)
            ]
            if len(held) > 1:
                expected.append(SplitMark(mark, tuple(held)))
        assert list(cuts) == expected


# --- The picture ----------------------------------------------------------------------------------


@given(TEXTS.filter(bool), st.sampled_from([MODEL, CHANGING]), st.integers(0))
def test_the_stretch_shown_holds_the_token(text, model, token):
    found = of(text, model)
    if not found.tokens:
        return
    token %= len(found.tokens)
    start, end = visible_bytes(found, token)
    mark = found.tokens[token]
    assert 0 <= start < end <= len(text.encode())
    assert end - start <= MAX_BYTES
    if end - start < MAX_BYTES:
        assert start <= mark.start <= mark.end <= end
        assert {mark.start for mark in found.clusters} >= {start}
        assert {mark.end for mark in found.clusters} >= {end}
    assert f"repeat({end - start}," in html_rulers(found, (start, end), token)


def test_hostile_text_is_escaped():
    found = of("<b>&\"'\u202e")
    html = html_rulers(found, (0, 9), 0)
    assert "<bdi>&lt;</bdi>" in html
    assert "<bdi>&#34;</bdi>" in html
    assert "\u202e" not in html


def test_what_is_cut_has_a_frame_that_is_no_colour_alone():
    assert html_rulers(of("स्ते"), (0, 12), 0).count('class="big cut"') == 1
    assert html_rulers(of("low"), (0, 3), 0).count(" cut") == 0


def test_of_a_token_that_is_far_longer_than_the_rulers_the_beginning_is_written():
    long = RulerMark(0, 5_000, "x" * 5_000)
    shown = html_rulers(Rulers((), (), (), (long,)), (0, MAX_BYTES), 0)
    assert "x" * (MAX_BYTES - 1) + "…" in shown
    assert "x" * MAX_BYTES not in shown
