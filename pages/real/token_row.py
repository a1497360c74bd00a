"""The tokens of a text, where a click on a token chooses its word to step through.

token_row.js marks the chosen word at once. Once the choice no longer changes, it is sent to Python.
"""

from collections.abc import Sequence

from pages.real.splitting import SplitText
from pages.real.token_row_message import TOKEN_ROW, message
from pages.shared.component import pack_message
from pages.shared.component_state import (
    accept_client_value,
    client_report,
    component_renderer,
    current_state,
    no_op,
    set_from_server,
)
from pages.shared.controls import url_state
from pages.shared.training.words import TokenizedWord

UNCHOSEN = 0
"""The state until a word is chosen: the default word is shown."""
_KEY = "token_row"
_mount = component_renderer(TOKEN_ROW)


def choose_word(
    split: SplitText, written: str, name: str, shown: tuple[int, int], summary: str
) -> int:
    """Show the tokens in the range `shown`; return the number of the chosen word, from 1, or 0.

    `name` identifies the tokenizer and the text: a new one begins with its default word. The URL
    holds the number as `word` once a word is chosen.
    """
    incoming, here = url_state.incoming("word"), current_state(_KEY)
    if incoming is not None or here is None or here.name != name:
        here = set_from_server(_KEY, name, url_state.parse_natural(incoming or "") or UNCHOSEN)
    chosen = here.current
    match client_report(_KEY, "word", here.key):
        case [int(reported)]:
            chosen = reported
    chosen = chosen if chosen <= len(split.words) else UNCHOSEN
    accept_client_value(_KEY, chosen)
    url_state.set_param("word", str(chosen) if chosen else None)
    number = chosen or default_word(split.words, written)
    data = pack_message(message(split, *shown, summary) | {"key": here.key, "at": number})
    _mount(key=_KEY, data=data, on_word_change=no_op)
    return number


def default_word(words: Sequence[TokenizedWord], written: str) -> int:
    """Return the number of the word with the most tokens, preferring words with letters; or 0."""
    numbers = range(1, len(words) + 1)
    return max(numbers, key=lambda number: _priority(words[number - 1], written), default=0)


def _priority(word: TokenizedWord, written: str) -> tuple[bool, int]:
    start, end = word.span
    has_letters = any(map(str.isalpha, written[start:end]))
    return has_letters and not word.is_added, len(word.pieces)
