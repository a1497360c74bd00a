"""The stepper: one component that shows a film in the browser and says where the learner rests.

Here: what is sent to the browser, and what its answers mean. player.html, player.css and
player.js are the component itself. Left out: what a film holds (pages/figures/film.py).
"""

import json
from dataclasses import dataclass, replace
from pathlib import Path

import streamlit as st
from streamlit.components.v2 import component

from pages.figures.film import WINDOW, Film
from pages.figures.tiles import palette_css

WHOLE = 2000  # films up to this many steps are sent whole, longer ones in windows

_HERE = Path(__file__).parent
_mount = component(
    "piece_by_piece_player",
    html=(_HERE / "player.html").read_text("utf-8"),
    css=f":host {{{palette_css()}}}\n" + (_HERE / "player.css").read_text("utf-8"),
    js=(_HERE / "player.js").read_text("utf-8"),
)


@dataclass(frozen=True, slots=True)
class Visit:
    """What a session remembers of one player.

    `at` is where the learner stands. `sent` numbers the moves that came from Python, the last of
    them to `goal`: while it stays the same, the message to the browser stays the same too. The
    browser reports [step, sent], so that a report from before a move is not taken for a new one.
    `echoes` are the steps returned to the page that have not come back as `given`, its own step,
    yet: a page that keeps its step in the address hands it back a rerun later.
    """

    film: str
    given: int
    goal: int
    at: int
    sent: int = 1
    reported: object = None
    echoes: tuple[int, ...] = ()


def player(
    film: Film, *, key: str, step: int = 0, presenter: bool = False, parameter: str = ""
) -> int:
    """Show the film and return the step, 0 to `film.last`, at which the learner rests.

    `step` moves the player only when it changes to a step that the player did not report itself.
    `parameter` names the part of the browser's address that is to hold the step.
    """
    state = st.session_state.get(key) or {}
    memory = f"{key}.visit"
    visit = follow(st.session_state.get(memory), film, step, state.get("step"))
    st.session_state[memory] = visit
    _mount(
        key=key,
        data=message(film, visit, key, presenter, state.get("want"), parameter),
        on_step_change=_rerun,
        on_want_change=_rerun,
    )
    return visit.at


def move(key: str, step: int) -> None:
    """Send the player `key` to a step at the next rerun: for callbacks of buttons and lessons."""
    visit: Visit | None = st.session_state.get(f"{key}.visit")
    if visit:
        echoes = (*visit.echoes, step)
        moved = replace(visit, goal=step, at=step, sent=visit.sent + 1, echoes=echoes)
        st.session_state[f"{key}.visit"] = moved


def _rerun() -> None:
    """A named change is what makes Streamlit keep its value; the rerun does the rest."""


def follow(visit: Visit | None, film: Film, step: int, reported: object) -> Visit:
    """Return the visit after a rerun in which the page gave `step` and the browser `reported`."""
    step = min(max(step, 0), film.last)
    if visit is None or visit.film != film.key:
        sent = visit.sent + 1 if visit else 1
        return Visit(film.key, step, step, step, sent, reported)
    at, echoes = visit.at, visit.echoes
    match reported:
        case [int(rest), visit.sent] if reported != visit.reported:
            at = min(max(rest, 0), film.last)
            echoes = (*echoes, at)[-50:]
    if step == visit.given:
        return Visit(film.key, step, visit.goal, at, visit.sent, reported, echoes)
    if step in echoes:
        echoes = echoes[echoes.index(step) + 1 :]
        return Visit(film.key, step, visit.goal, at, visit.sent, reported, echoes)
    return Visit(film.key, step, step, step, visit.sent + 1, reported)


def message(
    film: Film, visit: Visit, key: str, presenter: bool, want: object = None, parameter: str = ""
) -> bytes:
    """Return the bytes for the browser: length of the header, header as JSON, head, windows.

    Streamlit takes bytes only at the top level of a component's data, and sends data that did
    not change as a reference.
    """
    windows = _windows(film, visit.goal, want)
    blobs = [film.head, *(film.windows[index] for index in windows)]
    header = {
        "key": key,
        "film": film.key,
        "sent": visit.sent,
        "goal": visit.goal,
        "presenter": presenter,
        "parameter": parameter,
        "windows": windows,
        "sizes": [len(blob) for blob in blobs],
    }
    text = json.dumps(header).encode()
    return b"".join((len(text).to_bytes(4, "little"), text, *blobs))


def _windows(film: Film, goal: int, want: object) -> list[int]:
    """Choose the windows to send: all of a short film, else those around the goal and the wish."""
    if film.last <= WHOLE:
        return list(range(len(film.windows)))
    centres = [goal // WINDOW]
    match want:
        case [film.key, int(index)]:
            centres.append(index)
    near = {index + side for index in centres for side in (-1, 0, 1)}
    return sorted(index for index in near if 0 <= index < len(film.windows))
