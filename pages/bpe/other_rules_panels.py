"""Panels that compare a BPE run with other rules of what may be merged and what it is worth."""

import streamlit as st

from pages.bpe.other_rules import (
    MAX_CHARS,
    MAX_PIECES,
    Crossings,
    Lengths,
    compare_crossings,
    compare_lengths,
)
from pages.shared.controls.url_state import IN_URL, segments
from pages.shared.drawing.display_text import html_table, html_tiles, plain_table
from pages.shared.drawing.markup import Markup, html, joined
from pages.shared.drawing.phrasing import count_of
from pages.shared.routes import page_file
from pages.shared.work.results import key_of, result_of
from tokenizers.bpe.superwords import SuperwordSettings, is_superword
from tokenizers.record.trace import Trace

LONGEST_SPLIT = 300  # characters of the sentence to split
FIRST_PIECES = 14  # pieces that are shown of each rule
RULE_NAMES = {
    "never": "Never across spaces",
    "after": "After {:,} merges (SuperBPE)",
    "whole_words": "Between whole words (BoundlessBPE)",
}
SHORT_NAMES = {"after": "SuperBPE", "whole_words": "BoundlessBPE"}
WORTHS = {"length": "count × length", "saved": "count × tokens saved"}
WAYS = {
    "merges": "BPE: its merges in order",
    "fewest": "BPE’s pieces, the fewest",
    "longest": "Length-MAX: the longest that fits",
    "length_max": "Length-MAX’s pieces, the fewest",
}


def across_spaces(trace: Trace, k: int) -> None:
    """Compare merges that never cross spaces, cross them later, and join whole words."""
    settings, corpus = trace.settings, trace.corpus
    if not corpus.text:
        st.caption("A table of words has no neighbors to join. Choose a text.")
        return
    if not len(trace):
        st.caption("This run merges nothing. Allow it some merges.")
        return
    merges, is_after = len(trace), False
    if isinstance(settings, SuperwordSettings):
        is_after = settings.crossing == "after"
    inside = settings.inside if is_after else merges // 2
    found = result_of(
        key_of("crossings", corpus.text, corpus.pipeline.normalizers, settings, merges, inside),
        compare_crossings,
        "Training by three rules …",
        corpus.text,
        corpus.pipeline.normalizers,
        settings,
        merges,
        inside,
    )
    text = st.text_input(
        "Split a sentence by each", found.sample, LONGEST_SPLIT, key="across_say", **IN_URL
    )
    st.html(_tiles_by_rule(found, text or found.sample))
    st.html(_crossing_table(found))
    limit = f" Of a longer text, the first {MAX_CHARS:,} characters are used."
    st.caption(
        f"Each has made {count_of(found.merges, 'merge')} on the same lines, or all there are. "
        "Rényi efficiency (α = 2.5) says how evenly the tokens are used: 1 means that "
        f"all are used equally often.{limit if len(corpus.text) > MAX_CHARS else ''}"
    )
    with st.container(horizontal=True):
        for name, short in SHORT_NAMES.items():
            label = f"Step through {short}"
            if getattr(settings, "crossing", "") != name and st.button(
                label, on_click=_step_through, args=(name, found.inside)
            ):
                st.rerun()  # the whole page, not this part alone
        st.page_link(
            page_file("lessons"), label="The lesson “Beyond words” →", query_params=_LESSON
        )


def _step_through(crossing: str, inside: int) -> None:
    """Set the page's settings to a rule, for a run at its first step."""
    st.session_state["crossing"] = crossing
    if crossing == "after":
        st.session_state["inside"] = inside


_LESSON = {"lesson": "beyond-words"}


def _rule_name(found: Crossings, name: str) -> str:
    return RULE_NAMES[name].format(found.inside)


def _tiles_by_rule(found: Crossings, text: str) -> Markup:
    rows = []
    for run in found.runs:
        pieces = run.model.encode(text).pieces
        new = [n for n, piece in enumerate(pieces) if is_superword(piece)]
        name = f"{_rule_name(found, run.crossing)}: {count_of(len(pieces), 'token')}"
        rows.append(html('<p class="pp-caption">{}</p>{}', name, html_tiles(pieces, new=new)))
    return joined(rows)


def _crossing_table(found: Crossings) -> Markup:
    rows = [
        (
            _rule_name(found, run.crossing),
            run.tokens,
            f"{found.characters / run.tokens:.2f}" if run.tokens else "–",
            run.superwords,
            run.longest.replace("▁", " ").strip() or "–",
            f"{run.efficiency:.3f}",
        )
        for run in found.runs
    ]
    columns = (
        "When merges cross spaces",
        "Tokens of the text",
        "Characters per token",
        "Superwords",
        "The longest",
        "Rényi efficiency",
    )
    return plain_table("The same text by three rules", columns, rows)


def long_pieces(trace: Trace, k: int) -> None:
    """Compare BPE with Length-MAX, and merging in order with the fewest pieces."""
    if not len(trace):
        st.caption("This run merges nothing. Allow it some merges.")
        return
    if isinstance(trace.settings, SuperwordSettings):
        st.caption(
            "Length-MAX is compared inside words. For it, set *Merges may cross spaces* to *Never*."
        )
        return
    worth = segments("What a piece is worth", WORTHS, "length", key="worth")
    key = key_of("lengths", tuple(trace.corpus.word_counts.items()), trace.settings, len(trace))
    doing = "Learning long pieces …"
    found = result_of(f"{key}.{worth}", compare_lengths, doing, trace, worth)
    if not found.pieces:
        st.caption("Nothing occurs twice here, so Length-MAX learns no piece.")
        return
    left, right = st.columns(2)
    with left:
        st.html(_lengths_table(found))
        st.html(_first_pieces(found, worth))
    with right:
        st.html(_different_words(found))
    st.caption(
        f"The first {count_of(found.pieces, 'piece')} of both, besides the single symbols"
        + (f"; at most {MAX_PIECES:,} are compared. " if len(trace) > MAX_PIECES else ". ")
        + "Length-MAX (Dong and Su, 2025) joins up to six neighbors at once. The paper maximizes "
        "count × length, its authors’ program count × tokens saved. The program also joins across "
        "spaces, which is left out here, so that only the worth differs."
    )
    st.page_link(
        page_file("lessons"),
        label="The lesson “Long pieces, few tokens” →",
        query_params={"lesson": "long-pieces"},
    )


def _lengths_table(found: Lengths) -> Markup:
    usual = found.tokens["merges"]
    rows = [
        (
            WAYS[name],
            tokens,
            f"{tokens / usual - 1:+.1%}".replace("-", "−") if name != "merges" else "",
            f"{found.characters / tokens:.2f}",
            f"{found.mean[name in ('longest', 'length_max')]:.2f}",
        )
        for name, tokens in found.tokens.items()
    ]
    columns = ("How words are split", "Tokens", "", "Characters per token", "Length of a piece")
    return plain_table("As many pieces, and what they leave", columns, rows)


def _first_pieces(found: Lengths, worth: str) -> Markup:
    merged = html_tiles(found.merged[:FIRST_PIECES])
    some = found.learned[:FIRST_PIECES]
    learned = html_tiles([one.token for one in some], ids=[one.worth for one in some])
    return html(
        '<p class="pp-caption">BPE’s first pieces</p>{}'
        '<p class="pp-caption">Length-MAX’s first pieces, with their {}</p>{}',
        merged,
        WORTHS[worth],
        learned,
    )


def _different_words(found: Lengths) -> Markup:
    if not found.different:
        return html('<p class="pp-caption">All of them split every word alike.</p>')
    rows = [
        (word, " ".join(merged), " ".join(fewest), " ".join(long))
        for word, merged, fewest, long in found.different
    ]
    columns = ("word", "BPE", "BPE, fewest", "Length-MAX")
    return html_table("Frequent words that they split differently", columns, rows)
