"""Inputs of a race, and panels that show its charts, common pieces and words' splits."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.race import charts
from pages.race.frames import RaceRun
from pages.race.overlap import GROUPS, group_name, most_used, overlap_at, words
from pages.race.race import NAMES, PIPELINE, Race
from pages.shared.controls import panels, terms
from pages.shared.controls.settings import RULE_NOTES, RULES, CorpusDefaults
from pages.shared.controls.short_text import line_input
from pages.shared.controls.url_state import choice, whole_number
from pages.shared.drawing.display_text import html_tiles, show_spaces
from pages.shared.drawing.markup import html
from pages.shared.drawing.phrasing import count_of
from tokenizers import bpe
from tokenizers.text.corpus import Pipeline

MOST_TILES = 200
MOST_GOAL = 5_000
CONVENTIONS = (
    "All three learn from the same words: the text is split at spaces and punctuation, and `▁` "
    "begins each word. BPE and Unigram keep that mark in their pieces, as SentencePiece does. "
    "WordPiece writes `low` and `##est`; they are shown and compared here as `▁low` and `est`, so "
    "WordPiece can never have the piece `▁` alone. When pairs tie, BPE and WordPiece take the one "
    "seen first. You choose WordPiece's rule in the sidebar. Unigram starts from many candidates, "
    "as in the textbook, and weighs each by its best alternative. Special tokens are not counted."
)


def goal_settings(actions: DeltaGenerator, suited: CorpusDefaults) -> tuple[Pipeline, bpe.Settings]:
    """Ask for the vocabulary size to reach; all three tokenizers share the returned pipeline."""
    with actions:
        st.markdown("Target size", width="content")
        suits = min(int(suited["size"]), MOST_GOAL)
        goal = whole_number(
            "Target vocabulary size",
            1,
            MOST_GOAL,
            suits,
            key="size",
            label_visibility="collapsed",
            width=130,
        )
    return PIPELINE, bpe.Settings(vocab_size=goal)


def rule() -> str:
    """Ask, in the sidebar, for the rule by which WordPiece chooses pairs."""
    rules = {name: label for name, label in RULES.items() if name != "top_down"}
    with st.sidebar:
        st.subheader("How WordPiece chooses its pieces")
        chosen = choice("Rule", rules, "score", key="rule")
        st.caption(RULE_NOTES[chosen])
    return chosen


def share_chart(run: RaceRun) -> None:
    """Draw each pair's fraction of common pieces over the vocabulary size."""
    alt = f"Line chart: {charts.shares_finding(run.shares)}."
    chart = charts.shares_chart(run.shares, run.race.goal)
    st.html(html("<b>{}</b>", charts.shares_finding(run.shares)))
    st.plotly_chart(chart, key="shares", config={"displayModeBar": False}, alt=alt)
    terms.caption(
        "Share: pieces that both have, divided by pieces that either has (Jaccard), compared at "
        "equal sizes; Unigram at those on record. The dotted line is the size you asked for."
    )


def render_overlap(race: Race, position: int) -> None:
    """Describe and show which pieces the three vocabularies share at a position."""
    overlap = overlap_at(race, position)
    if position == race.last:
        num_agreeing = sum(len(word.agreeing) == len(NAMES) for word in words(race))
        where = charts.place_of_end(race)
        st.markdown(f"## {where}\n{charts.finding(race, overlap, num_agreeing)}")
    else:
        st.markdown(
            f"## At position {position:,}\n{overlap.num_in_all:,} of "
            f"{count_of(overlap.num_in_any, 'piece')} are in all three vocabularies. Go to the end "
            "of the race to see what they share there."
        )
    found = {have: most_used(race, pieces) for have, pieces in overlap.regions.items()}
    caption = "Every piece is in the row of those who have it. The most used come first."
    st.html(charts.html_regions(found, caption))
    left, right = st.columns(2)
    with left:
        st.html(charts.html_pairs(overlap))
    with right:
        _pieces(found)


def _pieces(found: dict[tuple[int, ...], list[str]]) -> None:
    """List a group's pieces; the user selects the group and can filter pieces by letters."""
    names = {
        "".join(map(str, have)): f"{group_name(have)} ({len(found[have]):,})" for have in GROUPS
    }
    row = choice("The pieces of", names, "012", key="who")
    wanted = line_input("that contain the letters", 50, key="find")
    pieces = found[tuple(map(int, row))]
    kept = [piece for piece in pieces if wanted in piece or wanted in show_spaces(piece)]
    if not kept:
        st.caption("There are none.")
        return
    st.html(html_tiles(kept[:MOST_TILES], label="pieces"))
    if len(kept) > MOST_TILES:
        st.caption(f"and {count_of(len(kept) - MOST_TILES, 'more')}")


def render_splits(race: Race) -> None:
    """List the words as the three tokenizers split them at the goal."""
    found = words(race)
    groups = [*GROUPS[:4], ()]
    counts = {group: sum(word.agreeing == group for word in found) for group in groups}
    label = {(): "each in its own way"} | {group: group_name(group) for group in GROUPS[:4]}
    rows = [(label[g], counts[g], sum(w.count for w in found if w.agreeing == g)) for g in groups]
    left, right = st.columns([1, 2])
    with left:
        st.html(charts.html_agreement(rows))
        options = {"all": "all words"} | {str(n): label[g] for n, g in enumerate(groups)}
        shown = choice("List", options, "all", key="alike")
    kept = found if shown == "all" else [w for w in found if w.agreeing == groups[int(shown)]]
    table = {"word": [show_spaces(w.text) for w in kept], "count": [w.count for w in kept]}
    for n, name in enumerate(NAMES):
        table[name] = [" ".join(map(show_spaces, word.splits[n])) for word in kept]
    table["split the same way by"] = [label[word.agreeing] for word in kept]
    alt = "How the three split the words"
    right.dataframe(table, hide_index=True, height=panels.TABLE_HEIGHT, key="cuts", alt=alt)
