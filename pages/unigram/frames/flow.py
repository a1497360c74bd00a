"""The E step of a Unigram film as one picture: shares times counts flow into the bars of pieces.

A few words are drawn with their lattices. The share of each arc, times the count of its word, flows
into the bar of its piece; the M step divides the bars by their sum. The models and the counts are
those of the record. Left out: all words and pieces but the few that matter, which is said.
"""

import math
from collections.abc import Sequence
from dataclasses import replace

from pages.shared.drawing.phrasing import RichText, count_of
from pages.shared.recording.flow import FlowArcFrame, FlowBar, FlowFrame
from pages.unigram.frames.flow_layout import Drawn, Layout, Place, Shares, whole_of
from pages.unigram.frames.pruning import why_pruned
from pages.unigram.frames.tables import counts_taken
from pages.unigram.numbers import PRACTICALLY_0, probability
from tokenizers.record.unigram_trace import UnigramTrace
from tokenizers.unigram.steps import Expectation, Finalize, Maximization, Prune, Seed, Step

PHASES = {
    Seed: "seed",
    Expectation: "expectation",
    Maximization: "maximization",
    Prune: "prune",
    Finalize: "final",
}


class Flows:
    """The picture of a run, position after position: `flow` is what stays the same."""

    def __init__(self, trace: UnigramTrace, watched: str = "", pinned: Sequence[str] = ()) -> None:
        self.settings, self.layout = trace.settings, Layout(trace, watched, pinned)
        self.flow = self.layout.flow
        self.expected: Expectation | None = None
        self.known = 0

    def at_start(self) -> FlowFrame:
        """Return the picture before there is any piece."""
        nothing = FlowArcFrame(0.0, 0.0, "", is_present=False)
        arcs = tuple(tuple(nothing for _ in word.arcs) for word in self.flow.words)
        bars = tuple(FlowBar(0.0, None, "", state="gone") for _ in self.layout.pieces)
        return FlowFrame("seed", arcs, bars, "", "", 0.0, None, 0, "", self._left_out())

    def take(self, step: Step, focus: str = "") -> FlowFrame:
        """Return the picture after a step; `focus` is the piece that the sentence speaks of."""
        if isinstance(step, Expectation):
            self.expected, self.known = step, self.known + 1
        last = self.expected
        found = self.layout.found[self.known - 1] if last else None
        whole = whole_of(last) if last else 0.0
        value = f"{last.log_likelihood:,.2f}".replace("-", "−") if last else ""
        return FlowFrame(
            PHASES[type(step)],
            self._arcs(step, found),
            self._bars(step, found),
            self._head(step),
            self._rest(step),
            whole,
            self.layout.pieces.index(focus) if focus in self.layout.pieces else None,
            self.known,
            value,
            self._left_out(found if isinstance(step, Expectation) else None),
        )

    def _arcs(self, step: Step, found: list[Shares] | None) -> tuple[tuple[FlowArcFrame, ...], ...]:
        there = self.layout.chosen.of(step.log_probs)
        best = self.layout.shares(step.log_probs)
        return tuple(
            tuple(
                _arc(word, place, found[n] if found else None, word.piece(place) in there, best[n])
                for place in word.places
            )
            for n, word in enumerate(self.layout.words)
        )

    def _bars(self, step: Step, found: list[Shares] | None) -> tuple[FlowBar, ...]:
        match step:
            case Expectation():
                assert found is not None
                return tuple(self._expected(step, piece, found) for piece in self.layout.pieces)
            case Maximization():
                return tuple(self._divided(step, piece) for piece in self.layout.pieces)
            case Prune():
                return tuple(self._pruned(step, piece) for piece in self.layout.pieces)
            case _:
                logs = step.log_probs
                return tuple(_probable(logs.get(piece), None) for piece in self.layout.pieces)

    def _expected(self, step: Expectation, piece: str, found: list[Shares]) -> FlowBar:
        if piece not in step.expected_counts:
            return FlowBar(0.0, None, "–", state="gone")
        count, before = step.expected_counts[piece], math.exp(step.log_probs[piece])
        why = self._why_expected(piece, count, found)
        return FlowBar(count / whole_of(step), before, written(count), reason=why)

    def _why_expected(self, piece: str, count: float, found: list[Shares]) -> RichText:
        """Say which words add up to a count: 3 × 0.4545 + 13 × 0.4545 = 26 × 0.4545 = …"""
        terms = [(n, s) for n, s in self.layout.terms(piece, found) if n * s >= 0.005]
        said = " + ".join(product(n, s) for n, s in terms)
        alike = {share_of(s, max(n for n, _ in terms)) for _, s in terms}
        if len(terms) > 1 and len(alike) == 1:
            said = f"{said} = {sum(n for n, _ in terms):,} × {alike.pop()}"
        rest = count - sum(n * s for n, s in terms)
        more = " + " if terms else ""
        if rest >= 0.005:
            said = f"{said}{more}{written(rest)} from what is not drawn"
        return (f"{said} = " if said else "expected ", ("strong", written(count)))

    def _divided(self, step: Maximization, piece: str) -> FlowBar:
        before, after = step.before.get(piece), step.after.get(piece)
        bar = _probable(after, before)
        assert self.expected
        if after is None:
            return bar
        if self.settings.m_step == "digamma":
            shrinks = "its share of the counts, shrunk by the digamma function: "
            return replace(bar, why=(shrinks, ("strong", bar.number)))
        counts = counts_taken(step, self.expected, self.settings)
        small = f"{written(counts[piece])} / {written(float(counts.array.sum()))}"
        if bar.length < PRACTICALLY_0:
            return replace(bar, why=("expected practically never",))
        return replace(bar, small=small, why=(f"{small} = ", ("strong", bar.number)))

    def _pruned(self, step: Prune, piece: str) -> FlowBar:
        before, after = step.before.get(piece), step.after.get(piece)
        if before is None:
            return _probable(None, None)
        why = why_pruned(step, piece, self.settings)
        if after is None:
            return FlowBar(math.exp(before), None, "removed", state="removed", reason=why)
        return replace(_probable(after, before), why=why)

    def _head(self, step: Step) -> str:
        match step:
            case Seed():
                return "starting probability"
            case Expectation():
                return "expected count · the line: p before"
            case Maximization() if self.settings.m_step != "digamma":
                return "count / sum of all = p · the line: p before"
            case _:
                return "probability"

    def _rest(self, step: Step) -> str:
        others = len(step.log_probs) - len(self.layout.of_bars(step.log_probs))
        named = f"{count_of(others, 'other piece')}: " if others else ""
        if isinstance(step, Expectation):
            shown = sum(self.layout.of_bars(step.expected_counts).values())
            rest = f"{written(max(whole_of(step) - shown, 0.0))} · " if others else ""
            return f"{named}{rest}all together: {written(whole_of(step))}"
        shown = sum(math.exp(log) for log in self.layout.of_bars(step.log_probs).values())
        rest = probability(max(1 - shown, PRACTICALLY_0 / 2))
        return f"{named}{rest}" if others else ""

    def _left_out(self, found: list[Shares] | None = None) -> str:
        """Say which words are not drawn, and how much flows from arcs that have no flow."""
        said = [count_of(self.layout.others, "other word")] if self.layout.others else []
        if found:
            lost = [
                word.count * shares.of_arcs.get(place, 0.0)
                for word, shares in zip(self.layout.words, found, strict=True)
                for place in word.places
                if place not in word.rows
            ]
            if lost and sum(lost) >= 0.005:
                said.append(f"{count_of(len(lost), 'arc')}, together {written(sum(lost))}")
        return f"Not drawn as flows: {' and '.join(said)}." if said else ""


# --- How it is written ----------------------------------------------------------------------------


def written(value: float) -> str:
    """Return a count as the picture shows it, to hundredths.

    >>> written(11.818), written(26.0), written(1234.5), written(0.001)
    ('11.82', '26', '1,234', '0')
    """
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.2f}".rstrip("0").rstrip(".") or "0"


def share_of(share: float, count: int) -> str:
    """Return a share with so many digits that count times share is right to hundredths.

    >>> share_of(5 / 11, 26), share_of(1.0, 3), share_of(1 / 3, 10_000)
    ('0.4545', '1', '0.333333')
    """
    digits = max(4, 2 + math.ceil(math.log10(max(count, 1))))
    return f"{share:.{digits}f}".rstrip("0").rstrip(".")


def product(count: int, share: float) -> str:
    """Return a count times a share.

    >>> product(13, 5 / 11)
    '13 × 0.4545'
    """
    return f"{count:,} × {share_of(share, count)}"


def _arc(
    word: Drawn, place: Place, shares: Shares | None, is_there: bool, now: Shares
) -> FlowArcFrame:
    if shares is None:
        return FlowArcFrame(0.0, 0.0, "", is_there)
    share = shares.of_arcs.get(place, 0.0)
    text = product(word.count, share)
    return FlowArcFrame(word.count * share, share, text, is_there, place in now.best)


def _probable(log: float | None, before: float | None) -> FlowBar:
    if log is None:
        return FlowBar(0.0, None, "–", state="gone")
    p = math.exp(log)
    number = "≈ 0" if p < PRACTICALLY_0 else probability(p)
    return FlowBar(p, None if before is None else math.exp(before), number)
