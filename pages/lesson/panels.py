"""The panels of a lesson: its bar, the text and the question at a stop, and its end."""

from collections.abc import Sequence

import streamlit as st

from lessons import LESSONS
from lessons.claims import CLAIMS, check_claim
from lessons.custom_path import find_lesson
from lessons.format.errors import LessonError
from lessons.format.reading import Lesson
from lessons.format.words import count_of
from lessons.progress import STANDINGS
from lessons.questions.grading import Question
from lessons.stops import ResolvedStop
from pages.beliefs.panels import show_example
from pages.lesson import review, state
from pages.lesson.browser.components import END, NAV, QUESTION, with_engine
from pages.lesson.browser.question_json import question_json
from pages.lesson.path import path_state
from pages.lesson.state import LessonPosition
from pages.lesson.text import (
    AGAIN_HEADING,
    OPEN_TEXT,
    PROSE_LABEL,
    formula,
    from_stop,
    html_prose,
    parts,
)
from pages.shared.component_state import component_renderer, no_op
from pages.shared.controls.heading import heading
from pages.shared.controls.markdown import escape_markdown
from pages.shared.controls.url_state import end_early
from pages.shared.drawing.display_text import escape_invisible
from pages.shared.drawing.markup import html
from pages.shared.drawing.terms import first_occurrence_marker
from pages.sources.claims import html_claim
from tokenizers.experiments.beliefs.counterexamples import search

_mount_bar = component_renderer(with_engine(NAV))
_mount_question = component_renderer(with_engine(QUESTION))
_mount_end = component_renderer(with_engine(END))


def built_in_or_end(slug: str) -> Lesson:
    """Return the built-in lesson `slug`; if it can't be parsed, show the error and end the page."""
    try:
        return find_lesson(slug)
    except LessonError as error:
        heading("Lessons", "this lesson cannot be played")
        st.error(escape_markdown(f"{LESSONS[slug].name}: {error}"))
        exit_button()
        end_early()


def exit_button() -> None:
    """Show the button that leads to the list of all lessons."""
    if st.button(path_state.exit_label(), key="all_lessons"):
        state.enter("")
        st.rerun()  # the whole page, not the fragment that this stands in


def bar(here: LessonPosition) -> None:
    """Show the bar with back, forward, and each stop with its result.

    It is a single component, so that it keeps the focus while the rest changes; a screen reader
    announces the new stop's heading. It also reports to Python what the browser's engine knows.
    """
    data = {
        "lesson": here.key,
        "headings": _headings(here),
        "signs": STANDINGS,
        "server": here.message,
    }
    _mount_bar(key=state.BAR_KEY, data=data, on_engine_change=no_op)


def _headings(here: LessonPosition) -> list[str]:
    return [escape_invisible(stop.heading) for stop in here.lesson.stops]


def text(here: LessonPosition, resolved: ResolvedStop) -> None:
    """Show a stop's heading, text, question, and the related claims."""
    _title(AGAIN_HEADING if resolved.is_variant else resolved.stop.heading)
    if not resolved.is_variant:
        _prose(here, resolved)
    if resolved.question:
        _question(here, resolved.question)
    if resolved.is_variant:
        with st.expander(f"{PROSE_LABEL}: {escape_markdown(resolved.stop.heading)}"):
            _prose(here, resolved)
    if resolved.question is None or here.is_settled:
        _claims(resolved.stop.claims)  # before, they would give the answer away
        if resolved.question and resolved.question.counterexample:
            _counterexample(resolved.question.counterexample)


def _question(here: LessonPosition, asked: Question) -> None:
    """Show the question of a stop; each round in which it is asked has its own key.

    The browser grades the answer and shows the reply at once (lesson_engine.js), so the right
    answer is in the page's data, though not on the screen.
    """
    data = {
        "lesson": here.key,
        "at": here.stop,
        "key": here.attempt_key,
        "question": question_json(asked),
    }
    _mount_question(key="lesson.question", data=data)


def _prose(here: LessonPosition, resolved: ResolvedStop) -> None:
    mark_terms = first_occurrence_marker("text")
    for kind, blocks in parts(resolved.prose):
        if kind == "formula":
            st.latex(formula(blocks[0].source))
        else:
            linked = from_stop(blocks, here.back)
            st.html(html_prose(linked, resolved.stop.mark, mark_terms))


def _title(heading: str) -> None:
    st.html(html("<h2 class='pp-stop'>{}</h2>", escape_invisible(heading)))


def _claims(ids: Sequence[str]) -> None:
    """Show the claims with these ids, which are related to a stop, in a closed expander."""
    if not ids:
        return
    with st.expander(f"{count_of(len(ids), 'claim')} of other people, checked"):
        for id_ in ids:
            st.html(html_claim(check_claim(CLAIMS[id_])))


def _counterexample(belief: str) -> None:
    """Show the smallest corpus that refutes a true-or-false belief, with links to its runs."""
    found = search(belief)
    assert found.example
    letters = count_of(found.size, "letter")
    st.markdown(f"**The smallest case in which it fails**, {letters} in all:")
    show_example(found, found.example)


def end(here: LessonPosition) -> None:
    """Show the lesson's score, the questions that are still open, and where to go next."""
    _title("The end of the lesson")
    data = {"lesson": here.key, "headings": _headings(here), "openText": OPEN_TEXT}
    _mount_end(key="lesson.end", data=data)
    is_review = here.lesson.slug == state.REVIEW_SLUG
    after = review.next_slug() if is_review else path_state.next_slug(here.lesson.slug)
    if after:
        title = escape_markdown(built_in_or_end(after).title)
        if st.button(f"Next lesson: {title}", key="next_lesson"):
            state.enter(after, 0)
            st.rerun()  # the whole page, not the fragment that this stands in
