"""The language mix: a slider in the browser that moves the bars and the tiles at once.

One component: stage.js shows what was recorded for every share of the mix, and when it rests
Python is told the share and the language; presenter.js has it fill the window. Left out: what is
shown (shown.py).
"""

from pathlib import Path

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
from pages.shared.stage import made, move, reported, rerun, settle, visit

_FIRST_SHARE = 1  # of SHARES: nine parts to one
_SCRIPTS = ("../shared/hall.js", "presenter.js", "stage.js")
_mount = made("languages", Path(__file__).parent, "stage.css", *_SCRIPTS)


def stage(study: Study, measure: str, large: bool) -> tuple[int, str]:
    """Show the mix; return which share is chosen, and which language is cut up below.

    They stand in the address as `mix`, in percent, and `cut`.
    """
    here = visit("languages") or move("languages", "", (_FIRST_SHARE, _first_cut(study)))
    mix, cut = address.news("mix"), address.news("cut")
    if mix is not None or cut is not None:
        here = move("languages", "", _told(study, mix, cut, *here.at))
    at, code = here.at
    match reported("languages", "chosen", here.key):
        case [int(share), str(language)]:
            at, code = share, language
    at = min(max(at, 0), len(SHARES) - 1)
    code = code if code in PASSAGES else _first_cut(study)
    settle("languages", (at, code))
    address.write("mix", None if at == _FIRST_SHARE else str(SHARES[at]))
    address.write("cut", None if code == _first_cut(study) else code)
    data = message(study, measure, at, code, large) | {"key": here.key}
    match reported("languages", "presenting", here.key):
        case [bool(is_on)]:
            address.write_switch("present", is_on)
    _mount(key="languages", data=data, on_chosen_change=rerun, on_presenting_change=rerun)
    return at, code


def _told(study: Study, mix: str | None, cut: str | None, at: int, code: str) -> tuple[int, str]:
    """Return where the address says to be; what it leaves out stays as it was."""
    if mix is not None:
        percents = [str(share) for share in SHARES]
        at = percents.index(mix) if mix in percents else _FIRST_SHARE
    return at, code if cut is None else cut


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
