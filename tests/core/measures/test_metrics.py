"""Figures of a segmentation: each equals a plain recount, and the published ones come out."""

from collections import Counter
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.texts import COMPARISONS, TEXTS
from pages.shared.aligned.side_by_side import NamedTokenizer
from pages.shared.training.source import CorpusSource
from pages.shared.training.tokenizer_kinds import KINDS, train_kind
from tokenizers.measures.agreement import (
    SUFFIXES,
    Agreement,
    compare,
    cut_positions,
    same_in_all,
    suffixed_words,
    tokens_by_word,
)
from tokenizers.measures.coverage import SCRIPTS, STATUSES, coverage, script_of
from tokenizers.measures.metrics import (
    attention_pairs,
    embedding_bytes,
    embedding_parameters,
    line_spans,
    logits,
    measure,
    padding,
    tokens_of_words,
    unknown_characters,
    word_spans,
)
from tokenizers.measures.stability import (
    edit_distance,
    letter_positions,
    next_letter,
    with_next_letter,
)
from tokenizers.text.alignment import changed_part
from tokenizers.text.encoding import Encoding

SOURCE = CorpusSource(text=f"{TEXTS['prose'].text}")
TEXT = st.text(alphabet="lowertidesBG ,.\n\t_é漢🦊\u0301", max_size=40)
KIND = st.sampled_from(list(KINDS))


@cache
def contestant(kind: str, size: int = 300) -> NamedTokenizer:
    return NamedTokenizer(
        kind, kind, train_kind(lambda a, b: False, SOURCE, kind, size).model(size)
    )


def cut(kind: str, text: str) -> Encoding:
    return contestant(kind).model.encode(text)


# ---- plain recounts ----


def words_of(text: str) -> list[tuple[int, int]]:
    """The runs without white space, character by character."""
    spans, start = [], None
    for place, character in enumerate(text + " "):
        if character.isspace() and start is not None:
            spans.append((start, place))
            start = None
        elif not character.isspace() and start is None:
            start = place
    return spans


def is_of(token: tuple[int, int], word: tuple[int, int]) -> bool:
    """Whether a token has a part of a word; an empty one, whether it touches the word."""
    (a, b), (start, end) = token, word
    return start <= a <= end if a == b else max(a, start) < min(b, end)


@given(KIND, TEXT)
def test_the_words_of_a_text_and_their_tokens(kind, text):
    found, words = cut(kind, text), words_of(text)
    assert word_spans(text) == words
    held = [list(tokens) for tokens in tokens_of_words(words, found)]
    every = range(len(found.tokens))
    assert held == [[n for n in every if is_of(found.offsets[n], word)] for word in words]


@given(KIND, TEXT)
def test_metrics_are_a_recount(kind, text):
    found = cut(kind, text)
    metrics = measure(text, found, 7)
    unknown = [n for n, token in enumerate(found.tokens) if token != found.pieces[n]]
    lost = {place for n in unknown for place in range(*found.offsets[n])}
    words = words_of(text)
    in_words = sum(is_of(token, word) for token in found.offsets for word in words)
    assert (metrics.tokens, metrics.characters) == (len(found.ids), len(text))
    assert (metrics.unknown, metrics.lost) == (len(unknown), len(lost))
    assert (metrics.words, metrics.in_words, metrics.vocabulary) == (len(words), in_words, 7)
    if text and found.tokens:
        assert (metrics.tokens_per_character or 0) * (
            metrics.characters_per_token or 0
        ) == pytest.approx(1)


@given(KIND, KIND, TEXT)
def test_agreement_is_a_recount(one, other, text):
    words = word_spans(text)
    parts = [tokens_by_word(words, cut(kind, text)) for kind in (one, other)]
    found = compare(words, *parts)
    lost = {place for kind in (one, other) for place in unknown_characters(cut(kind, text))}
    known = [word for word in words if not lost.intersection(range(*word))]
    assert found.alike == sum(same_in_all(parts))
    assert found.words == len(words)
    cuts = [
        {
            place
            for start, end in known
            for place in range(start + 1, end)
            for a, b in cut(kind, text).offsets
            if a < b and place in (a, b)
        }
        for kind in (one, other)
    ]
    in_known = [[p for word, p in zip(words, row, strict=True) if word in known] for row in parts]
    assert cuts == [cut_positions(known, found) for found in in_known]
    assert (found.cuts, found.shared) == (len(cuts[0] | cuts[1]), len(cuts[0] & cuts[1]))
    assert found.alike <= found.known == len(known)
    if one == other:
        assert found.alike == len(known)
        assert found.share == (1 if known else None)


def test_an_unknown_word_is_no_agreement():
    words = [(0, 3), (4, 7)]
    one = [((0, 3, True),), ((4, 6, False), (6, 7, False))]
    other = [((0, 3, True),), ((4, 6, False), (6, 7, True))]
    assert same_in_all([one, other]) == [False, False]
    assert compare(words, one, other) == Agreement(words=2, known=0, alike=0, cuts=0, shared=0)
    assert compare(words, one, other).share is None
    assert compare(words, one, one) == Agreement(words=2, known=1, alike=1, cuts=1, shared=1)


@given(KIND, TEXT)
def test_coverage_is_a_recount(kind, text):
    found = cut(kind, text)
    expected: dict[str, Counter[str]] = {}
    for place, character in enumerate(text):
        rows = zip(found.offsets, found.tokens, found.pieces, strict=True)
        holders = [token != piece for (a, b), token, piece in rows if a <= place < b]
        way = "unknown" if any(holders) else ("dropped", "whole", "parts")[min(len(holders), 2)]
        expected.setdefault(script_of(character), Counter())[way] += 1
    assert coverage(text, found) == expected
    assert all(set(ways) <= set(STATUSES) for ways in expected.values())


@given(KIND, TEXT)
def test_offsets_never_fall(kind, text):
    offsets = cut(kind, text).offsets
    assert list(offsets) == sorted(offsets)
    assert [end for _, end in offsets] == sorted(end for _, end in offsets)


# ---- the published figures ----


def test_the_embedding_table_of_gpt_2():
    size = embedding_bytes(50_257, 768, 4)
    assert (round(size / 1e6, 1), round(size / 2**20, 1)) == (154.4, 147.2)
    assert embedding_bytes(2 * 50_257, 768, 4) == 2 * size


def test_a_hundred_thousand_pieces_of_width_4096():
    assert embedding_parameters(100_000, 4_096) == 409_600_000


def test_attention_grows_with_the_square():
    assert attention_pairs(2 * 18) == 4 * attention_pairs(18)


@pytest.mark.parametrize(
    ("example", "characters", "words"),
    [
        ("v3_en", 27, 4),
        ("v3_long", 22, 1),
        ("v3_code", 31, 1),
        ("v3_vi", 18, 4),
        ("v3_ja", 16, 1),
        ("v3_price", 19, 3),
    ],
)
def test_the_six_example_strings(example, characters, words):
    text = COMPARISONS[example].text
    metrics = measure(text, cut("bytes", text), 0)
    assert (metrics.characters, metrics.words, metrics.unknown) == (characters, words, 0)
    assert measure(text, cut("characters", text), 0).tokens == characters
    assert measure(text, cut("words", text), 0).fertility == 1


def test_nothing_has_no_rates():
    nothing = measure("", Encoding((), (), (), (), ()), 5)
    assert nothing.fertility is nothing.unknown_rate is nothing.lost_rate is None
    assert nothing.tokens_per_character is nothing.characters_per_token is None


# ---- stability ----

TOKENS = st.lists(st.sampled_from("abc"), max_size=6)


def plain_distance(one, other) -> int:
    """Levenshtein's distance as it is defined."""
    if not one or not other:
        return len(one) + len(other)
    return min(
        plain_distance(one[1:], other) + 1,
        plain_distance(one, other[1:]) + 1,
        plain_distance(one[1:], other[1:]) + (one[0] != other[0]),
    )


@given(TOKENS, TOKENS)
def test_the_edit_distance_is_the_one_defined(one, other):
    assert edit_distance(one, other) == edit_distance(other, one) == plain_distance(one, other)
    here, there = changed_part(one, other)
    assert one[: here.start] == other[: there.start]
    assert one[here.stop :] == other[there.stop :]


@given(TEXT, st.integers(1, 9))
def test_letters_are_changed_one_by_one(text, most):
    places = letter_positions(text, most)
    assert places == sorted(set(places))
    assert len(places) == min(most, sum(character.isalpha() for character in text))
    for place in places:
        changed = with_next_letter(text, place)
        assert [n for n in range(len(text)) if text[n] != changed[n]] == [place]
        assert changed[place].isalpha()


@pytest.mark.parametrize(("letter", "after"), [("a", "b"), ("z", "a"), ("Z", "A"), ("é", "ê")])
def test_the_next_letter(letter, after):
    assert next_letter(letter) == after


# ---- scripts and families ----


@pytest.mark.parametrize(
    ("character", "script"),
    [
        *(
            ("a", "Latin"),
            ("щ", "Cyrillic"),
            ("か", "Hiragana"),
            ("漢", "Han"),
            ("न", "Devanagari"),
        ),
        ("ع", "Arabic"), ("7", "Common"), ("🦊", "Common"), ("\u0301", "Inherited"),
        ("𐎀", "Other"), ("\ue000", "Other"),
    ],
)  # fmt: skip
def test_the_script_of_a_character(character, script):
    assert script_of(character) == script
    assert script in (*SCRIPTS, "Common", "Other")


def test_families_have_the_longest_stem_and_a_known_ending():
    assert suffixed_words(["walk", "walks", "walked", "walker", "walkers", "wall"]) == {
        **{"walks": 4, "walked": 4, "walker": 4},
        "walkers": 6,
    }
    assert suffixed_words(["he", "her", "low", "lowish"]) == {}
    assert "er" in SUFFIXES


# ---- sequences ----


@given(st.text("ab \n\t", max_size=30))
def test_lines_are_those_with_more_than_white_space(text):
    lines = [text[slice(*span)].rstrip() for span in line_spans(text)]
    assert lines == [line.strip() for line in text.split("\n") if line.strip()]


@given(st.lists(st.integers(1, 9), min_size=1, max_size=9))
def test_padding_fills_every_row_up_to_the_longest(lengths):
    rows = [[1] * length + [0] * (max(lengths) - length) for length in lengths]
    cells = [cell for row in rows for cell in row]
    assert padding(lengths) == pytest.approx(cells.count(0) / len(cells))


def test_nothing_is_padded_where_there_is_nothing():
    assert padding([]) is padding([0, 0]) is None
    assert logits(3, 5) == len([(t, v) for t in range(3) for v in range(5)])
