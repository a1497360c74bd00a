"""The note for teachers on a lesson: shown by a switch, kept in the URL, folded in the file."""

import re

import pytest
from markupsafe import escape

from lessons import LESSONS
from lessons.teaching.notes import NOTES
from pages.lesson.export.lesson_html import SiteContext, lesson_html
from pages.lesson.teacher_note_html import html_note_of
from tests.pages.lesson.test_lesson_exports import opened as prepared
from tests.pages.opening import checked, html_of, opened

HAND = "bpe-by-hand"
NOTE = 'aria-label="For teachers"'


def test_the_switch_shows_the_note_and_is_in_the_url():
    app = opened("lessons", lesson=HAND, stop="3")
    assert NOTE not in html_of(app)
    checked(app.toggle(key="for_teachers").set_value(True).run())
    assert NOTE in html_of(app)
    assert app.query_params["teacher"] == "1"
    checked(app.toggle(key="for_teachers").set_value(False).run())
    assert NOTE not in html_of(app)
    assert "teacher" not in app.query_params


def test_a_link_opens_the_note_and_its_links_lead_to_stops():
    shown = html_of(opened("lessons", lesson=HAND, teacher="1"))
    assert NOTE in shown
    links = re.findall(r'href="\./lessons\?lesson=([\w-]+)&amp;teacher=1&amp;stop=(\d+)"', shown)
    assert links
    assert {slug for slug, _ in links} == {HAND}


@pytest.mark.parametrize("value", ["0", "", "<b>", "true"])
def test_another_value_is_no_switch(value):
    assert NOTE not in html_of(opened("lessons", lesson=HAND, teacher=value))


def test_the_note_is_in_the_file_for_teachers_alone():
    assert "pp-note-fold" not in lesson_html(prepared(HAND)).split("</style>")[-1]
    file = lesson_html(prepared(HAND), SiteContext(for_teachers=True))
    assert file.count("<summary>For teachers</summary>") == 1
    assert ".pp-note" in file
    assert "./lessons?lesson" not in file


@pytest.mark.parametrize("slug", LESSONS)
def test_every_lesson_has_a_note_that_can_be_shown(slug):
    assert slug in NOTES
    note = html_note_of(prepared(slug), lambda stop, heading: escape(heading))
    titles = ("Aim", "Know before", "The two hardest stops", "To discuss", "On the board")
    assert all(f"<h3>{title}</h3>" in note for title in titles)
    assert "{" not in re.sub(r"<bdi.*?</bdi>|<code>.*?</code>", "", note)


def test_a_link_to_hand_out_does_not_show_the_note():
    app = opened("lessons", lesson=HAND, stop="3", teacher="1", take="link")
    assert NOTE in html_of(app)
    codes = [code.value for tab in app.tabs if tab.label == "Link" for code in tab.code]
    assert codes
    assert all("lesson=" + HAND in code and "teacher" not in code for code in codes)
