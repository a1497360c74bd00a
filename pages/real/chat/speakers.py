"""Whose the characters of a rendered conversation are: the template's, or a message's.

A template may cut, move or drop a message, so its words cannot just be searched for. The
conversation is rendered a second time with a mark before and after the words of each message;
without the marks it must be the same text, and then they say where the words are. A template that
sees the marks writes another text: only then the words are searched for.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from pages.real.chat.conversation import Message
from pages.real.chat.rendering import Rendering, render
from tokenizers.errors import UserError

_FIRST_MARK, _LAST_MARK = 0xF0000, 0x10FFFD  # code points for private use
Render = Callable[[Sequence[Message]], Rendering]


class Speech(NamedTuple):
    """A part of the rendered text that message number `message` says."""

    start: int
    end: int
    message: int


class RenderedChat(NamedTuple):
    """The text of a conversation, and the parts that are the messages' words, in order."""

    text: str
    speeches: tuple[Speech, ...]
    has_date: bool


def render_chat(
    template: str,
    messages: Sequence[Message],
    tokens: Mapping[str, str],
    add_generation_prompt: bool,
) -> RenderedChat:
    """Return the rendered conversation, and whose its characters are. Raises what `render` does."""

    def write(these: Sequence[Message]) -> Rendering:
        return render(template, these, tokens, add_generation_prompt)

    text, has_date = write(messages)
    found = _find_by_marks(write, messages, text)
    if found is None:
        found = _search(messages, text)
    return RenderedChat(text, tuple(_without_overlaps(found)), has_date)


def _find_by_marks(write: Render, messages: Sequence[Message], text: str) -> list[Speech] | None:
    """Return the parts between marks; None if the template writes another text with them."""
    marks = _unused_marks(chain([text], (message.content for message in messages)))
    opening = {next(marks): number for number in range(len(messages))}
    closing = {next(marks): number for number in range(len(messages))}
    around = zip(opening, closing, messages, strict=True)
    try:
        marked = write([_with_marks(*one) for one in around]).text
    except UserError:
        return None
    found, starts, plain = list[Speech](), dict[int, int](), list[str]()
    ends = list[tuple[int, int]]()
    for character in marked:
        if character in opening:
            starts[opening[character]] = len(plain)
        elif character in closing:
            number = closing[character]
            if number in starts:
                found.append(Speech(starts.pop(number), len(plain), number))
            else:  # the template has cut off the beginning
                ends.append((number, len(plain)))
        else:
            plain.append(character)
    if "".join(plain) != text:
        return None
    for number, start in starts.items():  # the template has cut off the end
        found.append(Speech(start, start + _same_start(messages[number], text[start:]), number))
    for number, end in ends:
        found.append(Speech(end - _same_end(messages[number], text[:end]), end, number))
    return found


def _unused_marks(texts: Iterable[str]) -> Iterator[str]:
    """Yield characters for private use that occur in none of the texts."""
    used = set(chain.from_iterable(texts))
    return (mark for n in range(_FIRST_MARK, _LAST_MARK) if (mark := chr(n)) not in used)


def _with_marks(before: str, after: str, message: Message) -> Message:
    """Put marks around a message's words; inside white space, which templates often strip."""
    words = message.content.strip()
    if not words:
        return message
    start = message.content.index(words)
    end = start + len(words)
    content = message.content
    return message._replace(content=content[:start] + before + words + after + content[end:])


def _same_start(message: Message, text: str) -> int:
    """Return with how many characters a message's words and a text begin alike."""
    words = message.content.strip()
    pairs = zip(words, text, strict=False)
    return next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(words), len(text)))


def _same_end(message: Message, text: str) -> int:
    backward = message._replace(content=message.content[::-1])
    return _same_start(backward, text[::-1])


def _search(messages: Sequence[Message], text: str) -> list[Speech]:
    """Return where each message's words are found behind those of the message before."""
    found, position = list[Speech](), 0
    for number, message in enumerate(messages):
        words = message.content.strip()
        start = text.find(words, position) if words else -1
        if start >= 0:
            position = start + len(words)
            found.append(Speech(start, position, number))
    return found


def speaker_of(speeches: Sequence[Speech], start: int, end: int) -> int | None:
    """Return the message that has most of these characters; None for the template.

    Half of them are enough, so that a space of the template's does not take a word.
    """
    best, most = None, 0
    first = max(bisect_right(speeches, (start,)) - 1, 0)
    for speech in speeches[first:]:
        if speech.start >= end:
            break
        shared = min(end, speech.end) - max(start, speech.start)
        if shared > most and 2 * shared >= end - start:
            best, most = speech.message, shared
    return best


def _without_overlaps(found: Iterable[Speech]) -> Iterator[Speech]:
    position = 0
    for start, end, number in sorted(found):
        if end > position:
            yield Speech(max(start, position), end, number)
            position = end
