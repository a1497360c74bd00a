"""The panels that show the list of lessons, the text at a lesson's stop, and a lesson's end."""

from collections.abc import Sequence

import streamlit as st

from lessons import LESSONS
from lessons.claims import CLAIMS, check_claim
from lessons.custom_path import find_lesson
from lessons.format.errors import LessonError
from lessons.format.reading import Lesson
from lessons.format.words import count_of
from lessons.stops import ResolvedStop
from pages.beliefs.panels import show_example
from pages.lesson import nav, path_state, question, review, state
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
from pages.shared.controls.heading import heading
from pages.shared.controls.markdown import escape_markdown
from pages.shared.controls.url_state import end_early
from pages.shared.drawing.display_text import escape_invisible
from pages.shared.drawing.markup import html
from pages.shared.drawing.terms import first_occurrence_marker
from pages.sources.claims import html_claim
from tokenizers.experiments.beliefs.counterexamples import search


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


def text(here: LessonPosition, resolved: ResolvedStop) -> None:
    """Show a stop's heading, text, question, and the related claims."""
    _title(AGAIN_HEADING if resolved.is_variant else resolved.stop.heading)
    if not resolved.is_variant:
        _prose(here, resolved)
    if resolved.question:
        origin = nav.next_revision(), here.stop
        is_asked_first = not here.round and not here.attempt.tries
        is_first = is_asked_first and here.stop not in state.first_answers(here.lesson)
        question.show(resolved.question, here.attempt_key, here.attempt, origin, is_first)
    if resolved.is_variant:
        with st.expander(f"{PROSE_LABEL}: {escape_markdown(resolved.stop.heading)}"):
            _prose(here, resolved)
    if resolved.question is None or here.attempt.state != "open":
        _claims(resolved.stop.claims)  # before, they would give the answer away
        if resolved.question and resolved.question.counterexample:
            _counterexample(resolved.question.counterexample)


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


def made_good_text(number: int) -> str:
    """Say how many questions were right only when they were asked again."""
    them = "it was" if number == 1 else "they were"
    return f"You got {number:,} more right when {them} asked again, after the answer was shown."


def end(here: LessonPosition) -> None:
    """Show the lesson's score, the questions that are still open, and where to go next."""
    standing = state.standing(here.lesson)
    _title("The end of the lesson")
    if standing.questions:
        right = f"{standing.right} of {count_of(standing.questions, 'question')}"
        st.markdown(f"You have answered **{right}** right.")
        if standing.made_good:
            st.markdown(made_good_text(standing.made_good))
    if open_stops := here.open_stops:
        st.markdown(OPEN_TEXT)
        names = [here.lesson.stops[n].heading for n in open_stops]
        st.markdown("\n".join(f"1. {escape_markdown(name)}" for name in names))
        st.button(
            f"Go over {count_of(len(open_stops), 'open question')}",
            key="review",
            type="primary",
            on_click=state.review,
            args=(here,),
        )
    elif standing.questions:
        st.markdown("Nothing is left open.")
    left, right, _ = st.columns([1, 1, 2])
    left.button("Begin it again", key="anew", on_click=state.restart, args=(here,))
    is_review = here.lesson.slug == state.REVIEW_SLUG
    after = review.next_slug() if is_review else path_state.next_slug(here.lesson.slug)
    if after:
        title = escape_markdown(built_in_or_end(after).title)
        if right.button(f"Next lesson: {title}", key="next_lesson"):
            state.enter(after, 0)
            st.rerun()  # the whole page, not the fragment that this stands in
