"""The tokenizers of the page, the comparison, and what the strip is told besides.

What is trained cuts the text in a worker, and so does a visitor's own tokenizer; the models of the
pack do it here, where they are open.
"""

from collections.abc import Collection, Mapping, Sequence

import streamlit as st

from pages.compare.exports import tokens_here
from pages.compare.selection import Entry, named
from pages.compare.side_by_side import Compared, Contestant, Cut, compare, cut, window
from pages.compare.token_links import Leads, leads
from pages.shared.controls import url_state
from pages.shared.controls.markdown import as_is
from pages.shared.training.published import Published
from pages.shared.training.source import Source
from pages.shared.training.tokenizer_kinds import Learned, Model
from pages.shared.work import results
from tokenizers.errors import user_message
from tokenizers.measures.metrics import word_spans
from tokenizers.protocols import never
from tokenizers.runtime.tokenizer import Special
from tokenizers.text.encoding import Encoding


def contestants(
    entries: Sequence[Entry], sources: Sequence[Source | None], special: Special, added: bool
) -> tuple[tuple[Contestant, ...], list[tuple[str, str]]]:
    """Return the tokenizers that are asked for, and the names of their rows.

    A source is None for a published model; the others are trained, and the page ends here until
    that is done.
    """
    both = list(zip(entries, sources, strict=True))
    trained = [(source, entry.kind, entry.size) for entry, source in both if source]
    learned = results.learned(trained)
    for note in dict.fromkeys(note for one in learned for note in one.notes):
        st.info(as_is(note))
    waiting = iter(learned)
    by_row = [next(waiting) if source else None for source in sources]
    sizes = [one.size(entry.size) if one else 0 for entry, one in zip(entries, by_row, strict=True)]
    names = list(named(entries, sizes))
    asked = tuple(
        Contestant(name, entry.kind, _model(entry, one, special, added))
        for (name, _), entry, one in zip(names, entries, by_row, strict=True)
    )
    return asked, names


def _model(
    entry: Entry, learned: Learned | None, special: Special, added: bool
) -> Model | Published:
    return learned.model(entry.size) if learned else Published(entry.published, special, added)


def compared(key: str, text: str, asked: Sequence[Contestant], first: int) -> Compared:
    """Return the comparison. Models of the pack cut in this process, which has them open."""
    try:
        rows = [_cut(text, one) if _is_of_pack(one.model) else one for one in asked]
        if len(cuts := [row for row in rows if isinstance(row, Cut)]) == len(rows):
            return _compared_here(key, text, cuts, first)
    except ValueError as refusal:  # a pattern of a file may take too long on a text
        st.error(as_is(user_message(refusal)))
        url_state.end_early()
    return results.result_of(key, compare, "Splitting the text …", text, rows, first)


_cut = st.cache_resource(max_entries=32, show_spinner=False)(cut)
_told = st.cache_resource(max_entries=64, show_spinner=False)(Published.told)


def _is_of_pack(model: Model | Published) -> bool:
    return isinstance(model, Published) and not model.opened


@st.cache_resource(max_entries=8, show_spinner=False)
def _compared_here(key: str, _text: str, _rows: Sequence[Cut], _first: int) -> Compared:
    return compare(never, _text, _rows, _first)


def told(asked: Sequence[Contestant], found: Compared) -> list[Mapping[int, str]]:
    """Return for each row, by id, what more can be said of a token: of published models alone."""
    return [
        _told_of(one.model, found.ids(n)) if isinstance(one.model, Published) else {}
        for n, one in enumerate(asked)
    ]


def _told_of(model: Published, ids: Collection[int]) -> Mapping[int, str]:
    return results.ask(model, Published.told, sorted(ids)) if model.opened else _told(model, ids)


def tokens_of(text: str, one: Contestant) -> Encoding:
    """Return the tokens of a text as they are drawn, for a file."""
    if isinstance(one.model, Published) and one.model.opened:
        return results.answer(one.model, Published.drawn, text)
    return tokens_here(text, one)


def leads_of(text: str, asked: Sequence[Contestant], found: Compared) -> Leads:
    """Return where each token of a published model can be stepped through."""
    start, end, _ = window(word_spans(text), len(text), found.first)
    rows = [
        (one.model if isinstance(one.model, Published) else None, _found_here(text, one))
        for one in asked
    ]
    return leads(text, (start, end), rows, results.ask)


def _found_here(text: str, one: Contestant) -> Encoding | None:
    return _cut(text, one).found if _is_of_pack(one.model) else None
