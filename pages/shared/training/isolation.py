"""Where a visitor's own tokenizer may be used: in a worker, which has limits of memory and time.

The process that shows the pages is that of all visitors: a file that asks it for too much would
take it from everybody. This imports next to nothing, so that a worker starts quickly.
"""

import signal
from collections.abc import Iterator
from contextlib import contextmanager

_is_worker = False
_seconds = 0.0


@contextmanager
def in_worker(seconds: float = 0.0) -> Iterator[None]:
    """Around a run of a worker; `seconds` of computing are what a visitor's file may take in it."""
    global _is_worker, _seconds
    before = _is_worker, _seconds
    _is_worker, _seconds = True, seconds
    try:
        yield
    finally:
        if _seconds:
            _set_timer(0.0)
        _is_worker, _seconds = before


def limit_time() -> None:
    """Have the system end this process if the run computes for too long; not on Windows.

    The system does so whatever the process is at: a long call into C would heed no other limit.
    """
    if _seconds:
        _set_timer(_seconds)


def _set_timer(seconds: float) -> None:
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_PROF, seconds)


def check_in_worker() -> None:
    """Raise RuntimeError outside of a worker."""
    if not _is_worker:
        raise RuntimeError("A visitor's own tokenizer is used in a worker only: see `ask`.")
