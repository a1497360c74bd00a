"""The inputs of the page besides the tokenizer: how to read special tokens, and a word."""

import streamlit as st

from pages.real import token_row
from pages.real.splitting import SplitText, split_text
from pages.shared.controls import user_tokenizer
from pages.shared.controls.markdown import escape_markdown
from pages.shared.controls.url_state import segments, whole_number
from pages.shared.drawing.phrasing import count_of
from pages.shared.training.published import PublishedTokenizer, apply_to_loaded
from pages.shared.training.words import TokenizedWord
from pages.shared.work.results import call_or_end_page, key_of
from tokenizers.runtime.tokenizer import Special

FIRST_TEXT = (
    "Tokenizers split “unbelievably” in unexpected places: naïve, 12345, 🧑‍🚀, def main(): return 0"
)
MAX_TILES = 400


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


def choose_word(model: PublishedTokenizer, written: str, shown: SplitText) -> TokenizedWord | None:
    """Show the tokens with their ids, and choose the word to step through; None without words."""
    number = _choose(
        model,
        shown,
        written,
        _summary(model, written, shown),
        token_row.default_word(shown.words, written),
    )
    return shown.words[number - 1] if number else None


def choose_token(model: PublishedTokenizer, shown: SplitText, summary: str) -> int:
    """Show tokens of which each is a word; return the number of the chosen one, from 1, or 0."""
    return _choose(model, shown, "", summary, token_row.UNCHOSEN)


def _choose(
    model: PublishedTokenizer, shown: SplitText, written: str, summary: str, default: int
) -> int:
    count, first = len(shown.encoding.ids), 0
    if count > MAX_TILES:
        first = whole_number("Show the tokens from number", 1, count, 1, key="from_token") - 1
        first = min(first, count - 1)
        last = min(first + MAX_TILES, count)
        st.caption(f"Tokens {first + 1:,} to {last:,} of {count:,} are shown.")
    name = key_of("tokens", model.name, written, shown.encoding.ids)
    return token_row.choose_word(shown, name, (first, first + MAX_TILES), summary, default)


def _summary(model: PublishedTokenizer, written: str, shown: SplitText) -> str:
    tokens = shown.encoding.tokens
    parts = [
        count_of(len(tokens), "token"),
        count_of(len(written), "character"),
        count_of(len(written.encode()), "byte"),
    ]
    if tokens:
        parts.append(f"{len(written) / len(tokens):.2f} characters per token")
    if unknown := tokens.count(model.unk) if model.unk else 0:
        parts.append(f"{unknown:,} unknown")
    if shown.cut:
        parts.append(f"{shown.cut[1] - shown.cut[0]:,} cut off by the file")
    return " · ".join(parts)


def warnings(model: PublishedTokenizer) -> None:
    """Show what the file does not say."""
    if model.warnings:
        with st.expander("What the file doesn’t say"):
            st.markdown("\n".join(f"- {escape_markdown(sentence)}" for sentence in model.warnings))
