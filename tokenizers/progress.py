"""How long work reports its progress, and how a caller ends it early."""

from collections.abc import Callable

ProgressCallback = Callable[[int, int], bool]
"""Called with (done, total) as work advances; returns True to stop it early."""

CancelCheck = Callable[[], object]
"""Called now and then during work that cannot say how far it is; raises to cancel it."""


def ignore_progress(done: int, total: int) -> bool:
    """Default progress callback: never stop."""
    return False


def never_cancel() -> None:
    """Default cancel check: do nothing."""
