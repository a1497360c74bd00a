"""What each replay uses: a claim, and numbers that are the same but for rounding."""

import math


def claim(is_true, message):
    """Raise AssertionError, also where Python is told to skip `assert`."""
    if not is_true:
        raise AssertionError(message)


def near(value, recorded, tolerance):
    """Tell whether two numbers are the same but for rounding; None stands for minus infinity."""
    recorded = -math.inf if recorded is None else recorded
    return math.isclose(value, recorded, rel_tol=tolerance, abs_tol=tolerance)
