"""The pool of worker processes: order, sharing, stopping, dying, and what a page shows of it."""

import os
import signal
import time
from collections.abc import Iterator

import pytest
from streamlit.testing.v1 import AppTest

from pages.shared.work.jobs import Job, Pool
from tests.errands import (
    add,
    count_until_told,
    die,
    fall_over,
    print_and_return,
    refuse,
    sleep_deaf,
    who,
)

AT_FAULT = (
    "This failed because of a mistake in the program ({}), not in what you typed. "
    "Change the text or a setting and try again."
)
SOON = 30.0  # seconds; what is expected comes much earlier, but the machine may be busy


@pytest.fixture(scope="module")
def shared() -> Iterator[Pool]:
    pool = Pool(workers=2, longest_queue=3, kept=4, patience=0.5)
    yield pool
    pool.close()


@pytest.fixture
def single() -> Iterator[Pool]:
    pool = Pool(workers=1, longest_queue=2, kept=2, patience=0.5)
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


def test_printing_does_no_harm(shared: Pool):
    job = shared.run("print", print_and_return)
    assert job.wait(SOON)
    assert job.result == "fine"


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
        (MemoryError(), "The run needs more memory than there is. Try a shorter text."),
    ],
)
def test_an_error_becomes_a_sentence(shared: Pool, error: Exception, sentence: str):
    job = shared.run(f"error {error!r}", fall_over, error)
    assert job.wait(SOON)
    assert (job.state, job.result, job.problem) == ("failed", None, sentence)


def test_a_refusal_of_our_own_is_shown_as_it_is(shared: Pool):
    job = shared.run("refuse", refuse)
    assert job.wait(SOON)
    assert job.state == "failed"
    assert job.problem.startswith("There is no normalizer 'shout'. Choose from: ")


def test_a_worker_that_dies_is_replaced(single: Pool):
    job = single.run("die", die)
    assert job.wait(SOON)
    assert job.state == "failed"
    assert "broke off" in job.problem
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


def test_a_full_queue_says_so_and_takes_runs_later(single: Pool):
    busy = single.run("busy", count_until_told)
    assert started(busy)
    waiting = [single.run(str(number), add, number, 1) for number in range(2)]
    refused = single.run("too much", add, 1, 1)
    assert refused.state == "failed"
    assert "Try again in a minute" in refused.problem
    busy.stop()
    assert all(job.wait(SOON) for job in waiting)
    assert single.run("too much", add, 1, 1).wait(SOON)


def test_only_the_newest_results_are_kept(single: Pool):
    jobs = [single.run(str(number), add, number, 0) for number in range(2)]
    assert all(job.wait(SOON) for job in jobs)
    assert single.run("0", add, 0, 0) is jobs[0]  # used again, so newer than "1"
    third = single.run("2", add, 2, 0)
    assert third.wait(SOON)
    assert single.run("3", add, 3, 0).wait(SOON)
    assert single.run("1", add, 1, 0) is not jobs[1]


def test_a_run_whose_visitors_are_gone_is_stopped():
    here = {"Ada"}
    pool = Pool(workers=1, is_here=here.__contains__, patience=0.3)
    job = pool.run("count", count_until_told, watcher="Ada")
    waiting = pool.run("waits", add, 1, 1, watcher="Ada")
    assert started(job)
    here.clear()
    assert job.wait(SOON)
    assert job.state == "stopped"
    assert waiting.wait(SOON)
    pool.close()


def test_a_run_that_does_not_listen_is_killed(single: Pool):
    job = single.run("deaf", sleep_deaf, 60)
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


def page(seconds: float, blink: float) -> None:
    import streamlit as st

    from pages.shared.work import jobs
    from tests.errands import sleep_deaf

    job = jobs.run(f"page {seconds} {blink}", sleep_deaf, seconds)
    if jobs.wait_for(job, "Sleeping …", blink):
        st.write(job.result)


def test_a_page_with_a_quick_run_shows_the_result_alone():
    app = AppTest.from_function(page, kwargs={"seconds": 0.0, "blink": SOON}).run(timeout=2 * SOON)
    assert [element.value for element in app.markdown] == ["slept"]
    assert not app.button
    assert not app.exception


def test_a_page_with_a_long_run_shows_progress_and_a_stop_button():
    app = AppTest.from_function(page, kwargs={"seconds": 60.0, "blink": 0.0}).run(timeout=2 * SOON)
    assert not app.exception
    assert not app.markdown
    assert "Sleeping …" in app.get("progress")[0].proto.text
    assert [button.label for button in app.button] == ["Stop"]
