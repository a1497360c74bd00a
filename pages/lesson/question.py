"""The question at a lesson's stop, a component with native controls that reports the answer.

The browser doesn't know the right answer: Python grades the reported answer
(lessons/questions/grading.py) and sends the reply.
"""

from dataclasses import dataclass
from typing import Literal

import streamlit as st

from lessons.class_codes import SURENESS
from lessons.format.words import RichText
from lessons.questions.grading import Given, Question
from pages.lesson.components import QUESTION
from pages.lesson.text import segments
from pages.shared.component_state import component_renderer, no_op

KEY = "lesson.question"
_mount = component_renderer(QUESTION)


@dataclass(frozen=True, slots=True)
class Attempt:
    """The state of a question; `given` is the last answer, and `reply` is the reply to it."""

    tries: int = 0
    state: Literal["open", "right", "shown"] = "open"
    reply: RichText = ()
    given: Given | None = None


def show(
    question: Question,
    key: str,
    attempt: Attempt,
    origin: tuple[int, int],
    asks_sureness: bool,
) -> None:
    """Show the question; each question, and each round in which it is asked, has its own `key`.

    `origin` is the expected revision and the stop, which the forward button sends back. With
    `asks_sureness`, the answer can include how sure the learner is.
    """
    data = {
        "key": key,
        "form": question.form,
        "prompt": segments(question.prompt),
        "options": [segments(option.text) for option in question.options],
        "tries": attempt.tries,
        "state": attempt.state,
        "reply": segments(attempt.reply),
        "given": attempt.given,
        "origin": origin,
        "asksSureness": asks_sureness,
    }
    _mount(key=KEY, data=data, on_answer_change=no_op, on_target_change=no_op)


def submitted_answer(key: str, number: int) -> Given | None:
    """Return the answer to the question `key` if it was given after `number` tries; else None."""
    match (st.session_state.get(KEY) or {}).get("answer"):
        case [answered_key, int(tried), value, *_] if answered_key == key and tried == number:
            return _given(value)
    return None


def sureness() -> int:
    """Return how sure the learner is, as an index into SURENESS of lessons/class_codes.py."""
    match (st.session_state.get(KEY) or {}).get("answer"):
        case [_, _, _, int(sureness_index)] if 0 <= sureness_index < len(SURENESS):
            return int(sureness_index)
    return 0


def _given(value: object) -> Given | None:
    if isinstance(value, list):
        return [n for n in value if isinstance(n, int) and not isinstance(n, bool)]
    return value if isinstance(value, int | str) and not isinstance(value, bool) else None
