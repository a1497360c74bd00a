"""Normalizers: the right text, aligned with the raw one."""

import unicodedata
from itertools import pairwise

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from tokenizers.text import normalizers
from tokenizers.text.alignment import AlignedText
from tokenizers.text.normalizers import NORMALIZERS, normalize
from tokenizers.text.unicode_versions import general_category, is_assigned

NAMES = tuple(NORMALIZERS)
MIXED = st.text(
    st.one_of(
        st.characters(exclude_categories=("Cs",)),
        # marks, jamo of all widths, Indic vowel signs, ligatures, markup and spaces
        st.sampled_from("eé\u0301\u0327\u0345각가ㄱㅏ㉠ﾡￂﾊﾞক\u09c7\u09beﬁİΣ<>!-/b=\"' \t\u3000"),
    )
)


OF_UNICODE_8 = MIXED.map(lambda text: "".join(c for c in text if is_assigned(c, 8)))
"""Texts of what all tables have: for newer characters see test_unicode_versions.py."""


@given(OF_UNICODE_8)
def test_nfc_is_unicodedatas(text):
    assert normalize(text, ["nfc"]).text == unicodedata.normalize("NFC", text)


@given(OF_UNICODE_8)
def test_nfkc_is_unicodedatas(text):
    assert normalize(text, ["nfkc"]).text == unicodedata.normalize("NFKC", text)


@given(OF_UNICODE_8)
def test_accents_are_the_marks_of_the_whole_decomposed_text(text):
    decomposed = unicodedata.normalize("NFD", text)
    kept = "".join(char for char in decomposed if general_category(char, 8) != "Mn")
    assert normalize(text, ["accents"]).text == unicodedata.normalize("NFC", kept)


@given(MIXED, st.sets(st.sampled_from(NAMES)))
def test_spans_lie_in_the_text_and_never_go_back(text, names):
    assert_sound(normalize(text, names), text)


@given(MIXED, st.data())
def test_replace_twice(text, data):
    aligned = AlignedText.raw(text)
    for _ in range(2):
        edits = data.draw(edits_of(aligned.text))
        expected = replaced(aligned.text, edits)
        aligned = aligned.replace(edits)
        assert aligned.text == expected
        assert_sound(aligned, text)


def assert_sound(aligned, text):
    assert len(aligned.text) == len(aligned.starts) == len(aligned.ends)
    spans = list(zip(aligned.starts, aligned.ends, strict=True))
    assert all(0 <= start <= end <= len(text) for start, end in spans)
    assert all(a <= c and b <= d for (a, b), (c, d) in pairwise(spans))
    for place in range(len(aligned.text) + 1):
        start, end = aligned.span(place, place)
        assert 0 <= start <= end <= len(text)
        assert (start, end) == aligned.replace([(place, place, "x")]).span(place, place + 1)
        if start < end:  # only between two characters that come from the same one
            assert spans[place - 1][1] == end > start == spans[place][0]


@st.composite
def edits_of(draw, text):
    cuts = sorted(draw(st.lists(st.integers(0, len(text)), max_size=8)))
    spans = zip(cuts[::2], cuts[1::2], strict=False)
    return [(start, end, draw(st.text("xy", max_size=3))) for start, end in spans]


def replaced(text, edits):
    for start, end, new in reversed(edits):
        text = text[:start] + new + text[end:]
    return text


@pytest.mark.parametrize(
    ("names", "text", "expected"),
    [
        (["accents"], "résumé", "resume"),
        (["accents"], "re\u0301sume\u0301", "resume"),
        (["accents"], "कुल", "कल"),
        (["lower"], "ΣΟΦΟΣ", "σοφοσ"),
        (["accents"], "\u1100\u0301\u1161", "가"),  # without the mark the two compose
        (["lower"], "Straße", "straße"),
        (["lower"], "İ", "i\u0307"),
        (["nfkc"], "ﬁﬁ ２²", "fifi 22"),
        (["nfkc"], "ﾊﾞ ﾡￂ", "バ 가"),
        (["spaces"], "I  know \t I\tknow\n", "I know I\tknow\n"),
        (["spaces"], "a\u00a0\u3000b\x1c\x1cc", "a b\x1c\x1cc"),
        (["html"], "<p>Hmm..,<br/> I <b class='x>y'>know</b><!-- <i> --></p>", "Hmm.., I know"),
        (["html"], "a<b>c a < b > c <3 1<2 <", "ac a < b > c <3 1<2 <"),
        (["html"], '<a title="a > b" data-x=\'"\'>x</a><!DOCTYPE html><?php ?>', "x"),
        (["html"], "<p don't>x</p> a<!--> b <!-- never ends", "x a b "),
        (["html"], "<a href=\"never ends> x <b>y</b>", " x y"),
        (["html"], "R&amp;D", "R&amp;D"),
        (["spaces", "lower", "html"], "A <br> B", "a b"),  # html first, however they are named
        (["quotes"], "“It’s” ‚so‘ — 1–2… «x»", "\"It's\" 'so' - 1-2... «x»"),
        (["spelling"], "Teh thier, recieve; quite causal", "Teh their, receive; quite casual"),
        (["spelling", "lower"], "ENJOOYED it", "enjoyed it"),
        (["stems"], "ran running Running runs", "ran run Running run"),
        ([], "  É ", "  É "),
    ],
)  # fmt: skip
def test_text(names, text, expected):
    assert normalize(text, names).text == expected


@pytest.mark.parametrize(
    ("names", "text", "spans"),
    [
        (["lower"], "aİB", [(0, 1), (1, 2), (1, 2), (2, 3)]),
        (["nfc"], "e\u0301a", [(0, 2), (2, 3)]),
        (["nfc"], "\u1100\u1161\u11a8a", [(0, 3), (3, 4)]),
        (["nfkc"], "aﬁb", [(0, 1), (1, 2), (1, 2), (2, 3)]),
        (["nfkc"], "ﾡￂx", [(0, 2), (2, 3)]),
        (["html"], "<b>a</b>c", [(3, 4), (8, 9)]),
        (["spaces"], "a \t b", [(0, 1), (1, 4), (4, 5)]),
        (["html", "spaces"], "a <br> b", [(0, 1), (1, 7), (7, 8)]),
        (["accents"], "xe\u0301\u0327y", [(0, 1), (1, 2), (4, 5)]),
    ],
)
def test_spans(names, text, spans):
    aligned = normalize(text, names)
    assert list(zip(aligned.starts, aligned.ends, strict=True)) == spans


@pytest.mark.parametrize("names", [[], ["lower"], NAMES])
def test_empty_text(names):
    assert normalize("", names).text == ""


def test_unchanged_text_costs_no_spans():
    assert isinstance(normalize("Plain text, lower-cased." * 100, NAMES[:5]).starts, range)


def test_clusters_that_compose_with_each_other(monkeypatch):
    monkeypatch.setattr(normalizers, "_CLUSTER", regex.compile(".", regex.DOTALL))
    aligned = normalize("xe\u0301", ["nfc"])
    assert (aligned.text, aligned.span(0, 1)) == ("xé", (0, 3))


def test_unknown_name():
    with pytest.raises(ValueError, match=r"no normalizer 'lowercase'.*html, nfc, nfkc"):
        normalize("text", ["lower", "lowercase"])


@pytest.mark.parametrize("edits", [[(2, 1, "")], [(0, 9, "")], [(0, 2, ""), (1, 3, "")]])
def test_edits_must_ascend_inside_the_text(edits):
    with pytest.raises(ValueError, match="overlaps or lies outside"):
        AlignedText.raw("text").replace(edits)
