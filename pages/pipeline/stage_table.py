"""The stage table shows the pipeline's stages below each other, with one token marked in each.

stage_table.js draws the message and marks the chosen token at once, after a click or an arrow key.
Once the choice no longer changes, it is sent to Python. The rows are built in rows.py.
"""

from pages.pipeline.rows import StageTable
from pages.pipeline.stage_table_message import STAGE_TABLE, message
from pages.shared.component import pack_message
from pages.shared.component_state import (
    accept_client_value,
    client_report,
    component_renderer,
    current_state,
    no_op,
    set_from_server,
)
from pages.shared.controls import url_state

_mount = component_renderer(STAGE_TABLE)


def stage_table(table: StageTable, name: str) -> int:
    """Show the table and return the chosen token; `name` identifies the text and model.

    The URL holds the token, counted from 1, as its parameter `at`.
    """
    first, last = table.first, table.first + max(len(table.tiles) - 1, 0)
    incoming, here = url_state.incoming("at"), current_state("stage_table")
    if incoming is not None or here is None or here.name != name:
        number = url_state.parse_natural(incoming or "", digits=8)
        here = set_from_server("stage_table", name, first if number is None else number - 1)
    key = f"{here.key}:{first}"
    at = here.current
    match client_report("stage_table", "token", key):
        case [int(token)]:
            at = token
    at = min(max(at, first), last)
    accept_client_value("stage_table", at)
    url_state.set_param("at", str(at + 1) if at != first else None)
    data = pack_message(message(table, key, at))
    _mount(key="stage_table", data=data, on_token_change=no_op)
    return at
