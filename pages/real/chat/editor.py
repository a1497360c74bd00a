"""The input of the page: a text, or a conversation whose messages can be edited.

A conversation is in the address as JSON, as APIs take it; a long one is in the browser's storage.
"""

from dataclasses import dataclass

import streamlit as st

from pages.real.chat import templates
from pages.real.chat.conversation import FIRST_CHAT, ROLES, Message, fit, read_json, write_json
from pages.shared.controls import live, outdated_values, typed_text, url_state, user_text
from pages.shared.controls.url_state import IN_URL
from pages.shared.limits import MAX_CHAT_CHARS, MAX_CHAT_MESSAGES
from pages.shared.training.published import PublishedTokenizer

_FORMS = {"text": "A text", "chat": "A chat"}
_UNREADABLE = (
    "The address has no conversation that can be read here: a list of at most "
    f"{MAX_CHAT_MESSAGES} messages with “role” and “content”. This is the example."
)


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """A conversation, the name of the template for it, and whether the assistant is to answer."""

    messages: tuple[Message, ...]
    template: str
    add_generation_prompt: bool


def is_chat() -> bool:
    """Choose between a text and a conversation; return whether it is a conversation."""
    form = url_state.segments("Input", _FORMS, "text", key="input", label_visibility="collapsed")
    return form == "chat"


def keep_chat() -> None:
    """Keep a conversation in the address while the page shows a text."""
    if st.session_state.get(user_text.CHAT) is not None:
        user_text.current_text(user_text.CHAT)


def edit_messages() -> tuple[Message, ...]:
    """Show the messages, each with its role, and return them."""
    for number in range(len(_messages())):
        if typed_text.has_missed_input(f"chat_text_{number}"):
            _accept_text(number)
    kept = user_text.current_text(user_text.CHAT)
    user_text.show_loss_note(kept)
    if kept.state == "asking":
        url_state.end_early()
    if kept.state == "here" and read_json(kept.text) is None:
        st.info(_UNREADABLE)
    messages = _messages()
    with st.container(key="chat_messages", gap=None):
        for number, message in enumerate(messages):
            _edit_message(number, message, is_full=len(messages) >= MAX_CHAT_MESSAGES)
        if not messages:
            st.button("Add a message", key="chat_add", on_click=_insert, args=(0,))
    live.apply_while_typing()
    fitting, num_characters = fit(messages)
    if num_characters > MAX_CHAT_CHARS:
        st.warning(
            f"The conversation has {num_characters:,} characters. The first {MAX_CHAT_CHARS:,} are "
            "used."
        )
    return tuple(fitting)


def choose_template(model: PublishedTokenizer) -> str:
    """Choose a template, and return its name."""
    return url_state.choice(
        "Chat template",
        templates.options(model.name, model.chat_templates),
        templates.USUAL,
        key="template",
        label_visibility="collapsed",
    )


def choose_prompt() -> bool:
    """Choose whether the text ends with the beginning of an answer."""
    return st.checkbox(
        "`add_generation_prompt`",
        value=True,
        key="prompt",
        help="The text ends with the marks that begin the assistant’s next message. The model then "
        "writes that message, not another question of the user’s.",
        **IN_URL,
    )


def write_as_text(text: str) -> None:
    """Put a rendered conversation into the box for a text, and show that."""
    user_text.set_split_text(text)
    url_state.preset_widget("input", "text")


def _edit_message(number: int, message: Message, *, is_full: bool) -> None:
    role, box = f"chat_role_{number}", f"chat_text_{number}"
    url_state.preset_widget(role, message.role)
    typed_text.set_box_text(box, message.content)
    with st.container(horizontal=True, key=f"chat_row_{number}", gap="small"):
        st.selectbox(
            f"Role of message {number + 1}",
            ROLES,
            key=role,
            on_change=_accept_role,
            args=(number,),
            label_visibility="collapsed",
        )
        st.text_area(
            f"Message {number + 1}",
            message.content,
            height=40,
            key=box,
            on_change=_accept_text,
            args=(number,),
            placeholder="empty",
            label_visibility="collapsed",
        )
        st.button(
            ":material/add:",
            key=f"chat_add_{number}",
            help="Add a message after this one",
            on_click=_insert,
            args=(number + 1,),
            disabled=is_full,
        )
        st.button(
            ":material/close:",
            key=f"chat_remove_{number}",
            help="Remove this message",
            on_click=_remove,
            args=(number,),
        )


def _messages() -> list[Message]:
    """Return the messages of the session, which are the example's until one is edited."""
    text = st.session_state.get(user_text.CHAT)
    messages = None if text is None else read_json(text)
    return list(FIRST_CHAT) if messages is None else messages


def _accept_role(number: int) -> None:
    key = f"chat_role_{number}"
    if not outdated_values.is_outdated(key, st.session_state[key]):
        _replace(number, role=st.session_state[key])


def _accept_text(number: int) -> None:
    key = f"chat_text_{number}"
    text = st.session_state[key]
    if outdated_values.is_outdated(key, text):
        return
    _replace(number, content=text)
    typed_text.note_known(key, text)


def _replace(number: int, **changes: str) -> None:
    messages = _messages()
    if number < len(messages):
        messages[number] = messages[number]._replace(**changes)
        _store(messages)


def _insert(number: int) -> None:
    messages = _messages()
    is_answer = number > 0 and messages[number - 1].role == "user"
    messages.insert(number, Message("assistant" if is_answer else "user", ""))
    _store(messages)


def _remove(number: int) -> None:
    messages = _messages()
    del messages[number : number + 1]
    _store(messages)


def _store(messages: list[Message]) -> None:
    user_text.store_text(write_json(messages), user_text.CHAT)
