"""Read the TOML inside a lesson; errors name the line. `reading.py` validates the keys."""

import math
import re
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

from lessons.format.errors import LessonError, shortened

MOST_NESTED = 10  # lists and tables inside one another
LARGEST_NUMBER = 10**15
_LINE_OF_TOML = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")
_TOO_DEEP = f"Lists and tables are nested more than {MOST_NESTED} deep here. Use fewer levels."


def read_toml(lines: Sequence[str], first: int) -> Mapping[str, Any]:
    """Parse TOML whose first line is line `first` of the file."""
    try:
        values = tomllib.loads("\n".join(lines))
    except RecursionError:
        raise LessonError(_too_deep(lines, first), _TOO_DEEP) from None
    except tomllib.TOMLDecodeError as error:
        found = _LINE_OF_TOML.search(str(error))
        inside = int(found[1]) if found and found[1] else len(lines)
        message = _LINE_OF_TOML.sub("", str(error))
        line = first + max(inside, 1) - 1
        raise LessonError(line, f"This is no TOML: {message}. Write: key = value") from None
    _check_values(values, lines, first)
    return values


def _too_deep(lines: Sequence[str], first: int) -> int:
    """Return the line at which bracket nesting exceeds MOST_NESTED, counting brackets only."""
    is_open = 0
    for n, line in enumerate(lines, first):
        for sign in re.findall(r"[\[\]{}]", line):
            is_open += 1 if sign in "[{" else -1
            if is_open > MOST_NESTED:
                return n
    return first


def _check_values(values: Mapping[str, Any], lines: Sequence[str], first: int) -> None:
    """Raise LessonError for a value, at any depth, that no key of a lesson accepts."""
    waiting: list[tuple[Any, tuple[str, ...], int]] = [(values, (), 0)]
    while waiting:
        value, path, depth = waiting.pop()
        if depth > MOST_NESTED:
            raise LessonError(_line_of_path(path, lines, first), _TOO_DEEP)
        if isinstance(value, dict):
            waiting += [(one, (*path, key), depth + 1) for key, one in value.items()]
        elif isinstance(value, list):
            waiting += [(one, path, depth + 1) for one in value]
        elif wrong := _value_error(value):
            raise LessonError(_line_of_path(path, lines, first), wrong)


def _line_of_path(path: Sequence[str], lines: Sequence[str], first: int) -> int:
    """Return the line of a key in nested tables, with or without table headings."""
    heads = (
        n for n in range(len(path), 0, -1) if line_of(lines, first, ".".join(path[:n]), -1) > 0
    )
    known = next(heads, 0)
    line = line_of(lines, first, ".".join(path[:known])) if known else first
    for key in path[known:]:
        line = line_of(lines[line - first :], line, key)
    return line


def _value_error(value: object) -> str:
    """Return the error message for a scalar value; "" if it is valid."""
    if isinstance(value, (str, bool)):
        return ""
    if not isinstance(value, (int, float)):
        return (
            f"A lesson has no dates and times: {shortened(value)}. Write it as a text, in quotes."
        )
    if abs(value) > LARGEST_NUMBER or not math.isfinite(value):
        return f"This number is too large. Write one up to {LARGEST_NUMBER:,}."
    return ""


def line_of(lines: Sequence[str], first: int, key: str, otherwise: int = 0) -> int:
    """Return the line number at which a key is set; `first` is the number of the first line."""
    is_key = re.compile(rf"""\s*\[?["']?{re.escape(key)}["']?\s*[=.\]]""")
    found = (n for n, line in enumerate(lines, first) if is_key.match(line))
    return next(found, otherwise or first)
