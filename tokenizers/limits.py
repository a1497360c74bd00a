"""Limits on the memory and time that a tokenizer file may use.

A file of one kilobyte can demand gigabytes, for example with twelve successive rules that each
replace one letter by ten. So the output is limited, not the size of the file. A component that can
produce more than its input calls `GrowthLimit.check` first, long loops call `check_time`, and
`check_at_most` limits the length of a file's lists. Each raises UserError if the limit is exceeded.
"""

import gc
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from time import perf_counter, thread_time

from tokenizers.errors import UserError

FACTOR, SLACK = 10, 100_000
"""A step may output FACTOR times the characters of its input, plus SLACK. NFKC turns some letters
into eighteen, and UTF-8 some into four bytes, but a long text does not consist only of those."""
SECONDS, SECONDS_PER_CHARACTER = 0.6, 20e-6
"""The processor time allowed is SECONDS, plus SECONDS_PER_CHARACTER for each character of the text.
This is ten times what the slowest published tokenizer takes."""
LONG_TEXT = 10_000
"""The time is checked after each step if the text has more characters than this."""
CHARACTERS_PER_TIME_CHECK = 256
"""How many characters of a word a model processes between two time checks."""

MAX_FILE_BYTES = 64 << 20
"""The maximum size of a tokenizer's file, also on the page and from the hub: twice the largest
published ones. Streamlit counts megabytes of 2^20 bytes too."""
MAX_TOKEN_LENGTH = 8_000
"""In characters. SentencePiece allows as many bytes; the longest published tokens have hundreds."""
MAX_MARK_LENGTH = 100
"""In characters. The continuation mark, such as ##, is put before every symbol inside a word."""
MAX_COMPONENTS = 200
"""Normalizers, pre-tokenizers, post-processors or decoders in a file, including nested ones."""
MAX_ADDED_TOKENS = 100_000
"""Four times as many as any published file has."""
MAX_TEMPLATE_ITEMS = 1_000
"""Maximum number of tokens and texts in a template."""
MAX_TEMPLATE_NAMES = 10_000
"""Names that a template may explain."""
MAX_TRIE_NODES = 700_000
"""The nodes are the pieces' distinct prefixes; published vocabularies have about two per piece."""
MAX_RULE_LENGTH = 100
"""In characters, for the input of one rule of a character map."""
MAX_REPLACEMENT_BYTES, MAX_REPLACEMENTS_BYTES = 1_000, 4_000_000
"""In bytes, for the output of one rule of a character map, and of all its rules together."""


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


def check_file_size(size: int, what: str = "The file") -> None:
    """Raise UserError, which names the file `what`, if `size` bytes are more than is read."""
    if size > MAX_FILE_BYTES:
        raise UserError(
            f"{what} takes more than {MAX_FILE_BYTES >> 20} MB, which no tokenizer needs. It may "
            "hold a network's weights: open the tokenizer's own files."
        )


class GrowthLimit:
    """The largest output allowed for an input of size `before`."""

    __slots__ = ("most",)

    def __init__(self, before: int) -> None:
        self.most = SLACK + FACTOR * before

    def check(self, made: int) -> None:
        """Raise UserError if the output size `made` is too large; call before allocating it."""
        if made > self.most:
            raise UserError(
                f"The tokenizer's rules make this text grow beyond {self.most:,} characters or "
                "tokens. Try a shorter text, or another tokenizer."
            )


class time_limit:
    """Limit a `with` block's processor time for processing `text`, counted from the first check.

    Short texts are never checked, because reading the clock would take longer than processing them.
    `times` multiplies SECONDS, the part of the limit that does not depend on the text's length.
    """

    __slots__ = ("_read_at", "_seconds", "_token", "_until")

    def __init__(self, text: str, times: float = 1.0) -> None:
        self._seconds = SECONDS * times + SECONDS_PER_CHARACTER * len(text)
        self._until: float | None = None
        self._read_at = 0.0

    def __enter__(self) -> None:
        self._token = _limit.set(self)

    def __exit__(self, *_: object) -> None:
        _limit.reset(self._token)

    def left(self) -> float:
        """Return how many seconds of this thread's processor time are left, or fewer.

        The number is exact if it is not positive. Reading the processor time takes a hundred times
        as long as reading the wall clock, by which at least as much time has passed.
        """
        wall = perf_counter()
        if self._until is not None and (left := self._seconds - (wall - self._read_at)) > 0:
            return left
        now = thread_time()
        if self._until is None:
            self._until = now + self._seconds
        self._seconds, self._read_at = self._until - now, wall
        return self._seconds


_limit: ContextVar[time_limit | None] = ContextVar("limit", default=None)


def time_left() -> float:
    """Return the seconds of processor time left; without a limit, what an empty text may use."""
    limit = _limit.get()
    return limit.left() if limit else SECONDS


def check_time() -> None:
    """Raise UserError if no processor time is left."""
    limit = _limit.get()
    if limit and limit.left() <= 0:
        raise UserError(
            "The rules of this tokenizer take too long. Try a shorter text, or another tokenizer."
        )


@contextmanager
def gc_disabled() -> Generator[None, None, None]:
    """Disable garbage collection, which would scan a million new objects repeatedly."""
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
