"""Lessons: text beside the live picture, asked before told, answered from the record."""

import streamlit as st

from lessons import LESSONS
from lessons.stops import resolve_stop
from pages.lessons import custom_lesson as course_own
from pages.lessons import export_menu, nav, panels, progress_store, state
from pages.lessons import picture as course_picture
from pages.lessons.classroom import lesson_class as classroom
from pages.shared.controls import browser_scripts
from pages.shared.controls.heading import heading
from pages.shared.controls.settings import presenter
from pages.shared.controls.url_state import end_early
from pages.shared.export.catalog import ExportCatalog
from pages.shared.export.menu import files_export_menu

progress_store.load_stored()
slug = state.open_slug()
browser_scripts.scroll_to_top(slug)
if not slug:
    heading("Lessons", "text beside the live picture, and a question before the answer")
    panels.all_lessons()
    course_own.show_upload()
    progress_store.sync()
    files_export_menu(ExportCatalog)
    end_early()
own = None if slug in LESSONS else course_own.open_or_end()
chosen = own.lesson if own else panels.built_in_or_end(slug)
heading(chosen.title, chosen.purpose, marks_terms=False)
large = presenter()


@st.fragment
def stage() -> None:
    """One stop: the bar, the text with its question, and the picture beside it."""
    progress_store.load_stored()
    here = state.current_position(chosen)
    bar, way_out = st.columns([6, 1])
    if here.is_over:
        panels.end(here)
        classroom.show(here, None)
    else:
        at_stop(here)
    with bar:
        headings = [stop.heading for stop in chosen.stops]
        after = "Next" if here.stop + 1 < len(headings) else "Finish"
        nav.nav(headings, here.marks, here.stop, after)
    with way_out:
        panels.exit_button()
    state.write_marks(here)
    progress_store.sync()
    export_menu.offer(chosen)


def at_stop(here: state.LessonPosition) -> None:
    """The text and the picture of a stop; on a projector the picture and the question."""
    stop = chosen.stops[here.stop]
    shown = own.shown if own else course_picture.made(chosen, stop)
    records = {name: one.facts for name, one in shown.items()}
    staged = own.scenes[here.stop] if own else resolve_stop(stop, records)
    question = staged.question
    is_settled = question is not None and state.submit_answer(here, question)
    goal = state.target_step(here, staged.at, is_settled, question.shown_at if question else None)
    left, right = st.columns([3, 2] if large else [3, 5])
    beside, picture = (right, left) if large else (left, right)
    with beside:
        panels.text(here, staged, large)
        classroom.show(here, question)
    with picture:
        course_picture.show(here, staged, shown[stop.picture], goal, large)


stage()
