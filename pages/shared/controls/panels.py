"""Panels shared by several pages: charts, trees, tables and code for the current step.

They are updated once the player is idle, so they may be expensive. Of the most expensive ones, the
user chooses one, and only that one is rendered.
"""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent
from typing import Any

import orjson
import streamlit as st
from streamlit.components.v2 import component

from pages.shared.controls import url_state
from pages.shared.controls.url_state import IN_URL
from pages.shared.drawing.charts import CachedFigure, Chart
from pages.shared.drawing.display_text import escape_invisible, html_tiles, show_spaces
from pages.shared.drawing.phrasing import count_of
from pages.shared.drawing.svg.drawing import HALF, render_svg
from pages.shared.drawing.trees import Tree, merge_tree
from pages.shared.training.script import NoScriptError
from tokenizers.measures.metrics import measure
from tokenizers.text.encoding import Encoding, HasVocabulary

MOST_ROWS = 5_000
SCRIPT_HEIGHT = 320  # pixels
TABLE_HEIGHT = 337  # pixels of a header and eight whole rows

_HERE = Path(__file__).parent
_chart = component(
    "piece_by_piece_chart",
    html='<b class="finding"></b><div class="component"></div>',
    css=(_HERE / "chart.css").read_text("utf-8"),
    js=(_HERE / "chart.js").read_text("utf-8"),
)
ON_SCREEN = "charts on screen"


def panel_choice(panels: Mapping[str, Callable[..., None]], *arguments: object) -> None:
    """Show a choice of panels and render the chosen one, which gets `arguments`."""
    on_screen().clear()
    names = list(panels)
    if st.session_state.get("panel") not in names:
        # The panel was chosen on another page: Streamlit would write it to this page's URL.
        st.session_state.pop("panel", None)
    name = st.segmented_control(
        "More about this step",
        names,
        default=names[0],
        required=True,
        key="panel",
        label_visibility="collapsed",
        **IN_URL,
    )
    panels.get(name, panels[names[0]])(*arguments)


def show_step_chart(chart: Chart, k: int, key: str, alt: str) -> None:
    """Show a chart over the steps, with a line at step `k` and a summary sentence above the chart.

    It is SVG, so a new page need not wait for Plotly, and the picture is the same at every step.
    """
    figure = chart.figure
    assert isinstance(figure, CachedFigure)
    svg = figure.cached_text(lambda figure: render_svg(figure, alt, f"{key}-", chart.last, HALF))
    _chart(key=key, data=orjson.dumps([chart.finding, svg, k / max(chart.last, 1)]))
    on_screen()[chart.name] = chart


def show_tree(tree: Tree, height: int) -> None:
    """Show the merge tree of a token and register it for the export menu."""
    graph, name = merge_tree(tree.token, tree.made_by, tree.noun), show_spaces(tree.token)
    # It has its own container because updating a Graphviz chart in place takes over a second.
    with st.container(height=height, border=False, key=f"tree of {name}"):
        st.graphviz_chart(graph, alt=f"The merges that made {name}, as a tree.")
    on_screen()[tree.name] = tree


def show_chart(chart: Chart, key: str, alt: str = "") -> None:
    """Show a chart and register it for the export menu."""
    bare = {"displayModeBar": False}
    st.plotly_chart(chart.figure, key=key, config=bare, alt=alt or chart.finding)
    on_screen()[chart.name] = chart


def on_screen() -> dict[str, Any]:
    """Return the charts, trees and panels' blocks that this page shows; `panel_choice` clears them.

    A chart or a tree is there by its name, the blocks of a panel by its title.
    """
    page = url_state.page()
    kept = st.session_state.get(ON_SCREEN)
    if kept is None or kept[0] != page:
        kept = st.session_state[ON_SCREEN] = page, {}
    return kept[1]


def show_tokens(text: str, encoding: Encoding, model: HasVocabulary, back: str) -> None:
    """Show a text's tokens with their ids, its metrics, and `back`, the text decoded from them."""
    metrics = measure(text, encoding, len(model.vocab) - (model.settings.unk is not None))
    st.markdown(
        f"**{count_of(metrics.tokens, 'token')}** for {count_of(metrics.characters, 'character')}"
        f" · {metrics.characters_per_token or 0:.2f} characters per token"
        f" · {metrics.unknown:,} unknown · {metrics.vocabulary:,} pieces in the vocabulary"
    )
    unknown = encoding.unknown()
    st.html(html_tiles(encoding.pieces, ids=encoding.ids, unknown=unknown))
    if unknown:
        st.caption(f"Dashed: not in the vocabulary, so {encoding.tokens[unknown[0]]} replaces it.")
    same = "exactly the original text" if back == text else "not quite the original text"
    st.caption(f"Decoded, it is {same}:")
    shown = "\n".join(map(escape_invisible, back.split("\n")))
    st.code(shown, language=None, wrap_lines=True)


def show_code(*functions: Callable) -> None:
    """Show the source of these functions."""
    for function in functions:
        st.code(dedent(inspect.getsource(function)), language="python")


@dataclass(frozen=True, slots=True)
class CodePair:
    """An algorithm's functions in `tokenizers/plain.py`, and the fast functions that ran instead.

    `why` explains what makes the `fast` functions fast.
    """

    plain: tuple[Callable, ...]
    fast: tuple[Callable, ...]
    why: str


def show_both_codes(codes: CodePair, write: Callable[[], str]) -> None:
    """Show the plain and the fast code side by side, and the script that `write` returns."""
    left, right = st.columns(2)
    with left:
        st.markdown(
            "**The plain way** (`tokenizers/plain.py`). It counts everything again at every step. "
            "The button *Code*, or the key D, puts it beside the picture and lights its lines."
        )
        show_code(*codes.plain)
    with right:
        st.markdown(f"**The fast way**, which ran here. {codes.why}")
        show_code(*codes.fast)
    st.markdown("**Copy and run**")
    try:
        script = write()
    except NoScriptError as error:
        st.caption(str(error))
        return
    st.caption(
        "This script prints the steps by the plain way. It needs Python 3.10 or newer, and nothing "
        "else."
    )
    st.download_button("Save the script", script, "steps.py", on_click="ignore")
    st.code(script, language="python", height=SCRIPT_HEIGHT)
