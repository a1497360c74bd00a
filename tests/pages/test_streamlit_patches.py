"""The patches of Streamlit: what each one does, and the app without each of them."""

import asyncio
import json
import re
import socket
import time
from asyncio import base_events
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any
from unittest.mock import Mock, create_autospec

import pytest
import streamlit as st
from starlette.testclient import TestClient, WebSocketTestSession
from streamlit import config
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.BidiComponent_pb2 import BidiComponent
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import Runtime
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.media_file_manager import MediaFileManager
from streamlit.runtime.media_file_storage import MediaFileStorageError
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage
from streamlit.runtime.state.common import WidgetMetadata
from streamlit.runtime.state.session_state import WStates

from pages import serving, streamlit_patches
from pages.shared.work import internals, jobs
from tests.pages.opening import FRAME

PATCHED = (
    (AppSession, "request_rerun"),
    (AppSession, "flush_browser_queue"),
    (AppSession, "_clear_queue"),
    (MediaFileManager, "remove_orphaned_files"),
    (base_events, "_set_nodelay"),
)
CACHED = "global.minCachedMessageSize"


@pytest.fixture(autouse=True)
def unpatched(monkeypatch):
    """Undo the patches of a test."""
    for owner, name in PATCHED:
        monkeypatch.setattr(owner, name, getattr(owner, name))
    smallest = config.get_option(CACHED)
    forget()
    yield
    config.set_option(CACHED, smallest)
    forget()


def forget() -> None:
    internals._sessions.forget()
    internals.rerun_exceptions.forget()


def ask(server: WebSocketTestSession, state: ClientState) -> list[ForwardMsg]:
    """Run a page; return all messages sent until its end."""
    server.send_bytes(BackMsg(rerun_script=state).SerializeToString())
    messages = [ForwardMsg.FromString(server.receive_bytes())]
    while messages[-1].WhichOneof("type") != "script_finished":
        messages.append(ForwardMsg.FromString(server.receive_bytes()))
    assert [m.delta.new_element.exception.message for m in messages if is_exception(m)] == []
    return messages


def is_exception(message: ForwardMsg) -> bool:
    return message.delta.new_element.WhichOneof("type") == "exception"


def component(messages: list[ForwardMsg], name: str) -> tuple[BidiComponent, str]:
    """Return a component that was sent, and its fragment."""
    for message in messages:
        found = message.delta.new_element.bidi_component
        if found.component_name.endswith(name):
            return found, message.delta.fragment_id
    raise AssertionError(f"no {name} among {len(messages)} messages")


@contextmanager
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    """Start the app, as `streamlit run app.py` does, in this process."""
    monkeypatch.setattr(Runtime, "_instance", None)
    monkeypatch.setattr(jobs, "close", Mock())
    app = st.App(
        FRAME, lifespan=serving.lifespan, middleware=serving.MIDDLEWARE, routes=serving.ROUTES
    )
    with TestClient(app) as client:
        yield client


def step_through_training(client: TestClient) -> None:
    """Open BPE · Train, go to the third step, and on to another page."""
    assert "<style>" in client.get("/").text
    with client.websocket_connect("/_stcore/stream", subprotocols=["streamlit"]) as browser:
        query = "corpus=b2&step=2"
        sent = ask(browser, ClientState(page_name="bpe_train", query_string=query))
        page = next(m.navigation for m in sent if m.WhichOneof("type") == "navigation")
        player, _ = component(sent, "player")
        header = json.loads(player.bytes[4 : 4 + int.from_bytes(player.bytes[:4], "little")])
        listener, fragment = component(sent, "step_listener")
        state = ClientState(
            page_script_hash=page.page_script_hash, query_string=query, fragment_id=fragment
        )
        value = json.dumps({"step": [3, header["step"][0]]})
        state.widget_states.widgets.add(id=listener.id, json_value=value)
        sent = ask(browser, state)
        assert any("After 3 of 10" in str(message.delta) for message in sent)
        sent = ask(browser, ClientState(page_name="about"))
        assert any("About · " in str(message.page_config_changed) for message in sent)


def look_everywhere() -> None:
    """Look up all private names that the app uses."""
    forget()
    streamlit_patches.apply()
    internals._sessions()
    internals.rerun_exceptions()


@contextmanager
def finding(monkeypatch: pytest.MonkeyPatch, find: Callable[..., Any]) -> Iterator[None]:
    """Replace the lookup of private names; the app is unpatched before and after."""
    with monkeypatch.context() as patch:
        patch.setattr(internals, "find", find)
        patch.setattr(streamlit_patches, "find", find)
        for owner, name in PATCHED:
            patch.setattr(owner, name, getattr(owner, name))
        config.set_option(CACHED, 1e15)
        forget()
        yield


def private_names(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the paths of all private names that the app looks up."""
    found: list[str] = []
    find = internals.find

    def note(path: str, parameters: str | None = None) -> Any:
        found.append(path)
        return find(path, parameters)

    with finding(monkeypatch, note):
        look_everywhere()
    return list(dict.fromkeys(found))


def left_out(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Return the disabled features that were logged."""
    return re.findall(r"does without ([\w ]+): ", "\n".join(caplog.messages))


def test_every_patch_suits_the_installed_release(caplog):
    streamlit_patches.apply()
    assert internals._sessions()
    assert internals.rerun_exceptions()
    assert caplog.messages == []
    assert config.get_option(CACHED) == streamlit_patches.SMALLEST_CACHED


def test_the_app_works_without_each_private_name_and_logs_it(monkeypatch, caplog):
    """The app is started once for each set of disabled features."""
    names = private_names(monkeypatch)
    assert len(names) > 20
    find = internals.find
    known: list[list[str]] = []
    for gone in [*names, ":"]:  # the last is all of them

        def look(path: str, parameters: str | None = None, gone: str = gone) -> Any:
            return find(f"{path}_" if gone in path else path, parameters)

        with finding(monkeypatch, look):
            with internals.LOOKING:  # the pool's threads of earlier tests look up names, too
                caplog.clear()
                look_everywhere()
            lines = left_out(caplog)
            assert lines, gone
            assert len(lines) == len(set(lines)) == len(caplog.messages), gone
            if lines not in known:
                known.append(lines)
                with server(monkeypatch) as client:
                    step_through_training(client)
    assert len(max(known, key=len)) == len(streamlit_patches.PATCHES) + 2
    assert len(known) > len(streamlit_patches.PATCHES) + 2


def test_threads_that_ask_at_once_look_up_a_name_once(monkeypatch, caplog):
    def look(path: str, parameters: str | None = None) -> Any:
        time.sleep(0.05)
        raise LookupError(path)

    with finding(monkeypatch, look), ThreadPoolExecutor(4) as threads:
        asked = [threads.submit(internals.is_connected, "nobody") for _ in range(4)]
        assert all(each.result() for each in asked)
    assert len(left_out(caplog)) == 1


def test_a_function_with_other_parameters_counts_as_missing(monkeypatch, caplog):
    def request_rerun(self: AppSession, client_state: ClientState, priority: int) -> None:
        raise AssertionError("never called")

    monkeypatch.setattr(AppSession, "request_rerun", request_rerun)
    config.set_option(CACHED, 1e15)
    streamlit_patches.apply()
    assert AppSession.request_rerun is request_rerun
    lost = ("fix_fragment_reruns", "keep_chosen_page", "limit_cached_message_refs")
    assert left_out(caplog) == [f"the patch {name}" for name in lost]
    assert config.get_option(CACHED) == 1e15, "without the patch nothing is referred to"


def test_what_is_accepted_sends_at_once_though_its_socket_names_no_protocol(monkeypatch):
    monkeypatch.setattr(base_events, "_set_nodelay", lambda sock: None)
    streamlit_patches.enable_tcp_nodelay()

    async def delay() -> int:
        found = asyncio.get_running_loop().create_future()

        def accepted(_, writer: asyncio.StreamWriter) -> None:
            connection = writer.get_extra_info("socket")
            found.set_result(connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        listening = socket.create_server(("127.0.0.1", 0))  # protocol 0, as Streamlit creates it
        async with await asyncio.start_server(accepted, sock=listening):
            _, writer = await asyncio.open_connection(*listening.getsockname())
            writer.close()
            return await found

    with ThreadPoolExecutor() as apart:  # browser tests may run a loop here
        assert apart.submit(asyncio.run, delay()).result() == 1


def as_it_is(value: Any) -> Any:
    return value


class Session:
    """A session stub: a slider in one fragment, a checkbox in another, and the current page."""

    page_script_hash = "here"

    def __init__(self) -> None:
        self.session_state = Mock()
        known = self.session_state._new_widget_state = WStates()
        for name in ("slider", "box"):
            known.set_widget_metadata(
                WidgetMetadata(name, as_it_is, as_it_is, "int_value", fragment_id=name)
            )
            known.set_from_value(name, 0)


def told(page: str, part: str = "", **values: int) -> ClientState:
    state = ClientState(page_script_hash=page, fragment_id=part)
    for name, value in values.items():
        state.widget_states.widgets.add(id=name, int_value=value)
    return state


def runs_of(
    monkeypatch, patch: Callable[[], None], *requests: ClientState | str
) -> list[tuple[str, str]]:
    """Return the page and the fragment of each run that a patched session makes of requests.

    In place of a request, a text is the page whose run begins.
    """
    request = create_autospec(AppSession.request_rerun)
    monkeypatch.setattr(AppSession, "request_rerun", request)
    patch()
    session: Any = Session()
    for one in requests:
        if isinstance(one, str):
            session.page_script_hash = one
        else:
            AppSession.request_rerun(session, ClientState.FromString(one.SerializeToString()))
    ran = [call.args[1] for call in request.call_args_list]
    return [(one.page_script_hash, one.fragment_id) for one in ran]


@pytest.mark.parametrize(
    ("request_", "run"),
    [
        (told("here", "slider", slider=1, box=0), ("here", "slider")),
        (told("here", "slider", slider=1, box=1), ("here", "")),
        (told("here", "slider", slider=1, gone=1), ("here", "slider")),
    ],
)
def test_a_part_runs_alone_if_nothing_else_has_changed(monkeypatch, request_, run):
    assert runs_of(monkeypatch, streamlit_patches.fix_fragment_reruns, request_) == [run]


LINK = told("there", frame=1)
"""A request for another page: it has the widgets that are on every page."""


@pytest.mark.parametrize(
    ("requests", "runs"),
    [
        ([LINK, told("here", frame=1, slider=1)], ["there", "there"]),
        ([LINK, told("here", "slider", slider=1)], ["there"]),
        ([LINK, told("there", frame=1, box=1)], ["there", "there"]),
        ([LINK, told("there", "box", box=1)], ["there", "there"]),
        ([told("here", slider=1), told("here", "slider", slider=2)], ["here", "here"]),
        # the page is chosen again before the other one is there
        ([LINK, told("here", frame=1), told("here", slider=1)], ["there", "here", "here"]),
        ([LINK, told("here", frame=1, received_run=2)], ["there", "here"]),
        # one more page is chosen, before and after the run of the other one has begun
        ([LINK, told("third", frame=1), told("here", slider=1)], ["there", "third", "third"]),
        (
            [LINK, "there", told("third", frame=1), told("here", slider=1)],
            ["there", *["third"] * 2],
        ),
        # the way back
        (
            [LINK, "there", told("here"), "here", told("here", "box", box=1)],
            ["there", *["here"] * 2],
        ),
        (
            [LINK, "there", told("there", box=1), told("here", frame=1, new=1)],
            [*["there"] * 2, "here"],
        ),
    ],
)
def test_the_chosen_page_is_shown_whatever_the_page_before_reports(monkeypatch, requests, runs):
    ran = runs_of(monkeypatch, streamlit_patches.keep_chosen_page, *requests)
    assert [page for page, _ in ran] == runs


ENDED = ForwardMsg(script_finished=ForwardMsg.FINISHED_SUCCESSFULLY)


def picture(name: str) -> ForwardMsg:
    message = ForwardMsg(hash=name)
    message.metadata.cacheable = True
    return message


def test_a_browser_is_referred_to_what_came_up_in_half_as_many_runs_as_it_keeps_it(monkeypatch):
    flush = create_autospec(AppSession.flush_browser_queue)
    request = create_autospec(AppSession.request_rerun)
    monkeypatch.setattr(AppSession, "flush_browser_queue", flush)
    monkeypatch.setattr(AppSession, "request_rerun", request)
    monkeypatch.setattr(st, "get_option", {"global.maxCachedMessageAge": 6}.get)
    streamlit_patches.limit_cached_message_refs()
    session: Any = Session()

    def send(*messages: ForwardMsg) -> None:
        flush.return_value = list(messages)
        assert AppSession.flush_browser_queue(session) == list(messages)

    def known(*told: str) -> list[str]:
        AppSession.request_rerun(session, ClientState(cached_message_hashes=told))
        return list(request.call_args.args[1].cached_message_hashes)

    assert known("old") == [], "of another session"
    send(picture("one"), picture("two"), ForwardMsg(hash="small"), ENDED)
    assert known("one", "two", "old", "small") == ["one", "two"]
    assert known("two") == ["two"], "what the browser has forgotten it is sent"
    send(ENDED, ForwardMsg(ref_hash="two"), ENDED)
    assert known("one", "two") == ["one", "two"]
    send(ENDED)
    assert known("one", "two") == ["two"], "it came up once more"
    AppSession.request_rerun(session, None)
    assert request.call_args.args[1] is None


def test_a_download_is_not_deleted_before_the_browser_fetches_it(monkeypatch):
    clock = Mock()
    clock.monotonic.return_value = 0.0
    monkeypatch.setattr(streamlit_patches, "time", clock)
    streamlit_patches.keep_unused_files()
    files = MediaFileManager(MemoryMediaFileStorage("/media"))

    def make() -> str | None:
        """Press the button; return the file's name, or None if it is gone."""
        try:
            return files.execute_deferred(button).rpartition("/")[2]
        except MediaFileStorageError:
            return None

    def end_runs_of_others(at: float) -> None:
        clock.monotonic.return_value = at
        for _ in range(3):
            files.remove_orphaned_files()

    button = files.add_deferred(lambda: "a file", "text/plain", "0.1", "file.txt")
    made = make()
    assert made
    end_runs_of_others(1)
    assert files.read_file(made)
    end_runs_of_others(1 + streamlit_patches.UNUSED_SECONDS)
    assert not files.read_file(made)

    assert make() == made
    end_runs_of_others(100)
    assert files.read_file(made), "it was made again"
    files.clear_session_refs()  # a run of its page begins, while the browser still shows the button
    end_runs_of_others(101)
    assert make() == made
    end_runs_of_others(101 + streamlit_patches.UNUSED_SECONDS)
    assert make() is None
