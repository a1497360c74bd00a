"""A worker process, which runs one function after another for pool.py.

It is a plain program because multiprocessing would execute the current page again: Streamlit makes
the page the `__main__` module. Messages are pickles. The worker reads `sys.path` from standard
input, then `("run", call)`, `("stop", None)` and `("cancel", None)`. It writes `("progress",
fraction)`, then `("done", (pickled result, is_stopped))`, `("cancelled", None)`, `("failed",
message)`, or `("out of memory", message)`, after which the process must not be reused.
"""

import gc
import os
import pickle
import signal
import sys
import threading
import time
import traceback
from collections.abc import Mapping
from queue import SimpleQueue
from typing import Any, BinaryIO

from pages.shared.limits import MAX_WORKER_BYTES, UPLOAD_CPU_SECONDS
from pages.shared.training.isolation import in_worker
from pages.shared.work.memory import keep_freed_memory, return_freed_memory
from tokenizers.errors import UserError, user_message

try:
    import resource
except ImportError:  # Windows has no such limits
    resource = None


SECONDS_BETWEEN_REPORTS = 0.1
GC_THRESHOLDS = 50_000, 20, 100
"""Raised GC thresholds: results are large and acyclic; GC took 10 % of a run."""
Orders = Mapping[str, threading.Event]
"""Whether the app has ordered to "stop" the current run, or to "cancel" it."""


class JobCancelled(BaseException):
    """The job was cancelled. This is a BaseException so that no `except Exception` swallows it."""


class Reporter:
    """The progress callback of a job; it sends at most ten messages a second.

    It returns True if the job should stop early, and raises JobCancelled if the job was cancelled.
    """

    def __init__(self, outbox: BinaryIO, orders: Orders) -> None:
        self._outbox, self._orders, self._next = outbox, orders, 0.0
        self.is_stop_requested = False

    def __call__(self, done: int, total: int) -> bool:
        if self._orders["cancel"].is_set():
            raise JobCancelled
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + SECONDS_BETWEEN_REPORTS
            send(self._outbox, ("progress", min(done / max(total, 1), 1.0)))
        self.is_stop_requested = self.is_stop_requested or self._orders["stop"].is_set()
        return self.is_stop_requested


def send(outbox: BinaryIO, message: object) -> None:
    """Write one message and flush."""
    outbox.write(pickle.dumps(message))
    outbox.flush()


def run_call(call: bytes, report: Reporter, seconds: float = 0.0) -> tuple[str, Any]:
    """Run the pickled (function, arguments) and return the final message.

    An uploaded tokenizer may use `seconds` of CPU time; then the system ends the process.
    """
    try:
        with in_worker(seconds):
            function, arguments = pickle.loads(call)
            result = pickle.dumps(function(report, *arguments))
        return "done", (result, report.is_stop_requested)
    except JobCancelled:
        return "cancelled", None
    except MemoryError:
        return "out of memory", "The run needs more memory than the server has. Try a shorter text."
    except Exception as error:
        if not isinstance(error, UserError):
            traceback.print_exc()  # to the server's log
        return "failed", user_message(error)


def read_messages(inbox: BinaryIO, calls: SimpleQueue[bytes], orders: Orders) -> None:
    """Put calls into `calls` and set `orders`; exit when the app has closed the pipe."""
    while True:
        try:
            verb, call = pickle.load(inbox)
        except (EOFError, MemoryError, pickle.UnpicklingError):  # perhaps inside a message
            os._exit(0)  # ends a running job, too
        if verb in orders:
            orders[verb].set()
        else:
            for order in orders.values():
                order.clear()
            calls.put(call)


def limit_memory(most: int) -> None:
    """Limit the data of this process to `most` bytes, where the system supports it.

    The limit is RLIMIT_DATA, not RLIMIT_AS: libraries reserve address space that they never use.
    """
    if resource:
        hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
        within = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(resource.RLIMIT_DATA, (within, hard))


def tune_memory() -> None:
    """Collect garbage seldom, and keep freed memory during a run."""
    gc.set_threshold(*GC_THRESHOLDS)
    keep_freed_memory()


def main() -> None:
    """Run the calls from standard input until it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the app, which then ends us
    inbox, outbox = sys.stdin.buffer, sys.stdout.buffer
    if hasattr(os, "nice"):  # not on Windows
        os.nice(10)  # the pages come first
    sys.stdout = sys.stderr  # prints must not mix with the messages
    sys.path[:] = pickle.load(inbox)
    limit_memory(MAX_WORKER_BYTES)
    tune_memory()
    calls: SimpleQueue[bytes] = SimpleQueue()
    orders = {"stop": threading.Event(), "cancel": threading.Event()}
    threading.Thread(target=read_messages, args=(inbox, calls, orders), daemon=True).start()
    while True:
        send(outbox, run_call(calls.get(), Reporter(outbox, orders), UPLOAD_CPU_SECONDS))
        return_freed_memory()


if __name__ == "__main__":
    main()
