"""What holds for all tests."""

from hypothesis import settings

# A slow machine is no error: speed is measured in benchmarks/, never by a test.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")
