"""The styles of the HTML that Python draws.

The whole page has them in the app (pages/serving.py), and every exported file.
"""

from pathlib import Path

from pages.shared.drawing.display_text import palette_css

_HERE = Path(__file__).parent

TERMS_CSS = (_HERE / "terms.css").read_text("utf-8")
"""The styles of marked terms and bubbles, which components need inside, too."""
CONTENT_CSS = (
    f":root {{{palette_css()}}}\n{TERMS_CSS}\n{(_HERE / 'content.css').read_text('utf-8')}"
)
