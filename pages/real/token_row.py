"""The tokens of a text, where a click on a token chooses its word to step through.

token_row.js marks the chosen word at once. Once the choice no longer changes, it is sent to Python.
"""

from collections.abc import Sequence

from pages.real.chat.chat_tokens import ChatTokens
from pages.real.chat.speakers import speaker_of
from pages.real.splitting import SplitText
from pages.real.token_row_message import TOKEN_ROW, message
from pages.shared.component import pack_message
from pages.shared.component_state import component_renderer, no_op, sync_component
from pages.shared.controls import url_state
from pages.shared.synced_state import header_of, parse_int
from pages.shared.training.words import TokenizedWord

UNCHOSEN = 0
"""The state until a word is chosen: the default word is shown."""
_KEY = "token_row"
_mount = component_renderer(TOKEN_ROW)


def choose_word(
    split: SplitText,
    name: str,
    shown: tuple[int, int],
    summary: str,
    default: int,
    chat: ChatTokens | None = None,
) -> int:
    """Show the tokens in the range `shown`; return the number of the chosen word, from 1, or 0.

    The tokens of a `chat` show their speakers, and a legend the totals. `name` identifies the
    tokenizer and the text: a new one begins with the word `default`. The URL
    holds the number as `word` once a word is chosen.
    """
    incoming = url_state.incoming("word")
    state = sync_component(
        _KEY,
        "word",
        name,
        UNCHOSEN,
        parse=parse_int,
        address=None if incoming is None else url_state.parse_natural(incoming) or UNCHOSEN,
        fit=lambda number: number if number <= len(split.words) else UNCHOSEN,
    )
    chosen = state.current
    url_state.set_unless_default("word", str(chosen or 0), "0")
    shown_first = {"state": (state.revision, state.server_value or default)}
    data = pack_message(message(split, *shown, summary, chat) | header_of(state) | shown_first)
    _mount(key=_KEY, data=data, on_word_change=no_op)
    return chosen or default


def default_word(
    words: Sequence[TokenizedWord], written: str, chat: ChatTokens | None = None
) -> int:
    """Return the number of the word with the most tokens, preferring words with letters; or 0.

    In a chat, words of its messages come before those of its template.
    """

    def priority(number: int) -> tuple[bool, bool, int]:
        word = words[number - 1]
        is_said = chat is not None and speaker_of(chat.chat.speeches, *word.span) is not None
        has_letters = any(map(str.isalpha, written[slice(*word.span)]))
        return is_said, has_letters and not word.is_added, len(word.pieces)

    return max(range(1, len(words) + 1), key=priority, default=0)
