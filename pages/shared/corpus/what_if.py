"""The controls of "What if …", which change one thing in a run, and the panel with the effects.

The URL has the change. The page Corpus edit also uses some functions of this file.
"""

from collections.abc import Mapping, Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.shared.controls import url_state
from pages.shared.controls.markdown import escape_markdown
from pages.shared.controls.short_text import line_input
from pages.shared.controls.url_state import choice
from pages.shared.drawing.display_text import escape_invisible, html_tiles, show_spaces
from pages.shared.drawing.phrasing import count_of, times, word_segment
from pages.shared.drawing.rich_text_html import html_rich_text
from pages.shared.training import diff_explanation
from pages.shared.training.count_edit import CountEdit, pieces_only_in
from pages.shared.training.source import find_word
from pages.shared.training.what_if import (
    BranchChange,
    Change,
    CountChange,
    TieRuleChange,
    TwoMergeRuns,
)
from tokenizers.record.trace import Trace
from tokenizers.text.corpus import Corpus

KINDS = {
    "": "What if …",
    "count": "What if: a word’s count",
    "ties": "What if: all ties",
    "branch": "What if: one tie",
}
MOST_COUNT = 10**15
DIGITS = len(str(MOST_COUNT))
LONGEST_WORD = 100
A_THIRD = 3  # what a word's count is divided by at first
MOST_TIES = 500  # steps to choose from
MOST_TILES = 40


def render_controls(
    container: DeltaGenerator,
    corpus: Corpus,
    rules: Mapping[str, str],
    rule: str,
    trace: Trace | None,
) -> Change | None:
    """Show the controls for a change and return it; None if there is none.

    `rules` has the labels of the available tie rules by name; `rule` is the current rule's name.
    `trace` is the run whose ties can be decided differently, or None if it doesn't merge.
    """
    kinds = {name: label for name, label in KINDS.items() if trace or name != "branch"}
    with container:
        kind = choice("What if", kinds, "", key="if", label_visibility="collapsed")
    if kind == "count":
        return CountChange(*word_and_count(corpus, "if_word", "if_count"))
    if kind == "ties":
        others = {name: label for name, label in rules.items() if name != rule}
        first = next(iter(others))
        with st.columns([1, 2])[0]:
            return TieRuleChange(choice("What is taken at a tie", others, first, key="if_ties"))
    if kind == "branch" and trace:
        return _branch(trace)
    return None


def _branch(trace: Trace) -> BranchChange | None:
    """Show the controls for taking another pair at a tie; return None if there is no tie."""
    ties = [k for k, tied in enumerate(trace.num_tied, start=1) if tied > 1][:MOST_TIES]
    if not ties:
        st.info("No step of this run is a tie, so there is no other way to go.")
        return None
    left, right, _ = st.columns([2, 2, 3])
    with left:
        steps = {str(k): f"step {k:,}: {_spelled(trace.pairs[k - 1])}" for k in ties}
        k = int(choice("At the tie of", steps, str(ties[0]), key="if_step"))
    tied = [pair for pair in trace.state(k - 1).tied_candidates() if pair != trace.pairs[k - 1]]
    others = {str(n): _spelled(pair) for n, pair in enumerate(tied, start=1)}
    with right:
        number = choice("take", others, "1", key="if_pair")
    return BranchChange(k, tied[int(number) - 1])


def _spelled(pair: tuple[str, str]) -> str:
    return " + ".join(map(show_spaces, pair))


# --- A word and its count -------------------------------------------------------------------------


def word_and_count(corpus: Corpus, word_key: str, count_key: str) -> tuple[str, int]:
    """Show the controls for a word and its new count, and return both; the URL has them, too."""
    words = list(corpus.word_counts)
    left, middle, right, end = st.columns([2, 2, 3, 2], vertical_alignment="bottom")
    with left:
        wanted = line_input(
            "The word",
            LONGEST_WORD,
            key=word_key,
            placeholder=escape_invisible(words[0]),
            hint="A word of the text, or a new one. If the box is empty: the first word.",
        ).strip()
    number = find_word(corpus, wanted) if wanted else 0
    word = wanted if number is None else words[number]
    old = corpus.word_counts.get(word, 0)
    with middle:
        count = _count_of(word, old // A_THIRD if old else 1, count_key)
    with right:
        is_known = f"occurs {times(old)}" if old else "is not in the corpus; it will be added"
        st.markdown(f"*{escape_markdown(word_segment(word)[1])}* {is_known}. 0 removes a word.")
    with end:
        _words_of(corpus)
    return word, count


def _count_of(word: str, default: int, parameter: str) -> int:
    """Show the control for a word's new count and return it; it is remembered for each word."""
    counts: dict[str, int] = st.session_state.setdefault("counts_of_words", {})
    value, key = url_state.incoming(parameter), f"count of {word}"
    if value is not None and (number := url_state.parse_natural(value, DIGITS)) is not None:
        counts[word] = min(number, MOST_COUNT)
        st.session_state[key] = counts[word]
    count = st.number_input("new count", 0, MOST_COUNT, counts.get(word, default), key=key)
    counts[word] = count
    url_state.set_param(parameter, None if count == default else str(count))
    return count


def _words_of(corpus: Corpus) -> None:
    """Show the words with their counts in a popover."""
    with st.popover(f"See {count_of(corpus.num_distinct_words, 'word')}", width="stretch"):
        ranked = sorted(corpus.word_counts.items(), key=lambda item: -item[1])
        words = [escape_invisible(word) for word, _ in ranked]
        counts = [count for _, count in ranked]
        st.dataframe({"word": words, "count": counts}, hide_index=True, height=320)


# --- What came of it ------------------------------------------------------------------------------


def render_consequences(two: TwoMergeRuns, change: Change) -> None:
    """Show the first merge that differs, why it differs, and how the final vocabularies differ."""
    left, right = st.columns(2)
    with left:
        st.html(
            html_rich_text(
                diff_explanation.describe_first_difference(
                    ("With the change, ",), two.whole, two.changed
                )
            )
        )
        if isinstance(change, CountChange) and two.first:
            operation = CountEdit(change.word, change.count, two.whole, two.changed)
            st.html(html_rich_text(diff_explanation.describe_reason(operation), "pp-why"))
            st.html(
                diff_explanation.html_rivals(operation, diff_explanation.find_rivals(operation))
            )
    with right:
        before, after = (
            pieces_only_in(two.whole, two.changed),
            pieces_only_in(two.changed, two.whole),
        )
        found = {"only as it is": before, "only with the change": after}
        render_final_vocabularies(found, most=MOST_TILES)


def render_final_vocabularies(found: Mapping[str, Sequence[str]], most: int) -> None:
    """Show, by label, the pieces that only one of two vocabularies has, at most `most` of each."""
    st.markdown("**The final vocabularies**")
    for label, pieces in found.items():
        st.caption(f"{count_of(len(pieces), 'piece')} {label}")
        if pieces:
            st.html(html_tiles(pieces[:most], label=f"pieces {label}"))
        if len(pieces) > most:
            st.caption(f"and {count_of(len(pieces) - most, 'more')}")
