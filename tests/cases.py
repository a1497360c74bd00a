"""Many small cases in one test, which reports every case that fails.

The overhead of a test exceeds the cost of checking one lesson or one text.
"""

from collections.abc import Callable, Iterable
from typing import TypeVar

import pytest

Case = TypeVar("Case")


def try_each(cases: Iterable[Case], check: Callable[[Case], object]) -> None:
    """Check every case, and raise together what fails, each with a note of its case."""
    failed: list[BaseException] = []
    for case in cases:
        try:
            check(case)
        except (Exception, pytest.fail.Exception) as error:
            error.add_note(f"The case: {case!r}")
            failed.append(error)
    if failed:
        raise BaseExceptionGroup("Some cases fail", failed)
