"""What the page shows of a conversation: its text by speaker, the totals, and both readings.

A chat model reads one text, in which marks such as `<|im_start|>` say who speaks. They are special
tokens of that family, and ordinary text to every other tokenizer.
"""

from collections.abc import Iterable
from pathlib import Path

import streamlit as st
from markupsafe import Markup

from pages.real.chat import editor, templates
from pages.real.chat.chat_tokens import TEMPLATE, ChatTokens, DoubledTokens
from pages.real.chat.marks import MarkCounts, count_both_readings
from pages.real.chat.rendering import TODAY
from pages.real.splitting import SplitText
from pages.real.token_row_message import SPEAKER_TITLES
from pages.shared.controls.markdown import escape_markdown
from pages.shared.drawing.display_text import (
    escape_invisible,
    html_tiles,
    plain_table,
)
from pages.shared.drawing.markup import html, joined
from pages.shared.drawing.phrasing import count_of
from pages.shared.training.published import PublishedTokenizer, apply_to_loaded
from pages.shared.work.results import call_or_end_page

MAX_NAME_CHARS = 60  # characters of a token's name
NUM_FIRST = 6  # tokens shown of a conversation that is encoded twice


def chat_panel(
    model: PublishedTokenizer, request: editor.ChatRequest, chat: ChatTokens, split: SplitText
) -> None:
    """Show the rendered text by speaker, the totals, and what a second encoding would add."""
    st.html(Path(__file__).with_name("speakers.css"))
    left, right = st.columns([3, 2])
    with left:
        st.html(_rendered(chat))
        st.caption(escape_markdown(_credit(model, request, chat)))
        if st.button(
            "Edit this text by hand",
            key="chat_as_text",
            on_click=editor.write_as_text,
            args=(chat.chat.text,),
        ):
            st.rerun()  # of the whole page: the box is not in this fragment
    with right:
        if chat.forged:
            st.warning(
                f"A message holds {_listed(chat.forged)}, which the tokenizer reads as a special "
                "token: whoever wrote it can end a message and begin another. Programs remove such "
                "text, or encode what a person typed as plain text."
            )
        st.html(_totals(chat))
        _show_doubled(chat, split)


def _rendered(chat: ChatTokens) -> Markup:
    """Return the text as preformatted HTML, each speaker's part in the speaker's style."""
    text, position, parts = chat.chat.text, 0, list[Markup]()

    def add(start: int, end: int, speaker: str) -> None:
        if end > start:
            shown = "⏎\n".join(map(escape_invisible, text[start:end].split("\n")))
            style = '<span class="speaker {}" title="{}">{}</span>'
            parts.append(html(style, f"speaker-{speaker}", speaker, shown))

    for start, end, number in chat.chat.speeches:
        add(position, start, TEMPLATE)
        add(start, end, chat.roles[number])
        position = end
    add(position, len(text), TEMPLATE)
    return html('<pre class="pp-chat" tabindex="0">{}</pre>', joined(parts))


def _credit(model: PublishedTokenizer, request: editor.ChatRequest, chat: ChatTokens) -> str:
    name = request.template
    if name == templates.USUAL and templates.DEFAULT not in model.chat_templates:
        name = templates.usual_family(model.name).name
    if family := templates.CHAT_TEMPLATES.get(name):
        credit = f"The format of {family.used_by}."
        if not model.chat_templates:
            credit = f"This tokenizer’s files have no chat template. {credit}"
    else:
        credit = "Written by the chat template in the tokenizer’s own files, in Jinja’s sandbox."
    if chat.chat.has_date:
        day = f"{TODAY.day} {TODAY:%B %Y}"
        credit += f" The template asks for today’s date; here it is always {day}."
    return credit


def _totals(chat: ChatTokens) -> Markup:
    total = max(len(chat.speakers), 1)
    rows = [
        (SPEAKER_TITLES.get(speaker, speaker), number, f"{100 * number / total:.1f} %")
        for speaker, number in chat.totals.items()
    ]
    return plain_table("Whose the tokens are", ("speaker", "tokens", "share"), rows)


def _show_doubled(chat: ChatTokens, split: SplitText) -> None:
    """Show the tokens beside those of the rendered text encoded once more as a text."""
    number, doubled = len(chat.speakers), chat.doubled
    st.markdown(describe_doubled(doubled))
    if doubled.count == number:
        return
    tokens = [split.display_forms[token] for token in split.encoding.tokens]
    added = [*doubled.before, *tokens]
    for count, shown, new in (
        (number, tokens, ()),
        (doubled.count, added, range(len(doubled.before))),
    ):
        flag = "True" if count == doubled.count else "False"
        st.html(html_tiles([*shown[:NUM_FIRST], "…"], new=[*new], label=f"{count} tokens"))
        st.caption(f"`add_special_tokens={flag}`: {count_of(count, 'token')}")


def describe_doubled(doubled: DoubledTokens) -> str:
    """Say what encoding a rendered conversation as a text would add."""
    names = _listed((*doubled.before, *doubled.after))
    if not names:
        return (
            "**No doubled tokens here.** This tokenizer puts nothing around a text, so encode the "
            "rendered text like any other."
        )
    if doubled.is_doubled:
        return (
            f"**A well-known trap: {names} twice.** The template writes it, and the tokenizer adds "
            "it to every text. Encode the rendered text with `add_special_tokens=False`."
        )
    return (
        f"**A well-known trap: {names} around the chat.** The tokenizer adds it to every text, but "
        "the template doesn’t write it. Encode the rendered text with `add_special_tokens=False`."
    )


def _listed(tokens: Iterable[str]) -> str:
    """Return tokens as Markdown code; a backtick or an empty line would end the code."""
    shown = (escape_invisible(token)[:MAX_NAME_CHARS].replace("`", "'") for token in tokens)
    return " and ".join(f"`{name}`" for name in shown)


def mark_panel(model: PublishedTokenizer, text: str, *, is_chat: bool) -> None:
    """Show both readings of the marks in a text, and the totals; does nothing without marks.

    A conversation has no tokens around it, so its totals are those of the chat.
    """
    total, found = call_or_end_page(model, apply_to_loaded, count_both_readings, text, not is_chat)
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
