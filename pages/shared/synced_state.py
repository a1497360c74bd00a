"""Keep a value in step that the server, the browser and the address can all change.

The server numbers its changes: each begins a new revision. The browser adopts the server's value
only when the revision is new, and reports its own with the revision that it knows: a report of an
earlier revision was sent before the server's change had arrived, and is ignored. The address has
no revision; `url_state.incoming` tells a new value in it from one that comes back late.

`synced_state.js` is the browser's side, `component_state.py` keeps the states in the session, and
docs/architecture.md draws how they change.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Generic, Literal, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Report(Generic[T]):
    """What the browser reported: its value, the revision that it knew, and the report's number."""

    value: T
    revision: int
    number: int = 0


@dataclass(frozen=True, slots=True)
class SyncedState(Generic[T]):
    """The value of a component that shows `content`; `current` is the value now.

    `revision` counts the changes made by the server, and `server_value` is the value of the last
    one: only these two change the message to the browser. `source` says who changed the value last.
    `last_report` is the last report that was read; the session keeps it although it is read.
    """

    content: str
    revision: int
    server_value: T
    current: T
    source: Literal["server", "browser", "address"] = "server"
    last_report: Report[T] | None = None

    @property
    def target(self) -> tuple[int, T]:
        """What the browser is to adopt: the revision and the server's value."""
        return self.revision, self.server_value


def set_from_server(state: SyncedState[T] | None, content: str, value: T) -> SyncedState[T]:
    """Return the state with a new value and revision, which makes all earlier reports stale."""
    revision, last_report = (state.revision, state.last_report) if state else (0, None)
    return SyncedState(content, revision + 1, value, value, last_report=last_report)


def accept_report(state: SyncedState[T], report: Report[T] | None) -> SyncedState[T]:
    """Return the state with the reported value, unless the report is stale or was read before."""
    if report is None or report == state.last_report:
        return state
    if report.revision != state.revision:
        return replace(state, last_report=report)
    return replace(state, current=report.value, source="browser", last_report=report)


def sync(
    state: SyncedState[T] | None,
    content: str,
    first: T,
    *,
    report: Report[T] | None = None,
    address: T | None = None,
    is_own: bool = False,
    fit: Callable[[T], T] = lambda value: value,
) -> SyncedState[T]:
    """Return the state after a rerun of the page.

    New content begins with the address's value, or else with `first`. `report` is what the
    browser last reported, `address` a new value in the address, None if there is
    none. If `is_own`, the component itself wrote that, with or without a report: the value is older
    than a new report, and newer than one that was read before. `fit` returns the nearest value
    that the content has.
    """
    if state is None or state.content != content:
        begun = set_from_server(state, content, fit(first if address is None else address))
        return replace(begun, last_report=report)
    now = accept_report(state, report)
    if address is not None and not is_own:
        return set_from_server(now, content, fit(address))
    if address is not None and now is state:
        now = replace(now, current=fit(address), source="address")
    fitting = fit(now.current)
    return now if fitting == now.current else set_from_server(now, content, fitting)


def parse_report(reported: object, parse: Callable[[object], T | None]) -> Report[T] | None:
    """Return the report of a value that `parse` accepts; None if it is malformed."""
    match reported:
        case [value, int(revision), *rest] if (parsed := parse(value)) is not None:
            return Report(parsed, revision, rest[0] if rest and isinstance(rest[0], int) else 0)
    return None


def parse_int(value: object) -> int | None:
    """Return a reported whole number; None for anything else."""
    return value if isinstance(value, int) else None


def header_of(state: SyncedState[Any]) -> dict[str, object]:
    """Return the part of a component's message that synced_state.js reads."""
    return {"content": state.content, "state": state.target}
