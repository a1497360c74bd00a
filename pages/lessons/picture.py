"""The live picture of a lesson: the player, the stages of a text, or tokenizers side by side."""

from collections.abc import Mapping

import streamlit as st

from lessons.format.reading import Lesson, Stop
from lessons.pictures.plan import Plan
from lessons.pictures.planning import plan_for
from lessons.stops import ResolvedStop, pictures_of
from pages.lessons import state
from pages.lessons.pictures.build_pictures import make
from pages.lessons.pictures.lesson_picture import LessonPicture
from pages.lessons.pictures.links import link_to
from pages.lessons.state import LessonPosition
from pages.lessons.text import html_facts
from pages.pipeline.stage_table import stage_table
from pages.shared import component_state
from pages.shared.controls.markdown import escape_markdown
from pages.shared.player import Guide, go_to_step, player
from pages.shared.work import results

DOING = "Making the picture …"


def key_of(wanted: Plan) -> str:
    """Return the name of a picture's run, by its content."""
    return results.key_of("lesson", wanted)


def made(lesson: Lesson, stop: Stop) -> Mapping[str, LessonPicture]:
    """Return the pictures that a stop needs; the page ends here while one is not there yet."""
    plans = {name: plan_for(lesson, name) for name in pictures_of(lesson, stop)}
    return {
        name: results.result_of(key_of(wanted), make, DOING, wanted)
        for name, wanted in plans.items()
    }


def show(
    here: LessonPosition, scene: ResolvedStop, shown: LessonPicture, goal: int | None, large: bool
) -> None:
    """Show the picture of a stop; `goal` is where it is sent in this run, None: it stays."""
    if shown.recording:
        at = _played(here, scene, shown, goal, large)
    elif here.attempt.state == "open" and scene.until is not None:
        at = scene.at
        st.html(html_facts(shown.before))
        st.caption(shown.hides)
    elif shown.laid:
        at = _followed(scene, shown, goal, large)
    else:
        at = 0  # there are no steps
        for said, tiles in shown.rows:
            st.caption(escape_markdown(said))
            st.html(tiles)
    _under(scene, shown, at)


def _played(
    here: LessonPosition, scene: ResolvedStop, shown: LessonPicture, goal: int | None, large: bool
) -> int:
    """Show the player and return the step at which it rests."""
    film, stop = shown.recording, scene.stop
    assert film
    # Another key where a stop asks for a rule: the player keeps the one that the learner chose.
    key = f"lesson.player.{stop.rule or 'free'}"
    steps = st.session_state.setdefault("lesson.steps", {})
    if goal is not None:
        go_to_step(key, goal)
        steps[film.key] = goal
    asks = scene.question is not None and here.attempt.state == "open"
    asked = Guide(
        stop.mark, scene.until, scene.masked_parts, has_predictions=False, shows_question=True
    )
    steps[film.key] = player(
        film,
        key=key,
        step=steps.get(film.key, scene.at),
        presenter=large,
        rule=int(stop.rule == "sum"),
        guide=asked
        if asks
        else Guide(stop.mark, has_predictions=False, shows_question=scene.question is not None),
    )
    return steps[film.key]


def _followed(scene: ResolvedStop, shown: LessonPicture, goal: int | None, large: bool) -> int:
    """Show the stages of a text and return the token that is marked, from 1."""
    assert shown.laid
    name = key_of(shown.plan)
    if goal:
        component_state.set_from_server("rail", name, goal - 1)
    at = stage_table(shown.laid.table, name, large)
    return scene.at and at + 1


def _under(scene: ResolvedStop, shown: LessonPicture, at: int) -> None:
    """Offer the way back to the stop, and the picture's own page."""
    link = link_to(shown.plan, at, scene.stop.rule)
    left, right = st.columns(2)
    if at != scene.at:
        left.button("Back to this stop", key="back_to_stop", on_click=state.reset_picture)
    if link:
        page, query = link
        right.page_link(page, label="Open this picture on its own page", query_params=dict(query))
