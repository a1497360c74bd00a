"""Parse a lesson, one Markdown file, into frozen values that keep their line numbers.

A file has TOML front matter between two lines of +++, then the lesson's stops. Each stop has a
second-level heading, a TOML block and prose (see `99-write-your-own.md`). This module parses the
file's outline; `toml.py` parses the TOML, `prose.py` the prose, `lessons/pictures/planning.py` the
pictures. `lessons/stops.py` checks the references to a picture's content.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from lessons.format.errors import LessonError, one_of
from lessons.format.prose import CODE, Block, read_prose
from lessons.format.toml import line_of, read_toml

FENCE = "+++"
RULES = ("max", "sum")
MOST_PICTURES = 40  # per lesson, since all are built before it starts
MOST_STOPS = 60
LONGEST_LINE = 2_000  # characters
FRONT_KEYS = ("title", "purpose", "examples", "picture")
STOP_KEYS = ("picture", "at", "rule", "mark", "claims", "ask")
_HALF = re.compile(r"[\ud800-\udfff]")
_BLOCK = re.compile(r"``` *stop")
_SLUG = re.compile(r"[a-z0-9][a-z0-9-]*")


@dataclass(frozen=True, slots=True)
class PictureSpec:
    """A picture's description, with what it `shows` and its other keys, unvalidated."""

    name: str
    shows: str
    values: Mapping[str, Any]
    line: int


@dataclass(frozen=True, slots=True)
class At:
    """A step of a picture found by its content, `token = "est"`, or the step `before` that one."""

    key: str = "start"
    value: Any = None
    before: bool = False


@dataclass(frozen=True, slots=True)
class QuestionSpec:
    """A question's description, with its kind of question and its other keys, unvalidated."""

    kind: str
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Stop:
    """A stop of a lesson. `rule` is "max" or "sum" if the picture has both, else ""."""

    heading: str
    line: int
    picture: str
    at: At
    rule: str
    mark: tuple[str, ...]
    claims: tuple[str, ...]
    ask: QuestionSpec | None
    prose: tuple[Block, ...]
    lines: Mapping[str, int]
    """The line number of each key in the stop's block."""

    def line_of(self, key: str) -> int:
        """Return a key's line number, or the heading's if the key is absent."""
        return self.lines.get(key, self.line)


@dataclass(frozen=True, slots=True)
class Lesson:
    """A lesson with its pictures by name and its stops. `slug` identifies the lesson in URLs."""

    slug: str
    title: str
    purpose: str
    examples: tuple[str, ...]
    pictures: Mapping[str, PictureSpec]
    stops: tuple[Stop, ...]


def read_lesson(text: str, slug: str) -> Lesson:
    """Parse a lesson. Raises LessonError with the line of the first mistake."""
    lines = lines_of(text)
    _check_lines(lines)
    front, start = _front_matter(lines)
    for key in front:
        one_of(key, FRONT_KEYS, line_of(lines, 1, key), "front matter has no key")
    title, purpose = (_sentence(front, key, lines) for key in ("title", "purpose"))
    pictures = _pictures(front, lines)
    stops = tuple(_stops(lines, start, pictures))
    if not stops:
        raise LessonError(len(lines) or 1, "There is no stop. Write a heading such as: ## Count")
    if len(stops) > MOST_STOPS:
        message = (
            f"This is stop {MOST_STOPS + 1}; a lesson has at most {MOST_STOPS}. Make two of it."
        )
        raise LessonError(stops[MOST_STOPS].line, message)
    examples = _names(front.get("examples", []), line_of(lines, 1, "examples"), "examples")
    return Lesson(slug, title, purpose, examples, pictures, stops)


def lines_of(text: str) -> list[str]:
    r"""Return the lines of a lesson as editors number them, without a byte order mark.

    >>> lines_of("\ufeffone\r\ntwo \u2028 still two\n")
    ['one', 'two \u2028 still two']
    """
    lines = text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return lines if lines[-1] else lines[:-1]


def slug_of(name: str) -> str:
    """Return the slug of a lesson for its file name.

    >>> slug_of("03-bpe-by-hand.md"), slug_of("My Lesson!.md")
    ('bpe-by-hand', 'my-lesson')
    """
    bare = re.sub(r"[^a-z0-9]+", "-", name.lower().removesuffix(".md")).strip("-")
    return re.sub(r"^\d+-", "", bare) or "lesson"


# --- Front matter ---------------------------------------------------------------------------------


def _check_lines(lines: Sequence[str]) -> None:
    for n, line in enumerate(lines, start=1):
        if len(line) > LONGEST_LINE:
            message = f"This line has {len(line):,} characters, at most {LONGEST_LINE:,} are read."
            raise LessonError(n, f"{message} Break it up.")
        if found := _HALF.search(line):
            half = f"U+{ord(found[0]):04X}"
            raise LessonError(n, f"This line has half a character ({half}) in it. Delete it.")


def _front_matter(lines: Sequence[str]) -> tuple[Mapping[str, Any], int]:
    """Return the values between the fences, and the index of the line after them."""
    if not lines or lines[0].strip() != FENCE:
        raise LessonError(1, "A lesson begins with a line of +++ and its title. Write +++ here.")
    end = next((n for n, line in enumerate(lines) if n and line.strip() == FENCE), None)
    if end is None:
        raise LessonError(1, "The front matter has no end. Write a second line of +++ behind it.")
    return read_toml(lines[1:end], 2), end + 1


def _sentence(front: Mapping[str, Any], key: str, lines: Sequence[str]) -> str:
    value = front.get(key)
    if not isinstance(value, str) or not value.strip():
        raise LessonError(line_of(lines, 1, key), f'The {key} is missing. Write: {key} = "…"')
    return " ".join(value.split())


def _names(value: object, line: int, key: str) -> tuple[str, ...]:
    if isinstance(value, list) and all(isinstance(name, str) and name for name in value):
        return tuple(value)
    raise LessonError(line, f'{key} is a list of names. Write: {key} = ["…"]')


def _pictures(front: Mapping[str, Any], lines: Sequence[str]) -> Mapping[str, PictureSpec]:
    tables, line = front.get("picture"), line_of(lines, 1, "picture")
    is_table = isinstance(tables, dict) and all(isinstance(one, dict) for one in tables.values())
    if not tables or not is_table:
        raise LessonError(line, "There is no picture. Write: [picture.name] and what it shows.")
    if len(tables) > MOST_PICTURES:
        message = f"There are {len(tables)} pictures, at most {MOST_PICTURES} are made."
        raise LessonError(line, f"{message} Leave some out.")
    return {name: _picture(name, dict(values), lines) for name, values in tables.items()}


def _picture(name: str, values: dict[str, Any], lines: Sequence[str]) -> PictureSpec:
    heads = (n for n, text in enumerate(lines, 1) if f"picture.{name}" in text.replace('"', ""))
    line = next(heads, 1)
    if not _SLUG.fullmatch(name):
        raise LessonError(line, f"The picture is named {name!r}. Use small letters and digits.")
    shows = values.pop("shows", None)
    if not isinstance(shows, str):
        raise LessonError(line, f'The picture {name} shows nothing. Write: shows = "bpe_train"')
    return PictureSpec(name, shows, values, line)


# --- Stops ----------------------------------------------------------------------------------------


def _stops(lines: Sequence[str], start: int, pictures: Mapping[str, PictureSpec]) -> Iterator[Stop]:
    """Yield the stops; a stop without a picture keeps the picture and step of the previous one."""
    picture, at = next(iter(pictures)), At()
    heads = [n for n in _outside_code(lines, start) if lines[n].startswith("## ")]
    for n in range(start, heads[0] if heads else len(lines)):
        if lines[n].strip() and not lines[n].startswith("# "):
            raise LessonError(n + 1, "This stands before the first stop. Write a ## heading above.")
    for head, end in pairwise([*heads, len(lines)]):
        stop = _stop(lines, head, end, pictures, (picture, at))
        picture, at = stop.picture, stop.at
        yield stop


def _outside_code(lines: Sequence[str], start: int) -> Iterator[int]:
    """Yield the indices of the lines outside fenced blocks, and of the lines that begin one."""
    fence = ""
    for n in range(start, len(lines)):
        mark = CODE.match(lines[n])
        if fence and mark and mark[0].startswith(fence):
            fence = ""
        elif not fence:
            fence = mark[0] if mark else ""
            yield n


def _stop(
    lines: Sequence[str],
    head: int,
    end: int,
    pictures: Mapping[str, PictureSpec],
    before: tuple[str, At],
) -> Stop:
    values, body, keys = _block(lines, head + 1, end)
    picture = values.get("picture", before[0])
    one_of(picture, tuple(pictures), keys.get("picture", head + 1), "there is no picture")
    stays = before[1] if picture == before[0] else At()
    misplaced = (n for n in _outside_code(lines[:end], body) if _BLOCK.fullmatch(lines[n].strip()))
    if (at := next(misplaced, None)) is not None:
        raise LessonError(
            at + 1, "A stop’s block comes right below its heading. Move this one there."
        )
    prose = read_prose(lines[body:end], body + 1)
    if not prose:
        raise LessonError(head + 1, "This stop has no text. Write a sentence under it.")
    rule = values.get("rule", "")
    if rule:
        one_of(rule, RULES, keys["rule"], "there is no rule")
    return Stop(
        lines[head][3:].strip(),
        head + 1,
        picture,
        read_at(values["at"], keys["at"]) if "at" in values else stays,
        rule,
        _names(values.get("mark", []), keys.get("mark", head + 1), "mark"),
        _names(values.get("claims", []), keys.get("claims", head + 1), "claims"),
        _ask(values["ask"], keys["ask"]) if "ask" in values else None,
        prose,
        keys,
    )


def _block(
    lines: Sequence[str], start: int, end: int
) -> tuple[Mapping[str, Any], int, Mapping[str, int]]:
    """Return the values of a stop's block, the index after it, and the line of each key."""
    first = next((n for n in range(start, end) if lines[n].strip()), end)
    if first == end or not _BLOCK.fullmatch(lines[first].strip()):
        return {}, start, {}
    last = next((n for n in range(first + 1, end) if lines[n].strip() == "```"), None)
    if last is None:
        raise LessonError(first + 1, "This block has no end. Write a line of ``` behind it.")
    inside = lines[first + 1 : last]
    values = read_toml(inside, first + 2)
    keys: dict[str, int] = {}
    for key in values:
        keys[key] = line_of(inside, first + 2, key)
        one_of(key, STOP_KEYS, keys[key], "a stop has no key")
    return values, last + 1, keys


def read_at(value: object, line: int) -> At:
    """Parse a moment. Raises LessonError with its line."""
    if isinstance(value, str):
        return At(one_of(value, ("start", "end"), line, "there is no moment"))
    example = 'at = { token = "est" }'
    if not isinstance(value, dict):
        raise LessonError(line, f'at is a moment by its content. Write: at = "end" or {example}')
    rest = {key: given for key, given in value.items() if key != "before"}
    # The first key selects the find_ method; the others are passed to it as well.
    key = next(iter(rest), "")
    if not key or not isinstance(value.get("before", False), bool):
        raise LessonError(line, f"at has to say which moment is meant. Write: {example}")
    return At(key, rest[key] if len(rest) == 1 else rest, value.get("before", False))


def _ask(value: object, line: int) -> QuestionSpec:
    values = {"kind": value} if isinstance(value, str) else value
    if not isinstance(values, dict) or not isinstance(values.get("kind"), str):
        raise LessonError(line, 'ask has to name its kind. Write: ask = { kind = "next_pair" }')
    return QuestionSpec(
        values["kind"], {key: given for key, given in values.items() if key != "kind"}
    )
