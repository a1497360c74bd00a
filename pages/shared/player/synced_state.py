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
class Visit(Generic[T]):
    """What a session remembers of one player: its step, or its rule, or the learner's own path.

    Both the page and the learner change it; `at` is what it is now. `sent` numbers the moves that
    came from Python, the last of them to `goal`: while it stays the same, the message to the
    browser stays the same too. The browser reports a value with the number it knows, so that a
    report from before a move is not taken for a new one. `echoes` are the values returned to the
    page that have not come back as `given`, its own value, yet: a page that keeps its step in the
    address hands it back a rerun later.
    """

    film: str
    given: T
    goal: T
    at: T
    sent: int = 1
    reported: tuple[T, int] | None = None
    echoes: tuple[T, ...] = ()


def follow(visit: Visit[int] | None, film: Recording, step: int, reported: object) -> Visit[int]:
    """Return the visit after a rerun in which the page gave `step` and the browser `reported`."""
    report = numbered(reported)
    if report:
        report = (min(max(report[0], 0), film.last), report[1])
    return _follow(visit, film, min(max(step, 0), film.last), report)


def follow_rule(
    visit: Visit[int] | None, film: Recording, rule: int, reported: object
) -> Visit[int]:
    """Return the visit of the rule after a rerun, as `follow` does that of the step."""
    return _follow(visit, film, rule, numbered(reported))


def follow_own(
    visit: Visit[Arcs] | None, film: Recording, own: Arcs, reported: object
) -> Visit[Arcs]:
    """Return the visit of the learner's own path after a rerun, as `follow` does for the step."""
    return _follow(visit, film, own, laid(film, reported))


def numbered(reported: object) -> tuple[int, int] | None:
    """Return the step or rule that the browser reported and the number of the move it knows."""
    match reported:
        case [int(value), int(sent), *_]:
            return value, sent
    return None


def laid(film: Recording, reported: object) -> tuple[Arcs, int] | None:
    """Return the path that the browser reported, likewise, if it is one through this film."""
    match reported:
        case [film.key, int(sent), list(arcs)]:
            return tuple([arc for arc in arcs if isinstance(arc, int)]), sent
    return None


def heard(visit: Visit[T], report: tuple[T, int] | None) -> Visit[T]:
    """Return the visit with what the browser reported, if that is new."""
    if report is None or report == visit.reported:
        return visit
    if report[1] != visit.sent:
        return replace(visit, reported=report)
    echoes = (*visit.echoes, report[0])[-50:]
    return replace(visit, at=report[0], reported=report, echoes=echoes)


def _follow(
    visit: Visit[T] | None, film: Recording, given: T, report: tuple[T, int] | None
) -> Visit[T]:
    if visit is None or visit.film != film.key:
        sent = visit.sent + 1 if visit else 1
        return Visit(film.key, given, given, given, sent, report)
    now = heard(visit, report)
    if given == visit.given:
        return now
    if given in now.echoes:
        echoes = now.echoes[now.echoes.index(given) + 1 :]
        return replace(now, given=given, echoes=echoes)
    return Visit(film.key, given, given, given, visit.sent + 1, report)
