"""Conversations in the formats of model families, and both readings of their marks.

A chat model reads one text, in which marks such as `<|im_start|>` say who speaks. They are special
tokens of that family, and ordinary text to every other tokenizer.
"""

import streamlit as st

from pages.real.chat_marks import CHAT_TEMPLATES, MarkCounts, count_both_readings
from pages.shared.controls import outdated_values, url_state, user_text
from pages.shared.controls.markdown import escape_markdown
from pages.shared.drawing.display_text import plain_table
from pages.shared.drawing.phrasing import count_of
from pages.shared.training.published import PublishedTokenizer, apply_to_loaded
from pages.shared.work.results import call_or_end_page


def templates(text: str) -> None:
    """Offer the templates in a menu, and name the one that is in the text box."""
    chosen = next((name for name, chat in CHAT_TEMPLATES.items() if chat.text == text), None)
    url_state.preset_widget("chat", chosen)
    credit = chosen and f"The format of {CHAT_TEMPLATES[chosen].used_by}. Edit it as you like."
    st.selectbox(
        "Chat template",
        list(CHAT_TEMPLATES),
        index=None,
        key="chat",
        format_func=lambda name: CHAT_TEMPLATES[name].title,
        on_change=_apply_template,
        placeholder="Chat template",
        label_visibility="collapsed",
    )
    if credit:
        with st.popover(":material/info:", help="Whose format it is"):
            st.markdown(escape_markdown(credit))


def _apply_template() -> None:
    chosen = st.session_state["chat"]
    if chosen and not outdated_values.is_outdated("chat", chosen):
        user_text.set_split_text(CHAT_TEMPLATES[chosen].text)


def mark_panel(model: PublishedTokenizer, text: str) -> None:
    """Show both readings of the marks in a text, and the totals; does nothing without marks."""
    total, found = call_or_end_page(model, apply_to_loaded, count_both_readings, text)
    if not found:
        return
    with st.expander(total):
        rows = [
            (one.mark, one.times, _as_special(one), count_of(one.num_plain, "token"))
            for one in found
        ]
        columns = ("in your text", "times", "as a special token", "as plain text")
        st.html(plain_table("Two readings of the same characters", columns, rows))
        st.caption(
            "An API takes messages and writes the marks itself: its counts include them, each as "
            "one token, even where the published file lacks them. What a person types should "
            "be read as plain text: otherwise anybody could forge a message."
        )


def _as_special(one: MarkCounts) -> str:
    return "not in this file" if one.id is None else f"1 token, id {one.id:,}"
