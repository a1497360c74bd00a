"""The inputs and panels of What if."""

from collections.abc import Mapping, Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.shared.controls import url_state
from pages.shared.controls.settings import AnySettings, for_bpe, for_unigram, for_wordpiece
from pages.shared.controls.short_text import line_input
from pages.shared.controls.url_state import segments, whole_number
from pages.shared.corpus.corpus_picker import pick_corpus
from pages.shared.drawing.display_text import escape_invisible, html_tiles
from pages.shared.drawing.markup import html
from pages.shared.drawing.phrasing import RichText, count_of
from pages.shared.drawing.rich_text_html import html_rich_text
from pages.shared.limits import MAX_IN_URL
from pages.shared.training.source import CorpusSource
from pages.shared.work import results
from pages.what_if import counts, explanation
from pages.what_if.controls import LONGEST_WORD
from pages.what_if.drawing import counts_chart, html_intervals
from pages.what_if.two_runs import NAMES, CountEdit, MergeRuns
from tokenizers import bpe
from tokenizers.experiments.research.corpus_edit import Probe, nearest
from tokenizers.text.corpus import Pipeline
from tokenizers.text.counts import write_counts
from tokenizers.wordpiece import top_down

ALGORITHMS = {"bpe": "BPE", "wordpiece": "WordPiece", "unigram": "Unigram"}
SETTINGS = {"bpe": for_bpe, "wordpiece": for_wordpiece, "unigram": for_unigram}
FIRST = "course"  # the initial corpus
MOST_TILES = 60
MOST_INTERVALS = 40


def corpus_and_settings(
    actions: DeltaGenerator, row: DeltaGenerator
) -> tuple[CorpusSource, Pipeline, AnySettings]:
    """Ask for algorithm, corpus and settings; end the page if the algorithm makes no merges."""
    with row:
        learns = segments(
            "Algorithm", ALGORITHMS, "bpe", key="learns", label_visibility="collapsed"
        )
    source, pipeline, chosen = pick_corpus(SETTINGS[learns], default=FIRST, actions=actions)
    if isinstance(chosen, top_down.TopDownSettings):
        st.info(
            "TensorFlow Text's learner makes no merges, so none can change. Choose another rule in "
            "the sidebar."
        )
        url_state.end_early()
    return source, pipeline, chosen


def consequences(runs: MergeRuns) -> None:
    """Show why the first merge changes, how the final vocabularies differ, and a split word."""
    left, right = st.columns(2)
    if isinstance(runs, CountEdit):
        with left:
            _why(runs)
    with right:
        final_vocabularies(dict(zip(NAMES, (runs.lost, runs.gained), strict=True)))
    with right if isinstance(runs, CountEdit) else left:
        _one_word(runs)


def _why(edit: CountEdit) -> None:
    """Show the numbers that cause the first change, and how they are computed."""
    st.markdown("**Why this merge changes**")
    found = explanation.find_rivals(edit)
    if not found:
        same = "That is its count already. " if edit.count == edit.old else ""
        st.caption(f"{same}Nothing changes. Choose another number.")
        return
    st.html(html_rich_text(explanation.describe_reason(edit), "pp-why"))
    st.html(explanation.html_rivals(edit, found))
    st.caption(
        "f: how often something occurs before; Δ: the change in the word's count; n: "
        "how often the pair, or its part, occurs in that word."
    )
    for rival in found:
        first, second = rival.before.pair
        text = ("For ", ("token", first), " + ", ("token", second), ":")
        st.html(html_rich_text(text, "pp-why"))
        st.latex(explanation.formula(edit, rival))


def final_vocabularies(only: Mapping[str, Sequence[str]]) -> None:
    """Show, by label, the pieces that only one of two final vocabularies has."""
    st.markdown("**The final vocabularies**")
    if not any(only.values()):
        st.caption("Both have the same pieces.")
        return
    for label, pieces in only.items():
        st.caption(f"{count_of(len(pieces), 'piece')} only {label}")
        if pieces:
            st.html(html_tiles(pieces[:MOST_TILES], label=f"pieces only {label}"))
        if len(pieces) > MOST_TILES:
            st.caption(f"and {count_of(len(pieces) - MOST_TILES, 'more')}")


def _one_word(runs: MergeRuns) -> None:
    """Show how both tokenizers split a word: the changed one, or one that the user types."""
    st.markdown("**One word, split by both**")
    first = runs.word or next(iter(runs.whole.corpus.word_counts))
    wanted = line_input(
        "Word to split",
        LONGEST_WORD,
        key="cut",
        placeholder=escape_invisible(first),
        widget_key="word_to_split",
    )
    cuts = counts.splits(runs, wanted.strip() or first)
    for split, label in zip(cuts, NAMES, strict=True):
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
        job = (counts.bisect_counts, "Halving …", whole, word, merge)
        found = results.result_of(name, *job)
        tried = f"0 to {counts.search_limit(whole, word):,}"
    return counts.describe_smallest(found, edit.old, merge, tried)


def thresholds(edit: CountEdit, probes: Sequence[Probe], key: str) -> None:
    """Show how much the count must change to change a merge, and the effect of nearby counts."""
    st.markdown("## How little is enough?")
    tried = count_of(len(probes), "count")
    st.caption(f"{tried} of the word tried, with a training run for each.")
    left, right = st.columns([3, 2])
    found = counts.intervals(probes)
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
    if not counts.is_monotone(probes, edit.old):
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
        st.link_button(label, counts.changed_run_url(edit))
    else:
        st.download_button(
            "Save the changed words and counts as a table", table, "counts.csv", on_click="ignore"
        )
        st.caption(
            "The table is too long for a link. Save it, and open it as your own table of words "
            "and counts on the page where a run is stepped."
        )
