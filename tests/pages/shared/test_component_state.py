"""The state of a component in the session: reports by the browser, and values set by Python."""

from typing import Any

import pytest

from pages.shared import component_state
from pages.shared.component_state import current_state, set_from_server, sync_component
from pages.shared.synced_state import SyncedState, parse_int


@pytest.fixture
def state(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The session's state, without a session."""
    held: dict[str, Any] = {}
    monkeypatch.setattr(component_state.st, "session_state", held)
    return held


def synced(**more: Any) -> SyncedState[int]:
    return sync_component("rail", "token", "a text", 3, parse=parse_int, **more)


def test_a_report_is_kept_until_the_server_sets_another_value(state: dict[str, Any]):
    assert synced().target == (1, 3)
    state["rail"] = {"token": [7, 1]}
    assert (synced().current, synced().target) == (7, (1, 3))
    set_from_server("rail", "token", "a text", 5)
    assert (synced().current, synced().target) == (5, (2, 5))
    assert current_state("rail", "token") == synced()


def test_the_address_and_the_content_move_it(state: dict[str, Any]):
    assert current_state("rail", "token") is None
    assert synced(address=9, fit=lambda token: min(token, 8)).target == (1, 8)
    state["rail"] = {"token": [7, 1]}
    assert synced().current == 7
    assert synced(fit=lambda token: min(token, 6)).target == (2, 6), "7 is no more"


@pytest.mark.parametrize("report", [None, {}, {"token": None}, {"token": 3}, {"token": []},
                                    {"token": ["7", 1]}, {"token": [7, "1"]}])  # fmt: skip
def test_a_malformed_report_is_ignored(state: dict[str, Any], report: object):
    state["rail"] = report
    assert synced().current == 3
