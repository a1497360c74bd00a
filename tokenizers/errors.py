"""Bad input is refused in a sentence that says what is wrong and what to do.

A `UserError` is a ValueError, and the only one that our own code raises. Libraries raise ValueErrors
too (`zip(strict=True)`, NumPy, the decoders), and theirs help nobody who pasted a text.
"""

import re

_LONG_QUOTE = re.compile(r"“([^”]{200})[^”]+”")


class UserError(ValueError):
    """What was asked for cannot be done; the text is a sentence for people.

    Of something long in quotation marks, the first 200 characters are shown.
    """

    def __init__(self, sentence: str) -> None:
        super().__init__(_LONG_QUOTE.sub(r"“\1…”", sentence))


def user_message(error: BaseException) -> str:
    """Return what to tell people: our own sentence, or that the program is at fault.

    >>> user_message(UserError("There are no words. Paste a text."))
    'There are no words. Paste a text.'
    """
    if isinstance(error, UserError):
        return str(error)
    return (
        f"This failed because of a mistake in the program ({type(error).__name__}), not in what "
        "you typed. Change the text or a setting and try again."
    )
