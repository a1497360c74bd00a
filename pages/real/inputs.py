"""The inputs of the page besides the tokenizer: the text, how to read special tokens, a word."""

from collections.abc import Mapping, Sequence

import streamlit as st

from pages.real.splitting import SplitText, split_text
from pages.shared.controls import user_tokenizer
from pages.shared.controls.markdown import escape_markdown
from pages.shared.controls.url_state import choice, segments, whole_number
from pages.shared.drawing.display_text import html_tiles, shorten
from pages.shared.drawing.phrasing import count_of
from pages.shared.limits import MAX_IN_URL
from pages.shared.training.published import PublishedTokenizer, apply_to_loaded
from pages.shared.training.words import TokenizedWord
from pages.shared.work.results import call_or_end_page
from tokenizers.runtime.tokenizer import Special

FIRST_TEXT = (
    "Tokenizers split “unbelievably” in unexpected places: naïve, 12345, 🧑‍🚀, def main(): return 0"
)
MAX_TILES = 400
MAX_WORDS = MAX_IN_URL


def special(model: PublishedTokenizer, written: str) -> Special:
    """Choose how to read the special tokens in the text, if there are any."""
    found = [name for name in model.specials if name and name in written]
    if not found:
        return "control"
    label = f"Read {', '.join(map(escape_markdown, found[:3]))} as"
    chosen = segments(label, user_tokenizer.SPECIAL_MODES, "control", key="special")
    return "text" if chosen == "text" else "control"


def split(model: PublishedTokenizer, written: str, reading: Special) -> SplitText:
    """Return the text's tokens and words; on failure, show why and end the page run."""
    return call_or_end_page(model, apply_to_loaded, split_text, written, reading)


def tokens(model: PublishedTokenizer, written: str, shown: SplitText) -> None:
    """Show the tokens with their ids, and their number."""
    encoding = shown.encoding
    count = len(encoding.ids)
    each = f" · {len(written) / count:.2f} characters per token" if count else ""
    unknown = encoding.tokens.count(model.unk) if model.unk else 0
    lost = f" · {unknown:,} unknown" if unknown else ""
    st.markdown(
        f"**{count_of(count, 'token')}** for {count_of(len(written), 'character')}, "
        f"{count_of(len(written.encode()), 'byte')}{each}{lost}"
    )
    first = 0
    if count > MAX_TILES:
        first = whole_number("Show the tokens from number", 1, count, 1, key="from_token") - 1
        first = min(first, count - 1)
        last = min(first + MAX_TILES, count)
        st.caption(f"Tokens {first + 1:,} to {last:,} of {count:,} are shown.")
    here = slice(first, first + MAX_TILES)
    display_forms = [shown.display_forms[token] for token in encoding.tokens[here]]
    st.html(html_tiles(display_forms, ids=encoding.ids[here]))


def word(words: Sequence[TokenizedWord], written: str) -> TokenizedWord:
    """Choose the word to step through; the default has letters, and the most tokens of such."""
    offered = words[:MAX_WORDS]
    options = {str(n): _label(n, one, written) for n, one in enumerate(offered, start=1)}
    most = max(range(len(offered)), key=lambda n: _default_priority(offered[n]))
    chosen = choice(
        "Step through the word", options, str(most + 1), key="word", widget_key="word_of_text"
    )
    if len(words) > MAX_WORDS:
        st.caption(f"The first {MAX_WORDS} of {len(words):,} words can be chosen.")
    return words[int(chosen) - 1]


def _default_priority(one: TokenizedWord) -> tuple[bool, int]:
    return any(map(str.isalpha, one.text.lstrip("Ġ▁"))) and not one.is_added, len(one.pieces)


def _label(number: int, one: TokenizedWord, written: str) -> str:
    start, end = one.span
    tokens = count_of(len(one.pieces), "token")
    return f"{number}: {shorten(written[start:end] or one.text, 40)} ({tokens})"


def word_tokens(one: TokenizedWord, display_forms: Mapping[str, str]) -> None:
    """Show the tokens of a word with their ids."""
    tokens = [display_forms[piece.text] for piece in one.pieces]
    st.html(html_tiles(tokens, ids=[piece.id for piece in one.pieces], label="tokens of the word"))


def warnings(model: PublishedTokenizer) -> None:
    """Show what the file does not tell."""
    if model.warnings:
        with st.expander("What the file does not tell"):
            st.markdown("\n".join(f"- {escape_markdown(sentence)}" for sentence in model.warnings))
