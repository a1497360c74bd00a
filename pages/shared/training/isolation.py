"""Isolate uploaded tokenizers, which may only be used in workers, with limited memory and time.

In the server process, which all visitors share, an expensive file would block everybody. This file
imports little, so that a worker starts quickly.
"""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType

try:
    import resource
except ImportError:  # Windows has no such limits
    resource = None

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


class OutOfTime(BaseException):
    """The block has used its time. No `except Exception` of the block may swallow it."""


KILL_AFTER = 3
"""How many times the limit a call into C may take that `tight_limits` cannot interrupt."""


class tight_limits:
    """Limit a block in a worker to `seconds` of CPU time and `num_bytes` of more memory.

    Raises OutOfTime or MemoryError. A call into C that takes KILL_AFTER times as long ends the
    process, as `limit_time` does. Outside a worker, and where the system has no such limits, the
    block is not limited.
    """

    def __init__(self, seconds: float, num_bytes: int) -> None:
        self._seconds, self._num_bytes = seconds, num_bytes

    def __enter__(self) -> None:
        self._is_on = _is_worker and threading.current_thread() is threading.main_thread()
        if not self._is_on or resource is None:
            return
        self._data = resource.getrlimit(resource.RLIMIT_DATA)
        self._handler = signal.signal(signal.SIGVTALRM, _raise_out_of_time)
        self._prof, _ = signal.setitimer(signal.ITIMER_PROF, KILL_AFTER * self._seconds)
        if used := _data_bytes():
            most = _smaller(used + self._num_bytes, self._data[0])
            resource.setrlimit(resource.RLIMIT_DATA, (most, self._data[1]))
        signal.setitimer(signal.ITIMER_VIRTUAL, self._seconds, self._seconds / 4)

    def __exit__(self, *_: object) -> None:
        if not self._is_on or resource is None:
            return
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.0)
        signal.setitimer(signal.ITIMER_PROF, self._prof)
        signal.signal(signal.SIGVTALRM, self._handler)
        resource.setrlimit(resource.RLIMIT_DATA, self._data)


def _raise_out_of_time(number: int, frame: FrameType | None) -> None:
    """Raise OutOfTime, again and again, as Python loses what is raised in a finalizer.

    Not while the block is left, which the first one made it do.
    """
    while frame:
        if frame.f_code is tight_limits.__exit__.__code__:
            return
        frame = frame.f_back
    raise OutOfTime


def _data_bytes() -> int:
    """Return the size of this process's data, which RLIMIT_DATA counts; 0 if it is unknown."""
    with suppress(OSError):
        pages = Path("/proc/self/statm").read_text("ascii").split()[5]
        return int(pages) * resource.getpagesize() if resource else 0
    return 0


def _smaller(limit: int, before: int) -> int:
    return limit if resource is None or before == resource.RLIM_INFINITY else min(limit, before)


def check_in_worker() -> None:
    """Raise RuntimeError outside a worker."""
    if not _is_worker:
        raise RuntimeError(
            "A visitor's own tokenizer is used in a worker only: see `results.call`."
        )
