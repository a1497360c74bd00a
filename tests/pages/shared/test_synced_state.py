"""A value that the server, the browser and the address change: the last change is never lost."""

from collections import deque
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule

from pages.shared import component_state
from pages.shared.controls import outdated_values, url_state
from pages.shared.player import _parse_arcs
from pages.shared.synced_state import (
    Report,
    SyncedState,
    accept_report,
    header_of,
    parse_int,
    parse_report,
    set_from_server,
    sync,
)

START = SyncedState("a text", 1, 3, 3)


def test_a_state_begins_with_the_address_or_else_with_the_first_value():
    assert sync(None, "a text", 3) == START
    assert sync(None, "a text", 3, address=7).target == (1, 7)
    assert sync(None, "a text", 99, fit=lambda step: min(step, 10)).current == 10
    assert header_of(START) == {"content": "a text", "state": (1, 3)}


def test_a_report_of_the_same_revision_is_accepted_once():
    moved = accept_report(START, Report(5, 1))
    assert (moved.current, moved.source, moved.target) == (5, "browser", (1, 3))
    back = replace(moved, current=4)
    assert accept_report(back, Report(5, 1)) == back


def test_the_servers_value_stays_until_the_browser_has_adopted_it():
    state = set_from_server(accept_report(START, Report(5, 1)), "a text", 2)
    assert (state.current, state.target) == (2, (2, 2))
    assert accept_report(state, Report(5, 1)).current == 2
    assert accept_report(state, Report(6, 1)).current == 2, "reported before the move had arrived"
    assert accept_report(state, Report(5, 2)).current == 5


def test_other_content_begins_anew_and_an_old_report_does_not_move_it():
    state = sync(accept_report(START, Report(8, 1)), "another text", 2, report=Report(8, 1))
    assert (state.content, state.current, state.revision) == ("another text", 2, 2)
    assert sync(state, "another text", 2, report=Report(8, 1)).current == 2


def test_what_the_component_wrote_is_older_than_a_new_report_and_newer_than_an_old_one():
    both = sync(START, "a text", 0, address=7, is_own=True, report=Report(8, 1))
    assert (both.current, both.revision) == (8, 1)
    later = sync(both, "a text", 0, address=9, is_own=True, report=Report(8, 1))
    assert (later.current, later.source, later.revision) == (9, "address", 1)
    stale = sync(set_from_server(later, "a text", 1), "a text", 0, address=6, is_own=True,
                 report=Report(6, 1))  # fmt: skip
    assert stale.current == 1


def test_another_address_is_sent_to_the_browser():
    state = sync(accept_report(START, Report(5, 1)), "a text", 0, address=3, report=Report(5, 1))
    assert (state.current, state.target) == (3, (2, 3))


def test_a_value_that_is_gone_gives_way_to_the_nearest():
    state = sync(accept_report(START, Report(9, 1)), "a text", 0, fit=lambda step: min(step, 6))
    assert (state.current, state.target) == (6, (2, 6))


@pytest.mark.parametrize("reported", [None, 5, [], [5], ["5", 1], [5, "1"], [None, 1]])
def test_a_malformed_report_is_none(reported: object):
    assert parse_report(reported, parse_int) is None


def test_a_path_is_whole_numbers():
    assert parse_report([["x", 2, None], 1, 4], _parse_arcs) == Report((2,), 1, 4)
    assert parse_report(["path", 1], _parse_arcs) is None


# ---- the model: a browser, whose requests and answers are under way for a while ----


class Query(dict[str, str]):
    """The parameters of a request."""

    def to_dict(self) -> dict[str, str]:
        return dict(self)


class Request(NamedTuple):
    address: str | None
    report: Any
    received: int
    went: int
    button: int | None


class Answer(NamedTuple):
    address: str | None
    """None if the run sends no address: Streamlit sends it only when it is changed."""
    target: tuple[int, int]
    run: int


@dataclass
class Browser:
    """What synced_state.js, presenter_base.js and history.js do."""

    writes_address: bool
    value: int = 0
    revision: int = 0
    address: str = ""
    own: str | None = None
    """What the component wrote to the address, which Streamlit's own writing does not replace."""
    known: int | None = 0
    """The value that the server knows; None if it may have read another one in the address."""
    reports: int = 0
    report: Any = None
    received: int = 0
    went: int = 0
    entries: list[str] = field(default_factory=list)

    def move(self, value: int) -> None:
        self.entries.append(self.address)
        self.value = value
        if self.writes_address:
            self.address = self.own = str(value or "")
            if value != self.known:
                self.known = None

    def go_back(self) -> None:
        self.address, self.own = self.entries.pop(), None
        self.went += 1

    def request(self, button: int | None = None, *, reports: bool = True) -> Request:
        if reports and self.value != self.known:
            self.known = self.value
            self.reports += 1
            self.report = [self.value, self.revision, self.reports]
        return Request(self.address, self.report, self.received, self.went, button)

    def receive(self, answer: Answer) -> None:
        self.received = max(self.received, answer.run)
        revision, value = answer.target
        if revision != self.revision:
            self.revision, self.value, self.known = revision, value, value
            if self.own is not None:
                self.address = self.own = str(value or "")
        if answer.address is not None and self.own is None:
            self.address = answer.address


class Synced(RuleBasedStateMachine):
    """A page's value, in step with a browser; requests and answers arrive late, but in order."""

    writes_address = False

    def __init__(self) -> None:
        super().__init__()
        self.session: dict[str, Any] = {}
        self.browser = Browser(self.writes_address)
        self.requests: deque[Request] = deque()
        self.answers: deque[Answer] = deque()
        self.changes = 1  # by the server and by Back, with the start
        self.send()
        self.settle()

    # -- the server

    def run(self, request: Request) -> None:
        """Run the page as `sync_component` and `stepper` do."""
        sent = Query({"v": request.address} if request.address else {})
        changed = []
        sent.update = lambda *args, **more: (changed.append(True), dict.update(sent, *args, **more))  # type: ignore[method-assign]
        sent.pop = lambda *args: (changed.append(True), dict.pop(sent, *args))[1]  # type: ignore[method-assign]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(component_state.st, "session_state", self.session)
            patch.setattr(component_state.st, "query_params", sent)
            self.session["c"] = {"value": request.report}
            self.session[outdated_values.RUN_BOX] = str(request.received)
            url_state.begin_page("page")
            url_state.accept_back_navigation(request.went)
            is_navigation = url_state.take_navigation()
            if request.button is not None:
                component_state.set_from_server("c", "value", "", request.button)
            incoming = url_state.incoming("v")
            is_removed = is_navigation and url_state.was_removed("v")
            state = sync(
                component_state.current_state("c", "value"),
                "",
                0,
                report=parse_report(request.report, parse_int),
                address=int(incoming or 0) if incoming is not None or is_removed else None,
                is_own=self.writes_address and not is_navigation,
            )
            component_state.keep_state("c", "value", state)
            url_state.set_param("v", str(state.current) if state.current else None)
        number = self.session.get("run_number", 1)
        self.session["run_number"] = number + 1
        address = sent.get("v", "") if changed else None
        self.answers.append(Answer(address, state.target, number))

    @property
    def state(self) -> SyncedState[int]:
        return self.session["c.value"]

    # -- what happens

    @rule(value=st.integers(0, 3))
    def move(self, value: int) -> None:
        """The user moves the component."""
        self.browser.move(value)

    @rule()
    def send(self) -> None:
        """The browser asks for a run: the component is idle, or another widget is used."""
        self.requests.append(self.browser.request())

    @rule(value=st.integers(0, 3))
    def press_button(self, value: int) -> None:
        """The user presses a button of the page that sets the value."""
        self.requests.append(self.browser.request(value))
        self.changes += 1

    @precondition(lambda self: self.requests)
    @rule()
    def serve(self) -> None:
        self.run(self.requests.popleft())

    @precondition(lambda self: self.answers)
    @rule()
    def deliver(self) -> None:
        self.browser.receive(self.answers.popleft())

    @rule()
    def settle(self) -> None:
        """Nothing happens until all is delivered: then all three have the same value."""
        for _ in range(3):
            self.send()
            while self.requests:
                self.serve()
            while self.answers:
                self.deliver()
        shown = self.browser.value
        assert self.state.current == shown
        assert self.browser.address == str(shown or "")
        assert self.state.revision <= self.changes, "an echo was taken for a change"

    @rule(moves=st.lists(st.integers(0, 3), min_size=1, max_size=3))
    def last_move_stays(self, moves: list[int]) -> None:
        """Of moves in a settled browser, the last one stays, whatever was under way."""
        self.settle()
        for value in moves:
            self.browser.move(value)
            self.send()
        self.settle()
        assert self.browser.value == moves[-1]

    @rule(value=st.integers(0, 3), late=st.integers(0, 3))
    def button_stays(self, value: int, late: int) -> None:
        """A button's value stays, though the browser moves before it has arrived."""
        self.settle()
        self.press_button(value)
        self.browser.move(late)
        self.settle()
        assert self.browser.value == value

    @precondition(lambda self: self.browser.entries)
    @rule()
    def back_stays(self) -> None:
        """After Back, the value is that of the address gone back to."""
        self.settle()
        self.browser.go_back()
        self.changes += 1
        expected = int(self.browser.address or 0)
        self.settle()
        assert self.browser.value == expected


class Player(Synced):
    """The player also writes its value to the address itself, and may report it later."""

    writes_address = True

    @rule(value=st.integers(1, 3))  # an address without a value says nothing
    def unreported_move_is_in_the_address(self, value: int) -> None:
        self.settle()
        self.browser.move(value)
        self.requests.append(self.browser.request(reports=False))
        self.serve()
        assert self.state.current == value


LIMITS = settings(max_examples=60, stateful_step_count=20, deadline=None)
TestComponent = Synced.TestCase
TestComponent.settings = LIMITS
TestPlayer = Player.TestCase
TestPlayer.settings = LIMITS
