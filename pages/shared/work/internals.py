"""Private parts of Streamlit and asyncio that the app uses; any release may remove one of them.

They are not imported at the top because the server must start without them. If one is missing or
has other parameters, one line is logged, and only the feature that needs it is disabled.
"""

import logging
from collections.abc import Callable
from functools import cache, reduce
from importlib import import_module
from inspect import signature
from threading import RLock
from typing import Any, Generic, TypeVar
from uuid import uuid4

import streamlit as st

LOGGER = logging.getLogger(__name__)
LOOKING = RLock()
"""Held while a private name is looked up, so that each missing one is logged once."""
_CONTEXT = "streamlit.runtime.scriptrunner_utils.script_run_context:ScriptRunContext"

T = TypeVar("T")


def find(path: str, parameters: str | None = None) -> Any:
    """Return the object at a path such as `module:Class.method`.

    Raises LookupError if it doesn't exist or has other `parameters` (separated by spaces).
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
    """Log that the feature `what` is disabled because of `error`."""
    LOGGER.warning("With Streamlit %s the app does without %s: %s", st.__version__, what, error)


class _Once(Generic[T]):
    """A lookup that is made once, also if several threads ask for it at the same time.

    `functools.cache` alone would make it once for each of them.
    """

    def __init__(self, look_up: Callable[[], T]) -> None:
        self._cached = cache(look_up)

    def __call__(self) -> T:
        with LOOKING:
            return self._cached()

    def forget(self) -> None:
        self._cached.cache_clear()


@_Once
def _sessions() -> tuple[Any, Any] | None:
    """Return Streamlit's runtime module and context getter; None if a private part is missing."""
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


@_Once
def stop_exceptions() -> tuple[type[BaseException], ...]:
    """Return what `st.stop` raises; nothing if that is not known."""
    try:
        return (find("streamlit.runtime.scriptrunner:StopException"),)
    except LookupError as error:
        log_unavailable("the foot of a page that ends early", error)
        return ()


def _server() -> Any | None:
    known = _sessions()
    return known[0].get_instance() if known and known[0].exists() else None


def session_id() -> str:
    """Return the id of the session whose page runs in this thread; "" if no page does."""
    known = _sessions()
    if known is None:
        return st.session_state.setdefault("session_id", uuid4().hex)
    context = known[1]()
    return context.session_id if context else ""


def is_connected(session: str) -> bool:
    """Return whether a browser is connected to the session; True if unknown."""
    server = _server()
    return server is None or server.is_active_session(session)


def close_disconnected(session: str) -> bool:
    """Free a disconnected session; return whether the server could be called.

    Streamlit itself frees a session only when the next visitor leaves. The call used here is meant
    for logging out, but it closes a disconnected session completely, and works from any thread.
    """
    server = _server()
    if server:
        server.clear_user_info_for_session(session)
    return server is not None


@_Once
def rerun_exceptions() -> tuple[type[BaseException], ...]:
    """Return the exceptions that end an interrupted page run; an empty tuple if unknown."""
    try:
        return (find("streamlit.runtime.scriptrunner:RerunException", "rerun_data"),)
    except LookupError as error:
        log_unavailable("keeping the runs of a page that is cut short", error)
        return ()
