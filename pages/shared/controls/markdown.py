"""Escape text for Streamlit's Markdown."""

import re

from pages.shared.drawing.display_text import escape_invisible

# Streamlit links URLs and mail addresses even if they are escaped. A zero-width word joiner after
# the colon of http://, after www and after @ prevents that.
_ADDRESS = re.compile(r"(?<=:)(?=//)|(?<=www)(?=\.)|(?<=@)", re.IGNORECASE)
_JOINER = "\u2060"
_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")


def escape_markdown(text: str) -> str:
    r"""Return Markdown that shows the text literally, without images, formulas or links.

    >>> print(escape_markdown("“**low**” is $5"))
    “\*\*low\*\*” is \$5
    """
    return _PUNCTUATION.sub(r"\\\1", _ADDRESS.sub(_JOINER, escape_invisible(text)))
