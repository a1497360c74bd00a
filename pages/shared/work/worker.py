"""A process that runs one function after another for jobs.py, away from the pages.

It is started as a plain program and not through multiprocessing, which would execute the page that
is being shown once more: Streamlit makes that page the `__main__` module. Messages are pickles, on
standard input `sys.path`, then `("run", call)` and `("stop", None)`; on standard output
`("progress", fraction)`, then `("done", (result, stopped))` or `("failed", sentence)`.
"""

import os
import pickle
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any, BinaryIO

from tokenizers.refusal import is_refusal, sentence_of

Report = Callable[[int, int], bool]
"""`report(done, total)` tells how far a run is, and returns True when it should stop early."""

SECONDS_BETWEEN_REPORTS = 0.1


class Reporter:
    """The `report` that a function gets; sends at most ten messages a second."""

    def __init__(self, outbox: BinaryIO, stop: threading.Event) -> None:
        self._outbox, self._stop, self._next = outbox, stop, 0.0
        self.told_to_stop = False

    def __call__(self, done: int, total: int) -> bool:
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + SECONDS_BETWEEN_REPORTS
            send(self._outbox, ("progress", min(done / max(total, 1), 1.0)))
        self.told_to_stop = self.told_to_stop or self._stop.is_set()
        return self.told_to_stop


def send(outbox: BinaryIO, message: object) -> None:
    """Write one message, at once."""
    outbox.write(pickle.dumps(message))
    outbox.flush()


def answer(call: bytes, report: Reporter) -> tuple[str, Any]:
    """Run the pickled (function, arguments) and say how it ended."""
    try:
        function, arguments = pickle.loads(call)
        return "done", (function(report, *arguments), report.told_to_stop)
    except MemoryError:
        return "failed", "The run needs more memory than there is. Try a shorter text."
    except Exception as error:
        if not is_refusal(error):
            traceback.print_exc()  # to the server's log
        return "failed", sentence_of(error)


def listen(inbox: BinaryIO, calls: SimpleQueue[bytes], stop: threading.Event) -> None:
    """Pass on calls and requests to stop; end the process as soon as the app is gone."""
    while True:
        try:
            verb, call = pickle.load(inbox)
        except EOFError:
            os._exit(0)  # in the middle of a run, too
        if verb == "stop":
            stop.set()
        else:
            stop.clear()
            calls.put(call)


def main() -> None:
    """Serve until standard input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the app, which then ends us
    inbox, outbox = sys.stdin.buffer, sys.stdout.buffer
    if hasattr(os, "nice"):  # not on Windows
        os.nice(10)  # the pages come first
    sys.stdout = sys.stderr  # what a function prints must not mix with the messages
    sys.path[:] = pickle.load(inbox)
    calls: SimpleQueue[bytes] = SimpleQueue()
    stop = threading.Event()
    threading.Thread(target=listen, args=(inbox, calls, stop), daemon=True).start()
    while True:
        send(outbox, answer(calls.get(), Reporter(outbox, stop)))


if __name__ == "__main__":
    main()
