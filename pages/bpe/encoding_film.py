"""The film of a BPE encoding: the words of a text, merge by merge, in the order of the text.

Each position shows one word: which merges apply to it, which one is done and why the others have
to wait; then, when nothing applies any more, its tokens and their ids.
"""

import random
from collections.abc import Iterator, Sequence

from pages.shared.drawing.phrases import Say, Segment, count_of, listed, named
from pages.shared.film.around import Around, ids_note, tokens_said
from pages.shared.film.film import (
    Ask,
    Column,
    Film,
    Frame,
    Mark,
    NoteAt,
    Part,
    Row,
    Strip,
    StripsAt,
    TableAt,
    clipped,
)
from pages.shared.film.packing import make_film
from tokenizers.bpe import Applied, Dropout, Model, candidates, merge_steps
from tokenizers.text.symbols import Split

ROWS = 8  # candidates shown at a step
OPTIONS = 6  # answers offered in predict mode

PARTS = (
    Part(
        "table",
        "Merges that apply now",
        (Column("pair", "tokens"), Column("rank", "number"), Column("at", "text")),
    ),
    Part("strips", "The word and the text around it"),
    Part("note", ""),
)


def encoding_film(words: Sequence[str], model: Model, dropout: Dropout | None = None) -> Film:
    """Return the film of encoding `words`, one after the other."""
    frames = _Frames(words, model, dropout)
    packed = list(frames)
    marks = [
        Mark("a word is done", tuple(frames.finished), tick=True),
        Mark("several merges compete", tuple(frames.contested)),
    ]
    return make_film("BPE encoding", PARTS, packed, marks)


class _Frames:
    """The frames of an encoding; `finished` and `contested` fill up while they are made."""

    def __init__(self, words: Sequence[str], model: Model, dropout: Dropout | None) -> None:
        self.words, self.model, self.dropout = words, model, dropout
        self.rng = random.Random(dropout.seed if dropout else 0)
        self.bases = [model.settings.symbols(word) for word in words]
        self.around = Around(self.bases)
        self.finished: list[int] = []
        self.contested: list[int] = []
        self.position = 0

    def __iter__(self) -> Iterator[Frame]:
        yield self._first()
        for n in range(len(self.words)):
            yield from self._word(n)

    def _first(self) -> Frame:
        symbols = sum(map(len, self.bases))
        say = (
            ("strong", count_of(len(self.words), "word")),
            f", {count_of(symbols, 'base symbol')}. The ",
            ("strong", count_of(len(self.model.ranks), "merge")),
            " from training are now applied again, word by word, lowest rank first.",
        )
        learned = list(self.model.ranks.items())
        why: Say = ("A merge from training. Whether it applies depends on the word.",)
        rows = tuple(Row((pair, rank, ""), "", why) for pair, rank in learned[:ROWS])
        hidden = len(learned) - len(rows)
        more = count_of(hidden, "more merge") if hidden else ""
        table = TableAt(rows, more, "The merges from training")
        text = StripsAt((self.around.at_start(),), "", "The text at the start")
        return Frame(say, (table, text, NoteAt(())))

    def _word(self, n: int) -> Iterator[Frame]:
        base, ranks = self.bases[n], self.model.ranks
        texts = dict(enumerate(base))  # start of a symbol -> symbol
        merged = 0
        for step in merge_steps(base, ranks, self.dropout, self.rng):
            before = tuple(texts.values())
            starts = list(texts)
            at = starts.index(step.start)
            texts[step.start] += texts.pop(starts[at + 1])
            self.position += 1
            merged += 1
            yield self._merge(n, step, before, tuple(texts.values()), at, starts)
        self.position += 1
        self.finished.append(self.position)
        yield self._finish(n, tuple(texts.values()), merged)

    def _merge(
        self, n: int, step: Applied, before: Split, after: Split, at: int, starts: list[int]
    ) -> Frame:
        possible = candidates(before, self.model.ranks)
        if len(possible) > 1:
            self.contested.append(self.position)
        dropped = {(rank, starts.index(i)) for rank, i in step.dropped if i in starts}
        # The first row is always the one that is done, however many were passed over.
        chosen = (step.rank, at)
        others = [candidate for candidate in possible if candidate != chosen]
        shown = [chosen, *others][:ROWS]
        rows = tuple(self._row(before, candidate, chosen, dropped) for candidate in shown)
        hidden = len(possible) - len(shown)
        more = count_of(hidden, "more candidate") if hidden else ""
        strips = StripsAt(
            (
                clipped(Strip("word", before, after, (at,), changed=True)),
                self.around.strip(n, before, after, (at,)),
            )
        )
        note = NoteAt((f"{len(before):,} → {len(after):,} symbols in this word",))
        say = self._say(n, step, possible, bool(dropped))
        ask = None if self.dropout else self._ask(before, possible, step)
        return Frame(say, (TableAt(rows, more), strips, note), "".join(step.pair), ask)

    def _row(
        self, split: Split, candidate: tuple[int, int], chosen: tuple[int, int], dropped: set
    ) -> Row:
        rank, i = candidate
        cells = (split[i : i + 2], rank, f"symbol {i + 1}")
        if candidate == chosen:
            return Row(cells, "now", ("Chosen: it has the lowest rank of all merges that apply.",))
        if candidate in dropped:
            return Row(cells, "rejected", ("BPE-dropout skipped this one.",))
        if rank == chosen[0]:
            return Row(cells, "tied", ("The same merge further right: it comes next.",))
        later = f"It was learned later: rank {rank:,} comes after rank {chosen[0]:,}."
        return Row(cells, "", (later,))

    def _say(self, n: int, step: Applied, possible: Sequence, dropped: bool) -> Say:
        first, second = step.pair
        said: Say = (
            "In ",
            named(self.words[n]),
            ", merge ",
            ("token", first),
            " and ",
            ("token", second),
            " into ",
            ("new", first + second),
            ": ",
        )
        ranks = {rank for rank, _ in possible}
        if step.rank > min(ranks):
            return (
                *said,
                "dropout skipped a lower rank, so we apply rank ",
                _rank(step),
                ".",
            )
        if len(ranks) == 1:
            return (*said, "the only merge that applies, rank ", _rank(step), ".")
        others = sorted(ranks - {step.rank})
        after = f", before {others[0]:,}" if len(others) == 1 else f" of {len(ranks)} that apply"
        lowest = "rank " if len(others) == 1 else "the lowest rank, "
        return (*said, lowest, _rank(step), f"{after}.")

    def _finish(self, n: int, split: Split, merged: int) -> Frame:
        model = self.model
        tokens = [self._token(piece) for piece in split]
        what = "No more merges apply to " if merged else "No merge applies to "
        said: list[Segment] = [what, named(self.words[n]), ": it stays as " if not merged else ": "]
        said += tokens_said(tokens)
        unknown = [piece for piece, token in zip(split, tokens, strict=True) if piece != token]
        if unknown:
            said += [". Not in the vocabulary: ", *listed([(("token", p),) for p in unknown[:5]])]
        said.append(".")
        strip = clipped(Strip("word", split, tuple(tokens), changed=True))
        whole = StripsAt((strip, self.around.strip(n, split, split)))
        self.around.finish(split)
        ids = ids_note([model.vocab[token] for token in tokens])
        return Frame(tuple(said), (TableAt((), "No merge applies"), whole, ids))

    def _token(self, piece: str) -> str:
        unk = self.model.settings.unk
        return piece if unk is None or piece in self.model.vocab else unk

    def _ask(self, split: Split, possible: Sequence[tuple[int, int]], step: Applied) -> Ask | None:
        pairs = list(dict.fromkeys(split[i : i + 2] for _, i in possible))[:OPTIONS]
        if len(pairs) < 2:
            return None
        pairs.sort()
        why: Say = (
            ("token", step.pair[0]),
            " ",
            ("token", step.pair[1]),
            f" has rank {step.rank:,}: it was learned before the others that apply here.",
        )
        prompt = ("Which merge is applied next? Remember which was learned first.",)
        return Ask(prompt, tuple(pairs), (pairs.index(step.pair),), why)


def _rank(step: Applied) -> Segment:
    return "strong", f"{step.rank:,}"
