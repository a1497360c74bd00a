"""The runs of the pages: asked for here, done by the pool, and what a page shows meanwhile.

The function of a run is importable by name (so it lives in a module, not in a view), takes `report`
first (see worker.py), and gives back something that can be pickled; bytes are cheapest.
"""

import ctypes
import gc
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from math import inf
from threading import Lock, Semaphore, Timer, local
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.shared.controls.markdown import escape_markdown
from pages.shared.drawing.phrasing import count_of
from pages.shared.work import internals
from pages.shared.work.pool import Job, Pool

COOKIE = "pieces"
"""The name of the random number of a browser: see serving.py, and docs/hosting/nginx.conf."""
_COOKIE_FORMAT = re.compile("[0-9a-f]{32}")
MOST_PAGES = 2  # pages that compute at a time; Python runs one thread at a time
GRACE_SECONDS = 0.3  # seconds in which a run may end without a word about it
UPDATE_SECONDS = 1.0  # seconds until a page says anew how far its run is
QUEUE_SECONDS = 6.0  # seconds that a page stays with a run that others are ahead of
SHORTEST_POLL, LONGEST_POLL = 0.5, 3.0  # seconds until a page that waits looks again
TRIM_DELAY = 5.0  # seconds until the sessions of visitors who have gone are closed, and then some
_SLOTS = Semaphore(MOST_PAGES)
_this_thread = local()  # whether this thread has a turn
_trim_pending = Lock()  # held while a time for it is set


def _on_disconnect(visitor: str) -> None:
    """Let go of what Streamlit keeps of a visitor who has gone: perhaps a text of megabytes."""
    if internals.close_disconnected(visitor) and _trim_pending.acquire(blocking=False):
        timer = Timer(TRIM_DELAY, _trim_memory)
        timer.daemon = True  # the server may end before
        try:
            timer.start()
        except RuntimeError:  # there is no thread left: who leaves next tries again
            _trim_pending.release()


def _trim_memory() -> None:
    """Give the memory of those who have gone back to the system: the allocator would keep it.

    Streamlit's sessions are cycles, which Python collects late; texts of megabytes lie between
    smaller things that stay.
    """
    _trim_pending.release()
    gc.collect()
    with suppress(AttributeError, OSError, TypeError):  # only the C library of Linux can do it
        ctypes.CDLL(None).malloc_trim(0)


# A browser that was cut off finds its session again as long as Streamlit keeps it. One that has
# expired is out of reach for `_when_gone`, so it comes shortly before that.
_SESSION_TIMEOUT = 0.75 * st.get_option("server.disconnectedSessionTTL")

_POOL = Pool(
    is_connected=internals.is_connected,
    on_disconnect=_on_disconnect,
    session_timeout=_SESSION_TIMEOUT,
)
"""One pool for all visitors: a module is imported once, and the pool starts with its first run.

It does not live in `st.cache_resource`, which any browser can empty by a message.
"""


def is_well() -> bool:
    """Whether the pool does runs, or would do the first one."""
    return _POOL.is_well()


def close() -> None:
    """End all runs: the server stops."""
    _POOL.close()


def is_page() -> bool:
    """Whether a page runs in this thread, and not what makes a file for a browser later."""
    return bool(internals.session_id())


def _browser() -> str:
    """Return the number of the visitor's browser, which all its tabs share; "" if it has none."""
    number = str(st.context.cookies.get(COOKIE) if is_page() else "")
    return number if _COOKIE_FORMAT.fullmatch(number) else ""


@contextmanager
def cpu_slot() -> Iterator[None]:
    """Around the run of a page: only `AT_ONCE` of them compute at a time, the others wait.

    All at once they would not be quicker, and lose half of their time in handing Python's lock on.
    """
    with _SLOTS:
        _this_thread.turn = True
        try:
            yield
        finally:
            _this_thread.turn = False


def done_within(job: Job, seconds: float) -> bool:
    """Whether the run is over after so many seconds at most.

    While other runs are ahead of it, another page has the turn. One that is being done keeps it: so
    a class is served page by page, and hardly a page has to be shown twice.
    """
    if job.wait() or not _POOL.estimate_wait(job)[0]:
        return job.wait(seconds)
    with release_slot():
        return job.wait(seconds)


@contextmanager
def release_slot() -> Iterator[None]:
    """Around what a page only waits for: another page has the turn meanwhile."""
    if not getattr(_this_thread, "turn", False):  # a part of a page that runs by itself has none
        yield
        return
    _this_thread.turn = False
    _SLOTS.release()
    try:
        yield
    finally:
        _SLOTS.acquire()
        _this_thread.turn = True


@contextmanager
def page_scope() -> Iterator[None]:
    """Around the run of a whole page: what the newest one does not ask for is given up.

    A page run that is cut short, because the visitor has changed something, gives up nothing: the
    next one begins at once.
    """
    visitor = internals.session_id()
    _POOL.begin_page(visitor)
    try:
        yield
    except internals.rerun_exceptions():
        raise
    except BaseException:  # StopException, by which a page that has to wait ends
        _POOL.end_page(visitor)
        raise
    _POOL.end_page(visitor)


def run(key: str, function: Callable[..., Any], *args: Any) -> Job:
    """The run `function(report, *args)` of that content key, started unless it is known already."""
    return _POOL.run(key, function, *args, watcher=internals.session_id(), browser=_browser())


def wait_for(job: Job, label: str, grace_seconds: float = GRACE_SECONDS) -> bool:
    """Whether the run has a result to show; until then the page shows `label` and the progress.

    Blocks for at most `blink` seconds, so that a quick run shows nothing at all, and longer where
    others are ahead of it: while a class is served, pages that ran again and again to look for
    their runs would take half of the server's time. A run that takes long itself makes the page run
    again when it is over.
    """
    placeholder = st.empty()  # always: what comes below keeps its place
    if not done_within(job, grace_seconds) and not (
        job.state == "waiting" and _wait_in_queue(job, label, placeholder)
    ):
        seconds = _POOL.estimate_wait(job)[1] if job.state == "waiting" else 0.0
        soon = min(max(seconds / 2, SHORTEST_POLL), LONGEST_POLL)
        st.fragment(_show_progress, run_every=soon)(job, label)
        return False
    if job.state == "failed":
        st.error(escape_markdown(job.problem))
        _retry_button(job, "Try again")
    elif job.state == "stopped":
        st.caption("Stopped early. This is the result so far.")
        _retry_button(job, "Run it to the end")
    elif job.state == "cancelled":  # by a page run that is over; this one asks anew
        st.rerun()
    return job.result is not None


def _wait_in_queue(job: Job, label: str, placeholder: DeltaGenerator) -> bool:
    """Whether the run was over while the page stayed with it, and said how long it may take."""
    until = time.monotonic() + QUEUE_SECONDS
    with release_slot():
        while job.state == "waiting" and time.monotonic() < until:
            placeholder.progress(job.progress, _progress_text(job, label))
            job.wait(UPDATE_SECONDS)
        is_over = job.wait(GRACE_SECONDS)
    placeholder.empty()
    return is_over


def _progress_text(job: Job, label: str) -> str:
    return f"{label} {_queue_text(*_POOL.estimate_wait(job))}" if job.state == "waiting" else label


def _show_progress(job: Job, label: str) -> None:
    if job.wait():
        st.rerun()
    stopping = "Stopping and collecting the result so far …" if job.is_stop_requested else ""
    st.progress(job.progress, stopping or _progress_text(job, label))
    if len(job.watchers) == 1 and not stopping:  # nobody stops what someone else is waiting for
        st.button("Stop", key=f"stop {job.key}", on_click=job.stop)


def _queue_text(position: int, seconds: float) -> str:
    """Say when a run that waits is likely to begin.

    >>> _turn(1, 0.4)
    'Waiting: 1 run is ahead of you, about 1 second.'
    >>> _turn(0, 300.0)
    'Waiting: you are next, about 5 minutes.'
    >>> _turn(0, inf)
    'Waiting: you are next. The runs before yours are long; how long is not known yet.'
    """
    runs = f"{count_of(position, 'run')} {'is' if position == 1 else 'are'} ahead of you"
    begin = f"Waiting: {runs if position else 'you are next'}"
    if seconds == inf:
        return f"{begin}. The runs before yours are long; how long is not known yet."
    is_long = seconds >= 120
    amount, unit = (seconds / 60, "minute") if is_long else (seconds, "second")
    about = count_of(max(round(amount), 1), unit)
    return f"{begin}, about {about}."


def _retry_button(job: Job, label: str) -> None:
    st.button(label, key=f"again {job.key}", on_click=_POOL.forget, args=(job,))
