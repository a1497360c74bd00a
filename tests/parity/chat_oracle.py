"""Render chat templates with `transformers`; run by tests/parity/make_chat_fixtures.py.

The requests are in CALLS; `answering.py` reads them.
"""

# pyright: reportMissingImports=false, reportAttributeAccessIssue=false
# (it is not checked in the environment in which it runs)

import datetime

from jinja2.exceptions import TemplateError


def versions():
    """Return the version of `transformers`."""
    import transformers

    return transformers.__version__


def render(source, messages, tokens, add_generation_prompt, today):
    """Return the text and None, or None and the message with which the template refuses."""
    from transformers.utils import chat_template_utils

    class Frozen(datetime.datetime):
        @classmethod
        def now(cls, tz=None):
            return cls(*today)

    chat_template_utils.datetime = Frozen
    try:
        (text,), _ = chat_template_utils.render_jinja_template(
            conversations=[messages],
            chat_template=source,
            add_generation_prompt=add_generation_prompt,
            **tokens,
        )
    except TemplateError as error:
        return None, str(error)
    return text, None


def mistral_ids(messages):
    """Return the ids that mistral-common gives Mistral 7B v0.1 for a conversation."""
    from mistral_common.protocol.instruct import messages as kinds
    from mistral_common.protocol.instruct.request import ChatCompletionRequest
    from mistral_common.tokens.tokenizers.mistral import MistralTokenizer

    by_role = {
        "system": kinds.SystemMessage,
        "user": kinds.UserMessage,
        "assistant": kinds.AssistantMessage,
    }
    tokenizer = MistralTokenizer.v1()
    these = [by_role[message["role"]](content=message["content"]) for message in messages]
    request = ChatCompletionRequest(messages=these)
    return tokenizer.encode_chat_completion(request).tokens


CALLS = {one.__name__: one for one in (versions, render, mistral_ids)}
