"""The message from which a browser draws the language mix; exported files hold the same message."""

from dataclasses import astuple
from pathlib import Path

from lessons.texts.parallel import byte_premium
from pages.languages import findings
from pages.languages.study import MEASURES, PASSAGES, SHARES, MixResult, Study
from pages.shared.component import PRESENTER, build_component

_SCRIPTS = (*PRESENTER, "presenter.js", "mix_component.js")
MIX = build_component("languages", Path(__file__).parent, "mix_component.css", *_SCRIPTS)


def message(study: Study, measure: str, code: str, usual: Study | None = None) -> dict[str, object]:
    """Return the message, with the tiles of the language `code`, but without the chosen share.

    `usual` is the study of the usual rule, if languages choose the merges of `study`.
    """
    request, by_script = study.request, findings.groups(study, measure)
    compared = findings.rows_of(usual, measure) if usual else {}
    shown = [row for _, rows in by_script for row in rows]
    values = [value for row in [*shown, *compared.values()] for value in row.values]
    return {
        "first": findings.name_of(request.first),
        "second": findings.name_of(request.second),
        "mixes": [findings.mix_name(request, share) for share in SHARES],
        "sentences": [
            findings.describe_rules(study, usual, n) if usual else findings.describe_share(study, n)
            for n in range(len(SHARES))
        ],
        "users": [findings.describe_piece_use(request, mix) for mix in study.mixes],
        "shares": [astuple(mix.piece_use) for mix in study.mixes],
        "unit": MEASURES[measure],
        "marks": _marks(measure, usual is not None),
        "most": max(value for value in values if value is not None),
        "groups": [
            [script, [_row(row, measure, compared.get(row.code)) for row in rows]]
            for script, rows in by_script
        ],
        "legend": findings.legend(request.kind),
        "rules": _rules(study, usual) if usual else None,
        **split_of(study, code),
    }


def _marks(measure: str, has_rules: bool) -> str:
    """Return what the marks on the bars mean."""
    tick = "the most frequent pair chooses" if has_rules else "half and half"
    rest = (
        "◆ bytes for each English byte." if measure == "premium" else "Choose one to see it split."
    )
    return f"Tick: {tick}. {rest}"


def _rules(study: Study, usual: Study) -> dict[str, object]:
    """Return what all pay under both rules, and who chose each merge, at every share."""
    return {
        "heads": ["worst off chooses", "most frequent pair"],
        "burden": [findings.burden_rows(study, usual, n) for n in range(len(SHARES))],
        "languages": [list(mix.run.languages if mix.run else ()) for mix in study.mixes],
        "turns": [_turns(mix, study.request.kind) for mix in study.mixes],
    }


def _turns(mix: MixResult, kind: str) -> list[list[object]]:
    """Return for each merge: who chose, as an index or -1 for all, the pair, its count, lengths."""
    if mix.run is None:
        return []
    index = {code: n for n, code in enumerate(mix.run.languages)}
    return [
        [
            index.get(turn.language, -1),
            *(findings.piece_text(part, kind) for part in turn.pair),
            turn.count,
            turn.lengths,
        ]
        for turn in mix.run.turns
    ]


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


def _row(
    row: findings.LanguageRow, measure: str, usual: findings.LanguageRow | None
) -> dict[str, object]:
    lost = [
        f"{share:.0%} unknown" if share >= findings.MIN_UNKNOWN_SHOWN else ""
        for share in row.unknown
    ]
    passage, half = PASSAGES[row.code], row.values[SHARES.index(50)]
    return {
        "code": row.code,
        "name": passage.name,
        "native": passage.native_name,
        "values": row.values,
        "shown": row.written(measure),
        "lost": row.unknown,
        "lostTexts": lost,
        "ticks": usual.values if usual else [half] * len(SHARES),
        "usual": usual.written(measure) if usual else None,
        "bytes": byte_premium(passage) if measure == "premium" else None,
    }
