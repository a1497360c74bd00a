"""The state of a component: reports by the browser, and values set by Python."""

from typing import Any

import pytest

from pages.shared import component_state


@pytest.fixture
def state(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The session's state, without a session."""
    held: dict[str, Any] = {}
    monkeypatch.setattr(component_state.st, "session_state", held)
    return held


def test_a_report_from_before_a_new_revision_is_ignored(state: dict[str, Any]):
    before = component_state.set_from_server("rail", "a text", 3)
    state["rail"] = {"token": [7, before.key]}
    assert component_state.client_report("rail", "token", before.key) == [7]
    after = component_state.set_from_server("rail", "a text", 1)
    assert component_state.client_report("rail", "token", after.key) is None
    assert component_state.current_state("rail") == after


def test_a_state_keeps_its_initial_value(state: dict[str, Any]):
    assert component_state.current_state("sizes") is None
    component_state.set_from_server("sizes", "a text", 250)
    component_state.accept_client_value("sizes", 40)
    here = component_state.current_state("sizes")
    assert here is not None
    assert (here.initial, here.current) == (250, 40)


@pytest.mark.parametrize("report", [None, {}, {"token": None}, {"token": 3}, {"token": []}])
def test_a_malformed_report_is_ignored(state: dict[str, Any], report: object):
    state["rail"] = report
    assert component_state.client_report("rail", "token", "a text:1") is None
