"""Put together a path of one's own: add lessons, choose their stops, and move them."""

from dataclasses import replace

import streamlit as st

from lessons import lesson
from lessons.custom_path import (
    DEFAULT_TITLE,
    LONGEST_TITLE,
    MOST_PARTS,
    CustomPath,
    LessonPart,
    describe_stops,
    path_parts,
    read_stops,
    read_title,
)
from lessons.format.words import count_of
from lessons.paths import IN_ORDER, PATHS
from pages.lesson.path import path_state
from pages.shared.controls import url_state
from pages.shared.controls.markdown import escape_markdown
from tokenizers.errors import UserError, user_message

_ADD = "path_add"
_PROBLEM = "lesson.path problem"
_HOW = (
    "The address of this page is the path: copy it, or take its QR code under *Take it with you*. "
    "Nothing is stored on the server."
)


def is_open(path: CustomPath) -> bool:
    """Return whether the path is being changed; an empty path always is."""
    value = url_state.incoming("edit")
    if value is not None:
        url_state.set_switch("edit", value == "1")
    if not path.parts:
        open_editor()  # and it stays open when a lesson has been added
    return url_state.last_set("edit") == "1"


def open_editor() -> None:
    """Open the editor."""
    url_state.set_switch("edit", is_on=True)


def start() -> None:
    """Open an empty path, to put lessons into."""
    path_state.set_path(CustomPath(DEFAULT_TITLE, ()))
    open_editor()


def show(path: CustomPath) -> None:
    """Show a path's title and parts to change, and the choice of lessons to add."""
    left, right = st.columns(2)
    with left:
        title = "" if path.title == DEFAULT_TITLE else path.title
        st.text_input(
            "Title",
            title,
            key="path_title",
            max_chars=LONGEST_TITLE,
            placeholder="Until Friday",
            on_change=_set_title,
        )
    with right:
        st.selectbox(
            "Add a lesson, or all lessons of a path",
            [*PATHS, *IN_ORDER],
            index=None,
            key=_ADD,
            format_func=_label,
            placeholder="Choose one",
            on_change=_add,
        )
    if problem := st.session_state.pop(_PROBLEM, ""):
        st.error(escape_markdown(problem))
    for n, part in enumerate(path.parts):
        _row(n, part, len(path.parts))
    if path.parts:
        st.caption(_HOW)


def done_button() -> None:
    """Show the button that closes the editor."""
    st.button("Done", key="path_done", type="primary", on_click=_close_editor)


def _label(name: str) -> str:
    if name in PATHS:
        return f"All of “{PATHS[name].title}”: {count_of(len(PATHS[name].slugs), 'lesson')}"
    return lesson(name).title


def _row(n: int, part: LessonPart, number: int) -> None:
    """Show a part with its stops, and the buttons that move or remove it."""
    one = lesson(part.slug)
    name, stops, buttons = st.columns([5, 2, 2], vertical_alignment="bottom")
    name.markdown(f"**{n + 1}. {escape_markdown(one.title)}**")
    stops.text_input(
        f"Stops, of {len(one.stops)}",
        describe_stops(part).partition(" ")[2],
        key=_stops_key(n, part),
        placeholder="all",
        max_chars=60,
        on_change=_set_stops,
        args=(n, part),
    )
    with buttons.container(horizontal=True, gap="small"):
        for label, direction, where, is_off in (
            ("Up", "up", n - 1, n == 0),
            ("Down", "down", n + 1, n + 1 == number),
        ):
            st.button(
                label,
                key=f"path_{direction} {n}",
                help=f"Move “{one.title}” {direction}",
                disabled=is_off,
                on_click=_move,
                args=(n, where),
            )
        st.button(
            "Remove",
            key=f"path_remove {n}",
            help=f"Remove “{one.title}”",
            on_click=_remove,
            args=(n,),
        )


def _stops_key(n: int, part: LessonPart) -> str:
    return f"path_stops {n} {part.written}"


def _change(parts: list[LessonPart]) -> None:
    path_state.set_path(replace(path_state.current(), parts=tuple(parts)))


def _set_title() -> None:
    title = read_title(st.session_state["path_title"])
    path_state.set_path(replace(path_state.current(), title=title))


def _add() -> None:
    name = st.session_state[_ADD]
    if name is None:
        return
    st.session_state[_ADD] = None
    parts = list(path_state.current().parts)
    added = path_parts(PATHS[name]) if name in PATHS else (LessonPart(name),)
    new = [part for part in added if part not in parts]
    if not new:
        st.session_state[_PROBLEM] = (
            "This is in the path already. To have a part of a lesson twice, choose its stops first."
        )
    elif len(parts) + len(new) > MOST_PARTS:
        st.session_state[_PROBLEM] = f"A path has at most {MOST_PARTS} parts. Remove some first."
    else:
        _change([*parts, *new])


def _set_stops(n: int, part: LessonPart) -> None:
    parts = list(path_state.current().parts)
    try:
        changed = LessonPart(
            part.slug, read_stops(part.slug, st.session_state[_stops_key(n, part)])
        )
    except UserError as error:
        st.session_state[_PROBLEM] = user_message(error)
        return
    if changed in parts and changed != part:
        st.session_state[_PROBLEM] = "These stops are in the path already."
        return
    parts[n] = changed
    _change(parts)


def _move(n: int, where: int) -> None:
    parts = list(path_state.current().parts)
    parts.insert(where, parts.pop(n))
    _change(parts)


def _remove(n: int) -> None:
    parts = list(path_state.current().parts)
    parts.pop(n)
    _change(parts)


def _close_editor() -> None:
    url_state.set_switch("edit", is_on=False)
