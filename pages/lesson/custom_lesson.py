"""A custom lesson, which is a Markdown text that the user uploads or pastes.

Before it starts, a worker validates the whole text, once per text; errors are shown with the line.
"""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from lessons import LESSONS, TEMPLATE
from lessons.format.errors import LessonError
from lessons.format.reading import lines_of
from pages.lesson import panels, state
from pages.lesson.browser import progress_store
from pages.lesson.pictures.build_pictures import PreparedLesson, prepare_lesson
from pages.lesson.state import CUSTOM_SLUG
from pages.shared.controls import url_state
from pages.shared.controls.heading import heading
from pages.shared.controls.markdown import escape_markdown
from pages.shared.corpus import uploads
from pages.shared.drawing.display_text import escape_invisible
from pages.shared.limits import MAX_TEXT_FILE_MB
from pages.shared.work import results
from tokenizers.errors import user_message

FORMAT = "write-your-own"
DOING = "Reading your lesson and making its pictures …"


def show_upload() -> None:
    """Show the upload controls, and a button to download the lesson that explains the format."""
    st.header("A lesson of your own")
    st.markdown(
        "A lesson is one Markdown file. Drop it here or paste it: it runs like the others, and "
        "stays in this browser. Start from the ten lines of the template and change them; “Write "
        "your own” explains the whole format, and is written in it."
    )
    left, right = st.columns(2)
    with left:
        st.file_uploader(
            "The file of a lesson (.md)",
            ["md", "txt"],
            max_upload_size=MAX_TEXT_FILE_MB,
            key="lesson_file",
            on_change=_load_file,
        )
        st.download_button(
            "Download the template",
            TEMPLATE.read_text(encoding="utf-8"),
            "my-lesson.md",
            "text/markdown",
            on_click="ignore",
        )
        st.download_button(
            "Download “Write your own” as a file",
            LESSONS[FORMAT].read_text(encoding="utf-8"),
            LESSONS[FORMAT].name,
            "text/markdown",
            on_click="ignore",
        )
    with right:
        st.text_area(
            "or its text",
            progress_store.custom_text(),
            key="lesson_text",
            height=160,
            max_chars=progress_store.LONGEST,
        )
        with st.container(horizontal=True):
            st.button("Run this lesson", key="run_lesson", on_click=_load_text)
            st.button("Start from the template", key="lesson_template", on_click=_start_template)
    if problem := st.session_state.pop("lesson.problem", ""):
        st.error(escape_markdown(problem))


def _start_template() -> None:
    """Put the template into the box, unless that would lose a text."""
    if st.session_state["lesson_text"].strip():
        st.session_state["lesson.problem"] = (
            "The box has a text already, and the template would replace it. Clear the box first, "
            "or download the template."
        )
    else:
        st.session_state["lesson_text"] = TEMPLATE.read_text(encoding="utf-8")


def _load_file() -> None:
    file = st.session_state["lesson_file"]
    content = uploads.content_of(file)
    if content is None:
        return
    try:
        _load(uploads.text_of_file(content, file.name))
    except ValueError as error:
        st.session_state["lesson.problem"] = user_message(error)


def _load_text() -> None:
    _load(st.session_state["lesson_text"])


def _load(text: str) -> None:
    if not text.strip():
        st.session_state["lesson.problem"] = "There is nothing yet. Paste a lesson, or drop a file."
    elif len(text) > progress_store.LONGEST:
        st.session_state["lesson.problem"] = (
            f"The lesson has {len(text):,} characters; at most {progress_store.LONGEST:,} can be "
            "run. Shorten it."
        )
    else:
        progress_store.set_custom_text(text)
        st.session_state["lesson_text"] = text  # a file's text can be edited in the box, too
        state.enter(CUSTOM_SLUG, 0)


def open_or_end() -> PreparedLesson:
    """Return the custom lesson; if it is missing or invalid, say so and end the page."""
    text = progress_store.custom_text()
    if not text:
        heading("Lessons", "a lesson of your own")
        if progress_store.is_loading():
            st.caption("Getting your lesson back from this browser …")
            progress_store.sync()
        else:
            column = _next_to_exit()
            column.info("There is no lesson of your own in this browser. Drop one in, or paste it.")
            show_upload()
        url_state.end_early()
    found = results.result_of(
        results.key_of("lesson text", text), prepare_lesson, DOING, text, CUSTOM_SLUG
    )
    if isinstance(found, LessonError):
        heading("Lessons", "your lesson cannot be played yet")
        _show_error(text, found)
        url_state.end_early()
    return found


def _show_error(text: str, error: LessonError) -> None:
    """Show the error with the lines around it, and the upload controls."""
    _next_to_exit().error(escape_markdown(str(error)))
    first = max(error.line - 3, 0)
    near = [
        f"{'→' if n == error.line else ' '} {n:>4}  {escape_invisible(line)}"
        for n, line in enumerate(lines_of(text)[first : error.line + 2], start=first + 1)
    ]
    st.code("\n".join(near), language=None)
    show_upload()
    progress_store.sync()


def _next_to_exit() -> DeltaGenerator:
    """Show the button to all lessons in its usual place; return the column next to it."""
    column, exit_column = st.columns([6, 1])
    with exit_column:
        panels.exit_button()
    return column
