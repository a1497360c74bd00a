"""A process that runs one function after another for pool.py, away from the pages.

It is started as a plain program and not through multiprocessing, which would execute the page that
is being shown once more: Streamlit makes that page the `__main__` module. Messages are pickles, on
standard input `sys.path`, then `("run", call)`, `("stop", None)` and `("cancel", None)`; on
standard output `("progress", fraction)`, then `("done", (pickled result, stopped))`,
`("cancelled", None)`, `("failed", sentence)`, or `("out of memory", sentence)`, after which the process
is of no more use: it has been at its limit of memory.
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
from tokenizers.errors import UserError, user_message

try:
    import resource
except ImportError:  # Windows has no such limits
    resource = None


SECONDS_BETWEEN_REPORTS = 0.1
GC_THRESHOLDS = 50_000, 20, 100
"""Look for garbage seldom: a film or a text that is cut is ten thousands of tuples, and no circle.

It was a tenth of the time.
"""
Orders = Mapping[str, threading.Event]
"""What the app has said of the run at hand: whether to "stop" it, and to "cancel" on it."""


class JobCancelled(BaseException):
    """Nobody wants the run any more. No Exception, so that no function takes it for its own."""


class Reporter:
    """The `report` that a function gets; sends at most ten messages a second.

    It returns True when the visitor wants what there is by now, and raises GivenUp when nobody
    wants anything.
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
    """Write one message, at once."""
    outbox.write(pickle.dumps(message))
    outbox.flush()


def run_call(call: bytes, report: Reporter, seconds: float = 0.0) -> tuple[str, Any]:
    """Run the pickled (function, arguments) and say how it ended.

    A visitor's own tokenizer may compute in it for so many `seconds`; then the process ends.
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
    """Pass on calls and requests to stop; end the process as soon as the app is gone."""
    while True:
        try:
            verb, call = pickle.load(inbox)
        except (EOFError, MemoryError, pickle.UnpicklingError):  # perhaps amid a message
            os._exit(0)  # in the middle of a run, too
        if verb in orders:
            orders[verb].set()
        else:
            for order in orders.values():
                order.clear()
            calls.put(call)


def limit_memory(most: int) -> None:
    """Let this process hold no more than `most` bytes of data, where the system can see to that.

    The limit is on data alone (RLIMIT_DATA): libraries reserve addresses that they never use, and
    would meet a limit on addresses (RLIMIT_AS) long before they have filled any memory.
    """
    if resource:
        hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
        within = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(resource.RLIMIT_DATA, (within, hard))


def main() -> None:
    """Serve until standard input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the app, which then ends us
    inbox, outbox = sys.stdin.buffer, sys.stdout.buffer
    if hasattr(os, "nice"):  # not on Windows
        os.nice(10)  # the pages come first
    sys.stdout = sys.stderr  # what a function prints must not mix with the messages
    sys.path[:] = pickle.load(inbox)
    limit_memory(MAX_WORKER_BYTES)
    gc.set_threshold(*GC_THRESHOLDS)
    calls: SimpleQueue[bytes] = SimpleQueue()
    orders = {"stop": threading.Event(), "cancel": threading.Event()}
    threading.Thread(target=read_messages, args=(inbox, calls, orders), daemon=True).start()
    while True:
        send(outbox, run_call(calls.get(), Reporter(outbox, orders), UPLOAD_CPU_SECONDS))


if __name__ == "__main__":
    main()
