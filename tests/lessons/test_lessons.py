"""Every lesson is played to its end and compared with a stored transcript.

A transcript holds what every stop shows and asks, and what every answer gets. To write them anew:
REWRITE_TRANSCRIPTS=1 pytest tests/lessons/test_lessons.py; then read what has changed.
"""

import os
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

from lessons import LESSONS, lesson
from lessons.claims import CLAIMS
from lessons.facts.base import PictureFacts
from lessons.facts.encoding import EncodingFacts
from lessons.format.reading import STOP_KEYS, Lesson, PictureSpec, read_lesson
from lessons.pictures.plan import KINDS, SPLITS, Plan
from lessons.pictures.planning import KEYS, plan
from lessons.questions.beliefs import BELIEF_CHECKS
from lessons.stops import QUESTIONS, ResolvedStop, validate
from pages.lesson.pictures.build_pictures import build_picture
from pages.lesson.pictures.lesson_picture import LessonPicture
from pages.shared.training.tokenizer_kinds import KINDS as CONTESTANTS
from tests.judge import grade
from tests.lessons.transcript import transcript
from tests.recordings import unpacked

STORED = Path(__file__).parent / "transcripts"
FORMAT = "write-your-own"
KNOWN: dict[str, LessonPicture] = {}


def made(picture: PictureSpec) -> LessonPicture:
    """A picture, made once for all tests of it."""
    wanted: Plan = plan(picture)
    if repr(wanted) not in KNOWN:
        KNOWN[repr(wanted)] = build_picture(lambda done, total: False, wanted)
    return KNOWN[repr(wanted)]


def facts_of(one: Lesson) -> Mapping[str, PictureFacts]:
    return {name: made(picture).facts for name, picture in one.pictures.items()}


@cache
def resolved_stops_of(slug: str) -> tuple[ResolvedStop, ...]:
    return validate(lesson(slug), facts_of(lesson(slug)), CLAIMS)


# ---- all lessons ----


@pytest.mark.parametrize("slug", LESSONS)
def test_a_lesson_is_what_its_transcript_says(slug: str):
    stored = STORED / f"{slug}.txt"
    played = transcript(lesson(slug), resolved_stops_of(slug))
    if os.environ.get("REWRITE_TRANSCRIPTS") == "1":
        stored.write_text(played, encoding="utf-8")
    assert stored.exists(), "write it with REWRITE_TRANSCRIPTS=1"
    assert played == stored.read_text(encoding="utf-8")


def test_there_is_a_transcript_for_no_other_lesson():
    assert {path.stem for path in STORED.glob("*.txt")} == set(LESSONS)


@pytest.mark.parametrize("slug", LESSONS)
def test_positions_are_those_of_the_film(slug: str):
    for picture in lesson(slug).pictures.values():
        shown = made(picture)
        if shown.recording:
            assert shown.facts.last == shown.recording.last
    for resolved in resolved_stops_of(slug):
        last = made(lesson(slug).pictures[resolved.stop.picture]).facts.last
        assert 0 <= resolved.at <= last
        if resolved.question and resolved.question.shown_at is not None:
            assert 0 <= resolved.question.shown_at <= last


@pytest.mark.parametrize("slug", LESSONS)
def test_a_word_that_is_asked_about_is_one_that_the_picture_encodes(slug):
    all_facts = facts_of(lesson(slug))
    for stop in lesson(slug).stops:
        facts = all_facts[stop.picture]
        if stop.ask and "word" in stop.ask.values and isinstance(facts, EncodingFacts):
            assert stop.ask.values["word"] in facts.words, stop.heading


@pytest.mark.parametrize("slug", LESSONS)
def test_every_question_has_a_right_and_a_wrong_answer(slug: str):
    for question in [
        resolved.question for resolved in resolved_stops_of(slug) if resolved.question
    ]:
        right, wrong = 0, 0
        if question.form == "choice":
            verdicts = [grade(question, n).is_right for n in range(len(question.options))]
            right, wrong = sum(verdicts), len(verdicts) - sum(verdicts)
        elif question.form == "number":
            right = grade(question, f"{question.value!r}").is_right
            wrong = not grade(question, f"{question.value + 10}").is_right
        elif question.form == "text":
            right = all(grade(question, " ".join(cut)).is_right for cut in question.splits)
            wrong = not grade(question, "no such pieces").is_right
        else:
            everything = list(range(len(question.options)))
            wanted = [n for n in everything if question.options[n].is_right]
            ordered = sorted(everything, key=lambda n: sum(b == n for _, b in question.before))
            right = grade(question, wanted or ordered).is_right
            wrong = not grade(question, everything if wanted else ordered[::-1]).is_right
        assert right, question.prompt
        assert wrong, question.prompt


@pytest.mark.parametrize("slug", LESSONS)
def test_a_lesson_is_short_where_it_should_be(slug: str):
    one = lesson(slug)
    assert one.purpose.endswith(".")
    assert len(one.purpose) < 130
    assert all(len(stop.heading) < 50 for stop in one.stops)
    assert LESSONS[slug].name.removesuffix(".md")[:2].isdigit()


def test_the_tokenizers_side_by_side_are_those_of_the_compare_page():
    assert tuple(CONTESTANTS) == KINDS
    assert {name: kind.split for name, kind in CONTESTANTS.items()} == SPLITS


# ---- the lesson on the format names all of it ----

TEXT = LESSONS[FORMAT].read_text(encoding="utf-8")


def named_fields() -> set[str]:
    return {name.split(":")[0] for name in re.findall(r"``\{(\w+(?::[^}`]*)?)\}``", TEXT)}


@pytest.mark.parametrize("facts", QUESTIONS)
def test_the_format_lesson_names_every_moment_field_and_question(facts: type[PictureFacts]):
    assert set(facts.methods("field_")) <= named_fields()
    for moment in facts.methods("find_"):
        assert re.search(rf"\{{ [^}}`]*{moment} = ", TEXT), moment
    for kind in QUESTIONS[facts]:
        assert f"``{kind}``" in TEXT


def test_the_format_lesson_names_every_key_and_belief():
    assert all(f"``{key}``" in TEXT for key in STOP_KEYS)
    assert all(f"``{shows}``" in TEXT for shows in KEYS)
    assert all(f"``{name}``" in TEXT for beliefs in BELIEF_CHECKS.values() for name in beliefs)
    shown = {picture.shows for picture in lesson(FORMAT).pictures.values()}
    assert shown == set(KEYS)


def test_the_format_lesson_has_no_field_that_does_not_exist():
    known = {name for facts in QUESTIONS for name in facts.methods("field_")}
    assert named_fields() <= known


# ---- a changed run is noticed ----


def test_a_changed_tie_rule_changes_what_is_played():
    text = LESSONS["bpe-by-hand"].read_text(encoding="utf-8")
    changed = text.replace("num_merges = 7", 'num_merges = 7\nties = "smallest_string"', 1)
    other = read_lesson(changed, "bpe-by-hand")
    played = transcript(other, validate(other, facts_of(other), CLAIMS))
    assert played != transcript(lesson("bpe-by-hand"), resolved_stops_of("bpe-by-hand"))
    assert "it comes first in alphabetical order" in played


def test_a_lesson_writes_numbers_with_as_many_digits_as_its_picture():
    """Of probabilities and expected counts, which stand in both."""
    resolved_stops = resolved_stops_of("unigram-em")
    recording = made(lesson("unigram-em").pictures["em"]).recording
    assert recording
    frames = unpacked(recording)[1]
    for stop, wanted in ((5, ["11.8"]), (6, ["0.168", "0.182"])):
        resolved = resolved_stops[stop - 1]
        result = transcript(lesson("unigram-em"), (resolved,))
        for number in wanted:
            assert re.search(rf"(?<![\d.]){number}(?!\d)", result), number
            assert re.search(rf"(?<![\d.]){number}(?!\d)", str(frames[resolved.at])), number
