"""The panels of a real tokenizer: stages, vocabulary, the history of a token, another tokenizer."""

from collections.abc import Mapping

import pandas as pd
import streamlit as st

from pages.real import model_picker, token_history
from pages.real.comparing import VocabularyOverlap
from pages.real.model_facts import (
    ROWS,
    compare_with,
    count_ids,
    find_history,
    search_tokens,
    stages_of,
)
from pages.real.model_picker import PickedTokenizer
from pages.real.vocabulary import ORDERS, SCRIPT_NAMES, TOKEN_FILTERS, Query
from pages.shared.controls import terms
from pages.shared.controls.markdown import escape_markdown
from pages.shared.controls.panels import show_tree
from pages.shared.controls.short_text import line_input
from pages.shared.controls.url_state import IN_URL, choice, whole_number
from pages.shared.drawing.display_text import html_table, html_tiles, shorten, shorten_filename
from pages.shared.drawing.phrasing import count_of
from pages.shared.drawing.trees import Tree
from pages.shared.training.published import PublishedTokenizer, apply_to_loaded
from pages.shared.work.results import call, call_or_end_page
from tokenizers.errors import user_message
from tokenizers.runtime.components import LoadedEncoding
from tokenizers.runtime.spelling import display_bytes
from tokenizers.runtime.tokenizer import Special

MAX_WORDS = 60  # words shown after a stage
MAX_OCCURRENCES = 12
MAX_SEARCH_CHARS = 200  # characters of a search
TREE_HEIGHT = 340  # px, as on the pages of BPE

# --- The stages -----------------------------------------------------------------------------------


def stages(model: PublishedTokenizer, text: str, special: Special) -> None:
    """Show the text after each stage, with a sentence on what the stage does."""
    before = None
    for number, stage in enumerate(
        call_or_end_page(model, apply_to_loaded, stages_of, text, special), start=1
    ):
        st.markdown(
            f"**{number}. {escape_markdown(stage.title)}** · {escape_markdown(stage.description)}"
        )
        if stage.words is None:
            continue
        if stage.words == before:
            st.caption("Nothing changes here.")
        else:
            _show_words(stage.words)
        before = stage.words


def _show_words(words: list[tuple[str, tuple[int, int]]]) -> None:
    st.html(html_tiles([word for word, _ in words[:MAX_WORDS]], label="words after this stage"))
    more = f"; {len(words) - MAX_WORDS:,} more follow" if len(words) > MAX_WORDS else ""
    places = ", ".join(f"{start}–{end}" for _, (start, end) in words[:8])
    after = " …" if len(words) > 8 else ""
    st.caption(f"{count_of(len(words), 'part')}{more}. Characters of your text: {places}{after}")


# --- The vocabulary -------------------------------------------------------------------------------


def vocabulary(model: PublishedTokenizer, encoding: LoadedEncoding) -> None:
    """Search the vocabulary, and list the results."""
    query, used = _choose_query(encoding), count_ids(encoding.ids)
    try:
        with st.spinner("Searching the vocabulary …"):
            found = call(model, search_tokens, query, used, 1)
        if (page := _page(found.pages)) > 1:
            found = call(model, search_tokens, query, used, page)
    except ValueError as error:
        st.error(escape_markdown(user_message(error)))
        return
    first, here = ROWS * (page - 1), len(found.table["id"])
    window = f", {first + 1:,} to {first + here:,} shown" if found.pages > 1 else ""
    st.caption(f"{found.count:,} of {found.size:,} tokens{window}")
    table = pd.DataFrame(found.table)
    st.dataframe(table, hide_index=True, height=360, alt="Tokens found")
    st.caption(
        "“Comes back: no” means that the token’s own text, encoded alone, gives other tokens. Such "
        "a token turns up only inside longer texts, or never: then it is *unreachable*, and *Which "
        "tokens* lists it. A line break is written ⏎ in searches."
    )


def _page(pages: int) -> int:
    if pages == 1:
        return 1
    with st.columns([1, 4])[0]:
        return min(whole_number("Page", 1, pages, 1, key="rows_page"), pages)


def _choose_query(encoding: LoadedEncoding) -> Query:
    first, second, third = st.columns([3, 2, 2], vertical_alignment="bottom")
    with first:
        text = line_input("Search for", MAX_SEARCH_CHARS, key="find")
    with second:
        kind = choice("Which tokens", TOKEN_FILTERS, "any", key="kind")
    with third:
        scripts = {"": "any"} | {name: name for name in SCRIPT_NAMES}
        script = choice("Script of the first letter", scripts, "", key="script")
    first, second, third = st.columns([3, 2, 2], vertical_alignment="bottom")
    with first:
        is_pattern = st.toggle("As a regular expression", key="pattern", **IN_URL)
    with second:
        order = choice("Order", ORDERS, "id", key="order")
    with third:
        least = whole_number("Characters, at least", 1, 200, 1, key="least")
    return Query(text, is_pattern, script, least, kind, order, frozenset(encoding.ids))


# --- A token's life -------------------------------------------------------------------------------


def token_history_panel(model: PublishedTokenizer, text: str, encoding: LoadedEncoding) -> None:
    """Show what a token is made of, and where it occurs in the text."""
    wanted = line_input(
        "Which token? Write it, or its id",
        MAX_SEARCH_CHARS,
        key="life",
        placeholder="the longest token of your text",
    )
    longest = max(encoding.tokens, key=len, default="")
    found = call_or_end_page(model, find_history, wanted, longest)
    if not found:
        st.caption("The vocabulary has no such token. “Vocabulary” lists those that it has.")
        return
    history, display_forms = found
    st.html(html_tiles([display_forms[history.token]], ids=[history.id], label="the token"))
    st.markdown(" · ".join(map(escape_markdown, _facts(history))))
    _tree(history, display_forms)
    _occurrences(text, encoding, history)


def _facts(history: token_history.TokenHistory) -> list[str]:
    facts = [f"spells “{shorten(display_bytes(history.spelled), 60)}”"]
    facts.append(f"bytes {token_history.bytes_text(history.spelled)}")
    if history.score is not None:
        facts.append(f"log probability {history.score:.3f} nats".replace("-", "−"))
    if history.token in history.made_by:
        facts.append(f"made by the merge of rank {history.made_by[history.token][0]:,}")
    if history.comes_back is False:
        facts.append("its text alone is cut in another way")
    return facts


def _tree(history: token_history.TokenHistory, display_forms: Mapping[str, str]) -> None:
    if history.token not in history.made_by:
        st.caption("No merge in the file produces it.")
        return
    made_by = {
        display_forms[token]: (rank, (display_forms[first], display_forms[second]))
        for token, (rank, (first, second)) in history.made_by.items()
    }
    show_tree(
        Tree("The tree of the token", display_forms[history.token], made_by, "rank"), TREE_HEIGHT
    )


def _occurrences(text: str, encoding: LoadedEncoding, history: token_history.TokenHistory) -> None:
    found = token_history.occurrences(text, encoding, history.id)
    if not found:
        st.caption("It is not in your text.")
        return
    more = (
        f" (the first {MAX_OCCURRENCES} of {len(found):,})" if len(found) > MAX_OCCURRENCES else ""
    )
    st.html(
        html_table(f"In your text{more}", ("before", "the token", "after"), found[:MAX_OCCURRENCES])
    )


# --- Another tokenizer ----------------------------------------------------------------------------


def comparison(chosen: PickedTokenizer) -> None:
    """Compare the vocabulary with another tokenizer's vocabulary."""
    other = model_picker.pick_another(chosen)
    with st.spinner("Comparing …"):
        found = call_or_end_page(chosen.model, compare_with, other.model.name)
    here, there = (shorten_filename(one.title, 40) for one in (chosen, other))
    st.markdown(
        f"**{found.both:,}** tokens are in both, {found.moved:,} of them with another id · "
        f"**{found.only_first:,}** only in {escape_markdown(here)} · "
        f"**{found.only_second:,}** only in {escape_markdown(there)}"
    )
    terms.caption(
        "Two tokens are the same if they spell the same bytes. WordPiece’s ## counts as written, "
        "and its pieces without ## have no space in front. The lists below are samples, spread "
        "over all ids."
    )
    _samples(found, here, there)


def _samples(found: VocabularyOverlap, here: str, there: str) -> None:
    columns = st.columns(3)
    tables = (
        ("In both, with another id", ("token", here, there), found.samples_moved),
        (f"Only in {here}", ("token", "id"), found.samples_first),
        (f"Only in {there}", ("token", "id"), found.samples_second),
    )
    for column, (caption, heads, rows) in zip(columns, tables, strict=True):
        with column:
            if rows:
                st.html(
                    html_table(caption, heads, [(display_bytes(row[0]), *row[1:]) for row in rows])
                )
            else:
                st.caption(f"{escape_markdown(caption)}: none")
