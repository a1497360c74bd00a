"""Characters that a version of Unicode lacks, whatever Python's and `regex`'s own tables are."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokenizers.runtime.normalizers import BertNormalizer, StripAccents, Unicode
from tokenizers.runtime.patterns import Pattern
from tokenizers.text import normalizers, unicode_versions
from tokenizers.text.alignment import AlignedText
from tokenizers.text.pre_tokenizers import split_gpt2
from tokenizers.text.unicode_versions import (
    Form,
    find_newer,
    general_category,
    hide_newer,
    is_assigned,
    lower,
    script_of,
    to_normal_form,
)

OLD = st.characters(exclude_categories=("Cs",)).filter(lambda c: is_assigned(c, 9))
NEW = "\U0001e030\U0001ccd6\U000105c9\U00016d63\u1acf\ua7dc\u0c5c\U0001fac8\U00016ea0\U0001e6e3"
"""Letters, marks and an emoji of Unicode 12 to 18; most have a decomposition or a lower case."""
FORMS: list[Form] = ["NFC", "NFD", "NFKC", "NFKD"]


@pytest.mark.parametrize("form", FORMS)
@given(st.text(OLD))
def test_what_unicode_9_has_is_normalized_as_ever(form, text):
    assert to_normal_form(form, text) == unicodedata.normalize(form, text)


@pytest.mark.parametrize("form", FORMS)
@given(st.text(st.one_of(OLD, st.sampled_from("a\u0301\u0323\u1100\u1161" + NEW))))
def test_the_runtime_normalizes_as_the_lessons_do(form, text):
    assert Unicode(form)(AlignedText.raw(text)).text == to_normal_form(form, text)


@given(st.text(st.one_of(OLD, st.sampled_from("a\u0301\u0323" + NEW)), min_size=1))
def test_newer_characters_are_found_in_short_and_long_texts(text):
    expected = [at for at, character in enumerate(text) if not is_assigned(character, 16)]
    assert find_newer(text, 16) == expected
    long = text * (80 // len(text) + 1)
    assert find_newer(long, 16)[: len(expected)] == expected
    assert len(hide_newer(long)) == len(long)


class NewerUnicode:
    """Tables of a Unicode to come, in which every character that 17 lacks is an accented `A`."""

    def __getattr__(self, name):
        return getattr(unicodedata, name)

    def is_normalized(self, form, text):
        return self.normalize(form, text) == text

    def normalize(self, form, text):
        known = (c if is_assigned(c, 17) else "A\u0301" for c in text)
        return unicodedata.normalize(form, "".join(known))

    def category(self, character):
        return unicodedata.category(character) if is_assigned(character, 17) else "Mn"

    def combining(self, character):
        return unicodedata.combining(character) if is_assigned(character, 17) else 230


def test_the_answer_does_not_depend_on_the_python(monkeypatch):
    text = "a\u0301\U0001dffe\u0323é\u0378"
    parts = [*map(Unicode, FORMS), StripAccents(), BertNormalizer(strip_accents=True)]
    before = [part(AlignedText.raw(text)).text for part in parts]
    monkeypatch.setattr(unicode_versions, "unicodedata", NewerUnicode())
    monkeypatch.setattr("tokenizers.runtime.normalizers.unicodedata", NewerUnicode())
    assert [part(AlignedText.raw(text)).text for part in parts] == before
    assert "\U0001dffe" in before[0]


@pytest.mark.parametrize(
    ("character", "version", "category"),
    [
        ("\u1734", 8, "Mn"),  # now Mc
        ("\u1885", 8, "Lo"),  # Mn since 9
        ("\u1885", 9, "Mn"),
        ("\u1cf2", 9, "Mc"),  # now Lo
        ("\U0001e6e3", 9, "Cn"),
        ("ა", 9, "Lo"),  # Ll since 11
        ("\u0301", 8, "Mn"),
    ],
)
def test_general_category(character, version, category):
    assert general_category(character, version) == category


@pytest.mark.parametrize(
    ("capital", "small"),
    [
        ("A", "a"),
        ("İ", "i\u0307"),
        ("\u1c90", "ა"),
        ("\ua7dc", "\u019b"),
        ("\U00016ea0", "\U00016ebb"),
    ],
)
def test_lower(capital, small):
    assert lower(capital) == small


def test_a_capital_that_came_after_unicode_17_stays():
    assert lower("\U00016e00") == "\U00016e00"


@pytest.mark.parametrize(
    ("character", "script"),
    [
        ("a", "Latin"),
        ("\u0589", "Common"),
        ("\u0953", "Devanagari"),
        ("\u0560", None),
        ("𗀀", "Tangut"),
    ],
)
def test_script(character, script):
    assert script_of(character) == script


def test_patterns_take_newer_letters_for_no_letters():
    text = "ab\U00016ea0c ʕd\U00016ea0"  # a letter of Unicode 17, and a small one of 16
    assert Pattern(r"\p{L}+").spans(text) == [(0, 2), (3, 4), (5, 7)]
    assert Pattern(r"\p{Ll}+").spans(text) == [(0, 2), (3, 4), (5, 7)]
    assert Pattern(r"\p{L}+", unicode=17).spans(text) == [(0, 4), (5, 8)]
    assert split_gpt2(AlignedText.raw(text)).words == ("ab", "\U00016ea0", "c", " ʕd", "\U00016ea0")
    assert split_gpt2(AlignedText.raw(text)).spans == ((0, 2), (2, 3), (3, 4), (4, 7), (7, 8))


def test_teaching_normalizers_have_the_same_tables():
    text = "\U0001ccd6\U000105c9\U0001e6e3\u0c5c"
    names = ["nfc", "nfkc", "accents"]
    assert [normalizers.normalize(text, [name]).text for name in names] == [text] * 3
