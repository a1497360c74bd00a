"""The page Lessons, which shows text next to a live picture, and asks before it explains."""

import streamlit as st

from lessons import LESSONS
from lessons.stops import resolve_stop
from lessons.variants import in_round
from pages.lesson import custom_lesson, export_menu, nav, panels, picture, progress_store, state
from pages.lesson.classroom import lesson_class as classroom
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
    custom_lesson.show_upload()
    progress_store.sync()
    files_export_menu(ExportCatalog)
    end_early()
custom = None if slug in LESSONS else custom_lesson.open_or_end()
chosen = custom.lesson if custom else panels.built_in_or_end(slug)
heading(chosen.title, chosen.purpose, marks_terms=False)
large = presenter()


@st.fragment
def lesson_fragment() -> None:
    """Show the navigation bar, and the current stop's text, question and picture."""
    progress_store.load_stored()
    here = state.current_position(chosen)
    bar, exit_column = st.columns([6, 1])
    if here.is_over:
        panels.end(here)
        classroom.show(here, None)
    else:
        show_stop(here)
    with bar:
        headings = [stop.heading for stop in chosen.stops]
        after = "Next" if here.stop + 1 < len(headings) else "Finish"
        nav.nav(headings, here.marks, here.stop, after)
    with exit_column:
        panels.exit_button()
    state.write_marks(here)
    progress_store.sync()
    export_menu.show_menu(chosen)


def show_stop(here: state.LessonPosition) -> None:
    """Show a stop's text and picture; on a projector, show only the picture and the question."""
    stop = chosen.stops[here.stop]
    pictures = custom.pictures if custom else picture.pictures_for(chosen, stop)
    facts = {name: one.facts for name, one in pictures.items()}
    first = custom.resolved_stops[here.stop] if custom else resolve_stop(stop, facts)
    resolved = in_round(chosen, first, facts, here.round)
    question = resolved.question  # the class's codes are about the first form of it
    is_settled = question is not None and state.submit_answer(here, question)
    target = state.target_step(
        here, resolved.at, is_settled, question.shown_at if question else None
    )
    left, right = st.columns([3, 2] if large else [3, 5])
    text_column, picture_column = (right, left) if large else (left, right)
    with text_column:
        panels.text(here, resolved, large)
        classroom.show(here, first.question)
    with picture_column:
        picture.show(here, resolved, pictures[stop.picture], target, large)


lesson_fragment()
