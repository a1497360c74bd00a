"""The step of a player: the URL, the reports, and which of them came last."""

from streamlit.testing.v1 import AppTest

from pages.shared.synced_state import SyncedState
from tests.pages.shared.test_url_state import opened


def stepper_page() -> None:
    import streamlit as st

    from pages.shared.controls import url_state
    from pages.shared.player import stepper
    from pages.shared.recording.frame_types import Frame, NoteFrame, PicturePart
    from tests.recordings import record_frames

    url_state.begin_page("page")
    url_state.accept_back_navigation(st.session_state.get("went"))
    frames = [Frame((f"Step {k}.",), (NoteFrame(()),)) for k in range(10)]
    recording = record_frames("run", (PicturePart("note", ""),), frames)
    stepper(recording, "run", key="player")


def state(app: AppTest) -> SyncedState[int]:
    assert not app.exception
    return app.session_state["player.step"]


def write_url(app: AppTest, step: int, report: list[int] | None = None) -> SyncedState[int]:
    """Run again as at a request of a browser whose player wrote the step, and perhaps reported."""
    app.query_params["step"] = str(step)
    if report:
        app.session_state["player"] = {"step": report}
    return state(app.run())


def test_a_step_that_the_player_wrote_and_has_not_reported_does_not_move_it():
    app = opened(stepper_page, step="3")
    assert (state(app).current, state(app).revision) == (3, 1)
    now = write_url(app, 7)
    assert (now.current, now.revision) == (7, 1)
    assert app.query_params["step"] == "7"


def test_a_new_report_is_newer_than_the_url_and_an_old_one_is_not():
    app = opened(stepper_page, step="3")
    now = write_url(app, 7, report=[8, 1, 100])
    assert (now.current, now.revision) == (8, 1)
    now = write_url(app, 9)
    assert (now.current, now.revision) == (9, 1)


def test_back_moves_the_player():
    app = opened(stepper_page, step="3")
    write_url(app, 7)
    app.session_state["went"] = 1
    now = write_url(app, 3)
    assert (now.current, now.server_value, now.revision) == (3, 3, 2)


def test_back_moves_the_player_although_it_was_at_that_step_before():
    app = opened(stepper_page, step="3")
    app.session_state["player"] = {"step": [7, 1, 100]}  # of a fragment: the page's step is 3 still
    assert state(app.run()).current == 7
    app.session_state["went"] = 1
    now = write_url(app, 3)
    assert (now.current, now.server_value, now.revision) == (3, 3, 2)


def test_back_to_an_address_without_a_step_moves_the_player_to_its_start():
    app = opened(stepper_page)
    write_url(app, 7)
    app.session_state["went"] = 1
    del app.query_params["step"]
    now = state(app.run())
    assert (now.current, now.revision) == (0, 2)


def test_a_report_from_before_the_server_moved_is_ignored_with_what_it_wrote_to_the_address():
    app = opened(stepper_page, step="3")
    app.session_state["went"] = 1
    write_url(app, 5)
    now = write_url(app, 8, report=[8, 1, 100])
    assert (now.current, now.revision) == (5, 2)
