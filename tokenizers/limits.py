"""Limits on the memory and time that a tokenizer file may use.

A file of one kilobyte can demand gigabytes: twelve rules in a row that each write ten letters for
one. So the output is limited, not the size of the file. A component that can produce more than its
input calls `GrowthLimit.check` first, long loops call `check_time`, and lists in a file have a
maximum length (`check_at_most`). Each raises UserError.
"""

import gc
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from time import thread_time

from tokenizers.errors import UserError

FACTOR, SLACK = 10, 100_000
"""A step may output FACTOR times the characters of its input, plus SLACK. Unicode can turn one
character into eighteen, and UTF-8 into four bytes, but never all of a long text."""
SECONDS, SECONDS_PER_CHARACTER = 0.6, 20e-6
"""Processor time allowed per text, and in addition per character: ten times what the slowest
published tokenizer takes."""
LONG_TEXT = 10_000
"""From this length on, one step takes long enough for a time check after it."""
CHARACTERS_PER_TIME_CHECK = 256
"""How many characters of a word a model processes between two time checks."""

MAX_TOKEN_LENGTH = 8_000
"""In characters. SentencePiece allows as many bytes; published ones have a few hundred at most."""
MAX_MARK_LENGTH = 100
"""In characters: the continuation mark, such as ##, is put before every symbol."""
MAX_COMPONENTS = 200
"""Normalizers, pre-tokenizers, post-processors or decoders, including those in sequences."""
MAX_ADDED_TOKENS = 100_000
"""Four times as many as any published file has."""
MAX_TEMPLATE_ITEMS = 1_000
"""Tokens and texts in a template."""
MAX_TEMPLATE_NAMES = 10_000
"""Names that a template may explain."""
MAX_TRIE_NODES = 700_000
"""Distinct prefixes of pieces: published vocabularies have about two for each piece."""
MAX_RULE_LENGTH = 100
"""In characters: the input of one rule of a character map."""
MAX_REPLACEMENT_BYTES, MAX_REPLACEMENTS_BYTES = 1_000, 4_000_000
"""In bytes: the output of one rule of a character map, and of all rules together."""


def check_at_most(number: int, most: int, what: str) -> None:
    """Raise UserError if `number` exceeds `most`; `what` is a plural noun, as in "added tokens".

    >>> check_at_most(3, 2, "added tokens")
    Traceback (most recent call last):
    tokenizers.errors.UserError: The file has 3 added tokens; 2 are read at most. Open another file.
    """
    if number > most:
        raise UserError(
            f"The file has {number:,} {what}; {most:,} are read at most. Open another file."
        )


class GrowthLimit:
    """The largest output allowed for an input of size `before`."""

    __slots__ = ("most",)

    def __init__(self, before: int) -> None:
        self.most = SLACK + FACTOR * before

    def check(self, made: int) -> None:
        """Raise UserError if `made` is too much; call it before allocating, where possible."""
        if made > self.most:
            raise UserError(
                f"The tokenizer's rules make this text grow beyond {self.most:,} characters or "
                "tokens. Try a shorter text, or another tokenizer."
            )


class time_limit:
    """Limit the processor time of a block for this text, counted from the first check on.

    Short texts are never checked: reading the clock would take longer than the rest. `times`
    multiplies the part of the limit that every text has.
    """

    __slots__ = ("_seconds", "_token", "_until")

    def __init__(self, text: str, times: float = 1.0) -> None:
        self._seconds = SECONDS * times + SECONDS_PER_CHARACTER * len(text)
        self._until: float | None = None

    def __enter__(self) -> None:
        self._token = _limit.set(self)

    def __exit__(self, *_: object) -> None:
        _limit.reset(self._token)

    def left(self) -> float:
        """Return how many seconds of this thread's processor time are left."""
        now = thread_time()
        if self._until is None:
            self._until = now + self._seconds
        return self._until - now


_limit: ContextVar[time_limit | None] = ContextVar("limit", default=None)


def time_left() -> float:
    """Return the seconds of processor time left; without a limit, those of an empty text."""
    limit = _limit.get()
    return limit.left() if limit else SECONDS


def check_time() -> None:
    """Raise UserError if the time is over."""
    limit = _limit.get()
    if limit and limit.left() <= 0:
        raise UserError(
            "The rules of this tokenizer take too long. Try a shorter text, or another tokenizer."
        )


@contextmanager
def gc_disabled() -> Generator[None, None, None]:
    """Disable garbage collection: it would scan a million new objects again and again."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def timed_chunks(text: str) -> Iterator[str]:
    """Yield a text in chunks, checking the time before each."""
    for start in range(0, len(text), CHARACTERS_PER_TIME_CHECK):
        check_time()
        yield text[start : start + CHARACTERS_PER_TIME_CHECK]
