"""The path of one's own that is open, if any; its address keeps it: `lessons?path=own&lessons=…`.

The parameters stay in the address while one of its lessons is open, so a reload, and the link to a
stop, keep the path.
"""

import streamlit as st

from lessons.custom_path import DEFAULT_TITLE, OWN, CustomPath, read_path
from lessons.paths import IN_ORDER
from pages.shared.controls import url_state

_KEY = "lesson.path"
_PROBLEMS = "lesson.path problems"


def read_url() -> None:
    """Open the path of the address, or close it if the address has none any more."""
    name = url_state.incoming("path")
    if name == OWN:
        _read(st.query_params.get("lessons", ""), st.query_params.get("title", ""))
    elif name is not None:
        _forget()  # the list of all lessons reads which path to unfold
    elif is_open() and url_state.was_removed("path"):
        # A link back from a picture's own page has the lesson, but not the path.
        if st.query_params.get("lesson") in current().slugs:
            set_path(current())
        else:
            close()
    elif is_open():
        lessons, title = url_state.incoming("lessons"), url_state.incoming("title")
        if lessons is not None or title is not None:  # the user went back to an earlier form of it
            _read(lessons if lessons is not None else current().written, title or current().title)


def _read(written: str, title: str) -> None:
    path, problems = read_path(written, title)
    st.session_state[_PROBLEMS] = problems
    set_path(path)


def is_open() -> bool:
    """Return whether a path of one's own is open."""
    return _KEY in st.session_state


def current() -> CustomPath:
    """Return the open path; an empty one if none is open."""
    return st.session_state.get(_KEY, CustomPath(DEFAULT_TITLE, ()))


def problems() -> tuple[str, ...]:
    """Return a sentence for each part of the address that could not be read."""
    return st.session_state.get(_PROBLEMS, ())


def set_path(path: CustomPath) -> None:
    """Open a path, and write it to the address."""
    st.session_state[_KEY] = path
    url_state.set_param("path", OWN)
    url_state.set_param("lessons", path.written or None)
    url_state.set_unless_default("title", path.title, DEFAULT_TITLE)


def close() -> None:
    """Close the path: the list of all lessons is shown again."""
    _forget()
    url_state.set_param("path", None)


def _forget() -> None:
    st.session_state.pop(_KEY, None)
    st.session_state.pop(_PROBLEMS, None)
    for name in ("lessons", "title", "edit"):
        url_state.set_param(name, None)


def next_slug(slug: str) -> str | None:
    """Return the lesson that follows, on the open path if the lesson is on it."""
    if slug in current().slugs:
        return current().after(slug)
    here = IN_ORDER.index(slug) + 1 if slug in IN_ORDER else len(IN_ORDER)
    return IN_ORDER[here] if here < len(IN_ORDER) else None


def exit_label() -> str:
    """Return the label of the button that leads out of a lesson."""
    return "The whole path" if is_open() else "All lessons"
