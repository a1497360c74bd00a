"""Private parts of Streamlit and asyncio that the app uses; each may be gone with the next release.

Nothing here is imported by its name at the top: a server must start without it. What is missing, or
takes other parameters than it did, costs one line in the log and what it was needed for.
"""

import logging
from functools import cache, reduce
from importlib import import_module
from inspect import signature
from typing import Any
from uuid import uuid4

import streamlit as st

LOGGER = logging.getLogger(__name__)
_CONTEXT = "streamlit.runtime.scriptrunner_utils.script_run_context:ScriptRunContext"


def find(path: str, parameters: str | None = None) -> Any:
    """Return what is at a path such as `module:Class.method`.

    Raises LookupError if it is not there, or does not take these parameters, separated by spaces.
    """
    module, _, names = path.partition(":")
    try:
        found: Any = reduce(getattr, names.split("."), import_module(module))
        actual = parameters if parameters is None else " ".join(signature(found).parameters)
    except (ImportError, AttributeError, TypeError, ValueError) as error:
        raise LookupError(f"{path}: {error}") from error
    if actual != parameters:
        raise LookupError(f"{path} takes {actual or 'nothing'}, not {parameters}")
    return found


def log_unavailable(what: str, error: LookupError) -> None:
    """Write one line about what the app does without."""
    LOGGER.warning("With Streamlit %s the app does without %s: %s", st.__version__, what, error)


@cache
def _sessions() -> tuple[Any, Any] | None:
    """Return what gives the server, and the context of a run; None unless all is as expected."""
    try:
        find("streamlit.runtime:exists", "")
        find("streamlit.runtime:Runtime.is_active_session", "self session_id")
        find("streamlit.runtime:Runtime.clear_user_info_for_session", "self session_id")
        find("streamlit.runtime:get_instance", "")
        context = find("streamlit.runtime.scriptrunner:get_script_run_ctx")
        find(f"{_CONTEXT}.__annotations__")["session_id"]
    except LookupError as error:  # a KeyError is one, too
        log_unavailable("an early end to the runs of visitors who have gone", error)
        return None
    return import_module("streamlit.runtime"), context


def _server() -> Any | None:
    known = _sessions()
    return known[0].get_instance() if known and known[0].exists() else None


def session_id() -> str:
    """Return the name of the session whose page runs in this thread; empty if none does."""
    known = _sessions()
    if known is None:
        return st.session_state.setdefault("session_id", uuid4().hex)
    context = known[1]()
    return context.session_id if context else ""


def is_connected(session: str) -> bool:
    """Return whether a browser has the session open, or nobody can tell."""
    server = _server()
    return server is None or server.is_active_session(session)


def close_disconnected(session: str) -> bool:
    """Free what Streamlit keeps of a session without a browser; return whether that could be asked.

    By itself it does so only when the next visitor leaves. This call is meant for logging out: of a
    session without a browser it closes all, and from any thread.
    """
    server = _server()
    if server:
        server.clear_user_info_for_session(session)
    return server is not None


@cache
def rerun_exceptions() -> tuple[type[BaseException], ...]:
    """Return what a page run raises that is cut short by the next one; nothing if unknown."""
    try:
        return (find("streamlit.runtime.scriptrunner:RerunException", "rerun_data"),)
    except LookupError as error:
        log_unavailable("keeping the runs of a page that is cut short", error)
        return ()
