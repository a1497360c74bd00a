"""The parts of a published tokenizer as plain data: stages, vocabulary, the history of a token.

The page shows them (panels.py). For a visitor's own tokenizer, this module runs in a worker, so it
must not import Streamlit.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from pages.real import token_history
from pages.real.comparing import VocabularyOverlap, compare_vocabularies
from pages.real.vocabulary import Query, VocabularyTable
from pages.shared.drawing.display_text import show_spaces
from pages.shared.training.published import PublishedTokenizer
from tokenizers.runtime.spelling import Speller
from tokenizers.runtime.tokenizer import LoadedTokenizer, Special, StageOutput

ROWS = 500  # rows of a vocabulary that are shown at a time
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class StageView:
    """A stage's title, its description, and the words after it, each with its span in the text.

    The model and the stages after it have no words.
    """

    title: str
    description: str
    words: list[tuple[str, Span]] | None = None


def stages_of(loaded: LoadedTokenizer, text: str, special: Special) -> list[StageView]:
    """Return all stages from the text to ids and back."""
    found = [
        StageView(_title(stage), stage.description, _words_after(stage))
        for stage in loaded.stages(text, special)
    ]
    found.append(StageView("The model", loaded.model.describe()))
    for title, part in (
        ("After the model", loaded.post_processor),
        ("Back to text", loaded.decoder),
    ):
        if part:
            found.append(StageView(title, part.describe()))
    return found


def _title(stage: StageOutput) -> str:
    kinds = {"normalizer": "Normalizer · ", "pre_tokenizer": "Pre-tokenizer · "}
    return kinds.get(stage.kind, "") + stage.name


def _words_after(stage: StageOutput) -> list[tuple[str, Span]]:
    return [
        (aligned.text[start:end], (aligned.starts[start], aligned.ends[end - 1]))
        for (aligned, spans), _ in stage.segments
        for start, end in spans
    ]


# --- The vocabulary -------------------------------------------------------------------------------


@lru_cache(3)
def vocabulary_table(name: str) -> VocabularyTable:
    """Return the vocabulary of a tokenizer in columns."""
    return VocabularyTable(PublishedTokenizer(name).loaded)


@dataclass(frozen=True, slots=True)
class SearchPage:
    """One page of a search in `size` tokens, in columns; `count` is the number found in total."""

    count: int
    size: int
    table: Mapping[str, list[object]]

    @property
    def pages(self) -> int:
        """The number of pages, at least one."""
        return max(-(-self.count // ROWS), 1)


def search_tokens(
    model: PublishedTokenizer, query: Query, used: Mapping[int, int], page: int
) -> SearchPage:
    """Search the vocabulary; `used` is the count of each id in the text.

    Raises UserError for a pattern that is invalid or takes too long.
    """
    pieces, loaded = vocabulary_table(model.name), model.loaded
    rows = pieces.search(query)
    here = rows[(page - 1) * ROWS : page * ROWS]
    ids = [int(pieces.ids[n]) for n in here]
    labels = {True: "yes", False: "no", None: "–"}
    table = {
        "token": [show_spaces(pieces.texts[n]) for n in here],
        "as written": [show_spaces(pieces.tokens[n]) for n in here],
        "id": ids,
        "characters": [int(pieces.lengths[n]) for n in here],
        "bytes": [len(pieces.spelled[n]) for n in here],
        "in your text": [used.get(id_, 0) for id_ in ids],
        "comes back": [labels[token_history.comes_back(loaded, id_)] for id_ in ids],
    }
    return SearchPage(len(rows), len(pieces), table)


def count_ids(ids: tuple[int, ...]) -> dict[int, int]:
    """Return the count of each id in a text."""
    return dict(Counter(ids))


# --- A token, and another vocabulary --------------------------------------------------------------


def find_history(
    model: PublishedTokenizer, wanted: str, longest: str
) -> tuple[token_history.TokenHistory, Mapping[str, str]] | None:
    """Return the history of the token `wanted`, or else `longest`; None if there is no such token.

    Also returns the display form of each token in the history.
    """
    token = token_history.find(vocabulary_table(model.name), wanted) if wanted else longest
    if not token:
        return None
    history = token_history.history_of(model.loaded, token)
    parts = {part for _, pair in history.made_by.values() for part in pair}
    display_form = Speller(model.loaded).display_form
    return history, {one: display_form(one) for one in {token, *history.made_by, *parts}}


@lru_cache(16)
def compare_with(model: PublishedTokenizer, other: str) -> VocabularyOverlap:
    """Return the overlap with the vocabulary of the tokenizer named `other`."""
    return compare_vocabularies(vocabulary_table(model.name), vocabulary_table(other))
