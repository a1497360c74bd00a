"""What a file's truncation and padding make of a text, as plain data for the page."""

from dataclasses import dataclass

from tokenizers.errors import UserError, user_message
from tokenizers.runtime.spelling import Speller
from tokenizers.runtime.tokenizer import LoadedTokenizer, Special

MAX_TOKENS = 200  # tokens of a row that are shown
MAX_ROWS = 50  # rows that are shown


@dataclass(frozen=True, slots=True)
class FittedRow:
    """The first tokens of an encoding after truncation and padding, in their display form.

    It has `count` tokens, of which `num_pads` are padding.
    """

    tokens: list[str]
    ids: list[int]
    count: int
    num_pads: int


@dataclass(frozen=True, slots=True)
class FittedText:
    """The `rules` of a file as sentences, and the encodings of a text: what is kept, then the rest.

    `count` is the number of encodings, and `problem` says why there is none.
    """

    rules: list[str]
    rows: list[FittedRow]
    count: int
    problem: str = ""


def fit_to_length(loaded: LoadedTokenizer, text: str, special: Special) -> FittedText | None:
    """Return what the file's truncation and padding do; None if it asks for neither."""
    rules = [part.describe() for part in (loaded.truncation, loaded.padding) if part]
    if not rules:
        return None
    try:
        fitted = loaded.encode_to_length(text, special=special)
    except UserError as error:
        return FittedText(rules, [], 0, user_message(error))
    found = (fitted, *fitted.overflow)
    display_form = Speller(loaded).display_form
    rows = [
        FittedRow(
            list(map(display_form, one.encoding.tokens[:MAX_TOKENS])),
            list(one.encoding.ids[:MAX_TOKENS]),
            len(one.encoding.ids),
            one.attention_mask.count(0),
        )
        for one in found[:MAX_ROWS]
    ]
    return FittedText(rules, rows, len(found))
