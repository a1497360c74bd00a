"""The film of cutting one word by the merges of a file: by their ranks, the lowest first.

Each position shows the merges that apply to the word, the one that is done, and the word before and
after it; the last one shows its tokens and ids. What a file's own rules do besides merging, such as
looking a whole word up first, is said. Covers the three ways in which files do BPE.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from pages.shared.drawing.phrases import Say, Segment, count_of, named
from pages.shared.film.around import ids_note, tokens_said
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
from tokenizers.bpe import Applied, merge_steps
from tokenizers.loaded.bpe import BPE
from tokenizers.loaded.byte_bpe import ByteBPE
from tokenizers.loaded.sentencepiece.bpe import SentencePieceBPE
from tokenizers.loaded.tokenizer import Piece
from tokenizers.merging.state import Pair, pairs_of, token_of
from tokenizers.text.symbols import Split

ROWS = 8  # candidates shown at a step
OPTIONS = 6  # answers offered in predict mode
PARTS = (
    Part(
        "table",
        "Merges that apply here",
        (Column("pair", "tokens"), Column("rank", "number"), Column("at", "text")),
    ),
    Part("strips", "The word"),
    Part("note", ""),
)

Merging = BPE | ByteBPE | SentencePieceBPE
Face = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Rules:
    """How one model merges: its symbols, its merges in order, and the rank of a pair, or None.

    `mark` is what a second symbol loses when it is joined; `is_whole` says that the model looks the
    word up as a whole, so that the merges are only what merging would do.
    """

    symbols: Split
    steps: Sequence[Applied]
    rank_of: Callable[[Pair], int | None]
    mark: str = ""
    is_whole: bool = False


def rules_of(model: Merging, word: str) -> Rules:
    """Return how a model merges a word."""
    symbols = model.symbols(word)
    if isinstance(model, BPE):
        steps = list(merge_steps(symbols, model.ranks, mark=model.prefix))
        is_whole = model.ignore_merges and word in model.vocab
        return Rules(symbols, steps, model.ranks.get, model.prefix, is_whole)
    if isinstance(model, ByteBPE):
        glyphs = "".join(symbols)
        rank_of = model.merges.get
        return Rules(symbols, model.spelled(glyphs), rank_of, "", glyphs in model.vocab)
    frozen = model.vocabulary.user_defined
    return Rules(symbols, list(model.steps(word)), partial(_rank_of_piece, model.ranks, frozen))


def _rank_of_piece(ranks: dict[str, int], frozen: Mapping[str, int], pair: Pair) -> int | None:
    """Return the rank of what a pair spells; what the user has defined is never merged."""
    return None if frozen and not frozen.keys().isdisjoint(pair) else ranks.get("".join(pair))


def merging_film(name: str, word: str, model: Merging, face: Face = str) -> Film:
    """Return the film of cutting `word`; `name` and `face` are how it and its tokens are shown."""
    frames = _Frames(name, rules_of(model, word), model.cut(word), face)
    packed = list(frames)
    marks = [Mark("several merges compete", tuple(frames.contested), tick=True)]
    return make_film("BPE with the ranks of the file", PARTS, packed, marks)


class _Frames:
    """The frames of one word; `contested` fills up while they are made."""

    def __init__(self, name: str, rules: Rules, pieces: Sequence[Piece], face: Face) -> None:
        self.name, self.rules, self.pieces, self.face = name, rules, pieces, face
        self.contested: list[int] = []

    def __iter__(self) -> Iterator[Frame]:
        texts = dict(enumerate(self.rules.symbols))  # start of a symbol -> symbol
        yield self._first()
        for position, step in enumerate(self.rules.steps, start=1):
            before, starts = tuple(texts.values()), list(texts)
            at = starts.index(step.start)
            del texts[starts[at + 1]]
            texts[step.start] = token_of(step.pair, self.rules.mark)
            possible = self._candidates(before)
            if len({rank for rank, _ in possible}) > 1:
                self.contested.append(position)
            yield self._merge(step, before, tuple(texts.values()), at, possible)
        yield self._last(tuple(texts.values()))

    def _candidates(self, split: Split) -> list[tuple[int, int]]:
        ranks = map(self.rules.rank_of, pairs_of(split))
        return sorted((rank, at) for at, rank in enumerate(ranks) if rank is not None)

    def _faces(self, split: Sequence[str]) -> Split:
        return tuple(map(self.face, split))

    def _strip(self, before: Split, after: Split, new: tuple[int, ...] = ()) -> Strip:
        faces = self._faces(before), self._faces(after)
        return clipped(Strip("word", *faces, new, changed=before != after))

    def _first(self) -> Frame:
        symbols = self.rules.symbols
        possible = self._candidates(symbols)
        start = count_of(len(symbols), "symbol")
        say: Say = (named(self.name), " starts as ", ("strong", start), ". ")
        if self.rules.is_whole:
            say += ("It is a piece as a whole, so it is looked up and never merged. ",)
            say += ("Here is what merging would do.",) if possible else ()
        elif possible:
            say += (f"{count_of(len(possible), 'merge')} can be done; the lowest rank goes first.",)
        else:
            say += ("No merge applies.",)
        rows = tuple(
            Row(self._cells(symbols, one), "", ("It has to wait for the lowest rank.",))
            for one in possible[:ROWS]
        )
        strip = StripsAt((self._strip(symbols, symbols),))
        return Frame(say, (TableAt(rows, _more(possible)), strip, NoteAt(())))

    def _cells(self, split: Split, candidate: tuple[int, int]) -> tuple[Split, int, str]:
        rank, at = candidate
        return self._faces(split[at : at + 2]), rank, f"symbol {at + 1}"

    def _merge(
        self, step: Applied, before: Split, after: Split, at: int, possible: list[tuple[int, int]]
    ) -> Frame:
        chosen = (step.rank, at)
        others = [candidate for candidate in possible if candidate != chosen]
        rows = [Row(self._cells(before, chosen), "now", ("No merge here has a lower rank.",))]
        rows += [self._waiting(before, other, step.rank) for other in others[: ROWS - 1]]
        strip = StripsAt((self._strip(before, after, (at,)),))
        note = NoteAt((f"{len(before):,} → {len(after):,} symbols",))
        made = token_of(step.pair, self.rules.mark)
        table = TableAt(tuple(rows), _more(possible))
        say = self._say(step, made, others)
        return Frame(say, (table, strip, note), self.face(made), self._ask(before, possible, step))

    def _waiting(self, split: Split, candidate: tuple[int, int], lowest: int) -> Row:
        rank = candidate[0]
        if rank == lowest:
            why = "The same rank, further to the right: its turn comes next."
            return Row(self._cells(split, candidate), "tied", (why,))
        why = f"Rank {rank:,} comes after rank {lowest:,}."
        return Row(self._cells(split, candidate), "", (why,))

    def _say(self, step: Applied, made: str, others: Sequence[tuple[int, int]]) -> Say:
        first, second = self._faces(step.pair)
        said: Say = ("Merge ", ("token", first), " and ", ("token", second), " into ")
        said += (("new", self.face(made)), ": rank ", ("strong", f"{step.rank:,}"))
        if not others:
            return (*said, ", the only merge that applies.")
        following = others[0][0]
        if following == step.rank:
            return (*said, ", the leftmost of the same rank.")
        return (*said, f" is the lowest; the next is {following:,}.")

    def _last(self, split: Split) -> Frame:
        tokens = tuple(piece.text for piece in self.pieces)
        said: list[Segment] = [named(self.name), " is "]
        said += (
            [*tokens_said(self._faces(tokens)), "."]
            if tokens
            else ["dropped: nothing stands for it."]
        )
        if self.rules.is_whole and split != tokens:
            said.append(" Merging alone would not make it: only looking it up does.")
        elif split != tokens:
            said.append(" What is not in the vocabulary became bytes, or the unknown token.")
        strip = StripsAt((self._strip(split, tokens),))
        ids = ids_note([piece.id for piece in self.pieces]) if tokens else NoteAt(())
        return Frame(tuple(said), (TableAt((), "", "No merge applies"), strip, ids))

    def _ask(self, split: Split, possible: Sequence[tuple[int, int]], step: Applied) -> Ask | None:
        pairs = list(dict.fromkeys(split[at : at + 2] for _, at in possible))[:OPTIONS]
        if len(pairs) < 2 or step.pair not in pairs:
            return None
        pairs.sort()
        first, second = self._faces(step.pair)
        why: Say = (("token", first), " ", ("token", second))
        why += (f" has rank {step.rank:,}, the lowest here.",)
        prompt = ("Which merge is done next? Think of what is frequent in many texts.",)
        options = tuple(map(self._faces, pairs))
        return Ask(prompt, options, (pairs.index(step.pair),), why)


def _more(possible: Sequence[tuple[int, int]]) -> str:
    hidden = len(possible) - ROWS
    return count_of(hidden, "more merge") if hidden > 0 else ""
