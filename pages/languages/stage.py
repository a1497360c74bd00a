"""The language mix: a slider in the browser that moves the bars and the tiles at once.

One component: stage.js shows what was recorded for every share of the mix, and when it rests
Python is told the share and the language. Left out: what is shown (shown.py).
"""

from pathlib import Path

import streamlit as st
from streamlit.components.v2 import component

from pages.languages.shown import (
    TOLD,
    Row,
    Tile,
    groups,
    legend,
    mix_named,
    name_of,
    number,
    said,
    tiles,
    users_said,
)
from pages.languages.study import MEASURES, PASSAGES, REST, SHARES, Study
from pages.shared.controls import address
from pages.shared.drawing.tiles import palette_css

_HERE = Path(__file__).parent
_FIRST_SHARE = 1  # of SHARES: nine parts to one
_mount = component(
    "piece_by_piece_languages",
    html='<div class="place"></div>',
    css=f":host {{{palette_css()}}}\n" + (_HERE / "stage.css").read_text("utf-8"),
    js=(_HERE / "stage.js").read_text("utf-8"),
)


def stage(study: Study, measure: str, large: bool) -> tuple[int, str]:
    """Show the mix; return which share is chosen, and which language is cut up below.

    They stand in the address as `mix`, in percent, and `cut`.
    """
    visit = st.session_state.get("languages.visit", 0)
    told_mix, told_cut = address.news("mix"), address.news("cut")
    if told_mix is not None or told_cut is not None or not visit:
        visit = st.session_state["languages.visit"] = visit + 1
    at, code = _position(study, told_mix, told_cut, str(visit))
    st.session_state["languages.at"] = (at, code)
    address.write("mix", None if at == _FIRST_SHARE else str(SHARES[at]))
    address.write("cut", None if code == _first_cut(study) else code)
    data = message(study, measure, at, code, large) | {"key": str(visit)}
    _mount(key="languages", data=data, on_chosen_change=_rerun)
    return at, code


def _position(study: Study, mix: str | None, cut: str | None, key: str) -> tuple[int, str]:
    """Return where to be: by the address, by the browser, or where this visitor was before."""
    at, code = st.session_state.get("languages.at", (_FIRST_SHARE, _first_cut(study)))
    match (st.session_state.get("languages") or {}).get("chosen"):
        case [int(share), str(language), told] if told == key:
            at, code = share, language
    if mix is not None:
        percents = [str(share) for share in SHARES]
        at = percents.index(mix) if mix in percents else _FIRST_SHARE
    if cut is not None:
        code = cut
    return min(max(at, 0), len(SHARES) - 1), code if code in PASSAGES else _first_cut(study)


def _first_cut(study: Study) -> str:
    """Return the language that is cut up at first."""
    return study.asked.first if study.asked.second == REST else study.asked.second


def message(study: Study, measure: str, at: int, code: str, large: bool) -> dict[str, object]:
    """Return what the browser draws."""
    asked, shown = study.asked, groups(study, measure)
    values = [value for _, rows in shown for row in rows for value in row.values]
    kinds: dict[Tile, int] = {}
    cuts = [
        [kinds.setdefault(tile, len(kinds)) for tile in tiles(mix.cuts[code], asked.kind)]
        for mix in study.mixes
    ]
    return {
        "at": at,
        "code": code,
        "large": large,
        "first": name_of(asked.first),
        "second": name_of(asked.second),
        "mixes": [mix_named(asked, share) for share in SHARES],
        "sentences": [said(study, n) for n in range(len(SHARES))],
        "users": [users_said(asked, mix) for mix in study.mixes],
        "shares": [
            [mix.users.first, mix.users.both, mix.users.second, mix.users.neither]
            for mix in study.mixes
        ],
        "unit": MEASURES[measure],
        "half": SHARES.index(50),
        "most": max(value for value in values if value is not None),
        "groups": [[script, [_row(row, measure) for row in rows]] for script, rows in shown],
        "title": f"The unseen sentences in {name_of(code)}",
        "legend": legend(asked.kind),
        "cut": code,
        "dir": PASSAGES[code].direction,
        "tiles": [list(tile) for tile in kinds],
        "cuts": cuts,
    }


def _row(row: Row, measure: str) -> list[object]:
    shown = ["no spaces" if v is None else number(v, measure) for v in row.values]
    lost = [f"{share:.0%} unknown" if share >= TOLD else "" for share in row.lost]
    return [row.code, row.name, row.native, row.values, shown, row.lost, lost]


def _rerun() -> None:
    """A named change is what makes Streamlit keep its value; the rerun does the rest."""
