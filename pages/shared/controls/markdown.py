"""Text of a visitor inside a sentence of the app, where Streamlit would take it for Markdown."""

import re

from pages.shared.drawing.display_text import escape_invisible

# Streamlit makes a link of an address, even of an escaped one. A word joiner, which takes up no
# room, keeps it from seeing one: behind the colon of http://, behind www, behind the @ of a mail.
_ADDRESS = re.compile(r"(?<=:)(?=//)|(?<=www)(?=\.)|(?<=@)", re.IGNORECASE)
_JOINER = "\u2060"
_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")


def escape_markdown(text: str) -> str:
    r"""Return Markdown that shows the text as it is: no picture, no formula, no link.

    >>> print(as_is("“**low**” is $5"))
    “\*\*low\*\*” is \$5
    """
    return _PUNCTUATION.sub(r"\\\1", _ADDRESS.sub(_JOINER, escape_invisible(text)))
