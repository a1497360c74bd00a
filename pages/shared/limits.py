"""Limits on everything that a visitor could make large.

Exceeding a limit shows a message; no input is lost. The About page lists all but `MAX_IN_URL`.
The limits of lesson files (`lessons/format`), of rooms (`pages/room/limits.py`), of Unigram
(`training/limits.py`) and of the contents of one picture (the picture's module) are elsewhere.
"""

from tokenizers.limits import MAX_FILE_BYTES

MAX_TEXT_CHARS = 1_000_000  # characters of a text to learn from
MAX_COMPARED_CHARS = 20_000  # characters of a text that several tokenizers split
MAX_WORD_CHARS = 10_000  # characters
MAX_CHAT_CHARS = 10_000  # characters of all messages of a conversation
MAX_CHAT_MESSAGES = 40
MAX_ID_CHARS = 30_000  # characters of a list of ids to read as a text
MAX_IN_URL = 1_500  # characters of a text; for a longer one, the URL has a hash
MAX_TEXT_FILE_MB = 20  # of a text, a table or a lesson that is chosen as a file
MAX_TABLE_ROWS = 10_000_000  # rows read from a table of words and counts
MAX_TABLE_BYTES = 100_000_000  # bytes of such a table, unpacked
MAX_DISTINCT_WORDS = 200_000  # different words of a table used for training
MAX_MERGES = 10_000
MAX_PIECES = 30_000  # in a Unigram vocabulary

WORKERS = 3  # processes that train and encode
MAX_RUNNING = 2  # workers used by one visitor, so that one stays free for others
MAX_WAITING = 32  # runs of one visitor that wait for a worker
MAX_WORKER_BYTES = 3 << 29
"""Bytes of data that a worker may hold: 1.5 GB, several times what the largest training needs."""
UPLOAD_CPU_SECONDS = 60.0  # CPU time of a run with a visitor's own tokenizer
MAX_CACHED_BYTES = 100_000_000
"""Bytes of results that are kept, as pickles; in memory they are three to four times as large.

The windows of recordings are made and kept apart from it: `MAX_KEPT` in `recording/packing.py`.
"""
GRACE_SECONDS = 20.0  # how long a run continues after its last visitor has left

_MB = 1_000_000
_REJECTED = "A larger one is refused."
_TEXTS = (
    ("A text to learn from", f"{MAX_TEXT_CHARS:,} characters", "The first are used."),
    ("A text to cut, where several do", f"{MAX_COMPARED_CHARS:,} characters", "The first are cut."),
    (
        "A conversation",
        f"{MAX_CHAT_CHARS:,} characters in {MAX_CHAT_MESSAGES} messages",
        "The first are used.",
    ),
    ("Ids to read as a text", f"{MAX_ID_CHARS:,} characters", "The first are read."),
    ("A word", f"{MAX_WORD_CHARS:,} characters", "A longer one is cut there."),
    (
        "A table of words and counts",
        f"{MAX_TABLE_ROWS:,} rows, {MAX_TABLE_BYTES // _MB} MB unpacked",
        f"{_REJECTED} The {MAX_DISTINCT_WORDS:,} most frequent words are learned from.",
    ),
)
_RUNS = (
    ("A tokenizer’s file, yours or from the hub", f"{MAX_FILE_BYTES >> 20} MB", _REJECTED),
    ("Merges; pieces of Unigram", f"{MAX_MERGES:,}; {MAX_PIECES:,}", "More cannot be asked for."),
    (
        "Runs of one visitor at a time, all tabs together",
        f"{MAX_RUNNING} of {WORKERS}, {MAX_WAITING} waiting",
        "The others wait their turn; of too many, the oldest is given up.",
    ),
    (
        "Memory of a run",
        f"{MAX_WORKER_BYTES / 2**30:g} GB",
        "It ends with a sentence, and the server goes on.",
    ),
    (
        "Time of a run with a tokenizer of your own",
        f"{UPLOAD_CPU_SECONDS:g} seconds of computing",
        "It ends with a sentence, and the server goes on.",
    ),
    (
        "Time of any other run",
        "no limit",
        "It shows how far it is and can be stopped; "
        f"{GRACE_SECONDS:g} seconds after its last visitor has gone, it ends.",
    ),
    (
        "Results kept for whoever asks again",
        f"{MAX_CACHED_BYTES // _MB} MB",
        "What was asked for longest ago is dropped, and made again when asked for.",
    ),
)


def table(largest_file: int) -> list[tuple[str, str, str]]:
    """Return rows that say what is limited, to how much, and what happens beyond the limit.

    `largest_file` is the limit for a file with a text, a table or a lesson, in megabytes.
    """
    file = ("A file with a text, a table or a lesson", f"{largest_file} MB", _REJECTED)
    return [*_TEXTS, file, *_RUNS]
