"""The styles of the HTML that Python draws.

The page of the app has all of them (pages/serving.py), an exported file those of what is in it.
"""

import re
from pathlib import Path

from pages.shared.drawing.display_text import palette_css

_HERE = Path(__file__).parent

TERMS_CSS = (_HERE / "terms.css").read_text("utf-8")
"""The styles of marked terms and bubbles, which components need inside, too."""
_COMMON, *_SECTIONS = re.split(r"\n(?=/\*)", (_HERE / "content.css").read_text("utf-8"))


def styles_of(content: str) -> str:
    """Return the styles of a page or file, without the sections whose classes `content` lacks.

    >>> ".pp-why" in styles_of('<p class="pp-why">'), ".pp-why" in styles_of("<p>")
    (True, False)
    """
    used = [
        section
        for section in _SECTIONS
        if any(name in content for name in re.findall(r"pp-[\w-]+", section))
    ]
    return "\n".join([f":root {{{palette_css()}}}", TERMS_CSS, _COMMON, *used])


CONTENT_CSS = styles_of("\n".join(_SECTIONS))
"""The styles of everything that Python draws."""
