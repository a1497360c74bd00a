"""The pool of worker processes: order, sharing, stopping, dying, and what a page shows of it."""

import errno
import os
import pickle
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from math import inf
from threading import Event, Semaphore, Thread
from types import SimpleNamespace
from unittest.mock import Mock

import pytest
import streamlit as st
from streamlit import runtime
from streamlit.testing.v1 import AppTest

from pages.shared.work import jobs
from pages.shared.work import pool as pool_module
from pages.shared.work.pool import CLOSED, NOT_STARTED, TOO_LONG, Job, Pool
from pages.shared.work.worker import MAX_WORKER_BYTES
from tests.subprocesses import (
    add,
    compare_without_end,
    count_until_told,
    die,
    fall_over,
    fill_and_drop,
    give_back,
    hoard,
    print_and_return,
    refuse,
    sleep_uninterrupted,
    take_too_long,
    who,
)

AT_FAULT = (
    "This failed because of a mistake in the program ({}), not in what you typed. "
    "Change the text or a setting and try again."
)
SOON = 30.0  # seconds; what is expected comes much earlier, but the machine may be busy


@pytest.fixture(autouse=True)
def at_once() -> None:
    """Here the pool itself is tested: nothing stands for it."""


@pytest.fixture(scope="module")
def shared() -> Iterator[Pool]:
    pool = Pool(workers=2, stop_timeout=0.5)
    yield pool
    pool.close()


@pytest.fixture
def single() -> Iterator[Pool]:
    pool = Pool(workers=1, most_waiting=2, stop_timeout=0.5)
    yield pool
    pool.close()


def until(condition, seconds: float = SOON) -> bool:
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.005)
    return condition()


def started(job: Job) -> bool:
    return until(lambda: job.progress > 0)


def test_result(shared: Pool):
    job = shared.run("add 2 3", add, 2, 3)
    assert job.wait(SOON)
    assert (job.state, job.result, job.problem) == ("done", 5, "")


def test_runs_elsewhere(shared: Pool):
    job = shared.run("who", who)
    assert job.wait(SOON)
    assert job.result != os.getpid()


def test_same_key_is_the_same_run_for_all(shared: Pool):
    first = shared.run("once", who, watcher="Ada")
    assert first.wait(SOON)
    assert shared.run("once", who, watcher="Bo") is first
    assert first.watchers == {"Ada", "Bo"}


@pytest.mark.skipif(
    not hasattr(os, "confstr") or "CS_GNU_LIBC_VERSION" not in os.confstr_names,
    reason="The allocator is not glibc's.",
)
def test_a_worker_keeps_freed_memory_for_what_comes_next(shared: Pool):
    job = shared.run("fill", fill_and_drop, 20, 12 << 20)
    assert job.wait(SOON)
    assert job.result < 2 * 3 * (12 << 20) / 4096  # not again for each of the twenty times


def test_printing_does_no_harm(shared: Pool):
    job = shared.run("print", print_and_return)
    assert job.wait(SOON)
    assert job.result == "fine"


class LargeText:
    """An argument that takes its time to be pickled, until `done`."""

    def __init__(self, done: threading.Event) -> None:
        self.done = done

    def __reduce__(self) -> tuple[type, tuple[()]]:
        assert self.done.wait(SOON)
        return str, ()


def test_nobody_waits_while_anothers_text_is_pickled(shared: Pool):
    done = threading.Event()
    thread = threading.Thread(target=lambda: shared.run("large", len, LargeText(done)))
    thread.start()
    assert shared.run("small", add, 1, 2).wait(SOON)
    assert thread.is_alive()
    done.set()
    thread.join()


def test_progress_and_stop_keeps_what_there_is(shared: Pool):
    job = shared.run("count", count_until_told)
    assert started(job)
    assert job.state == "running"
    assert 0 < job.progress < 1
    job.stop()
    assert job.wait(SOON)
    assert job.state == "stopped"
    assert job.result > 0


def test_a_stop_does_not_reach_the_next_run(single: Pool):
    first, second = single.run("1", count_until_told), single.run("2", count_until_told)
    assert started(first)
    first.stop()
    assert started(second)
    assert second.state == "running"
    second.stop()


def test_stopped_before_it_began(single: Pool):
    busy, waiting = single.run("busy", count_until_told), single.run("waiting", add, 1, 1)
    assert started(busy)
    waiting.stop()
    busy.stop()
    assert busy.wait(SOON)
    assert (waiting.state, waiting.result) == ("stopped", None)
    assert single.run("after", add, 1, 1).wait(SOON)


def test_a_stopped_run_starts_anew_for_others_and_on_request(shared: Pool):
    mine = shared.run("again", count_until_told, watcher="Ada")
    assert started(mine)
    mine.stop()
    assert mine.wait(SOON)
    assert shared.run("again", add, 1, 1, watcher="Ada") is mine
    theirs = shared.run("again", add, 1, 1, watcher="Bo")
    assert theirs is not mine
    shared.forget(mine)  # no longer the run of that key: no effect
    assert shared.run("again", add, 1, 1, watcher="Ada") is theirs
    assert theirs.wait(SOON)
    shared.forget(theirs)
    assert shared.run("again", add, 1, 1, watcher="Ada") is not theirs


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (ValueError("zip() argument 2 is shorter"), AT_FAULT.format("ValueError")),
        (KeyError("x"), AT_FAULT.format("KeyError")),
        (MemoryError(), "The run needs more memory than the server has. Try a shorter text."),
    ],
)
def test_an_error_becomes_a_sentence(shared: Pool, error: Exception, sentence: str):
    job = shared.run(f"error {error!r}", fall_over, error)
    assert job.wait(SOON)
    assert (job.state, job.result, job.problem) == ("failed", None, sentence)


def test_a_user_error_is_shown_literally(shared: Pool):
    job = shared.run("refuse", refuse)
    assert job.wait(SOON)
    assert job.state == "failed"
    assert job.problem.startswith("There is no normalizer 'shout'. Choose from: ")


def test_a_worker_that_dies_is_replaced(single: Pool):
    job = single.run("die", die)
    assert job.wait(SOON)
    assert job.state == "failed"
    assert "ended unexpectedly" in job.problem
    assert "memory" not in job.problem  # no known reason: a damaged file ends a process, too
    after = single.run("after", add, 1, 1)
    assert after.wait(SOON)
    assert after.result == 2


def test_an_idle_worker_that_is_killed_is_replaced(single: Pool):
    job = single.run("who", who)
    assert job.wait(SOON)
    os.kill(job.result, signal.SIGTERM)
    assert until(lambda: not _is_running(job.result))
    after = single.run("after", add, 1, 1)
    assert after.wait(SOON)
    assert after.result == 2


def _is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_every_visitor_is_accepted(single: Pool):
    """Thirty visitors at once, with one worker."""
    runs = [single.run(f"for {n}", add, n, 1, watcher=f"visitor {n}") for n in range(30)]
    assert all(job.wait(SOON) for job in runs)
    assert [job.result for job in runs] == [n + 1 for n in range(30)]


def test_the_oldest_of_too_many_jobs_of_a_visitor_is_dropped(single: Pool):
    busy = single.run("busy", count_until_told, watcher="Ada")
    assert started(busy)
    first, second, third = (single.run(name, add, 1, 1, watcher="Ada") for name in "abc")
    assert (first.state, second.state, third.state) == ("cancelled", "waiting", "waiting")
    assert single.run("a", add, 1, 1, watcher="Ada") is not first
    busy.stop()


def test_a_newcomer_is_served_before_the_second_run_of_another(single: Pool):
    busy = single.run("busy", count_until_told, watcher="Ada")
    assert started(busy)
    heavy = [single.run(f"heavy {n}", count_until_told, n, watcher="Ada") for n in range(2)]
    light = single.run("light", add, 1, 1, watcher="Bo")
    assert [single.estimate_wait(job)[0] for job in (heavy[0], light, heavy[1])] == [0, 1, 2]
    assert single.estimate_wait(light)[1] > 0
    for job in (busy, heavy[0]):
        assert started(job)
        job.stop()
    assert light.wait(SOON)
    assert heavy[1].state in ("waiting", "running")
    heavy[1].stop()


def test_one_visitor_leaves_a_worker_to_the_others():
    pool = Pool(workers=2, most_running=1)
    heavy = [pool.run(f"heavy {n}", sleep_uninterrupted, 60 + n, watcher="Ada") for n in range(3)]
    assert started(heavy[0])
    assert pool.run("light", add, 1, 1, watcher="Bo").wait(SOON)
    assert heavy[1].state == "waiting"
    pool.close()


def test_the_tabs_of_one_browser_share_a_lane():
    pool = Pool(workers=3, most_running=2)
    tabs = [
        pool.run(f"tab {n}", sleep_uninterrupted, 60 + n, watcher=f"Ada {n}", browser="Ada's")
        for n in range(3)
    ]
    assert started(tabs[0])
    assert started(tabs[1])
    assert pool.run("light", add, 1, 1, watcher="Bo").wait(SOON)
    assert tabs[2].state == "waiting"
    pool.close()


@pytest.mark.parametrize(
    ("cookie", "number"), [("0f" * 16, "0f" * 16), ("0f" * 999, ""), ("<script>", ""), (None, "")]
)
def test_a_browser_is_identified_by_its_cookie(monkeypatch, cookie, number):
    cookies = {} if cookie is None else {jobs.COOKIE: cookie}
    monkeypatch.setattr(jobs, "st", SimpleNamespace(context=SimpleNamespace(cookies=cookies)))
    monkeypatch.setattr(jobs.internals, "session_id", lambda: "a tab")
    asked = Mock(spec=Pool)
    monkeypatch.setattr(jobs, "_POOL", asked)
    jobs.run("key", add, 1, 1)
    asked.run.assert_called_once_with("key", add, 1, 1, watcher="a tab", browser=number)


def test_a_job_left_by_one_tab_is_done_for_another_of_the_browser(single: Pool):
    busy = single.run("busy", count_until_told, watcher="Bo")
    assert started(busy)
    for tab in ("first", "second"):
        both = single.run("both", add, 1, 1, watcher=tab, browser="Ada's")
    single.begin_page("first")
    single.end_page("first")
    busy.stop()
    assert both.wait(SOON)
    assert both.result == 2


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """The clock of a pool without workers: a test sets durations and progress."""
    clock = SimpleNamespace(now=0.0)
    monkeypatch.setattr(pool_module.time, "monotonic", lambda: clock.now)
    monkeypatch.setattr(pool_module.threading.Thread, "start", lambda thread: None)
    return clock


def test_the_waiting_time_is_estimated_from_measurements(clock: SimpleNamespace):
    pool = Pool(workers=3, most_running=2)
    heavy = [pool.run(f"heavy {n}", add, watcher=f"Ada {n}", browser="Ada's") for n in range(3)]
    first, second = pool._next(), pool._next()
    assert first
    assert second
    assert [first, second] == heavy[:2]
    clock.now = 20.0
    first.progress, second.progress = 0.5, 0.2
    assert pool.estimate_wait(heavy[2]) == (
        0,
        20.0,
    )  # until one of the two is over: a worker is free
    light = pool.run("light", add, watcher="Bo")
    assert pool.estimate_wait(light) == (0, 0.0)  # it passes the waiting one
    another = pool.run("another", add, watcher="Cy")
    assert pool._next() is light
    clock.now = 30.0
    first.progress, second.progress = 0.5, 0.25
    assert pool.estimate_wait(another) == (0, 30.0)  # unknown for the light one now
    light.progress = 0.5
    assert pool.estimate_wait(another) == (0, 10.0)
    assert pool.estimate_wait(heavy[2])[1] == 30.0
    first.progress = second.progress = 0.01
    assert pool.estimate_wait(heavy[2])[1] == inf


def page_run(pool: Pool, visitor: str, **asked: tuple) -> list[Job]:
    pool.begin_page(visitor)
    jobs = [pool.run(key, *call, watcher=visitor) for key, call in asked.items()]
    pool.end_page(visitor)
    return jobs


def test_a_job_not_requested_by_the_newest_page_run_is_cancelled(single: Pool):
    old, kept = page_run(single, "Ada", old=(count_until_told,), kept=(add, 1, 1))
    assert started(old)
    page_run(single, "Ada", kept=(add, 1, 1))
    assert old.wait(SOON)
    assert (old.state, old.result) == ("cancelled", None)
    assert kept.wait(SOON)
    (again,) = page_run(single, "Ada", old=(count_until_told,))
    assert again is not old
    assert started(again)
    again.stop()


def test_a_waiting_job_is_cancelled_at_once(single: Pool):
    busy, old = page_run(single, "Ada", busy=(count_until_told,), old=(add, 1, 1))
    assert started(busy)
    page_run(single, "Ada", busy=(count_until_told,))
    assert old.state == "cancelled"
    assert busy.state == "running"
    busy.stop()


def test_a_run_that_somebody_else_wants_goes_on(single: Pool):
    (busy,) = page_run(single, "Cy", busy=(count_until_told,))
    assert started(busy)
    (shared,) = page_run(single, "Ada", shared=(add, 1, 1))
    assert page_run(single, "Bo", shared=(add, 1, 1)) == [shared]
    page_run(single, "Ada")
    busy.stop()
    assert shared.wait(SOON)
    assert shared.state == "done"


def test_a_job_that_ignores_its_cancelling_is_killed_soon():
    pool = Pool(workers=1, stop_timeout=600, cancel_timeout=0.2)
    (stubborn,) = page_run(pool, "Ada", stubborn=(sleep_uninterrupted, 600))
    assert started(stubborn)
    page_run(pool, "Ada")
    assert stubborn.wait(SOON)
    assert stubborn.state == "cancelled"
    pool.close()


def test_many_changes_of_settings_do_not_hold_up_anybody():
    """One visitor changes settings 36 times while others wait: as the fault was found."""
    pool = Pool(stop_timeout=600, cancel_timeout=0.2)
    changes = [page_run(pool, "Ada", **{f"run {n}": (count_until_told,)})[0] for n in range(36)]
    assert pool.run("small", add, 1, 1, watcher="Bo").wait(SOON)
    assert all(job.wait(SOON) for job in changes[:-1])
    assert {job.state for job in changes[:-1]} == {"cancelled"}
    assert started(changes[-1])
    pool.close()


def test_the_pool_outlives_a_worker_that_cannot_be_started(monkeypatch, capsys):
    def none_left(*args: object, **more: object) -> None:
        raise OSError(errno.EMFILE, "Too many open files")

    pool = Pool(workers=1)
    with monkeypatch.context() as without:
        without.setattr(subprocess, "Popen", none_left)
        job = pool.run("once", add, 1, 1)
        assert job.wait(SOON)
    assert job.state == "failed"
    assert job.problem == NOT_STARTED
    assert "Too many open files" in capsys.readouterr().err
    after = pool.run("after", add, 1, 1)
    assert after.wait(SOON)
    assert after.result == 2
    pool.close()


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the limit is not kept")
def test_a_run_over_the_limit_of_memory_ends_with_a_sentence(single: Pool):
    before = single.run("who", who)
    hoarded = single.run("hoard", hoard, MAX_WORKER_BYTES)
    assert hoarded.wait(SOON)
    assert hoarded.problem == "The run needs more memory than the server has. Try a shorter text."
    after = single.run("who comes after", who)
    assert after.wait(SOON)
    assert after.result not in (None, before.result)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="Windows has no such limit")
@pytest.mark.parametrize("work", [take_too_long, compare_without_end])
def test_a_slow_file_ends_its_job_with_a_message(single: Pool, work: Callable[..., object]):
    before = single.run("who", who)
    late = single.run("late", work)
    assert late.wait(SOON)
    assert (late.state, late.problem) == ("failed", TOO_LONG)
    assert single.run("who comes after", who).wait(SOON)
    assert before.result


def test_a_call_is_dropped_when_its_run_ends(single: Pool):
    """It holds the whole text."""
    done, failed = single.run("done", add, 1, 1), single.run("failed", fall_over, ValueError("No."))
    assert done.wait(SOON)
    assert failed.wait(SOON)
    assert (done.call, failed.call) == (b"", b"")


def test_results_are_cached_by_size():
    pool = Pool(workers=1, most_kept=500_000)
    big = [pool.run(f"{n}", give_back, 200_000, watcher=f"visitor {n}") for n in range(2)]
    assert all(job.wait(SOON) for job in big)
    assert pool.run("0", give_back, 200_000, watcher="visitor 0") is big[0]  # so "1" is older
    assert pool.run("2", give_back, 200_000, watcher="visitor 2").wait(SOON)
    assert pool.run("3", give_back, 1, watcher="visitor 3").wait(SOON)
    assert pool.run("0", give_back, 200_000, watcher="visitor 0") is big[0]
    assert pool.run("1", give_back, 200_000, watcher="visitor 1") is not big[1]
    pool.close()


def test_the_results_of_one_page_are_cached_together_at_any_size():
    """Otherwise the page would recompute one, drop another by that, and never be complete."""
    pool = Pool(workers=1, most_kept=300_000)
    first = pool.run("first", give_back, 200_000, watcher="Ada")
    second = pool.run("second", give_back, 200_000, watcher="Ada")
    assert second.wait(SOON)
    assert pool.run("after", add, 1, 1, watcher="Ada").wait(SOON)
    assert pool.run("first", give_back, 200_000, watcher="Ada") is first
    pool.close()


def test_disconnected_visitors_are_dropped_by_the_reaper():
    gone = []
    pool = Pool(
        workers=1,
        is_connected="Ada".__ne__,
        on_disconnect=gone.append,
        stop_timeout=0.1,
        session_timeout=0.2,
    )
    pool.begin_page("Ada")
    job = pool.run("of Ada", add, 1, 1, watcher="Ada")
    assert job.wait(SOON)
    assert until(lambda: gone == ["Ada"])
    assert not job.watchers
    pool.close()


def test_closing_ends_what_runs_and_what_waits_with_a_sentence():
    pool = Pool(workers=1)
    running, waiting = pool.run("running", count_until_told), pool.run("waiting", add, 1, 1)
    assert started(running)
    pool.close()
    late = pool.run("late", add, 1, 1)
    for job in (running, waiting, late):
        assert job.wait(SOON)
        assert (job.state, job.problem) == ("failed", CLOSED)


def test_no_message_of_a_browser_closes_the_pool_of_the_app():
    job = jobs.run("before", who)
    assert job.wait(SOON)
    st.cache_resource.clear()  # what Streamlit does when a browser sends `clear_cache`
    assert jobs.run("before", who) is job
    after = jobs.run("after", add, 1, 1)
    assert after.wait(SOON)
    assert after.result == 2


def test_a_job_without_visitors_is_cancelled():
    here = {"Ada"}
    pool = Pool(workers=1, is_connected=here.__contains__, stop_timeout=0.3)
    job = pool.run("count", count_until_told, watcher="Ada")
    waiting = pool.run("waits", add, 1, 1, watcher="Ada")
    assert started(job)
    here.clear()
    assert job.wait(SOON)
    assert job.state == "cancelled"
    assert waiting.wait(SOON)
    assert waiting.state == "cancelled"
    pool.close()


@pytest.mark.parametrize("last", [b"", pickle.dumps(("run", b"much"))[:-4]])
def test_a_worker_ends_with_the_app_though_that_died_amid_a_message(last: bytes):
    command = [sys.executable, "-m", "pages.shared.work.worker"]
    subprocess.run(command, input=pickle.dumps(sys.path) + last, timeout=30, check=True)


def test_a_run_that_does_not_listen_is_killed(single: Pool):
    job = single.run("deaf", sleep_uninterrupted, 60)
    assert started(job)
    job.stop()
    assert job.wait(SOON)
    assert (job.state, job.result) == ("stopped", None)
    assert single.run("after", add, 1, 1).wait(SOON)


def test_close_ends_the_processes():
    pool = Pool(workers=1)
    job = pool.run("who", who)
    assert job.wait(SOON)
    pool.close()
    assert not _is_running(job.result)


def page(seconds: float, grace_seconds: float) -> None:
    import streamlit as st

    from pages.shared.work import jobs
    from tests.subprocesses import sleep_uninterrupted

    job = jobs.run(f"page {seconds} {grace_seconds}", sleep_uninterrupted, seconds)
    if jobs.wait_for(job, "Sleeping …", grace_seconds):
        st.write(job.result)


def test_a_page_with_a_quick_run_shows_the_result_alone():
    app = AppTest.from_function(page, kwargs={"seconds": 0.0, "grace_seconds": SOON}).run(
        timeout=2 * SOON
    )
    assert [element.value for element in app.markdown] == ["slept"]
    assert not app.button
    assert not app.exception


def test_a_page_with_a_long_run_shows_progress_and_a_stop_button():
    app = AppTest.from_function(page, kwargs={"seconds": 60.0, "grace_seconds": 0.0}).run(
        timeout=2 * SOON
    )
    assert not app.exception
    assert not app.markdown
    assert "Sleeping …" in app.get("progress")[0].proto.text
    assert [button.label for button in app.button] == ["Stop"]


def test_nobody_stops_a_run_that_others_wait_for(monkeypatch):
    pool = Pool(workers=1)
    monkeypatch.setattr(jobs, "_POOL", pool)
    pool.run("page 60.0 0.0", sleep_uninterrupted, 60.0, watcher="somebody else")
    app = AppTest.from_function(page, kwargs={"seconds": 60.0, "grace_seconds": 0.0}).run(
        timeout=2 * SOON
    )
    assert "Sleeping …" in app.get("progress")[0].proto.text
    assert not app.button
    pool.close()


def waiting_page(in_front: float) -> None:
    """A page that waits behind another visitor's job of so many seconds."""
    import streamlit as st

    from pages.shared.work import jobs
    from tests.subprocesses import sleep_uninterrupted

    pool = jobs._POOL
    if not pool.run("in front", sleep_uninterrupted, in_front, watcher="somebody else").wait(0.2):
        job = jobs.run("mine", sleep_uninterrupted, 0)
        if jobs.wait_for(job, "Sleeping …", 0.0):
            st.write(job.result)


def test_a_page_waits_in_the_queue(monkeypatch):
    pool = Pool(workers=1)
    monkeypatch.setattr(jobs, "_POOL", pool)
    monkeypatch.setattr(jobs, "QUEUE_SECONDS", SOON)
    app = AppTest.from_function(waiting_page, kwargs={"in_front": 0.5}).run(timeout=2 * SOON)
    assert [element.value for element in app.markdown] == ["slept"], "without running once more"
    assert not app.get("progress")
    assert not app.button
    pool.close()


def test_a_waiting_page_shows_the_estimate(monkeypatch):
    pool = Pool(workers=1)
    monkeypatch.setattr(jobs, "_POOL", pool)
    monkeypatch.setattr(jobs, "QUEUE_SECONDS", 0.1)
    app = AppTest.from_function(waiting_page, kwargs={"in_front": 60}).run(timeout=2 * SOON)
    assert not app.exception
    assert not app.error
    progress_text = app.get("progress")[0].proto.text
    assert re.search(r"Waiting: you are next, about \d+ seconds?\.", progress_text)
    pool.close()


def test_a_page_requests_a_cancelled_job_again(monkeypatch):
    pool = Pool(workers=1)
    monkeypatch.setattr(jobs, "_POOL", pool)
    app = AppTest.from_function(page, kwargs={"seconds": 0.01, "grace_seconds": SOON})
    cancelled = pool.run(f"page 0.01 {SOON}", sleep_uninterrupted, 0.01, watcher="somebody else")
    cancelled.cancel()
    app.run(timeout=2 * SOON)
    assert [element.value for element in app.markdown] == ["slept"]
    pool.close()


def test_memory_is_trimmed_once_for_several_disconnects(monkeypatch):
    given: list[float] = []
    cleared: list[str] = []
    session = SimpleNamespace(
        clear_user_info_for_session=cleared.append, is_active_session=lambda visitor: True
    )
    monkeypatch.setattr(runtime, "exists", lambda: True)
    monkeypatch.setattr(runtime, "get_instance", lambda: session)
    monkeypatch.setattr(jobs, "Timer", lambda wait, give: given.append(wait) or Mock())
    for visitor in "abc":
        jobs._on_disconnect(visitor)
    assert cleared == ["a", "b", "c"]
    assert given == [jobs.TRIM_DELAY]
    jobs._trim_memory()
    jobs._on_disconnect("d")
    assert len(given) == 2
    jobs._trim_pending.release()

    no_thread = Mock(start=Mock(side_effect=RuntimeError("can't start new thread")))
    monkeypatch.setattr(jobs, "Timer", lambda wait, give: no_thread)
    jobs._on_disconnect("e")
    jobs._on_disconnect("f")
    assert no_thread.start.call_count == 2


def test_one_page_runs_at_a_time_and_releases_its_slot_while_queued(shared, monkeypatch):
    monkeypatch.setattr(jobs, "_POOL", shared)
    monkeypatch.setattr(jobs, "_SLOTS", Semaphore(1))
    entered = Event()

    def other_page() -> None:
        with jobs.cpu_slot():
            entered.set()

    other = Thread(target=other_page)
    with jobs.cpu_slot():
        other.start()
        alone = shared.run("alone", sleep_uninterrupted, 0.2)
        assert jobs.done_within(alone, SOON)
        assert not entered.is_set()
        *_, last = [shared.run(f"long {n}", sleep_uninterrupted, 0.3) for n in range(5)]
        assert jobs.done_within(last, SOON)
        assert entered.is_set()
    other.join()
    assert jobs.done_within(last, 0), "without a turn it only waits"
