"""Long runs happen in two worker processes, so that the pages of all visitors stay quick.

A run has a content key: whoever asks for the same key gets the same run and shares its result. This
module covers the queue, progress, stopping, and what a page shows meanwhile; worker.py is the other
end of the pipe. The function of a run is importable by name (so it lives in a module, not in a
view), takes `report` first, and gives back something that can be pickled; bytes are cheapest.
"""

import pickle
import subprocess
import sys
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Literal

import streamlit as st
from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.shared.controls.plain import as_is

ROOT = Path(__file__).parents[3]
TICK = 0.25  # seconds between two looks at a run that says nothing

State = Literal["waiting", "running", "done", "failed", "stopped"]


class Job:
    """One run: its state, how far it is (0 to 1), its result, or the problem in one sentence."""

    def __init__(self, key: str, call: bytes) -> None:
        self.key, self.call = key, call
        self.state: State = "waiting"
        self.progress = 0.0
        self.result: Any = None
        self.problem = ""
        self.watchers: set[str] = set()
        self.stop_asked = False
        self._ended = threading.Event()
        self._lock = threading.Lock()

    def start(self) -> bool:
        """Called by the pool when a worker is free; False if nobody wants the run any more."""
        with self._lock:
            if self.state == "waiting":
                self.state = "running"
            return self.state == "running"

    def stop(self) -> None:
        """Ask the run to stop early; its result is then what it has so far, None if nothing."""
        with self._lock:
            self.stop_asked = True
            if self.state == "waiting":
                self.end("stopped")

    def end(self, state: State, result: Any = None, problem: str = "") -> None:
        """Called by the pool when the run is over."""
        self.state, self.result, self.problem = state, result, problem
        self._ended.set()

    def wait(self, seconds: float = 0.0) -> bool:
        """Whether the run is over; blocks at most that long for it."""
        return self._ended.wait(seconds)


class Pool:
    """A few worker processes, a short queue, and the newest results.

    `is_here(watcher)` says whether a visitor is still connected. A run that nobody has been waiting
    for during `patience` seconds is stopped, and killed when it does not heed that as long again.
    """

    def __init__(
        self,
        workers: int = 2,
        longest_queue: int = 32,
        kept: int = 48,
        is_here: Callable[[str], bool] = lambda watcher: True,
        patience: float = 20.0,
    ) -> None:
        self._longest_queue, self._kept = longest_queue, kept
        self._is_here, self._patience = is_here, patience
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._queue: deque[Job] = deque()
        self._changed = threading.Condition()
        self._open = True
        self._threads = [threading.Thread(target=self._serve, daemon=True) for _ in range(workers)]
        for thread in self._threads:
            thread.start()

    def run(self, key: str, function: Callable[..., Any], *args: Any, watcher: str = "") -> Job:
        """The run of that key, started unless it exists; `failed` at once when the queue is full.

        A run that failed or was stopped is shown again to those who saw it, and started anew for
        everyone else.
        """
        with self._changed:
            job = self._jobs.get(key)
            if job is None or (job.state in ("failed", "stopped") and watcher not in job.watchers):
                job = Job(key, pickle.dumps((function, args)))
                self._enqueue(job, watcher)
            job.watchers.add(watcher)
            if key in self._jobs:
                self._jobs.move_to_end(key)
            return job

    def forget(self, job: Job) -> None:
        """Let the next `run` of that key start anew."""
        with self._changed:
            if self._jobs.get(job.key) is job:
                del self._jobs[job.key]

    def close(self) -> None:
        """End the worker processes; what they were running fails."""
        with self._changed:
            self._open = False
            self._changed.notify_all()
        for thread in self._threads:
            thread.join()

    def _enqueue(self, job: Job, watcher: str) -> None:
        for waiting in self._queue:
            if not self._is_awaited(waiting):
                waiting.stop()
        self._queue = deque(waiting for waiting in self._queue if not waiting.wait())
        if len(self._queue) >= self._longest_queue:
            job.end("failed", problem="Many runs are waiting already. Try again in a minute.")
            return
        job.watchers.add(watcher)
        self._jobs[job.key] = job
        self._queue.append(job)
        self._drop_oldest()
        self._changed.notify()

    def _is_awaited(self, job: Job) -> bool:
        return any(self._is_here(watcher) for watcher in tuple(job.watchers))

    def _drop_oldest(self) -> None:
        ended = [key for key, job in self._jobs.items() if job.wait()]
        for key in ended[: max(len(ended) - self._kept, 0)]:
            del self._jobs[key]

    def _serve(self) -> None:
        """The life of one worker: run after run, in a new process whenever one has died."""
        process = _Process()
        while (job := self._next()) is not None:
            if not process.is_alive():
                process = _Process()
            self._attend(job, process)
        process.kill()

    def _next(self) -> Job | None:
        """The next waiting run, blocking until there is one; None when the pool is closed."""
        with self._changed:
            while self._open:
                while self._queue:
                    job = self._queue.popleft()
                    if job.start():
                        return job
                self._changed.wait()
        return None

    def _attend(self, job: Job, process: "_Process") -> None:
        """Follow one run to its end, however it ends."""
        process.send(("run", job.call))
        awaited, told = time.monotonic(), None
        while not job.wait():
            _take(job, *process.receive(TICK))
            now = time.monotonic()
            if self._is_awaited(job):
                awaited = now
            elif now - awaited > self._patience:
                job.stop()
            if job.stop_asked and told is None:
                process.send(("stop", None))
                told = now
            if not self._open or (told is not None and now - told > self._patience):
                process.kill()


def _take(job: Job, verb: str, content: Any) -> None:
    """Note in the job what its worker says."""
    if verb == "progress":
        job.progress = content
    elif verb == "done":
        result, stopped = content
        job.end("stopped" if stopped else "done", result)
    elif verb == "failed":
        job.end("failed", problem=content)
    elif verb == "died" and job.stop_asked:
        job.end("stopped")
    elif verb == "died":
        job.end("failed", problem="The run broke off, perhaps for want of memory. Try less text.")


class _Process:
    """A worker process and the messages that have come from it."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "pages.shared.work.worker"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self._messages: SimpleQueue[tuple[str, Any]] = SimpleQueue()
        threading.Thread(target=self._listen, daemon=True).start()
        self.send(sys.path)

    def send(self, message: object) -> None:
        assert self._process.stdin is not None
        with suppress(OSError):  # of a process that has died: `receive` tells
            self._process.stdin.write(pickle.dumps(message))
            self._process.stdin.flush()

    def receive(self, seconds: float) -> tuple[str, Any]:
        """The next message, or ("silence", None)."""
        try:
            return self._messages.get(timeout=seconds)
        except Empty:
            return "silence", None

    def is_alive(self) -> bool:
        return self._process.poll() is None

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        assert self._process.stdin is not None
        try:
            while True:
                self._messages.put(pickle.load(self._process.stdout))
        except (EOFError, pickle.UnpicklingError):
            pass  # the process is gone, perhaps in the middle of a message
        finally:
            self.kill()
            self._process.stdout.close()
            with suppress(OSError):  # what was not yet written goes nowhere
                self._process.stdin.close()
            self._messages.put(("died", None))


@st.cache_resource(show_spinner=False, on_release=Pool.close)
def _pool() -> Pool:
    return Pool(is_here=_is_here)


def _is_here(visitor: str) -> bool:
    return not runtime.exists() or runtime.get_instance().is_active_session(visitor)


def _visitor() -> str:
    context = get_script_run_ctx()
    return context.session_id if context else ""


def run(key: str, function: Callable[..., Any], *args: Any) -> Job:
    """The run `function(report, *args)` of that content key, started unless it is known already."""
    return _pool().run(key, function, *args, watcher=_visitor())


def wait_for(job: Job, label: str, blink: float = 0.3) -> bool:
    """Whether the run has a result to show; until then the page shows `label` and the progress.

    Blocks for at most `blink` seconds, so that a quick run shows nothing at all. A longer one makes
    the page run again when it is over.
    """
    if not job.wait(blink):
        _show_progress(job, label)
        return False
    if job.state == "failed":
        st.error(as_is(job.problem))
        _offer_again(job, "Try again")
    elif job.state == "stopped":
        st.caption("Stopped early: this is what there was by then.")
        _offer_again(job, "Run it to the end")
    return job.result is not None


@st.fragment(run_every=0.5)
def _show_progress(job: Job, label: str) -> None:
    if job.wait():
        st.rerun()
    waiting = " Others are being served first." if job.state == "waiting" else ""
    stopping = "Stopping: what there is by now is put together …" if job.stop_asked else ""
    st.progress(job.progress, stopping or f"{label}{waiting}")
    if len(job.watchers) == 1 and not stopping:  # nobody stops what someone else is waiting for
        st.button("Stop", key=f"stop {job.key}", on_click=job.stop)


def _offer_again(job: Job, label: str) -> None:
    st.button(label, key=f"again {job.key}", on_click=_pool().forget, args=(job,))
