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

from pages.shared.component_state import rerun
from pages.shared.controls import url_state
from pages.shared.player.assets import CSS, EAR, HTML, JS
from pages.shared.player.message import NO_GUIDE, Guide, packed
from pages.shared.player.synced_state import (
    Arcs,
    Visit,
    follow,
    follow_own,
    follow_rule,
    heard,
    laid,
    numbered,
)
from pages.shared.recording.frame_types import Recording
from pages.shared.recording.packing import WINDOW
from pages.shared.routes import START

SWITCHES = ("lines", "predict", "present")
"""What of the address is the player's own: code beside the picture, questions, presenter view."""
WHOLE = 2000  # films up to this many steps are sent whole, longer ones in windows

_mount = component("piece_by_piece_player", html=HTML, css=CSS, js=JS)
_listen = component("piece_by_piece_ear", js=EAR)


def player(
    film: Recording,
    *,
    key: str,
    step: int = 0,
    presenter: bool = False,
    parameter: str = "",
    rule: int = 0,
    rule_parameter: str = "",
    own: Arcs = (),
    lent: Mapping[str, str] | None = None,
    guide: Guide = NO_GUIDE,
    quiet: bool = False,
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
    _keep(_report(key, "switches"))
    furthest = film.last if guide.until is None else min(max(guide.until, 0), film.last)
    step = min(step, furthest)
    visits: dict[str, Visit[Any]] = {
        "step": follow(_visit(key, "step"), film, step, _told(key)),
        "rule": follow_rule(_visit(key, "rule"), film, int(rule), _report(key, "rule")),
        "own": follow_own(_visit(key, "own"), film, own, _report(key, "own")),
    }
    for name, visit in visits.items():
        st.session_state[f"{key}.{name}"] = visit
    parameters = {"step": parameter, "rule": rule_parameter}
    page = "" if url_state.page() == START else url_state.page()
    shown = {"presenter": presenter, "lent": lent, "guide": guide, "quiet": quiet, "page": page}
    _mount(
        key=key,
        data=message(film, visits, key, _report(key, "want"), parameters=parameters, **shown),
        on_step_change=rerun,
        on_rule_change=rerun,
        on_own_change=rerun,
        on_want_change=rerun,
        on_switches_change=rerun,
    )
    return min(visits["step"].at, furthest)


def stepper(film: Recording, run: str, **more: Any) -> int:
    """Show a film as `player` does, its step kept in the address: that of the run of this key.

    What a page draws for the step it draws by `of_step`: whoever does not see that asks the server
    nothing by stepping.
    """
    begin = url_state.step(run, film.last)
    lent = {name: value for name, value in url_state.lent().items() if name != "step"}
    k = player(film, step=begin, parameter="step", lent=lent, quiet=True, **more)
    url_state.write_step(run, k)
    return k


def of_step(film: Recording, run: str, draw: Callable[[int], None], *, key: str) -> None:
    """Draw what a page shows for the step at which its `stepper` rests, and again at every rest.

    Only that is run then, and not the part of the page that the stepper stands in.
    """

    @st.fragment
    def followed() -> None:
        _listen(key=f"ear_{key}", data={"player": key}, on_step_change=rerun)
        with st.container(key="of_step"):
            draw(_heard_step(film, run, key))

    followed()


def _heard_step(film: Recording, run: str, key: str) -> int:
    """Take notice of what was heard; return the step at which the learner rests."""
    before = st.session_state[f"{key}.step"]
    visit = follow(before, film, before.given, _told(key))
    st.session_state[f"{key}.step"] = visit
    if visit.at != before.at:
        url_state.write_step(run, visit.at)
    return visit.at


def _told(key: str) -> object:
    """Return the newest that the browser told of the step: to the player, or to the ear."""
    return max(_report(key, "step"), _report(f"ear_{key}", "step"), key=_when)


def _when(told: object) -> int:
    match told:
        case [int(), int(), int(milliseconds)]:
            return milliseconds
    return 0 if told else -1


def move(key: str, step: int) -> None:
    """Send the player `key` to a step at the next rerun: for callbacks of buttons and lessons."""
    visit = _visit(key, "step")
    if visit:
        echoes = (*visit.echoes, step)
        moved = replace(visit, goal=step, at=step, sent=visit.sent + 1, echoes=echoes)
        st.session_state[f"{key}.step"] = moved


def rule_of(key: str) -> int:
    """Return by which rule, 0 or 1, the learner looks at the film in the player `key`."""
    visit = _visit(key, "rule")
    return heard(visit, numbered(_report(key, "rule"))).at if visit else 0


def own_path(key: str, film: Recording) -> Arcs:
    """Return the path that is laid through the lattice of this film: arcs, from left to right."""
    visit = _visit(key, "own")
    if visit is None or visit.film != film.key:
        return ()
    return heard(visit, laid(film, _report(key, "own"))).at


def _visit(key: str, name: str) -> Visit[Any] | None:
    return st.session_state.get(f"{key}.{name}")


def _report(component: str, name: str) -> object:
    """Return what the browser has told of a player, or of its ear, under this name."""
    return (st.session_state.get(component) or {}).get(name)


def _keep(switches: object) -> None:
    """Keep in the address which of its switches are on; nothing is said before one is moved."""
    if isinstance(switches, list):
        for name in SWITCHES:
            url_state.write_switch(name, name in switches)


# ---- what is sent ----


def message(
    film: Recording, visits: Mapping[str, Visit[Any]], key: str, want: object = None, **shown: Any
) -> bytes:
    """Return the bytes for the browser, with the windows that it needs now.

    `visits` are those of the step, the rule and the own path; `shown` is what `packed` takes more.
    """
    wishes = {name: (visit.sent, visit.goal) for name, visit in visits.items()}
    return packed(film, _windows(film, visits["step"].goal, want), key, **wishes, **shown)


def _windows(film: Recording, goal: int, want: object) -> list[int]:
    """Choose the windows to send: all of a short film, else those around the goal and the wish."""
    if film.last <= WHOLE:
        return list(range(len(film.windows)))
    centres = [goal // WINDOW]
    match want:
        case [film.key, int(index)]:
            centres.append(index)
    near = {index + side for index in centres for side in (-1, 0, 1)}
    return sorted(index for index in near if 0 <= index < len(film.windows))
