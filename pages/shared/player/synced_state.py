"""Where a learner is in a film: what the page says of it, and what the browser reports.

A page and a learner both move a player, and their messages cross. `follow` and its like for the
rule and the own path make one position of what the two say.
"""

from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from pages.shared.recording.frame_types import Recording

T = TypeVar("T")
Arcs = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SyncedState(Generic[T]):
    """What a session remembers of one player: its step, or its rule, or the learner's own path.

    Both the page and the learner change it; `at` is what it is now. `sent` numbers the moves that
    came from Python, the last of them to `goal`: while it stays the same, the message to the
    browser stays the same too. The browser reports a value with the number it knows, so that a
    report from before a move is not taken for a new one. `echoes` are the values returned to the
    page that have not come back as `given`, its own value, yet: a page that keeps its step in the
    address hands it back a rerun later.
    """

    recording_key: str
    page_value: T
    server_value: T
    current: T
    revision: int = 1
    last_report: tuple[T, int] | None = None
    echoes: tuple[T, ...] = ()


def sync_step(
    visit: SyncedState[int] | None, film: Recording, step: int, reported: object
) -> SyncedState[int]:
    """Return the visit after a rerun in which the page gave `step` and the browser `reported`."""
    report = parse_report(reported)
    if report:
        report = (min(max(report[0], 0), film.last), report[1])
    return _sync(visit, film, min(max(step, 0), film.last), report)


def sync_rule(
    visit: SyncedState[int] | None, film: Recording, rule: int, reported: object
) -> SyncedState[int]:
    """Return the visit of the rule after a rerun, as `follow` does that of the step."""
    return _sync(visit, film, rule, parse_report(reported))


def sync_path(
    visit: SyncedState[Arcs] | None, film: Recording, own: Arcs, reported: object
) -> SyncedState[Arcs]:
    """Return the visit of the learner's own path after a rerun, as `follow` does for the step."""
    return _sync(visit, film, own, parse_path_report(film, reported))


def parse_report(reported: object) -> tuple[int, int] | None:
    """Return the step or rule that the browser reported and the number of the move it knows."""
    match reported:
        case [int(value), int(sent), *_]:
            return value, sent
    return None


def parse_path_report(film: Recording, reported: object) -> tuple[Arcs, int] | None:
    """Return the path that the browser reported, likewise, if it is one through this film."""
    match reported:
        case [film.key, int(sent), list(arcs)]:
            return tuple([arc for arc in arcs if isinstance(arc, int)]), sent
    return None


def accept_client_value(visit: SyncedState[T], report: tuple[T, int] | None) -> SyncedState[T]:
    """Return the visit with what the browser reported, if that is new."""
    if report is None or report == visit.last_report:
        return visit
    if report[1] != visit.revision:
        return replace(visit, reported=report)
    echoes = (*visit.echoes, report[0])[-50:]
    return replace(visit, at=report[0], reported=report, echoes=echoes)


def _sync(
    visit: SyncedState[T] | None, film: Recording, given: T, report: tuple[T, int] | None
) -> SyncedState[T]:
    if visit is None or visit.recording_key != film.key:
        sent = visit.revision + 1 if visit else 1
        return SyncedState(film.key, given, given, given, sent, report)
    now = accept_client_value(visit, report)
    if given == visit.page_value:
        return now
    if given in now.echoes:
        echoes = now.echoes[now.echoes.index(given) + 1 :]
        return replace(now, given=given, echoes=echoes)
    return SyncedState(film.key, given, given, given, visit.revision + 1, report)
