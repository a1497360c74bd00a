"""Where the tokens of a lesson's pipeline stand, and how a comparison of numbers is said."""

import pytest

from lessons.facts.texts import PipelineFacts, SegmentationsFacts
from lessons.format.errors import LessonLookupError
from lessons.format.reading import PictureSpec
from lessons.format.words import plain
from lessons.questions.builders import QuestionContext
from lessons.questions.statements import true_false
from lessons.questions.texts import offset
from tests.judge import grade
from tests.lessons.test_lessons import made


def pipeline() -> PipelineFacts:
    facts = made(PictureSpec("full", "pipeline", {"example": "p1"}, 1)).facts
    assert isinstance(facts, PipelineFacts)
    return facts


def side_by_side() -> SegmentationsFacts:
    values = {"text": "to be or", "kinds": ["words", "characters"]}
    facts = made(PictureSpec("both", "segmentations", values, 1)).facts
    assert isinstance(facts, SegmentationsFacts)
    return facts


@pytest.mark.parametrize(
    ("field", "expected"), [("raw", "“résumé”"), ("start", "41"), ("end", "47"), ("id", "6")]
)
def test_a_token_knows_its_place(field, expected):
    facts = pipeline()
    assert plain(facts.field(field, "resume", 0)) == expected
    assert plain(facts.field(field, "", facts.find_token("resume"))) == expected


def test_the_place_of_no_token_is_refused():
    with pytest.raises(LessonLookupError, match="No token is marked"):
        pipeline().field("start", "", 0)
    with pytest.raises(LessonLookupError, match="is not a token here"):
        pipeline().field("start", "rest", 0)


@pytest.mark.parametrize("token", ["hmm..,", "i", "know", "don't", "my", "resume"])
def test_offsets_lead_to_what_was_written(token):
    facts = pipeline()
    question = offset(QuestionContext("offset", facts, 0, {"token": token}, {}))
    written = plain(facts.field("raw", token, 0)).strip("“”")
    assert facts.raw[int(question.value) :].startswith(written)
    assert grade(question, f"{question.value:.0f}").is_right
    assert not grade(question, f"{question.value + 1:.0f}").is_right


@pytest.mark.parametrize(
    ("compare", "is_true"),
    [
        (["tokens:words", "less than", "tokens:characters"], True),  # 3 and 8
        (["tokens:words", "equal to", "2"], False),
        (["2", "more than", "per_word:words"], True),  # 1.00
    ],
)
def test_a_comparison_is_judged_by_the_record(compare, is_true):
    values = {"says": "So it is.", "compare": compare}
    question = true_false(QuestionContext("true_false", side_by_side(), 0, values, {}))
    assert question.options[0].is_right is is_true
