"""The error for bad input: its message tells the user what is wrong and what to do.

`UserError` is the only kind of ValueError that our own code raises. ValueErrors of libraries
(`zip(strict=True)`, NumPy, the decoders) mean a bug, and their messages do not help a user.
"""

import re

_LONG_QUOTE = re.compile(r"“([^”]{200})[^”]+”")


class UserError(ValueError):
    """The input cannot be processed; the message is a sentence to show to the user.

    Quotations in “” are cut to 200 characters.
    """

    def __init__(self, sentence: str) -> None:
        super().__init__(_LONG_QUOTE.sub(r"“\1…”", sentence))


def user_message(error: BaseException) -> str:
    """Return the message to show for an error: a UserError's message, or one that admits a bug.

    >>> user_message(UserError("There are no words. Paste a text."))
    'There are no words. Paste a text.'
    """
    if isinstance(error, UserError):
        return str(error)
    return (
        f"This failed because of a mistake in the program ({type(error).__name__}), not in what "
        "you typed. Change the text or a setting and try again."
    )
