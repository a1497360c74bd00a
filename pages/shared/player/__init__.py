"""The player: a component that steps through a recording and reports the learner's position.

This module decides when and what to send to the browser; `message.py` packs the message, and
`pages/shared/synced_state.py` keeps step, rule and the learner's path in step with the browser.
`assets.py` assembles the browser side from `player.html`, CSS and JavaScript:

- `recording.js` unpacks frames, `player.js` moves, `painting.js` and `picture/` draw,
- `predicting.js` asks for predictions, `classroom/` collects a class's answers as codes,
- `jump.js`, `keyboard.js`, `code.js`, `glossary.js` and `presenter.js` add what their names say,
- `idle_sync.js` debounces reports to Python, `step_listener.js` reruns one fragment for them.

`pages/shared/recording/frame_types.py` describes a recording.
"""

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st
from streamlit.components.v2 import component

from pages.shared.component_state import (
    client_value,
    current_state,
    keep_state,
    no_op,
    set_from_server,
)
from pages.shared.controls import url_state
from pages.shared.player.assets import CSS, HTML, JS, STEP_LISTENER_JS
from pages.shared.player.message import NO_GUIDE, Guide, pack_player_message
from pages.shared.recording import registry
from pages.shared.recording.frame_types import Recording
from pages.shared.routes import START
from pages.shared.synced_state import (
    Report,
    SyncedState,
    accept_report,
    parse_int,
    parse_report,
    sync,
)

Arcs = tuple[int, ...]
_mount = component("piece_by_piece_player", html=HTML, css=CSS, js=JS)
_step_listener = component("piece_by_piece_step_listener", js=STEP_LISTENER_JS)


def player(
    recording: Recording,
    *,
    key: str,
    run: str = "",
    step: int = 0,
    step_param: str = "",
    rule: int = 0,
    rule_param: str = "",
    path: Arcs = (),
    address: Mapping[str, int] | None = None,
    is_own_address: bool = False,
    implicit_params: Mapping[str, str] | None = None,
    guide: Guide = NO_GUIDE,
    lazy: bool = False,
) -> int:
    """Show a recording and return the learner's step, 0 to `recording.last`.

    A new recording, or a new `run`, begins at `step`, by `rule` (0 or 1, in a recording with two
    rules), with `path` (the learner's path through a lattice, as arc numbers). `address` has a new
    step or rule that the URL brings; if `is_own_address`, the player itself wrote it there.
    `step_param` and `rule_param` are the URL parameters that hold step and rule; `implicit_params`
    are written along with them (`url_state.set_implicit`).
    `guide` restricts the player in a lesson. If `lazy`, the browser reports its step only while a
    `step_fragment` is visible, or just before another widget is used.
    """
    registry.register(recording)
    asked = address or {}
    furthest = recording.last if guide.until is None else min(max(guide.until, 0), recording.last)
    states: dict[str, SyncedState[Any]] = {
        "step": sync(
            current_state(key, "step"),
            run or recording.key,
            min(step, furthest),
            report=_step_report(key),
            address=asked.get("step"),
            is_own=is_own_address,
            fit=lambda position: min(max(position, 0), recording.last),
        ),
        "rule": sync(
            current_state(key, "rule"),
            recording.key,
            int(rule),
            report=parse_report(client_value(key, "rule"), parse_int),
            address=asked.get("rule"),
            is_own=is_own_address,
        ),
        "path": sync(current_state(key, "path"), recording.key, path, report=_path_report(key)),
    }
    for name, state in states.items():
        keep_state(key, name, state)
    options = {
        "url_params": {"step": step_param, "rule": rule_param},
        "implicit_params": implicit_params,
        "guide": guide,
        "lazy": lazy,
        "page": "" if url_state.page() == START else url_state.page(),
        "has_room": guide.has_predictions,
    }
    _mount(
        key=key,
        data=build_message(recording, states, key, client_value(key, "requested"), **options),
        on_step_change=no_op,
        on_rule_change=no_op,
        on_path_change=no_op,
        on_requested_change=no_op,
    )
    return min(states["step"].current, furthest)


def stepper(recording: Recording, run: str, *, rule_param: str = "", **more: Any) -> int:
    """Show a lazy `player` and keep its step in the URL; `run` is the key of the run.

    Draw what depends on the step in a `step_fragment`: stepping causes no rerun while none is
    visible.
    """
    is_navigation = url_state.take_navigation()

    def is_asked(param: str) -> bool:
        is_removed = is_navigation and url_state.was_removed(param)
        return bool(param) and (url_state.incoming(param) is not None or is_removed)

    asked = [name for name, param in (("step", "step"), ("rule", rule_param)) if is_asked(param)]
    if is_navigation and url_state.was_removed("step"):
        url_state.set_step(run, 0)
    begin = url_state.step(run, recording.last)
    values = {"step": begin, "rule": int(st.query_params.get(rule_param) == "1")}
    k = player(
        recording,
        run=run,
        step=begin,
        step_param="step",
        rule_param=rule_param,
        address={name: values[name] for name in asked},
        is_own_address=not is_navigation,
        implicit_params=url_state.implicit_params(),
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
        before = st.session_state[f"{key}.step"]
        state = keep_state(key, "step", accept_report(before, _step_report(key)))
        k = min(max(state.current, 0), recording.last)
        if state.current != before.current:
            url_state.set_step(run, k)
        with st.container(key="step_fragment"):
            draw(k)

    fragment()


def _step_report(key: str) -> Report[int] | None:
    """Return the newer of the step reports by the player and by its step listener."""
    values = client_value(key, "step"), client_value(f"step_listener_{key}", "step")
    reports = [report for value in values if (report := parse_report(value, parse_int))]
    return max(reports, key=lambda report: report.number, default=None)


def _path_report(key: str) -> Report[Arcs] | None:
    return parse_report(client_value(key, "path"), _parse_arcs)


def _parse_arcs(value: object) -> Arcs | None:
    return tuple([n for n in value if isinstance(n, int)]) if isinstance(value, list) else None


def go_to_step(key: str, step: int) -> None:
    """Move the player `key` to a step at the next rerun; call this in callbacks."""
    state = current_state(key, "step")
    if state:
        set_from_server(key, "step", state.content, step)


def current_rule(key: str) -> int:
    """Return the rule, 0 or 1, by which the player `key` shows its recording."""
    state = current_state(key, "rule")
    report = parse_report(client_value(key, "rule"), parse_int)
    return accept_report(state, report).current if state else 0


def user_path(key: str, recording: Recording) -> Arcs:
    """Return the learner's path through this recording's lattice, as arcs from left to right."""
    state = current_state(key, "path")
    if state is None or state.content != recording.key:
        return ()
    return accept_report(state, _path_report(key)).current


def new_user_path(key: str, recording: Recording) -> Arcs | None:
    """Return the learner's path if the browser has changed it since the last run; else None."""
    state, path = current_state(key, "path"), user_path(key, recording)
    is_new = state and state.content == recording.key and path != state.current
    return path if is_new else None


def set_user_path(key: str, recording: Recording, path: Arcs) -> None:
    """Set the learner's path in the player `key`, if it shows this recording with another path."""
    state = current_state(key, "path")
    if state and state.content == recording.key and path != user_path(key, recording):
        set_from_server(key, "path", recording.key, path)


# ---- messages ----


def build_message(
    recording: Recording,
    states: Mapping[str, SyncedState[Any]],
    key: str,
    requested: object = None,
    **options: Any,
) -> bytes:
    """Return the message for the browser, with the windows of frames that it needs now.

    `states` has the states of "step", "rule" and "path"; `options` go to `pack_player_message`.
    """
    targets = {name: state.target for name, state in states.items()}
    windows = _windows_to_send(recording, states["step"].server_value, requested)
    return pack_player_message(recording, windows, key, **targets, **options)


def _windows_to_send(recording: Recording, step: int, requested: object) -> list[int]:
    """Return the window of `step` and the requested one."""
    wanted = {step // recording.window}
    match requested:
        case [recording.key, int(index)] if index in range(len(recording.windows)):
            wanted.add(index)
    return sorted(wanted)
