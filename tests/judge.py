"""Grade answers as the browser does: by the scripts of pages/lesson, in one Node.js process."""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Any

from lessons.format.words import RichText
from lessons.questions.grading import Given, Question
from pages.lesson.browser.question_json import question_json
from tests.node import find_node
from tokenizers.errors import UserError

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of grading, i.e. whether the answer is right, and the reply to it."""

    is_right: bool
    text: RichText


def grade(question: Question, given: Given | None) -> Verdict:
    """Grade an answer. Raises UserError if there is none, or no number where one is asked for."""
    result = judge().grade(question, given)
    text = tuple([part[1] if part[0] == "text" else tuple(part[:2]) for part in result["reply"]])
    if result.get("isNone"):
        raise UserError("".join(map(str, text)))
    return Verdict(result["isRight"], text)


def call(name: str, *given: object) -> Any:
    """Return what a function of the browser's scripts returns; see tests/js/judge.mjs."""
    return judge().call([name, *given])


@cache
def judge() -> "Judge":
    """Return the judge, whose process runs until the tests end."""
    return Judge()


class Judge:
    """A process that answers one request a line."""

    def __init__(self) -> None:
        command = [find_node(), "tests/js/judge.mjs"]
        self._process = Popen(command, cwd=ROOT, stdin=PIPE, stdout=PIPE, encoding="utf-8")
        self._question: Question | None = None

    def grade(self, question: Question, given: Given | None) -> Any:
        """Return the verdict on an answer; a question is sent only if it is not the last one."""
        if question is not self._question:
            self._send(["ask", question_json(question, _unrendered)])
            self._question = question
        if question.form == "several" and isinstance(given, int):
            given = [given]
        if given is not None and not isinstance(given, int | str):
            given = list(given)
        return self.call(["grade", given])

    def call(self, request: object) -> Any:
        """Send a request and return the result."""
        self._send(request)
        assert self._process.stdout
        return json.loads(self._process.stdout.readline())

    def _send(self, request: object) -> None:
        assert self._process.stdin
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()


def _unrendered(text: RichText) -> list[list[str]]:
    """Return a text as it is, with no mark for a space or an invisible character."""
    return [["text", part] if isinstance(part, str) else list(part) for part in text]
