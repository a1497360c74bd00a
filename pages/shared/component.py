"""What a component of ours is made of: HTML, CSS and JavaScript, put together from their files.

component_state.py shows it in the app, taking/screen in a file that is taken along: the same one.
"""

from dataclasses import dataclass
from pathlib import Path

from pages.shared.drawing.display_text import palette_css

_HERE = Path(__file__).parent
MOUNT_HTML = '<div class="place"></div>'


@dataclass(frozen=True, slots=True)
class Component:
    """A component: `js` is a module whose default export is given the data and where to draw."""

    name: str
    html: str
    css: str
    js: str


def build_component(
    name: str, folder: Path, styles: str, *scripts: str, html: str = MOUNT_HTML
) -> Component:
    """Return the component `name` of files in a page's folder.

    Its scripts may use what is in dom.js, its styles what is in base.css.
    """
    css = _read(_HERE / "base.css", folder / styles)
    js = _read(_HERE / "dom.js", *map(folder.joinpath, scripts))
    return Component(name, html, f":host {{{palette_css()}}}\n{css}", js)


def _read(*files: Path) -> str:
    return "\n".join(file.read_text("utf-8") for file in files)
