"""JSON values with their path in the file, so that an error can name the path."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tokenizers.errors import UserError
from tokenizers.formats.json_numbers import integer_as_float, read_number
from tokenizers.limits import MAX_TOKEN_LENGTH, check_at_most, check_file_size
from tokenizers.text.file_text import to_utf8

MAX_TEXT_LENGTH = 2_000_000
"""The maximum bytes between quotation marks; beside an emoji each takes four bytes in memory."""
MAX_LISTS, MAX_VALUES, MAX_KEYS = 1_500_000, 2_500_000, 500_000
"""Limits on lists and objects, values, and keys in a file, since each takes time and memory."""
MAX_QUOTED = 60
"""The maximum number of a value's characters that a message quotes."""
MAX_ID = 2**32 - 1
"""The largest id: the library stores ids in 32 bits."""
Json = dict[str, Any] | list[Any] | str | int | float | bool | None
"""A JSON value; the types inside it are not distinguished."""


_PARTS = "an object with the keys model, added_tokens and so on"


def parse(data: bytes, expected: str = _PARTS) -> "JsonCursor":
    """Return a cursor to the object in a file; raises UserError if it is not what is `expected`."""
    check_file_size(len(data))
    data = to_utf8(data)
    if data.count(b"[") + data.count(b"{") > MAX_LISTS:
        raise UserError(f"The file holds more than {MAX_LISTS:,} lists and objects.")
    if data.count(b",") > MAX_VALUES or data.count(b":") > MAX_KEYS:
        raise UserError(f"The file holds more than {MAX_VALUES:,} values or {MAX_KEYS:,} keys.")
    if any(
        data.find(b'"', at, at + MAX_TEXT_LENGTH) < 0
        for at in range(0, len(data) - MAX_TEXT_LENGTH, MAX_TEXT_LENGTH)
    ):
        raise UserError(
            f"The file holds a text or numbers of more than {MAX_TEXT_LENGTH:,} bytes in a row."
        )
    try:
        value = json.loads(data, parse_float=read_number, parse_constant=_refuse_constant)
    except RecursionError as error:
        raise UserError("The file is nested too deeply to be read.") from error
    except UnicodeDecodeError as error:
        raise UserError(f"The file is not UTF-8: byte {error.start:,} is wrong.") from error
    except (json.JSONDecodeError, UserError) as error:
        raise UserError(f"The file is not valid JSON: {error}.") from error
    except ValueError as error:  # Python's limit on digits in an int
        raise UserError("The file has a number of thousands of digits, which is no id.") from error
    found = JsonCursor(value, "")
    if not isinstance(value, dict):
        raise found.error(expected)
    return found


def _refuse_constant(name: str) -> float:
    raise UserError(f"{name} is not a number")


@dataclass(frozen=True, slots=True)
class JsonCursor:
    """A value and its path in the file, such as `pre_tokenizer.pretokenizers[1].type`.

    `is_missing` if the file has no such key; the value is then None, as for null.
    """

    value: Json
    path: str
    is_missing: bool = False

    def error(self, expected: str) -> UserError:
        """Return an error that names the path, the actual value and the expected one."""
        if self.is_missing:
            return UserError(f"{self.path} is missing; it must be {expected}.")
        shown = json.dumps(self.value, ensure_ascii=False, default=str)
        shown = shown if len(shown) <= MAX_QUOTED else shown[:MAX_QUOTED] + "…"
        return UserError(f"{self.path or 'The file'} is {shown}; it must be {expected}.")

    def located(self, error: Exception) -> UserError:
        """Return an error of what is at the cursor as a sentence that names the path once."""
        text = str(error)
        text = text if self.path in text else f"{self.path}: {text}"
        return UserError(text if text.endswith(".") else f"{text}.")

    def __contains__(self, key: str) -> bool:
        return self.get(key).value is not None

    def get(self, key: str, default: Json = None) -> "JsonCursor":
        """Return a cursor to a key's value, or to `default` if the value is missing or null."""
        keys = self.object()
        value = keys.get(key)
        found = default if value is None else value
        return JsonCursor(
            found, f"{self.path}.{key}".lstrip("."), found is None and key not in keys
        )

    def items(self) -> "Iterator[tuple[str, JsonCursor]]":
        """Yield the keys of an object with cursors to their values."""
        for key, value in self.object().items():
            shown = json.dumps(key[:MAX_QUOTED], ensure_ascii=False)
            yield key, JsonCursor(value, f"{self.path}[{shown}]")

    def __iter__(self) -> "Iterator[JsonCursor]":
        if not isinstance(self.value, list):
            raise self.error("a list")
        for n, value in enumerate(self.value):
            yield JsonCursor(value, f"{self.path}[{n}]")

    def rows(self, most: int, what: str) -> "Iterator[JsonCursor]":
        """Yield a list's items; raises UserError, which names them `what`, if more than `most`."""
        check_at_most(len(self.value) if isinstance(self.value, list) else 0, most, what)
        return iter(self)

    def object(self) -> dict[str, Any]:
        """Return the value as an object; raises UserError for anything else."""
        if not isinstance(self.value, dict):
            raise self.error("an object")
        return self.value

    def text(self, most: int = MAX_TOKEN_LENGTH) -> str:
        """Return the value, which must be a string of at most `most` characters."""
        if not isinstance(self.value, str):
            raise self.error("a string")
        check_at_most(len(self.value), most, f"characters in {self.path}")
        if not self.value.isascii() and any("\ud800" <= c <= "\udfff" for c in self.value):
            raise UserError(f"{self.path} holds half a surrogate pair, which is no character.")
        return self.value

    def character(self) -> str:
        """Return the value as a string of one character."""
        text = self.text()
        if len(text) != 1:
            raise self.error("one character")
        return text

    def one_of(self, choices: tuple[str, ...]) -> str:
        """Return the value as a string, which must be one of `choices`."""
        if self.value not in choices:
            raise self.error(f"one of {', '.join(choices)}")
        return self.value

    def flag(self) -> bool:
        """Return the value as a bool."""
        if not isinstance(self.value, bool):
            raise self.error("true or false")
        return self.value

    def integer(self, least: int = 0) -> int:
        """Return the value as a whole number from `least` to `MAX_ID`."""
        if type(self.value) is not int or not least <= self.value <= MAX_ID:
            raise self.error(f"a whole number from {least} to {MAX_ID:,}")
        return self.value

    def number(self) -> float:
        """Return the value as a float."""
        value = self.value
        if type(value) is bool or not isinstance(value, int | float) or abs(value) > 1e300:
            raise self.error("a number")
        return integer_as_float(value) if isinstance(value, int) else value
