"""Pictures on compression, one axis, chunks, images and sound: what they say and refuse."""

import pytest

from lessons.facts.compression import CompressionFacts
from lessons.facts.units import UnitsFacts
from lessons.format.errors import LessonError, LessonLookupError
from lessons.format.reading import PictureSpec
from lessons.pictures.planning import plan
from tests.lessons.test_lessons import made
from tests.lessons.test_lessons_research import (
    answers,
    facts_for,
    field_text,
    make_question,
    reply_to,
)

VECTORS = [[2, 0], [2, 1], [0, 1], [1, -1], [2, -1], [1, 0], [1, 1]]
SIGNALS = {"vectors": [[1, 0.2], [0.1, 0.9]], "codebook": [[0, 0], [1, 0], [0, 1]]}


def gage(text="ABABCABCD", threshold=2) -> CompressionFacts:
    facts = facts_for("compression", text=text, threshold=threshold)
    assert isinstance(facts, CompressionFacts)
    return facts


def units(text="Zoë walked to the island.") -> UnitsFacts:
    facts = facts_for("units", text=text)
    assert isinstance(facts, UnitsFacts)
    return facts


def turns():
    return facts_for("chunks", text="in time", vectors=VECTORS)


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("bytes", "9"),
        ("left:1", "6"),
        ("table:1", "2"),
        ("total:1", "8"),
        ("total", "8"),
        ("share:1", "88.9%"),
        ("count:2", "2"),
        ("replaced:1", "3"),
        ("pair:2", "`X` `C`"),
        ("code:2", "`Y`"),
        ("data:1", "`X` `X` `C` `X` `C` `D`"),
        ("data", "`X` `Y` `Y` `D`"),
        ("pays", "3"),
        ("used", "4"),
        ("unused", "252"),
        ("steps", "2"),
    ],
)
def test_what_a_compression_says(field, text):
    assert field_text(gage(), field) == text


def test_codes_are_letters_that_the_text_has_not():
    facts = gage("XYXYXY")
    assert field_text(facts, "code:1") == "`Z`"
    assert set(facts.names().values()).isdisjoint(facts.text)


@pytest.mark.parametrize("field", ["left:3", "left:x", "pair:0", "count:9"])
def test_what_a_compression_does_not_say(field):
    with pytest.raises(LessonLookupError):
        field_text(gage(), field)


def test_a_compression_needs_one_text():
    for values in ({}, {"text": ""}, {"text": "a", "corpus": "prose"}, {"corpus": "b1"}):
        with pytest.raises(LessonError, match=r"corpus or text|needs a text"):
            plan(PictureSpec("it", "compression", values, 1))


def test_units_of_one_text():
    facts = units()
    counts = {name: int(field_text(facts, f"count:{name}")) for name in facts.rows}
    assert counts["bytes"] == len("Zoë walked to the island.".encode())
    assert counts["characters"] == counts["bytes"] - 1
    assert counts["words"] == 5
    assert counts["fixed"] == -(-counts["bytes"] // 4)
    assert counts["o200k"] < counts["characters"]
    assert field_text(facts, "fixed") == "4"
    assert field_text(facts, "split:words") == "`Zoë` `walked` `to` `the` `island.`"
    assert field_text(facts, "vocabulary:gpt2") == "50,257 pieces"
    assert field_text(facts, "per_unit:bytes") == "1.0"
    with pytest.raises(LessonLookupError, match="no row called"):
        field_text(facts, "count:hnet")


def test_the_shortest_sequence_comes_first():
    question = make_question(units(), "by_length", of=["bytes", "o200k", "superwords"])
    titles = [question.options[n].text[0] for n in range(3)]
    lengths = [
        next(len(row.tokens) for row in units().rows.values() if row.title == title)
        for title in titles
    ]
    order = sorted(range(3), key=lengths.__getitem__)
    assert reply_to(question, tuple(order))[0]
    assert not reply_to(question, tuple(order[::-1]))[0]
    for names in (["bytes"], ["bytes", "zz"], "bytes"):
        with pytest.raises(LessonLookupError):
            make_question(units(), "by_length", of=names)


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("cosine:1", "0.89"),
        ("probability:1", "0.05"),
        ("probability:3", "0.85"),
        ("vector:3", "(1, −1)"),
        ("before:3", "(0, 1)"),
        ("split", "`in ` `time`"),
        ("chunks", "2"),
        ("boundary", "0.5"),
    ],
)
def test_what_chunks_say(field, text):
    assert field_text(turns(), field) == text


def test_chunks_are_asked_for():
    assert reply_to(make_question(turns(), "chunk_count"), "2")[0]
    assert reply_to(make_question(turns(), "chunk_count"), "1") == (
        False,
        "That is the number of cuts. There is one chunk more.",
    )
    replies = answers(make_question(turns(), "choose_segmentation"))
    assert replies["`in ` `time`"][0]
    assert len(replies) > 2
    for field in ("vector:0", "cosine:7", "probability:"):
        with pytest.raises(LessonLookupError):
            field_text(turns(), field)


@pytest.mark.parametrize(
    "values",
    [
        {"text": "ab", "vectors": [[1, 0]]},
        {"text": "é", "vectors": [[1, 0]]},
        {"text": "ab", "vectors": [[1, 0], [1]]},
        {"text": "ab", "vectors": [[1, 0], ["a", "b"]]},
        {"text": "ab", "vectors": "ab"},
        {"text": "ab", "vectors": [[], []]},
        {"text": "ab"},
    ],
)
def test_chunks_need_a_vector_for_each_letter(values):
    with pytest.raises(LessonError, match="vectors"):
        plan(PictureSpec("it", "chunks", values, 1))


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("patches", "196"),
        ("patches:32", "49"),
        ("columns", "14"),
        ("frames", "75"),
        ("per_second", "600"),
        ("bits", "6,000"),
        ("codes", "`1` `2`"),
        ("index:1", "2"),
        ("vector:0", "(1, 0.2)"),
    ],
)
def test_what_images_and_sound_say(field, text):
    assert field_text(facts_for("signals", **SIGNALS), field) == text


def test_images_and_sound_have_bounds():
    for field in ("patches:0", "index:2", "vector:"):
        with pytest.raises(LessonLookupError):
            field_text(facts_for("signals", **SIGNALS), field)
    for values in ({}, SIGNALS | {"codebook": [[1]]}, SIGNALS | {"patch": 0}):
        with pytest.raises(LessonError):
            plan(PictureSpec("it", "signals", values, 1))


def test_the_grid_is_drawn_within_its_bounds():
    fine = made(PictureSpec("it", "signals", SIGNALS | {"width": 10_000, "patch": 1}, 1))
    drawn = fine.rows[0][1]
    assert 'aria-label="10000 by 224 patches"' in drawn
    assert "width:140.0px" in drawn
    assert "background-size:3.500px" in drawn  # forty lines of the ten thousand
    usual = made(PictureSpec("it", "signals", SIGNALS, 1))
    assert "196 tokens, and no vocabulary" in usual.rows[0][0]


@pytest.mark.parametrize(
    ("facts", "belief", "is_true", "why"),
    [
        (gage, "every_step_pays", False, "After replacement 2 they have 8 bytes"),
        (lambda: gage(threshold=3), "every_step_pays", True, "The bytes with the table are 9, 8."),
        (units, "words_are_shortest", False, "Superwords"),
        (turns, "chunks_are_words", True, "`in ` `time`"),
        (lambda: facts_for("signals", **SIGNALS), "half_is_twice", False, "196 become 784."),
    ],
)
def test_beliefs_are_put_to_the_picture(facts, belief, is_true, why):
    question = make_question(facts(), "true_false", belief=belief)
    assert reply_to(question, 0 if is_true else 1)[0]
    assert why in reply_to(question, 0 if is_true else 1)[1]
