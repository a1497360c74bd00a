"""A teacher's note on every lesson, written in the TOML files of the folder `notes`.

Each table there is a note, named by its lesson's slug. All texts are prose as in a lesson
(`lessons/format/prose.py`), and their `{fields}` are values of the lesson's pictures: those of a
hard stop are looked up at that stop, all others at the stop `board_at`. `resolve_note` fills them
in and adds what is computed: minutes, terms, and the mistakes that the questions expect.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from lessons import lesson
from lessons.facts.base import PictureFacts
from lessons.format.prose import Block, read_prose
from lessons.format.reading import Lesson, Stop
from lessons.format.words import RichText
from lessons.glossary import GLOSSARY
from lessons.outline import outlines
from lessons.paths import minutes, minutes_of_stops
from lessons.stops import ResolvedStop, resolve_stop
from lessons.teaching.expected import Mistake, expected_mistakes

_FOLDER = Path(__file__).parent / "notes"


@dataclass(frozen=True, slots=True)
class HardStop:
    """A stop, by its heading, at which students get stuck, and what to do about it."""

    stop: str
    why: str


@dataclass(frozen=True, slots=True)
class Skip:
    """The stops to leave out when time is short, by their headings, and the reason."""

    stops: tuple[str, ...]
    why: str


@dataclass(frozen=True, slots=True)
class TeacherNote:
    """The written part of a note. `before` has the slugs of the lessons that it builds on."""

    aim: str
    before: tuple[str, ...]
    hardest: tuple[HardStop, ...]
    discuss: tuple[str, ...]
    board_at: str
    board: tuple[str, ...]
    skip: Skip


@dataclass(frozen=True, slots=True)
class Asked:
    """The question of a stop, with its right answer and the mistakes that it expects."""

    stop: int
    heading: str
    answer: RichText
    mistakes: tuple[Mistake, ...]


@dataclass(frozen=True, slots=True)
class ResolvedHardStop:
    """A hard stop; `asked` is None if the lesson asks nothing there."""

    stop: int
    heading: str
    why: tuple[Block, ...]
    asked: Asked | None


@dataclass(frozen=True, slots=True)
class Prerequisite:
    """A lesson to take before, and its terms that are used again."""

    slug: str
    title: str
    terms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ResolvedNote:
    """A note with its fields filled in; stops are given by index, minutes are rounded."""

    aim: tuple[Block, ...]
    minutes: int
    before: tuple[Prerequisite, ...]
    hardest: tuple[ResolvedHardStop, ...]
    asked: tuple[Asked, ...]
    discuss: tuple[Block, ...]
    board: tuple[Block, ...]
    skip: tuple[Block, ...]
    skipped: tuple[tuple[int, str], ...]
    minutes_saved: int


def _read(row: Mapping[str, Any]) -> TeacherNote:
    return TeacherNote(
        row["aim"],
        tuple(row["before"]),
        tuple([HardStop(**one) for one in row["hardest"]]),
        tuple(row["discuss"]),
        row["board_at"],
        tuple(row["board"]),
        Skip(tuple(row["skip"]["stops"]), row["skip"]["why"]),
    )


NOTES: Mapping[str, TeacherNote] = {
    slug: _read(row)
    for path in sorted(_FOLDER.glob("*.toml"))
    for slug, row in tomllib.loads(path.read_text(encoding="utf-8")).items()
}
"""The notes by slug, in the order of the paths."""


def resolve_note(
    one: Lesson, resolved: Iterable[ResolvedStop], all_facts: Mapping[str, PictureFacts]
) -> ResolvedNote:
    """Return the note on a built-in lesson, with its fields filled in from the pictures' facts.

    Raises LessonError if a field can't be looked up.
    """
    note = NOTES[one.slug]
    stops = {stop.heading: (n, stop) for n, stop in enumerate(one.stops)}
    asked = tuple(_asked(resolved))
    by_stop = {each.stop: each for each in asked}

    def filled(at: str, *lines: str) -> tuple[Block, ...]:
        return _filled(stops[at][1], lines, all_facts)

    def hard(each: HardStop) -> ResolvedHardStop:
        n = stops[each.stop][0]
        return ResolvedHardStop(n, each.stop, filled(each.stop, each.why), by_stop.get(n))

    skipped = [stops[heading] for heading in note.skip.stops]
    return ResolvedNote(
        filled(note.board_at, note.aim),
        minutes(one),
        tuple([_prerequisite(slug, one) for slug in note.before]),
        tuple(map(hard, note.hardest)),
        asked,
        filled(note.board_at, *(f"- {line}" for line in note.discuss)),
        filled(note.board_at, *(f"- {line}" for line in note.board)),
        filled(note.board_at, note.skip.why),
        tuple([(n, stop.heading) for n, stop in skipped]),
        round(minutes_of_stops(stop for _, stop in skipped)),
    )


def _filled(
    stop: Stop, lines: Iterable[str], all_facts: Mapping[str, PictureFacts]
) -> tuple[Block, ...]:
    prose = read_prose(list(lines), stop.line)
    bare = replace(stop, prose=prose, ask=None, claims=(), mark=())
    return resolve_stop(bare, all_facts).prose


def _asked(resolved: Iterable[ResolvedStop]) -> Iterator[Asked]:
    for n, each in enumerate(resolved):
        if question := each.question:
            yield Asked(n, each.stop.heading, question.answer, expected_mistakes(question))


def _prerequisite(slug: str, later: Lesson) -> Prerequisite:
    text = " ".join(
        piece.text
        for stop in later.stops
        for block in stop.prose
        for line in block.lines
        for piece in line
        if piece.kind == "text"
    ).lower()
    terms = [term for term in _introduced()[slug] if _is_used(term, text)]
    return Prerequisite(slug, lesson(slug).title, tuple(terms))


def _is_used(term: str, text: str) -> bool:
    forms = "|".join(re.escape(form.lower()) for form in GLOSSARY[term].forms)
    return re.search(rf"\b(?:{forms})\b", text) is not None


@cache
def _introduced() -> Mapping[str, tuple[str, ...]]:
    """Return the glossary's terms that each lesson introduces, by the lesson's slug."""
    names = {form.lower(): name for name, term in GLOSSARY.items() for form in term.forms}
    return {
        row.slug: tuple(
            dict.fromkeys(names[term.lower()] for term in row.terms if term.lower() in names)
        )
        for row in outlines()
    }
