"""Validation shared by all settings: types, bounds and choices.

Settings come from controls, URLs and lessons. Invalid values are rejected when the settings are
constructed, so that they cannot crash a run or make it endless.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import fields
from numbers import Integral, Real
from types import NoneType
from typing import Any, cast, get_args

from tokenizers.errors import UserError

Bounds = Mapping[str, tuple[float, float]]
"""The inclusive range of each numeric field."""

Choices = Mapping[str, Sequence[str]]
"""The allowed values of each string field."""

MAX_NUMBER = 10**9
"""More pieces, merges or characters than any run reaches."""

_TYPE_TEXT = {str: "a text", bool: "true or false", int: "a whole number", float: "a number"}


def check(settings: Any, bounds: Bounds, choices: Choices) -> None:
    """Raise UserError for a value of the wrong type, out of bounds, or not among the choices.

    >>> from tokenizers.bpe import Settings
    >>> Settings(num_merges=-1)
    Traceback (most recent call last):
    ...
    tokenizers.errors.UserError: num_merges is -1; it must be a whole number from 0 to 1,000,000,000
    """
    for field in fields(settings):
        kinds: tuple[Any, ...] = get_args(field.type) or (field.type,)
        value = getattr(settings, field.name)
        if NoneType in kinds and value is None:
            continue
        if field.type == tuple[str, ...]:
            if not isinstance(value, tuple) or not all(
                isinstance(one, str) for one in cast(tuple[Any, ...], value)
            ):
                raise UserError(f"{field.name} is {value!r}; it must be a list of texts")
        elif wrong := _expected_text(value, kinds[0], bounds.get(field.name)):
            raise UserError(f"{field.name} is {_value_text(value)}; it must be {wrong}")
    for name, known in choices.items():
        if (value := getattr(settings, name)) not in known:
            raise UserError(f"{name} is {value!r}; it must be one of {', '.join(known)}")


def _expected_text(value: Any, kind: type, bound: tuple[float, float] | None) -> str:
    """Describe what a setting's value must be; return "" if the value is valid."""
    takes: type = {int: Integral, float: Real}.get(kind, kind)
    is_kind = isinstance(value, takes) and (kind is bool or not isinstance(value, bool))
    low, high = bound or (-math.inf, math.inf)
    if is_kind and (kind in (str, bool) or low <= value <= high):
        return ""
    return _TYPE_TEXT[kind] + (f" from {low:,} to {high:,}" if bound else "")


def _value_text(value: Any) -> str:
    """Return a value as text for an error message, shortened if it is very long."""
    if isinstance(value, int) and abs(value) > 10 * MAX_NUMBER:
        return "beyond all bounds"
    return f"{value!r:.100}"
