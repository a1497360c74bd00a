"""The list of lessons: each path as a line of dots, and the lesson with which to go on."""

from collections.abc import Mapping, Sequence

import streamlit as st

from lessons import LESSONS, lesson
from lessons.custom_path import describe_stops, find_lesson, read_part
from lessons.format.errors import LessonError
from lessons.format.reading import Lesson
from lessons.format.words import count_of
from lessons.paths import IN_ORDER, PATHS, WITHOUT_PATH, minutes
from lessons.progress import READ, SHOWN, UNSEEN, Score, read_marks
from pages.lesson import state
from pages.lesson.browser import progress_store
from pages.shared.controls import url_state
from pages.shared.controls.markdown import escape_markdown
from pages.shared.drawing.markup import html
from pages.shared.routes import CONTINUE

DONE = "●", ":material/check_circle:"
BEGUN = "◐", ":material/clock_loader_40:"
NEW = "○", ":material/radio_button_unchecked:"
"""The dot of a lesson in the line of a folded path, and before its title."""


def open_where_left_off() -> None:
    """If the URL asks for it, open the lesson at which the visitor left off; may end the page."""
    if url_state.incoming("lesson") != CONTINUE:
        return
    if progress_store.is_loading():
        st.caption("Looking up where you left off …")
        progress_store.sync()
        url_state.end_early()
    slug = to_continue(progress_store.marks())
    url_state.set_param("lesson", slug)
    state.enter(slug, _first_open(lesson(slug)))


def to_continue(marks: Mapping[str, str]) -> str:
    """Return the lesson to go on with: the one begun last that is not done, else the next new one.

    `marks` are in the order in which the lessons were begun. Once all are done, it is the first.
    """
    begun = [slug for slug in marks if slug in IN_ORDER and set(marks[slug]) - {UNSEEN}]
    unfinished = [slug for slug in begun if not is_done(slug)]
    if unfinished:
        return unfinished[-1]
    after = IN_ORDER[IN_ORDER.index(begun[-1]) + 1 :] if begun else ()
    return next((slug for slug in (*after, *IN_ORDER) if not is_done(slug)), IN_ORDER[0])


def is_done(slug: str) -> bool:
    found = _standing(slug)
    return found is not None and found.is_done


def _standing(slug: str) -> Score | None:
    """Return how far the visitor has come in a lesson; None if it can't be parsed."""
    try:
        return state.standing(find_lesson(slug))
    except LessonError:
        return None


def _dot(found: Score | None) -> tuple[str, str]:
    if found is None or not found.seen:
        return NEW
    return DONE if found.is_done else BEGUN


def _first_open(one: Lesson) -> int:
    """Return the stop to go on with, by its index.

    It is the first that was not seen or whose question was not answered, else the first whose
    answer was shown, else the first of all.
    """
    marks = read_marks(progress_store.marks().get(one.slug), len(one.stops))
    asks = [stop.ask is not None for stop in one.stops]
    for open_signs in ((UNSEEN, READ), (SHOWN,)):
        for n, (sign, is_asked) in enumerate(zip(marks, asks, strict=True)):
            if sign in open_signs and (is_asked or sign == UNSEEN):
                return n
    return 0


def all_lessons() -> None:
    """Show the lesson to go on with, and every path; the path of that lesson is unfolded."""
    current = to_continue(progress_store.marks())
    wanted = url_state.incoming("path")
    if wanted is not None:
        url_state.set_param("path", wanted if wanted in PATHS else None)
    opened = url_state.last_set("path") or next(
        name for name, path in PATHS.items() if current in path.slugs
    )
    continue_button(current)
    with st.container(key="paths"):
        for name, path in PATHS.items():
            dots = "".join(_dot(_standing(slug))[0] for slug in path.slugs)
            done = sum(map(is_done, path.slugs))
            count = f"{done} of {count_of(len(path.slugs), 'lesson')} done"
            label = f"**{path.title}**\u2003{dots}\u2003{count} · about {path.minutes} minutes"
            with st.expander(label, expanded=name == opened):
                st.caption(path.purpose)
                list_lessons(path.slugs)
        with st.expander("**For those who write lessons**"):
            list_lessons([slug for slug in LESSONS if slug in WITHOUT_PATH])


def continue_button(slug: str) -> None:
    """Show the button to the lesson to go on with."""
    one, found = find_lesson(slug), _standing(slug)
    is_begun = found is not None and found.seen > 0
    stop = _first_open(one)
    where = f", stop {stop + 1} of {len(one.stops)}" if is_begun else ""
    st.button(
        f"{'Continue here' if is_begun else 'Start here'}: **{escape_markdown(one.title)}**{where}",
        key="continue",
        type="primary",
        on_click=state.enter,
        args=(slug, stop),
        icon=":material/arrow_forward:",
    )


def _title(slug: str) -> str:
    """Return a lesson's title, with its stops if it is a part of one."""
    stops = describe_stops(read_part(slug))
    title = find_lesson(slug).title
    return f"{title}, {stops}" if stops else title


def list_lessons(slugs: Sequence[str]) -> None:
    """List a learning path's lessons, with numbers, as a line of dots."""
    for number, slug in enumerate(slugs, start=1):
        try:
            one = find_lesson(slug)
        except LessonError as error:
            st.error(escape_markdown(f"{number}. {LESSONS[slug].name}: {error}"))
            continue
        found = state.standing(one)
        name, purpose = st.columns([3, 7], vertical_alignment="top")
        name.button(
            f"{number}. {escape_markdown(_title(slug))}",
            key=f"open {slug}",
            type="tertiary",
            on_click=state.enter,
            args=(slug, 0 if found.is_done else None),
            icon=_dot(found)[1],
            width="stretch",
        )
        purpose.html(
            html(
                '<p class="pp-lesson-row">{} <span>{} minutes · {}</span></p>',
                *(one.purpose, minutes(one), found.describe()),
            )
        )
