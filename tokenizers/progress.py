"""Callbacks by which slow work reports its progress and a caller can end it early."""

from collections.abc import Callable

ProgressCallback = Callable[[int, int], bool]
"""Called with (done, total) as work advances; returns True to stop it early."""

CancelCheck = Callable[[], object]
"""Called now and then during work of unknown length; raises an exception to cancel it."""


def ignore_progress(done: int, total: int) -> bool:
    """Default progress callback: never stop."""
    return False


def never_cancel() -> None:
    """Default cancel check: do nothing."""
