"""The question of a stop: one component, with native controls, that reports what is answered.

It knows neither what is right nor how many tries there are: the answer is judged in Python, and
what is said to it is sent back. Left out: what counts as right (lessons/questions/grading.py).
"""

from dataclasses import dataclass
from typing import Literal

import streamlit as st

from lessons.class_codes import SURENESS
from lessons.format.words import MarkedText
from lessons.questions.grading import Given, Question
from pages.lessons.components import QUESTION
from pages.lessons.text import segments
from pages.shared.component_state import component_renderer, no_op

KEY = "lesson.question"
_mount = component_renderer(QUESTION)


@dataclass(frozen=True, slots=True)
class Attempt:
    """How far somebody is with a question; `said` is what was said to the last answer."""

    tries: int = 0
    state: Literal["open", "right", "shown"] = "open"
    reply: MarkedText = ()
    given: Given | None = None


def show(
    question: Question,
    key: str,
    attempt: Attempt,
    origin: tuple[int, int],
    large: bool,
    asks_sureness: bool,
) -> None:
    """Show the question; `key` tells it from others and from itself when it is asked again.

    `on` is what the button onwards reports: the number of the next wish, and the stop. With
    `asks_sure`, how sure one is may be said with the answer.
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
        "large": large,
        "asksSureness": asks_sureness,
    }
    _mount(key=KEY, data=data, on_answer_change=no_op, on_target_change=no_op)


def submitted_answer(key: str, number: int) -> Given | None:
    """Return what was answered to the question of that key, once `number` tries are behind it."""
    match (st.session_state.get(KEY) or {}).get("answer"):
        case [answered_key, int(tried), value, *_] if answered_key == key and tried == number:
            return _given(value)
    return None


def sureness() -> int:
    """Return how sure somebody was of the answer: a place in SURENESS of lessons/class_codes.py."""
    match (st.session_state.get(KEY) or {}).get("answer"):
        case [_, _, _, int(sureness_index)] if 0 <= sureness_index < len(SURENESS):
            return int(sureness_index)
    return 0


def _given(value: object) -> Given | None:
    if isinstance(value, list):
        return [n for n in value if isinstance(n, int) and not isinstance(n, bool)]
    return value if isinstance(value, int | str) and not isinstance(value, bool) else None
