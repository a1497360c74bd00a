"""A lesson's live picture: the player, a text's stages in a tokenizer, or rows of tokens."""

from collections.abc import Mapping

import streamlit as st

from lessons.format.reading import Lesson, Stop
from lessons.pictures.plan import Plan
from lessons.pictures.planning import plan_for
from lessons.stops import ResolvedStop, pictures_of
from pages.lesson import state
from pages.lesson.pictures.build_pictures import build_picture
from pages.lesson.pictures.lesson_picture import LessonPicture
from pages.lesson.pictures.links import link_to
from pages.lesson.state import LessonPosition
from pages.lesson.text import html_facts
from pages.pipeline.stage_table import stage_table
from pages.shared import component_state
from pages.shared.controls.markdown import escape_markdown
from pages.shared.player import Guide, go_to_step, player
from pages.shared.work import results

DOING = "Making the picture …"


def key_of(wanted: Plan) -> str:
    """Return the cache key of a picture, which is a hash of its plan."""
    return results.key_of("lesson", wanted)


def pictures_for(lesson: Lesson, stop: Stop) -> Mapping[str, LessonPicture]:
    """Return a stop's pictures by name; end the page while one is still being built."""
    plans = {name: plan_for(lesson, name) for name in pictures_of(lesson, stop)}
    return {
        name: results.result_of(key_of(wanted), build_picture, DOING, wanted)
        for name, wanted in plans.items()
    }


def show(
    here: LessonPosition,
    resolved: ResolvedStop,
    picture: LessonPicture,
    target: int | None,
) -> None:
    """Show a stop's picture; unless `target` is None, move the picture to this position first."""
    if picture.recording:
        at = _show_player(here, resolved, picture, target)
    elif not here.is_settled and resolved.until is not None:
        at = resolved.at
        st.html(html_facts(picture.preview))
        st.caption(picture.hidden_note)
    elif picture.stages:
        at = _show_stages(resolved, picture, target)
    else:
        at = 0  # there are no steps
        for caption, tiles in picture.rows:
            st.caption(escape_markdown(caption))
            st.html(tiles)
    _show_links(here, resolved, picture, at)


def _show_player(
    here: LessonPosition,
    resolved: ResolvedStop,
    picture: LessonPicture,
    target: int | None,
) -> int:
    """Show the player and return its current step."""
    recording, stop = picture.recording, resolved.stop
    assert recording
    # Each rule has its own key because the player would otherwise keep the learner's choice.
    key = f"lesson.player.{stop.rule or 'free'}"
    steps = st.session_state.setdefault("lesson.steps", {})
    if target is not None:
        go_to_step(key, target)
        steps[recording.key] = target
    asks = resolved.question is not None and not here.is_settled
    asked = Guide(
        stop.mark, resolved.until, resolved.masked_parts, has_predictions=False, shows_question=True
    )
    steps[recording.key] = player(
        recording,
        key=key,
        step=steps.get(recording.key, resolved.at),
        rule=int(stop.rule == "sum"),
        guide=asked
        if asks
        else Guide(stop.mark, has_predictions=False, shows_question=resolved.question is not None),
    )
    return steps[recording.key]


def _show_stages(resolved: ResolvedStop, picture: LessonPicture, target: int | None) -> int:
    """Show a text's stages and return the selected token's number, counted from 1."""
    assert picture.stages
    name = key_of(picture.plan)
    if target:
        component_state.set_from_server("stage_table", "token", name, target - 1)
    at = stage_table(picture.stages.table, name)
    return resolved.at and at + 1


def _show_links(
    here: LessonPosition, resolved: ResolvedStop, picture: LessonPicture, at: int
) -> None:
    """Show the button back to the stop's position, and a link to the picture's own page."""
    link = link_to(picture.plan, at, resolved.stop.rule)
    left, right = st.columns(2)
    if at != resolved.at:
        left.button("Back to this stop", key="back_to_stop", on_click=state.reset_picture)
    if link:
        page, query = link
        label = "Open this picture on its own page"
        right.page_link(page, label=label, query_params=dict(query) | {"back": here.back}, help="")
