"""What holds for all tests.

The laws are tried on a few examples each, and on many with `--hypothesis-profile thorough`;
strings are held against the libraries by the thousand with `exhaustive`.
"""

import pytest
from hypothesis import settings

from tests.effort import EXHAUSTIVE, THOROUGH

# A slow machine is no error: speed is measured in benchmarks/, never by a test.
settings.register_profile("quick", max_examples=THOROUGH // 5, deadline=None)
settings.register_profile("thorough", max_examples=THOROUGH, deadline=None)
settings.register_profile("exhaustive", max_examples=EXHAUSTIVE, deadline=None)
settings.load_profile("quick")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let the search for crashes take longer: see tests/fuzz."""
    parser.addoption("--fuzz-seconds", type=float, default=20.0, help="how long to search")
