"""A text split by a published tokenizer, as plain data for the page."""

from collections.abc import Mapping
from dataclasses import dataclass

from pages.shared.training.words import TokenizedWord, words_of
from tokenizers.errors import UserError
from tokenizers.runtime.components import LoadedEncoding
from tokenizers.runtime.spelling import Speller
from tokenizers.runtime.tokenizer import LoadedTokenizer, Special
from tokenizers.runtime.truncation import Range


@dataclass(frozen=True, slots=True)
class SplitText:
    """The tokens of a text, its words to step through, and the display form of each token.

    `cut` is the range of tokens that the file's truncation cuts off; None if it cuts none.
    """

    encoding: LoadedEncoding
    words: list[TokenizedWord]
    display_forms: Mapping[str, str]
    cut: Range | None = None


def split_text(
    loaded: LoadedTokenizer, text: str, special: Special, add_special_tokens: bool = True
) -> SplitText:
    """Split a text. Raises what `LoadedTokenizer.encode` raises."""
    encoding = loaded.encode(text, special=special, add_special_tokens=add_special_tokens)
    words = words_of(loaded, text, special)
    tokens = {*encoding.tokens, *(piece.text for word in words for piece in word.pieces)}
    display_form = Speller(loaded).display_form
    forms = {token: display_form(token) for token in tokens}
    return SplitText(encoding, words, forms, _cut(loaded, encoding, text, special))


def _cut(
    loaded: LoadedTokenizer, encoding: LoadedEncoding, text: str, special: Special
) -> Range | None:
    """Return the range of an encoding's tokens that the file's truncation cuts off, if any.

    A file whose lengths cannot be kept cuts nothing here; the panel *Ids* says why.
    """
    if not loaded.truncation:
        return None
    try:
        ((start, end),) = loaded.encode_to_length(text, special=special).kept
    except UserError:
        return None
    of_text = [n for n, source in enumerate(encoding.sources) if source >= 0]
    cut = of_text[:start] or of_text[end:]
    return (cut[0], cut[-1] + 1) if cut else None
