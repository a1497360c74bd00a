"""The page of a path of one's own: its lessons with the visitor's progress, and its files."""

from functools import partial

import streamlit as st

from lessons.custom_path import CustomPath, find_lesson
from lessons.format.words import count_of
from lessons.paths import minutes
from pages.lesson import lesson_list
from pages.lesson.browser import progress_store
from pages.lesson.export import path_files
from pages.lesson.export.scorm import EDITIONS
from pages.lesson.export_menu import PLATFORMS, app_url
from pages.lesson.path import path_editor, path_state
from pages.shared.controls.heading import heading
from pages.shared.controls.markdown import escape_markdown
from pages.shared.export.catalog import ExportCatalog, ExportItem
from pages.shared.export.menu import fill_files_menu, open_menu
from pages.shared.work import results

_SITE_NOTE = (
    "A zip with a page that lists the lessons, and each lesson as a file: it runs on any machine, "
    "without a network, and keeps the progress in that browser."
)
_SCORM_NOTE = (
    "All lessons of this path in one package (SCORM {}): the platform lists them in this order, "
    "keeps a score for each, and brings learners back to where they left off."
)


def show() -> None:
    """Show the open path: the lesson to go on with, and all of its lessons."""
    path = path_state.current()
    actions = heading(path.title, _purpose(path), marks_terms=False)
    box = open_menu(actions)
    for problem in path_state.problems():
        st.warning(escape_markdown(problem))
    is_edited = path_editor.is_open(path)
    if is_edited:
        path_editor.show(path)
    elif path.parts:
        current = next((slug for slug in path.slugs if not lesson_list.is_done(slug)), None)
        if current:
            lesson_list.continue_button(current)
        with st.container(key="paths"):
            lesson_list.list_lessons(path.slugs)
    with st.container(horizontal=True):
        if not is_edited:
            st.button("Change this path", key="edit_path", on_click=path_editor.open_editor)
        elif path.parts:
            path_editor.done_button()
        st.button("All lessons", key="close_path", on_click=path_state.close)
    fill_files_menu(box, partial(_catalog, path))
    progress_store.sync()


def show_start() -> None:
    """Show the button that begins a path of one's own, below all lessons."""
    st.header("A path of your own")
    st.markdown(
        "Choose lessons, or single stops of them, in your order. The address is the path: send it "
        "to a class, with the progress of each student in their own browser."
    )
    st.button("Put a path together", key="new_path", on_click=path_editor.start)


def _purpose(path: CustomPath) -> str:
    if not path.parts:
        return "choose lessons, or single stops of them; the address is the path"
    done = sum(map(lesson_list.is_done, path.slugs))
    total = sum(minutes(find_lesson(slug)) for slug in path.slugs)
    return f"{done} of {count_of(len(path.parts), 'lesson')} done · about {total} minutes"


def _catalog(path: CustomPath) -> ExportCatalog:
    """Return the files of a path, each made by a worker when it is downloaded."""
    if not path.parts:
        return ExportCatalog()
    app = app_url()

    def make(kind: str) -> bytes:
        key = results.key_of("path", kind, path, app)
        return results.file_of(key, path_files.make_path, path, kind, app)

    site = ExportItem(
        "This path as HTML files", "path.zip", partial(make, path_files.SITE), _SITE_NOTE
    )
    packages = [
        ExportItem(
            f"For {PLATFORMS[edition]} (SCORM {edition})",
            f"path-scorm-{edition}.zip",
            partial(make, edition),
            _SCORM_NOTE.format(edition),
        )
        for edition in EDITIONS
    ]
    return ExportCatalog((site,), packages=tuple(packages))
