"""Where somebody is in a component: what the browser reports, and moves that come from Python."""

from typing import Any

import pytest

from pages.shared import component_state


@pytest.fixture
def state(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The session's state, without a session."""
    held: dict[str, Any] = {}
    monkeypatch.setattr(component_state.st, "session_state", held)
    return held


def test_a_report_from_before_a_move_is_not_heard(state: dict[str, Any]):
    before = component_state.set_from_server("rail", "a text", 3)
    state["rail"] = {"token": [7, before.key]}
    assert component_state.client_report("rail", "token", before.key) == [7]
    after = component_state.set_from_server("rail", "a text", 1)
    assert component_state.client_report("rail", "token", after.key) is None
    assert component_state.current_state("rail") == after


def test_a_visit_knows_where_it_began_while_its_place_changes(state: dict[str, Any]):
    assert component_state.current_state("sizes") is None
    component_state.set_from_server("sizes", "a text", 250)
    component_state.accept_client_value("sizes", 40)
    here = component_state.current_state("sizes")
    assert here is not None
    assert (here.initial, here.current) == (250, 40)


@pytest.mark.parametrize("told", [None, {}, {"token": None}, {"token": 3}, {"token": []}])
def test_what_is_no_report_is_not_heard(state: dict[str, Any], told: object):
    state["rail"] = told
    assert component_state.client_report("rail", "token", "a text:1") is None
