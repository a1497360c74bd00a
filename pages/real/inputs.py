"""The inputs of the page besides the tokenizer and the text: how to read it, and a word."""

from collections.abc import Callable
from typing import NamedTuple

import streamlit as st

from pages.real import token_row
from pages.real.chat import editor
from pages.real.chat.chat_tokens import ChatTokens, chat_tokens
from pages.real.chat.editor import ChatRequest
from pages.real.splitting import SplitText, split_text
from pages.shared.controls import user_tokenizer
from pages.shared.controls.markdown import escape_markdown
from pages.shared.controls.short_text import short_text
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


class Chat(NamedTuple):
    """A conversation and its tokens."""

    request: ChatRequest
    tokens: ChatTokens


class Written(NamedTuple):
    """The text in the box, and whether it is read as ids; or a rendered conversation."""

    text: str
    is_of_ids: bool = False
    chat: Chat | None = None


def text_or_chat(
    model: PublishedTokenizer, longest: int, offer_ids: Callable[[str], bool]
) -> Written:
    """Return the text to split, of at most `longest` characters, or a rendered conversation.

    `offer_ids` shows what has a text read as ids, if it may be some, and returns whether to. If a
    conversation cannot be rendered, show why and end the page run.
    """
    with st.container(horizontal=True, vertical_alignment="center", key="text_and_template"):
        own = st.container(key="text_or_chat")  # left of the choice between them
        with st.container(key="input_choice", gap="small"):
            if not editor.is_chat():
                with own:
                    text = short_text(
                        "Your text",
                        FIRST_TEXT,
                        key="say",
                        label_visibility="collapsed",
                        longest=longest,
                    )
                editor.keep_chat()
                return Written(text, offer_ids(text))
            template, prompt = editor.choose_template(model), editor.choose_prompt()
        with own:
            messages = editor.edit_messages()
    request = ChatRequest(messages, template, prompt)
    found = call_or_end_page(model, chat_tokens, template, messages, prompt)
    return Written(found.chat.text, chat=Chat(request, found))


def special(model: PublishedTokenizer, written: str) -> Special:
    """Choose how to read the special tokens in the text, if there are any."""
    found = [name for name in model.specials if name and name in written]
    if not found:
        return "control"
    label = f"Read {', '.join(map(escape_markdown, found[:3]))} as"
    chosen = segments(label, user_tokenizer.SPECIAL_MODES, "control", key="special")
    return "text" if chosen == "text" else "control"


def split(
    model: PublishedTokenizer, written: str, reading: Special, *, is_chat: bool = False
) -> SplitText:
    """Return the text's tokens and words; on failure, show why and end the page run.

    A rendered conversation gets no tokens around it: its template has written them.
    """
    return call_or_end_page(model, apply_to_loaded, split_text, written, reading, not is_chat)


def choose_word(
    model: PublishedTokenizer, written: str, shown: SplitText, chat: ChatTokens | None = None
) -> TokenizedWord | None:
    """Show the tokens with their ids, and choose the word to step through; None without words.

    The tokens of a conversation show whose they are.
    """
    summary = _chat_summary(chat) if chat else _summary(model, written, shown)
    default = token_row.default_word(shown.words, written, chat)
    number = _choose(model, shown, written, summary, default, chat)
    return shown.words[number - 1] if number else None


def choose_token(model: PublishedTokenizer, shown: SplitText, summary: str) -> int:
    """Show tokens of which each is a word; return the number of the chosen one, from 1, or 0."""
    return _choose(model, shown, "", summary, token_row.UNCHOSEN)


def _choose(
    model: PublishedTokenizer,
    shown: SplitText,
    written: str,
    summary: str,
    default: int,
    chat: ChatTokens | None = None,
) -> int:
    count, first = len(shown.encoding.ids), 0
    if count > MAX_TILES:
        first = whole_number("Show the tokens from number", 1, count, 1, key="from_token") - 1
        first = min(first, count - 1)
        last = min(first + MAX_TILES, count)
        st.caption(f"Tokens {first + 1:,} to {last:,} of {count:,} are shown.")
    name = key_of("tokens", model.name, written, shown.encoding.ids)
    return token_row.choose_word(shown, name, (first, first + MAX_TILES), summary, default, chat)


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


def _chat_summary(chat: ChatTokens) -> str:
    number, doubled = len(chat.speakers), chat.doubled.count
    parts = [count_of(number, "token")]
    if doubled != number:
        parts.append(f"{doubled:,} with add_special_tokens=True")
    return " · ".join(parts)


def warnings(model: PublishedTokenizer) -> None:
    """Show what the file does not say."""
    if model.warnings:
        with st.expander("What the file doesn’t say"):
            st.markdown("\n".join(f"- {escape_markdown(sentence)}" for sentence in model.warnings))
