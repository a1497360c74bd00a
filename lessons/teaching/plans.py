"""Plans for a class of some minutes, slot by slot, written in `plans.toml`.

A slot says what to open, what to ask and to say, what usually goes wrong, and what to leave out
when it is late. What it opens are stops of lessons or pages of the app.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any

from lessons import lesson
from lessons.custom_path import CustomPath, LessonPart
from lessons.paths import minutes_of_stops


@dataclass(frozen=True, slots=True)
class LessonStops:
    """Some stops of a lesson, by their headings."""

    lesson: str
    stops: tuple[str, ...]

    @property
    def numbers(self) -> tuple[int, ...]:
        """The stops' numbers, from 1. Raises ValueError if the lesson lacks one of them."""
        headings = [stop.heading for stop in lesson(self.lesson).stops]
        return tuple([headings.index(stop) + 1 for stop in self.stops])

    @property
    def minutes(self) -> float:
        """The estimated minutes to read the stops and to answer their questions."""
        return minutes_of_stops(
            stop for stop in lesson(self.lesson).stops if stop.heading in self.stops
        )


@dataclass(frozen=True, slots=True)
class PageLink:
    """A page of the app, by its name in the URL, with parameters.

    `words` says where the class's own words go: "corpus" (the training text), another parameter's
    name, or "" if the page takes none.
    """

    label: str
    page: str
    query: Mapping[str, str]
    words: str = ""


@dataclass(frozen=True, slots=True)
class Slot:
    """Some minutes of a class. `late` says what to leave out, `wrong` what usually goes wrong."""

    minutes: int
    title: str
    opens: tuple[LessonStops | PageLink, ...]
    ask: str
    say: str
    wrong: str
    late: str

    @property
    def reading_minutes(self) -> float:
        """The estimated minutes for the stops that the slot opens."""
        return sum(one.minutes for one in self.opens if isinstance(one, LessonStops))


@dataclass(frozen=True, slots=True)
class ClassPlan:
    """A plan of so many `minutes`."""

    minutes: int
    title: str
    purpose: str
    homework: str
    slots: tuple[Slot, ...]

    @property
    def starts(self) -> tuple[int, ...]:
        """The minute at which each slot begins."""
        return (0, *accumulate(slot.minutes for slot in self.slots[:-1]))

    @property
    def path(self) -> CustomPath:
        """The lessons that it opens, as a path: whole, as few stops have enough questions."""
        slugs = [
            one.lesson for slot in self.slots for one in slot.opens if isinstance(one, LessonStops)
        ]
        return CustomPath(self.title, tuple(map(LessonPart, dict.fromkeys(slugs))))


def _open(row: Mapping[str, Any]) -> LessonStops | PageLink:
    if "lesson" in row:
        return LessonStops(row["lesson"], tuple(row["stops"]))
    return PageLink(row["label"], row["page"], row.get("query", {}), row.get("words", ""))


def _slot(row: Mapping[str, Any]) -> Slot:
    texts = {key: row[key] for key in ("minutes", "title", "ask", "say", "wrong", "late")}
    return Slot(opens=tuple(map(_open, row["open"])), **texts)


def _plan(minutes: str, row: Mapping[str, Any]) -> ClassPlan:
    texts = {key: row[key] for key in ("title", "purpose", "homework")}
    return ClassPlan(int(minutes), slots=tuple(map(_slot, row["slots"])), **texts)


_TABLE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
PLANS: Mapping[str, ClassPlan] = {name: _plan(name, row) for name, row in _TABLE.items()}
"""The plans by their minutes, as in the URL."""
