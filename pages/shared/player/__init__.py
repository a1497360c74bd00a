"""The player: a component that steps through a recording and reports the learner's position.

This module decides when and what to send to the browser; `message.py` packs the message,
`synced_state.py` reconciles the browser's reports with the page's values. `assets.py` assembles the
browser side from `player.html`, CSS and JavaScript:

- `recording.js` unpacks frames, `player.js` moves, `painting.js` and `picture/` draw,
- `predicting.js` asks for predictions, `classroom/` collects a class's answers as codes,
- `jump.js`, `keyboard.js`, `code.js`, `glossary.js` and `presenter.js` add what their names say,
- `idle_sync.js` debounces reports to Python, `step_listener.js` reruns one fragment for them.

`pages/shared/recording/frame_types.py` describes a recording.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import streamlit as st
from streamlit.components.v2 import component

from pages.shared.component_state import no_op
from pages.shared.controls import url_state
from pages.shared.player.assets import CSS, HTML, JS, STEP_LISTENER_JS
from pages.shared.player.message import NO_GUIDE, Guide, pack_message
from pages.shared.player.synced_state import (
    Arcs,
    SyncedState,
    accept_client_value,
    parse_path_report,
    parse_report,
    sync_path,
    sync_rule,
    sync_step,
)
from pages.shared.recording import registry
from pages.shared.recording.frame_types import Recording
from pages.shared.routes import START

_mount = component("piece_by_piece_player", html=HTML, css=CSS, js=JS)
_step_listener = component("piece_by_piece_step_listener", js=STEP_LISTENER_JS)


def player(
    recording: Recording,
    *,
    key: str,
    step: int = 0,
    step_param: str = "",
    is_own_step: bool = False,
    rule: int = 0,
    rule_param: str = "",
    path: Arcs = (),
    implicit_params: Mapping[str, str] | None = None,
    guide: Guide = NO_GUIDE,
    lazy: bool = False,
) -> int:
    """Show a recording and return the learner's step, 0 to `recording.last`.

    `step`, `rule` (0 or 1, in a recording with two rules) and `path` (the learner's path through a
    lattice, as arc numbers) change the player only when they change to a value that it did not
    report itself. If `is_own_step`, it wrote `step` to the URL itself, perhaps without a report.
    `step_param` and `rule_param` are the URL parameters that hold step and rule; `implicit_params`
    are written along with them (`url_state.set_implicit`).
    `guide` restricts the player in a lesson. If `lazy`, the browser reports its step only while a
    `step_fragment` is visible, or just before another widget is used.
    """
    registry.register(recording)
    furthest = recording.last if guide.until is None else min(max(guide.until, 0), recording.last)
    step = min(step, furthest)
    states: dict[str, SyncedState[Any]] = {
        "step": sync_step(
            _state(key, "step"), recording, step, _latest_step_report(key), is_own=is_own_step
        ),
        "rule": sync_rule(_state(key, "rule"), recording, int(rule), _client_value(key, "rule")),
        "path": sync_path(_state(key, "path"), recording, path, _client_value(key, "path")),
    }
    for name, state in states.items():
        st.session_state[f"{key}.{name}"] = state
    url_params = {"step": step_param, "rule": rule_param}
    page = "" if url_state.page() == START else url_state.page()
    options = {
        "implicit_params": implicit_params,
        "guide": guide,
        "lazy": lazy,
        "page": page,
        "has_room": guide.has_predictions,
    }
    _mount(
        key=key,
        data=build_message(
            recording,
            states,
            key,
            _client_value(key, "requested"),
            url_params=url_params,
            **options,
        ),
        on_step_change=no_op,
        on_rule_change=no_op,
        on_path_change=no_op,
        on_requested_change=no_op,
    )
    return min(states["step"].current, furthest)


def stepper(recording: Recording, run: str, **more: Any) -> int:
    """Show a lazy `player` and keep its step in the URL; `run` is the key of the run.

    Draw what depends on the step in a `step_fragment`: stepping causes no rerun while none is
    visible.
    """
    begin = url_state.step(run, recording.last)
    params = url_state.implicit_params()
    k = player(
        recording,
        step=begin,
        step_param="step",
        is_own_step=not url_state.take_navigation(),
        implicit_params=params,
        lazy=True,
        **more,
    )
    url_state.set_step(run, k)
    return k


def step_fragment(recording: Recording, run: str, draw: Callable[[int], None], *, key: str) -> None:
    """Call `draw` with the step of the `stepper` named `key`, and again after each change.

    Only this fragment reruns then, not the part of the page with the stepper.
    """

    @st.fragment
    def fragment() -> None:
        _step_listener(key=f"step_listener_{key}", data={"player": key}, on_step_change=no_op)
        with st.container(key="step_fragment"):
            draw(_sync_fragment_step(recording, run, key))

    fragment()


def _sync_fragment_step(recording: Recording, run: str, key: str) -> int:
    """Accept the newest reported step, write it to the URL and return it."""
    before = st.session_state[f"{key}.step"]
    state = sync_step(before, recording, before.page_value, _latest_step_report(key))
    st.session_state[f"{key}.step"] = state
    if state.current != before.current:
        url_state.set_step(run, state.current)
    return state.current


def _latest_step_report(key: str) -> object:
    """Return the newer of the step reports by the player and by its step listener."""
    reports = _client_value(key, "step"), _client_value(f"step_listener_{key}", "step")
    return max(reports, key=_report_time)


def _report_time(report: object) -> int:
    match report:
        case [int(), int(), int(milliseconds)]:
            return milliseconds
    return 0 if report else -1


def go_to_step(key: str, step: int) -> None:
    """Move the player `key` to a step at the next rerun; call this in callbacks."""
    state = _state(key, "step")
    if state:
        st.session_state[f"{key}.step"] = replace(
            state,
            server_value=step,
            current=step,
            revision=state.revision + 1,
            echoes=(*state.echoes, step),
        )


def current_rule(key: str) -> int:
    """Return the rule, 0 or 1, by which the player `key` shows its recording."""
    state = _state(key, "rule")
    report = parse_report(_client_value(key, "rule"))
    return accept_client_value(state, report).current if state else 0


def user_path(key: str, recording: Recording) -> Arcs:
    """Return the learner's path through this recording's lattice, as arcs from left to right."""
    state = _state(key, "path")
    if state is None or state.recording_key != recording.key:
        return ()
    report = parse_path_report(recording, _client_value(key, "path"))
    return accept_client_value(state, report).current


def _state(key: str, name: str) -> SyncedState[Any] | None:
    return st.session_state.get(f"{key}.{name}")


def _client_value(component: str, name: str) -> object:
    """Return what the browser last sent for a player or step listener under this name."""
    return (st.session_state.get(component) or {}).get(name)


# ---- messages ----


def build_message(
    recording: Recording,
    states: Mapping[str, SyncedState[Any]],
    key: str,
    requested: object = None,
    **options: Any,
) -> bytes:
    """Return the message for the browser, with the windows of frames that it needs now.

    `states` has the states of "step", "rule" and "path"; `options` go to `pack_message`.
    """
    targets = {name: (state.revision, state.server_value) for name, state in states.items()}
    windows = _windows_to_send(recording, states["step"].server_value, requested)
    return pack_message(recording, windows, key, **targets, **options)


def _windows_to_send(recording: Recording, step: int, requested: object) -> list[int]:
    """Return the window of `step` and the requested one."""
    wanted = {step // recording.window}
    match requested:
        case [recording.key, int(index)] if index in range(len(recording.windows)):
            wanted.add(index)
    return sorted(wanted)
