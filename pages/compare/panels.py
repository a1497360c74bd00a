"""The panels under the aligned view: tables, and one closer look at a time."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import streamlit as st
from markupsafe import Markup

from lessons.texts import COMPARISONS, TEXTS, Sample
from lessons.trained import LEARNED_FROM
from pages.compare import blocks, one_axis, scorecard, scripts, seen_words, stability, tables
from pages.compare.blocks import AXIS, LETTER, SCORECARD, SCRIPTS, SEEN
from pages.compare.selection import CORPORA, TokenizerSpec
from pages.shared.aligned.side_by_side import (
    NOT_COUNTED,
    Comparison,
    NamedTokenizer,
    describe_agreement,
)
from pages.shared.controls import costs, user_text
from pages.shared.controls.markdown import escape_markdown
from pages.shared.controls.panels import on_screen
from pages.shared.controls.url_state import choice, segments, whole_number
from pages.shared.corpus.corpus_picker import FIRST_TEXT
from pages.shared.drawing.charts import Chart
from pages.shared.drawing.display_text import html_tiles
from pages.shared.drawing.phrasing import count_of
from pages.shared.export.document.blocks import Heading, Html, Note, StaticBlock
from pages.shared.export.document.show_blocks import show_blocks, show_panel
from pages.shared.training.source import CorpusSource
from pages.shared.work import results

START = "start"
SAMPLES = {
    START: Sample(
        START, "Words of one family", "A few words, most of them of one family.", FIRST_TEXT
    )
} | COMPARISONS


@dataclass(frozen=True, slots=True)
class LookContext:
    """What a closer look needs: a text, tokenizers, and their training texts (None if unknown)."""

    text: str
    tokenizers: tuple[NamedTokenizer, ...]
    sources: tuple[CorpusSource | None, ...]
    key: str
    comparison: Comparison


def sample() -> Sample:
    """Choose a sample text; a newly chosen sample replaces the visitor's own text."""
    samples = {id_: (row.title, row.text) for id_, row in SAMPLES.items()}
    chosen, _ = user_text.example_choice(
        "Start from a text", samples, START, key="ready", label_visibility="collapsed", width=210
    )
    return SAMPLES[chosen]


def agreement(comparison: Comparison) -> str:
    """Return how many words are split alike, and by which tokenizers; "" if there is nothing."""
    text = describe_agreement(comparison)
    return f"{text}{NOT_COUNTED * comparison.has_uncounted}" if text else ""


def training_note(specs: Sequence[TokenizerSpec], names: Sequence[tuple[str, str]]) -> str:
    """Return a sentence on the common training text; empty if there is none."""
    if any(origin for _, origin in names) or any(entry.published for entry in specs):
        return ""
    corpus = specs[0].corpus
    return f"All of them were trained on **{CORPORA[corpus]}**{_training_details(corpus, specs)}."


def _training_details(corpus: str, specs: Sequence[TokenizerSpec]) -> str:
    """Return the size of the pretraining corpus, and how WordPiece merges there."""
    if corpus != LEARNED_FROM:
        return ""
    size = f": {len(TEXTS[corpus].text or ''):,} characters"
    if all(entry.kind != "wordpiece" for entry in specs):
        return size
    return f"{size}. WordPiece merges the most frequent pair there, as Hugging Face's trainer does"


def figures(
    comparison: Comparison, training_note: str
) -> tuple[list[StaticBlock], tuple[int, str]]:
    """Show what the text became and costs.

    Return the blocks that were shown, and the model's width and number format.
    """
    became = blocks.became(comparison)
    if training_note:
        became = Note(training_note), *became
    show_blocks(became)
    left, right, _ = st.columns([2, 2, 5])
    with left:
        width = costs.width()
    with right:
        precision = costs.precision()
    costs_there = blocks.costs(comparison, width, precision)
    show_blocks(costs_there)
    return [*became, *costs_there], (width, precision)


def _agreement(context: LookContext) -> None:
    show_blocks(blocks.agreement(context.comparison))


def _seen_words(context: LookContext) -> None:
    key = results.key_of("seen", context.key)
    doing = "Looking up words in the training text …"
    args = context.text, context.tokenizers, context.sources
    rows = results.result_of(key, seen_words.split_by_seen, doing, *args)
    published_note = (
        " The file of a published model does not say which words its training text had, so none of "
        "them is underlined as new."
    )
    note = (
        "A word is seen if, without the punctuation around it, it stands in the text that was "
        "learned from; capitals count. **Unknown** is the share of the words in which at least one "
        "token is [UNK]." + published_note * (None in context.sources)
    )
    show_panel(SEEN, Html(html_seen(rows)), Note(note))
    names = {str(n): row.name for n, row in enumerate(rows)}
    last = min(2, len(rows) - 1)
    with st.columns([2, 5])[0]:
        number = choice("Tokens per word, according to", names, str(last), key="heat")
    row = rows[int(number)]
    show_panel(SEEN, Html(seen_words.html_heat(row.words, f"the words of the text by {row.name}")))
    if (hidden := context.comparison.words - seen_words.MAX_HEAT_WORDS) > 0:
        show_panel(SEEN, Note(f"and {count_of(hidden, 'more word')}"))


def html_seen(rows: Sequence[seen_words.SeenVsUnseen]) -> Markup:
    """Return the table of seen and unseen words."""
    heads = ", Words seen, Tokens per word, Unknown, Words unseen, Tokens per word, Unknown"
    body = [[row.name, *_group(row.seen), *_group(row.unseen)] for row in rows]
    return tables.html("Words from the training text, and new ones", heads.split(", "), body)


def _group(group: seen_words.WordGroup | None) -> tuple[str, str, str]:
    if group is None:
        return "not known", "–", "–"
    unknown = tables.number(group.unknown_rate, ".0%")
    return f"{group.words:,}", tables.number(group.fertility, ".2f"), unknown


def _scripts(context: LookContext) -> None:
    key = results.key_of("spread", context.key)
    rows = results.result_of(
        key, scripts.count_scripts, "Counting by script …", context.text, context.tokenizers
    )
    finding = scripts.lengths_finding(rows)
    show_panel(SCRIPTS, Html(scripts.html_scripts(rows)), Note(scripts.SCRIPTS_NOTE))
    show_blocks([Heading(finding)])  # in the file it stands above the chart by itself
    show_panel(SCRIPTS, Chart("The chart of lengths", scripts.lengths_chart(rows), finding))
    if table := scripts.html_lines(rows):
        show_panel(SCRIPTS, Html(table), Note(scripts.LINES_NOTE))


CHANGE_COLUMNS = [2, 5, 5]  # widths of the columns: name, before, after


def _stability(context: LookContext) -> None:
    offsets = stability.letter_offsets(context.text)
    if not offsets:
        st.caption("This text has no letter to change.")
        return
    label, first = f"Letter to change (1 to {len(offsets):,})", stability.first_letter(context.text)
    with st.columns([2, 5])[0]:
        number = whole_number(label, 1, len(offsets), first, key="letter")
    key = results.key_of("stability", context.key, number)
    doing = "Changing letters …"
    result = results.result_of(
        key, stability.measure_stability, doing, context.text, context.tokenizers, number
    )
    st.markdown(f"**{escape_markdown(stability.describe_change(result))}**")
    for column, head in zip(st.columns(CHANGE_COLUMNS), ("", "Before", "After"), strict=True):
        column.caption(head)
    for change in result.changes:
        name, before, after = st.columns(CHANGE_COLUMNS)
        name.markdown(
            f"{escape_markdown(change.name)}: {count_of(change.changed, 'token')} changed"
        )
        with before:
            st.html(html_tiles(change.before, label=f"before, by {change.name}"))
        with after:
            st.html(html_tiles(change.after, label=f"after, by {change.name}"))
    st.html(stability.html_samples(result))
    st.caption(stability.STABILITY_NOTE)
    if len(context.text) > stability.MAX_CHARS:
        st.caption(f"Only letters in the first {stability.MAX_CHARS:,} characters are changed.")


def _scorecard(context: LookContext) -> None:
    key = results.key_of("scorecard", context.key)
    rows = results.result_of(
        key, scorecard.score_all, "Measuring …", context.text, context.tokenizers
    )
    own_kinds = (
        "The tokenizers here are of the same kinds, not the models’ own: they learned from little "
        "text, and have few pieces."
    )
    show_panel(
        SCORECARD,
        Html(scorecard.html_scorecard(rows)),
        Note(scorecard.DEFINITIONS),
        Html(scorecard.html_published(context.comparison)),
        Note(own_kinds),
        Html(scorecard.html_kind_claims(rows, context.comparison)),
    )


def _axis(context: LookContext) -> None:
    key = results.key_of("axis", context.key)
    rows = results.result_of(
        key, one_axis.count_units, "Counting units …", context.text, context.tokenizers
    )
    finding = one_axis.axis_finding(rows)
    show_blocks([Heading(finding)])
    show_panel(AXIS, Chart("The chart of units", one_axis.axis_chart(rows), finding))
    show_panel(AXIS, Html(one_axis.axis_table(rows)), Note(one_axis.AXIS_NOTE))


# --- One of them at a time ------------------------------------------------------------------------

LOOKS: dict[str, tuple[str, Callable[[LookContext], None]]] = {
    "alike": ("Who agrees", _agreement),
    "seen": (SEEN, _seen_words),
    "scripts": (SCRIPTS, _scripts),
    "letter": (LETTER, _stability),
    "axis": (AXIS, _axis),
    "wishes": (SCORECARD, _scorecard),  # saved links have this name in their URL
}


def closer_look(context: LookContext) -> None:
    """Choose one closer look, and show it."""
    names = {name: title for name, (title, _) in LOOKS.items()}
    chosen = segments("A closer look", names, "alike", key="look")
    on_screen().clear()
    LOOKS[chosen][1](context)
