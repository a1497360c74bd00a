"""The curriculum map: which lesson or stop serves which aim of a course, from `curriculum.toml`."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lessons import lesson


@dataclass(frozen=True, slots=True)
class Service:
    """What serves an aim: a lesson, or one of its stops by its heading."""

    lesson: str
    stop: str = ""

    @property
    def number(self) -> int:
        """The stop's number, from 1; 0 for a whole lesson. Raises ValueError if it is missing."""
        headings = [stop.heading for stop in lesson(self.lesson).stops]
        return headings.index(self.stop) + 1 if self.stop else 0


@dataclass(frozen=True, slots=True)
class Aim:
    """What students should be able to do, and what serves it."""

    aim: str
    by: tuple[Service, ...]


@dataclass(frozen=True, slots=True)
class Course:
    """A kind of course with its aims."""

    title: str
    aims: tuple[Aim, ...]


def _aim(row: Mapping[str, Any]) -> Aim:
    parts = (written.partition(": ") for written in row["by"])
    return Aim(row["aim"], tuple([Service(slug, stop) for slug, _, stop in parts]))


_TABLE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
COURSES: Mapping[str, Course] = {
    name: Course(row["title"], tuple(map(_aim, row["aims"]))) for name, row in _TABLE.items()
}
"""The courses by name."""
