"""Pre-tokenizers: the words, and their spans in the raw text."""

from time import process_time

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from tests.call_counts import examples
from tokenizers.text.corpus import Pipeline

many = examples(1_000)
TEXTS = st.text(
    st.one_of(
        st.characters(exclude_categories=("Cs",)),
        st.sampled_from("abé9_'▁. \t\n\x1c\x85\u00a0\u3000\u200d"),
    )
)


def words(name, text):
    return "|".join(Pipeline(pre_tokenizer=name)(text).words)


@given(TEXTS, st.sampled_from(["spaces", "punctuation", "gpt2", "none"]))
def test_spans_give_back_the_words(text, name):
    tokens = Pipeline(pre_tokenizer=name)(text)
    raw = [tokens.aligned.span(*span) for span in tokens.spans]
    assert tuple(text[start:end] for start, end in raw) == tokens.words


@many
@given(TEXTS, st.sampled_from(["gpt2", "digits", "threes", "threes_right"]))
def test_gpt2_loses_nothing(text, name):
    assert "".join(Pipeline(pre_tokenizer=name)(text).words) == text


@many
@given(
    st.text(st.sampled_from("bS0é漢²'!_~@[ \t\n\x0b\0\x1c\x7f\x85…\u2028\u3000")),
    st.sampled_from(["gpt2", "bert"]),
)
def test_a_pattern_finds_the_same_in_ascii_and_around_it(text, name):
    tokens = Pipeline(pre_tokenizer=name)(text)
    assert list(tokens.words) == tokens.pattern.findall(text)


@many
@given(TEXTS)
def test_penn_loses_only_white_space(text):
    assert "".join(Pipeline(pre_tokenizer="penn")(text).words) == regex.sub(r"\s", "", text)


def _grouped(digits, size, from_right):
    """Cut digits one after the other into groups, the long way."""
    first = (len(digits) % size or size) if from_right else size
    return [digits[:first], *_grouped(digits[first:], size, from_right)] if digits else []


@many
@given(
    st.text("0123456789٣½", min_size=1, max_size=40),
    st.sampled_from([("digits", 1, False), ("threes", 3, False), ("threes_right", 3, True)]),
)
def test_numbers_are_cut_into_groups(digits, way):
    name, size, from_right = way
    groups = _grouped(digits, size, from_right)
    assert list(Pipeline(pre_tokenizer=name)(f"a{digits} b").words) == ["a", *groups, " b"]


@pytest.mark.parametrize("name", ["digits", "threes", "threes_right", "penn"])
@pytest.mark.parametrize("text", ["1" * 200_000, "n't" * 60_000, "nn" * 100_000, "'" * 200_000])
def test_long_runs_take_no_longer_for_it(name, text):
    start = process_time()
    assert "".join(Pipeline(pre_tokenizer=name)(text).words) == text
    assert process_time() - start < 5  # quadratic, it would be a minute


@given(TEXTS)
def test_metaspace_loses_only_the_difference_between_space_and_mark(text):
    joined = "".join(Pipeline(pre_tokenizer="metaspace")(text).words)
    assert joined.removeprefix("▁") == text.replace(" ", "▁").removeprefix("▁")


P1 = "Hmm.., I know I Don't know"
P2 = "Dr. Smith's email is john.doe@example.com, and he said: 'Meet me at 5:00 p.m.!"


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("spaces", P1, "Hmm..,|I|know|I|Don't|know"),
        ("punctuation", P1, "Hmm|..,|I|know|I|Don|'|t|know"),
        ("gpt2", P1, "Hmm|..,| I| know| I| Don|'t| know"),
        ("metaspace", P1, "▁Hmm..,|▁I|▁know|▁I|▁Don't|▁know"),
        ("none", P1, P1),
        (
            "punctuation",
            P2,
            "Dr|.|Smith|'|s|email|is|john|.|doe|@|example|.|com|,|and|he|said|:|'|Meet|me|at"
            "|5|:|00|p|.|m|.!",
        ),
        ("spaces", "a\x1cb\u00a0c\u3000d\x85e\u200bf", "a\x1cb|c|d|e\u200bf"),
        ("punctuation", "a\x1cb Ⓐ x\u200dy ½ é_9", "a|\x1c|b|Ⓐ|x\u200dy|½|é_9"),
        ("gpt2", "a  \n b\x1cc", "a|  \n| b|\x1c|c"),
        ("punctuation", "re\u0301sume\u0301!", "re\u0301sume\u0301|!"),
        ("gpt2", "I'LL we've", "I|'|LL| we|'ve"),
        ("gpt2", "x's's't're'm'll'd", "x|'s|'s|'t|'re|'m|'ll|'d"),
        ("penn", P1, "Hmm|..|,|I|know|I|Do|n't|know"),
        ("penn", "I can’t; DON'T, she'll 'quote' rock'n'roll n't.", "I|ca|n’t|;|DO|N'T|,|she|'ll|'|"
         "quote|'|rock|'|n|'|roll|n't|."),
        ("threes_right", "in 1234567,5", "in| |1|234|567|,|5"),
        ("metaspace", "▁a  b▁\tc ", "▁a|▁|▁b|▁\tc|▁"),
        ("metaspace", " a", "▁a"),
        ("none", "a\nb", "a\nb"),
    ],
)  # fmt: skip
def test_words(name, text, expected):
    assert words(name, text) == expected


@pytest.mark.parametrize("name", ["spaces", "punctuation", "gpt2", "metaspace", "none"])
def test_empty_text_has_no_words(name):
    assert Pipeline(pre_tokenizer=name)("").words == ()


@pytest.mark.parametrize(
    ("normalizers", "text", "expected"),
    [
        ((), P1, "Hmm..,@0-6 I@7-8 know@9-13 I@14-15 Don't@16-21 know@22-26"),
        (("lower",), P1, "hmm..,@0-6 i@7-8 know@9-13 i@14-15 don't@16-21 know@22-26"),
        (
            ("html", "accents", "lower", "spaces"),
            "<p>Hmm..,  I know I <b>Don't</b> know</p>",
            "hmm..,@3-9 i@11-12 know@13-17 i@18-19 don't@23-28 know@33-37",
        ),
        (("accents",), "My  re\u0301sume\u0301", "My@0-2 resume@4-11"),
    ],
)
def test_stages_keep_the_offsets_in_the_raw_text(normalizers, text, expected):
    tokens = Pipeline(normalizers)(text)
    places = ("{}-{}".format(*tokens.aligned.span(*span)) for span in tokens.spans)
    pairs = zip(tokens.words, places, strict=True)
    assert " ".join(f"{word}@{place}" for word, place in pairs) == expected


def test_metaspace_in_front_stands_for_nothing_in_the_raw_text():
    tokens = Pipeline(("html",), "metaspace")("<p>Deep learning")
    assert tokens.aligned.text == "▁Deep▁learning"
    assert [tokens.aligned.span(0, 1), tokens.aligned.span(0, 5)] == [(3, 3), (3, 7)]


def test_unknown_name():
    with pytest.raises(ValueError, match=r"no pre-tokenizer 'words'.*spaces, punctuation, bert"):
        Pipeline(pre_tokenizer="words")
