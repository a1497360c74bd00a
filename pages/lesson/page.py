"""The page Lessons, which shows text next to a live picture, and asks before it explains."""

import streamlit as st

from lessons.custom_path import is_lesson
from lessons.format.reading import Lesson
from lessons.stops import resolve_stop
from pages.lesson import (
    custom_lesson,
    export_menu,
    lesson_list,
    panels,
    picture,
    review,
    state,
    teacher_note,
)
from pages.lesson.browser import progress_store
from pages.lesson.classroom import lesson_class as classroom
from pages.lesson.classroom import live_room
from pages.lesson.path import path_state, path_view
from pages.lesson.pictures.build_pictures import PreparedLesson
from pages.shared.controls import browser_scripts
from pages.shared.controls.heading import heading
from pages.shared.export.menu import fill_files_menu, open_menu

progress_store.load_stored()
path_state.read_url()
lesson_list.open_where_left_off()
slug = state.open_slug()
browser_scripts.scroll_to_top(slug)


def show_list() -> None:
    """Show a path of one's own if it is open, else all lessons, and where to bring one's own."""
    if path_state.is_open():
        path_view.show()
        return
    actions = heading("Lessons", "text beside the live picture, and a question before the answer")
    fill_files_menu(open_menu(actions))
    review.forget()
    lesson_list.all_lessons()
    review.daily_door()
    path_view.show_start()
    custom_lesson.show_upload()
    progress_store.sync()


def show_lesson(slug: str) -> None:
    """Show a lesson: its heading, and a fragment that runs again at every stop."""
    custom = None if is_lesson(slug) else _composed(slug)
    chosen = custom.lesson if custom else panels.built_in_or_end(slug)
    heading(chosen.title, chosen.purpose, marks_terms=False)
    lesson_fragment(chosen, custom)


def _composed(slug: str) -> PreparedLesson:
    """Return the lesson that is not one of ours: questions from before, or the visitor's own."""
    return review.open_or_end() if slug == state.REVIEW_SLUG else custom_lesson.open_or_end()


@st.fragment
def lesson_fragment(chosen: Lesson, custom: PreparedLesson | None) -> None:
    """Show the navigation bar, and the current stop's text, question and picture."""
    progress_store.load_stored()
    here = state.current_position(chosen)
    bar, actions = st.columns([5, 2])
    actions = actions.container(horizontal=True, horizontal_alignment="right", gap="small")
    teacher_note.show(chosen, actions)
    if here.is_over:
        live_room.show(here, None)
        panels.end(here)
        classroom.show(here, None)
    else:
        show_stop(here, custom)
    with bar:
        panels.bar(here)
    with actions:
        take = st.container(width="content")
        live_room.show_button(chosen)
        panels.exit_button()
    state.write_marks(here)
    progress_store.sync()
    if chosen.slug != state.REVIEW_SLUG:
        review.forget()
        export_menu.show_menu(chosen, take)


def show_stop(here: state.LessonPosition, custom: PreparedLesson | None) -> None:
    """Show a stop's text, question and picture."""
    chosen = here.lesson
    stop = chosen.stops[here.stop]
    pictures = custom.pictures if custom else picture.pictures_for(chosen, stop)
    facts = {name: one.facts for name, one in pictures.items()}
    first = custom.resolved_stops[here.stop] if custom else resolve_stop(stop, facts)
    resolved = state.as_asked(here, first, facts)
    question = resolved.question  # the class's codes are about the first form of it
    target = state.target_step(here, resolved.at, question.shown_at if question else None)
    live_room.show(here, question)
    text_column, picture_column = st.columns([3, 5])
    with text_column:
        if custom is None:
            review.door(here)
        panels.text(here, resolved)
        classroom.show(here, first.question)
    with picture_column:
        picture.show(here, resolved, pictures[stop.picture], target)


if slug:
    show_lesson(slug)
else:
    show_list()
