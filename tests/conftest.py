"""What holds for all tests.

The laws are tried on a few examples each, and on many with `--hypothesis-profile thorough`;
strings are held against the libraries by the thousand with `--strings 10000`, or `exhaustive`.
"""

import gc
from collections.abc import Iterator
from contextlib import nullcontext

import hypothesis.core
import pytest
from hypothesis import settings

from tests.call_counts import EXHAUSTIVE, MOST_STRINGS, THOROUGH, ask_for

# A slow machine is no error: speed is measured in benchmarks/, never by a test.
settings.register_profile("quick", max_examples=THOROUGH // 5, deadline=None)
settings.register_profile("thorough", max_examples=THOROUGH, deadline=None)
settings.register_profile("exhaustive", max_examples=EXHAUSTIVE, deadline=None)
settings.load_profile("quick")

# Nothing that is tried draws from the generators of chance that a process shares. To seed them for
# each example, and to restore them after it, was a tenth of the time of the laws.
hypothesis.core.deterministic_PRNG = nullcontext  # pyright: ignore[reportPrivateImportUsage]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let the search for crashes take longer, and ask the libraries more: see fuzz/ and parity/."""
    parser.addoption("--fuzz-seconds", type=float, default=20.0, help="how long to search")
    most = f"how many strings to hold against a library, at most {MOST_STRINGS:,}"
    parser.addoption("--strings", type=int, help=most)


def pytest_configure(config: pytest.Config) -> None:
    """Take the number of strings that was asked for, in every process."""
    strings = config.getoption("--strings")
    if strings is not None:
        ask_for(strings)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Let no search for garbage go through what stays to the end: modules and tests.

    They are 400,000 objects. To go through them was a seventh of the time of collecting, and a
    twentieth of that of the tests; to look more seldom, another twentieth.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.set_threshold(20_000)
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the longest tests: at the end, one process would be left alone with them."""
    longest = ("test_hostile_files[growing]", "test_python_has_sound_types")
    items.sort(key=lambda item: item.name not in longest)
