"""The stepper: one component that shows a film in the browser and says where the learner rests.

Here: when something is sent to the browser (message.py says what); synced_state.py says what its answers
mean. What runs in the browser (put together in assets.py) is player.html, player.css, and
JavaScript in parts: in picture/ parts.js, lattice*.js and flow.js draw, highlights.js marks, row_budget.js
counts the rows that fit; glossary.js explains the field's terms, recording.js opens what is sent,
code.js shows the plain code beside the picture, presenter.js (and .css) fills the window for a
lecture hall, jump.js finds the next step where something happens, idle_sync.js knows when Python is
told, step_listener.js tells it, keyboard.js takes the keys, predicting.js asks, classroom/ gathers the
answers of a class by codes, player.js does the rest.
Left out: what a film holds (pages/shared/recording/frame_types.py).
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
from pages.shared.recording.frame_types import Recording
from pages.shared.recording.packing import WINDOW
from pages.shared.routes import START

SWITCHES = ("lines", "predict", "present")
"""What of the address is the player's own: code beside the picture, questions, presenter view."""
MAX_UNSPLIT = 2000  # films up to this many steps are sent whole, longer ones in windows

_mount = component("piece_by_piece_player", html=HTML, css=CSS, js=JS)
_listen = component("piece_by_piece_ear", js=STEP_LISTENER_JS)


def player(
    recording: Recording,
    *,
    key: str,
    step: int = 0,
    presenter: bool = False,
    step_param: str = "",
    rule: int = 0,
    rule_param: str = "",
    path: Arcs = (),
    implicit_params: Mapping[str, str] | None = None,
    guide: Guide = NO_GUIDE,
    lazy: bool = False,
) -> int:
    """Show the film and return the step, 0 to `film.last`, at which the learner rests.

    `step` moves the player only when it changes to a step that the player did not report itself.
    `rule`, 0 or 1, is by which rule a film of two begins, and `own` the path laid through its
    lattice, as numbers of arcs; both change what is shown as `step` does. `parameter` and
    `rule_parameter` name the parts of the browser's address that are to hold the step and the rule;
    `lent` is what else belongs there, see `address.lend`.
    `guide` is for lessons. Where `quiet`, the step is returned only while something in `of_step` is
    in sight, and before anything else on the page is used; till then it is the one before.
    """
    _save_switches(_client_value(key, "switches"))
    furthest = recording.last if guide.until is None else min(max(guide.until, 0), recording.last)
    step = min(step, furthest)
    visits: dict[str, SyncedState[Any]] = {
        "step": sync_step(_state(key, "step"), recording, step, _latest_step_report(key)),
        "rule": sync_rule(_state(key, "rule"), recording, int(rule), _client_value(key, "rule")),
        "own": sync_path(_state(key, "own"), recording, path, _client_value(key, "own")),
    }
    for name, visit in visits.items():
        st.session_state[f"{key}.{name}"] = visit
    parameters = {"step": step_param, "rule": rule_param}
    page = "" if url_state.page() == START else url_state.page()
    shown = {
        "presenter": presenter,
        "lent": implicit_params,
        "guide": guide,
        "quiet": lazy,
        "page": page,
    }
    _mount(
        key=key,
        data=build_message(
            recording, visits, key, _client_value(key, "want"), parameters=parameters, **shown
        ),
        on_step_change=no_op,
        on_rule_change=no_op,
        on_own_change=no_op,
        on_want_change=no_op,
        on_switches_change=no_op,
    )
    return min(visits["step"].current, furthest)


def stepper(recording: Recording, run: str, **more: Any) -> int:
    """Show a film as `player` does, its step kept in the address: that of the run of this key.

    What a page draws for the step it draws by `of_step`: whoever does not see that asks the server
    nothing by stepping.
    """
    begin = url_state.step(run, recording.last)
    lent = {name: value for name, value in url_state.implicit_params().items() if name != "step"}
    k = player(recording, step=begin, step_param="step", implicit_params=lent, lazy=True, **more)
    url_state.set_step(run, k)
    return k


def step_fragment(recording: Recording, run: str, draw: Callable[[int], None], *, key: str) -> None:
    """Draw what a page shows for the step at which its `stepper` rests, and again at every rest.

    Only that is run then, and not the part of the page that the stepper stands in.
    """

    @st.fragment
    def followed() -> None:
        _listen(key=f"ear_{key}", data={"player": key}, on_step_change=no_op)
        with st.container(key="of_step"):
            draw(_sync_fragment_step(recording, run, key))

    followed()


def _sync_fragment_step(recording: Recording, run: str, key: str) -> int:
    """Take notice of what was heard; return the step at which the learner rests."""
    before = st.session_state[f"{key}.step"]
    visit = sync_step(before, recording, before.given, _latest_step_report(key))
    st.session_state[f"{key}.step"] = visit
    if visit.current != before.at:
        url_state.set_step(run, visit.current)
    return visit.current


def _latest_step_report(key: str) -> object:
    """Return the newest that the browser told of the step: to the player, or to the ear."""
    return max(_client_value(key, "step"), _client_value(f"ear_{key}", "step"), key=_report_time)


def _report_time(report: object) -> int:
    match report:
        case [int(), int(), int(milliseconds)]:
            return milliseconds
    return 0 if report else -1


def go_to_step(key: str, step: int) -> None:
    """Send the player `key` to a step at the next rerun: for callbacks of buttons and lessons."""
    visit = _state(key, "step")
    if visit:
        echoes = (*visit.echoes, step)
        moved = replace(visit, goal=step, at=step, sent=visit.revision + 1, echoes=echoes)
        st.session_state[f"{key}.step"] = moved


def current_rule(key: str) -> int:
    """Return by which rule, 0 or 1, the learner looks at the film in the player `key`."""
    visit = _state(key, "rule")
    return (
        accept_client_value(visit, parse_report(_client_value(key, "rule"))).current if visit else 0
    )


def user_path(key: str, recording: Recording) -> Arcs:
    """Return the path that is laid through the lattice of this film: arcs, from left to right."""
    visit = _state(key, "own")
    if visit is None or visit.recording_key != recording.key:
        return ()
    return accept_client_value(
        visit, parse_path_report(recording, _client_value(key, "own"))
    ).current


def _state(key: str, name: str) -> SyncedState[Any] | None:
    return st.session_state.get(f"{key}.{name}")


def _client_value(component: str, name: str) -> object:
    """Return what the browser has told of a player, or of its ear, under this name."""
    return (st.session_state.get(component) or {}).get(name)


def _save_switches(switches: object) -> None:
    """Keep in the address which of its switches are on; nothing is said before one is moved."""
    if isinstance(switches, list):
        for name in SWITCHES:
            url_state.set_switch(name, name in switches)


# ---- what is sent ----


def build_message(
    recording: Recording,
    states: Mapping[str, SyncedState[Any]],
    key: str,
    requested: object = None,
    **options: Any,
) -> bytes:
    """Return the bytes for the browser, with the windows that it needs now.

    `visits` are those of the step, the rule and the own path; `shown` is what `packed` takes more.
    """
    wishes = {name: (visit.revision, visit.server_value) for name, visit in states.items()}
    return pack_message(
        recording,
        _windows_to_send(recording, states["step"].server_value, requested),
        key,
        **wishes,
        **options,
    )


def _windows_to_send(recording: Recording, step: int, requested: object) -> list[int]:
    """Choose the windows to send: all of a short film, else those around the goal and the wish."""
    if recording.last <= MAX_UNSPLIT:
        return list(range(len(recording.windows)))
    centres = [step // WINDOW]
    match requested:
        case [recording.key, int(index)]:
            centres.append(index)
    near = {index + side for index in centres for side in (-1, 0, 1)}
    return sorted(index for index in near if 0 <= index < len(recording.windows))
