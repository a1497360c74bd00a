"""The tokens of a conversation, with whose they are, as plain data for the page."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pages.real.chat.conversation import ROLES, Message
from pages.real.chat.speakers import RenderedChat, render_chat, speaker_of
from pages.real.chat.templates import find_template
from pages.shared.training.published import PublishedTokenizer
from tokenizers.runtime.components import LoadedEncoding

TEMPLATE = "template"
SPEAKERS = (TEMPLATE, *ROLES)
MAX_SHOWN_FORGED = 5
MAX_SHOWN_ADDED = 3  # tokens at each end, of those that the tokenizer puts around a text


@dataclass(frozen=True, slots=True)
class DoubledTokens:
    """What happens if a rendered conversation is encoded as a text with `add_special_tokens=True`.

    `count` is the number of tokens then. `before` and `after` are the tokens that it adds, and
    `is_doubled` says whether the template has already written one of them at the same place.
    """

    count: int
    before: tuple[str, ...]
    after: tuple[str, ...]
    is_doubled: bool


@dataclass(frozen=True, slots=True)
class ChatTokens:
    """A rendered conversation, the speaker of each of its tokens, and the totals by speaker.

    The tokens are those of the text without the special tokens that a tokenizer adds: the template
    has written them. `forged` are special tokens that a message, not the template, has written.
    """

    chat: RenderedChat
    roles: tuple[str, ...]
    speakers: tuple[str, ...]
    totals: Mapping[str, int]
    doubled: DoubledTokens
    forged: tuple[str, ...] = ()


def chat_tokens(
    model: PublishedTokenizer,
    template: str,
    messages: Sequence[Message],
    add_generation_prompt: bool,
) -> ChatTokens:
    """Render a conversation by the template of this name, and split it.

    Raises UserError if the template cannot be rendered, and what `LoadedTokenizer.encode` raises.
    """
    loaded = model.loaded
    source, tokens = find_template(loaded, model.name, template)
    chat = render_chat(source, messages, tokens, add_generation_prompt)
    right = loaded.encode(chat.text, add_special_tokens=False)
    speakers = tuple(_speaker(chat, messages, *offsets) for offsets in right.offsets)
    counts = Counter(speakers)
    twice = PublishedTokenizer(model.name, added=True).encode(chat.text)
    roles = tuple(message.role for message in messages)
    totals = {speaker: counts[speaker] for speaker in SPEAKERS}
    said = [token for token, by in zip(right.tokens, speakers, strict=True) if by != TEMPLATE]
    forged = tuple(
        dict.fromkeys(token for token in said if token in loaded.specials and token in chat.text)
    )
    return ChatTokens(
        chat, roles, speakers, totals, _doubled(right, twice), forged[:MAX_SHOWN_FORGED]
    )


def _speaker(chat: RenderedChat, messages: Sequence[Message], start: int, end: int) -> str:
    number = speaker_of(chat.speeches, start, end)
    return TEMPLATE if number is None else messages[number].role


def _doubled(right: LoadedEncoding, twice: LoadedEncoding) -> DoubledTokens:
    """Compare the tokens of a conversation with those that the tokenizer makes of it as a text."""
    num_before = next((n for n, source in enumerate(twice.sources) if source >= 0), len(twice.ids))
    num_after = len(twice.ids) - num_before - len(right.ids)
    before = twice.tokens[:num_before]
    after = twice.tokens[len(twice.tokens) - num_after :] if num_after > 0 else ()
    is_doubled = (bool(before) and right.tokens[:1] == before[-1:]) or (
        bool(after) and right.tokens[-1:] == after[:1]
    )
    return DoubledTokens(
        len(twice.ids), before[:MAX_SHOWN_ADDED], after[-MAX_SHOWN_ADDED:], is_doubled
    )
