"""What stands around every page: above it, the way back to a lesson; below, the next page, keys."""

import streamlit as st

from lessons.custom_path import find_lesson, is_lesson
from lessons.format.errors import LessonError
from pages.lesson.state import CUSTOM_SLUG
from pages.shared.controls import url_state
from pages.shared.controls.markdown import escape_markdown
from pages.shared.drawing.markup import html
from pages.shared.routes import NEXT, page_file, page_says, page_title

_KEYS = html('<button type="button" class="pp-keys"><kbd>?</kbd> Keys</button>')


def back_to_lesson() -> None:
    """Show the way back to the stop of a lesson from which the page was opened, if it was."""
    slug, _, stop = st.query_params.get("back", "").rpartition(".")
    number = url_state.parse_natural(stop, 5)
    title = _title(slug)
    if title is None or number is None:
        return
    with st.container(key="back_to_lesson"):
        st.page_link(
            page_file("lessons"),
            label=f"← Back to the lesson: {escape_markdown(title)}, stop {number}",
            query_params={"lesson": slug, "stop": str(number)},
            help="",
        )


def _title(slug: str) -> str | None:
    if slug == CUSTOM_SLUG:
        return "your own"
    try:
        return find_lesson(slug).title if is_lesson(slug) else None
    except LessonError:  # the page of lessons says what is wrong with it
        return None


def foot(page: str) -> None:
    """Show the link to the page that follows `page`, and the button for the table of keys.

    A lesson has a link of its own, to the next lesson.
    """
    with st.container(key="foot", horizontal=True, horizontal_alignment="distribute"):
        if "lesson" not in st.query_params:
            after = NEXT[page]
            label = f"Next: **{page_title(after)}** · {page_says(after)} →"
            st.page_link(page_file(after), label=label, help="")
        st.html(_KEYS, width="content")
