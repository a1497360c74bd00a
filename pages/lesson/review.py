"""Questions of earlier lessons, as a lesson of their own: `lessons?lesson=review&ask=…`.

The address has the stops that are asked, so a reload asks the same. `then` is the lesson to go on
with. What is answered here counts for no lesson.
"""

from random import Random

import streamlit as st

from lessons.custom_path import LessonPart, is_lesson, read_path
from lessons.format.errors import LessonError
from lessons.format.words import count_of
from lessons.review import BEFORE_A_LESSON, DAILY, choose_review
from pages.lesson import state
from pages.lesson.browser import progress_store
from pages.lesson.pictures.build_pictures import PreparedLesson
from pages.lesson.pictures.build_review import build_review
from pages.lesson.state import REVIEW_SLUG, LessonPosition
from pages.shared.controls import url_state
from pages.shared.controls.heading import heading
from pages.shared.controls.markdown import escape_markdown
from pages.shared.work import results

DOING = "Making the pictures of these questions …"
_NOTHING = "There is no question to come back yet. Answer some in a lesson first."


def open_or_end() -> PreparedLesson:
    """Return the questions of the address as a lesson; end the page if there are none."""
    for name in ("ask", "then"):
        if (value := url_state.incoming(name)) is not None:
            url_state.set_param(name, value)
    path, _ = read_path(url_state.last_set("ask") or "")
    if not path.parts:
        heading("Questions from before", "from the lessons that you have done")
        st.info(_NOTHING)
        url_state.end_early()
    key = results.key_of("review", path.parts)
    found = results.result_of(key, build_review, DOING, path.parts)
    if isinstance(found, LessonError):
        st.error(escape_markdown(str(found)))
        url_state.end_early()
    return found


def next_slug() -> str | None:
    """Return the lesson that comes after the questions, if the address names one."""
    slug = url_state.last_set("then") or ""
    return slug if is_lesson(slug) else None


def forget() -> None:
    """Take the questions out of the address, when another lesson is open."""
    for name in ("ask", "then"):
        url_state.set_param(name, None)


def door(here: LessonPosition) -> None:
    """At the start of a lesson that is new, offer two questions from lessons before it."""
    slug = here.lesson.slug
    is_new = here.stop == 0 and not here.is_settled and set(here.marks[1:]) <= {"-"}
    if not is_new or len(_chosen(BEFORE_A_LESSON, slug)) < BEFORE_A_LESSON:
        return
    if st.button(
        "Two questions from before",
        key="review_door",
        help="They come from lessons that you have done, in another form. This lesson follows.",
        icon=":material/history:",
        type="tertiary",
    ):
        start(BEFORE_A_LESSON, slug)
        st.rerun()  # the whole page, not the fragment that this stands in


def daily_door() -> None:
    """In the list of lessons, offer five questions from those that were done."""
    if len(_chosen(DAILY)) < DAILY:
        return
    st.button(
        f"A daily five: {count_of(DAILY, 'question')} from before",
        key="review_daily",
        icon=":material/history:",
        on_click=start,
        args=(DAILY,),
    )


def _chosen(number: int, without: str = "") -> tuple[LessonPart, ...]:
    return choose_review(progress_store.marks(), number, Random(), without)


def start(number: int, then: str = "") -> None:
    """Choose questions, and open them as a lesson; `then` is the lesson to go on with."""
    parts = _chosen(number, then)
    url_state.set_param("ask", " ".join(part.written for part in parts) or None)
    url_state.set_param("then", then or None)
    progress_store.marks().pop(REVIEW_SLUG, None)
    state.enter(REVIEW_SLUG, 0)
