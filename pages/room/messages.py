"""Read the messages of phones and of the teacher's screen: bounded, typed, and text only.

Whatever does not suit raises a UserError with the sentence for the sender.
"""

from collections.abc import Mapping
from typing import Any

import orjson

from lessons.questions.grading import NOTHING_CHOSEN, NOTHING_WRITTEN, read_number
from pages.room.limits import (
    MAX_OPTIONS,
    MAX_SEGMENT_CHARS,
    MAX_SEGMENTS,
    MAX_TITLE_CHARS,
    MAX_TYPED_CHARS,
    NOT_UNDERSTOOD,
    QUESTION_TOO_LONG,
    TOO_LONG,
)
from pages.room.room import Answer, Vote
from pages.shared.drawing.display_text import LIGHT, escape_invisible
from tokenizers.errors import UserError

FORMS = "choice", "several", "order", "number", "text"
TYPED = "number", "text"
"""The forms of a question whose answer is typed, not chosen."""
_KINDS = "text", "token", "word", "strong"
_TOO_LONG_ANSWER = f"An answer has at most {MAX_TYPED_CHARS} characters."

Message = Mapping[str, Any]


def read_message(text: str, max_chars: int) -> Message:
    """Return a message of a websocket or a request as a mapping.

    Raises UserError if it is too long or no JSON object.
    """
    if len(text) > max_chars:
        raise UserError(TOO_LONG)
    try:
        message = orjson.loads(text)
    except (orjson.JSONDecodeError, UnicodeEncodeError):
        message = None
    if not isinstance(message, dict):
        raise UserError(NOT_UNDERSTOOD)
    return message


def read_text(value: object, max_chars: int) -> str:
    """Return a short text in one line, cut where it is too long, with nothing invisible in it.

    >>> read_text(" BPE,\\n lesson 2 ", 8), read_text(None, 8)
    ('BPE, les', '')
    """
    if not isinstance(value, str):
        return ""
    return escape_invisible(" ".join(value.split())[:max_chars])


def read_title(message: Message) -> str:
    """Return the title of a room to open; it may be empty."""
    return read_text(message.get("title"), MAX_TITLE_CHARS)


def read_question(value: object) -> dict[str, Any]:
    """Return a question as it is sent to phones, which has no answer in it.

    Raises UserError if it is not a question, or too long.
    """
    if not isinstance(value, dict) or value.get("form") not in FORMS:
        raise UserError(NOT_UNDERSTOOD)
    options = value.get("options") or []
    if not isinstance(options, list) or len(options) > MAX_OPTIONS:
        raise UserError(QUESTION_TOO_LONG)
    if not options and value["form"] not in TYPED:
        raise UserError(NOT_UNDERSTOOD)
    return {
        "key": read_text(value.get("key"), MAX_TYPED_CHARS),
        "form": value["form"],
        "prompt": _segments(value.get("prompt")),
        "options": [_segments(option) for option in options],
    }


def _segments(value: object) -> list[list[str | int]]:
    if not isinstance(value, list):
        raise UserError(NOT_UNDERSTOOD)
    if len(value) > MAX_SEGMENTS:
        raise UserError(QUESTION_TOO_LONG)
    return [_segment(one) for one in value]


def _segment(value: object) -> list[str | int]:
    match value:
        case [str(kind), str(text), *rest] if kind in _KINDS and len(text) <= MAX_SEGMENT_CHARS:
            tint = rest[0] if rest else 0
            if kind != "token":
                return [kind, escape_invisible(text)]
            if isinstance(tint, int) and 0 <= tint < len(LIGHT):
                return [kind, escape_invisible(text), tint]
    raise UserError(NOT_UNDERSTOOD)


def read_right(value: object, content: Message) -> list[int] | list[str]:
    """Return what is right: the indices of options, or the accepted texts; empty if not given.

    Raises UserError if they do not suit the question.
    """
    values = value if isinstance(value, list) else []
    if content["form"] in TYPED:
        return [read_text(one, MAX_SEGMENT_CHARS) for one in values[:MAX_OPTIONS]]
    return list(_indices(values, content))


def read_ballot_vote(message: Message, content: Message) -> Vote:
    """Return a vote on a question.

    Raises UserError with what is missing or too long.
    """
    sureness = message.get("sureness")
    stated = sureness if isinstance(sureness, int) and 0 <= sureness <= 2 else 0
    return Vote(_answer(message.get("answer"), content), int(stated))


def _answer(value: object, content: Message) -> Answer:
    form = content["form"]
    if form in TYPED:
        return _typed(value, form)
    if form == "choice":
        if value is None:
            raise UserError(NOTHING_CHOSEN)
        (chosen,) = _indices([value], content)
        return chosen
    if not value:
        raise UserError(NOTHING_CHOSEN)
    chosen = _indices(value, content)
    if len(set(chosen)) < len(chosen):
        raise UserError(NOT_UNDERSTOOD)
    if form == "several":
        return tuple(sorted(chosen))
    if len(chosen) < len(content["options"]):
        raise UserError(NOT_UNDERSTOOD)
    return chosen


def _typed(value: object, form: str) -> str:
    if not isinstance(value, str):
        raise UserError(NOT_UNDERSTOOD)
    if len(value) > MAX_TYPED_CHARS:
        raise UserError(_TOO_LONG_ANSWER)
    typed = read_text(value, MAX_TYPED_CHARS)
    if form == "number":
        read_number(typed)
    elif not typed:
        raise UserError(NOTHING_WRITTEN)
    return typed


def _indices(values: object, content: Message) -> tuple[int, ...]:
    if not isinstance(values, list):
        raise UserError(NOT_UNDERSTOOD)
    number = len(content["options"])
    if not all(type(one) is int and 0 <= one < number for one in values):
        raise UserError(NOT_UNDERSTOOD)
    return tuple(values)
