"""Lessons: text beside the live picture, asked before told, answered from the record."""

import streamlit as st

from lessons import LESSONS
from lessons.playing import scene
from pages.widgets import lesson_memory, lesson_nav, lesson_own, lesson_panels, lesson_pictures
from pages.widgets import lesson_state as state
from pages.widgets.address import end_early
from pages.widgets.heading import heading
from pages.widgets.settings import presenter

lesson_memory.listen()
slug = state.chosen()
if not slug:
    heading("Lessons", "text beside the live picture, and a question before the answer")
    lesson_panels.all_lessons()
    lesson_own.offer()
    lesson_memory.keep()
    end_early()
own = None if slug in LESSONS else lesson_own.read()
chosen = own.lesson if own else lesson_panels.ours(slug)
heading(chosen.title, chosen.purpose)
large = presenter()


@st.fragment
def stage() -> None:
    """One stop: the bar, the text with its question, and the picture beside it."""
    lesson_memory.listen()
    here = state.visit(chosen)
    bar, way_out = st.columns([6, 1])
    if here.is_over:
        lesson_panels.end(here)
    else:
        at_stop(here)
    with bar:
        headings = [stop.heading for stop in chosen.stops]
        after = "Next" if here.stop + 1 < len(headings) else "Finish"
        lesson_nav.nav(headings, here.marks, here.stop, after)
    with way_out:
        lesson_panels.way_out()
    state.write_marks(here)
    lesson_memory.keep()


def at_stop(here: state.Visit) -> None:
    """The text and the picture of a stop; on a projector the picture and the question."""
    stop = chosen.stops[here.stop]
    shown = own.shown if own else lesson_pictures.made(chosen, stop)
    staged = own.scenes[here.stop] if own else scene(stop, lesson_pictures.records(shown))
    question = staged.question
    is_settled = question is not None and state.hear(here, question)
    goal = state.goal(here, staged.at, is_settled, question.shown_at if question else None)
    left, right = st.columns([3, 2] if large else [3, 5])
    beside, picture = (right, left) if large else (left, right)
    with beside:
        lesson_panels.text(here, staged, large)
    with picture:
        lesson_pictures.show(here, staged, shown[stop.picture], goal, large)


stage()
