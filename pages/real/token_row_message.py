"""The message from which a browser draws the tokens of a text, with a button for each word."""

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

from pages.real.chat.chat_tokens import TEMPLATE, ChatTokens
from pages.real.splitting import SplitText
from pages.shared.component import build_component
from pages.shared.drawing.display_text import show_spaces, tint
from pages.shared.training.words import TokenizedWord
from tokenizers.runtime.components import LoadedEncoding

_STYLES = ("token_row.css", "chat/speakers.css")
_SCRIPTS = ("../shared/drawing/display_text.js", "token_row.js")
TOKEN_ROW = build_component("token_row", Path(__file__).parent, _STYLES, *_SCRIPTS)
SPEAKER_TITLES = {TEMPLATE: "the template’s marks"}


def message(
    split: SplitText, first: int, last: int, summary: str, chat: ChatTokens | None = None
) -> dict[str, object]:
    """Return the message for the tokens `first` to `last`, excluding `last`, and a `summary`.

    A group has the number of its word, from 1, and its tokens. Tokens of no word have the number 0.
    A token has a tint; in a `chat`, the name of its speaker. The legend has each speaker's name,
    title and number of tokens.
    `cut` is the range of those shown that the file's truncation cuts off.
    """
    speakers = chat.speakers if chat else None
    encoding = split.encoding
    numbers = word_numbers(encoding, split.words)[first:last]
    shown = range(first, first + len(numbers))
    return {
        "groups": [
            [number, [_tile(split, n, speakers) for n in group]]
            for number, group in groupby(shown, key=lambda n: numbers[n - first])
        ],
        "summary": summary,
        "legend": [
            [speaker, SPEAKER_TITLES.get(speaker, speaker), f"{count:,}"]
            for speaker, count in (chat.totals.items() if chat else ())
        ],
        "cut": [n - first for n in split.cut or (0, 0)],
    }


def _tile(split: SplitText, n: int, speakers: Sequence[str] | None) -> list[object]:
    token = split.display_forms[split.encoding.tokens[n]]
    style = speakers[n] if speakers else tint(token)
    return [show_spaces(token), style, str(split.encoding.ids[n])]


def word_numbers(encoding: LoadedEncoding, words: Sequence[TokenizedWord]) -> tuple[int, ...]:
    """Return the number of each token's word, from 1; 0 for a token put around the text."""
    pieces = iter([(n, piece.id) for n, word in enumerate(words, start=1) for piece in word.pieces])
    found = []
    for id_, source in zip(encoding.ids, encoding.sources, strict=True):
        number, its_id = next(pieces, (0, None)) if source >= 0 else (0, id_)
        assert its_id == id_, "the words have the ids of the text"
        found.append(number)
    return tuple(found)
