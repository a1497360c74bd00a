"""The message from which a browser draws the language mix; exported files hold the same message."""

from dataclasses import astuple
from pathlib import Path

from pages.languages import findings
from pages.languages.study import MEASURES, PASSAGES, SHARES, Study
from pages.shared.component import PRESENTER, build_component

_SCRIPTS = (*PRESENTER, "presenter.js", "mix_component.js")
MIX = build_component("languages", Path(__file__).parent, "mix_component.css", *_SCRIPTS)


def message(study: Study, measure: str, code: str) -> dict[str, object]:
    """Return the message, with the tiles of the language `code`, but without the chosen share."""
    request, by_script = study.request, findings.groups(study, measure)
    values = [value for _, rows in by_script for row in rows for value in row.values]
    return {
        "first": findings.name_of(request.first),
        "second": findings.name_of(request.second),
        "mixes": [findings.mix_name(request, share) for share in SHARES],
        "sentences": [findings.describe_share(study, n) for n in range(len(SHARES))],
        "users": [findings.describe_piece_use(request, mix) for mix in study.mixes],
        "shares": [astuple(mix.piece_use) for mix in study.mixes],
        "unit": MEASURES[measure],
        "half": SHARES.index(50),
        "most": max(value for value in values if value is not None),
        "groups": [[script, [_row(row, measure) for row in rows]] for script, rows in by_script],
        "legend": findings.legend(request.kind),
        **split_of(study, code),
    }


def split_of(study: Study, code: str) -> dict[str, object]:
    """Return the part of the message about one language, with its tiles at every share."""
    kinds: dict[findings.TileLook, int] = {}
    tiles = (findings.tiles(mix.cuts[code], study.request.kind) for mix in study.mixes)
    cuts = [[kinds.setdefault(tile, len(kinds)) for tile in row] for row in tiles]
    return {
        "title": f"The unseen sentences in {findings.name_of(code)}",
        "cut": code,
        "dir": PASSAGES[code].direction,
        "tiles": [list(tile) for tile in kinds],
        "cuts": cuts,
    }


def _row(row: findings.LanguageRow, measure: str) -> list[object]:
    written = ["no spaces" if v is None else findings.number(v, measure) for v in row.values]
    lost = [
        f"{share:.0%} unknown" if share >= findings.MIN_UNKNOWN_SHOWN else ""
        for share in row.unknown
    ]
    passage = PASSAGES[row.code]
    return [row.code, passage.name, passage.native_name, row.values, written, row.unknown, lost]
