"""The pool of worker processes for long jobs, which keeps the pages of all visitors responsive.

A job is identified by a content key: requests for the same key share one job and its result. This
module does scheduling, stopping, cancelling and caching, independently of Streamlit. See jobs.py
for what a page shows of a job, fair_queue.py for the queue, and processes.py for the processes.
"""

import pickle
import signal
import threading
import time
import traceback
from collections import OrderedDict, deque
from collections.abc import Callable
from statistics import fmean
from typing import Any, Literal

from pages.shared import limits
from pages.shared.work.fair_queue import FairQueue, seconds_left, seconds_until
from pages.shared.work.processes import WorkerProcess

TICK = 0.25  # seconds between two checks of a job that sends no message
OVERHEAD = 20_000  # bytes counted per job besides its result, to bound the number of jobs
DEFAULT_SECONDS = 1.0  # the expected duration before any job has ended
CLOSED = "The server is restarting and had to end this run. Open the page again in a minute."
NOT_STARTED = (
    "This run could not be started: the server is short of memory or has too many files open. "
    "Try again in a moment."
)
CRASHED = "The run ended unexpectedly. If it happens again, try a shorter text or another file."
TOO_LONG = (
    "Your tokenizer took more computing time over this than it may, so the run was ended. Try a "
    "shorter text or another file."
)
_OUT_OF_TIME = -getattr(signal, "SIGPROF", 0)  # exit code at the end of the CPU time
State = Literal["waiting", "running", "done", "failed", "stopped", "cancelled"]


class Job:
    """A job with its state, its progress (0 to 1), and its result or an error message (`problem`).

    `watchers` are the visitors whose pages wait for the job or show its result. If it has not ended
    when the last watcher leaves, it is cancelled. `size` is the result's size in bytes.
    """

    def __init__(self, key: str, call: bytes) -> None:
        self.key, self.call = key, call
        self.state: State = "waiting"
        self.progress = 0.0
        self.result: Any = None
        self.size = 0
        self.problem = ""
        self.watchers: set[str] = set()
        self.is_stop_requested = self.is_cancelled = False
        self._ended = threading.Event()
        self._lock = threading.Lock()

    def start(self) -> bool:
        """Start the job when a worker is free; return False if it has been cancelled."""
        with self._lock:
            if self.state == "waiting":
                self.state = "running"
            return self.state == "running"

    def stop(self) -> None:
        """Request an early stop, after which the result is partial or None."""
        with self._lock:
            self.is_stop_requested = True
            if self.state == "waiting":
                self.end("stopped")

    def cancel(self) -> None:
        """Cancel the job because no page needs its result."""
        with self._lock:
            self.is_cancelled = True
            if self.state == "waiting":
                self.end("cancelled")

    def end(self, state: State, result: Any = None, problem: str = "", size: int = 0) -> None:
        """Set the final state and wake the waiting threads."""
        self.state, self.result, self.problem, self.size = state, result, problem, size
        self.call = b""  # free the pickled arguments
        self._ended.set()

    def wait(self, seconds: float = 0.0) -> bool:
        """Wait at most `seconds` for the job; return whether it has ended."""
        return self._ended.wait(seconds)

    def apply_message(self, verb: str, content: Any) -> None:
        """Update the job from a message of its worker."""
        if verb == "progress":
            self.progress = content
        elif verb == "done":
            result, stopped = content
            self.end("stopped" if stopped else "done", pickle.loads(result), size=len(result))
        elif verb in ("failed", "out of memory"):
            self.end("failed", problem=content)
        elif verb == "cancelled" or (verb == "died" and self.is_cancelled):
            self.end("cancelled")
        elif verb == "died" and self.is_stop_requested:
            self.end("stopped")
        elif verb == "died":
            is_late = bool(content) and content == _OUT_OF_TIME
            self.end("failed", problem=TOO_LONG if is_late else CRASHED)


class Pool:
    """A few worker processes, a fair queue, and a cache of the newest results.

    Every visitor has a lane of up to `most_waiting` jobs; if it is full, the oldest job is dropped.
    A visitor's jobs occupy at most `most_running` workers, so that others can use the rest.
    Visitors with the same `browser` (one person's tabs) share both limits. A visitor for whom
    `is_connected` is False is removed from all jobs after `stop_timeout` seconds, and after
    `session_timeout` seconds `on_disconnect` is called. A job that doesn't react to a stop within
    `stop_timeout` seconds, or to being cancelled within `cancel_timeout`, is killed.
    """

    def __init__(
        self,
        workers: int = limits.WORKERS,
        most_waiting: int = limits.MAX_WAITING,
        most_running: int = limits.MAX_RUNNING,
        most_kept: int = limits.MAX_CACHED_BYTES,
        is_connected: Callable[[str], bool] = lambda visitor: True,
        on_disconnect: Callable[[str], None] = lambda visitor: None,
        stop_timeout: float = limits.GRACE_SECONDS,
        session_timeout: float = 45.0,
        cancel_timeout: float = 1.0,
    ) -> None:
        self._workers, self._most_running, self._most_kept = workers, most_running, most_kept
        self._is_connected, self._on_disconnect = is_connected, on_disconnect
        self._stop_timeout, self._session_timeout, self._cancel_timeout = (
            stop_timeout,
            session_timeout,
            cancel_timeout,
        )
        self._jobs: OrderedDict[str, Job] = OrderedDict()  # least recently requested first
        self._queue: FairQueue[Job] = FairQueue(most_waiting)
        self._running: dict[Job, tuple[str, float]] = {}  # browser and start time
        self._browsers: dict[str, str] = {}  # by visitor
        self._durations: deque[float] = deque(maxlen=12)  # of the last completed jobs, in seconds
        self._requested: dict[str, set[str]] = {}  # keys, in a visitor's newest page run
        self._changed = threading.Condition()
        self._closed = threading.Event()
        self._threads: list[threading.Thread] = []

    def run(
        self,
        key: str,
        function: Callable[..., Any],
        *args: Any,
        watcher: str = "",
        browser: str = "",
    ) -> Job:
        """Return the job with this content key; if there is none, queue `function`.

        A job that failed or was stopped is returned again to its watchers, and restarted for
        everyone else. Without a `browser`, each watcher counts as a browser.
        """
        with self._changed:
            is_new = _must_start(self._jobs.get(key), watcher)
        # Arguments may be megabytes; nobody else has to wait while they are pickled.
        call = pickle.dumps((function, args)) if is_new else b""
        with self._changed:
            self._browsers[watcher] = browser or watcher
            if _must_start(self._jobs.get(key), watcher):
                self._jobs[key] = Job(key, call or pickle.dumps((function, args)))
            job = self._jobs[key]
            job.watchers.add(watcher)
            self._requested.setdefault(watcher, set()).add(key)
            self._jobs.move_to_end(key)
            if self._closed.is_set() and not job.wait():
                job.end("failed", problem=CLOSED)
            elif job.state == "waiting":
                self._put(job, watcher)
            return job

    def begin_page(self, visitor: str) -> None:
        """Start recording which jobs this visitor's page requests."""
        with self._changed:
            self._requested[visitor] = set()

    def end_page(self, visitor: str) -> None:
        """Remove the visitor from the jobs that the completed page run did not request."""
        with self._changed:
            self._unwatch_all(visitor, self._requested.get(visitor, set()))

    def forget(self, job: Job) -> None:
        """Drop the job, so that the next `run` with its key restarts it."""
        with self._changed:
            if self._jobs.get(job.key) is job:
                del self._jobs[job.key]

    def estimate_wait(self, job: Job) -> tuple[int, float]:
        """Return how many jobs are ahead of a waiting job, and an estimate of its seconds to start.

        The estimate uses the progress of running jobs and the durations of recently ended ones.
        """
        with self._changed:
            now = time.monotonic()
            usual = fmean(self._durations or [DEFAULT_SECONDS])
            left = {
                running: seconds_left(now - since, running.progress, usual)
                for running, (_, since) in self._running.items()
            }
            position = self._queue.position(job, self._may_run)
            seconds = seconds_until(position, list(left.values()), self._workers, usual)
            browsers = self._queue.visitors(job)
            if browsers and not any(map(self._may_run, browsers)):  # until the browser's job ends
                left_here = [
                    left[one] for one, (who, _) in self._running.items() if who in browsers
                ]
                seconds = max(seconds, min(left_here))
            return position, seconds

    def is_well(self) -> bool:
        """Return whether every worker's thread is alive."""
        return not self._closed.is_set() and all(one.is_alive() for one in self._threads)

    def close(self) -> None:
        """End the worker processes; running and waiting jobs fail."""
        with self._changed:
            self._closed.set()
            for job in self._jobs.values():
                if job.state == "waiting":
                    job.end("failed", problem=CLOSED)
            self._changed.notify_all()
        for thread in self._threads:
            thread.join()

    def _put(self, job: Job, visitor: str) -> None:
        browser = self._browsers[visitor]
        if gives_way := self._queue.put(browser, job):
            tabs = [one for one in gives_way.watchers if self._browsers[one] == browser]
            for one in tabs:
                self._unwatch(gives_way, one)
        if not self._threads:
            targets = [self._reaper, *[self._serve] * self._workers]
            self._threads = [threading.Thread(target=one, daemon=True) for one in targets]
            for thread in self._threads:
                thread.start()
        self._changed.notify()

    def _unwatch_all(self, visitor: str, but: set[str]) -> None:
        """Remove a visitor from all jobs except those whose keys are in `but`."""
        for job in tuple(self._jobs.values()):
            if visitor in job.watchers and job.key not in but:
                self._unwatch(job, visitor)

    def _unwatch(self, job: Job, visitor: str) -> None:
        job.watchers.discard(visitor)
        browser = self._browsers[visitor]
        if browser not in {self._browsers[one] for one in job.watchers}:  # no other tab wants it
            self._queue.drop(browser, job)
        if not job.watchers and not job.wait():
            job.cancel()

    def _drop_oldest(self, newest: Job) -> None:
        """Drop the least recently requested jobs that have ended, but none on `newest`'s pages."""
        size = sum(OVERHEAD + job.size for job in self._jobs.values())
        for key, job in tuple(self._jobs.items()):
            if size <= self._most_kept:
                return
            if job is not newest and job.wait() and not job.watchers & newest.watchers:
                size -= OVERHEAD + self._jobs.pop(key).size

    def _reaper(self) -> None:
        """Drop disconnected visitors; has its own thread because no later request triggers this."""
        seen: dict[str, float] = {}
        while not self._closed.wait(self._stop_timeout / 8):
            now = time.monotonic()
            seen = {visitor: seen.get(visitor, now) for visitor in tuple(self._requested)}
            seen |= {visitor: now for visitor in seen if self._is_connected(visitor)}
            for visitor, at in seen.items():
                if now - at > self._stop_timeout:
                    self._drop_session(visitor, now - at > self._session_timeout)

    def _drop_session(self, visitor: str, for_good: bool) -> None:
        with self._changed:
            self._unwatch_all(visitor, set())
            if for_good:
                del self._requested[visitor]
                self._browsers.pop(visitor, None)
        if for_good:
            self._on_disconnect(visitor)

    def _serve(self) -> None:
        """Serve one worker slot: job after job, in a new process whenever one has died.

        No exception of a job may end this thread: the pool would lose a worker.
        """
        process = None
        while (job := self._next()) is not None:
            try:
                process = process if process and process.is_alive() else WorkerProcess()
                self._supervise(job, process)
            except Exception:
                traceback.print_exc()  # to the server's log
                has_begun = process is not None and process.is_alive()
                job.end("failed", problem=CRASHED if has_begun else NOT_STARTED)
                if process:
                    process.kill()
            with self._changed:
                _, since = self._running.pop(job)
                if job.state == "done":  # others do not show how long a whole job takes
                    self._durations.append(time.monotonic() - since)
                self._drop_oldest(job)
                self._changed.notify_all()  # a visitor may get another worker
        if process:
            process.kill()

    def _next(self) -> Job | None:
        """Return the next waiting job, blocking until there is one; None when closed."""
        with self._changed:
            while not self._closed.is_set():
                found = self._queue.take(self._may_run)
                if found is None:
                    self._changed.wait()
                elif found[1].start():
                    browser, job = found
                    self._running[job] = browser, time.monotonic()
                    return job
        return None

    def _may_run(self, browser: str) -> bool:
        turns = [one for one, _ in self._running.values()]
        return turns.count(browser) < self._most_running

    def _supervise(self, job: Job, process: WorkerProcess) -> None:
        """Run one job in the process until it ends in any way."""
        process.send(("run", job.call))
        job.call = b""
        sent_at: dict[str, float] = {}
        while not job.wait():
            verb, content = process.receive(TICK)
            job.apply_message(verb, content)
            if verb == "out of memory":
                process.kill()
            orders = {"stop": job.is_stop_requested, "cancel": job.is_cancelled}
            for order, is_requested in orders.items():
                if is_requested and order not in sent_at:
                    sent_at[order] = time.monotonic()
                    process.send((order, None))
            if self._closed.is_set():
                job.end("failed", problem=CLOSED)
                process.kill()
            elif self._ignores_cancel(sent_at):
                process.kill()

    def _ignores_cancel(self, sent_at: dict[str, float]) -> bool:
        """Return whether the job has not reacted in time to an order sent at one of these times."""
        timeouts = {"stop": self._stop_timeout, "cancel": self._cancel_timeout}
        return any(time.monotonic() - at > timeouts[order] for order, at in sent_at.items())


def _must_start(job: Job | None, watcher: str) -> bool:
    """Return whether a job has to be started, or started again, if `watcher` requests it."""
    if job is None:
        return True
    if job.is_cancelled:
        return job.state != "done"
    return job.state in ("failed", "stopped") and watcher not in job.watchers
