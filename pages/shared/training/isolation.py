"""Isolation of uploaded tokenizers: they are used in workers only, which limit memory and time.

The server process is shared by all visitors: an expensive file would block everybody. Few imports
here: a worker has to start quickly.
"""

import signal
from collections.abc import Iterator
from contextlib import contextmanager

_is_worker = False
_seconds = 0.0


@contextmanager
def in_worker(seconds: float = 0.0) -> Iterator[None]:
    """Mark a worker's run, in which an uploaded tokenizer may use `seconds` of CPU time."""
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
    """Set the CPU timer after which the system ends this process; not on Windows.

    The signal ends even a long call into C, which no limit in Python could interrupt.
    """
    if _seconds:
        _set_timer(_seconds)


def _set_timer(seconds: float) -> None:
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_PROF, seconds)


def check_in_worker() -> None:
    """Raise RuntimeError outside a worker."""
    if not _is_worker:
        raise RuntimeError(
            "A visitor's own tokenizer is used in a worker only: see `results.call`."
        )
