"""One HTML file of a film that steps by itself: opened from a disk, it asks nobody for anything.

It holds the player of the app, the same HTML, CSS and JavaScript, and the packed film. What
Streamlit is to the player in the app, file.js is here: it hands over the film, remembers the step,
and turns light or dark. The policy in its head lets only this very script run, and lets nothing be
fetched. Left out: what Python draws under the player, but for the tables that are given along; the
file says so.
"""

import base64
import hashlib
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path

from pages.shared.drawing.tiles import printable
from pages.shared.film.film import Film
from pages.shared.player import assets
from pages.shared.player.message import packed
from pages.shared.taking.tables import Table, as_html

_HERE = Path(__file__).parent
_ROOT = _HERE.parents[2]
_EXPORT = "export default function"


@dataclass(frozen=True, slots=True)
class Sheet:
    """What a file tells around its film; `link` is the address of the same screen in the app.

    `tables` come along as they were recorded; `left_out` names what the app shows besides.
    """

    title: str
    about: str = ""
    link: str = ""
    tables: tuple[Table, ...] = ()
    left_out: tuple[str, ...] = ()


def html_file(
    film: Film, sheet: Sheet, *, step: int = 0, rule: int = 0, own: tuple[int, ...] = ()
) -> str:
    """Return the file: the film begins at `step`, by `rule`, with the path `own` in its lattice."""
    every = range(len(film.windows))
    message = packed(film, every, "file", step=(1, step), rule=(1, rule), own=(1, own))
    script = _script()
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return _filled(
        {
            "licence": (_ROOT / "LICENSE").read_text("utf-8").replace("--", "- -"),
            "policy": f"'sha256-{digest}'",
            "version": _toml("pyproject.toml")["project"]["version"],
            "title": _text(sheet.title),
            "about": _text(sheet.about),
            "theme": _theme(),
            "style": _read("file.css"),
            "player_style": assets.CSS,
            "player": assets.HTML,
            "tables": "\n".join(map(as_html, sheet.tables)),
            "left_out": _left_out(sheet),
            "link": _link(sheet.link),
            "film": base64.b64encode(message).decode(),
            "script": script,
        }
    )


def _filled(values: Mapping[str, str]) -> str:
    """Put the values into file.html, in one pass: what a value holds is not looked at again."""
    return re.sub(r"\{\{(\w+)\}\}", lambda match: values[match[1]], _read("file.html"))


def _script() -> str:
    """Return the script of the file: the player's module as a function, and what mounts it."""
    if assets.JS.count(_EXPORT) != 1:
        raise RuntimeError(f"the player's script has not exactly one “{_EXPORT}”")
    player = assets.JS.replace(_EXPORT, "exported = function")
    wrapped = f"const mount = (() => {{\nlet exported;\n{player}\nreturn exported;\n}})();\n"
    return wrapped + _read("file.js")


def _theme() -> str:
    """Return the app's two themes under the names that Streamlit gives them in the browser."""
    theme = _toml(".streamlit/config.toml")["theme"]
    names = {"text-color": "textColor", "background-color": "backgroundColor"}
    names |= {"primary-color": "primaryColor", "link-color": "linkColor"}
    light, dark = theme["light"], theme["dark"]
    return "".join(
        f"--st-{name}:light-dark({light[key]},{dark[key]});" for name, key in names.items()
    )


def _left_out(sheet: Sheet) -> str:
    named = "".join(f", “{name}”" for name in sheet.left_out)
    here = "the whole run" + (" and the tables above" if sheet.tables else "")
    return _text(
        f"This file holds {here}. It leaves out what the program works out on demand under the "
        f"player: charts, formulas{named}."
    )


def _link(link: str) -> str:
    if not link.startswith(("http://", "https://")):
        return ""
    return f'<a href="{escape(link, quote=True)}" rel="noreferrer">The same screen there</a>.'


def _text(text: str) -> str:
    return escape(printable(text), quote=True)


def _read(name: str) -> str:
    return (_HERE / name).read_text("utf-8")


def _toml(name: str) -> dict:
    return tomllib.loads((_ROOT / name).read_text("utf-8"))
