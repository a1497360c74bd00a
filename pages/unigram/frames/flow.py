"""The flow picture of EM, in which posterior shares times word counts flow into pieces' bars.

A few words are drawn with their lattices. Each arc's posterior share, times its word's count, flows
into the bar of its piece; the M step divides the bars by their sum. Models and counts are read from
the trace. A note counts the words and arcs that are not drawn.
"""

import math
from collections.abc import Sequence
from dataclasses import replace

from lessons.format.words import RichText
from pages.shared.drawing.phrasing import count_of, format_quotients, read_formatted
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
    Prune,
    Seed,
    Step,
)

MOST_MORE = 5  # digits more than usual, to make a written sum give the written count
MOST_DECIMALS = 5  # of a number that would otherwise read as 0 or 1
ROUNDING = 1e-12  # a smaller difference is that of two ways to compute the same

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
        head = "no probabilities yet"
        return FlowFrame("seed", arcs, bars, head, "", "", 0.0, None, 0, "", self._hidden_note())

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
                return self._divided_bars(step, expected)
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
        shown, text = format_count(count), ""
        for more in range(MOST_MORE):
            text, values = _sum_of_products(terms, count, more)
            if all(format_count(value) == shown for value in values):
                break
        return (f"{text} = " if text else "expected ", ("strong", shown))

    def _divided_bars(self, step: Maximization, expected: Expectation) -> tuple[FlowBar, ...]:
        """Return the bars after an M step; all counts are written with the same digits."""
        before, after = step.before, step.after
        bars = {piece: _probability_bar(after.get(piece), before.get(piece))
                for piece in self.layout.pieces}  # fmt: skip
        kept = [piece for piece in bars if piece in after]
        if self.settings.m_step == "digamma":
            shrinks = "its share of the counts, shrunk by the digamma function: "
            for piece in kept:
                bars[piece] = replace(bars[piece], reason=(shrinks, ("strong", bars[piece].number)))
            return tuple(bars.values())
        counts = effective_counts(step, expected, self.settings)
        likely = [piece for piece in kept if bars[piece].length >= PRACTICALLY_0]
        parts, whole = [counts[piece] for piece in likely], float(counts.array.sum())
        texts, below = format_quotients(parts, whole, probability)
        for piece in kept:
            bars[piece] = replace(bars[piece], reason=("expected practically never",))
        for piece, above in zip(likely, texts, strict=True):
            small, bar = f"{above} / {below}", bars[piece]
            bars[piece] = replace(
                bar, subtext=small, reason=(f"{small} = ", ("strong", bar.number))
            )
        return tuple(bars.values())

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
    """Return a count as the picture shows it, to hundredths, or with one digit if it is small.

    >>> format_count(11.818), format_count(26.0), format_count(1234.5), format_count(0.00123)
    ('11.82', '26', '1,234', '0.001')
    >>> format_count(0.0), format_count(1e-9), format_count(1.874_999_999_999_9)
    ('0', '≈ 0', '1.88')
    """
    value = float(f"{value:.12g}")  # half a digit is rounded as in 3 × 0.625, however it came about
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    return _fixed(value, 2)


def format_share(share: float, count: int, more: int = 0) -> str:
    """Return a posterior share with enough digits that `count` times it is right to hundredths.

    With `more`, it has as many more digits.

    >>> format_share(5 / 11, 26), format_share(1.0, 3), format_share(1 / 3, 10_000)
    ('0.4545', '1', '0.333333')
    >>> format_share(0.0000123, 2), format_share(0.9999877, 2), format_share(1e-12, 2)
    ('0.00001', '0.99999', '≈ 0')
    """
    digits = max(4, 2 + math.ceil(math.log10(max(count, 1)))) + more
    return _fixed(share, digits, (0.0, 1.0))


def _fixed(value: float, decimals: int, exact: Sequence[float] = (0.0,)) -> str:
    """Return a number with so many decimals, or more where it would read as an `exact` one."""
    for digits in range(decimals, max(decimals, MOST_DECIMALS) + 1):
        text = f"{value:.{digits}f}"
        if float(text) not in exact or abs(value - float(text)) < ROUNDING:
            return text.rstrip("0").rstrip(".") if "." in text else text
    return f"≈ {round(value)}"


def _sum_of_products(
    terms: Sequence[tuple[int, float]], count: float, more: int
) -> tuple[str, list[float]]:
    """Return a count as a sum over words and of the rest, and the values that are written.

    Its numbers have `more` digits than usual.
    """
    shares = [format_share(share, n, more) for n, share in terms]
    text = " + ".join(f"{n:,} × {share}" for (n, _), share in zip(terms, shares, strict=True))
    value = sum(n * _read(share) for (n, _), share in zip(terms, shares, strict=True))
    rest = count - sum(n * share for n, share in terms)
    if rest >= 0.005 * 10.0**-more:
        written = f"{rest:.{2 + more}f}".rstrip("0").rstrip(".")
        text = f"{text}{' + ' if terms else ''}{written} from what is not drawn"
        return text, [value + float(written)]
    if len(terms) > 1 and len(set(shares)) == 1:
        together = sum(n for n, _ in terms)
        return f"{text} = {together:,} × {shares[0]}", [value, together * _read(shares[0])]
    return text, [value] if text else []


def _read(text: str) -> float:
    return float(text.removeprefix("≈ "))


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
        quotient = _quotient(ways.through[span], ways.shown.total, share)
    return FlowArcFrame(word.count * share, share, text, is_there, is_best, quotient)


def _quotient(part: str, whole: str, share: float) -> str:
    """Return a division of two written numbers, with as many digits of the share as they give."""
    value = read_formatted(part) / read_formatted(whole)
    same = (d for d in range(4, 0, -1) if f"{value:.{d}f}" == f"{share:.{d}f}")
    text = f"{share:.{next(same, 0)}f}"
    is_whole = share != round(share) == float(text)
    shown = f"≈ {round(share)}" if is_whole else text.rstrip("0").rstrip(".")
    return f"{part} / {whole} = {shown}"


def _probability_bar(log: float | None, before: float | None) -> FlowBar:
    if log is None:
        return FlowBar(0.0, None, "–", state="gone")
    p = math.exp(log)
    number = "≈ 0" if p < PRACTICALLY_0 else probability(p)
    return FlowBar(p, None if before is None else math.exp(before), number)
