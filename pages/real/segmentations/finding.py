"""Other segmentations of a text by a published tokenizer, as plain data for the page.

This module runs in a worker for a visitor's own tokenizer, so it must not import Streamlit.
"""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tokenizers.errors import UserError, user_message
from tokenizers.experiments.research.segmentations import Segmentation, shared_boundaries
from tokenizers.runtime.inspection.digit_groups import DigitGroup, digit_groups, share_places
from tokenizers.runtime.inspection.segmentation_graph import (
    TextGraph,
    graph_of,
    has_run,
    usual_runs,
)
from tokenizers.runtime.spelling import Speller
from tokenizers.runtime.tokenizer import LoadedTokenizer, Special

MAX_SHOWN = 240
"""Tokens of a segmentation that are drawn."""
MAX_WORDS = 40
"""Pre-tokens of which the numbers are listed."""
MAX_DIGITS = 12
"""Digits of a number to add."""

WAYS: Mapping[str, str] = {
    "random": "At random",
    "finer": "At random, finer",
    "characters": "By character",
    "farthest": "Most different",
    "word": "One word changed",
    "most": "Most tokens",
}
"""The segmentations beside the tokenizer's own, with their labels."""
OWN = "The tokenizer’s own"


def _path(graph: TextGraph, way: str, seed: int, word: str) -> Segmentation:
    return graph.without_usual(word) if way == "word" else graph.other(way, seed)


def why_not(loaded: LoadedTokenizer, text: str, special: Special) -> str:
    """Return why there is no segmentation of a text; "" if there are some."""
    try:
        graph_of(loaded, text, special)
    except UserError as error:
        return user_message(error)
    return ""


# --- One of them, and how many there are ----------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ShownTokens:
    """Tokens in their display form, their ids, and the indices of those the own cut lacks."""

    tokens: list[str]
    ids: list[int]
    new: list[int]


@dataclass(frozen=True, slots=True)
class FoundWay:
    """A segmentation beside the tokenizer's own.

    `blocks` has both between the boundaries that they share, the own one first; `hidden` counts the
    tokens of further blocks. `number` counts all segmentations, `inside` those whose tokens stay
    inside pre-tokens, `finer` those that only cut the own tokens further, and `words` has the
    numbers of the first pre-tokens. `inner` counts the boundaries of the own segmentation.
    """

    own: ShownTokens
    other: ShownTokens
    blocks: list[tuple[ShownTokens, ShownTokens]]
    hidden: int
    shared: int
    inner: int
    number: int
    inside: int
    finer: int
    words: list[tuple[str, int]]
    unit: str


def find_way(
    loaded: LoadedTokenizer, text: str, special: Special, way: str, seed: int, word: str
) -> FoundWay:
    """Return one of `WAYS`. Raises UserError as `graph_of` does, and if there is none."""
    graph = graph_of(loaded, text, special)
    own, other = graph.canonical, _path(graph, way, seed, word)
    graph.ids(other)  # decodes to the same text, or says why not
    show = _Shower(graph)
    blocks, hidden, count = list[tuple[ShownTokens, ShownTokens]](), 0, 0
    for one, two in _blocks(own, other):
        count += max(len(one), len(two))
        if blocks and count > MAX_SHOWN:
            hidden += len(two)
        else:
            blocks.append((show(one), show(two)))
    return FoundWay(
        show(own),
        show(other),
        blocks,
        hidden,
        shared_boundaries(own, other),
        max(len(own) - 1, 0),
        graph.graph.number,
        graph.inside_words.number,
        graph.graph.finer(own).number,
        graph.numbers_by_word()[:MAX_WORDS],
        graph.unit,
    )


class _Shower:
    """Shows segmentations of one graph; what differs from the own one is new."""

    def __init__(self, graph: TextGraph) -> None:
        self._known = set(graph.canonical)
        self._token_of = graph.loaded.token_of
        self._display_form = Speller(graph.loaded).display_form

    def display(self, id_: int) -> str:
        """Return the display form of an id."""
        return self._display_form(self._token_of(id_))

    def __call__(self, path: Segmentation) -> ShownTokens:
        tokens = [self.display(token.id) for token in path]
        new = [n for n, token in enumerate(path) if token not in self._known]
        return ShownTokens(tokens, [token.id for token in path], new)


def _blocks(one: Segmentation, two: Segmentation) -> Iterator[tuple[Segmentation, Segmentation]]:
    """Yield both segmentations in parts, which end where both have a boundary."""
    ends = sorted({token.end for token in one} & {token.end for token in two})
    start = 0
    for end in ends:
        yield (
            tuple([token for token in one if start < token.end <= end]),
            tuple([token for token in two if start < token.end <= end]),
        )
        start = end


# --- A filter -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FilterRow:
    """What a filter sees of one segmentation: whether its `ids` hold the ids of the word."""

    title: str
    tokens: int
    ids: bool


@dataclass(frozen=True, slots=True)
class FilterView:
    """A filter's usual ids of a word, and what it sees; `again` is for the text cut again."""

    runs: list[ShownTokens]
    rows: list[FilterRow]
    again: bool


def filter_view(
    loaded: LoadedTokenizer, text: str, special: Special, seed: int, word: str
) -> FilterView:
    """Return what a filter sees that looks for a word's ids.

    A word that has no other tokens is not changed. Raises UserError as `find_way`.
    """
    graph = graph_of(loaded, text, special)
    graph.find_word(word)
    runs, show = usual_runs(loaded, word), _Shower(graph)
    rows = [FilterRow(OWN, len(graph.canonical), has_run(graph.ids(graph.canonical), runs))]
    for way, title in WAYS.items():
        try:
            path = _path(graph, way, seed, word)
        except UserError:
            continue
        rows.append(FilterRow(title, len(path), has_run(graph.ids(path), runs)))
    shown = [ShownTokens([show.display(id_) for id_ in run], list(run), []) for run in runs]
    return FilterView(shown, rows, rows[0].ids)


def sees_word(loaded: LoadedTokenizer, text: str, word: str) -> bool:
    """Whether a tokenizer that cuts the text itself has the word's ids in it."""
    ids = loaded.encode(text, special="text", add_special_tokens=False).ids
    return has_run(ids, usual_runs(loaded, word))


def longest_word(text: str) -> str:
    """Return the longest run of letters in a text, of several the first; "" if there is none.

    >>> longest_word("the first_word, 12345678")
    'first'
    """
    letters = "".join(char if char.isalpha() else " " for char in text)
    return max(letters.split(), key=len, default="")


# --- A price --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PricedWays:
    """The own segmentation, the one after some splits by the paper's heuristic, and the longest."""

    own: ShownTokens
    split: ShownTokens
    longest: ShownTokens
    characters: int


def priced_ways(loaded: LoadedTokenizer, text: str, special: Special, splits: int) -> PricedWays:
    """Return the segmentations to price. Raises UserError as `graph_of` does."""
    graph = graph_of(loaded, text, special)
    show, split, longest = _Shower(graph), graph.split_highest(splits), graph.graph.longest()
    for path in (split, longest):
        graph.ids(path)
    return PricedWays(show(graph.canonical), show(split), show(longest), len(graph.text))


# --- Two numbers ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DigitScheme:
    """Two numbers and their sum, cut in one way; `lined_up` says whether places share tokens."""

    title: str
    rows: list[list[DigitGroup]]
    lined_up: bool


def digit_schemes(loaded: LoadedTokenizer, one: str, other: str) -> list[DigitScheme]:
    """Return two numbers and their sum as written, with commas, and cut from the right.

    Raises UserError unless both are numbers of at most `MAX_DIGITS` digits, and if the vocabulary
    cannot spell digits.
    """
    numbers = [_number(one), _number(other)]
    numbers.append(sum(numbers))
    digits = [str(number) for number in numbers]
    commas = [f"{number:,}" for number in numbers]
    schemes = (
        ("As the tokenizer writes them, from the left", digits, False),
        ("With commas, by the tokenizer", commas, False),
        ("The same digits, cut from the right", digits, True),
    )
    found: list[DigitScheme] = []
    for title, texts, from_right in schemes:
        rows = [digit_groups(loaded, text, from_right=from_right) for text in texts]
        found.append(DigitScheme(title, rows, share_places(rows)))
    return found


def _number(text: str) -> int:
    plain = text.strip().replace(",", "").replace(" ", "")
    if not (plain.isascii() and plain.isdigit() and len(plain) <= MAX_DIGITS):
        raise UserError(
            f"“{text[:40]}” is not a number of 1 to {MAX_DIGITS} digits. Write digits only."
        )
    return int(plain)


def draw_seed() -> int:
    """Return a new seed, small enough to read out."""
    return random.randrange(1, 1_000)
