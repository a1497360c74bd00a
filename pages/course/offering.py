"""A lesson in the menu “Take it with you”: as a file that plays by itself, and as Markdown."""

import streamlit as st

from lessons import LESSONS
from lessons.format.reading import Lesson
from pages.course import memory
from pages.course.taken.lesson_file import Around, lesson_file
from pages.shared.controls.settings import NORMALIZERS
from pages.shared.taking import menu
from pages.shared.taking.offer import Item, Offer
from pages.shared.work import results

DOING = "Making the pictures of the whole lesson …"
_RUNS = (
    "Text, pictures and questions in one file: it runs on any machine, without a network, and "
    "keeps your progress in that browser."
)
_WRITTEN = (
    "To change it and run it again: drop it under “A lesson of your own”, at the end of the list."
)


def offer(lesson: Lesson) -> None:
    """Offer to take a lesson along; the page ends here while its file is being made."""
    box = menu.opened()
    if box is None:
        return
    slug = lesson.slug
    path = LESSONS.get(slug)
    written = path.read_text(encoding="utf-8") if path else memory.own_text()
    asked = written, slug, NORMALIZERS, Around(_app())
    with box:
        key = results.key_of("lesson file", *asked)
        file = results.result_of(key, lesson_file, DOING, *asked)
    whole = menu.Whole("This lesson as one HTML file", _RUNS, f"{slug}.html", lambda: file)
    item = Item("The lesson as Markdown", f"{slug}.md", lambda: written, _WRITTEN)
    menu.fill(box, lesson.title, whole, Offer((item,)))


def _app() -> str:
    """Return the address of the app without that of this page; empty where it is not known."""
    url = (st.context.url or "").rstrip("/")
    return url.removesuffix("/lessons") if url.startswith(("http://", "https://")) else ""
