"""The essay: its prose, its figures, and links to the pages that show more.

The figures are computed in figures.py and cached for all visitors. The prose is in essay.md, whose
sections have the order of the figures.
"""

from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from lessons.format.words import RichText
from pages.essay import figures
from pages.essay.best_split_figure import BEST_STEP
from pages.essay.figures import FIRST_WORD, MAX_WORD_CHARS
from pages.languages.charts import dots
from pages.languages.study import PASSAGES
from pages.shared.aligned.aligned_view import aligned_view
from pages.shared.aligned.aligned_view_message import AlignedView
from pages.shared.controls import panels, terms
from pages.shared.controls.markdown import escape_markdown
from pages.shared.controls.settings import default_settings
from pages.shared.controls.url_state import IN_URL, choice, preset_widget, whole_number
from pages.shared.corpus.corpus_picker import USER_TEXT, corpus_defaults
from pages.shared.drawing.charts import Chart
from pages.shared.drawing.display_text import html_table, html_tiles
from pages.shared.drawing.phrasing import count_of
from pages.shared.drawing.rich_text_html import html_rich_text
from pages.shared.limits import MAX_IN_URL
from pages.shared.player import Guide, player
from pages.shared.recording.frame_types import plain_text
from pages.shared.routes import page_file, page_title
from pages.shared.training.published import PublishedTokenizer
from pages.shared.training.tokenizer_kinds import KINDS
from pages.shared.training.words import TokenizedWord
from tokenizers.errors import user_message

OPENING, *SECTIONS = [
    section.strip()
    for section in Path(__file__).with_name("essay.md").read_text(encoding="utf-8").split("\n## ")
]
MAX_TILES = 60
WINDOW = 128_000
EMPTY = "The box is empty. Write something into it, and this figure comes back."

_cached = st.cache_resource(max_entries=64, show_spinner=False)
_read = _cached(figures.read)
_units = _cached(figures.units)
_merges = _cached(figures.merges)
_matches = _cached(figures.matches)
_best_splits = _cached(figures.best_splits)
_language_costs = st.cache_resource(show_spinner="Splitting the sentences …")(
    figures.language_costs
)


def column() -> DeltaGenerator:
    """Return a centred column, narrow enough for readable lines."""
    return st.container(key="essay")


def story(text: str) -> None:
    """Render the essay; its figures show the reader's text."""
    if len(text) > MAX_IN_URL:
        st.info(
            f"The text has {len(text):,} characters. The figures show the first "
            f"{MAX_IN_URL:,}; the other pages have the rest, too."
        )
    of_text, others = (_numbers, _unit_kinds, _bpe), (_wordpiece, _unigram, _costs)
    for section, part in zip(SECTIONS, of_text + others, strict=True):
        title, _, prose = section.partition("\n")
        st.header(title, anchor=False)
        st.markdown(prose)
        with st.container(border=True):
            if part in of_text and not text.strip():
                st.info(EMPTY)
                continue
            try:
                part(text)
            except ValueError as error:  # a tokenizer file's pattern may take too long on a text
                st.error(escape_markdown(user_message(error)))
    st.page_link(page_file("lessons"), label="**Learn** · all of it in lessons, step by step →")


def _sentence(text: RichText) -> None:
    st.html(html_rich_text(text, "pp-why"))


def _page_link(page: str, **query: str) -> None:
    """Link to the page that shows a figure in full; empty parameters are dropped."""
    params = {name: value for name, value in query.items() if value}
    st.page_link(page_file(page), label=f"Open {page_title(page)} →", query_params=params)


def _text_param(text: str) -> str:
    """Return the text as a URL parameter; empty if it is too long for a URL."""
    return text if len(text) <= MAX_IN_URL else ""


def _more(hidden: int) -> None:
    if hidden > 0:
        st.caption(f"and {count_of(hidden, 'more token')}")


def _numbers(text: str) -> None:
    start = text[:MAX_IN_URL]
    encoding = _read(start)
    shown = PublishedTokenizer(figures.NEWER_MODEL).with_readable_tokens(encoding)
    here = slice(MAX_TILES)
    st.html(html_tiles(shown.tokens[here], ids=shown.ids[here], label="tokens and their numbers"))
    _more(len(encoding.ids) - MAX_TILES)
    _sentence(figures.describe_numbers(start, encoding))
    _page_link("real", model=figures.NEWER_MODEL, say=start)


def _unit_kinds(text: str) -> None:
    found = _units(text[:MAX_IN_URL])
    tokens = [count_of(one.tokens, "token") for one in found.metrics]
    aligned_view(
        AlignedView(list(zip(found.names, tokens, strict=True)), found.chunks, has_ids=False)
    )
    legend = f"Dashed: not on the list, so unknown. Among bytes, {KINDS['bytes'].mark}."
    st.caption(legend + " This is the beginning of your text." * found.is_cut_off)
    _sentence(figures.describe_units(found))
    _page_link("compare", **{"with": ",".join(figures.UNITS), "text": _text_param(text)})


@st.fragment
def _bpe(text: str) -> None:
    start = text[:MAX_IN_URL]
    trace = _merges(start, *default_settings(corpus_defaults(USER_TEXT)))
    k = 0
    if len(trace):
        first = figures.last_repeated(trace)
        if st.session_state.get("merge_text", start) != start:
            # The number of another text's merge; Streamlit would fail if it is too high here.
            preset_widget("merge", first)
        k = st.slider("Merges done", 0, len(trace), first, key="merge", **IN_URL)
    st.session_state["merge_text"] = start
    found = trace.model(k).encode(start)
    here = found.tokens[:MAX_TILES]
    new = [n for n, token in enumerate(here) if k and token == trace.tokens[k - 1]]
    st.html(html_tiles(here, new=new, label="tokens after these merges"))
    _more(len(found.tokens) - MAX_TILES)
    _sentence(figures.describe_merge(trace, k))
    st.caption(f"`{trace.settings.end_mark}` marks the end of a word.")
    step = str(k) if text == start else ""
    _page_link("bpe_train", corpus=USER_TEXT, text=_text_param(text), step=step)


def _longest(text: str) -> str:
    return figures.longest_word(text) or FIRST_WORD


def _word(text: str) -> str:
    """Return the word that was entered, or else the text's longest word."""
    return st.session_state["one_word"].strip()[:MAX_WORD_CHARS] or _longest(text)


def _wordpiece(text: str) -> None:
    written = st.text_input("A word to cut", key="one_word", placeholder=_longest(text), **IN_URL)
    if len(written.strip()) > MAX_WORD_CHARS:
        st.caption(f"The first {MAX_WORD_CHARS} characters are shown.")
    word = _word(text)
    read = figures.read_word(figures.WORDPIECE_MODEL, word)
    if read is None:
        st.info("BERT’s tokenizer leaves nothing of this to match. Write another word.")
        return
    if len(figures.read_words(figures.WORDPIECE_MODEL, word)) > 1:
        shown = escape_markdown(read.text)
        st.caption(f"BERT’s tokenizer reads this as several words. The longest is cut: {shown}")
    steps = _matches(read.text)
    rows = figures.match_rows(read.text, steps)
    columns = ("what is left", "tried in vain", "longest match")
    st.html(html_table("From the left, the longest piece that fits", columns, rows))
    _sentence(figures.describe_match(read.text, steps))
    _word_link("wordpiece_encode", figures.WORDPIECE_MODEL, text, word, read)


def _unigram(text: str) -> None:
    word = _word(text)
    read = figures.read_word(figures.UNIGRAM_MODEL, word)
    if read is None:
        st.info("The tokenizer leaves nothing of this to cut. Write another word.")
        return
    player(
        _best_splits(read.text),
        key="essay_ways",
        step=BEST_STEP,
        guide=Guide(has_predictions=False),
    )
    terms.caption("The pieces are those of a small English model. ▁ stands for a space.")
    _word_link("unigram_lattice", figures.UNIGRAM_MODEL, text, word, read)


def _word_link(page: str, name: str, text: str, word: str, read: TokenizedWord) -> None:
    """Link to a page that opens at this word of the text, or with the word alone if not in it."""
    start = text[:MAX_IN_URL]
    word_number = figures.word_number(name, start, read.text)
    number = str(word_number) if word_number else ""
    _page_link(page, tokenizer=name, say=start if word_number else word, word=number)


@st.fragment
def _costs(text: str) -> None:
    names = {code: one.name for code, one in PASSAGES.items() if code != "en"}
    left, right = st.columns(2)
    with left:
        code = choice("A language", names, "hi", key="second")
    with right:
        window = whole_number("Context window, in tokens", 1, 100_000_000, WINDOW, key="window")
    found = _language_costs()
    sentence = figures.describe_cost(found, code)
    figure = dots(found, figures.languages_with(found, code)[::-1], "premium")
    panels.show_chart(
        Chart("The chart of what languages pay", figure, plain_text(sentence)), "paid"
    )
    _sentence(sentence)
    _sentence(figures.describe_window(len(_read(text[:MAX_IN_URL]).ids), window))
    _page_link("languages", second=code, panel="Published models")
