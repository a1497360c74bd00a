"""A lesson's worksheet: its questions for everybody, and what the record says to each answer."""

import re
from html import unescape

import pytest

from lessons import LESSONS
from lessons.format.words import RichText
from pages.lesson.export import worksheet
from pages.lesson.pictures.build_pictures import PreparedLesson, prepare_lesson
from pages.shared.drawing.display_text import escape_invisible, show_spaces
from pages.shared.export.worksheets.render_html import worksheet_html
from tests.judge import grade
from tests.lessons.test_lessons_reading import FRONT
from tests.pages.lesson.test_lesson_exports import opened as lesson_of
from tokenizers.errors import UserError

ARTICLE = re.compile(r'<article class="(.*?)">(.*?)</article>', re.DOTALL)
TASK = re.compile(r'<section class="task">(.*?)</section>', re.DOTALL)
OPTION = re.compile(r'<li><span class="box">(.*?)</span><span>(.*?)</span></li>')
LINE = re.compile(r'<p class="line"><span>Answer:</span><b>(.*?)</b></p>', re.DOTALL)


def lesson_sheets(opened: PreparedLesson, number: int, seed: int) -> str:
    """The sheets of a lesson as a file."""
    return worksheet_html(worksheet.lesson_worksheets(opened, number, seed))


def read(html: str) -> str:
    return " ".join(unescape(re.sub("<.*?>", "", html)).split())


def sheet_text(text: RichText) -> str:
    parts = (
        escape_invisible(one)
        if isinstance(one, str)
        else f"“{show_spaces(one[1])}”"
        if one[0] == "word"
        else show_spaces(one[1])
        if one[0] == "token"
        else escape_invisible(one[1])
        for one in text
    )
    return " ".join("".join(parts).split())


@pytest.mark.parametrize("slug", LESSONS)
def test_every_sheet_asks_all_and_gives_nothing_away(slug):
    lesson = lesson_of(slug)
    requests = [one.question for one in lesson.resolved_stops if one.question]
    articles = ARTICLE.findall(lesson_sheets(lesson, 3, 5))
    assert [kind for kind, _ in articles] == ["sheet"] * 3 + ["sheet answers"] * 3
    for kind, inside in articles:
        tasks = TASK.findall(inside)
        assert len(tasks) == len(requests)
        for task, question in zip(tasks, requests, strict=True):
            assert sheet_text(question.prompt) in read(task)
            assert len(OPTION.findall(task)) == len(question.options)
            if kind == "sheet":
                assert {mark for mark, _ in OPTION.findall(task)} <= {""}
                assert set(LINE.findall(task)) <= {""}
                assert "<i>" not in task


@pytest.mark.parametrize("slug", LESSONS)
def test_the_answers_are_those_of_the_record_with_their_reasons(slug):
    lesson = lesson_of(slug)
    requests = [one.question for one in lesson.resolved_stops if one.question]
    for kind, inside in ARTICLE.findall(lesson_sheets(lesson, 2, 9)):
        for task, question in zip(TASK.findall(inside), requests, strict=True):
            if kind == "sheet":
                continue
            assert sheet_text(question.why) in read(task)
            options = [(mark, read(option)) for mark, option in OPTION.findall(task)]
            if question.form in ("number", "text"):
                assert read(*LINE.findall(task)) == sheet_text(question.answer)
            elif question.form == "order":
                by_number = [option for _, option in sorted(options)]
                given = [by_number.index(sheet_text(one.text)) for one in question.options]
                order = sorted(range(len(given)), key=given.__getitem__)
                assert grade(question, order).is_right
            else:
                right = {sheet_text(one.text) for one in question.options if one.is_right}
                checked_ones = [option for mark, option in options if mark == "X"]
                assert len(checked_ones) == sum(one.is_right for one in question.options)
                assert all(any(one.startswith(r) for r in right) for one in checked_ones)


def test_sheets_differ_by_the_order_of_their_options_and_seeds_give_them_again():
    lesson = lesson_of("bpe-by-hand")
    html = lesson_sheets(lesson, 4, 2)
    sheets = [inside for kind, inside in ARTICLE.findall(html) if kind == "sheet"]
    assert len({tuple(OPTION.findall(sheet)) for sheet in sheets}) == 4
    assert lesson_sheets(lesson, 4, 2) == html != lesson_sheets(lesson, 4, 3)
    (first,) = [inside for kind, inside in ARTICLE.findall(lesson_sheets(lesson, 1, 3))][:1]
    assert OPTION.findall(first) == OPTION.findall(sheets[0])  # the lesson's own order


def test_what_the_words_are_is_told_where_the_picture_changes():
    html = lesson_sheets(lesson_of("bpe-by-hand"), 1, 1)
    blank = ARTICLE.findall(html)[0][1]
    result = ["The words:" in read(task) for task in TASK.findall(blank)]
    assert result == [True, False, False, False, False, True, False, True, False]


def own(text: str) -> PreparedLesson:
    """A lesson that somebody wrote."""
    lesson = prepare_lesson(lambda done, total: False, text, "own")
    assert isinstance(lesson, PreparedLesson)
    return lesson


def test_a_hostile_lesson_is_shown_as_text():
    expected_there = "</script><b>\u202e &amp; {{link}}"
    text = FRONT.replace('title = "', f'title = "{expected_there}')
    text += f'## {expected_there}\n\n```stop\nask = "next_pair"\n```\n\nText.\n'
    html = lesson_sheets(own(text), 1, 1)
    assert html.count("</script>") == 1
    assert "\u202e" not in html
    assert html.count("&lt;/script&gt;&lt;b&gt;⟨U+202E⟩ &amp;amp; {{link}}") >= 4


def test_a_lesson_without_questions_is_refused_in_a_sentence():
    with pytest.raises(UserError, match="asks nothing"):
        lesson_sheets(own(FRONT + "## One\n\nText.\n"), 1, 1)
