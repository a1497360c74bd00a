"""What is changed of Streamlit: it says the same as before, sooner, and loses nothing."""

import asyncio
import socket
from asyncio import base_events
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from unittest.mock import Mock

import pytest
import streamlit.config
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import app_session
from streamlit.runtime.state.common import WidgetMetadata
from streamlit.runtime.state.session_state import WStates

from pages import mended

SECTIONS = [one for one in streamlit.config._section_descriptions if one.startswith("theme")]


def theme() -> ForwardMsg:
    """Return what a session is told of the theme when a page runs."""
    message = ForwardMsg()
    for section in SECTIONS:
        part = message.new_session.custom_theme
        for name in section.split(".")[1:]:
            part = getattr(part, name)
        app_session._populate_theme_msg(part, section)
    return message


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"theme.base": "light", "theme.dark.primaryColor": "#123456"},
        {"theme.base": "dark", "theme.light.sidebar.font": "serif"},
        {"theme.headingFontSizes": ["3rem", "2rem"], "theme.chartCategoricalColors": ["#000000"]},
    ],
)
def test_the_theme_that_is_kept_is_the_one_that_streamlit_makes(options, monkeypatch):
    make = Mock(wraps=app_session._populate_theme_msg)
    monkeypatch.setattr(app_session, "_populate_theme_msg", make)
    before = {name: streamlit.config.get_option(name) for name in options}
    try:
        for name, value in options.items():
            streamlit.config.set_option(name, value)
        made = theme()
        mended.keep_theme()
        assert theme() == made
        assert theme() == made
    finally:
        for name, value in before.items():
            streamlit.config.set_option(name, value)
    assert make.call_count == 2 * len(SECTIONS) == 12, "once for Streamlit, and once to be kept"


def test_what_is_accepted_sends_at_once_though_its_socket_names_no_protocol(monkeypatch):
    monkeypatch.setattr(base_events, "_set_nodelay", None)
    mended.answer_at_once()

    async def delay() -> int:
        found = asyncio.get_running_loop().create_future()

        def accepted(_, writer: asyncio.StreamWriter) -> None:
            connection = writer.get_extra_info("socket")
            found.set_result(connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        listening = socket.create_server(("127.0.0.1", 0))  # as Streamlit makes it: protocol 0
        async with await asyncio.start_server(accepted, sock=listening):
            _, writer = await asyncio.open_connection(*listening.getsockname())
            writer.close()
            return await found

    with ThreadPoolExecutor() as apart:  # a browser's tests may have a loop of their own here
        assert apart.submit(asyncio.run, delay()).result() == 1


def as_it_is(value: Any) -> Any:
    return value


class Session:
    """What is read of a session: a slider of one part, a box of another, and the page shown."""

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


@pytest.mark.parametrize(
    ("requests", "runs"),
    [
        ([told("here", "slider", slider=1, box=0)], [("here", "slider")]),
        ([told("here", "slider", slider=1, box=1)], [("here", "")]),
        ([told("here", "slider", slider=1, gone=1)], [("here", "slider")]),
        ([told("there"), told("here", "slider", slider=1)], [("there", "")]),
        ([told("there"), told("here", "slider", slider=1, box=1)], [("there", "")]),
        ([told("there"), told("there", "box", box=1)], [("there", ""), ("there", "box")]),
        ([told("here"), told("here", "slider", slider=1)], [("here", ""), ("here", "slider")]),
    ],
)
def test_a_part_runs_alone_if_nothing_else_has_changed_and_its_page_is_there(
    monkeypatch, requests, runs
):
    request = Mock()
    monkeypatch.setattr(app_session.AppSession, "request_rerun", request)
    mended.hear_browsers_right()
    session: Any = Session()
    for one in requests:
        app_session.AppSession.request_rerun(
            session, ClientState.FromString(one.SerializeToString())
        )
    ran = [call.args[1] for call in request.call_args_list]
    assert [(one.page_script_hash, one.fragment_id) for one in ran] == runs


ENDED = ForwardMsg(script_finished=ForwardMsg.FINISHED_SUCCESSFULLY)


def picture(name: str) -> ForwardMsg:
    message = ForwardMsg(hash=name)
    message.metadata.cacheable = True
    return message


def test_a_browser_is_referred_to_what_came_up_in_half_as_many_runs_as_it_keeps_it(monkeypatch):
    flush, request = Mock(), Mock()
    monkeypatch.setattr(app_session.AppSession, "flush_browser_queue", flush)
    monkeypatch.setattr(app_session.AppSession, "request_rerun", request)
    monkeypatch.setattr(streamlit.config, "get_option", {"global.maxCachedMessageAge": 6}.get)
    mended.refer_to_what_is_kept()
    session: Any = Session()

    def send(*messages: ForwardMsg) -> None:
        flush.return_value = list(messages)
        assert app_session.AppSession.flush_browser_queue(session) == list(messages)

    def known(*told: str) -> list[str]:
        app_session.AppSession.request_rerun(session, ClientState(cached_message_hashes=told))
        return list(request.call_args.args[1].cached_message_hashes)

    assert known("old") == [], "of another session"
    send(picture("one"), picture("two"), ForwardMsg(hash="small"), ENDED)
    assert known("one", "two", "old", "small") == ["one", "two"]
    assert known("two") == ["two"], "what the browser has forgotten it is sent"
    send(ENDED, ForwardMsg(ref_hash="two"), ENDED)
    assert known("one", "two") == ["one", "two"]
    send(ENDED)
    assert known("one", "two") == ["two"], "it came up once more"
    app_session.AppSession.request_rerun(session, None)
    assert request.call_args.args[1] is None
