"""A text split by a published tokenizer, as plain data for the page."""

from collections.abc import Mapping
from dataclasses import dataclass

from pages.shared.training.words import TokenizedWord, words_of
from tokenizers.runtime.components import LoadedEncoding
from tokenizers.runtime.spelling import Speller
from tokenizers.runtime.tokenizer import LoadedTokenizer, Special


@dataclass(frozen=True, slots=True)
class SplitText:
    """The tokens of a text, its words to step through, and the display form of each token."""

    encoding: LoadedEncoding
    words: list[TokenizedWord]
    display_forms: Mapping[str, str]


def split_text(
    loaded: LoadedTokenizer, text: str, special: Special, add_special_tokens: bool = True
) -> SplitText:
    """Split a text. Raises what `LoadedTokenizer.encode` raises."""
    encoding = loaded.encode(text, special=special, add_special_tokens=add_special_tokens)
    words = words_of(loaded, text, special)
    tokens = {*encoding.tokens, *(piece.text for word in words for piece in word.pieces)}
    display_form = Speller(loaded).display_form
    return SplitText(encoding, words, {token: display_form(token) for token in tokens})
