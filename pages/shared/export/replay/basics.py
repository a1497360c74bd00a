"""Helpers of all replays: a check, and a comparison of rounded numbers."""

import math


def claim(is_true, message):
    """Raise AssertionError unless `is_true`, even if Python skips `assert` statements."""
    if not is_true:
        raise AssertionError(message)


def near(value, recorded, tolerance):
    """Return whether two numbers are equal up to rounding; None stands for minus infinity."""
    recorded = -math.inf if recorded is None else recorded
    return math.isclose(value, recorded, rel_tol=tolerance, abs_tol=tolerance)
