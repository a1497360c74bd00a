"""The film of a BPE training run: what is said and shown at each merge.

Position k shows the pairs as they were counted before merge k, and the words after it. All of it
is read from the trace. Left out: how a film is packed (`film.py`) and drawn (the player).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import cast

import numpy as np

from pages.figures.film import (
    Ask,
    Column,
    Film,
    Frame,
    Mark,
    NoteAt,
    Part,
    Row,
    Say,
    Strip,
    StripsAt,
    TableAt,
    make_film,
)
from pages.figures.phrases import byte_legend, clipped, count_of, listed, named, times
from tokenizers.merging import Merge, Pair, Split, join
from tokenizers.trace import Trace

ROWS = 8  # pairs shown at a step
WORDS = 8  # words shown at a step; a corpus of no more is shown whole, each word in its place
OPTIONS = 6  # answers offered in predict mode
NAMED = 3  # words named in a sentence

PARTS = (
    Part(
        "table",
        "Pairs before this step",
        (Column("pair", "tokens"), Column("count", "number"), Column("", "bar")),
    ),
    Part("strips", "Words after it"),
    Part("note", ""),
)

WHY_FIRST = {
    "first_seen": "it stands first in the corpus",
    "smallest_ids": "its symbols are the oldest in the vocabulary",
    "smallest_string": "it comes first in alphabetical order",
}


def training_film(
    trace: Trace, watched: int | None = None, tell: Callable[[int], object] = lambda k: None
) -> Film:
    """Return the film of `trace`; word number `watched` is always shown, and can be jumped to.

    `tell` is told the number of each step whose frame is made.
    """
    marks = [
        Mark("there is a tie", tuple(k for k, n in _numbered(trace.tied) if n > 1), tick=True),
        Mark("the count drops", _drops(trace.counts)),
    ]
    if watched is not None:
        steps = tuple(trace.word_merges(watched))
        marks.append(Mark(f"{named(trace.words[watched])[1]} changes", steps))
    return make_film("BPE training", PARTS, _told(_Frames(trace, watched), tell), marks)


def _told(frames: Iterable[Frame], tell: Callable[[int], object]) -> Iterator[Frame]:
    for k, frame in enumerate(frames):
        tell(k)
        yield frame


def _numbered(values: Sequence[int]) -> Iterator[tuple[int, int]]:
    return enumerate(values, start=1)


def _drops(counts: Sequence[int]) -> tuple[int, ...]:
    """Return the steps whose pair is seen less often than the one before.

    >>> _drops([9, 9, 7, 7, 6])
    (3, 5)
    """
    return tuple(k for k in range(2, len(counts) + 1) if counts[k - 1] < counts[k - 2])


class _Frames:
    """The frames of a trace, made one after the other while the words are split further."""

    def __init__(self, trace: Trace, watched: int | None) -> None:
        self.trace, self.watched = trace, watched
        self.word_counts = list(trace.corpus.word_counts.values())
        self.splits = [trace.settings.symbols(word) for word in trace.words]
        self.show_all = len(trace.words) <= WORDS
        # With a limit on the length, a pair that is passed over may be more frequent.
        limited = trace.settings.max_token_length is not None
        self.rival = "other pair that is short enough" if limited else "other pair"

    def __iter__(self) -> Iterator[Frame]:
        trace = self.trace
        yield self._first()
        for k, counts in enumerate(trace.pair_history.walk(), start=1):
            if k > len(trace):
                return
            step = trace.step(k)
            rows, more = self._table(step, counts)
            strips = self._strips(step)
            note: Say = (self._sizes(k),)
            if trace.settings.base == "bytes":
                note = (*note, *byte_legend(step.token))
            parts = (TableAt(rows, more), strips, NoteAt(note))
            yield Frame(self._say(k, step), parts, step.token, self._ask(step, rows))

    def _first(self) -> Frame:
        trace = self.trace
        corpus = trace.corpus
        kinds = count_of(corpus.num_kinds, "kind")
        say = (
            "At the start ",
            ("strong", count_of(corpus.num_words, "word")),
            f" of {kinds} stand split into ",
            ("strong", count_of(len(trace.alphabet), "base symbol")),
            ".",
            *(() if len(trace) else (f" Nothing is merged: {trace.stopped}.",)),
        )
        counts = next(trace.pair_history.walk())
        top = _top(counts, ROWS + 1)
        keys = trace.pair_history.keys
        rows = tuple(Row((keys[i], n, n)) for i, n in top[:ROWS])
        order = range(len(trace.words)) if self.show_all else self._most_frequent()
        strips = tuple(self._strip(word, self.splits[word]) for word in order)
        more = _more_words(len(trace.words) - len(strips))
        return Frame(
            say,
            (
                TableAt(rows, _more_pairs(counts, top[ROWS:]), "Pairs at the start"),
                StripsAt(strips, more, "Words at the start"),
                NoteAt((self._sizes(0),)),
            ),
        )

    def _most_frequent(self) -> list[int]:
        words = sorted(range(len(self.word_counts)), key=lambda w: -self.word_counts[w])
        return self._with_watched(words[:WORDS])

    def _with_watched(self, words: list[int]) -> list[int]:
        if self.watched is None or self.watched in words:
            return words
        return [self.watched, *words[: WORDS - 1]]

    def _table(self, step: Merge, counts: np.ndarray) -> tuple[tuple[Row, ...], str]:
        keys = self.trace.pair_history.keys
        top = _top(counts, ROWS + 1)
        pairs = [(keys[i], n) for i, n in top]
        others = [(pair, n) for pair, n in pairs if pair != step.pair]
        ranked = [(step.pair, step.count), *others]
        rows = tuple(Row((pair, n, n), *self._mark(pair, n, step)) for pair, n in ranked[:ROWS])
        return rows, _more_pairs(counts, ranked[ROWS:])

    def _mark(self, pair: Pair, count: int, step: Merge) -> tuple[str, Say]:
        """Return the mark of a pair's row, and why it was chosen or not."""
        settings = self.trace.settings
        rule = WHY_FIRST[settings.ties]
        if pair == step.pair:
            if step.tied == 1:
                return "now", (f"Chosen: seen {times(count)}, more often than any {self.rival}.",)
            others = count_of(step.tied - 1, "other pair")
            return "now", (f"Chosen: as frequent as {others}, and {rule}.",)
        if not settings.allows(pair):
            limit = settings.max_token_length
            return "rejected", (f"It would make a piece of more than {limit} symbols.",)
        if count == step.count:
            return "tied", (f"Seen {times(count)}, like the chosen pair; that one won: {rule}.",)
        behind = step.count - count
        return "", (f"Seen {times(count)}, {behind:,} fewer than the chosen pair.",)

    def _strips(self, step: Merge) -> StripsAt:
        counts = self.word_counts
        before = {word: self.splits[word] for word in step.resplit}
        for word, places in step.resplit.items():
            self.splits[word] = join(self.splits[word], places, step.token)
        if self.show_all:
            words = list(range(len(self.splits)))
        else:
            words = sorted(step.resplit, key=lambda word: -counts[word])[:WORDS]
            words = self._with_watched(words)
        strips = tuple(
            self._strip(word, before.get(word, self.splits[word]), step.resplit.get(word))
            for word in words
        )
        hidden = len(step.resplit) - sum(word in step.resplit for word in words)
        return StripsAt(strips, _more_words(hidden, "that changed"))

    def _strip(self, word: int, before: Split, places: tuple[int, ...] | None = None) -> Strip:
        label = f"{self.word_counts[word]:,} ×"
        new = tuple(place - already for already, place in enumerate(places or ()))
        return clipped(Strip(label, before, self.splits[word], new, changed=places is not None))

    def _say(self, k: int, step: Merge) -> Say:
        first, second = step.pair
        said: Say = (
            "Merge ",
            ("token", first),
            " and ",
            ("token", second),
            " into ",
            ("new", step.token),
            ": seen ",
            ("strong", times(step.count)),
            *self._where(step),
            ".",
            *self._tie(step),
        )
        if k == len(self.trace):
            said = (*said, f" Here the run stops: {self.trace.stopped}.")
        return said

    def _where(self, step: Merge) -> Say:
        counts, words = self.word_counts, self.trace.words
        seen = {word: counts[word] * len(places) for word, places in step.resplit.items()}
        overlaps = step.merged < step.count
        said: Say = (
            (f", of which {step.merged:,} can be joined because it overlaps itself",)
            if overlaps
            else ()
        )
        if len(seen) == 1:
            (word,) = seen
            return (*said, ", all in " if step.merged > 1 else ", in ", named(words[word]))
        most = sorted(seen, key=lambda word: -seen[word])[: NAMED if len(seen) > NAMED else 9]
        items: list[Say] = [(f"{seen[word]:,} in ", named(words[word])) for word in most]
        if len(seen) > len(most):
            rest = step.merged - sum(seen[word] for word in most)
            items.append((f"{rest:,} in {count_of(len(seen) - len(most), 'other word')}",))
        return (*said, ", ", *listed(items))

    def _tie(self, step: Merge) -> Say:
        if step.tied == 1:
            return (f" No {self.rival} is seen as often.",)
        others = count_of(step.tied - 1, "other pair")
        are = "is" if step.tied == 2 else "are"
        rule = WHY_FIRST[self.trace.settings.ties]
        return (
            " ",
            ("tie", f"{others} {are} tied with it"),
            f"; this one is taken because {rule}.",
        )

    def _sizes(self, k: int) -> str:
        sizes, tokens = self.trace.vocab_sizes, self.trace.num_tokens
        words = count_of(self.trace.corpus.num_words, "word")
        if not k:
            return f"Vocabulary: {sizes[0]:,} · the text of {words}: {tokens[0]:,} tokens"
        return (
            f"Vocabulary {sizes[k - 1]:,} → {sizes[k]:,} · the text of {words}: "
            f"{tokens[k - 1]:,} → {tokens[k]:,} tokens"
        )

    def _ask(self, step: Merge, rows: Sequence[Row]) -> Ask | None:
        offered = [row for row in rows if row.mark != "rejected"][:OPTIONS]
        if len(offered) < 2:
            return None
        offered.sort(key=lambda row: row.cells[0])
        right = tuple(n for n, row in enumerate(offered) if row.cells[1] == step.count)
        why: Say = (
            ("token", step.pair[0]),
            " ",
            ("token", step.pair[1]),
            f" is seen {times(step.count)}",
        )
        if step.tied > 1:
            rule = WHY_FIRST[self.trace.settings.ties]
            why = (
                *why,
                f", like {count_of(step.tied - 1, 'other pair')}. This run takes it: {rule}.",
            )
        else:
            why = (*why, f", more often than any {self.rival}.")
        options = tuple(cast("Pair", row.cells[0]) for row in offered)
        return Ask(("Which pair is merged next? Count in the words.",), options, right, why)


def _top(counts: np.ndarray, size: int) -> list[tuple[int, int]]:
    """Return (index, count) of the largest counts, largest first, earliest first among equals."""
    if len(counts) > size:
        # All that tie with the last one are candidates too, so that the earliest ones are taken.
        least = max(np.partition(counts, -size)[-size], 1)
        (indices,) = (counts >= least).nonzero()
    else:
        (indices,) = counts.nonzero()
    order = np.argsort(-counts[indices], kind="stable")[:size]
    return [(int(i), int(counts[i])) for i in indices[order]]


def _more_pairs(counts: np.ndarray, rest: Sequence[tuple[object, int]]) -> str:
    """Say how many pairs found no room; `rest` are the most frequent of them, with their counts."""
    if not rest:
        return ""
    hidden, most = int(np.count_nonzero(counts)) - ROWS, rest[0][1]
    return f"{count_of(hidden, 'more pair')}, seen {times(most)}" + (" or less" if most > 1 else "")


def _more_words(hidden: int, which: str = "") -> str:
    return f"and {count_of(hidden, 'more word')} {which}".rstrip() if hidden > 0 else ""
