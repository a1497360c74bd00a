"""What holds for all tests.

The laws are tried on a few examples each, and on many with `--hypothesis-profile thorough`.
"""

from hypothesis import settings

from tests.effort import THOROUGH

# A slow machine is no error: speed is measured in benchmarks/, never by a test.
settings.register_profile("quick", max_examples=THOROUGH // 5, deadline=None)
settings.register_profile("thorough", max_examples=THOROUGH, deadline=None)
settings.load_profile("quick")
