"""The start page's panels: a text split by published tokenizers, its figures, costs and copies."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

import regex
import streamlit as st

from lessons.models import MODELS
from pages.shared.aligned.aligned_view import aligned_view
from pages.shared.controls import costs, outdated_values, url_state, user_text, user_tokenizer
from pages.shared.controls.browser_scripts import listener
from pages.shared.controls.heading import heading
from pages.shared.controls.markdown import escape_markdown
from pages.shared.controls.url_state import IN_URL, choices, segments, whole_number
from pages.shared.drawing.display_text import plain_table
from pages.shared.drawing.markup import html
from pages.shared.drawing.phrasing import count_of
from pages.shared.export.tables import as_csv
from pages.shared.limits import MAX_COMPARED_CHARS, MAX_IN_URL, MAX_TEXT_CHARS
from pages.shared.routes import CONTINUE, page_file
from pages.shared.training.published import REAL
from pages.shared.work import results
from pages.start import published
from pages.start.presets import HAVE_TEXT, LEARN, PURPOSE, SAMPLE_TEXTS, TEACH, TITLE
from pages.start.published import MORE, ROWS, TokenCounts, TokenizedRow
from tokenizers.errors import user_message
from tokenizers.runtime.tokenizer import Special
from tokenizers.text.id_list import looks_like_ids

SHORT_TEXT = 2_000
"""Many results are cached for texts of at most this length; longer texts' results are large."""
EMPTY = "The box is empty. Write or paste a text into it, or choose one of those below it."
PER_WORD = (
    "Tokens per word count a token that holds a part of two words for both of them, and a token of "
    "white space alone, or one that the model adds, for none. Characters per token count them all."
)
WINDOW, ANSWER = 128_000, 500  # tokens
# Scripts without spaces between words: whitespace-separated runs are not words there.
_WITHOUT_SPACES = regex.compile(
    r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]"
)

_start_buttons = listener("start_buttons")
_tokenize_short = st.cache_resource(max_entries=64, show_spinner=False)(published.tokenize)
_tokenize_more = st.cache_resource(max_entries=64, show_spinner="Opening the tokenizers …")(
    published.tokenize
)
_tokenize_long = st.cache_resource(max_entries=4, show_spinner="Cutting the text …")(
    published.tokenize
)


@st.cache_resource(max_entries=64, show_spinner=False)
def _lay_out(
    text: str, special: Special, added: bool, names: tuple[str, ...], first: int
) -> published.WordWindow:
    return published.lay_out_words(text, special, _tokenize(text, special, added, names), first)


def _tokenize(
    text: str, special: Special, added: bool, names: tuple[str, ...]
) -> tuple[TokenizedRow, ...]:
    of_short = _tokenize_short if names == ROWS else _tokenize_more
    split = of_short if len(text) <= SHORT_TEXT else _tokenize_long
    return split(text, special, added, names)


def title_and_doors() -> None:
    """Show the title, and beside it what people come for; ./prerender.html draws the same."""
    actions = heading(TITLE, PURPOSE)
    with actions.container(key="doors", horizontal=True, width="content", gap="xsmall"):
        lesson = {"lesson": CONTINUE}
        st.page_link(page_file("lessons"), label=LEARN, query_params=lesson, help="")
        st.page_link(page_file("teach"), label=TEACH, help="")
        st.html(
            html('<button type="button" class="pp-have-text">{}</button>', HAVE_TEXT),
            width="content",
        )
    _start_buttons()


def sample_texts(text: str) -> None:
    """Offer sample texts, and mark the one that is in the text box."""
    chosen = next((name for name, ready in SAMPLE_TEXTS.items() if ready == text), None)
    url_state.preset_widget("ready_text", chosen)
    st.pills(
        "Try another text",
        list(SAMPLE_TEXTS),
        key="ready_text",
        on_change=_apply_sample,
        label_visibility="collapsed",
    )


def _apply_sample() -> None:
    chosen = st.session_state["ready_text"]
    if chosen and not outdated_values.is_outdated("ready_text", chosen):
        user_text.store_text(SAMPLE_TEXTS[chosen])


def ids_link(text: str) -> None:
    """Lead from a text that looks like ids to the page that decodes them."""
    if looks_like_ids(text):
        query = {"as_ids": "1"} | ({"say": text} if len(text) <= MAX_IN_URL else {})
        label = "These look like ids: read them as ids →"
        st.page_link(page_file("real"), label=label, query_params=query, help="")


@dataclass(frozen=True, slots=True)
class TextFigures:
    """The token counts of a text, and the rows that are drawn, of the whole text if `is_whole`."""

    counts: tuple[TokenCounts, ...]
    rows: tuple[TokenizedRow, ...]
    is_whole: bool


def render_rows(text: str) -> TextFigures | None:
    """Show the aligned view and the figures of a text; return None if there is no text."""
    if not text:
        st.info(EMPTY)
        return None
    if len(text) > MAX_TEXT_CHARS:
        st.info(
            f"The text has {len(text):,} characters. The figures below count the first "
            f"{MAX_TEXT_CHARS:,}."
        )
        text = text[:MAX_TEXT_CHARS]
    part = text[:MAX_COMPARED_CHARS]
    is_whole = len(text) <= MAX_COMPARED_CHARS
    picture = st.container()  # above the switches that it depends on
    with st.container(horizontal=True, vertical_alignment="center", key="picture_switches"):
        ids = st.toggle("Show ids", key="ids", **IN_URL)
        names = (*ROWS, *_more_rows())
        added = user_tokenizer.added_tokens_control(names)
    with picture:
        try:
            special = user_tokenizer.special_tokens_control(text, names)
            rows = _tokenize(part, special, added, names)
        except ValueError as error:
            st.error(escape_markdown(user_message(error)))
            return None
        _aligned_view(part, special, added, rows, is_whole, ids)
    counts: tuple[TokenCounts, ...] = rows
    if not is_whole:
        key = results.key_of("count", text, special, added, names)
        doing = "Counting the tokens of the whole text …"
        counts = results.result_of(key, published.count_tokens, doing, text, special, added, names)
    _figures(text, counts)
    return TextFigures(counts, rows, is_whole)


def _more_rows() -> list[str]:
    """Offer the tokenizers without a row; return those that are to have one, in their order."""
    titles = {name: f"+ {title}" for name, title in MORE.items()}
    chosen = choices("More models", titles, key="more", label_visibility="collapsed")
    return [name for name in MORE if name in chosen]


def _aligned_view(
    text: str,
    special: Special,
    added: bool,
    rows: Sequence[TokenizedRow],
    is_whole: bool,
    has_ids: bool,
) -> None:
    names = tuple(row.name for row in rows)
    window = _lay_out(text, special, added, names, 0)
    if window.last + 1 < window.words:
        first = whole_number("Show the words from number", 1, window.words, 1, key="from_word")
        window = _lay_out(text, special, added, names, first - 1)
        part = "" if is_whole else f" in the first {MAX_COMPARED_CHARS:,} characters"
        st.caption(
            f"Drawn: words {window.first + 1:,} to {window.last + 1:,} of {window.words:,}{part}. "
            "The figures below don't stop there."
        )
    if window.hidden:
        st.caption(f"The last word goes on for {count_of(window.hidden, 'more character')}.")
    aligned_view(published.aligned_view(rows, window, is_whole, has_ids))


def _figures(text: str, rows: Sequence[TokenCounts]) -> None:
    has_words = not _WITHOUT_SPACES.search(text)
    words = f"{count_of(rows[0].metrics.words, 'word')}, " * has_words
    caption = (
        f"This text has {words}{count_of(len(text), 'character')} and "
        f"{count_of(len(text.encode()), 'byte')}."
    )
    columns = (
        "",
        "maker and method",
        "tokens",
        "characters per token",
        "tokens per word",
        "lost on decoding",
    )
    table = [
        (
            row.title,
            f"{row.owner} · {MODELS[row.name].family}",
            row.metrics.tokens,
            _ratio(row.metrics.characters_per_token),
            _ratio(row.metrics.fertility if has_words else None),
            ", ".join(row.losses) or "nothing",
        )
        for row in rows
    ]
    with st.container(key="figures_heading"):
        section("In numbers")
    with st.container(key="figures"):
        st.html(plain_table(caption, columns, table))
    if has_words and any(row.metrics.tokens != row.metrics.in_words for row in rows):
        st.caption(PER_WORD)
    if lossy := [row.name for row in rows if row.losses]:
        query = {"model": REAL + lossy[0]}
        st.page_link(page_file("pipeline"), label="See what is lost →", query_params=query, help="")


def section(title: str) -> None:
    """Show the heading of a part of the page."""
    st.html(html('<h2 class="pp-section">{}</h2>', title))


def _ratio(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def cost_panel(rows: Sequence[TokenCounts]) -> None:
    """Show the text's share of a context window, and its cost with an answer at given prices."""
    with st.expander("What it costs", key="costs"):
        window, answer, price_in, price_out = st.columns(4)
        with window:
            room = whole_number("Context window, in tokens", 1, 100_000_000, WINDOW, key="window")
        with answer:
            length = whole_number("Answer, in tokens", 0, 1_000_000, ANSWER, key="answer")
        with price_in:
            per_input = costs.price("Input price, in $ per million tokens", "price")
        with price_out:
            per_output = costs.price("Output price, in $ per million tokens", "output_price")
        table = []
        for row in rows:
            own = MODELS[row.name].window
            share = row.metrics.tokens / (own or room)
            prompt = None if per_input is None else row.metrics.tokens * per_input / 1e6
            both = None
            if prompt is not None and per_output is not None and MODELS[row.name].writes:
                both = prompt + length * per_output / 1e6
            table.append(
                (
                    row.title,
                    row.metrics.tokens,
                    own or room,
                    f"{share:.2%}" if share >= 0.0001 else "under 0.01%",
                    costs.dollars(prompt),
                    costs.dollars(both),
                )
            )
        columns = ("", "tokens", "window", "share of it", "the text", "with the answer")
        st.html(plain_table("This text as a prompt", columns, table))
        st.caption(_own_windows(rows))


def _own_windows(rows: Sequence[TokenCounts]) -> str:
    models = [(row.title, MODELS[row.name]) for row in rows]
    fixed = [f"{title}: {one.window:,} tokens" for title, one in models if one.window]
    silent = [title for title, one in models if not one.writes]
    return (
        f"Some models have a window of their own, whatever the box says ({'; '.join(fixed)}). "
        f"Writes no answers: {', '.join(silent)}."
    )


def copy_panel(tokenized: TextFigures) -> None:
    """Show the ids and tokens of one row to copy, and offer all rows as CSV."""
    if url_state.incoming("copy") is not None:
        url_state.preset_widget("copies", True)
    fold = st.expander("Copy the ids and tokens", key="copies", on_change="rerun")
    if not fold.open:
        return
    with fold:
        titles = {row.name: row.title for row in tokenized.counts}
        name = segments("Tokenizer", titles, tokenized.counts[0].name, key="copy")
        row = next(row for row in tokenized.counts if row.name == name)
        st.caption(escape_markdown(f"Ids by {row.title}"))
        st.code(json.dumps(list(row.ids)), language=None, wrap_lines=True)
        st.caption("Tokens, as they are written in the vocabulary")
        st.code(json.dumps(row.tokens, ensure_ascii=False), language=None, wrap_lines=True)
        part = "" if tokenized.is_whole else f" (the first {MAX_COMPARED_CHARS:,} characters)"
        st.download_button(
            f"Save all rows as CSV{part}",
            lambda: as_csv(published.table_of(tokenized.rows)),
            "tokens.csv",
            on_click="ignore",
        )
