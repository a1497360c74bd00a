"""What the server takes and holds: a limit for everything that a visitor could make large.

Whoever meets one reads a sentence there and loses nothing; the page About lists them all, but for
what an address holds. Left out: how much one picture shows, which stands beside that picture, what
a lesson's file may hold (lessons/format), and what Unigram can bear (training/limits.py).
"""

from tokenizers.formats.json_cursor import MOST_BYTES as MOST_OF_A_MODEL

LONGEST_TEXT = 1_000_000  # characters of a text to learn from
LONGEST_SHOWN = 20_000  # characters of a text that several tokenizers cut
LONGEST_WORD = 10_000  # characters
MOST_IN_ADDRESS = 1_500  # characters of a text; of a longer one the address has a hash
MOST_ROWS = 10_000_000  # of a table that are read
MOST_OF_A_TABLE = 100_000_000  # bytes of its words and counts, unpacked
MOST_KINDS = 200_000  # different words of a table that are learned from
MOST_MERGES = 10_000
MOST_PIECES = 30_000  # of Unigram

WORKERS = 3  # processes that train and encode
MOST_RUNNING = 2  # of them for one visitor, so that heavy runs leave one to the others
MOST_WAITING = 32  # runs of one visitor
MOST_MEMORY = 3 << 29
"""Bytes of data that a worker may hold: 1.5 GB, several times what the largest training needs."""
SECONDS_OF_A_FILE = 60.0  # of computing with a visitor's own tokenizer, in one run
MOST_KEPT = 100_000_000
"""Bytes of results that are kept, as pickles; in memory they are about three times as large."""
UNHEEDED = 20.0  # seconds for which a run goes on though its visitors have gone

_MB = 1_000_000
_REFUSED = "A larger one is refused."
_TEXTS = (
    ("A text to learn from", f"{LONGEST_TEXT:,} characters", "The first are used."),
    ("A text to cut, where several do", f"{LONGEST_SHOWN:,} characters", "The first are cut."),
    ("A word", f"{LONGEST_WORD:,} characters", "A longer one is cut there."),
    (
        "A table of words and counts",
        f"{MOST_ROWS:,} rows, {MOST_OF_A_TABLE // _MB} MB unpacked",
        f"{_REFUSED} The {MOST_KINDS:,} most frequent words are learned from.",
    ),
)
_RUNS = (
    ("A tokenizer.json, unpacked", f"{MOST_OF_A_MODEL // _MB} MB", _REFUSED),
    ("Merges; pieces of Unigram", f"{MOST_MERGES:,}; {MOST_PIECES:,}", "More cannot be asked for."),
    (
        "Runs of one visitor at a time, all tabs together",
        f"{MOST_RUNNING} of {WORKERS}, {MOST_WAITING} waiting",
        "The others wait their turn; of too many, the oldest is given up.",
    ),
    (
        "Memory of a run",
        f"{MOST_MEMORY / 2**30:g} GB",
        "It ends with a sentence, and the server goes on.",
    ),
    (
        "Time of a run with a tokenizer of your own",
        f"{SECONDS_OF_A_FILE:g} seconds of computing",
        "It ends with a sentence, and the server goes on.",
    ),
    (
        "Time of any other run",
        "no limit",
        "It shows how far it is and can be stopped; "
        f"{UNHEEDED:g} seconds after its last visitor has gone, it ends.",
    ),
    (
        "Results kept for whoever asks again",
        f"{MOST_KEPT // _MB} MB",
        "What was asked for longest ago is dropped, and made again when asked for.",
    ),
)


def table(largest_file: int) -> list[tuple[str, str, str]]:
    """Return each limit: of what, how much, and what happens beyond it.

    `largest_file` is Streamlit's limit for an upload, in megabytes.
    """
    return [*_TEXTS, ("A file", f"{largest_file} MB", _REFUSED), *_RUNS]
