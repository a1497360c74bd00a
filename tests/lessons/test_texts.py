"""The texts to start from, and the larger ones made for parity tests."""

import dataclasses
import unicodedata
from collections import Counter

import pytest

from lessons.texts import LANGUAGES, TEXTS, Passage
from tests.parity.corpora import MAX_LENGTH, english_prose, many_scripts, random_strings
from tokenizers.text.pre_tokenizers import PRE_TOKENIZERS
from tokenizers.text.symbols import BASES
from tokenizers.unigram.settings import CHOICES

WORDS_OF_B3 = {
    **{"knowing": 3, "something": 2, "something.": 1, "is": 1, "the": 1, "name": 1, "of": 1},
    **{"different": 1, "from": 1, "about": 1, "everything": 1, "isn't": 1, "bad": 1},
}
# How the names of a script's characters begin in Unicode, where not with the script's own name.
NAME_PREFIXES = {"Japanese": ("HIRAGANA", "KATAKANA", "CJK"), "Han": ("CJK",)}

every_sample = pytest.mark.parametrize("sample", TEXTS.values(), ids=TEXTS)
every_passage = pytest.mark.parametrize("passage", LANGUAGES, ids=[p.code for p in LANGUAGES])


def is_clean(text: str) -> bool:
    """Whether a text is NFC and free of control and format characters, line ends apart."""
    kinds = {unicodedata.category(c) for c in text.replace("\n", "")}
    return unicodedata.is_normalized("NFC", text) and not any(k.startswith("C") for k in kinds)


def scripts_in(text: str) -> Counter[str]:
    """Count letters by the first word of their names."""
    return Counter(unicodedata.name(c).split()[0] for c in text if c.isalpha())


# --- The samples ---------------------------------------------------------------------------------


def test_order_shown_to_people():
    small = ["b1", "b3", "b4", "b5", "w1", "course", "u4", "hats", "gage"]
    assert list(TEXTS) == ["b2", "prose", "python", "languages", *small]


@every_sample
def test_sample_is_complete_and_clean(sample):
    assert TEXTS[sample.id] is sample
    assert (sample.text is None) != (sample.counts is None)
    for text in (sample.title, sample.note, sample.text or "", *(sample.counts or ())):
        assert is_clean(text)
        assert text == text.strip()
    assert 5 <= len(sample.title) <= 40
    assert sample.note.endswith((".", "?"))


@every_sample
def test_settings_are_ones_that_the_core_knows(sample):
    assert sample.settings.get("seeds", "substrings") in CHOICES["seed"]
    assert set(sample.settings) - {"seeds"} == {"base", "end_mark", "pre_tokenizer", "merges"}
    assert sample.settings["base"] in BASES
    assert sample.settings["pre_tokenizer"] in PRE_TOKENIZERS
    assert sample.settings["end_mark"]
    assert sample.settings["merges"] > 0


def test_titles_differ():
    assert len({sample.title for sample in TEXTS.values()}) == len(TEXTS)


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("b1", {"cat": 10, "bat": 5, "bag": 12, "tag": 4, "cats": 5}),
        ("b2", {"low": 5, "lower": 2, "newest": 6, "widest": 3}),
        ("b5", {"low": 1, "lower": 1, "lowest": 1, "newer": 1, "wider": 1}),
        ("course", {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}),
    ],
)
def test_counted_examples_in_the_order_published(name, counts):
    assert list((TEXTS[name].counts or {}).items()) == list(counts.items())


@pytest.mark.parametrize(
    ("name", "counts"), [("b3", WORDS_OF_B3), ("b4", {"lowest": 1, "lower": 1, "newest": 1})]
)
def test_written_examples(name, counts):
    assert Counter((TEXTS[name].text or "").split()) == counts


def test_end_marks_of_the_examples():
    marks = {
        name: sample.settings["end_mark"]
        for name, sample in TEXTS.items()
        if sample.settings["base"] == "end_of_word" and name not in ("prose", "python")
    }
    assert marks == {"b2": "</w>", "b3": "</w>", "b4": "_"}


def test_prose_is_a_page_with_families_of_words():
    text = TEXTS["prose"].text or ""
    words = set("".join(c if c.isalpha() or c in "'-" else " " for c in text).lower().split())
    assert 700 <= len(text.split()) <= 900
    assert 4000 <= len(text.encode()) <= 5000
    assert words >= {"low", "lower", "lowest", "new", "newer", "newest"}
    assert words >= {"walk", "walked", "walking", "walker", "walkers"}
    for start, end in [("", "ing"), ("", "ed"), ("", "er"), ("", "est"), ("", "ness"), ("un", "")]:
        family = [w for w in words if w.startswith(start) and w.endswith(end) and len(w) > 4]
        assert len(family) >= 4, (start, end)


# --- The passages --------------------------------------------------------------------------------


def test_languages_and_scripts():
    assert len(LANGUAGES) >= 12
    assert len({p.script for p in LANGUAGES}) >= 7
    for field in ("code", "name", "native_name", "text"):
        assert len({getattr(p, field) for p in LANGUAGES}) == len(LANGUAGES)
    assert {p.code for p in LANGUAGES if p.direction == "rtl"} == {"ar", "he"}
    assert {p.direction for p in LANGUAGES} == {"ltr", "rtl"}


@every_passage
def test_passage_is_clean_and_filled_in(passage: Passage):
    assert all(dataclasses.astuple(passage))
    assert is_clean("".join(map(str, dataclasses.astuple(passage))))
    assert "\n" not in passage.text
    assert passage.text == passage.text.strip()


@every_passage
def test_passage_is_in_its_script(passage: Passage):
    found = scripts_in(passage.text)
    prefixes = NAME_PREFIXES.get(passage.script, (passage.script.upper(),))
    assert sum(found[prefix] for prefix in prefixes) >= 0.98 * found.total()
    assert all(found[prefix] for prefix in prefixes)


@every_passage
def test_passages_are_of_comparable_length(passage: Passage):
    assert 190 <= len(passage.text) <= 850
    if passage.script not in {"Thai", "Japanese", "Han"}:
        assert 85 <= len(passage.text.split()) <= 150


@every_passage
def test_every_passage_has_the_same_figure(passage: Passage):
    digits = [str(unicodedata.digit(c)) for c in passage.text if c.isdigit()]
    assert "".join(digits) == "24"


@every_passage
def test_every_passage_says_the_same_number_of_sentences(passage: Passage):
    if passage.script != "Thai":  # which has no full stop
        assert sum(passage.text.count(stop) for stop in ".。।") in {8, 9}


def test_multilingual_sample_is_the_passages_a_paragraph_each():
    assert (TEXTS["languages"].text or "").split("\n\n") == [p.text for p in LANGUAGES]


# --- Texts for parity tests ----------------------------------------------------------------------


def test_english_prose_is_large_and_sorted():
    text = english_prose()
    assert len(text) >= 400_000
    assert text == english_prose()
    assert unicodedata.is_normalized("NFC", text)


def test_many_scripts_is_of_the_size_asked_for_and_mixed():
    text = many_scripts()
    assert len(text) == 200_000
    assert text.startswith(LANGUAGES[0].text)
    common = [script for script, count in scripts_in(text).items() if count > 1000]
    assert len(common) >= 10
    assert len(many_scripts(size=1000)) == 1000


def test_many_scripts_repeats_words_as_language_does():
    counts = Counter(many_scripts().split()).most_common()
    assert counts[0][1] > 50 * counts[2000][1]


def test_seeds_decide_everything():
    assert many_scripts(20_000, seed=1) == many_scripts(20_000, seed=1)
    assert many_scripts(20_000, seed=1) != many_scripts(20_000, seed=2)
    assert random_strings(50, seed=1) == random_strings(50, seed=1)
    assert random_strings(50, seed=1) != random_strings(50, seed=2)
    assert random_strings(50, seed=1) == random_strings(100, seed=1)[:50]


def test_random_strings_are_text_of_every_kind_and_length():
    strings = random_strings(3000, seed=1)
    everything = set("".join(strings))
    spaces = {c for c in map(chr, range(0x10000)) if c.isspace()}
    assert len(strings) == 3000
    assert {0, 1, MAX_LENGTH} <= {len(s) for s in strings} <= set(range(MAX_LENGTH + 1))
    assert all(s.encode() or not s for s in strings)  # a lone surrogate cannot be encoded
    assert spaces <= everything
    assert len({unicodedata.category(c) for c in everything} - {"Cn"}) == 28  # all but Cs
    assert any("\u200d" in s and "👩" in s for s in strings)
    assert any(not unicodedata.is_normalized("NFC", s) for s in strings)
    for passage in LANGUAGES:
        assert len(set(passage.text) & everything) > 0.8 * len(set(passage.text))
