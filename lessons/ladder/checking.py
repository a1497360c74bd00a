"""What checks a student's functions in the notebook: its source becomes the notebook's first cell.

It needs the standard library alone, and no other module of this project.
"""

import copy
import math

MOST_LOOKUPS = "most lookups"
"""The key under which a table says how often it may be asked."""


class TooManyLookups(Exception):
    """A table was asked more often than the task needs."""


class Counted(dict):
    """A table that may be asked `most` times, so that trying every split ends with a sentence."""

    def __init__(self, table, most):
        super().__init__(table)
        self.left = most

    def _ask(self):
        self.left -= 1
        if self.left < 0:
            raise TooManyLookups

    def __getitem__(self, key):
        self._ask()
        return super().__getitem__(key)

    def __contains__(self, key):
        self._ask()
        return super().__contains__(key)

    def get(self, key, default=None):
        self._ask()
        return super().get(key, default)


def same(one, other):
    """Return whether two answers are equal; lists equal tuples, and numbers may be rounded."""
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, (int, float)) and isinstance(other, (int, float)):
        return math.isclose(one, other, rel_tol=1e-6, abs_tol=1e-12)
    return one == other


def shown(value, most=160):
    """Return a value as Python writes it, cut off where it is long."""
    text = repr(value)
    return text if len(text) <= most else text[:most] + " …"


class Checks:
    """Compares functions with the record; `record` has the tasks in order, with their cases.

    A case is the arguments, the answer, and a sentence that says what to look at.
    """

    def __init__(self, record):
        self.record = record
        self.passed = {}

    def __call__(self, function):
        """Call a function with each case of its task, and print the first that fails."""
        name = function.__name__
        number = list(self.record).index(name) + 1
        wrong = self._first_failure(name, function)
        self.passed[name] = not wrong
        cases = len(self.record[name])
        print(f"✗ Task {number}. {wrong}" if wrong else f"✓ Task {number}: all {cases} cases pass.")

    def _first_failure(self, name, function):
        for arguments, answer, hint in self.record[name]:
            given = [self._prepared(one) for one in copy.deepcopy(arguments)]
            call = f"{name}({', '.join(map(shown, map(self._bare, arguments)))})"
            try:
                found = function(*given)
            except NotImplementedError:
                return f"{name} is still empty: write it, run its cell, then this one again."
            except TooManyLookups:
                return f"{call} looks up far too many pieces. {hint}"
            except Exception as error:
                return f"{call} stops with {type(error).__name__}: {error}. {hint}"
            if not same(found, answer):
                return f"{call} gives {shown(found)}; the record has {shown(answer)}. {hint}"
        return ""

    @staticmethod
    def _bare(argument):
        """Return an argument without the limit on its lookups."""
        if isinstance(argument, dict):
            return {key: value for key, value in argument.items() if key != MOST_LOOKUPS}
        return argument

    @staticmethod
    def _prepared(argument):
        """Count the lookups in a table that says how many it allows."""
        if isinstance(argument, dict) and MOST_LOOKUPS in argument:
            most = argument.pop(MOST_LOOKUPS)
            return Counted(argument, most)
        return argument

    def summary(self):
        """Print which tasks pass."""
        for number, name in enumerate(self.record, start=1):
            sign = {True: "✓", False: "✗", None: "·"}[self.passed.get(name)]
            print(f"{sign} {number}. {name}")
        print(f"{sum(self.passed.values())} of {len(self.record)} tasks pass.")
