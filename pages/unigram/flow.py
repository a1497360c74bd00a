"""The E step of a Unigram film as one picture: shares times counts flow into the bars of pieces.

A few words are drawn with their lattices. The share of each arc, times the count of its word, flows
into the bar of its piece; the M step divides the bars by their sum. The models and the counts are
those of the record. Left out: all words and pieces but the few that matter, which is said.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from pages.shared.drawing.phrases import Say, count_of
from pages.shared.film.flow import Flow, FlowArc, FlowArcAt, FlowAt, FlowBar, FlowWord
from pages.unigram.numbers import probability
from pages.unigram.pruning import why_pruned
from pages.unigram.tables import counts_taken, dense
from tokenizers.lattice import Lattice, best_path, posteriors
from tokenizers.record.unigram_trace import UnigramTrace
from tokenizers.unigram import UNKNOWN_PENALTY
from tokenizers.unigram.steps import (
    Expectation,
    Finalize,
    Maximization,
    Names,
    Prune,
    Seed,
    Step,
    Table,
)

WORDS, ROWS = 5, 15  # drawn at most: words, arcs with a flow
LONGEST = 12  # characters of a word that is drawn
CONSIDERED = 30  # the most frequent words, of which those are drawn that change most
LOOKS = 8  # E steps at which it is looked how much they change
LEAST = 0.02  # an arc that never has so large a share has no flow
PHASES = {
    Seed: "seed",
    Expectation: "expectation",
    Maximization: "maximization",
    Prune: "prune",
    Finalize: "final",
}
Place = tuple[int, int]
"""Where an arc begins and ends."""


@dataclass(frozen=True, slots=True)
class Shares:
    """What an E step finds in a word: the share of each arc, and the arcs of the best path."""

    of_arcs: Mapping[Place, float]
    best: frozenset[Place]


class Chosen:
    """The parts of some words, looked up in the models of a run by their numbers."""

    def __init__(self, names: Names, words: Iterable[str]) -> None:
        parts = {
            word[start:end]
            for word in words
            for start in range(len(word))
            for end in range(start + 1, len(word) + 1)
        }
        self.parts = [part for part in sorted(parts) if part in names.numbers]
        self._numbers = np.array([names.numbers[part] for part in self.parts], np.int64)

    def of(self, table: Mapping[str, float]) -> dict[str, float]:
        """Return what the table says of those parts that are in it."""
        if not isinstance(table, Table):
            return {part: table[part] for part in self.parts if part in table}
        values = dense(table)[self._numbers].tolist()
        return {part: v for part, v in zip(self.parts, values, strict=True) if v == v}


def shares_in(word: str, known: Mapping[str, float], lowest: float, hard: bool) -> Shares:
    """Return the shares of the arcs of a word under a model; with `hard` EM the best has all."""
    lattice = Lattice.build(word, known, lowest - UNKNOWN_PENALTY)
    path = best_path(lattice) or ()
    places = [(edge.start, edge.end) for edge in lattice.edges]
    best = frozenset(places[number] for number in path)
    if hard:
        return Shares({place: float(place in best) for place in places}, best)
    return Shares(dict(zip(places, posteriors(lattice), strict=True)), best)


def _lowest(log_probs: Mapping[str, float]) -> float:
    if isinstance(log_probs, Table):
        return float(log_probs.array.min(initial=0.0))
    return min(log_probs.values(), default=0.0)


class Flows:
    """The picture of a run, position after position: `flow` is what stays the same."""

    def __init__(self, trace: UnigramTrace, watched: str = "") -> None:
        self.settings = trace.settings
        self.hard = trace.settings.e_step == "max"
        counts = dict(trace.word_counts) if trace.steps else {}
        names = trace.seed.pieces.names if trace.steps else Names(())
        esteps = [step for step in trace.steps if isinstance(step, Expectation)]
        self.words = _telling(counts, names, esteps, watched, self.hard)
        self.counts = [counts[word] for word in self.words]
        self.others = len(counts) - len(self.words)
        self.chosen = Chosen(names, self.words)
        self.places = [[p for p in _places(word) if word[slice(*p)] in names.numbers]
                       for word in self.words]  # fmt: skip
        self.found = {id(step): self._shares(step.log_probs) for step in esteps}
        self._lay_out(trace, esteps)
        self.expected: Expectation | None = None
        self.known = 0

    def _shares(self, log_probs: Mapping[str, float]) -> list[Shares]:
        known, lowest = self.chosen.of(log_probs), _lowest(log_probs)
        return [shares_in(word, known, lowest, self.hard) for word in self.words]

    # --- What stays the same --------------------------------------------------------------------

    def _lay_out(self, trace: UnigramTrace, esteps: list[Expectation]) -> None:
        most = self._most()
        rows = _rows(self.places, most, self.counts)
        weights: dict[str, list[tuple[float, float]]] = {}
        n = 0
        for word, at, amounts in zip(self.words, rows, most, strict=True):
            for place in at:
                weights.setdefault(word[slice(*place)], []).append((amounts[place], n))
                n += 1
        # The bars stand as their flows come: few of them cross.
        self.pieces = tuple(sorted(weights, key=lambda piece: _middle(weights[piece])))
        bars = {piece: number for number, piece in enumerate(self.pieces)}
        words = tuple(
            FlowWord(
                f"{count:,} ×",
                tuple(word),
                tuple(
                    FlowArc(*p, bars.get(word[slice(*p)]), at.index(p) if p in at else None)
                    for p in places
                ),
            )
            for word, count, places, at in zip(
                self.words, self.counts, self.places, rows, strict=True
            )
        )
        curve = tuple(
            (k, step.log_likelihood)
            for k, step in enumerate(trace.steps, start=1)
            if isinstance(step, Expectation)
        )
        stacks = [sum(self._into(piece, found)) for found in self.found.values()
                  for piece in self.pieces]  # fmt: skip
        title = "Log-likelihood of the text, nats"
        longest = max((self._longest(step) for step in trace.steps), default=1.0)
        self.flow = Flow(
            words, self.pieces, max(stacks, default=1.0) or 1.0, longest or 1.0, curve, title
        )

    def _most(self) -> list[dict[Place, float]]:
        """Return of each word, for every arc, the most that ever flows from it."""
        return [
            {
                place: count
                * max(
                    (found[n].of_arcs.get(place, 0.0) for found in self.found.values()), default=0
                )
                for place in places
            }
            for n, (places, count) in enumerate(zip(self.places, self.counts, strict=True))
        ]

    def _longest(self, step: Step) -> float:
        if isinstance(step, Expectation):
            lengths = self._lengths(step).values()
        else:
            lengths = [math.exp(log) for log in self._of_bars(step.log_probs).values()]
        return max(lengths, default=0.0)

    def _of_bars(self, table: Mapping[str, float]) -> dict[str, float]:
        wanted = set(self.pieces)
        return {part: value for part, value in self.chosen.of(table).items() if part in wanted}

    def _lengths(self, step: Expectation) -> dict[str, float]:
        whole = _whole(step)
        return {piece: c / whole for piece, c in self._of_bars(step.expected_counts).items()}

    def _into(self, piece: str, found: list[Shares]) -> list[float]:
        """Return how much flows into a bar from each word."""
        return [count * share for count, share in self._terms(piece, found)]

    def _terms(self, piece: str, found: list[Shares]) -> list[tuple[int, float]]:
        """Return for each word with the piece its count, and how often it expects the piece."""
        terms = []
        for word, count, places, shares in zip(
            self.words, self.counts, self.places, found, strict=True
        ):
            of_piece = [shares.of_arcs.get(p, 0.0) for p in places if word[slice(*p)] == piece]
            if of_piece:
                terms.append((count, sum(of_piece)))
        return terms

    # --- One position after the other -----------------------------------------------------------

    def at_start(self) -> FlowAt:
        """Return the picture before there is any piece."""
        nothing = FlowArcAt(0.0, 0.0, "", there=False)
        arcs = tuple(tuple(nothing for _ in word.arcs) for word in self.flow.words)
        bars = tuple(FlowBar(0.0, None, "", state="gone") for _ in self.pieces)
        return FlowAt("seed", arcs, bars, "", "", 0.0, None, 0, "", self._left_out())

    def take(self, step: Step, focus: str = "") -> FlowAt:
        """Return the picture after a step; `focus` is the piece that the sentence speaks of."""
        if isinstance(step, Expectation):
            self.expected, self.known = step, self.known + 1
        last = self.expected
        found = self.found[id(last)] if last else None
        whole = _whole(last) if last else 0.0
        drawn = self._bars(step, found)
        value = f"{last.log_likelihood:,.2f}".replace("-", "−") if last else ""
        return FlowAt(
            PHASES[type(step)],
            self._arcs(step, found),
            drawn,
            self._head(step),
            self._rest(step),
            whole,
            self.pieces.index(focus) if focus in self.pieces else None,
            self.known,
            value,
            self._left_out(found if isinstance(step, Expectation) else None),
        )

    def _arcs(self, step: Step, found: list[Shares] | None) -> tuple[tuple[FlowArcAt, ...], ...]:
        there = self.chosen.of(step.log_probs)
        best = self._shares(step.log_probs)
        return tuple(
            tuple(
                self._arc(count, place, found[n] if found else None,
                          word[slice(*place)] in there, place in best[n].best)
                for place in self.places[n]
            )
            for n, (word, count) in enumerate(zip(self.words, self.counts, strict=True))
        )  # fmt: skip

    def _arc(
        self, count: int, place: Place, shares: Shares | None, there: bool, best: bool
    ) -> FlowArcAt:
        if shares is None:
            return FlowArcAt(0.0, 0.0, "", there, False)
        share = shares.of_arcs.get(place, 0.0)
        return FlowArcAt(count * share, share, product(count, share), there, best)

    def _bars(self, step: Step, found: list[Shares] | None) -> tuple[FlowBar, ...]:
        match step:
            case Expectation():
                assert found
                return tuple(self._expected(step, piece, found) for piece in self.pieces)
            case Maximization():
                return tuple(self._divided(step, piece) for piece in self.pieces)
            case Prune():
                return tuple(self._pruned(step, piece) for piece in self.pieces)
            case _:
                logs = self._of_bars(step.log_probs)
                return tuple(_probable(logs.get(piece), None) for piece in self.pieces)

    def _expected(self, step: Expectation, piece: str, found: list[Shares]) -> FlowBar:
        if piece not in step.expected_counts:
            return FlowBar(0.0, None, "–", state="gone")
        count, before = step.expected_counts[piece], math.exp(step.log_probs[piece])
        why = self._why_expected(piece, count, found)
        return FlowBar(count / _whole(step), before, written(count), why=why)

    def _why_expected(self, piece: str, count: float, found: list[Shares]) -> Say:
        """Say which words add up to a count: 3 × 0.4545 + 13 × 0.4545 = 26 × 0.4545 = …"""
        terms = [(n, s) for n, s in self._terms(piece, found) if n * s >= 0.005]
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
        before, after = (self._of_bars(table).get(piece) for table in (step.before, step.after))
        bar = _probable(after, before)
        assert self.expected
        if after is None:
            return bar
        if self.settings.m_step == "digamma":
            shrinks = "its share of the counts, shrunk by the digamma function: "
            return replace(bar, why=(shrinks, ("strong", bar.number)))
        counts = counts_taken(step, self.expected, self.settings)
        small = f"{written(counts[piece])} / {written(float(counts.array.sum()))}"
        return replace(bar, small=small, why=(f"{small} = ", ("strong", bar.number)))

    def _pruned(self, step: Prune, piece: str) -> FlowBar:
        before, after = (self._of_bars(table).get(piece) for table in (step.before, step.after))
        if before is None:
            return _probable(None, None)
        why = why_pruned(step, piece, self.settings)
        if after is None:
            return FlowBar(math.exp(before), None, "removed", state="removed", why=why)
        bar = _probable(after, before)
        return FlowBar(bar.length, bar.before, bar.number, why=why)

    def _head(self, step: Step) -> str:
        match step:
            case Seed():
                return "starting probability"
            case Expectation():
                return "expected count"
            case Maximization() if self.settings.m_step != "digamma":
                return "count / sum of all = probability"
            case _:
                return "probability"

    def _rest(self, step: Step) -> str:
        others = len(step.log_probs) - len(self._of_bars(step.log_probs))
        named = f"{count_of(others, 'other piece')}: " if others else ""
        if isinstance(step, Expectation):
            shown = sum(self._of_bars(step.expected_counts).values())
            rest = f"{written(max(_whole(step) - shown, 0.0))} · " if others else ""
            return f"{named}{rest}all together: {written(_whole(step))}"
        shown = sum(math.exp(log) for log in self._of_bars(step.log_probs).values())
        return f"{named}{probability(max(1 - shown, 0.0))}" if others else ""

    def _left_out(self, found: list[Shares] | None = None) -> str:
        """Say which words are not drawn, and how much flows from arcs that have no flow."""
        said = [count_of(self.others, "other word")] if self.others else []
        if found:
            lost = [
                count * shares.of_arcs.get((arc.start, arc.end), 0.0)
                for word, count, shares in zip(self.flow.words, self.counts, found, strict=True)
                for arc in word.arcs
                if arc.row is None
            ]
            if lost and sum(lost) >= 0.005:
                said.append(f"{count_of(len(lost), 'thin arc')}, together {written(sum(lost))}")
        return f"Not drawn as a flow: {' and '.join(said)}." if said else ""


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
    ('0.4545', '1', '0.3333333')
    """
    digits = max(4, 3 + math.ceil(math.log10(max(count, 1))))
    return f"{share:.{digits}f}".rstrip("0").rstrip(".")


def product(count: int, share: float) -> str:
    """Return a count times a share.

    >>> product(13, 5 / 11)
    '13 × 0.4545'
    """
    return f"{count:,} × {share_of(share, count)}"


def _probable(log: float | None, before: float | None) -> FlowBar:
    if log is None:
        return FlowBar(0.0, None, "–", state="gone")
    p = math.exp(log)
    return FlowBar(p, None if before is None else math.exp(before), probability(p))


# --- What is worth drawing ------------------------------------------------------------------------


def _telling(
    counts: Mapping[str, int],
    names: Names,
    esteps: list[Expectation],
    watched: str,
    hard: bool,
) -> list[str]:
    """Return the words whose shares change most, times their counts; the watched one is first."""
    short = [word for word in counts if len(word) <= LONGEST]
    ranked = sorted(short, key=lambda word: -counts[word])[:CONSIDERED]
    if watched in short and watched not in ranked:
        ranked.append(watched)
    if len(ranked) > WORDS:
        chosen = Chosen(names, ranked)
        looks = [chosen.of(step.log_probs) for step in esteps[:: -(-len(esteps) // LOOKS) or 1]]
        changes = {word: counts[word] * _change(word, looks, hard) for word in ranked}
        ranked = sorted(ranked, key=lambda word: (word != watched, -changes[word]))[:WORDS]
    return sorted(ranked, key=lambda word: -counts[word])


def _change(word: str, looks: list[dict[str, float]], hard: bool) -> float:
    seen: dict[Place, list[float]] = {}
    for known in looks:
        lowest = min(known.values(), default=0.0)
        for place, share in shares_in(word, known, lowest, hard).of_arcs.items():
            seen.setdefault(place, []).append(share)
    return sum(max(shares) - min(shares) for shares in seen.values())


def _places(word: str) -> list[Place]:
    """Return where arcs may lie, the longest first, then from the left."""
    every = [(i, j) for i in range(len(word)) for j in range(i + 1, len(word) + 1)]
    return sorted(every, key=lambda place: (place[0] - place[1], place[0]))


def _rows(
    places: list[list[Place]], most: list[dict[Place, float]], counts: list[int]
) -> list[list[Place]]:
    """Return of each word the arcs from which something flows: of all arcs, those with most."""
    ranked = sorted(
        (
            (-amount, n, place)
            for n, amounts in enumerate(most)
            for place, amount in amounts.items()
            if amount >= LEAST * counts[n]
        ),
    )[:ROWS]
    taken = {(n, place) for _, n, place in ranked}
    return [[p for p in places[n] if (n, p) in taken] for n in range(len(places))]


def _middle(flows: list[tuple[float, float]]) -> float:
    """Return the middle of the rows, each weighed by how much flows from it."""
    whole = sum(amount for amount, _ in flows) or 1.0
    return sum(amount * row for amount, row in flows) / whole


def _whole(step: Expectation) -> float:
    """Return the sum of all expected counts, and never 0."""
    return float(step.expected_counts.array.sum()) or 1.0
