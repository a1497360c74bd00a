"""What stands under the strip of a comparison: its tables, and one closer look at a time."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import streamlit as st

from lessons.texts import COMPARISONS, TEXTS, Sample
from lessons.trained import LEARNED_FROM
from pages.compare import scorecard, scripts, seen_words, stability, tables
from pages.compare.selection import CORPORA, Entry
from pages.compare.side_by_side import UNCOUNTED, Compared, Contestant, agreement_said
from pages.shared.controls import costs, url_state, user_text
from pages.shared.controls.markdown import as_is
from pages.shared.controls.panels import drawn, on_screen
from pages.shared.controls.url_state import choice, segments, whole_number
from pages.shared.corpus.corpus_picker import FIRST_TEXT
from pages.shared.drawing.charts import Chart
from pages.shared.drawing.display_text import html_tiles
from pages.shared.drawing.phrasing import count_of
from pages.shared.training.source import Source
from pages.shared.work import results

START = "start"
READY = {
    START: Sample(
        START, "Words of one family", "A few words, most of them of one family.", FIRST_TEXT
    )
} | COMPARISONS


@dataclass(frozen=True, slots=True)
class Scene:
    """What a closer look is taken at: the text, the tokenizers, what they learned from if known."""

    text: str
    asked: tuple[Contestant, ...]
    sources: tuple[Source | None, ...]
    key: str
    compared: Compared


def ready() -> Sample:
    """Ask for a text to start from; a newly chosen one takes the place of the visitor's own."""
    titles = {id_: row.title for id_, row in READY.items()}
    chosen = READY[choice("Start from a text", titles, START, key="ready")]
    before = st.session_state.get("compare.adopted")
    if chosen.id != before:
        st.session_state["compare.adopted"] = chosen.id
        if before and url_state.news("text") is None and url_state.news("kept") is None:
            user_text.keep_text(None)
    return chosen


def agreement(compared: Compared) -> None:
    """Say how many words are cut alike, and by whom."""
    if said := agreement_said(compared):
        st.markdown(f"**{as_is(said)}**{UNCOUNTED * compared.leaves_out_ends}")


def learned_from(entries: Sequence[Entry], names: Sequence[tuple[str, str]]) -> str:
    """Say what all of them learned from, where it does not stand under the names of the rows."""
    if any(origin for _, origin in names):
        return ""
    corpus = entries[0].corpus
    said = f"All of them were trained on **{CORPORA[corpus]}**{_how(corpus, entries)}."
    st.caption(said)
    return said


def _how(corpus: str, entries: Sequence[Entry]) -> str:
    """Say how large the text is that they were trained on ahead, and by which rule."""
    if corpus != LEARNED_FROM:
        return ""
    size = f": {len(TEXTS[corpus].text or ''):,} characters"
    if all(entry.kind != "wordpiece" for entry in entries):
        return size
    return f"{size}. WordPiece merges the most frequent pair there, as Hugging Face's trainer does"


def figures(compared: Compared) -> tuple[int, str]:
    """Show what the text became and costs; return the model's width and its number format."""
    st.html(tables.became(compared.figures))
    st.caption(tables.BECAME_MEANS)
    left, right, _ = st.columns([2, 2, 5])
    with left:
        width = costs.width()
    with right:
        precision = costs.precision()
    st.html(tables.costs(compared.figures, width, precision))
    st.caption(tables.COSTS_MEAN)
    return width, precision


def _alike(scene: Scene) -> None:
    if not scene.compared.words:
        st.caption("This text has no words.")
        return
    st.html(tables.agreement(scene.compared))
    st.caption(tables.AGREE_MEANS)


def _seen(scene: Scene) -> None:
    key = results.key_of("seen", scene.key)
    doing = "Looking up words in the training text …"
    asked = scene.text, scene.asked, scene.sources
    rows = results.result_of(key, seen_words.seen_and_unseen, doing, *asked)
    st.html(html_seen(rows))
    untold = (
        " The file of a published model does not say which words its training text had, so none of "
        "them is underlined as new."
    )
    st.caption(
        "A word is seen if, without the punctuation around it, it stands in the text that was "
        "learned from; capitals count. **Unknown** is the share of the words in which at least one "
        "token is [UNK]." + untold * (None in scene.sources)
    )
    names = {str(n): row.name for n, row in enumerate(rows)}
    last = min(2, len(rows) - 1)
    with st.columns([2, 5])[0]:
        number = choice("Tokens per word, according to", names, str(last), key="heat")
    row = rows[int(number)]
    st.html(seen_words.html_heat(row.words, f"the words of the text by {row.name}"))
    if (hidden := scene.compared.words - seen_words.MOST_HEATED) > 0:
        st.caption(f"and {count_of(hidden, 'more word')}")


def html_seen(rows: Sequence[seen_words.Seen]) -> str:
    """Return the table of seen and unseen words."""
    heads = ", Words seen, Tokens per word, Unknown, Words unseen, Tokens per word, Unknown"
    body = [[row.name, *_group(row.seen), *_group(row.unseen)] for row in rows]
    return tables.html("Words from the training text, and new ones", heads.split(", "), body)


def _group(group: seen_words.Group | None) -> tuple[str, str, str]:
    if group is None:
        return "not known", "–", "–"
    unknown = tables.number(group.unknown_rate, ".0%")
    return f"{group.words:,}", tables.number(group.fertility, ".2f"), unknown


def _scripts(scene: Scene) -> None:
    key = results.key_of("spread", scene.key)
    rows = results.result_of(key, scripts.spread, "Counting by script …", scene.text, scene.asked)
    st.html(scripts.html_scripts(rows))
    st.caption(scripts.MEANS)
    finding = scripts.lengths_finding(rows)
    st.markdown(f"**{as_is(finding)}**")
    drawn(Chart("The chart of lengths", scripts.lengths_chart(rows), finding), "lengths")
    if table := scripts.html_lines(rows):
        st.html(table)
        st.caption(scripts.LINES_MEAN)


CHANGE = [2, 5, 5]  # widths of the columns: name, before, after


def _stability(scene: Scene) -> None:
    places = stability.letters_of(scene.text)
    if not places:
        st.caption("This text has no letter to change.")
        return
    label, first = f"Letter to change (1 to {len(places):,})", stability.first_letter(scene.text)
    with st.columns([2, 5])[0]:
        number = whole_number(label, 1, len(places), first, key="letter")
    key = results.key_of("stability", scene.key, number)
    doing = "Changing letters …"
    found = results.result_of(key, stability.stability, doing, scene.text, scene.asked, number)
    st.markdown(f"**{as_is(stability.change_said(found))}**")
    for column, head in zip(st.columns(CHANGE), ("", "Before", "After"), strict=True):
        column.caption(head)
    for change in found.changes:
        name, before, after = st.columns(CHANGE)
        name.markdown(f"{as_is(change.name)}: {count_of(change.changed, 'token')} changed")
        with before:
            st.html(html_tiles(change.before, label=f"before, by {change.name}"))
        with after:
            st.html(html_tiles(change.after, label=f"after, by {change.name}"))
    st.html(stability.html_tried(found))
    st.caption(stability.MEANS)
    if len(scene.text) > stability.LONGEST:
        st.caption(f"Only letters in the first {stability.LONGEST:,} characters are changed.")


def _wishes(scene: Scene) -> None:
    key = results.key_of("wishes", scene.key)
    rows = results.result_of(key, scorecard.wishes, "Measuring …", scene.text, scene.asked)
    st.html(scorecard.html_wishes(rows))
    st.caption(scorecard.WISHES)
    st.html(scorecard.html_published(scene.compared))
    st.caption(
        "The tokenizers here are of the same kinds, not the models’ own: they learned from little "
        "text, and have few pieces."
    )
    st.html(scorecard.html_said_of_kinds(rows, scene.compared))


# --- One of them at a time ------------------------------------------------------------------------

LOOKS: dict[str, tuple[str, Callable[[Scene], None]]] = {
    "alike": ("Who agrees", _alike),
    "seen": ("Seen and unseen words", _seen),
    "scripts": ("Scripts and lengths", _scripts),
    "letter": ("One changed letter", _stability),
    "wishes": ("Scorecard", _wishes),
}


def look(scene: Scene) -> None:
    """Take one closer look, which is chosen here."""
    names = {name: title for name, (title, _) in LOOKS.items()}
    chosen = segments("A closer look", names, "alike", key="look")
    on_screen().clear()
    LOOKS[chosen][1](scene)
