"""The flow picture of EM, in which posterior shares times word counts flow into pieces' bars.

A few words are drawn with their lattices. Each arc's posterior share, times its word's count, flows
into the bar of its piece; the M step divides the bars by their sum. Models and counts are read from
the trace. A note counts the words and arcs that are not drawn.
"""

import math
from collections.abc import Sequence
from dataclasses import replace

from lessons.format.words import RichText
from pages.shared.drawing.phrasing import count_of
from pages.shared.recording.flow import FlowArcFrame, FlowBar, FlowFrame
from pages.unigram.frames.flow_layout import FlowLayout, Shares, WordLayout, total_count
from pages.unigram.frames.pruning import explain_pruning
from pages.unigram.frames.tables import e_steps, effective_counts
from pages.unigram.frames.ways import Span, Ways
from pages.unigram.numbers import PRACTICALLY_0, probability
from tokenizers.record.unigram_trace import UnigramTrace
from tokenizers.unigram.steps import (
    Expectation,
    Finalize,
    Maximization,
    PieceTable,
    Prune,
    Seed,
    Step,
)

PHASES = {
    Seed: "seed",
    Expectation: "expectation",
    Maximization: "maximization",
    Prune: "prune",
    Finalize: "final",
}


class FlowFrames:
    """The flow picture of a run at any step; `flow` has what is the same in all frames."""

    def __init__(self, trace: UnigramTrace, watched: str = "", pinned: Sequence[str] = ()) -> None:
        self.trace, self.settings = trace, trace.settings
        self.layout = FlowLayout(trace, watched, pinned)
        self.flow = self.layout.flow

    def at_start(self) -> FlowFrame:
        """Return the picture of the candidates, before any has a probability."""
        nothing = FlowArcFrame(0.0, 0.0, "")
        arcs = tuple(tuple(nothing for _ in word.arcs) for word in self.flow.words)
        bars = tuple(FlowBar(0.0, None, "") for _ in self.layout.pieces)
        return FlowFrame("seed", arcs, bars, "", "", "", 0.0, None, 0, "", self._hidden_note())

    def frame(self, k: int, focus: str = "") -> FlowFrame:
        """Return the picture after step `k`; `focus` is the piece that the sentence names."""
        step, expected = self.trace.step(k), e_steps(self.trace, k)
        last, known = expected[-1] if expected else None, len(expected)
        found = self.layout.shares_by_step[known - 1] if last else None
        ways = self.layout.ways(known - 1, last) if last else []
        whole = total_count(last) if last else 0.0
        value = f"{last.log_likelihood:,.2f}".replace("-", "−") if last else ""
        return FlowFrame(
            PHASES[type(step)],
            self._arcs(step, found, ways),
            self._bars(step, last, found),
            *self._heads(step),
            self._others_text(step),
            whole,
            self.layout.pieces.index(focus) if focus in self.layout.pieces else None,
            known,
            value,
            self._hidden_note(found if isinstance(step, Expectation) else None),
            tuple(one.shown if one else None for one in ways),
        )

    def _arcs(
        self, step: Step, found: list[Shares] | None, ways: list[Ways | None]
    ) -> tuple[tuple[FlowArcFrame, ...], ...]:
        there = self.layout.parts.of(step.log_probs)
        best = self.layout.shares(step.log_probs)
        return tuple(
            tuple(
                _arc(word, span, found[n], ways[n], word.piece(span) in there, span in best[n].best)
                if found
                else FlowArcFrame(0.0, 0.0, "", word.piece(span) in there)
                for span in word.spans
            )
            for n, word in enumerate(self.layout.words)
        )

    def _bars(
        self, step: Step, expected: Expectation | None, found: list[Shares] | None
    ) -> tuple[FlowBar, ...]:
        match step:
            case Expectation():
                assert found is not None
                return tuple(self._expected_bar(step, piece, found) for piece in self.layout.pieces)
            case Maximization():
                assert expected
                counts = effective_counts(step, expected, self.settings)
                return tuple(self._divided_bar(step, piece, counts) for piece in self.layout.pieces)
            case Prune():
                return tuple(self._pruned_bar(step, piece) for piece in self.layout.pieces)
            case _:
                logs = step.log_probs
                return tuple(
                    _probability_bar(logs.get(piece), None) for piece in self.layout.pieces
                )

    def _expected_bar(self, step: Expectation, piece: str, found: list[Shares]) -> FlowBar:
        if piece not in step.expected_counts:
            return FlowBar(0.0, None, "–", state="gone")
        count, before = step.expected_counts[piece], math.exp(step.log_probs[piece])
        why = self._why_expected(piece, count, found)
        return FlowBar(count / total_count(step), before, format_count(count), reason=why)

    def _why_expected(self, piece: str, count: float, found: list[Shares]) -> RichText:
        """Return an expected count as a sum over words: 3 × 0.4545 + 13 × 0.4545 = …"""
        terms = [(n, s) for n, s in self.layout.terms(piece, found) if n * s >= 0.005]
        text = " + ".join(format_product(n, s) for n, s in terms)
        factors = {format_share(s, max(n for n, _ in terms)) for _, s in terms}
        if len(terms) > 1 and len(factors) == 1:
            text = f"{text} = {sum(n for n, _ in terms):,} × {factors.pop()}"
        rest = count - sum(n * s for n, s in terms)
        more = " + " if terms else ""
        if rest >= 0.005:
            text = f"{text}{more}{format_count(rest)} from what is not drawn"
        return (f"{text} = " if text else "expected ", ("strong", format_count(count)))

    def _divided_bar(self, step: Maximization, piece: str, counts: PieceTable) -> FlowBar:
        before, after = step.before.get(piece), step.after.get(piece)
        bar = _probability_bar(after, before)
        if after is None:
            return bar
        if self.settings.m_step == "digamma":
            shrinks = "its share of the counts, shrunk by the digamma function: "
            return replace(bar, reason=(shrinks, ("strong", bar.number)))
        small = f"{format_count(counts[piece])} / {format_count(float(counts.array.sum()))}"
        if bar.length < PRACTICALLY_0:
            return replace(bar, reason=("expected practically never",))
        return replace(bar, subtext=small, reason=(f"{small} = ", ("strong", bar.number)))

    def _pruned_bar(self, step: Prune, piece: str) -> FlowBar:
        before, after = step.before.get(piece), step.after.get(piece)
        if before is None:
            return _probability_bar(None, None)
        why = explain_pruning(step, piece, self.settings)
        if after is None:
            return FlowBar(math.exp(before), None, "removed", state="removed", reason=why)
        return replace(_probability_bar(after, before), reason=why)

    def _heads(self, step: Step) -> tuple[str, str]:
        """Return what the bars are, and what the numbers beside them are."""
        match step:
            case Seed():
                return "starting probability", ""
            case Expectation():
                return "share of all counts (line: p before)", "expected count"
            case Maximization() if self.settings.m_step != "digamma":
                return "new probability (line: p before)", "count / sum = p"
            case _:
                return "probability", ""

    def _others_text(self, step: Step) -> str:
        others = len(step.log_probs) - len(self.layout.of_bars(step.log_probs))
        named = f"{count_of(others, 'other piece')}: " if others else ""
        if isinstance(step, Expectation):
            shown = sum(self.layout.of_bars(step.expected_counts).values())
            rest = f"{format_count(max(total_count(step) - shown, 0.0))} · " if others else ""
            return f"{named}{rest}all together: {format_count(total_count(step))}"
        shown = sum(math.exp(log) for log in self.layout.of_bars(step.log_probs).values())
        rest = probability(max(1 - shown, PRACTICALLY_0 / 2))
        return f"{named}{rest}" if others else ""

    def _hidden_note(self, found: list[Shares] | None = None) -> str:
        """Return how many words and arcs are not drawn, and the arcs' total expected count."""
        notes = [count_of(self.layout.others, "other word")] if self.layout.others else []
        if found:
            lost = [
                word.count * shares.of_arcs.get(span, 0.0)
                for word, shares in zip(self.layout.words, found, strict=True)
                for span in word.spans
                if span not in word.rows
            ]
            if lost and sum(lost) >= 0.005:
                notes.append(f"{count_of(len(lost), 'arc')}, together {format_count(sum(lost))}")
        return f"Not drawn as flows: {' and '.join(notes)}." if notes else ""


# --- Number formats -------------------------------------------------------------------------------


def format_count(value: float) -> str:
    """Return a count as the picture shows it, to hundredths.

    >>> format_count(11.818), format_count(26.0), format_count(1234.5), format_count(0.001)
    ('11.82', '26', '1,234', '0')
    """
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.2f}".rstrip("0").rstrip(".") or "0"


def format_share(share: float, count: int) -> str:
    """Return a posterior share with enough digits that `count` times it is right to hundredths.

    >>> format_share(5 / 11, 26), format_share(1.0, 3), format_share(1 / 3, 10_000)
    ('0.4545', '1', '0.333333')
    """
    digits = max(4, 2 + math.ceil(math.log10(max(count, 1))))
    return f"{share:.{digits}f}".rstrip("0").rstrip(".")


def format_product(count: int, share: float) -> str:
    """Return the product of a word's count and a posterior share as text.

    >>> format_product(13, 5 / 11)
    '13 × 0.4545'
    """
    return f"{count:,} × {format_share(share, count)}"


def _arc(
    word: WordLayout, span: Span, shares: Shares, ways: Ways | None, is_there: bool, is_best: bool
) -> FlowArcFrame:
    share = shares.of_arcs.get(span, 0.0)
    text, quotient = format_product(word.count, share), ""
    if ways and span in word.rows and span in ways.through:
        quotient = f"{ways.through[span]} / {ways.shown.total} = {format_share(share, word.count)}"
    return FlowArcFrame(word.count * share, share, text, is_there, is_best, quotient)


def _probability_bar(log: float | None, before: float | None) -> FlowBar:
    if log is None:
        return FlowBar(0.0, None, "–", state="gone")
    p = math.exp(log)
    number = "≈ 0" if p < PRACTICALLY_0 else probability(p)
    return FlowBar(p, None if before is None else math.exp(before), number)
