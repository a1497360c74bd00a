"""Every lesson has a note for teachers, whose stops, lessons and numbers exist."""

import re

import pytest

from lessons import LESSONS, lesson
from lessons.format.prose import read_prose
from lessons.format.words import plain
from lessons.paths import IN_ORDER, minutes, minutes_of_stops
from lessons.questions.grading import Question
from lessons.teaching.expected import MOST_MISTAKES, expected_mistakes
from lessons.teaching.notes import NOTES, ResolvedNote, TeacherNote, resolve_note
from tests.judge import grade
from tests.lessons.test_lessons import facts_of, resolved_stops_of
from tests.lessons.test_lessons_teaching import typed
from tests.lessons.transcript import plain_prose

SENTENCE = re.compile(r"(?<=[.!?:;])\s+")
LONGEST_SENTENCE = 30  # words
LONGEST_NOTE = 400  # words of what is written by hand: half a page
NO_WORDS = re.compile(r"\b(obviously|trivial|simply|of course|please note)\b", re.IGNORECASE)


def note_of(slug: str) -> ResolvedNote:
    return resolve_note(lesson(slug), resolved_stops_of(slug), facts_of(lesson(slug)))


def texts_of(note: TeacherNote) -> list[str]:
    whys = [hard.why for hard in note.hardest]
    return [note.aim, *whys, *note.discuss, *note.board, note.skip.why]


def test_every_lesson_has_a_note_and_no_note_is_left_over():
    assert set(NOTES) == set(LESSONS)
    in_paths = [slug for slug in NOTES if slug in IN_ORDER]
    assert tuple(in_paths) == IN_ORDER


@pytest.mark.parametrize("slug", LESSONS)
def test_a_note_names_stops_and_lessons_that_exist(slug):
    note = NOTES[slug]
    headings = [stop.heading for stop in lesson(slug).stops]
    assert len(note.hardest) == 2
    assert len({hard.stop for hard in note.hardest}) == 2
    assert {hard.stop for hard in note.hardest} <= set(headings)
    assert set(note.skip.stops) < set(headings)
    assert not {hard.stop for hard in note.hardest} >= set(note.skip.stops)
    assert len(set(note.skip.stops)) == len(note.skip.stops)
    assert note.board_at in headings
    assert set(note.before) <= set(LESSONS)
    order = [*IN_ORDER, slug]
    assert all(order.index(one) < order.index(slug) for one in note.before)


@pytest.mark.parametrize("slug", LESSONS)
def test_a_note_is_half_a_page_of_short_sentences(slug):
    note = NOTES[slug]
    assert len(note.discuss) == 2
    assert all("?" in one or one.endswith(".") for one in note.discuss)
    assert 2 <= len(note.board) <= 4
    texts = texts_of(note)
    assert sum(len(text.split()) for text in texts) <= LONGEST_NOTE
    sentences = [sentence for text in texts for sentence in SENTENCE.split(text)]
    assert [one for one in sentences if len(one.split()) > LONGEST_SENTENCE] == []
    assert [one for one in sentences if NO_WORDS.search(one)] == []
    assert [text for text in texts if text[-1] not in ".?!”"] == []


@pytest.mark.parametrize("slug", LESSONS)
def test_every_number_of_a_note_is_from_the_run(slug):
    note = NOTES[slug]
    texts = [text.replace("F1", "") for text in texts_of(note)]
    blocks = read_prose([line for text in texts for line in (text, "")], 1)
    assert [number for block in blocks for number in typed(block)] == []
    filled = note_of(slug)
    for blocks in (filled.aim, filled.discuss, filled.board, filled.skip):
        assert "{" not in re.sub("`[^`]*`", "", plain_prose(blocks))


@pytest.mark.parametrize("slug", LESSONS)
def test_the_minutes_are_those_of_the_outline(slug):
    note, one = note_of(slug), lesson(slug)
    assert note.minutes == minutes(one)
    left = [stop for stop in one.stops if stop.heading in NOTES[slug].skip.stops]
    assert note.minutes_saved == round(minutes_of_stops(left))
    assert note.minutes_saved < note.minutes


def questions() -> list[Question]:
    return [
        resolved.question
        for slug in LESSONS
        for resolved in resolved_stops_of(slug)
        if resolved.question
    ]


def test_expected_mistakes_are_what_the_judge_says():
    """What a note prints is judged wrong, with the very reply that the note has."""
    seen = 0
    for question in questions():
        mistakes = expected_mistakes(question)
        assert len(mistakes) <= MOST_MISTAKES
        replies = [plain(mistake.reply) for mistake in mistakes]
        if question.form == "choice":
            wrong = {
                plain(option.text): plain(grade(question, n).text)
                for n, option in enumerate(question.options)
                if not option.is_right
            }
            assert {plain(one.answer): plain(one.reply) for one in mistakes} == wrong
        elif question.form in ("number", "text"):
            assert set(replies) <= set(map(plain, question.expected_mistakes.values()))
            if question.form == "number":
                right = [grade(question, plain(one.answer)).is_right for one in mistakes]
                assert not any(right)
        seen += len(mistakes)
    assert seen > 500


def test_a_mistake_is_printed_once():
    for question in questions():
        answers = [plain(one.answer) for one in expected_mistakes(question)]
        assert len(answers) == len(set(answers)), answers


def test_terms_known_before_are_those_that_the_lesson_uses():
    before = {one.slug: one.terms for one in note_of("bpe-ends-of-words").before}
    assert before == {"bpe-by-hand": ("BPE", "merge")}
