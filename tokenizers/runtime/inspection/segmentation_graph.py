"""All segmentations of a text by a loaded tokenizer's vocabulary, and those worth a look.

Byte-level vocabularies and SentencePiece's spell the whole text, so a token may reach across the
borders of pre-tokens, which the tokenizer itself never does. WordPiece marks where a word goes on,
so its tokens stay inside words. An added token that is in the text, such as a special token, stays
as it is, and no other is used.
"""

import random
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise

from tokenizers.errors import UserError
from tokenizers.experiments.research.segmentations import (
    PlacedToken,
    Segmentation,
    SegmentationGraph,
    split_highest,
)
from tokenizers.limits import check_at_most
from tokenizers.runtime.components import LoadedEncoding
from tokenizers.runtime.models.wordpiece import WordPiece
from tokenizers.runtime.spelling import Speller, is_byte_level
from tokenizers.runtime.tokenizer import LoadedTokenizer, Special
from tokenizers.text.symbols import GLYPH_OF_BYTE, METASPACE
from tokenizers.unigram import BYTES

MAX_UNITS = 2_000
"""The largest number of bytes or characters of a text whose segmentations are counted."""

SHORT_TEXT = 100  # characters whose substrings are looked up sooner than the longest token is found
OTHER_WAYS: Mapping[str, str] = {
    "random": "at random",
    "finer": "at random, finer",
    "characters": "by character",
    "farthest": "most different",
    "most": "most tokens",
    "right": "in threes, from the right",
}
"""Segmentations beside the tokenizer's own, with their labels."""

Span = tuple[int, int]
_TOKEN_OF_BYTE = {byte: token for token, byte in BYTES.items()}


@dataclass(frozen=True)
class TextGraph:
    """The segmentations of one text by one vocabulary.

    `text` is what the tokens spell, and `spans` has the characters of each unit in it. `canonical`
    is the tokenizer's own segmentation, `borders` are the positions between pre-tokens, and `added`
    are the added tokens in the text, which are in every segmentation.
    """

    loaded: LoadedTokenizer
    text: str
    spans: Sequence[Span]
    graph: SegmentationGraph
    canonical: Segmentation
    borders: Sequence[int]
    added: frozenset[PlacedToken]

    @property
    def unit(self) -> str:
        """What a unit is: "byte" or "character"."""
        return "character" if isinstance(self.loaded.model, WordPiece) else "byte"

    @cached_property
    def inside_words(self) -> SegmentationGraph:
        """The segmentations whose tokens stay inside the pre-tokens."""
        ends = [*self.borders, self.graph.size]
        return self.graph.keep(lambda t: t.end <= ends[bisect_right(self.borders, t.start)])

    def numbers_by_word(self) -> list[tuple[str, int]]:
        """Return each pre-token and the number of its segmentations."""
        edges = [0, *self.borders, self.graph.size] if self.graph.size else []
        found: list[tuple[str, int]] = []
        for start, end in pairwise(edges):
            counts = {end: 1}
            for position in reversed(range(start, end)):
                tokens = self.graph.leaving[position]
                counts[position] = sum(counts[t.end] for t in tokens if t.end <= end)
            found.append((self.text_between(start, end), counts[start]))
        return found

    def text_between(self, start: int, end: int) -> str:
        """Return the characters that lie between two positions, at least in part."""
        return self.text[self.spans[start][0] : self.spans[end - 1][1]]

    def span(self, token: PlacedToken) -> Span:
        """Return the characters that a token has a part in."""
        return self.spans[token.start][0], self.spans[token.end - 1][1]

    def ids(self, path: Segmentation) -> tuple[int, ...]:
        """Return the ids of a segmentation. Raises UserError unless they decode to the same text.

        This can only happen with a file whose decoder does more than join tokens.
        """
        ids = tuple([token.id for token in path])
        if self.loaded.decode(ids) != self.loaded.decode([one.id for one in self.canonical]):
            raise UserError(
                "The decoder of this file changes tokens when it joins them, so other tokens give "
                "another text. Choose another tokenizer."
            )
        return ids

    # --- Those worth a look -----------------------------------------------------------------------

    def other(self, way: str, seed: int = 1) -> Segmentation:
        """Return one of `OTHER_WAYS`; `seed` is for those at random."""
        match way:
            case "random":
                return self.draw(seed)
            case "finer":
                return self.draw_finer(seed)
            case "characters":
                return self.by_character()
            case "farthest":
                return self.graph.farthest(self.canonical)
            case "most":
                return self.graph.longest()
            case _:
                return self.from_the_right(0, self.graph.size)

    def draw(self, seed: int) -> Segmentation:
        """Draw one of all segmentations."""
        return self.graph.draw(random.Random(seed))

    def draw_finer(self, seed: int) -> Segmentation:
        """Draw one of those that only cut the canonical tokens further."""
        return self.graph.finer(self.canonical).draw(random.Random(seed))

    def by_character(self) -> Segmentation:
        """Return a token for each character, or the fewest for one that is no token by itself."""
        spans = self.spans
        inside = self.graph.keep(lambda t: spans[t.start] == spans[t.end - 1] or t in self.added)
        return inside.cheapest(lambda token: (1,))

    def without_usual(self, word: str) -> Segmentation:
        """Return a segmentation near the canonical one, without the usual tokens of a word.

        Wherever the word occurs, the longest token of its usual segmentation is not used. Raises
        UserError if the word is not in the text, and if it has no other tokens.
        """
        places = self.find_word(word)
        usual = {run[_longest_in(self.loaded, run)] for run in usual_runs(self.loaded, word)}
        kept = set(self.canonical)

        def is_allowed(token: PlacedToken) -> bool:
            first, last = self.span(token)
            is_inside = any(first < end and start < last for start, end in places)
            return not (is_inside and token.id in usual)

        return self.graph.keep(is_allowed).cheapest(lambda token: (token not in kept, 1))

    def find_word(self, word: str) -> list[Span]:
        """Return the spans of a word. Raises UserError if it is not in the text."""
        spelled = graph_of(self.loaded, word).text.strip()  # such as in lower case
        if not (places := find_all(self.text, spelled)):
            raise UserError(f"The text does not contain “{word}”. Choose a word of the text.")
        return places

    def split_highest(self, splits: int) -> Segmentation:
        """Split canonical tokens in two, those with high ids first (see `split_highest`)."""
        by_id = {token.id: token for token in self.canonical if token not in self.added}
        parts: dict[int, list[tuple[int, int]]] = {}
        waiting = list(by_id.values())
        while waiting:
            token = waiting.pop()
            if token.id in parts or len(self.text_between(token.start, token.end)) < 2:
                continue
            parts[token.id] = []
            for one in self.graph.leaving[token.start]:
                if one.end < token.end:
                    for other in self.graph.leaving[one.end]:
                        if other.end == token.end:
                            parts[token.id].append((one.id, other.id))
                            waiting += one, other
        return self.place(split_highest([t.id for t in self.canonical], parts, splits))

    def place(self, ids: Sequence[int]) -> Segmentation:
        """Return the segmentation with these ids; they must spell the text."""
        path, position = list[PlacedToken](), 0
        for id_ in ids:
            token = next(t for t in self.graph.leaving[position] if t.id == id_)
            path.append(token)
            position = token.end
        return tuple(path)

    def from_the_right(self, start: int, end: int, most: int = 3) -> Segmentation:
        """Cut the text between two positions into tokens of `most` characters, from the right.

        Where the vocabulary has no such token, a shorter one is taken. Raises UserError if there is
        none at all.
        """
        path, stop = list[PlacedToken](), end
        while stop > start:
            arriving = (
                token
                for first in range(max(start, stop - most), stop)
                for token in self.graph.leaving[first]
                if token.end == stop
            )
            token = next(arriving, None)
            if token is None:
                raise UserError("This vocabulary has no tokens for these digits.")
            path.append(token)
            stop = token.start
        return tuple(reversed(path))


# --- A filter -------------------------------------------------------------------------------------


def usual_runs(loaded: LoadedTokenizer, word: str) -> list[tuple[int, ...]]:
    """Return the ids of a word as the tokenizer writes it, alone and after a space.

    A space that is a token by itself is left out.
    """
    runs: dict[tuple[int, ...], None] = {}
    for text in (word, f" {word}"):
        found = loaded.encode(text, special="text", add_special_tokens=False)
        spell = Speller(loaded)
        ids = [
            id_ for token, id_ in zip(found.tokens, found.ids, strict=True) if spell(token).strip()
        ]
        if ids:
            runs[tuple(ids)] = None
    return list(runs)


def has_run(ids: Sequence[int], runs: Sequence[Sequence[int]]) -> bool:
    """Whether one of the runs occurs in `ids`, its ids one after the other.

    >>> has_run([4, 7, 8, 1], [[7, 8]]), has_run([7, 4, 8], [[7, 8]])
    (True, False)
    """
    whole = tuple(ids)
    return any(whole[at : at + len(run)] == tuple(run) for run in runs for at in range(len(whole)))


def _longest_in(loaded: LoadedTokenizer, run: Sequence[int]) -> int:
    spell = Speller(loaded)
    return max(range(len(run)), key=lambda n: len(spell(loaded.token_of(run[n]))))


def find_all(text: str, word: str) -> list[Span]:
    """Return the spans at which a word occurs in a text.

    >>> find_all("ananas", "ana")
    [(0, 3), (2, 5)]
    """
    return [(at, at + len(word)) for at in range(len(text)) if word and text.startswith(word, at)]


# --- Building the graph ---------------------------------------------------------------------------


def graph_of(loaded: LoadedTokenizer, text: str, special: Special = "text") -> TextGraph:
    """Return the segmentations of a text.

    Raises UserError as `LoadedTokenizer.encode` does, if the text is longer than `MAX_UNITS`, and
    if the vocabulary cannot spell it.
    """
    found = loaded.encode(text, special=special, add_special_tokens=False)
    if loaded.unk and loaded.unk in found.tokens:
        at = found.tokens.index(loaded.unk)
        lost = text[slice(*found.offsets[at])]
        raise UserError(
            f"This vocabulary cannot spell “{lost}”: it becomes {loaded.unk}, so no tokens decode "
            "to this text. Change the text, or choose another tokenizer."
        )
    build = _by_words if isinstance(loaded.model, WordPiece) else _by_bytes
    return build(loaded, found)


def _by_bytes(loaded: LoadedTokenizer, found: LoadedEncoding) -> TextGraph:
    """Return the graph of a vocabulary that spells the bytes of the whole text."""
    spell = Speller(loaded)
    parts = list(map(spell, found.tokens))
    target = b"".join(parts)
    check_at_most(len(target), MAX_UNITS, "bytes in this text")
    text = target.decode()
    spans = [(n, n + 1) for n, char in enumerate(text) for _ in char.encode()]
    ends = list(accumulate(map(len, parts), initial=0))
    canonical = _placed(ends, found)
    make = _byte_level_tokens if is_byte_level(loaded) else _metaspace_tokens
    tokens = make(loaded, target)
    if loaded.decode(found.ids) != text:
        # SentencePiece adds a space in front and removes it again, but never one made of a byte.
        space = loaded.model.vocab.get(_TOKEN_OF_BYTE[ord(" ")])
        tokens = (token for token in tokens if token.start or token.id != space)
    added = _added(loaded, canonical)
    graph = _graph(len(target), tokens, canonical, added)
    return TextGraph(loaded, text, spans, graph, canonical, _borders(ends, found), added)


def _by_words(loaded: LoadedTokenizer, found: LoadedEncoding) -> TextGraph:
    """Return the graph of a vocabulary that spells each word by itself."""
    model = loaded.model
    assert isinstance(model, WordPiece)
    parts = [token.removeprefix(model.mark) for token in found.tokens]
    ends = list(accumulate(map(len, parts), initial=0))
    check_at_most(ends[-1], MAX_UNITS, "characters in this text")
    borders = _borders(ends, found)
    spelled, edges = "".join(parts), [0, *borders, ends[-1]]
    words = [spelled[start:end] for start, end in pairwise(edges)]
    spans = [(n + at, n + at + 1) for n, (a, b) in enumerate(pairwise(edges)) for at in range(a, b)]

    def tokens() -> Iterator[PlacedToken]:
        for begin, stop in pairwise(edges):
            for start in range(begin, stop):
                mark = model.mark if start > begin else ""
                for end in range(start + 1, stop + 1):
                    if (id_ := model.vocab.get(mark + spelled[start:end])) is not None:
                        yield PlacedToken(start, end, id_)

    canonical = _placed(ends, found)
    added = _added(loaded, canonical)
    graph = _graph(ends[-1], tokens(), canonical, added)
    return TextGraph(loaded, " ".join(words), spans, graph, canonical, borders, added)


def _placed(ends: Sequence[int], found: LoadedEncoding) -> Segmentation:
    places = zip(pairwise(ends), found.ids, strict=True)
    return tuple([PlacedToken(start, end, id_) for (start, end), id_ in places if end > start])


def _borders(ends: Sequence[int], found: LoadedEncoding) -> list[int]:
    """Return the positions inside the text at which a pre-token ends."""
    words = pairwise(found.words)
    return [end for end, (one, next_one) in zip(ends[1:], words, strict=False) if one != next_one]


def _added(loaded: LoadedTokenizer, canonical: Segmentation) -> frozenset[PlacedToken]:
    ids = set(loaded.added.ids.values())
    return frozenset(token for token in canonical if token.id in ids)


def _graph(
    size: int,
    tokens: Iterator[PlacedToken],
    canonical: Segmentation,
    added: frozenset[PlacedToken],
) -> SegmentationGraph:
    """Return the graph of tokens; those of the canonical segmentation are in it in any case.

    No other token overlaps with one of `added`.
    """
    taken = {position for token in added for position in range(token.start, token.end)}
    leaving: list[list[PlacedToken]] = [[] for _ in range(size)]
    for token in sorted({*tokens, *canonical}):
        if token in added or taken.isdisjoint(range(token.start, token.end)):
            leaving[token.start].append(token)
    return SegmentationGraph(size, tuple(map(tuple, leaving)))


def _byte_level_tokens(loaded: LoadedTokenizer, target: bytes) -> Iterator[PlacedToken]:
    glyphs = "".join(map(GLYPH_OF_BYTE.__getitem__, target))
    yield from _matches(loaded, glyphs, list(range(len(glyphs) + 1)))


def _metaspace_tokens(loaded: LoadedTokenizer, target: bytes) -> Iterator[PlacedToken]:
    text = target.decode().replace(" ", METASPACE)
    starts = list(accumulate((len(char.encode()) for char in target.decode()), initial=0))
    yield from _matches(loaded, text, starts)
    vocab = loaded.model.vocab
    for at, byte in enumerate(target):
        if (id_ := vocab.get(_TOKEN_OF_BYTE[byte])) is not None:
            yield PlacedToken(at, at + 1, id_)


def _matches(
    loaded: LoadedTokenizer, spelled: str, positions: Sequence[int]
) -> Iterator[PlacedToken]:
    """Yield the tokens that occur in a text; `positions` has that of each of its characters."""
    vocab = loaded.model.vocab
    excluded = {*loaded.added.ids, loaded.unk, *BYTES}
    longest = max(map(len, vocab)) if len(spelled) > SHORT_TEXT else SHORT_TEXT
    for start in range(len(spelled)):
        for end in range(start + 1, min(start + longest, len(spelled)) + 1):
            token = spelled[start:end]
            if (id_ := vocab.get(token)) is not None and token not in excluded:
                yield PlacedToken(positions[start], positions[end], id_)
