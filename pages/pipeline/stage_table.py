"""The rail: every stage of the pipeline under each other, with one token marked in all of them.

One component: stage_table.js draws what it is sent and marks the chosen token at once, by a click or the
arrow keys; when that rests, Python is told. Left out: what the rows hold (rows.py).
"""

from pages.pipeline.rows import Rail
from pages.pipeline.stage_table_message import RAIL, message
from pages.shared.component_state import mounting, move, reported, rerun, settle, visit
from pages.shared.controls import url_state

_mount = mounting(RAIL)


def rail(shown: Rail, name: str, large: bool = False) -> int:
    """Show the rail and return the chosen token; `name` tells this journey from others.

    The token, counted from 1, stands in the address as `at`.
    """
    first, last = shown.first, shown.first + max(len(shown.tiles) - 1, 0)
    told, here = url_state.news("at"), visit("rail")
    if told is not None or here is None or here.name != name:
        number = url_state.natural(told or "", digits=8)
        here = move("rail", name, first if number is None else number - 1)
    key = f"{here.key}:{first}"
    at = here.at
    match reported("rail", "token", key):
        case [int(token)]:
            at = token
    at = min(max(at, first), last)
    settle("rail", at)
    url_state.write("at", str(at + 1) if at != first else None)
    _mount(key="rail", data=message(shown, key, at, large), on_token_change=rerun)
    return at
