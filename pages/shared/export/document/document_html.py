"""Export a document as one HTML file that works without a network.

The file contains the app's player or components (the same HTML, CSS and JavaScript) with the
messages that the app sends to them, and the static blocks as HTML. document.js replaces Streamlit:
it passes the messages on, keeps the state of all in the URL's hash, and switches the theme. See
standalone_html.py for the general form of such a file.
"""

import zlib
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from markupsafe import Markup

from pages.shared.component import WebComponent, pack_message
from pages.shared.drawing.charts import Chart
from pages.shared.drawing.markup import html, joined
from pages.shared.drawing.terms import first_occurrence_marker
from pages.shared.export import charts, standalone_html
from pages.shared.export.document.blocks import (
    ComponentBlock,
    Document,
    Html,
    PlayerBlock,
    StatePart,
    StaticBlock,
    every_block,
    html_block,
)
from pages.shared.export.standalone_html import html_text, js_module
from pages.shared.export.tables import ExportTable
from pages.shared.player import assets
from pages.shared.player.message import pack_player_message

HERE = Path(__file__).parent
Picture = PlayerBlock | ComponentBlock
"""An interactive block."""
_PLAYER_KEYS = (
    "← → Home End Space step and play; P presents, T turns light or dark there, M changes the rule "
    "where there are two; 1 to 9 answer a question, after S or N for sure or not sure; A shows a "
    "class’s answers; Q shows the address as a QR code."
)
_PRESENTS = " P presents, T turns light or dark there, Q shows the address as a QR code."
_ON_DEMAND = ("formulas", "charts of panels that were not open")
"""What only the app shows under every player."""


def build_document_html(document: Document) -> str:
    """Return the HTML file."""
    pictures = [block for block in document.blocks if isinstance(block, Picture)]
    components = {one.name: one for one in map(_component, pictures)}
    css = (HERE / "document.css").read_text("utf-8")
    return standalone_html.render_file(
        HERE / "document.html",
        _script(components.values()),
        {
            "way_out": standalone_html.contents_link(document.contents),
            "styles": f"<style>{css}</style>",
            "title": html_text(document.title),
            "purpose": html_text(document.about),
            "body": _body(document.blocks),
            "keys": html_text(" ".join(dict.fromkeys(map(_keys, pictures)))),
            "holds": html_text(f"{_holds(document)} {_leaves_out(document)}"),
            "link": standalone_html.app_link(document.link),
            "config": standalone_html.encode_json(_configs(pictures)),
            "messages": joined(_message_script(n, one, document) for n, one in enumerate(pictures)),
        },
    )


def app_url(link: str) -> str:
    """Return the base URL of the app's pages, for links in a file; "" if it is unknown.

    >>> app_url("https://a.org/learn/compare?text=x/y"), app_url("")
    ('https://a.org/learn/', '')
    """
    if not link.startswith(("http://", "https://")):
        return ""
    return link.partition("?")[0].rpartition("/")[0] + "/"


def _body(blocks: Sequence[Picture | StaticBlock]) -> Markup:
    """Return the blocks in their order; those between two pictures are one section."""
    numbers, parts = iter(range(len(blocks))), []
    for are_pictures, group in groupby(blocks, lambda one: isinstance(one, Picture)):
        if are_pictures:
            parts += [
                _picture_html(one, next(numbers)) for one in group if isinstance(one, Picture)
            ]
        else:
            parts.append(_section_html([one for one in group if not isinstance(one, Picture)]))
    return joined(parts, "\n")


def _picture_html(block: Picture, number: int) -> Markup:
    component = _component(block)
    return html(
        '<div class="picture" id="picture-{}"><template shadowrootmode="open"><style>{}</style>{}'
        "</template></div>",
        number,
        standalone_html.css_without_comments(component.css),
        Markup(component.html),
    )


def _section_html(blocks: Sequence[StaticBlock]) -> Markup:
    """Return static blocks; charts that follow each other stand side by side."""
    mark, parts = first_occurrence_marker("note"), []
    for are_charts, group in groupby(blocks, lambda one: isinstance(one, Chart)):
        if are_charts:
            parts.append(charts.as_html(one for one in group if isinstance(one, Chart)))
        else:
            parts += [html_block(one, mark) for one in group]
    inside = standalone_html.resolve_app_links(joined(parts, "\n"), "")
    return html('<section aria-label="Charts, tables and notes">\n{}\n</section>', inside)


# ---- the interactive blocks ----


def _component(block: Picture) -> WebComponent:
    return assets.PLAYER if isinstance(block, PlayerBlock) else block.component


def _keys(block: Picture) -> str:
    return _PLAYER_KEYS if isinstance(block, PlayerBlock) else block.keys + _PRESENTS


def _message(block: Picture, document: Document) -> bytes:
    """Return the app's message; that of a component also has its payloads, and the app's URL."""
    if isinstance(block, PlayerBlock):
        step, rule, path = (1, block.step), (1, block.rule), (1, block.user_path)
        every = range(len(block.recording.windows))
        return pack_player_message(block.recording, every, "file", step=step, rule=rule, path=path)
    payloads = {part.name: part.payloads for part in block.parts if part.payloads}
    more = {"payloads": payloads, "app": app_url(document.link)}
    return pack_message({**block.message, **more}, block.blobs)


def _message_script(number: int, block: Picture, document: Document) -> Markup:
    held = standalone_html.encode_bytes(zlib.compress(_message(block, document), 9))
    return html('<script type="text/plain" id="message-{}">{}</script>\n', number, held)


def _configs(pictures: Sequence[Picture]) -> list[dict[str, object]]:
    """Return what document.js needs to know of each picture: `PictureConfig` in types.d.ts.

    A parameter that an earlier picture has gets a number, as in `at2`.
    """
    times, configs = Counter[str](), []
    for block in pictures:
        parts = list(map(_part_json, _parts(block)))
        for part in parts:
            times.update([part["param"]])
            if (number := times[part["param"]]) > 1:
                part["param"] += str(number)
        name = "step" if isinstance(block, PlayerBlock) else block.state_name
        component = _component(block).name
        configs.append({"component": component, "stateName": name, "parts": parts})
    return configs


def _parts(block: Picture) -> tuple[StatePart, ...]:
    if isinstance(block, PlayerBlock):
        return (StatePart("step", "step", block.step),)
    return block.parts


def _part_json(part: StatePart) -> dict[str, Any]:
    fields = {"name": part.name, "param": part.param, "initial": part.initial}
    return {**fields, "values": list(part.values), "words": list(part.words)}


def _script(components: Iterable[WebComponent]) -> str:
    modules = [js_module(f"mount_{one.name}", one.js) for one in components]
    mounts = ", ".join(f"{one.name}: mount_{one.name}" for one in components)
    modules.append(f"const mounts = {{ {mounts} }};\n")
    modules += [
        js_module("mountTerms", assets.TERMS_JS),
        js_module("mountOverlays", assets.OVERLAYS_JS),
    ]
    own = (HERE / "document.js").read_text("utf-8")
    return "".join(modules) + standalone_html.FILE_SHELL_JS + own


# ---- what the file says about itself ----


def _holds(document: Document) -> str:
    blocks = list(every_block(document.blocks))
    kinds = {"charts": Chart, "tables": ExportTable | Html}
    under = [
        name for name, kind in kinds.items() if any(isinstance(block, kind) for block in blocks)
    ]
    whole = "whole run" if any(isinstance(one, PlayerBlock) for one in blocks) else "picture"
    more = f" and the {' and '.join(under)} under it" if under else ""
    return f"This file holds the {whole}{more}."


def _leaves_out(document: Document) -> str:
    has_player = any(isinstance(block, PlayerBlock) for block in document.blocks)
    names = [*(_ON_DEMAND if has_player else ()), *(f"“{name}”" for name in document.left_out)]
    return f"It leaves out what the app’s page has besides: {', '.join(names)}." if names else ""
