"""Text of a visitor inside a sentence of the app, where Streamlit would take it for Markdown."""

import re

from pages.shared.drawing.tiles import printable

_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")


def as_is(text: str) -> str:
    r"""Return Markdown that shows the text as it is: no picture, no formula, nothing unseen.

    >>> print(as_is("“**low**” is $5"))
    “\*\*low\*\*” is \$5
    """
    return _PUNCTUATION.sub(r"\\\1", printable(text))
