"""A lesson's note for teachers, above its stops: the switch that shows it, and the note.

The switch is in the URL (`teacher=1`). The note stays hidden without it, because it gives the
answers away.
"""

import streamlit as st
from markupsafe import Markup
from streamlit.delta_generator import DeltaGenerator

from lessons import LESSONS
from lessons.format.errors import LessonError
from lessons.format.reading import Lesson
from lessons.teaching.notes import NOTES
from pages.lesson.pictures.build_pictures import prepare_lesson
from pages.lesson.teacher_note_html import StopLink, html_note_of
from pages.shared.controls import url_state
from pages.shared.drawing.markup import html
from pages.shared.work import results

PARAMETER = "teacher"  # in the URL
DOING = "Making the note for teachers: all answers of the lesson …"


def show(lesson: Lesson, place: DeltaGenerator) -> None:
    """Show the switch in `place`, and if it is on, the note here; only for a built-in lesson."""
    if lesson.slug not in NOTES:
        return
    if not _is_switched_on(place):
        return
    written = LESSONS[lesson.slug].read_text(encoding="utf-8")
    # The export menu prepares the lesson with the same key.
    key = results.key_of("lesson", lesson.slug, written)
    prepared = results.result_of(key, prepare_lesson, DOING, written, lesson.slug)
    if not isinstance(prepared, LessonError):  # the page says what is wrong with it
        st.html(html_note_of(prepared, _app_link(lesson.slug)))


def _is_switched_on(place: DeltaGenerator) -> bool:
    """Show the switch; return whether it is on."""
    if (incoming := url_state.incoming(PARAMETER)) is not None:
        st.session_state["for_teachers"] = incoming == "1"
    is_on = place.toggle("For teachers", key="for_teachers", persist_state="session")
    url_state.set_switch(PARAMETER, is_on)
    return is_on


def _app_link(slug: str) -> StopLink:
    address = f"./lessons?lesson={slug}&teacher=1&stop="

    def link(stop: int, heading: str) -> Markup:
        return html('<a href="{}{}" target="_self">{}</a>', address, stop + 1, heading)

    return link
