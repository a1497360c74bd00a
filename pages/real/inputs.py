"""The inputs of the page besides the tokenizer and the text: how to read it, and a word."""

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


def text_or_chat(model: PublishedTokenizer) -> tuple[str, Chat | None]:
    """Return the text to split; if it is a rendered conversation, the conversation, too.

    If a conversation cannot be rendered, show why and end the page run.
    """
    with st.container(horizontal=True, vertical_alignment="center", key="text_and_template"):
        own = st.container(key="text_or_chat")  # left of the choice between them
        with st.container(key="input_choice", gap="small"):
            if not editor.is_chat():
                with own:
                    text = short_text(
                        "Your text", FIRST_TEXT, key="say", label_visibility="collapsed"
                    )
                editor.keep_chat()
                return text, None
            template, prompt = editor.choose_template(model), editor.choose_prompt()
        with own:
            messages = editor.edit_messages()
    request = ChatRequest(messages, template, prompt)
    found = call_or_end_page(model, chat_tokens, template, messages, prompt)
    return found.chat.text, Chat(request, found)


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
    count, first = len(shown.encoding.ids), 0
    if count > MAX_TILES:
        first = whole_number("Show the tokens from number", 1, count, 1, key="from_token") - 1
        first = min(first, count - 1)
        last = min(first + MAX_TILES, count)
        st.caption(f"Tokens {first + 1:,} to {last:,} of {count:,} are shown.")
    name = key_of("tokens", model.name, written, shown.encoding.ids)
    summary = _chat_summary(chat) if chat else _summary(model, written, shown)
    number = token_row.choose_word(shown, written, name, (first, first + MAX_TILES), summary, chat)
    return shown.words[number - 1] if number else None


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
