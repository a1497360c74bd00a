"""A lesson's menu “Take it with you”, which offers HTML, Markdown, SCORM and worksheets."""

from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from lessons.custom_path import is_lesson, lesson_text
from lessons.format.errors import LessonError
from lessons.format.reading import Lesson
from pages.lesson.browser import progress_store
from pages.lesson.export.lesson_html import SiteContext, lesson_html
from pages.lesson.export.scorm import EDITIONS, package
from pages.lesson.export.worksheet import lesson_worksheets
from pages.lesson.pictures.build_pictures import part_of, prepare_lesson
from pages.shared.controls import url_state
from pages.shared.export import menu
from pages.shared.export.catalog import ExportCatalog, ExportItem, WorksheetExport
from pages.shared.work import results

DOING = "Making the pictures of the whole lesson …"
_HTML_NOTE = (
    "Text, pictures and questions in one file: it runs on any machine, without a network, and "
    "keeps your progress in that browser. A folded part at its end has the note for teachers."
)
_MARKDOWN_NOTE = (
    "To change it and run it again: drop it under “A lesson of your own”, at the end of the list."
)
_WORKSHEET_NOTE = (
    "Pages to print, on A4 or Letter: this lesson's questions, and after them the answers with "
    "their reasons. Every sheet asks the same, with the options in another order. The same seed "
    "gives the same sheets again."
)
PLATFORMS = {"1.2": "Moodle and others", "2004": "other platforms"}
_SCORM_NOTES = {
    "1.2": "The whole lesson for a learning platform. It reports the score and what has been seen, "
    "and brings learners back to the stop where they left off.",
    "2004": "The same, for a platform that asks for the newer edition.",
}


def show_menu(lesson: Lesson, place: DeltaGenerator) -> None:
    """Show a lesson's export menu in `place`; end the page while its pictures are being built."""
    box = menu.open_menu(place)
    if box is None:
        return
    slug = lesson.slug
    is_custom = not is_lesson(slug)
    written = progress_store.custom_text() if is_custom else lesson_text(slug)
    with box:
        # custom_lesson.py has prepared a custom lesson already, with the same key. Built-in lessons
        # have another key, since a custom lesson's text may be the same as theirs.
        name = ("lesson text",) if is_custom else ("lesson", slug.partition("~")[0])
        found = results.result_of(
            results.key_of(*name, written), prepare_lesson, DOING, written, slug.partition("~")[0]
        )
    if isinstance(found, LessonError):
        url_state.end_early()  # the page says what is wrong with it
    found = part_of(found, lesson)
    make = partial(lesson_html, found, SiteContext(app_url()))
    with_note = partial(lesson_html, found, SiteContext(app_url(), for_teachers=True))
    whole = ExportItem("This lesson as one HTML file", f"{slug}.html", with_note, _HTML_NOTE)
    markdown = ExportItem("The lesson as Markdown", f"{slug}.md", lambda: written, _MARKDOWN_NOTE)
    packages = [
        ExportItem(
            f"For {PLATFORMS[edition]} (SCORM {edition})",
            f"{slug}-scorm-{edition}.zip",
            lambda edition=edition: package(make(), lesson.title, slug, edition),
            _SCORM_NOTES[edition],
        )
        for edition in EDITIONS
    ]
    handout = WorksheetExport(
        f"{slug}-worksheet", partial(lesson_worksheets, found), _WORKSHEET_NOTE
    )
    menu.fill_menu(
        box,
        lesson.title,
        lambda: whole,
        ExportCatalog((markdown,), worksheet=handout, packages=tuple(packages)),
    )


def app_url() -> str:
    """Return the base URL of the app; "" if unknown."""
    url = (st.context.url or "").rstrip("/")
    return url.removesuffix("/lessons") if url.startswith(("http://", "https://")) else ""
