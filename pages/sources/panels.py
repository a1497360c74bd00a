"""The controls of *Check the sources* choose which claims are shown, and how they are grouped."""

from collections.abc import Sequence

import streamlit as st

from lessons.claims import VERDICTS, Checked
from pages.shared.controls.url_state import segments
from pages.sources import claims

GROUPS = {"example": "By topic", "source": "By source"}
ALL = "all"


def choose_claims(rows: Sequence[Checked]) -> dict[str, list[Checked]]:
    """Choose which claims to show, and their grouping; return the groups."""
    counts = {name: sum(row.verdict == name for row in rows) for name in VERDICTS}
    labels = {ALL: f"All {len(rows)}"} | {
        name: f"{claims.SIGNS[name]} {name}: {count}" for name, count in counts.items()
    }
    left, right = st.columns([3, 2])
    with left:
        wanted = segments("Verdict", labels, ALL, key="verdict")
    with right:
        group = segments("Grouped", GROUPS, "example", key="group")
    kept = [row for row in rows if wanted in (ALL, row.verdict)]
    return claims.by_source(kept) if group == "source" else claims.by_example(kept)
