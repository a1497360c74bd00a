"""Explain, by texts and the two pairs' numbers, why a merge differs between two runs.

Just before the first merge that differs, both runs have split all words alike, so the runs differ
only in the changed word's count.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from markupsafe import Markup

from lessons.format.words import RichText
from pages.shared.drawing.display_text import escape_invisible, show_spaces
from pages.shared.drawing.formulas import evaluation, score_text, worth_text
from pages.shared.drawing.markup import NUMBER, Cell, table
from pages.shared.drawing.rich_text_html import html_pair
from pages.what_if.two_runs import CountEdit, MergeRuns
from tokenizers.experiments.research.corpus_edit import Evidence, evidence
from tokenizers.merging.queue import TIE_RULE_REASONS
from tokenizers.record.trace import Trace


def describe_first_difference(head: RichText, runs: MergeRuns) -> RichText:
    """Describe, after `head`, the first merge that differs between two runs."""
    whole, changed, first = runs.whole, runs.changed, runs.first
    if first is None:
        if not len(whole):
            return (*head, "there is nothing to merge, before or after.")
        return (*head, ("strong", f"all {len(whole):,} merges stay the same"), ".")
    which: RichText = (("strong", f"merge {first:,}"),)
    if first > len(changed):
        pair = _pair_of(whole, first)
        return (*head, *which, " is missing, ", *pair, f": {changed.stop_reason}.")
    if first > len(whole):
        pair = _pair_of(changed, first)
        return (
            *head,
            "there is one more, ",
            *which,
            ": ",
            *pair,
            f". Before, {whole.stop_reason}.",
        )
    now, before = _pair_of(changed, first), _pair_of(whole, first)
    return (*head, *which, " is ", *now, " instead of ", *before, ".")


def _pair_of(trace: Trace, k: int) -> RichText:
    """Return the pair merged at step `k`, with its count or score."""
    first, second = trace.pairs[k - 1]
    return (("token", first), " + ", ("token", second), f" ({worth_text(trace, k)})")


@dataclass(frozen=True, slots=True)
class Rival:
    """A pair merged at the first difference, with its evidence in both runs just before that."""

    before: Evidence
    now: Evidence


def find_rivals(edit: CountEdit) -> tuple[Rival, ...]:
    """Return the pairs that the two runs merge at the first difference.

    The result is empty if no merge differs, and has only one pair if one run has ended before.
    """
    first, word = edit.first, edit.word
    if first is None:
        return ()
    both = edit.whole, edit.changed
    pairs = [trace.pairs[first - 1] for trace in both if first <= len(trace)]
    return tuple([Rival(*(evidence(run, first, pair, word) for run in both)) for pair in pairs])


def worth(evidence: Evidence, trace: Trace) -> Fraction:
    """Return the score or the count by which a pair is merged."""
    if not trace.settings.by_score or not evidence.count:
        return Fraction(evidence.count)
    first, second = evidence.parts
    return Fraction(evidence.count, first * second)


def describe_reason(edit: CountEdit) -> RichText:
    """Describe which numbers made one pair win before, and make the other win now."""
    found = find_rivals(edit)
    if len(found) < 2:
        return ()
    before = _describe_win(edit.whole, found[0].before, found[1].before)
    now = _describe_win(edit.changed, found[1].now, found[0].now)
    return ("Before: ", *before, " Now: ", *now)


def _describe_win(trace: Trace, winner: Evidence, loser: Evidence) -> RichText:
    more, less = worth(winner, trace), worth(loser, trace)
    pair: RichText = (("token", winner.pair[0]), " + ", ("token", winner.pair[1]))
    if more == less:
        rule = TIE_RULE_REASONS[trace.settings.ties]
        return (f"{_number_text(more)} = {_number_text(less)}, a tie; ", *pair, f" wins: {rule}.")
    if not less:
        return (f"{_number_text(more)}, and the other pair is not there, so ", *pair, ".")
    return (f"{_number_text(more)} > {_number_text(less)}, so ", *pair, ".")


def _number_text(value: Fraction) -> str:
    return f"{int(value):,}" if value.denominator == 1 else f"{float(value):.4g}"


def formula(edit: CountEdit, rival: Rival) -> str:
    """Return a formula (LaTeX) for a pair's new count or score after the word's count has changed.

    It is exact because both runs split all words alike before the first difference.
    """
    difference = rf"({edit.count} - {edit.old})"
    before, now = rival.before, rival.now
    above = rf"{before.count} + {difference}\cdot {before.in_word}"
    if not edit.whole.settings.by_score:
        name, symbols, numbers = "count", r"f(ab) + \Delta\cdot n_{ab}", above
        value = rf"{now.count}\text{{ times}}"
    else:
        name = "score"
        below = "".join(
            rf"\left({count} + {difference}\cdot {inside}\right)"
            for count, inside in zip(before.parts, before.parts_in_word, strict=True)
        )
        symbols = (
            r"\frac{f(ab) + \Delta\cdot n_{ab}}"
            r"{(f(a) + \Delta\cdot n_a)(f(b) + \Delta\cdot n_b)}"
        )
        numbers = rf"\frac{{{above}}}{{{below}}}"
        value = f"{float(worth(now, edit.changed)):.4g}"
    return evaluation(rf"\text{{{name}}}'(a,b)", symbols, numbers, value)


def html_rivals(edit: CountEdit, rivals: Sequence[Rival]) -> Markup:
    """Return an HTML table of both pairs' numbers just before the first difference."""
    scored = edit.whole.settings.by_score
    columns: list[object] = ["pair", Cell(f"in “{show_spaces(edit.word)}”", NUMBER)]
    for when in ("before", "now"):
        columns += [Cell(f"seen {when}", NUMBER), *[f"score {when}"] * scored]
    rows = (
        (
            html_pair(rival.before.pair),
            Cell(f"{rival.before.in_word:,} ×", NUMBER),
            *_evidence(rival.before, scored),
            *_evidence(rival.now, scored),
        )
        for rival in rivals
    )
    caption = f"Just before merge {edit.first or 0:,}, when every word is split alike in both"
    return table(columns, rows, escape_invisible(caption), kind="pp-runs")


def _evidence(evidence: Evidence, scored: bool) -> list[object]:
    count = Cell(f"{evidence.count:,}", NUMBER)
    score = score_text(evidence.count, evidence.parts) if all(evidence.parts) else "–"
    return [count, score] if scored else [count]
