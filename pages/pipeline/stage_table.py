"""The stage table shows the pipeline's stages below each other, with one token marked in each.

stage_table.js draws the message and marks the chosen token at once, after a click or an arrow key.
Once the choice no longer changes, it is sent to Python. The rows are built in rows.py.
"""

from pages.pipeline.rows import StageTable
from pages.pipeline.stage_table_message import STAGE_TABLE, message
from pages.shared.component import pack_message
from pages.shared.component_state import component_renderer, no_op, sync_component
from pages.shared.controls import url_state
from pages.shared.synced_state import header_of, parse_int

_mount = component_renderer(STAGE_TABLE)


def stage_table(table: StageTable, name: str) -> int:
    """Show the table and return the chosen token; `name` identifies the text and model.

    The URL holds the token, counted from 1, as its parameter `at`.
    """
    first, last = table.first, table.first + max(len(table.tiles) - 1, 0)
    incoming = url_state.incoming("at")
    number = url_state.parse_natural(incoming or "", digits=8)
    state = sync_component(
        "stage_table",
        "token",
        name,
        first,
        parse=parse_int,
        address=None if incoming is None else first if number is None else number - 1,
        fit=lambda at: min(max(at, first), last),
    )
    at = state.current
    url_state.set_unless_default("at", str(at + 1), str(first + 1))
    data = pack_message(message(table) | header_of(state))
    _mount(key="stage_table", data=data, on_token_change=no_op)
    return at
