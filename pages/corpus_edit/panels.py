"""The inputs and panels of a corpus edit."""

from collections.abc import Sequence

import streamlit as st

from pages.corpus_edit import comparison
from pages.corpus_edit.drawing import counts_chart, html_intervals, html_runs
from pages.shared.controls import url_state
from pages.shared.controls.settings import for_bpe, for_wordpiece
from pages.shared.controls.short_text import line_input
from pages.shared.controls.url_state import segments, whole_number
from pages.shared.corpus.corpus_picker import pick_corpus
from pages.shared.corpus.what_if import render_final_vocabularies
from pages.shared.drawing.display_text import escape_invisible, html_tiles
from pages.shared.drawing.markup import html
from pages.shared.drawing.phrasing import RichText, count_of
from pages.shared.drawing.rich_text_html import html_rich_text
from pages.shared.limits import MAX_IN_URL
from pages.shared.training import diff_explanation
from pages.shared.training.count_edit import CountEdit
from pages.shared.training.diff_explanation import Rival, html_rivals
from pages.shared.training.source import CorpusSource
from pages.shared.work import results
from tokenizers import bpe, wordpiece
from tokenizers.experiments.research.corpus_edit import Probe, nearest
from tokenizers.text.corpus import Pipeline
from tokenizers.text.counts import write_counts
from tokenizers.wordpiece import top_down

ALGORITHMS = {"bpe": "BPE", "wordpiece": "WordPiece"}
FIRST = "course"  # the initial corpus
LONGEST_WORD = 100
MOST_TILES = 60
MOST_INTERVALS = 40


def corpus_and_settings() -> tuple[CorpusSource, Pipeline, bpe.Settings | wordpiece.Settings]:
    """Ask for algorithm, corpus and settings; end the page if the algorithm makes no merges."""
    learns = segments("Algorithm", ALGORITHMS, "bpe", key="learns", label_visibility="collapsed")
    if learns == "bpe":
        return pick_corpus(for_bpe, default=FIRST)
    source, pipeline, chosen = pick_corpus(for_wordpiece, default=FIRST)
    if isinstance(chosen, top_down.TopDownSettings):
        st.info(
            "TensorFlow Text's learner makes no merges, so none can change. Choose another rule in "
            "the sidebar."
        )
        url_state.end_early()
    return source, pipeline, chosen


def result(edit: CountEdit) -> None:
    """Describe the edit's effect, show both runs side by side, and explain the first change."""
    st.html(html_rich_text(diff_explanation.describe_edit(edit)))
    if edit.count == edit.old:
        st.caption("That is already its count, so nothing changes. Choose another number.")
    found = diff_explanation.find_rivals(edit)
    is_wide = edit.whole.settings.by_score  # scores need two more columns
    left, right = st.columns([3, 2]) if found and not is_wide else (st.container(),) * 2
    with left:
        st.html(html_runs(edit, comparison.side_by_side(edit)))
        if edit.first:
            st.caption(
                "Up to the first change, both merge the same pairs in the same order, though their "
                "counts may differ. After it, each run goes its own way."
            )
    if found:
        with right:
            _why(edit, found, is_wide)


def _why(edit: CountEdit, found: Sequence[Rival], is_wide: bool) -> None:
    """Show the numbers that cause the first change, and how they are computed."""
    st.markdown("**Why this merge changes**")
    st.html(html_rich_text(diff_explanation.describe_reason(edit), "pp-why"))
    st.html(html_rivals(edit, found))
    st.caption(
        "f: how often something occurs before; Δ: the change in the word's count; n: "
        "how often the pair, or its part, occurs in that word."
    )
    columns = st.columns(len(found)) if is_wide else [st.container() for _ in found]
    for column, rival in zip(columns, found, strict=True):
        first, second = rival.before.pair
        with column:
            text = ("For ", ("token", first), " + ", ("token", second), ":")
            st.html(html_rich_text(text, "pp-why"))
            st.latex(diff_explanation.formula(edit, rival))


def consequences(edit: CountEdit) -> None:
    """Show how the final vocabularies differ, and how both tokenizers split a word."""
    left, right = st.columns(2)
    with left:
        found = {"lost": edit.lost, "gained": edit.gained}
        render_final_vocabularies(found, most=MOST_TILES)
    with right:
        st.markdown("**One word, split by both**")
        placeholder = escape_invisible(edit.word)
        wanted = line_input(
            "Word to split",
            LONGEST_WORD,
            key="cut",
            placeholder=placeholder,
            widget_key="word_to_split",
        )
        cuts = comparison.splits(edit, wanted.strip() or edit.word)
        for split, label in zip(cuts, ("before", "now"), strict=True):
            st.caption(f"{label}: {count_of(len(split), 'token') if split else 'unknown, [UNK]'}")
            st.html(html_tiles(split or ("[UNK]",), label=f"tokens {label}"))
        if cuts[0] == cuts[1]:
            st.caption("The splits are the same. Try another word.")


def _find_smallest(edit: CountEdit, probes: Sequence[Probe], key: str) -> RichText:
    """Ask which merge a change must reach, and describe the nearest counts that reach it."""
    reach = whole_number("Latest merge that must change (0: any)", 0, 10_000, 0, key="reach")
    merge, word, whole = reach or None, edit.word, edit.whole
    if whole.settings.by_score:
        found = nearest(probes, edit.old, merge)
        tried = f"{probes[0].count:,} to {probes[-1].count:,}"
    else:
        name = results.key_of(key, "halving", word, merge)
        job = (comparison.bisect_counts, "Halving …", whole, word, merge)
        found = results.result_of(name, *job)
        tried = f"0 to {comparison.search_limit(whole, word):,}"
    return comparison.describe_smallest(found, edit.old, merge, tried)


def thresholds(edit: CountEdit, probes: Sequence[Probe], key: str) -> None:
    """Show how much the count must change to change a merge, and the effect of nearby counts."""
    st.markdown("## How little is enough?")
    tried = count_of(len(probes), "count")
    st.caption(f"{tried} of the word tried, with a training run for each.")
    left, right = st.columns([3, 2])
    found = comparison.intervals(probes)
    with right:
        st.html(html_rich_text(_find_smallest(edit, probes, key), "pp-why"))
        st.caption(_describe_search(edit, probes))
        if len(found) <= MOST_INTERVALS:
            st.html(html_intervals(probes))
    with left:
        same = sum(probe.first is None for probe in probes)
        merges = count_of(len(edit.whole), "merge")
        st.html(html("<b>{:,} of {} leave all {} as they are</b>", same, tried, merges))
        text = f"{len(found):,} stretches of counts, each with the first merge that changes"
        chart, alt = counts_chart(probes, edit), f"Step chart: {text}."
        st.plotly_chart(chart, key="counts", config={"displayModeBar": False}, alt=alt)


def _describe_search(edit: CountEdit, probes: Sequence[Probe]) -> str:
    """Describe how the smallest change was found, and whether larger changes take effect later."""
    if not edit.whole.settings.by_score:
        return (
            "Found by halving: a larger change never shows later. Up to the first change every "
            "pair's count is a straight line over the count of the word, and so is its lead."
        )
    here = "Here a larger change never shows later, but with scores that need not be so"
    if not comparison.is_monotone(probes, edit.old):
        here = "Here a larger change sometimes shows later"
    return (
        f"{here}: the parts of a pair become more frequent with it, and its score may fall and "
        "rise again. So halving would be wrong, and every count near the word's own is tried."
    )


def next_steps(edit: CountEdit) -> None:
    """Link to the changed run on its training page, or offer its table if a link is too long."""
    table = write_counts(edit.changed.corpus.word_counts)
    is_bpe = isinstance(edit.whole.settings, bpe.Settings)
    if len(table) <= MAX_IN_URL:
        page = "BPE · Train" if is_bpe else "WordPiece · Train"
        label = f"Step through the changed run in {page} (a new tab)"
        st.link_button(label, comparison.changed_run_url(edit))
    else:
        st.download_button(
            "Save the changed words and counts as a table", table, "counts.csv", on_click="ignore"
        )
        st.caption(
            "The table is too long for a link. Save it, and open it as your own table of words "
            "and counts on the page where a run is stepped."
        )
