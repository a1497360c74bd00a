"""A picture as PNG, drawn by the browser out of its SVG: the server has nothing that could.

So any script is drawn in the fonts that the visitor has, as on the screen. Left out: the pictures
(pictures.py, curves.py).
"""

from pathlib import Path

from pages.shared.stage import made

_button = made(
    "png",
    Path(__file__).parent,
    "png.css",
    "png.js",
    html='<button type="button"></button><p role="status" hidden></p>',
)


def button(name: str, svg: str) -> None:
    """Offer to download the picture `svg` as the PNG file `name`."""
    _button(key=f"take {name}", data={"name": name, "svg": svg})
