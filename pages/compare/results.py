"""The page's tokenizers, their comparison, and the tooltips and links of the aligned view.

Tokenizers that are trained here or brought by a visitor run in a worker; published ones run in this
process, which has them open.
"""

from collections.abc import Collection, Mapping, Sequence

import streamlit as st

from pages.compare.exports import tokenize_here
from pages.compare.selection import TokenizerSpec, row_names
from pages.shared.aligned.side_by_side import (
    Comparison,
    NamedTokenizer,
    TokenizedText,
    compare,
    tokenize,
    window,
)
from pages.shared.aligned.token_links import TokenLinks, link_tokens
from pages.shared.controls import url_state
from pages.shared.controls.markdown import escape_markdown
from pages.shared.training.published import PublishedTokenizer
from pages.shared.training.source import CorpusSource
from pages.shared.training.tokenizer_kinds import Model, TrainedTokenizer
from pages.shared.work import results
from tokenizers.errors import user_message
from tokenizers.measures.metrics import word_spans
from tokenizers.progress import ignore_progress
from tokenizers.runtime.tokenizer import Special
from tokenizers.text.encoding import Encoding


def named_tokenizers(
    specs: Sequence[TokenizerSpec],
    sources: Sequence[CorpusSource | None],
    special: Special,
    added: bool,
) -> tuple[tuple[NamedTokenizer, ...], list[tuple[str, str]]]:
    """Return the tokenizers that were chosen, and the names of their rows.

    A source is None for a published model. The other tokenizers are trained, and the page run ends
    here until they are ready.
    """
    both = list(zip(specs, sources, strict=True))
    trained = [(source, entry.kind, entry.size) for entry, source in both if source]
    learned = results.trained_tokenizers(trained)
    for note in dict.fromkeys(note for one in learned for note in one.notes):
        st.info(escape_markdown(note))
    waiting = iter(learned)
    by_row = [next(waiting) if source else None for source in sources]
    sizes = [one.size(entry.size) if one else 0 for entry, one in zip(specs, by_row, strict=True)]
    names = list(row_names(specs, sizes))
    named = tuple(
        NamedTokenizer(name, entry.kind, _model(entry, one, special, added))
        for (name, _), entry, one in zip(names, specs, by_row, strict=True)
    )
    return named, names


def _model(
    spec: TokenizerSpec, learned: TrainedTokenizer | None, special: Special, added: bool
) -> Model | PublishedTokenizer:
    return (
        learned.model(spec.size) if learned else PublishedTokenizer(spec.published, special, added)
    )


def comparison(key: str, text: str, tokenizers: Sequence[NamedTokenizer], first: int) -> Comparison:
    """Return the comparison; published models are run in this process, which has them open."""
    try:
        rows = [_tokenize(text, one) if _is_of_pack(one.model) else one for one in tokenizers]
        if len(cuts := [row for row in rows if isinstance(row, TokenizedText)]) == len(rows):
            return _compare_here(key, text, cuts, first)
    except ValueError as error:  # a tokenizer file's pattern may take too long on a text
        st.error(escape_markdown(user_message(error)))
        url_state.end_early()
    return results.result_of(key, compare, "Splitting the text …", text, rows, first)


_tokenize = st.cache_resource(max_entries=32, show_spinner=False)(tokenize)
_tooltips = st.cache_resource(max_entries=64, show_spinner=False)(PublishedTokenizer.describe_ids)


def _is_of_pack(model: Model | PublishedTokenizer) -> bool:
    return isinstance(model, PublishedTokenizer) and not model.info


@st.cache_resource(max_entries=8, show_spinner=False)
def _compare_here(key: str, _text: str, _rows: Sequence[TokenizedText], _first: int) -> Comparison:
    return compare(ignore_progress, _text, _rows, _first)


def tooltips(
    tokenizers: Sequence[NamedTokenizer], comparison: Comparison
) -> list[Mapping[int, str]]:
    """Return for each row further facts about its tokens, by id; only published models have any."""
    return [
        _tooltips_of(one.model, comparison.ids(n))
        if isinstance(one.model, PublishedTokenizer)
        else {}
        for n, one in enumerate(tokenizers)
    ]


def _tooltips_of(model: PublishedTokenizer, ids: Collection[int]) -> Mapping[int, str]:
    return (
        results.call_or_end_page(model, PublishedTokenizer.describe_ids, sorted(ids))
        if model.info
        else _tooltips(model, ids)
    )


def tokens_of(text: str, one: NamedTokenizer) -> Encoding:
    """Return the tokens of a text as they are drawn, for an exported file."""
    if isinstance(one.model, PublishedTokenizer) and one.model.info:
        return results.call(one.model, PublishedTokenizer.encode_readable, text)
    return tokenize_here(text, one)


def token_links(
    text: str, tokenizers: Sequence[NamedTokenizer], comparison: Comparison
) -> TokenLinks:
    """Return where each token of a published model can be stepped through."""
    start, end, _ = window(word_spans(text), len(text), comparison.first)
    rows = [
        (
            one.model if isinstance(one.model, PublishedTokenizer) else None,
            _encoding_here(text, one),
        )
        for one in tokenizers
    ]
    return link_tokens(text, (start, end), rows, results.call_or_end_page)


def _encoding_here(text: str, one: NamedTokenizer) -> Encoding | None:
    return _tokenize(text, one).encoding if _is_of_pack(one.model) else None
