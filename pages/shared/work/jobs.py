"""Functions by which a page requests a job from the pool, shows its progress, and waits for it.

A job's function must be importable by name, must take a progress callback first (see worker.py),
and must return something that can be pickled; bytes are cheapest.
"""

import gc
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import inf
from threading import Lock, Semaphore, Timer, local
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.shared.controls.markdown import escape_markdown
from pages.shared.drawing.phrasing import count_of
from pages.shared.work import internals
from pages.shared.work.memory import return_freed_memory
from pages.shared.work.pool import Job, Pool

COOKIE = "pieces"
"""The cookie with the random id of a browser: see serving.py, and docs/hosting/nginx.conf."""
_COOKIE_FORMAT = re.compile("[0-9a-f]{32}")
MOST_PAGES = 2  # pages that run at the same time; Python runs one thread at a time
GRACE_SECONDS = 0.3  # seconds before any progress is shown
UPDATE_SECONDS = 1.0  # seconds between updates of the progress
QUEUE_SECONDS = 6.0  # seconds that a page keeps waiting for a queued job before it ends
SHORTEST_POLL, LONGEST_POLL = 0.2, 3.0  # seconds between reruns of a waiting page
TRIM_DELAY = 5.0  # seconds, more than closing a session takes
_SLOTS = Semaphore(MOST_PAGES)
_this_thread = local()  # whether this thread holds a slot
_trim_pending = Lock()  # held while a trim is scheduled


def _on_disconnect(visitor: str) -> None:
    """Free a disconnected user's session state, which may hold megabytes of text."""
    if internals.close_disconnected(visitor) and _trim_pending.acquire(blocking=False):
        timer = Timer(TRIM_DELAY, _trim_memory)
        timer.daemon = True  # the server may end first
        try:
            timer.start()
        except RuntimeError:  # no thread left: the next disconnect tries again
            _trim_pending.release()


def _trim_memory() -> None:
    """Return the memory of closed sessions, reference cycles that Python would collect late."""
    _trim_pending.release()
    gc.collect()
    return_freed_memory()


# Streamlit keeps a disconnected session this long for a reconnect. `_on_disconnect` cannot reach an
# expired session, so it is called shortly before.
_SESSION_TIMEOUT = 0.75 * st.get_option("server.disconnectedSessionTTL")

_POOL = Pool(
    is_connected=internals.is_connected,
    on_disconnect=_on_disconnect,
    session_timeout=_SESSION_TIMEOUT,
)
"""One pool for all visitors, started with its first job.

It is not in `st.cache_resource`, which any browser can clear by a message.
"""


def is_well() -> bool:
    """Return whether the pool runs jobs, or would run the first one."""
    return _POOL.is_well()


def close() -> None:
    """End all jobs at shutdown."""
    _POOL.close()


def is_page() -> bool:
    """Return whether this thread runs a page; a thread that makes a download doesn't."""
    return bool(internals.session_id())


def _browser() -> str:
    """Return the browser's id, which all of its tabs share; "" if the browser has none."""
    number = str(st.context.cookies.get(COOKIE) if is_page() else "")
    return number if _COOKIE_FORMAT.fullmatch(number) else ""


@contextmanager
def cpu_slot() -> Iterator[None]:
    """Hold one of `MOST_PAGES` slots during a page run; the other pages wait.

    Running more pages at a time is no faster: they would lose half of their time to the GIL.
    """
    with _SLOTS:
        _this_thread.has_slot = True
        try:
            yield
        finally:
            _this_thread.has_slot = False


def done_within(job: Job, seconds: float) -> bool:
    """Wait at most `seconds` for the job; return whether it has ended.

    The page's slot is released while other jobs are ahead, but kept while the job runs, so that a
    class is served page by page and few pages have to run twice.
    """
    if job.wait() or not _POOL.estimate_wait(job)[0]:
        return job.wait(seconds)
    with release_slot():
        return job.wait(seconds)


@contextmanager
def release_slot() -> Iterator[None]:
    """Release the page's slot while it only waits."""
    if not getattr(_this_thread, "has_slot", False):  # a fragment's run holds none
        yield
        return
    _this_thread.has_slot = False
    _SLOTS.release()
    try:
        yield
    finally:
        _SLOTS.acquire()
        _this_thread.has_slot = True


@contextmanager
def page_scope() -> Iterator[None]:
    """Run a whole page, and then drop the visitor's interest in jobs that the page did not request.

    If a rerun interrupts the run, no job is dropped, because the next run starts at once.
    """
    visitor = internals.session_id()
    _POOL.begin_page(visitor)
    try:
        yield
    except internals.rerun_exceptions():
        raise
    except BaseException:  # StopException: a page that has to wait
        _POOL.end_page(visitor)
        raise
    _POOL.end_page(visitor)


def run(key: str, function: Callable[..., Any], *args: Any) -> Job:
    """Return the job with this content key; if there is none, queue `function(report, *args)`."""
    return _POOL.run(key, function, *args, watcher=internals.session_id(), browser=_browser())


def wait_for(job: Job, label: str, grace_seconds: float = GRACE_SECONDS) -> bool:
    """Return whether the job has a result; until then the page shows `label` and the progress.

    Block for at most `grace_seconds` without showing anything, and longer while other jobs are
    ahead: with a whole class waiting, pages that poll by rerunning would take half of the server's
    time. If the job still hasn't ended, return False; the page reruns when the job ends.
    """
    placeholder = st.empty()  # created in every run, so that elements below keep their positions
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
        so_far = "" if job.result is None else " This is the result so far."
        st.caption(f"Stopped early.{so_far}")
        _retry_button(job, "Run it to the end")
    elif job.state == "cancelled":  # by an earlier page run: request it again
        st.rerun()
    return job.result is not None


def _wait_in_queue(job: Job, label: str, placeholder: DeltaGenerator) -> bool:
    """Show the estimated wait while the job is queued; return whether it has ended afterwards."""
    deadline = time.monotonic() + QUEUE_SECONDS
    with release_slot():
        while job.state == "waiting" and time.monotonic() < deadline:
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
    if len(job.watchers) == 1 and not stopping:  # not if somebody else waits for it
        st.button("Stop", key=f"stop {job.key}", on_click=job.stop)


def _queue_text(position: int, seconds: float) -> str:
    """Describe when a queued job is likely to start.

    >>> _queue_text(1, 0.4)
    'Waiting: 1 run is ahead of you, about 1 second.'
    >>> _queue_text(0, 300.0)
    'Waiting: you are next, about 5 minutes.'
    >>> _queue_text(0, inf)
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
