"""The common form of exported HTML files, which have one script and make no requests.

The content security policy allows only this script and no fetching. The contents come from
document/ for what a page shows, and from pages/lesson/export for a lesson.
"""

import base64
import hashlib
import json
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path

from markupsafe import Markup, escape

from pages.shared.drawing.display_text import escape_invisible
from pages.shared.drawing.markup import html
from pages.shared.drawing.styles import styles_of

HERE = Path(__file__).parent
FILE_CSS = (HERE / "file.css").read_text("utf-8")
FILE_SHELL_JS = (HERE / "file_shell.js").read_text("utf-8")
"""The first part of the script of every file."""
_ROOT = HERE.parents[2]
_EXPORT = "export default function"
_MADE = (
    "<p>Made with Piece by Piece {{version}}, which is free under the MIT licence "
    "(it is in this file, at the top). {{link}}</p>"
)
_JS_COMMENT = re.compile(r"^ *(?://.*|/\*(?:[^*]|\*(?!/))*\*/ *)\n", re.MULTILINE)
"""A comment that has its lines to itself."""
_CSS_COMMENT = re.compile(r"/\*.*?\*/\s*", re.DOTALL)
_CSS_INDENT = re.compile(r"\n\s+")
_LINK = re.compile(r'<a href="(?!https?:)\.?/?([^"]*)"([^>]*)>(.*?)</a>', re.DOTALL)
"""A link to a page of the app. Text is escaped, so it cannot match."""


def render_file(template: Path, script: str, values: Mapping[str, str]) -> str:
    """Return page.html with `template` inside it and `values` in place of the placeholders.

    `values` needs `title` and `purpose`; `way_out`, `styles`, `link` and `buttons` are optional.
    One pass replaces them all, so text in a value that looks like a placeholder is kept.
    """
    page = (HERE / "page.html").read_text("utf-8")
    page = page.replace("{{inside}}", template.read_text("utf-8")).replace("{{made}}", _MADE)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    all_values = {
        "licence": (_ROOT / "LICENSE").read_text("utf-8").replace("--", "- -"),
        "policy": f"'sha256-{digest}'",
        "version": version(),
        "theme": theme_css(),
        "style": FILE_CSS,
        "content_style": styles_of("".join(values.values())),
        "script": script,
        **dict.fromkeys(("way_out", "styles", "link", "buttons"), ""),
        **values,
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda match: all_values[match[1]], page)


def version() -> str:
    """Return the version of the app."""
    return _toml("pyproject.toml")["project"]["version"]


def js_module(name: str, script: str) -> str:
    """Wrap a component's script in its own scope, as a function that is called `name`.

    Comments with lines of their own are left out: they are a fifth of what a file would carry.
    """
    if script.count(_EXPORT) != 1:
        raise RuntimeError(f"the script of {name} has not exactly one “{_EXPORT}”")
    inside = _JS_COMMENT.sub("", script).replace(_EXPORT, "exported = function")
    return f"const {name} = (() => {{\nlet exported;\n{inside}\nreturn exported;\n}})();\n"


def css_without_comments(css: str) -> Markup:
    """Return a component's styles without comments and indentation, a tenth of what they are."""
    return Markup(_CSS_INDENT.sub("\n", _CSS_COMMENT.sub("", css)))


def html_text(value: str) -> Markup:
    """Escape a text for HTML and show its invisible characters."""
    return escape(escape_invisible(value))


def resolve_app_links(part: str, app: str) -> Markup:
    """Complete links to the app's pages with its URL `app`; if it is empty, keep only their text.

    A link with an aria-label is then removed, because its text alone means nothing.

    >>> print(resolve_app_links('<a href="./race">Race</a>', "http://x"))
    <a href="http://x/race" rel="noreferrer">Race</a>
    >>> print(resolve_app_links('<a href="race">Race</a>', ""))
    Race
    """

    def link(match: re.Match[str]) -> str:
        target, more, label = match.groups()
        if app:
            page = "lessons" if target.startswith("?") else ""
            return f'<a href="{html_text(app)}/{page}{target}" rel="noreferrer">{label}</a>'
        return "" if "aria-label" in more else label

    return Markup(_LINK.sub(link, part))


def contents_link(contents: str) -> Markup:
    """Return the link to the site's contents page; "" for a file that is not part of a site."""
    if not contents:
        return Markup()
    return html('<nav class="way-out"><a href="{}">All lessons and runs</a></nav>', contents)


def app_link(link: str) -> Markup:
    """Return a link to the page that the file was exported from; "" unless `link` is a web URL."""
    if not link.startswith(("http://", "https://")):
        return Markup()
    return html('<a href="{}" rel="noreferrer">The same screen there</a>.', link)


def encode_bytes(data: bytes) -> str:
    """Encode bytes for the file; `bytesOf` in file_shell.js decodes them."""
    return base64.b64encode(data).decode()


def encode_json(data: object) -> str:
    """Encode plain data as JSON for a script element."""
    return json.dumps(data).replace("<", "\\u003c")


def theme_css() -> str:
    """Return the CSS variables of both themes, under the names that Streamlit uses."""
    colours = _toml(".streamlit/config.toml")["theme"]
    names = {
        "text-color": "textColor",
        "background-color": "backgroundColor",
        "primary-color": "primaryColor",
        "link-color": "linkColor",
        "secondary-background-color": "secondaryBackgroundColor",
        "border-color": "borderColor",
    }
    light, dark = colours["light"], colours["dark"]
    return "".join(
        f"--st-{name}:light-dark({light[key]},{dark[key]});" for name, key in names.items()
    )


def _toml(name: str) -> dict:
    return tomllib.loads((_ROOT / name).read_text("utf-8"))
