"""When freed memory goes back to the system: with glibc; elsewhere these functions do nothing."""

import ctypes
from contextlib import suppress

_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3  # parameters of mallopt, from malloc.h


def keep_freed_memory() -> None:
    """Keep some freed memory for what is allocated next, until `return_freed_memory`.

    By default, glibc returns it at once. Training makes arrays of megabytes and drops them again:
    it would spend a third to half of its time on getting the same pages back.
    """
    with suppress(AttributeError, OSError, TypeError):
        libc = ctypes.CDLL(None)
        libc.mallopt(_MMAP_THRESHOLD, 32 << 20)
        libc.mallopt(_TRIM_THRESHOLD, 64 << 20)


def return_freed_memory() -> None:
    """Return freed memory to the system.

    By itself the allocator would keep what lies between small objects that stay.
    """
    with suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)
