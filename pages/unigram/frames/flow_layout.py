"""Which words, arcs and pieces the picture of the E step draws, and where they stand.

The words are those whose shares change most in the run, times their counts; the arcs those from
which most ever flows. Left out: what is shown of them at a step (`flow.py`).
"""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from pages.shared.recording.flow import Flow, FlowArc, FlowWord
from pages.unigram.frames.tables import e_steps, likelihoods
from pages.unigram.frames.words import Chosen, unknown_of
from tokenizers.lattice import Lattice, best_path, posteriors
from tokenizers.record.unigram_trace import UnigramTrace
from tokenizers.unigram.steps import Expectation, Names, Step

WORDS, ROWS = 5, 12  # drawn at most: words, arcs with a flow
LONGEST = 12  # characters of a word that is drawn
LONGEST_WANTED = 16  # if somebody asks for it
CONSIDERED = 30  # the most frequent words, of which those are drawn that change most
LOOKS = 8  # E steps at which it is looked how much they change
LEAST = 0.02  # an arc that never has so large a share has no flow
Place = tuple[int, int]
"""Where an arc begins and ends."""


@dataclass(frozen=True, slots=True)
class Shares:
    """What an E step finds in a word: the share of each arc, and the arcs of the best path."""

    of_arcs: Mapping[Place, float]
    best: frozenset[Place]


def shares_in(word: str, known: Mapping[str, float], unknown: float, hard: bool) -> Shares:
    """Return the shares of the arcs of a word under a model; with `hard` EM the best has all."""
    lattice = Lattice.build(word, known, unknown)
    path = best_path(lattice) or ()
    places = [(edge.start, edge.end) for edge in lattice.edges]
    best = frozenset(places[number] for number in path)
    if hard:
        return Shares({place: float(place in best) for place in places}, best)
    return Shares(dict(zip(places, posteriors(lattice), strict=True)), best)


@dataclass(frozen=True, slots=True)
class Drawn:
    """A word that is drawn: how often it occurs, where its arcs lie, and which have a row."""

    text: str
    count: int
    places: tuple[Place, ...]
    rows: tuple[Place, ...] = ()

    def piece(self, place: Place) -> str:
        """Return the piece of an arc."""
        return self.text[slice(*place)]


class Layout:
    """What the picture of a run draws: words, the pieces of bars, and `flow`, all that stays.

    `found` is what each E step finds in each of the words.
    """

    def __init__(self, trace: UnigramTrace, watched: str = "", pinned: Sequence[str] = ()) -> None:
        self.hard = trace.settings.e_step == "max"
        counts = dict(trace.word_counts) if trace.steps else {}
        names = trace.seed.pieces.names if trace.steps else Names(())
        steps = e_steps(trace)
        telling = _telling(counts, names, steps, (watched, *pinned), self.hard)
        self.chosen = Chosen(names, telling)
        self.others = len(counts) - len(telling)
        known = set(self.chosen.parts)
        self.words = tuple(
            Drawn(word, counts[word], tuple(p for p in _places(word) if word[slice(*p)] in known))
            for word in telling
        )
        self.found = [self.shares(step.log_probs) for step in steps]
        most = [self._most(n, word) for n, word in enumerate(self.words)]
        self.words = tuple(
            replace(word, rows=rows)
            for word, rows in zip(self.words, _rows(self.words, most, pinned), strict=True)
        )
        self.pieces = _in_order(self.words, most)
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
        """Return what an E step finds in each word under a model."""
        known, unknown = self.chosen.of(log_probs), unknown_of(log_probs)
        return [shares_in(word.text, known, unknown, self.hard) for word in self.words]

    def of_bars(self, table: Mapping[str, float]) -> dict[str, float]:
        """Return what a table says of the pieces that have bars, where it knows them."""
        wanted = set(self.pieces)
        return {part: value for part, value in self.chosen.of(table).items() if part in wanted}

    def terms(self, piece: str, found: list[Shares]) -> list[tuple[int, float]]:
        """Return for each word with the piece its count, and how often it expects the piece."""
        terms = []
        for word, shares in zip(self.words, found, strict=True):
            of_piece = [shares.of_arcs.get(p, 0.0) for p in word.places if word.piece(p) == piece]
            if of_piece:
                terms.append((word.count, sum(of_piece)))
        return terms

    def _most(self, n: int, word: Drawn) -> dict[Place, float]:
        """Return for every arc of a word the most that ever flows from it."""
        every = [found[n].of_arcs for found in self.found]
        return {
            place: word.count * max((shares.get(place, 0.0) for shares in every), default=0.0)
            for place in word.places
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
                    for p in word.places
                ),
            )
            for word in self.words
        )

    def _widest(self) -> float:
        """Return the most that ever flows into one bar."""
        into_bars = [
            sum(count * share for count, share in self.terms(piece, found))
            for found in self.found
            for piece in self.pieces
        ]
        return max(into_bars, default=1.0)

    def _longest(self, step: Step) -> float:
        """Return the length of the longest bar at a step, as a share of all."""
        if isinstance(step, Expectation):
            return max(self.of_bars(step.expected_counts).values(), default=0.0) / whole_of(step)
        return max(map(math.exp, self.of_bars(step.log_probs).values()), default=0.0)


# --- What is worth drawing ------------------------------------------------------------------------


def _telling(
    counts: Mapping[str, int],
    names: Names,
    esteps: list[Expectation],
    wanted: Collection[str],
    hard: bool,
) -> list[str]:
    """Return the words whose shares change most, times their counts; the wanted ones are first."""
    short = [w for w in counts if len(w) <= (LONGEST_WANTED if w in wanted else LONGEST)]
    ranked = sorted(short, key=lambda word: -counts[word])[:CONSIDERED]
    ranked += [word for word in short if word in wanted and word not in ranked]
    if len(ranked) > WORDS:
        chosen = Chosen(names, ranked)
        looks = [chosen.of(step.log_probs) for step in esteps[:: -(-len(esteps) // LOOKS) or 1]]
        changes = {word: counts[word] * _change(word, looks, hard) for word in ranked}
        ranked = sorted(ranked, key=lambda word: (word not in wanted, -changes[word]))[:WORDS]
    return sorted(ranked, key=lambda word: -counts[word])


def _change(word: str, looks: list[dict[str, float]], hard: bool) -> float:
    seen: dict[Place, list[float]] = {}
    for known in looks:
        for place, share in shares_in(word, known, unknown_of(known), hard).of_arcs.items():
            seen.setdefault(place, []).append(share)
    return sum(max(shares) - min(shares) for shares in seen.values())


def _places(word: str) -> list[Place]:
    """Return where arcs may lie, the longest first, then from the left."""
    every = [(i, j) for i in range(len(word)) for j in range(i + 1, len(word) + 1)]
    return sorted(every, key=lambda place: (place[0] - place[1], place[0]))


def _rows(
    words: Sequence[Drawn], most: Sequence[Mapping[Place, float]], pinned: Sequence[str]
) -> list[tuple[Place, ...]]:
    """Return of each word the arcs with a row: those with most, one in each word, the pinned."""
    ranked = sorted(
        (-amount, n, place)
        for n, amounts in enumerate(most)
        for place, amount in amounts.items()
        if amount >= LEAST * words[n].count
    )
    taken = {(n, place) for _, n, place in ranked[:ROWS]}
    for n, (word, amounts) in enumerate(zip(words, most, strict=True)):
        if amounts:
            taken.add((n, max(amounts, key=amounts.__getitem__)))
        taken |= {(n, place) for place in word.places if word.piece(place) in pinned}
    return [tuple(p for p in word.places if (n, p) in taken) for n, word in enumerate(words)]


def _in_order(words: Sequence[Drawn], most: Sequence[Mapping[Place, float]]) -> tuple[str, ...]:
    """Return the pieces of the rows, each at the height of its flows, so that few flows cross."""
    rows = [(word.piece(p), of[p]) for word, of in zip(words, most, strict=True) for p in word.rows]
    moments: dict[str, float] = {}
    weights: dict[str, float] = {}
    for row, (piece, amount) in enumerate(rows):
        moments[piece] = moments.get(piece, 0.0) + row * amount
        weights[piece] = weights.get(piece, 0.0) + amount
    return tuple(sorted(weights, key=lambda piece: moments[piece] / (weights[piece] or 1.0)))


def whole_of(step: Expectation) -> float:
    """Return the sum of all expected counts, and never 0."""
    return float(step.expected_counts.array.sum()) or 1.0
