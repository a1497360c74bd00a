"""Decode ids one at a time, as a chat shows them while a model is still writing.

A token may end inside a character, and a decoder may treat a text's first token differently. So a
stream decodes the tokens since the last one shown, together with those before, and shows only what
is new. As Hugging Face's `DecodeStream` (tokenizers 0.23.3), it holds text back while it ends in
U+FFFD, which stands for bytes that are not a whole character yet.
"""

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from tokenizers.limits import check_time, time_limit
from tokenizers.runtime.tokenizer import LoadedTokenizer

INCOMPLETE = "\ufffd"


class StreamStep(NamedTuple):
    """What a stream does after one more token.

    `text` is what it shows in addition, and `held` the number of tokens not shown yet. `reason`
    says why nothing is shown: the text is "incomplete", so it ends inside a character; the token is
    "empty", as a special token is; or the stream is "broken", because the decoder would change what
    has been shown already. The library raises an error then; here nothing more is shown.
    """

    text: str
    held: int
    reason: Literal["", "incomplete", "empty", "broken"] = ""


def decode_stream(
    loaded: LoadedTokenizer, ids: Sequence[int], skip_special_tokens: bool = True
) -> Iterator[StreamStep]:
    """Yield a step for each id. Raises UserError if an id is unknown, or if it takes too long."""
    window: list[int] = []  # the tokens that are decoded together
    shown, num_shown, held = "", 0, 0  # the window's text that is shown, and of how many tokens
    with time_limit("", times=2):
        for n, id_ in enumerate(ids):
            check_time()
            if not shown and window:  # a stream that begins with special tokens shows nothing yet
                text = loaded.decode(window, skip_special_tokens)
                if not text.endswith(INCOMPLETE):
                    shown, num_shown = text, len(window)
            window.append(id_)
            text = loaded.decode(window, skip_special_tokens)
            held += 1
            if text.endswith(INCOMPLETE):
                yield StreamStep("", held, "incomplete")
                continue
            if len(text.encode()) <= len(shown.encode()):
                yield StreamStep("", held, "empty")
                continue
            if not text.startswith(shown):
                for _ in ids[n:]:
                    yield StreamStep("", held, "broken")
                    held += 1
                return
            yield StreamStep(text[len(shown) :], 0)
            held = 0
            del window[:num_shown]
            num_shown = len(window)
            shown = loaded.decode(window, skip_special_tokens)
