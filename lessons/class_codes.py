"""Short, anonymous codes that carry a student's answers and can be typed or copied.

A code has these parts (and numbers of characters), in Crockford's base 32 and groups of four:

    version (1), run (4), student (4), answers, check (3)

`run` identifies the run; `student` is random, so that two codes from one student count once. Each
answer is two numbers: the gap from the previous question (from -1 at first) and 3 * choice +
sureness. A number's characters hold four bits each, lowest first, and a fifth bit that is set if
more characters follow. The check is the number formed by a 1 and the preceding characters, modulo
the prime 32,749; it detects any one wrong character and any two swapped ones.

All versions begin with the version and end with the check. The player writes and reads the same
codes in the browser (pages/shared/player/classroom/codes.js). This command tabulates them:

    python -m lessons.class_codes codes.txt > answers.csv
"""

import csv
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TextIO

from tokenizers.errors import UserError
from tokenizers.text.file_text import to_utf8

VERSION = 1
SURENESS = ("", "not sure", "sure")
ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
GATES = 1 << 20  # question numbers are below this
CHOICES = 1 << 10
_PRIME = 32749  # the largest below 32 ** 3
_HEAD, _CHECK = 9, 3  # characters
_LOOKALIKES = str.maketrans("OIL", "011", "-")
_VALUES = {character: value for value, character in enumerate(ALPHABET)}


class Unreadable(UserError):
    """Raised for a code that cannot be read because it is damaged or of another version."""

    def __init__(self, problem: Literal["damaged", "version"]) -> None:
        self.problem = problem
        super().__init__(
            "The code is damaged: a character is missing, added or wrong. Ask for it again."
            if problem == "damaged"
            else "The code comes from another version of this program. Ask for a new one."
        )


@dataclass(frozen=True, slots=True)
class CodedAnswer:
    """The index of the option chosen at question `gate`; `sureness` is an index into SURENESS."""

    gate: int
    choice: int
    sureness: int = 0


@dataclass(frozen=True, slots=True)
class Code:
    """A code's content; `answers` has at most one per question, in the order of questions."""

    run: int
    student: int
    answers: tuple[CodedAnswer, ...]


def run_of(key: str) -> int:
    """Return the run number for a recording's key, which is a hexadecimal hash."""
    return int(key[:5], 16)


def encode(code: Code) -> str:
    """Return the code as text. Raises UserError for numbers out of range.

    >>> encode(Code(run_of("c0ffee"), 5, (CodedAnswer(1, 0, 2), CodedAnswer(4, 3))))
    '1R3Z-Y000-5223-9Y96'
    """
    if not (0 <= code.run < 1 << 20 and 0 <= code.student < 1 << 20):
        raise UserError("a code holds numbers of runs and students of 20 bits")
    values = [VERSION, *_fixed(code.run, 4), *_fixed(code.student, 4)]
    before = -1
    for answer in code.answers:
        if not (
            before < answer.gate < GATES
            and 0 <= answer.choice < CHOICES
            and 0 <= answer.sureness < len(SURENESS)
        ):
            raise UserError(f"a code cannot hold {answer} after the question {before}")
        values += _varying(answer.gate - before)
        values += _varying(answer.choice * len(SURENESS) + answer.sureness)
        before = answer.gate
    values += _fixed(_check(values), _CHECK)
    text = "".join(ALPHABET[value] for value in values)
    return "-".join(text[start : start + 4] for start in range(0, len(text), 4))


def decode(text: str) -> Code:
    """Decode a code; lower case, and O, I and L for 0 and 1, are accepted. Raises Unreadable."""
    found = [_VALUES.get(one) for one in text.upper().translate(_LOOKALIKES)]
    values = [value for value in found if value is not None]
    body = values[:-_CHECK]
    if len(values) < max(len(found), 1 + _CHECK) or _check(body) != _number(values[-_CHECK:]):
        raise Unreadable("damaged")
    if body[0] != VERSION:
        raise Unreadable("version")
    if len(body) < _HEAD:
        raise Unreadable("damaged")
    return Code(_number(body[1:5]), _number(body[5:9]), tuple(_answers(body[_HEAD:])))


def _answers(values: list[int]) -> Iterator[CodedAnswer]:
    numbers = list(_numbers(values))
    if len(numbers) % 2:
        raise Unreadable("damaged")
    gate = -1
    for gap, cells in zip(numbers[::2], numbers[1::2], strict=True):
        gate += gap
        choice, sureness = divmod(cells, len(SURENESS))
        if not gap or gate >= GATES or choice >= CHOICES:
            raise Unreadable("damaged")
        yield CodedAnswer(gate, choice, sureness)


def _numbers(values: list[int]) -> Iterator[int]:
    """Decode the numbers. Raises Unreadable if one is cut off or has a redundant final zero."""
    number = shift = 0
    for value in values:
        number += value % 16 << shift
        shift += 4
        if value >= 16:
            continue
        if shift > 4 and not value:
            raise Unreadable("damaged")
        yield number
        number = shift = 0
    if shift:
        raise Unreadable("damaged")


def _varying(number: int) -> list[int]:
    values = [number % 16]
    while number := number >> 4:
        values[-1] += 16
        values.append(number % 16)
    return values


def _fixed(number: int, size: int) -> list[int]:
    return [number >> 5 * shift & 31 for shift in reversed(range(size))]


def _number(values: Iterable[int]) -> int:
    number = 0
    for value in values:
        number = number * 32 + value
    return number


def _check(values: Iterable[int]) -> int:
    return _number((1, *values)) % _PRIME


def table(codes: Iterable[str], out: TextIO) -> None:
    """Write the answers as CSV, one per row; an unreadable code gets a row with the problem."""
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(("line", "run", "student", "question", "choice", "sureness", "problem"))
    for line, text in enumerate(codes, 1):
        if not text.strip():
            continue
        try:
            code = decode(text.strip())
        except Unreadable as problem:
            rows.writerow((line, "", "", "", "", "", str(problem)))
            continue
        for one in code.answers:
            cells = (one.gate, one.choice + 1, SURENESS[one.sureness])
            rows.writerow((line, code.run, code.student, *cells, ""))


if __name__ == "__main__":
    table(to_utf8(Path(sys.argv[1]).read_bytes()).decode().splitlines(), sys.stdout)
