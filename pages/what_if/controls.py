"""The row that says what changes: a word's count, the rule for all ties, or one tie."""

from collections.abc import Mapping

import streamlit as st

from pages.shared.controls import url_state
from pages.shared.controls.short_text import line_input
from pages.shared.controls.url_state import choice, whole_number
from pages.shared.drawing.display_text import escape_invisible, show_spaces
from pages.shared.drawing.phrasing import count_of
from pages.shared.training.source import find_word
from pages.what_if.two_runs import (
    BranchChange,
    Change,
    CountChange,
    MoreMerges,
    NewVector,
    TieRuleChange,
)
from tokenizers import bpe
from tokenizers.record.trace import Trace
from tokenizers.text.corpus import Corpus

KINDS = {
    "count": "a word’s count",
    "ties": "all ties",
    "branch": "one tie",
    "extend": "more merges",
    "vector": "a token’s vector",
}
OF_MERGES = ("branch", "extend")  # the kinds that need a run that merges
MOST_MORE = 500  # merges learned from another text
LONGEST_NEW_TEXT = 1_000  # characters of that text
NEW_TEXT = "the lowest tide, the newest tide, the widest tide"
MOST_COUNT = 10**15
DIGITS = len(str(MOST_COUNT))
LONGEST_WORD = 100
A_THIRD = 3  # what a word's count is divided by at first
MOST_TIES = 500  # steps to choose from


def choose_change(
    corpus: Corpus, rules: Mapping[str, str], rule: str, trace: Trace | None
) -> Change | MoreMerges | NewVector | None:
    """Show the controls for a change and return it; None if there is no tie to change.

    `rules` has the labels of the available tie rules by name; `rule` is the current rule's name.
    `trace` is the run whose ties can be decided differently, or None if it doesn't merge.
    """
    kinds = {name: label for name, label in KINDS.items() if trace or name not in OF_MERGES}
    if trace and not isinstance(trace.settings, bpe.Settings):
        del kinds["extend"]
    kind = choice("What changes", kinds, "count", key="if", label_visibility="collapsed")
    if kind == "ties":
        others = {name: label for name, label in rules.items() if name != rule}
        st.markdown("At every tie:", width="content")
        return TieRuleChange(
            choice(
                "What is taken at a tie",
                others,
                next(iter(others)),
                key="if_ties",
                label_visibility="collapsed",
            )
        )
    if kind == "branch" and trace:
        return _branch(trace)
    if kind == "extend":
        return _more_merges()
    if kind == "vector":
        return NewVector()
    return _word_and_count(corpus)


def _branch(trace: Trace) -> BranchChange | None:
    """Show the controls for taking another pair at a tie; return None if there is no tie."""
    ties = [k for k, tied in enumerate(trace.num_tied, start=1) if tied > 1][:MOST_TIES]
    if not ties:
        st.markdown("No step of this run is a tie, so there is no other way to go.")
        return None
    steps = {str(k): f"step {k:,}: {_spelled(trace.pairs[k - 1])}" for k in ties}
    st.markdown("At", width="content")
    at = choice("At the tie of", steps, str(ties[0]), key="if_step", label_visibility="collapsed")
    k = int(at)
    tied = [pair for pair in trace.state(k - 1).tied_candidates() if pair != trace.pairs[k - 1]]
    others = {str(n): _spelled(pair) for n, pair in enumerate(tied, start=1)}
    st.markdown("take", width="content")
    number = choice("take", others, "1", key="if_pair", label_visibility="collapsed")
    return BranchChange(k, tied[int(number) - 1])


def _more_merges() -> MoreMerges:
    """Show the controls for merging on with another text."""
    text = line_input(
        "The other text",
        LONGEST_NEW_TEXT,
        key="new_text",
        placeholder=NEW_TEXT,
        label_visibility="collapsed",
    ).strip()
    st.markdown("teaches", width="content")
    merges = whole_number(
        "Merges more", 1, MOST_MORE, 10, key="more", label_visibility="collapsed", width=140
    )
    st.markdown("merges more", width="content")
    return MoreMerges(text or NEW_TEXT, merges)


def _spelled(pair: tuple[str, str]) -> str:
    return " + ".join(map(show_spaces, pair))


def _word_and_count(corpus: Corpus) -> CountChange:
    """Show the controls for a word and its new count."""
    words = list(corpus.word_counts)
    wanted = line_input(
        "The word",
        LONGEST_WORD,
        key="word",
        placeholder=escape_invisible(words[0]),
        label_visibility="collapsed",
    ).strip()
    number = find_word(corpus, wanted) if wanted else 0
    word = wanted if number is None else words[number]
    old = corpus.word_counts.get(word, 0)
    st.markdown("occurs", width="content")
    count = _count_of(word, old // A_THIRD if old else 1)
    is_known = f"times instead of {old:,}." if old else "times; it isn’t in the text yet."
    st.markdown(is_known, width="content", help="A count of 0 removes the word.")
    _words_of(corpus)
    return CountChange(word, count)


def _count_of(word: str, default: int) -> int:
    """Show the control for a word's new count, which is remembered for the corpus; return it."""
    counts: dict[str, int] = st.session_state.setdefault("counts_of_words", {})
    value, key = url_state.incoming("count"), f"count of {word} from {default}"
    if value is not None and (number := url_state.parse_natural(value, DIGITS)) is not None:
        st.session_state[key] = counts[key] = min(number, MOST_COUNT)
    count = st.number_input(
        "new count",
        0,
        MOST_COUNT,
        counts.get(key, default),
        key=key,
        width=140,
        label_visibility="collapsed",
    )
    counts[key] = count
    url_state.set_unless_default("count", str(count), str(default))
    return count


def _words_of(corpus: Corpus) -> None:
    """Show the words with their counts in a popover."""
    label = count_of(corpus.num_distinct_words, "word")
    box = st.popover(label, key="words_of_corpus", on_change="rerun")
    if not box.open:  # there may be many
        return
    with box:
        ranked = sorted(corpus.word_counts.items(), key=lambda item: -item[1])
        words = [escape_invisible(word) for word, _ in ranked]
        counts = [count for _, count in ranked]
        st.dataframe({"word": words, "count": counts}, hide_index=True, height=320)
