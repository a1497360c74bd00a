"""Conversations as the families of models write them, and both readings of the marks in them.

A chat model is given one text, in which marks such as `<|im_start|>` say who speaks. They are
special tokens of that family, and ordinary text to every other tokenizer. Leaves out how a program
makes such a text of messages.
"""

import streamlit as st

from pages.real.chat_marks import CHATS, Reading, both_readings
from pages.shared.controls import url_state, user_text
from pages.shared.controls.markdown import escape_markdown
from pages.shared.drawing.display_text import plain_table
from pages.shared.drawing.phrasing import count_of
from pages.shared.training.published import Published, with_loaded
from pages.shared.work.results import ask


def templates(text: str) -> None:
    """Offer the templates; the one that the box holds is marked."""
    chosen = next((name for name, chat in CHATS.items() if chat.text == text), None)
    url_state.preset_widget("chat", chosen)
    st.pills(
        "Or start from a chat template",
        list(CHATS),
        key="chat",
        format_func=lambda name: CHATS[name].title,
        on_change=_take,
    )
    if chosen:
        st.caption(escape_markdown(f"Written so by {CHATS[chosen].used_by}. Edit it as you like."))


def _take() -> None:
    if chosen := st.session_state["chat"]:
        user_text.set_split_text(CHATS[chosen].text)


def readings(model: Published, text: str) -> None:
    """Show both readings of the marks in a text, and what they come to; nothing without marks."""
    total, found = ask(model, with_loaded, both_readings, text)
    if not found:
        return
    with st.expander(total):
        rows = [
            (one.mark, one.times, _as_special(one), count_of(one.plain, "token")) for one in found
        ]
        columns = ("in your text", "times", "as a special token", "as plain text")
        st.html(plain_table("Two readings of the same characters", columns, rows))
        st.caption(
            "An API takes messages and writes the marks itself: its counts include them, each as "
            "one token, even where the published file lacks them. What a person types should "
            "be read as plain text: otherwise anybody could forge a message."
        )


def _as_special(one: Reading) -> str:
    return "not in this file" if one.id is None else f"1 token, id {one.id:,}"
