"""A computation in a second thread beside the caller's: NumPy lets others run while it computes."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")
LEAST_VALUES = 50_000
"""With fewer values, to change threads takes longer than to compute one after the other."""
_THREAD = ThreadPoolExecutor(1, "unigram")


def begin(function: Callable[[], T], num_values: int) -> Callable[[], T]:
    """Begin to compute `function()`, which has `num_values` values; return what waits for it.

    The other thread is used if there are many values and the system has a thread left; otherwise
    the function is called when its result is asked for.
    """
    if num_values < LEAST_VALUES:
        return function
    try:
        return _THREAD.submit(function).result
    except RuntimeError:  # no thread left
        return function
