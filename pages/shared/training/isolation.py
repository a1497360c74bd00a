"""Isolate uploaded tokenizers, which may only be used in workers, with limited memory and time.

In the server process, which all visitors share, an expensive file would block everybody. This file
imports little, so that a worker starts quickly.
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
    """Start the CPU timer after which the system ends this process; Windows has none.

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
