"""A lesson of one's own: one Markdown file, dropped in or pasted, that runs like the others.

It is played through before it starts, so that a mistake is refused with its line and its reason.
That is done in a worker, once for each text, whatever the file holds.
"""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from lessons import LESSONS
from lessons.format.errors import LessonError
from lessons.format.reading import lines_of
from pages.lessons import panels, progress_store, state
from pages.lessons.pictures.build_pictures import Opened, open_lesson
from pages.lessons.state import OWN
from pages.shared.controls import url_state
from pages.shared.controls.heading import heading
from pages.shared.controls.markdown import as_is
from pages.shared.corpus import uploads
from pages.shared.drawing.display_text import printable
from pages.shared.work import results
from tokenizers.errors import user_message

FORMAT = "write-your-own"
DOING = "Reading your lesson and making its pictures …"


def offer() -> None:
    """Offer to bring a lesson along, and the one that explains how such a file is written."""
    st.header("A lesson of your own")
    st.markdown(
        "A lesson is one Markdown file. Drop it here or paste it: it runs like the others, and "
        "stays in this browser. “Write your own” explains the format, and is written in it."
    )
    left, right = st.columns(2)
    with left:
        st.file_uploader(
            "The file of a lesson (.md)", ["md", "txt"], key="lesson_file", on_change=_take_file
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
            progress_store.own_text(),
            key="lesson_text",
            height=160,
            max_chars=progress_store.LONGEST,
        )
        st.button("Run this lesson", key="run_lesson", on_click=_take_text)
    if problem := st.session_state.pop("lesson.problem", ""):
        st.error(as_is(problem))


def _take_file() -> None:
    file = st.session_state["lesson_file"]
    content = uploads.content_of(file)
    if content is None:
        return
    try:
        _take(uploads.text_of_file(content, file.name))
    except ValueError as error:
        st.session_state["lesson.problem"] = user_message(error)


def _take_text() -> None:
    _take(st.session_state["lesson_text"])


def _take(text: str) -> None:
    if not text.strip():
        st.session_state["lesson.problem"] = "There is nothing yet. Paste a lesson, or drop a file."
    elif len(text) > progress_store.LONGEST:
        st.session_state["lesson.problem"] = (
            f"The lesson has {len(text):,} characters; at most {progress_store.LONGEST:,} can be run. "
            "Shorten it."
        )
    else:
        progress_store.keep_own(text)
        st.session_state["lesson_text"] = text  # a file's, too: it may have to be mended
        state.enter(OWN, 0)


def read() -> Opened:
    """Return the lesson of one's own; the page ends here where there is none, or a wrong one."""
    text = progress_store.own_text()
    if not text:
        heading("Lessons", "a lesson of your own")
        if progress_store.is_asking():
            st.caption("Getting your lesson back from this browser …")
            progress_store.keep()
        else:
            said = _beside_way_out()
            said.info("There is no lesson of your own in this browser. Drop one in, or paste it.")
            offer()
        url_state.end_early()
    found = results.result_of(results.key_of("lesson text", text), open_lesson, DOING, text, OWN)
    if isinstance(found, LessonError):
        heading("Lessons", "your lesson cannot be played yet")
        _refuse(text, found)
        url_state.end_early()
    return found


def _refuse(text: str, error: LessonError) -> None:
    """Say what is wrong in which line, and let the text be mended."""
    _beside_way_out().error(as_is(str(error)))
    first = max(error.line - 3, 0)
    near = [
        f"{'→' if n == error.line else ' '} {n:>4}  {printable(line)}"
        for n, line in enumerate(lines_of(text)[first : error.line + 2], start=first + 1)
    ]
    st.code("\n".join(near), language=None)
    offer()
    progress_store.keep()


def _beside_way_out() -> DeltaGenerator:
    """Offer the way to all lessons where a lesson has it; return what stands beside it."""
    said, way_out = st.columns([6, 1])
    with way_out:
        panels.way_out()
    return said
