"""The layout of the flow picture, i.e. which words, arcs and pieces it draws, and where.

It draws the words whose posterior shares, times their counts, change most in the run, and the arcs
with the largest flows. `flow.py` computes the values at each step.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from pages.shared.recording.flow import Flow, FlowArc, FlowWord
from pages.unigram.frames.tables import e_steps, likelihoods
from pages.unigram.frames.ways import Span, Ways, ways_of
from pages.unigram.frames.words import WordParts, unknown_of
from tokenizers.lattice import Lattice, best_path, posteriors
from tokenizers.record.unigram_trace import UnigramTrace
from tokenizers.unigram.steps import Expectation, Names, Step

WORDS, ROWS = 5, 12  # maximum numbers of words, and of arcs with a flow
LONGEST = 12  # characters of a word that is drawn
LONGEST_REQUESTED = 16  # of the watched word, of pinned ones, and where all words have room
CONSIDERED = 30  # the most frequent words, candidates for drawing
MAX_SAMPLES = 8  # E steps sampled to measure how much the words' shares change
MIN_FLOW_SHARE = 0.02  # an arc has a flow if its share ever reaches this


@dataclass(frozen=True, slots=True)
class Shares:
    """The posterior share of each arc of a word in an E step, and the arcs of the best path."""

    of_arcs: Mapping[Span, float]
    best: frozenset[Span]


def shares_in(word: str, known: Mapping[str, float], unknown: float, hard: bool) -> Shares:
    """Return the arcs' posterior shares under a model; with `hard` EM, 1 on the best path."""
    lattice = Lattice.build(word, known, unknown)
    path = best_path(lattice) or ()
    spans = [(edge.start, edge.end) for edge in lattice.edges]
    best = frozenset(spans[number] for number in path)
    if hard:
        return Shares({span: float(span in best) for span in spans}, best)
    return Shares(dict(zip(spans, posteriors(lattice), strict=True)), best)


@dataclass(frozen=True, slots=True)
class WordLayout:
    """A drawn word that occurs `count` times; `rows` are the spans whose arcs have flows."""

    text: str
    count: int
    spans: tuple[Span, ...]
    rows: tuple[Span, ...] = ()

    def piece(self, span: Span) -> str:
        """Return the piece of an arc."""
        return self.text[slice(*span)]


class FlowLayout:
    """The words and pieces that a run's flow picture draws; `flow` is its constant part.

    `shares_by_step` has each word's posterior shares at each E step.
    """

    def __init__(self, trace: UnigramTrace, watched: str = "", pinned: Sequence[str] = ()) -> None:
        self.hard = trace.settings.e_step == "max"
        counts = dict(trace.word_counts) if trace.steps else {}
        names = trace.seed.pieces.names if trace.steps else Names(())
        steps = e_steps(trace)
        words = _choose_words(counts, names, steps, (watched, *pinned), self.hard)
        self.parts = WordParts(names, words)
        self.others = len(counts) - len(words)
        known = set(self.parts.parts)
        self.words = tuple(
            WordLayout(
                word, counts[word], tuple(p for p in _spans(word) if word[slice(*p)] in known)
            )
            for word in words
        )
        self._ways: dict[int, list[Ways | None]] = {}
        self.shares_by_step = [self.shares(step.log_probs) for step in steps]
        most = [self._max_flows(n, word) for n, word in enumerate(self.words)]
        self.words = tuple(
            replace(word, rows=rows)
            for word, rows in zip(self.words, _rows(self.words, most, pinned), strict=True)
        )
        self.pieces = _order_pieces(self.words, most)
        self.flow = Flow(
            self._flow_words(),
            self.pieces,
            strongest=max((amount for of in most for amount in of.values()), default=1.0) or 1.0,
            widest=self._widest() or 1.0,
            longest=max(map(self._longest, trace.steps), default=1.0) or 1.0,
            curve=tuple(likelihoods(trace)),
            curve_title="log-likelihood at every E step",
        )

    def shares(self, log_probs: Mapping[str, float]) -> list[Shares]:
        """Return the posterior shares of each word's arcs under a model."""
        known, unknown = self.parts.of(log_probs), unknown_of(log_probs)
        return [shares_in(word.text, known, unknown, self.hard) for word in self.words]

    def ways(self, number: int, step: Expectation) -> list[Ways | None]:
        """Return the segmentations behind the shares of E step `number`, which is `step`.

        Hard EM has no use for them. They are kept: they are shown until the next E step.
        """
        if self.hard:
            return [None] * len(self.words)
        if number not in self._ways:
            known, unknown = self.parts.of(step.log_probs), unknown_of(step.log_probs)
            self._ways[number] = [
                ways_of(Lattice.build(word.text, known, unknown), word.spans, shares.of_arcs)
                for word, shares in zip(self.words, self.shares_by_step[number], strict=True)
            ]
        return self._ways[number]

    def of_bars(self, table: Mapping[str, float]) -> dict[str, float]:
        """Return the entries of a table for the pieces that have bars."""
        wanted = set(self.pieces)
        return {part: value for part, value in self.parts.of(table).items() if part in wanted}

    def terms(self, piece: str, found: list[Shares]) -> list[tuple[int, float]]:
        """Return (count, expected uses of the piece) for each word that contains the piece."""
        terms = []
        for word, shares in zip(self.words, found, strict=True):
            of_piece = [shares.of_arcs.get(p, 0.0) for p in word.spans if word.piece(p) == piece]
            if of_piece:
                terms.append((word.count, sum(of_piece)))
        return terms

    def _max_flows(self, n: int, word: WordLayout) -> dict[Span, float]:
        """Return the largest flow, over all E steps, of every arc of word number `n`."""
        every = [found[n].of_arcs for found in self.shares_by_step]
        return {
            span: word.count * max((shares.get(span, 0.0) for shares in every), default=0.0)
            for span in word.spans
        }

    def _flow_words(self) -> tuple[FlowWord, ...]:
        bars = {piece: number for number, piece in enumerate(self.pieces)}
        return tuple(
            FlowWord(
                f"{word.count:,} ×",
                tuple(word.text),
                tuple(
                    FlowArc(*p, bars[word.piece(p)], word.rows.index(p))
                    if p in word.rows
                    else FlowArc(*p, None, None)
                    for p in word.spans
                ),
            )
            for word in self.words
        )

    def _widest(self) -> float:
        """Return the largest sum of flows into one bar."""
        into_bars = [
            sum(count * share for count, share in self.terms(piece, found))
            for found in self.shares_by_step
            for piece in self.pieces
        ]
        return max(into_bars, default=1.0)

    def _longest(self, step: Step) -> float:
        """Return the length of the longest bar at a step, as a fraction of the total."""
        if isinstance(step, Expectation):
            return max(self.of_bars(step.expected_counts).values(), default=0.0) / total_count(step)
        return max(map(math.exp, self.of_bars(step.log_probs).values()), default=0.0)


# --- Choosing what to draw ------------------------------------------------------------------------


def _choose_words(
    counts: Mapping[str, int],
    names: Names,
    esteps: list[Expectation],
    wanted: Collection[str],
    hard: bool,
) -> list[str]:
    """Return the wanted words and the words whose shares, times counts, change most."""
    are_few = len(counts) <= WORDS
    short = [
        word
        for word in counts
        if len(word) <= (LONGEST_REQUESTED if are_few or word in wanted else LONGEST)
    ]
    ranked = sorted(short, key=lambda word: -counts[word])[:CONSIDERED]
    ranked += [word for word in short if word in wanted and word not in ranked]
    if len(ranked) > WORDS:
        chosen = WordParts(names, ranked)
        models = [
            chosen.of(step.log_probs) for step in esteps[:: -(-len(esteps) // MAX_SAMPLES) or 1]
        ]
        changes = {word: counts[word] * _change(word, models, hard) for word in ranked}
        ranked = sorted(ranked, key=lambda word: (word not in wanted, -changes[word]))[:WORDS]
    return sorted(ranked, key=lambda word: -counts[word])


def _change(word: str, models: list[dict[str, float]], hard: bool) -> float:
    seen: dict[Span, list[float]] = {}
    for known in models:
        for span, share in shares_in(word, known, unknown_of(known), hard).of_arcs.items():
            seen.setdefault(span, []).append(share)
    return sum(max(shares) - min(shares) for shares in seen.values())


def _spans(word: str) -> list[Span]:
    """Return the possible spans of arcs, the longest first, then from the left."""
    every = [(i, j) for i in range(len(word)) for j in range(i + 1, len(word) + 1)]
    return sorted(every, key=lambda span: (span[0] - span[1], span[0]))


def _rows(
    words: Sequence[WordLayout], most: Sequence[Mapping[Span, float]], pinned: Sequence[str]
) -> list[tuple[Span, ...]]:
    """Return each word's arcs that get a row, i.e. its largest flows and all pinned pieces."""
    ranked = sorted(
        (-amount, n, span)
        for n, amounts in enumerate(most)
        for span, amount in amounts.items()
        if amount >= MIN_FLOW_SHARE * words[n].count
    )
    chosen = {(n, span) for _, n, span in ranked[:ROWS]}
    for n, (word, amounts) in enumerate(zip(words, most, strict=True)):
        if amounts:
            chosen.add((n, max(amounts, key=amounts.__getitem__)))
        chosen |= {(n, span) for span in word.spans if word.piece(span) in pinned}
    return [tuple(p for p in word.spans if (n, p) in chosen) for n, word in enumerate(words)]


def _order_pieces(
    words: Sequence[WordLayout], most: Sequence[Mapping[Span, float]]
) -> tuple[str, ...]:
    """Return the pieces that have rows, each near the height of its flows so that few cross."""
    rows = [(word.piece(p), of[p]) for word, of in zip(words, most, strict=True) for p in word.rows]
    moments: dict[str, float] = {}
    weights: dict[str, float] = {}
    for row, (piece, amount) in enumerate(rows):
        moments[piece] = moments.get(piece, 0.0) + row * amount
        weights[piece] = weights.get(piece, 0.0) + amount
    return tuple(sorted(weights, key=lambda piece: moments[piece] / (weights[piece] or 1.0)))


def total_count(step: Expectation) -> float:
    """Return the sum of all expected counts, or 1 if it is 0, so that it can be a divisor."""
    return float(step.expected_counts.array.sum()) or 1.0
