"""What test_jobs.py has done in worker processes, which import this module by name.

It imports next to nothing, so that they start quickly.
"""

import os
import time
from collections.abc import Callable
from typing import Any

from pages.shared.training import isolation
from tokenizers.progress import ProgressCallback


def add(report: ProgressCallback, left: int, right: int) -> int:
    return left + right


def who(report: ProgressCallback) -> int:
    return os.getpid()


def fill_and_drop(report: ProgressCallback, times: int, size: int) -> int:
    """Return how many pages of memory the system had to give while arrays came and went."""
    import resource

    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(times):
        arrays = [bytearray(size) for _ in range(3)]
        arrays.clear()
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before


def count_until_told(report: ProgressCallback, number: int = 0) -> int:
    """Runs until it is told to stop, and gives back how often it has reported."""
    for reports in range(1, 1_000_000):
        if report(reports, 1_000_000):
            return reports
        time.sleep(0.001)
    raise AssertionError("nobody told it to stop")


def until_told(report: ProgressCallback, function: Callable[..., Any], *args: Any) -> Any:
    """Do a run that waits from its first step on until it is told to stop."""

    def wait(done: int, total: int) -> bool:
        while not report(done, total) and done:
            time.sleep(0.01)
        return report(done, total)

    return function(wait, *args)


def sleep_uninterrupted(report: ProgressCallback, seconds: float) -> str:
    report(1, 2)
    time.sleep(seconds)
    return "slept"


def fall_over(report: ProgressCallback, error: Exception) -> None:
    raise error


def refuse(report: ProgressCallback) -> None:
    from tokenizers.text.corpus import Pipeline

    Pipeline(("shout",))


def die(report: ProgressCallback) -> None:
    os._exit(1)


def print_and_return(report: ProgressCallback) -> str:
    print("this must not mix with the messages")
    return "fine"


def hoard(report: ProgressCallback, size: int) -> int:
    """Hold that many bytes at once."""
    return len(bytearray(size))


def give_back(report: ProgressCallback, size: int) -> bytes:
    return bytes(size)


def compare_without_end(report: ProgressCallback) -> str:
    """Render a chat template that compares nested lists in one call into C."""
    from pages.real.chat.conversation import FIRST_CHAT
    from pages.real.chat.rendering import render

    template = (
        "{% set ns = namespace(a=[1], b=[1]) %}{% for _ in range(60) %}"
        "{% set ns.a = [ns.a, ns.a] %}{% set ns.b = [ns.b, ns.b] %}{% endfor %}{{ ns.a == ns.b }}"
    )
    return render(template, FIRST_CHAT, {}, add_generation_prompt=True).text


def take_too_long(report: ProgressCallback) -> int:
    """Compute without end, in one call into C, with a file that may take a tenth of a second."""
    isolation._seconds = 0.1
    isolation.limit_time()
    return sum(range(10**15))
