"""Synchronize a player's step, rule and learner's path between the page and the browser.

Both sides may change a value, and their messages cross. `sync_step`, `sync_rule` and `sync_path`
compute the value that both agree on.
"""

from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from pages.shared.recording.frame_types import Recording

T = TypeVar("T")
Arcs = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SyncedState(Generic[T]):
    """One value of one player, kept in the session; `current` is the value now.

    `revision` counts the changes made by Python, `server_value` is the last value that it set; only
    these two change the message to the browser. The browser reports a value with the revision it
    knows, so reports from before a change are recognized as stale. `echoes` are values returned to
    the page that it has not yet passed back as `page_value`: a page that keeps its step in the URL
    passes the step back one rerun later.
    """

    recording_key: str
    page_value: T
    server_value: T
    current: T
    revision: int = 1
    last_report: tuple[T, int] | None = None
    echoes: tuple[T, ...] = ()


def sync_step(
    state: SyncedState[int] | None,
    recording: Recording,
    step: int,
    reported: object,
    *,
    is_own: bool = False,
) -> SyncedState[int]:
    """Return the state after a rerun with the page's `step` and the browser's report.

    If `is_own`, the player itself wrote `step` to the URL, perhaps without reporting it.
    """
    report = parse_report(reported)
    if report:
        report = (min(max(report[0], 0), recording.last), report[1])
    return _sync(state, recording, min(max(step, 0), recording.last), report, is_own)


def sync_rule(
    state: SyncedState[int] | None, recording: Recording, rule: int, reported: object
) -> SyncedState[int]:
    """Return the state of the rule after a rerun, like `sync_step`."""
    return _sync(state, recording, rule, parse_report(reported))


def sync_path(
    state: SyncedState[Arcs] | None, recording: Recording, path: Arcs, reported: object
) -> SyncedState[Arcs]:
    """Return the state of the learner's path after a rerun, like `sync_step`."""
    return _sync(state, recording, path, parse_path_report(recording, reported))


def parse_report(reported: object) -> tuple[int, int] | None:
    """Return the step or rule that the browser reported, and the revision it knew."""
    match reported:
        case [int(value), int(revision), *_]:
            return value, revision
    return None


def parse_path_report(recording: Recording, reported: object) -> tuple[Arcs, int] | None:
    """Return the reported path and the revision, if the path belongs to this recording."""
    match reported:
        case [recording.key, int(revision), list(arcs)]:
            return tuple([arc for arc in arcs if isinstance(arc, int)]), revision
    return None


def accept_client_value(state: SyncedState[T], report: tuple[T, int] | None) -> SyncedState[T]:
    """Return the state with the reported value, unless the report is stale or not new."""
    if report is None or report == state.last_report:
        return state
    if report[1] != state.revision:
        return replace(state, last_report=report)
    echoes = (*state.echoes, report[0])[-50:]
    return replace(state, current=report[0], last_report=report, echoes=echoes)


def _sync(
    state: SyncedState[T] | None,
    recording: Recording,
    page_value: T,
    report: tuple[T, int] | None,
    is_own: bool = False,
) -> SyncedState[T]:
    values = page_value, page_value, page_value
    if state is None or state.recording_key != recording.key:
        revision = state.revision + 1 if state else 1
        return SyncedState(recording.key, *values, revision, report)
    now = accept_client_value(state, report)
    if page_value == state.page_value:
        return now
    if page_value in now.echoes:
        echoes = now.echoes[now.echoes.index(page_value) + 1 :]
        return replace(now, page_value=page_value, echoes=echoes)
    if is_own:  # older than a new report, newer than an old one
        current = page_value if now.echoes is state.echoes else now.current
        return replace(now, page_value=page_value, current=current)
    return SyncedState(recording.key, *values, state.revision + 1, report)
