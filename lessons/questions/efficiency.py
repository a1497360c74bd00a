"""Questions about how evenly tokens are used."""

from collections.abc import Mapping
from typing import Any

from lessons.format.trouble import NotThere
from lessons.format.words import Text, listed, percent
from lessons.questions.asking import MOST_OPTIONS, Asked, choose_from
from lessons.questions.judging import Option, Question
from lessons.records.efficiency import EfficiencyRecord


def most_even(asked: Asked[EfficiencyRecord]) -> Question:
    """Which row has the highest efficiency?"""
    rows = list(asked.record.rows.values())
    if not 1 < len(rows) <= MOST_OPTIONS:
        raise NotThere(f"This question is about 2 to {MOST_OPTIONS} rows. Give as many.")
    best = max(row.efficiency for row in rows)
    options = [
        Option(
            (row.title,),
            row.efficiency == best,
            (f"{row.title}: {percent(row.efficiency)}. The highest is {percent(best)}.",),
        )
        for row in rows
    ]
    right = listed([option.said for option in options if option.is_right])
    why: Text = (*right, f": {percent(best)}.")
    return choose_from(asked, "Which one has the highest efficiency?", options, right, why)


def by_efficiency(asked: Asked[EfficiencyRecord]) -> Question:
    """In which order are the rows by their efficiency?"""
    rows = list(asked.record.rows.values())
    if not 1 < len(rows) <= MOST_OPTIONS or len({row.efficiency for row in rows}) < 2:
        raise NotThere(f"Give 2 to {MOST_OPTIONS} rows to put in order, not all of them alike.")
    ordered = sorted(rows, key=lambda row: row.efficiency)
    if rows == ordered:
        rows.reverse()  # they would be in order already
    before = tuple(
        (a, b)
        for a, one in enumerate(rows)
        for b, two in enumerate(rows)
        if one.efficiency < two.efficiency
    )
    options = tuple(Option((row.title,), why=(percent(row.efficiency),)) for row in rows)
    said = ", ".join(f"{row.title} has {percent(row.efficiency)}" for row in ordered)
    prompt: Text = ("Put these in order, the lowest efficiency first.",)
    answer = listed([(row.title,) for row in ordered])
    return Question(asked.kind, "order", prompt, answer, (f"{said}.",), options, before=before)


EFFICIENCY_QUESTIONS: Mapping[str, tuple[Any, tuple[str, ...]]] = {
    "most_even": (most_even, ()),
    "by_efficiency": (by_efficiency, ()),
}
"""By kind: what makes the question, and which keys it may have."""
