"""What lessons say and ask about a borrowed vector, and about pieces that are only parts."""

import pytest

from lessons.facts.base import PictureFacts
from lessons.format.errors import LessonError, LessonLookupError
from lessons.format.reading import At, PictureSpec
from lessons.format.words import plain
from lessons.pictures.planning import plan
from lessons.questions.builders import QuestionContext
from lessons.questions.grading import Question
from lessons.stops import QUESTIONS
from tests.lessons.test_lessons import made
from tests.lessons.test_lessons_research import answers, reply_to


def facts_for(shows: str, **values) -> PictureFacts:
    return made(PictureSpec("it", shows, values, 1)).facts


def field_text(facts: PictureFacts, field: str, at: int = 0) -> str:
    name, _, argument = field.partition(":")
    return plain(facts.field(name, argument, at))


def make_question(facts: PictureFacts, kind: str, at: int = 0, **values) -> Question:
    make, _ = QUESTIONS[type(facts)][kind]
    return make(QuestionContext(kind, facts, at, values, {}))


# ---- a new token's vector ----

VECTORS = "lower: 5 5\ner: 3 1 | 0 3\nlow: 1 2 | 2 1\nnew: 2 0 | 1 -1"


def borrowed(**values) -> PictureFacts:
    return facts_for("transplant", table=VECTORS, **values)


@pytest.mark.parametrize(
    ("field", "at", "text"),
    [
        ("left", 0, "(5, 5)"),
        ("product:er", 0, "20"),
        ("worked:low", 2, "1 × (−1) + 2 × 3 = 5"),
        ("square:er", 1, "10"),
        ("next_weight:er", 1, "2"),
        ("weight:er", 2, "2"),
        ("weight:er", 4, "1"),
        ("left", 4, "(0, 0)"),
        ("vector", 0, "(4, 5)"),
        ("vector:2", 0, "5"),
        ("mean", 0, "(1, 1)"),
        ("sum", 0, "1 × (0, 3) + 2 × (2, 1) = (4, 5)"),
    ],
)
def test_what_a_borrowed_vector_says(field, at, text):
    assert field_text(borrowed(), field, at) == text


@pytest.mark.parametrize(
    ("field", "at", "why"),
    [
        ("weight:er", 0, "no weights yet"),
        ("next_weight:er", 4, "Nothing more is chosen"),
        ("weight:new", 2, "No weight for"),
        ("donor:x", 0, "no shared token called"),
        ("vector:3", 0, "The vector has 2 numbers"),
        ("donor:", 0, "after a colon"),
    ],
)
def test_what_a_borrowed_vector_cannot_say(field, at, why):
    with pytest.raises(LessonLookupError, match=why):
        field_text(borrowed(), field, at)


def test_moments_of_a_borrowed_vector():
    facts = borrowed(chosen=1)
    assert facts.last == 3
    assert facts.find(At("chosen", "er")) == 1
    assert facts.find(At("fitted", "er")) == 2
    with pytest.raises(LessonLookupError, match="never chosen"):
        facts.find(At("chosen", "low"))


def test_the_next_token_is_asked_for_between_two_fits():
    replies = answers(make_question(borrowed(), "next_anchor"))
    assert replies["`er`"][0]
    assert replies["`low`"] == (False, "`low`: 1 × 5 + 2 × 5 = 15.")
    with pytest.raises(LessonLookupError, match="just been chosen"):
        make_question(borrowed(), "next_anchor", at=1)
    with pytest.raises(LessonLookupError, match="Nothing more"):
        make_question(borrowed(), "next_anchor", at=4)


def test_a_weight_does_not_stay():
    two, one = borrowed(), borrowed(chosen=1)
    assert not reply_to(make_question(two, "true_false", belief="weights_stay"), 0)[0]
    assert reply_to(make_question(one, "true_false", belief="weights_stay"), 0)[0]


def test_vectors_need_a_table():
    with pytest.raises(LessonError, match="new token in the first line"):
        plan(PictureSpec("it", "transplant", {}, 1))


# ---- merge residues ----


def test_which_pieces_are_only_parts():
    facts = facts_for("bpe_train", corpus="b2", num_merges=10)
    replies = answers(make_question(facts, "only_parts", at=10))
    assert replies["`wi`"] == (False, "`wi` was made 3 times, and 3 of these are left.")
    assert field_text(facts, "residues", 10) == "5"
    assert field_text(facts, "in_all:es", 10) == "9"
    assert field_text(facts, "remain:es", 10) == "0"
    assert field_text(facts, "remain:es", 1) == "9"
    with pytest.raises(LessonLookupError, match="not a piece made so far"):
        field_text(facts, "in_all:lo", 1)
    with pytest.raises(LessonLookupError, match="Only BPE"):
        field_text(facts_for("wordpiece_train", corpus="b2", num_merges=3), "residues", 3)
