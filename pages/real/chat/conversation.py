"""A conversation: messages of a system, a user and an assistant, as JSON in the form of most APIs.

The JSON is what the address has, and what code passes to a model: a list of objects with "role" and
"content".
"""

import json
import re
from collections.abc import Sequence
from typing import Literal, NamedTuple, get_args

from pages.shared.limits import MAX_CHAT_CHARS, MAX_CHAT_MESSAGES

Role = Literal["system", "user", "assistant"]
ROLES: tuple[Role, ...] = get_args(Role)


class Message(NamedTuple):
    """What one of the roles says."""

    role: Role
    content: str


FIRST_CHAT = (
    Message("system", "You are a helpful assistant."),
    Message("user", "Hello!"),
)


def write_json(messages: Sequence[Message]) -> str:
    """Return a conversation as JSON.

    >>> write_json([Message("user", "Grüße")])
    '[{"role":"user","content":"Grüße"}]'
    """
    rows = [message._asdict() for message in messages]
    return json.dumps(rows, ensure_ascii=False, separators=(",", ":"))


def read_json(text: str) -> list[Message] | None:
    """Return the conversation of a JSON text; None if it is none.

    Messages of other roles, and more than `MAX_CHAT_MESSAGES`, make it none: nothing is left out
    silently.

    >>> read_json('[{"role": "user", "content": "Hi"}]'), read_json('{"role": "user"}')
    ([Message(role='user', content='Hi')], None)
    """
    try:
        rows = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(rows, list) or len(rows) > MAX_CHAT_MESSAGES:
        return None
    messages = [_message_of(row) for row in rows]
    return None if None in messages else [message for message in messages if message]


def _message_of(row: object) -> Message | None:
    match row:
        case {"role": "system" | "user" | "assistant" as role, "content": str(content)} if not (
            _SURROGATE.search(content)
        ):
            return Message(role, content)
    return None


_SURROGATE = re.compile("[\ud800-\udfff]")  # half a character, which no text may have


def fit(messages: Sequence[Message]) -> tuple[list[Message], int]:
    """Return the first `MAX_CHAT_CHARS` characters, and how many there are in all."""
    left, fitting = MAX_CHAT_CHARS, list[Message]()
    for message in messages:
        fitting.append(message._replace(content=message.content[:left]))
        left -= len(fitting[-1].content)
    return fitting, sum(len(message.content) for message in messages)
