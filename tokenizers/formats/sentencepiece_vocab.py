"""SentencePiece's `.vocab`: one piece a line with its score, in the order of the ids.

It is what the library writes beside a `.model` for people to read. Kinds of pieces, the model type
and the normalizer are not in it, and scores have six digits: no text can be cut exactly as the
model does by it. `read` therefore returns pieces and scores alone; `UNTOLD` says what is missing.
"""

import math
import re
from collections.abc import Iterable

from tokenizers.refusal import Refusal

UNTOLD = (
    "A .vocab lists pieces and scores alone. It does not tell which pieces are control pieces, "
    "unused or defined by the user, whether the model is Unigram or BPE, or how a text is "
    "normalized; its scores have six digits. Open the .model beside it to cut texts."
)
_NUMBER = re.compile(r"-?\d+(\.\d+)?(e[-+]\d+)?")
_LINE_ENDS = re.compile(r"\r?\n")


def read(text: str) -> dict[str, float]:
    """Return the pieces with their scores, in the order of the ids.

    >>> read("<unk>\\t0\\n▁the\\t-3.25\\n")
    {'<unk>': 0.0, '▁the': -3.25}

    Raises ValueError, in a sentence that names the line, where a piece comes twice or a score is
    not a number.
    """
    found: dict[str, float] = {}
    for number, line in enumerate(_LINE_ENDS.split(text.removesuffix("\n")), start=1):
        piece, tab, score = line.rpartition("\t")
        if not tab or not _NUMBER.fullmatch(score) or not math.isfinite(float(score)):
            raise Refusal(
                f"Line {number:,} of the .vocab is not a piece, a tab and a score such as -3.25."
            )
        if piece in found:
            raise Refusal(f"Line {number:,} of the .vocab has the piece “{piece}” again.")
        found[piece] = float(score)
    return found


def write(rows: Iterable[tuple[str, float]]) -> str:
    """Return the `.vocab` of pieces and scores, written as the library writes them.

    >>> write([("<unk>", 0.0), ("▁the", -3.2512345)])
    '<unk>\\t0\\n▁the\\t-3.25123\\n'
    """
    return "".join(f"{piece}\t{score:g}\n" for piece, score in rows)
